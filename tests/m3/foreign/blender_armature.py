"""blender -b --python blender_armature.py -- OUT.glb: a skinned box as other programs leave it, with an armature in
centimetres that lies down, and a mesh node that stands elsewhere. Says where Blender 3.4 shows it, in glTF's axes."""

import math
import sys

import numpy

numpy.bool = bool  # which Blender 3.4's exporter asks for
import bpy  # noqa: E402

HEIGHTS = (80, 110, 140, 180)
CORNERS = ((-20, -12), (25, -12), (25, 14), (-20, 14))


def armature():
    bones = bpy.data.armatures.new("Rig")
    rig = bpy.data.objects.new("Rig", bones)
    bpy.context.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    hip = bones.edit_bones.new("hip")
    hip.head, hip.tail = (0, 0, 90), (0, 0, 130)
    chest = bones.edit_bones.new("chest")
    chest.head, chest.tail, chest.parent = (0, 0, 130), (10, 5, 175), hip
    bpy.ops.object.mode_set(mode="OBJECT")
    return rig


def body():
    vertices = [(x, y, z) for z in HEIGHTS for x, y in CORNERS]
    faces = [(4 * k + i, 4 * k + (i + 1) % 4, 4 * k + 4 + (i + 1) % 4, 4 * k + 4 + i) for k in range(3) for i in range(4)]
    mesh = bpy.data.meshes.new("Body")
    mesh.from_pydata(vertices, [], [*faces, (3, 2, 1, 0), (12, 13, 14, 15)])
    mesh.update()
    made = bpy.data.objects.new("Body", mesh)
    bpy.context.collection.objects.link(made)
    for name, heights in (("hip", HEIGHTS[:2]), ("chest", HEIGHTS[2:])):
        group = made.vertex_groups.new(name=name)
        group.add([i for i, vertex in enumerate(vertices) if vertex[2] in heights], 1.0, "REPLACE")
    return made


bpy.ops.wm.read_factory_settings(use_empty=True)
rig = armature()
skinned = body()
skinned.parent = rig
skinned.modifiers.new("Armature", "ARMATURE").object = rig
skinned.location = (300, 20, -50)
rig.scale = (0.01, 0.01, 0.01)
rig.rotation_euler = (math.radians(-90), 0, 0)
chest = rig.pose.bones["chest"]
chest.rotation_mode = "XYZ"
for frame, angle in ((1, 0.0), (20, 0.6)):
    chest.rotation_euler = (angle, 0, 0)
    chest.keyframe_insert("rotation_euler", frame=frame)
bpy.context.scene.frame_set(1)
bpy.ops.export_scene.gltf(filepath=sys.argv[-1], export_format="GLB")
shown = skinned.evaluated_get(bpy.context.evaluated_depsgraph_get())
points = [shown.matrix_world @ vertex.co for vertex in shown.to_mesh().vertices]
axes = [[p.x for p in points], [p.z for p in points], [-p.y for p in points]]
print("bounds", [min(axis) for axis in axes], [max(axis) for axis in axes])
