"""What a game has at bones and does not draw, as empties in collections of the model: collision shapes, attachments and
emitters at their true size. Collision shapes are edited by them; the others are where their bones are."""

import bpy
import mathutils

from . import glb

COLLECTIONS = {"collisionShapes": "Collision", "attachments": "Attachments", "emitters": "Emitters", "ribbons": "Emitters",
               "lights": "Lights", "cameras": "Cameras"}
_SMALL = 0.02  # of a model's size, for what has none
_SAME = 1e-5  # what is nearer was not moved
# Y up to Z up, as the importer turns it.
_UP = mathutils.Matrix(((1, 0, 0, 0), (0, 0, -1, 0), (0, 1, 0, 0), (0, 0, 0, 1)))


def add(model, armature, file):
    """The markers of a model that was just imported; its lights and cameras go to collections, too."""
    for one in list(model.objects):
        kind = {"LIGHT": "lights", "CAMERA": "cameras"}.get(one.type)
        if kind:
            _collection(model, COLLECTIONS[kind]).objects.link(one)
            model.objects.unlink(one)
    if armature is None:
        return
    size = max(max(one.dimensions) for one in model.objects if one.type in ("MESH", "ARMATURE")) or 1
    places = _node_matrices(file)
    for bone in armature.data.bones:
        kept = glb.kept_property(bone)
        for name in ("collisionShapes", "attachments", "emitters", "ribbons"):
            for number, item in enumerate(kept.get(name, [])):
                marker = _new(model, armature, bone, places, COLLECTIONS[name])
                marker["thaw_marker"], marker["thaw_number"] = name, number
                _SHAPES[name](marker, item, size * _SMALL)
                marker["thaw_written"] = _placed(marker)


def _collection(model, kind):
    found = next((one for one in model.children if one.get("thaw_kind") == kind), None)
    if found is None:
        found = bpy.data.collections.new(f"{kind} of {model.name}")
        found["thaw_kind"] = kind
        model.children.link(found)
    return found


def _node_matrices(file):
    """Where nodes rest, by name, in Blender's axes."""
    nodes = file.json.get("nodes", [])
    found, waiting = {}, [(index, mathutils.Matrix()) for index in file.json["scenes"][file.json.get("scene", 0)]["nodes"]]
    while waiting:
        index, above = waiting.pop()
        node = nodes[index]
        x, y, z, w = node.get("rotation", (0, 0, 0, 1))
        matrix = above @ mathutils.Matrix.LocRotScale(mathutils.Vector(node.get("translation", (0, 0, 0))), mathutils.Quaternion((w, x, y, z)),
                                                      mathutils.Vector(node.get("scale", (1, 1, 1))))
        found.setdefault(node.get("name"), _UP @ matrix @ _UP.inverted())
        waiting += [(child, matrix) for child in node.get("children", [])]
    return found


def _new(model, armature, bone, places, kind):
    """An empty in the axes of a node. Below a bone, Blender counts from its tail."""
    marker = bpy.data.objects.new(bone.name, None)
    _collection(model, kind).objects.link(marker)
    marker.parent, marker.parent_type, marker.parent_bone = armature, "BONE", bone.name
    node = armature.matrix_world.inverted() @ places.get(bone.name, armature.matrix_world @ bone.matrix_local)
    marker.matrix_parent_inverse = mathutils.Matrix.Translation((0, -bone.length, 0)) @ bone.matrix_local.inverted() @ node
    return marker


def _point(display):
    def shape(marker, _item, small):
        marker.empty_display_type, marker.empty_display_size = display, small
        marker.lock_location = marker.lock_rotation = marker.lock_scale = (True,) * 3
        marker.show_name = display == "ARROWS"
    return shape


def _emitter(marker, item, small):
    """The area that particles come from."""
    _point("CUBE")(marker, item, 0.5)
    marker.scale = (item.get("width") or small, item.get("length") or small, small * 0.1)


def _collision(marker, item, _small):
    """Boxes and planes between two corners, spheres about a point; cylinders as the box around them."""
    corners = [_UP.to_3x3() @ mathutils.Vector(one) for one in item["vertices"]]
    radius = item.get("radius", 0)
    marker.empty_display_size, marker.lock_rotation = 1, (True,) * 3
    if item["kind"] == "sphere":
        marker.empty_display_type = "SPHERE"
        marker.location, marker.scale = corners[0], (radius,) * 3
        return
    marker.empty_display_type = "CUBE"
    lowest, highest = (mathutils.Vector([pick(one[i] for one in corners) for i in range(3)]) for pick in (min, max))
    marker.location, marker.scale = (lowest + highest) / 2, (highest - lowest) / 2
    if item["kind"] == "cylinder":
        marker.scale.x += radius
        marker.scale.y += radius
    marker.lock_location = marker.lock_scale = (item["kind"] != "box",) * 3


_SHAPES = {"collisionShapes": _collision, "attachments": _point("ARROWS"), "emitters": _emitter, "ribbons": _point("SINGLE_ARROW")}


def _placed(marker):
    return [*marker.location, *marker.scale]


def is_marker(one):
    return "thaw_marker" in one


def take_edits(model, armature):
    """Collision shapes that were moved or sized become so in the fields of their bones; a line for each."""
    lines = []
    for marker in model.all_objects:
        bone = armature.data.bones.get(marker.parent_bone) if is_marker(marker) else None
        if bone is None or marker["thaw_marker"] != "collisionShapes":
            continue
        if all(abs(now - before) <= _SAME for now, before in zip(_placed(marker), marker["thaw_written"])):
            continue
        kept = glb.kept_property(bone)
        _write(kept["collisionShapes"][marker["thaw_number"]], marker)
        kept.get("mdx", {}).pop("shape", None)
        bone["thaw"] = glb.text_of(kept)
        marker["thaw_written"] = _placed(marker)
        lines.append(f"collision shape '{bone.name}' moved or resized")
    return lines


def _write(item, marker):
    back = _UP.to_3x3().inverted()
    if item["kind"] == "sphere":
        corners, item["radius"] = [back @ marker.location], max(marker.scale)
    else:
        both = [back @ (marker.location + sign * marker.scale) for sign in (-1, 1)]
        corners = [[pick(one[i] for one in both) for i in range(3)] for pick in (min, max)]
    # Numbers that were turned back and forth stay as they were.
    item["vertices"] = [[before if abs(now - before) <= _SAME else now for now, before in zip(*pair)] for pair in zip(corners, item["vertices"])]
