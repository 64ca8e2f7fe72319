"""Files of games into Blender: thaw makes a GLB, Blender's importer reads it, and what that leaves out is added here."""

import os
import re

import bpy
import numpy

from . import glb, look, markers

PICTURES = (".blp", ".dds")
EXTENSIONS = (".mdx", ".mdl", ".mrf", ".wmo", ".m3", ".dme", ".adr", ".mrn", ".nsa", ".wdt", *PICTURES)
MILLISECONDS = 1000
# The theme of each kind of bone, as Blender numbers them.
THEMES = {"attachment": 4, "emitter": 2, "ribbon": 6, "event": 9, "collision": 1, "light": 3, "helper": 11}
SEEN = "seen: "  # properties of the armature that show meshes


def mend_numpy():
    """Debian's importer (3.4) uses names that numpy 1.24 removed."""
    for name, kind in (("bool", bool), ("object", object)):
        if name not in vars(numpy):
            setattr(numpy, name, kind)


def options_of(operator, preferences):
    words = []
    for folder in filter(None, preferences.sources.split(os.pathsep)):
        words += ["--source", folder]
    if operator.skeleton:
        words += ["--skeleton", operator.skeleton]
    return words


def load(context, path, folder, command_words):
    """The collection that holds the model, and what thaw printed. Yields the words of its runs."""
    made = os.path.join(folder, "model.glb")
    lines = yield ("convert", "-f", path, "--profile", "blender", *command_words, "-o", made)
    file = glb.Glb(made)
    pictures = yield from look.fetch(_kept(file), path, folder, _without(command_words, "--skeleton"))
    model = _import(context, made, file, os.path.splitext(os.path.basename(path))[0])
    look.build(model, _kept(file), pictures)
    model["thaw_file"] = os.path.abspath(path)
    if "--skeleton" in command_words:
        model["thaw_skeleton"] = command_words[command_words.index("--skeleton") + 1]
    elif path.lower().endswith(".mrn"):
        model["thaw_skeleton"] = os.path.abspath(path)
    return model, lines


def load_picture(path, folder):
    """An image for materials, whose name is the file's."""
    made = os.path.join(folder, "picture.png")
    lines = yield ("convert", "-f", path, "-o", made)
    image = bpy.data.images.load(made)
    image.name, image.alpha_mode, image.use_fake_user = os.path.basename(path), "CHANNEL_PACKED", True
    image.pack()
    return [*lines, f"{path}: info blender.image: image '{image.name}' for materials"]


def _without(words, option):
    at = words.index(option) if option in words else len(words)
    return words[:at] + words[at + 2:]


def _import(context, path, file, name):
    _set_rate(context.scene, file)
    model = bpy.data.collections.new(name)
    context.scene.collection.children.link(model)
    before = set(bpy.data.objects)
    mend_numpy()
    if "io_scene_gltf2" not in context.preferences.addons:
        bpy.ops.preferences.addon_enable(module="io_scene_gltf2")
    bpy.ops.import_scene.gltf(filepath=path, bone_heuristic="BLENDER")
    objects = [one for one in bpy.data.objects if one not in before]
    for one in objects:
        for owner in list(one.users_collection):
            owner.objects.unlink(one)
        model.objects.link(one)
    _take_scene(context.scene, model, file)
    armature = next((one for one in objects if one.type == "ARMATURE"), None)
    clips = _clips(file)
    if armature is not None:
        armature["thaw_armature"] = True
        _color_bones(armature)
        _name_actions(armature, clips, context.scene.render.fps)
    else:
        _name_loose_actions(objects, clips, context.scene.render.fps)
    _show_meshes(objects, armature, clips, context.scene.render.fps)
    markers.add(model, armature, file)
    if armature is not None and clips:
        show(context, armature, actions_of(armature)[0])
    return model


def _kept(file):
    return glb.kept(file.json["scenes"][file.json.get("scene", 0)])


def _clips(file):
    return _kept(file).get("clips") or []


def _set_rate(scene, file):
    """A frame is a millisecond, or what the game samples by; a scene that has a model already keeps its own."""
    if any(one.get("thaw_armature") for one in scene.objects):
        return
    rates = {own.get("rate") for clip in _clips(file) for own in clip.values() if isinstance(own, dict)} - {None}
    rate = rates.pop() if len(rates) == 1 else MILLISECONDS
    scene.render.fps, scene.render.fps_base = (int(rate), 1) if rate == int(rate) else (MILLISECONDS, 1)
    # Frames are left out where the computer is not as fast.
    scene.sync_mode = "FRAME_DROP"


def _take_scene(scene, model, file):
    """What is kept of the file belongs to its model: a scene may have several."""
    stated = file.json["scenes"][file.json.get("scene", 0)]
    for name in stated.get("extras", {}):
        scene.pop(name, None)
    model["thaw"] = stated.get("extras", {}).get("thaw", "{}")
    model["thaw_name"] = stated.get("name", "")


def kind_of(bone):
    return glb.kept_property(bone).get("kind", "")


def _color_bones(armature):
    if not hasattr(armature.pose, "bone_groups"):  # 4.0 and later have collections (not run here)
        for bone in armature.data.bones:
            if kind := kind_of(bone):
                found = armature.data.collections.get(kind) or armature.data.collections.new(kind)
                found.assign(bone)
        return
    for bone in armature.pose.bones:
        kind = kind_of(bone.bone)
        if kind not in THEMES:
            continue
        group = armature.pose.bone_groups.get(kind)
        if group is None:
            group = armature.pose.bone_groups.new(name=kind)
            group.color_set = f"THEME{THEMES[kind]:02}"
        bone.bone_group = group


def _tracks(armature):
    return armature.animation_data.nla_tracks if armature.animation_data else []


def _name_loose_actions(objects, clips, fps):
    """Of morph models, which Blender's exporter writes: tracks stay as they are."""
    lengths = {clip["animation"]: clip for clip in clips}
    for one in objects:
        for owner in (one, getattr(one.data, "shape_keys", None)):
            for track in owner.animation_data.nla_tracks if owner is not None and owner.animation_data else ():
                if track.name in lengths and track.strips:
                    _measure(track.strips[0].action, lengths[track.name], fps)


def _measure(action, clip, fps):
    action.name = clip["animation"]
    action.use_fake_user = True
    action.use_frame_range = True
    action.frame_start, action.frame_end = 0, round(clip["duration"] * fps)
    action.use_cyclic = bool(clip.get("looping"))


def _name_actions(armature, clips, fps):
    """One action for each clip, with its name, length and events."""
    names = {index: name for name, index in event_names(armature).items()}
    by_track = {track.name: track for track in _tracks(armature)}
    for clip in clips:
        track = by_track.get(clip["animation"])
        action = track.strips[0].action if track else bpy.data.actions.new(clip["animation"])
        _measure(action, clip, fps)
        action.id_root = "OBJECT"
        action["thaw"] = glb.text_of({"clip": clip["clip"]})
        action["thaw_name"] = clip["animation"]
        action["thaw_model"] = armature.name
        for name in ("moveSpeed", "rarity"):
            if name in clip.get("mdx", {}):
                action[name] = float(clip["mdx"][name])
        for event in clip.get("events", []):
            for time in event["times"]:
                action.pose_markers.new(names[event["event"]]).frame = round(time * fps)
    for track in list(_tracks(armature)):
        track.lock = False
        armature.animation_data.nla_tracks.remove(track)


def event_names(armature):
    """Markers of events by name, and their numbers; several of one name have the number behind it."""
    events = [event for bone in armature.data.bones for event in glb.kept_property(bone).get("events", [])]
    names = [event["name"] for event in events]
    return {event["name"] if names.count(event["name"]) == 1 else f"{event['name']} {event['index']}": event["index"]
            for event in events}


def actions_of(armature):
    """Those of a model, in the order of its clips; what was added comes last."""
    def order(action):
        return glb.kept_property(action).get("clip", 1 << 30), action.name

    bones = armature.pose.bones
    found = []
    for action in bpy.data.actions:
        stated = action.get("thaw_model")
        moves = any(bone and bone in bones for bone in _bones_of(action))
        if stated == armature.name or (stated is None and moves):
            found.append(action)
    return sorted(found, key=order)


def clip_names(actions):
    """What clips are called: Blender numbers equal names of several models, and those of copies."""
    names, taken = {}, set()
    for action in sorted(actions, key=lambda one: one.name != one.get("thaw_name")):
        stated = action.get("thaw_name", action.name)
        own = re.sub(r"\.\d{3,}$", "", action.name) == stated and stated not in taken
        names[action] = stated if own else action.name
        taken.add(names[action])
    return names


def _bones_of(action):
    from . import curves
    return (curves.bone_of(curve.data_path)[0] for curve in curves.fcurves_of(action))


# --- what is seen when


def mesh_number(data):
    return glb.kept_property(data).get("mesh")


def _show_meshes(objects, armature, clips, fps):
    meshes = {mesh_number(one.data): one for one in objects if one.type == "MESH" and mesh_number(one.data) is not None}
    switched = {entry["mesh"] for clip in clips for entry in clip.get("shown", []) if "mesh" in entry}
    for number, mesh in meshes.items():
        hidden = bool(glb.kept_property(mesh.data).get("hidden"))
        if armature is None or number not in switched:
            mesh.hide_viewport = mesh.hide_render = hidden
            continue
        name = SEEN + mesh.name
        armature[name] = 0 if hidden else 1
        armature.id_properties_ui(name).update(min=0, max=1, description=f"Whether {mesh.name} is visible")
        for path in ("hide_viewport", "hide_render"):
            _drive(mesh, path, armature, name)
    if armature is None:
        return
    for action in actions_of(armature):
        number = glb.kept_property(action).get("clip")
        clip = next((one for one in clips if one["clip"] == number), {})
        for entry in clip.get("shown", []):
            if entry.get("mesh") in meshes:
                _key_states(action, SEEN + meshes[entry["mesh"]].name, entry, fps)


def _drive(mesh, path, armature, name):
    curve = mesh.driver_add(path)
    curve.driver.type = "SCRIPTED"
    variable = curve.driver.variables.new()
    variable.name = "seen"
    variable.targets[0].id = armature
    variable.targets[0].data_path = f'["{bpy.utils.escape_identifier(name)}"]'
    curve.driver.expression = "seen < 0.5"


def _key_states(action, name, entry, fps):
    curve = action.fcurves.new(f'["{bpy.utils.escape_identifier(name)}"]', action_group="Seen")
    curve.keyframe_points.add(len(entry["times"]))
    for point, time, state in zip(curve.keyframe_points, entry["times"], entry["states"]):
        point.co = time * fps, state
        point.interpolation = "CONSTANT"
    curve.update()


def rest(armature):
    """What a clip has no keys of is at rest in the game; Blender leaves it where the last action had it."""
    for bone in armature.pose.bones:
        bone.matrix_basis.identity()


def show(context, armature, action):
    """Plays a clip: the action, and its frames as those of the scene."""
    if not armature.animation_data:
        armature.animation_data_create()
    rest(armature)
    armature.animation_data.action = action
    context.scene.frame_start, context.scene.frame_end = map(int, action.frame_range)
    context.scene.frame_set(context.scene.frame_start)


def model_of(context):
    """The collection of the model that is worked on: that of the active object, else the first."""
    active = context.view_layer.objects.active
    owners = [one for one in bpy.data.collections if "thaw" in one and "thaw_file" in one]
    return next((one for one in owners if active is not None and active.name in one.all_objects), owners[0] if owners else None)


def armature_of(model):
    return next((one for one in model.all_objects if one.type == "ARMATURE"), None)
