"""What Blender's own importer shows of GLBs: -- QUESTIONS.json with {FILE.glb: [{clip (its name), time}]}. Prints @@ and JSON for each."""

import json
import sys

import bpy
import numpy
from mathutils import geometry

FPS = 1000
NOTHING = 1e-6  # square metres

for name, kind in (("bool", bool), ("object", object)):  # Debian's importer uses names that numpy 1.24 removed
    if name not in vars(numpy):
        setattr(numpy, name, kind)


def owners():
    for one in bpy.data.objects:
        for owner in (one, getattr(one.data, "shape_keys", None)):
            if owner is not None and owner.animation_data:
                yield owner


def seen_meshes():
    graph = bpy.context.evaluated_depsgraph_get()
    names = []
    for one in bpy.data.objects:
        if one.type == "MESH" and not one.name.startswith("Icosphere"):
            final = one.evaluated_get(graph)
            final.data.calc_loop_triangles()
            places = [final.matrix_world @ vertex.co for vertex in final.data.vertices]
            if sum(geometry.area_tri(*(places[i] for i in triangle.vertices)) for triangle in final.data.loop_triangles) > NOTHING:
                names.append(one.name)
    return names


def play(clip, time):
    for owner in owners():
        for track in owner.animation_data.nla_tracks:
            track.mute = track.name != clip
        owner.animation_data.action = None
    frame = time * FPS
    bpy.context.scene.frame_set(int(frame), subframe=frame % 1)


with open(sys.argv[sys.argv.index("--") + 1]) as file:
    questions = json.load(file)
for path, asked in questions.items():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = FPS
    bpy.ops.import_scene.gltf(filepath=path)
    clips = list(dict.fromkeys(track.name for owner in owners() for track in owner.animation_data.nla_tracks))
    seen = []
    for question in asked:
        play(question["clip"], question["time"])
        seen.append(seen_meshes())
    print("@@" + json.dumps({"file": path, "clips": clips, "seen": seen, "actions": len(bpy.data.actions)}), flush=True)
