"""GLB files into Blender and out again, as an artist's would be who changes nothing.

  blender --background --factory-startup --python-exit-code 3 --python tools/blender_round_trip.py -- OUT_DIR FILE.glb…

Writes OUT_DIR/<stem>.glb and prints one JSON line per file: seconds, objects, actions, bones.
"""
import json
import os
import sys
import time

import numpy

numpy.bool = bool  # Blender 3.4's importer uses names that numpy 1.24 removed.
numpy.object = object

import bpy  # noqa: E402

# One frame is a millisecond, and keys are taken as they are: docs/user/blender.md says what other settings cost.
EXPORT = {
    'export_format': 'GLB', 'export_extras': True, 'export_animations': True, 'export_nla_strips': True,
    'export_force_sampling': False, 'export_def_bones': False, 'export_all_influences': True, 'export_lights': True,
    'export_cameras': True, 'export_morph': True, 'export_tangents': False, 'export_yup': True,
}


def round_trip(path, out):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = 1000
    bpy.context.scene.render.fps_base = 1
    began = time.monotonic()
    bpy.ops.import_scene.gltf(filepath=path, bone_heuristic='BLENDER')
    imported = time.monotonic()
    known = bpy.ops.export_scene.gltf.get_rna_type().properties.keys()
    bpy.ops.export_scene.gltf(filepath=out, **{key: value for key, value in EXPORT.items() if key in known})
    return {
        'file': path, 'import': round(imported - began, 2), 'export': round(time.monotonic() - imported, 2),
        'objects': len(bpy.data.objects), 'actions': len(bpy.data.actions),
        'bones': sum(len(armature.bones) for armature in bpy.data.armatures),
    }


def main():
    arguments = sys.argv[sys.argv.index('--') + 1:]
    for path in arguments[1:]:
        out = os.path.join(arguments[0], os.path.splitext(os.path.basename(path))[0] + '.glb')
        print(json.dumps(round_trip(path, out)), flush=True)


main()
