"""Pictures of GLB files as Blender shows them.

  blender --background --factory-startup --python-exit-code 3 --python tools/blender_snapshot.py -- [--size N] OUT_DIR FILE.glb…

Writes OUT_DIR/<stem>.png of N pixels (512) and prints one JSON line per file: actions, bones, meshes, materials.
"""
import json
import math
import os
import sys

import numpy

numpy.bool = bool  # Blender 3.4's importer uses a name that numpy 1.24 removed.

import bpy  # noqa: E402
from mathutils import Vector  # noqa: E402


def bounds(objects):
    low, high = Vector((math.inf,) * 3), Vector((-math.inf,) * 3)
    graph = bpy.context.evaluated_depsgraph_get()
    for item in objects:
        evaluated = item.evaluated_get(graph)
        mesh = evaluated.to_mesh()
        points = [evaluated.matrix_world @ vertex.co for vertex in mesh.vertices]
        if points and max((point - points[0]).length for point in points) > 1e-6:
            for point in points:
                low = Vector(map(min, low, point))
                high = Vector(map(max, high, point))
        evaluated.to_mesh_clear()
    return low, high


def snapshot(path, out, size):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=path)
    bpy.context.scene.frame_set(1)
    meshes = [item for item in bpy.data.objects if item.type == 'MESH' and item.users_scene]
    low, high = bounds(meshes)
    centre, radius = (low + high) / 2, max((high - low).length / 2, 1e-3)
    camera = bpy.data.objects.new('view', bpy.data.cameras.new('view'))
    camera.data.angle = math.radians(35)
    camera.data.clip_start, camera.data.clip_end = radius / 50, radius * 50
    azimuth, elevation = math.radians(35), math.radians(15)
    away = Vector((math.cos(elevation) * math.cos(azimuth), math.cos(elevation) * math.sin(azimuth), math.sin(elevation)))
    camera.location = centre + away * radius / math.sin(math.radians(17.5))
    camera.rotation_euler = (centre - camera.location).to_track_quat('-Z', 'Y').to_euler()
    scene = bpy.context.scene
    scene.collection.objects.link(camera)
    scene.camera = camera
    sun = bpy.data.objects.new('sun', bpy.data.lights.new('sun', 'SUN'))
    sun.data.energy = 3
    sun.rotation_euler = (0.7, 0.2, 0.9)
    scene.collection.objects.link(sun)
    scene.world = bpy.data.worlds.new('world')
    scene.world.use_nodes = True
    scene.world.node_tree.nodes['Background'].inputs[0].default_value = (0.2, 0.22, 0.24, 1)
    scene.render.engine = 'CYCLES'
    scene.cycles.samples = 12
    scene.cycles.use_denoising = False
    scene.view_settings.view_transform = 'Standard'
    scene.render.resolution_x = scene.render.resolution_y = size
    stem = os.path.splitext(os.path.basename(path))[0]
    scene.render.filepath = os.path.join(out, stem + '.png')
    bpy.ops.render.render(write_still=True)
    print(json.dumps({
        'file': os.path.basename(path),
        'actions': sorted(action.name for action in bpy.data.actions)[:40],
        'bones': sum(len(armature.bones) for armature in bpy.data.armatures),
        'meshes': len(meshes),
        'materials': len(bpy.data.materials),
        'images': len(bpy.data.images),
    }))


arguments = sys.argv[sys.argv.index('--') + 1:]
side = 512
if arguments[0] == '--size':
    side = int(arguments[1])
    arguments = arguments[2:]
for name in arguments[1:]:
    snapshot(os.path.abspath(name), os.path.abspath(arguments[0]), side)
