"""Models of Blender as files of games: Blender's exporter writes meshes and materials, curves.py the clips, and thaw puts
what was edited into the file that the model came from."""

import os

import bpy

from . import curves, glb, load, look, markers

EXTENSIONS = (".mdx", ".mdl", ".mrf", ".m3", ".wmo", ".nsa", ".mrn")
_EXPORT = {
    "export_format": "GLB", "export_extras": True, "export_lights": True, "export_cameras": True, "export_morph": True,
    "export_def_bones": False, "export_all_influences": True, "export_tangents": False, "export_yup": True,
    "use_selection": True, "export_force_sampling": False, "export_nla_strips": True, "export_apply": False,
    "export_image_format": "AUTO",
}


def _layers_of(layer, model, inside=False):
    """A model's collection and those below it, in the view: what is hidden there cannot be selected."""
    inside = inside or layer.collection == model
    below = [one for child in layer.children for one in _layers_of(child, model, inside)]
    return [layer, *below] if inside else below


class _Prepared:
    """The model as the exporter wants it: all of it visible, selected, at rest. All is as it was behind it."""

    def __init__(self, context, model, armature):
        self._context, self._model, self._armature = context, model, armature
        self._objects = [one for one in model.all_objects if not markers.is_marker(one)]
        self._undo = []

    def _set(self, item, name, value):
        old = getattr(item, name)
        if old != value:
            self._undo.append((item, name, old))
            setattr(item, name, value)

    def __enter__(self):
        if self._context.mode != "OBJECT":
            bpy.ops.object.mode_set(mode="OBJECT")
        self._selected = [one for one in self._context.view_layer.objects if one.select_get()]
        for material in look.materials_of(self._model):
            self._show_imported(material)
        for layer in _layers_of(self._context.view_layer.layer_collection, self._model):
            self._set(layer, "exclude", False)
            self._set(layer, "hide_viewport", False)
            self._set(layer.collection, "hide_viewport", False)
            self._set(layer.collection, "hide_select", False)
        for one in self._objects:
            for curve in one.animation_data.drivers if one.animation_data else ():
                self._set(curve, "mute", True)
            for name in ("hide_viewport", "hide_select", "hide_render"):
                self._set(one, name, False)
            if one.hide_get():
                one.hide_set(False)
                self._undo.append((one, None, None))
        if self._armature is not None:
            self._set(self._armature.data, "pose_position", "REST")
            if self._armature.animation_data:
                self._set(self._armature.animation_data, "action", None)
        self._context.view_layer.update()
        bpy.ops.object.select_all(action="DESELECT")
        for one in self._objects:
            one.select_set(True)
        return self

    def _show_imported(self, material):
        """The exporter takes what the importer made."""
        both = look.outputs(material)
        if both is None:
            return
        written, shown = both
        self._set(material, "blend_method", written.get("thaw_blend", material.blend_method))
        self._set(shown, "is_active_output", False)
        self._set(written, "is_active_output", True)

    def __exit__(self, *_):
        bpy.ops.object.select_all(action="DESELECT")
        for one in self._selected:
            one.select_set(True)
        for item, name, old in reversed(self._undo):
            if name is None:
                item.hide_set(True)
            else:
                setattr(item, name, old)
        self._context.view_layer.update()


def save(context, model, path, folder, command_words):
    """Writes the model; returns what thaw printed. Yields the words of its run."""
    made = os.path.join(folder, os.path.splitext(os.path.basename(path))[0] + ".glb")
    armature = load.armature_of(model)
    moved = markers.take_edits(model, armature) if armature is not None else []
    with _Prepared(context, model, armature):
        known = bpy.ops.export_scene.gltf.get_rna_type().properties.keys()
        words = {**_EXPORT, "filepath": made, "export_animations": armature is None}
        bpy.ops.export_scene.gltf(**{key: value for key, value in words.items() if key in known})
    file = glb.Glb(made)
    scene = file.json["scenes"][file.json.get("scene", 0)]
    kept, edits = look.edited_scene(model)
    scene.setdefault("extras", {})["thaw"] = glb.text_of(kept) if edits else model["thaw"]
    edits += moved
    scene["name"] = model["thaw_name"] or scene.get("name", "")
    if armature is not None:
        _add_clips(context, file, armature)
    file.save(made)
    original = model.get("thaw_file", "")
    if os.path.isfile(original) and os.path.splitext(original)[1].lower() == os.path.splitext(path)[1].lower():
        command_words = [*command_words, "--onto", original]
    if path.lower().endswith((".nsa", ".mrn")) and "--skeleton" not in command_words and "thaw_skeleton" in model:
        command_words = [*command_words, "--skeleton", model["thaw_skeleton"]]
    lines = yield ("convert", "-f", made, *command_words, "-o", path)
    return lines + [f"{path}: info scene.edited: {edit}" for edit in edits]


def _nodes_below(file, name):
    """The armature's node and its bones, by name. Of a bone and an object of one name, the bone is a joint."""
    nodes = file.json.get("nodes", [])
    joints = {joint for skin in file.json.get("skins", []) for joint in skin["joints"]}
    top = next((i for i, node in enumerate(nodes) if node.get("name") == name and "children" in node), None)
    found, waiting = {}, [] if top is None else list(nodes[top]["children"])
    while waiting:
        index = waiting.pop()
        if index in joints or nodes[index].get("name") not in found:
            found[nodes[index].get("name")] = index
        waiting += nodes[index].get("children", [])
    return {None: top, **found}


def _add_clips(context, file, armature):
    fps = context.scene.render.fps / context.scene.render.fps_base
    nodes = _nodes_below(file, armature.name)
    meshes = {load.SEEN + one.name: load.mesh_number(one.data) for one in context.scene.objects if one.type == "MESH"}
    events = load.event_names(armature)
    driven = curves.is_driven(armature)
    state = armature.animation_data.action if armature.animation_data else None, context.scene.frame_current
    pose = {bone: bone.matrix_basis.copy() for bone in armature.pose.bones}
    file.json["animations"] = []
    actions = load.actions_of(armature)
    names = load.clip_names(actions)
    for action in actions:
        end = action.frame_end if action.use_frame_range else action.frame_range[1]
        channels = curves.sampled_channels(context, action, armature, fps, end) if driven else \
            curves.channels_of(action, armature, fps, end)
        stated = glb.kept_property(action)
        stated["duration"] = end / fps
        stated["shown"] = _states(action, meshes, fps)
        stated["events"] = [{"event": index, "name": name,
                             "times": sorted(mark.frame / fps for mark in action.pose_markers if mark.name == name)}
                            for name, index in events.items()]
        stated["looping"] = bool(action.use_cyclic)
        own = {name: float(action[name]) for name in ("moveSpeed", "rarity") if name in action}
        if own:
            stated["mdx"] = own
        _add_clip(file, names[action], channels, nodes, end / fps, stated)
    if armature.animation_data:
        armature.animation_data.action = state[0]
    for bone, matrix in pose.items():
        bone.matrix_basis = matrix
    context.scene.frame_set(state[1])


def _states(action, meshes, fps):
    """When meshes are seen, as steps."""
    shown = []
    for curve in curves.fcurves_of(action):
        number = meshes.get(bpy.utils.unescape_identifier(curve.data_path[2:-2])) if curve.data_path.startswith('["') else None
        if number is None or not len(curve.keyframe_points):
            continue
        shown.append({"mesh": number, "times": [max(0, point.co[0]) / fps for point in curve.keyframe_points],
                      "states": [1 if point.co[1] > 0.5 else 0 for point in curve.keyframe_points]})
    return shown


def _add_clip(file, name, channels, nodes, duration, stated):
    animation = {"name": name, "channels": [], "samplers": [], "extras": {"thaw": glb.text_of(stated)}}
    for (bone, path), curve in channels.items():
        if nodes.get(bone) is None:
            continue
        sampler = {"input": file.add_floats(curve.times, bounds=True), "output": file.add_floats(curve.values),
                   "interpolation": curve.mode}
        animation["channels"].append({"sampler": len(animation["samplers"]), "target": {"node": nodes[bone], "path": path}})
        animation["samplers"].append(sampler)
    if animation["channels"] or duration > 0:
        if not animation["channels"]:
            top = file.json["nodes"][nodes[None]].get("translation", [0, 0, 0])
            animation["samplers"].append({"input": file.add_floats([0, duration], bounds=True), "output": file.add_floats([top, top]),
                                          "interpolation": "STEP"})
            animation["channels"].append({"sampler": 0, "target": {"node": nodes[None], "path": "translation"}})
        file.json["animations"].append(animation)
