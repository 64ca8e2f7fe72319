"""What tests/scripts/blender_extension.py asks for, inside Blender: -- REQUEST.json. Prints one line of JSON, behind @@, for each
thing that was done."""

import contextlib
import io
import json
import math
import os
import sys
import time
import types

import bpy
import mathutils

with contextlib.suppress(ImportError):  # before it is installed
    import thaw.look
    import thaw.work
    import thaw.worlds


def tell(**entry):
    print("@@" + json.dumps(entry), flush=True)


def clear():
    for group in (bpy.data.collections, bpy.data.objects, bpy.data.actions, bpy.data.meshes, bpy.data.armatures, bpy.data.materials,
                  bpy.data.images, bpy.data.cameras, bpy.data.lights, bpy.data.node_groups):
        for item in list(group):
            group.remove(item)


def quietly(operator, **words):
    """The operator's reports; its error as the text of an exception."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        operator(**words)
    return [line for line in said.getvalue().splitlines() if line.startswith(("Info: ", "Warning: "))]


def model():
    return next(one for one in bpy.data.collections if "thaw_file" in one)


def armature():
    return next(one for one in model().all_objects if one.type == "ARMATURE")


def misfits(clips):
    """Clips without an action of their name, length and loop."""
    rate = bpy.context.scene.render.fps
    bad = []
    for clip in clips:
        action = bpy.data.actions.get(clip["animation"].encode()[:63].decode(errors="ignore"))
        fits = action is not None and tuple(action.frame_range) == (0, max(1, round(clip["duration"] * rate))) and \
            action.use_cyclic == bool(clip.get("looping"))
        if not fits:
            bad.append(f"{clip['animation']}: {action and (action.name, *action.frame_range)}, {clip['duration']} s")
    return bad


def trip(request):
    clear()
    entry = {"file": request["in"], "actions": 0, "clips": 0, "objects": 0}
    try:
        began = time.process_time()
        words = {name: request[name] for name in ("skeleton", "tile") if name in request}
        bpy.ops.import_scene.thaw(filepath=request["in"], **words)
        entry["import"] = round(time.process_time() - began, 2)
        if request["in"].endswith((".blp", ".dds")):
            image = bpy.data.images[os.path.basename(request["in"])]
            return tell(**entry, image=list(image.size), users=image.use_fake_user, packed=image.packed_file is not None)
        clips = json.loads(model()["thaw"]).get("clips") or []
        entry.update(objects=len(model().all_objects), clips=len(clips))
        entry.update(actions=len(bpy.data.actions), misfits=misfits(clips))
        if "out" in request:
            began = time.process_time()
            bpy.ops.export_scene.thaw(filepath=request["out"])
            entry["export"] = round(time.process_time() - began, 2)
    except RuntimeError as error:
        entry["error"] = str(error)
    return tell(**entry)


# --- edits, each of which a modder makes by hand in the way that stands in docs/user/blender.md


def in_mode(item, mode):
    bpy.context.view_layer.objects.active = item
    bpy.ops.object.mode_set(mode=mode)


def move_vertex():
    mesh = next(one for one in model().all_objects if one.name == "Geoset 0")
    mesh.data.vertices[7].co.x += 0.05


def rename_clip():
    bpy.data.actions["Walk"].name = "Stroll"


def delete_clip():
    bpy.data.actions.remove(bpy.data.actions["Walk"])


def copy_clip():
    bpy.data.actions["Attack"].copy().use_fake_user = True


def lengthen_clip():
    bpy.data.actions["Death"].frame_end = 2500


def change_key():
    action = bpy.data.actions["Stand"]
    curve = next(one for one in action.fcurves if one.data_path == 'pose.bones["Shield Arm"].rotation_quaternion' and one.array_index == 1)
    curve.keyframe_points[1].co[1] += 0.2
    curve.update()


def change_picture():
    """Another image in the node of the material that has one."""
    picture = bpy.data.images.new("banner", 8, 8)
    picture.pixels = [0.2, 0.4, 0.8, 1.0] * 64
    picture.pack()
    mesh = next(one for one in model().all_objects if one.name == "Geoset 0")
    node = next(one for one in mesh.data.materials[0].node_tree.nodes if one.type == "TEX_IMAGE" and one.image)
    node.image = picture


def change_layer_picture():
    """The cloth, which lies over the team's colour, and only in the game's layers."""
    material = next(one for one in thaw.look.materials_of(model()) if one.name == "Material 1")
    node = next(one for one in thaw.look.mine(material) if one.type == "TEX_IMAGE")
    node.image = bpy.data.images.new("cloak.tga", 8, 8)


def change_layer():
    """Another blend, in the sidebar."""
    mesh = next(one for one in model().all_objects if one.type == "MESH" and one.data.materials[0].name == "Material 2")
    bpy.context.view_layer.objects.active = mesh
    assert bpy.ops.thaw.set_layer(layer=0, blend="addAlpha", unshaded=False) == {"FINISHED"}


def change_team_color():
    """Nothing in the file: players have colours."""
    assert bpy.ops.thaw.team_color(player="teal") == {"FINISHED"}


def move_event():
    marker = next(one for one in bpy.data.actions["Walk"].pose_markers if one.name == "FPTxFTL0")
    marker.frame += 50


def move_attachment():
    rig = armature()
    in_mode(rig, "EDIT")
    bone = next(one for one in rig.data.edit_bones if one.name.startswith("Overhead Ref"))
    bone.head.z += 0.1
    bone.tail.z += 0.1
    in_mode(rig, "OBJECT")


def move_collision():
    """A shape is larger and further to the front."""
    marker = next(one for one in model().all_objects if one.get("thaw_marker") == "collisionShapes")
    marker.location.x += 0.1
    marker.scale = (0.6, 0.6, 0.6)


def hide_collections():
    """What is not seen in the outliner is exported, too."""
    for number, layer in enumerate(bpy.context.view_layer.layer_collection.children[model().name].children):
        if number % 2:
            layer.exclude = True
        else:
            layer.hide_viewport = True


def hide_mesh():
    """The second half of the attack without the shield."""
    action = bpy.data.actions["Attack"]
    curve = next(one for one in action.fcurves if one.data_path == '["seen: Geoset 2"]')
    curve.keyframe_points.insert(500, 0).interpolation = "CONSTANT"


def set_field():
    """An emitter's speed, in the sidebar."""
    rig = armature()
    in_mode(rig, "POSE")
    rig.data.bones.active = rig.data.bones["Sparks"]
    assert bpy.ops.thaw.set_field(path="emitters/0/speed", value="2.5") == {"FINISHED"}
    in_mode(rig, "OBJECT")


def second_model():
    """Another model in the scene is no part of this one."""
    mine = model()
    bpy.ops.import_scene.thaw(filepath=mine["thaw_file"].replace("knight", "chest"))
    bpy.context.view_layer.objects.active = next(one for one in mine.all_objects if one.type == "ARMATURE")


def add_bone_and_mesh():
    rig = armature()
    in_mode(rig, "EDIT")
    bone = rig.data.edit_bones.new("Bone_Banner")
    bone.head, bone.tail = (0, 0, 1), (0, 0, 1.2)
    bone.parent = rig.data.edit_bones["Chest"]
    in_mode(rig, "OBJECT")
    bpy.ops.mesh.primitive_cube_add(size=0.2, location=(0, 0, 1.1))
    cube = bpy.context.active_object
    cube.name = "Banner"
    for owner in list(cube.users_collection):
        owner.objects.unlink(cube)
    model().objects.link(cube)
    cube.data.materials.append(next(iter(bpy.data.materials)))
    cube.vertex_groups.new(name="Bone_Banner").add(range(len(cube.data.vertices)), 1, "REPLACE")
    cube.modifiers.new("Armature", "ARMATURE").object = rig
    cube.parent = rig


def edit(request):
    clear()
    bpy.ops.import_scene.thaw(filepath=request["in"])
    globals()[request["edit"]]()
    if bpy.context.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    reports = quietly(bpy.ops.export_scene.thaw, filepath=request["out"])
    tell(edit=request["edit"], reports=reports)


# --- what is seen


def corners_of(marker):
    """Of what an empty shows."""
    size = marker.empty_display_size
    return [marker.matrix_world @ mathutils.Vector((x * size, y * size, z * size)) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]


def place_markers(request):
    """How far markers are from what they stand for, at rest and in the middle of the attack."""
    clear()
    bpy.ops.import_scene.thaw(filepath=request["in"])
    rig, apart = armature(), {}
    markers = [one for one in model().all_objects if "thaw_marker" in one]
    for frame in (0, 500):
        rig.data.pose_position = "POSE" if frame else "REST"
        bpy.context.scene.frame_set(frame)
        for marker in markers:
            bone = rig.data.bones[marker.parent_bone]
            item = json.loads(bone["thaw"])[marker["thaw_marker"]][marker["thaw_number"]]
            corners = corners_of(marker)
            middle = sum(corners, mathutils.Vector()) / 8
            wanted = rig.matrix_world @ rig.pose.bones[bone.name].head
            off = (middle - wanted).length
            if marker["thaw_marker"] == "collisionShapes" and not frame:
                # Nodes of Warcraft III rest without a turn, so their axes are the model's.
                points = [wanted + mathutils.Vector((x, -z, y)) for x, y, z in item["vertices"]]
                lowest, highest = ([pick(one[i] for one in points) for i in range(3)] for pick in (min, max))
                radius = item.get("radius", 0) if item["kind"] == "sphere" else 0
                off = 0
                if item["kind"] != "cylinder":
                    off = max(max(abs(min(one[i] for one in corners) - lowest[i] + radius),
                                  abs(max(one[i] for one in corners) - highest[i] - radius)) for i in range(3))
            apart[marker.name, frame] = 0 if frame and marker["thaw_marker"] == "collisionShapes" else off
    tell(file=request["in"], markers=len(markers), apart=max(apart.values(), default=0), worst=str(max(apart, key=apart.get, default="")),
         collections=sorted(one["thaw_kind"] for one in model().children), kinds=sorted({one["thaw_marker"] for one in markers}))


def colors_of_render(path):
    """Shares of pixels that are more red, green or blue than anything else."""
    scene = bpy.context.scene
    scene.render.engine, scene.cycles.samples, scene.cycles.use_denoising = "CYCLES", 4, False
    scene.render.resolution_x = scene.render.resolution_y = 64
    scene.render.filepath = path
    scene.world = bpy.data.worlds.new("Grey")
    scene.world.color = (0.5, 0.5, 0.5)
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(camera)
    camera.data.type, camera.data.ortho_scale = "ORTHO", 1.4
    camera.location, camera.rotation_euler = (-4, 0, 0.5), (math.pi / 2, 0, -math.pi / 2)
    scene.camera = camera
    bpy.ops.render.render(write_still=True)
    bpy.data.objects.remove(camera)
    image = bpy.data.images.load(path)
    pixels = list(image.pixels)
    bpy.data.images.remove(image)
    shares = []
    for channel in range(3):
        others = [one for one in range(3) if one != channel]
        shares.append(sum(pixels[at + channel] > 0.1 and all(pixels[at + channel] > 1.5 * pixels[at + other] for other in others)
                          for at in range(0, len(pixels), 4)) / (len(pixels) // 4))
    return shares


def look(request):
    """The knight in red and blue; nothing of the importer's materials is seen."""
    clear()
    bpy.ops.import_scene.thaw(filepath=request["in"])
    materials = thaw.look.materials_of(model())
    active = [thaw.look.outputs(one)[1].is_active_output for one in materials]
    shares = {}
    for player in ("red", "blue"):
        bpy.ops.thaw.team_color(player=player)
        shares[player] = colors_of_render(request["out"])
    tell(materials=len(materials), active=sum(active), modes=[one.blend_method for one in materials], shares=shares)


# --- movements that are no keys of glTF


def euler(rig, action):
    bone = rig.pose.bones["Sword Arm"]
    bone.rotation_mode = "ZXY"
    for frame, angle in ((0, 0), (500, 2.5), (1000, 0)):
        bone.rotation_euler = (angle / 3, angle, 0.3)
        bone.keyframe_insert("rotation_euler", frame=frame)


def bezier(rig, action):
    bone = rig.pose.bones["Shield Arm"]
    for frame, place in ((0, 0), (300, 0.2), (1000, 0)):
        bone.location = (0, place, 0)
        bone.keyframe_insert("location", frame=frame)
    for curve in action.fcurves:
        if "Shield Arm" in curve.data_path and curve.data_path.endswith("location"):
            for point in curve.keyframe_points:
                point.interpolation = "BEZIER"


def constraint(rig, action):
    limit = rig.pose.bones["Head"].constraints.new("COPY_ROTATION")
    limit.target, limit.subtarget = rig, "Sword Arm"


def travel(rig, action):
    """The armature itself. The game's cameras do not come along (scene.lost)."""
    for frame, way in ((0, 0), (500, 1), (1000, 0.5)):
        rig.location = (way, 2 * way, way / 3)
        rig.keyframe_insert("location", frame=frame)


def places(rig):
    """Of all bones at some frames of the attack, in the world."""
    bpy.ops.thaw.show_clip(action="Attack")
    found = {}
    for frame in range(0, 1001, 125):
        bpy.context.scene.frame_set(frame)
        for bone in rig.pose.bones:
            found[bone.name, frame] = rig.matrix_world @ bone.matrix
    return found


def pose(request):
    """How far bones are from where they were, when the model comes back."""
    clear()
    bpy.ops.import_scene.thaw(filepath=request["in"])
    rig = armature()
    rig.animation_data.action = bpy.data.actions["Attack"]
    globals()[request["pose"]](rig, bpy.data.actions["Attack"])
    bpy.context.view_layer.objects.active = rig
    before = places(rig)
    bpy.ops.export_scene.thaw(filepath=request["out"])
    clear()
    bpy.ops.import_scene.thaw(filepath=request["out"])
    after = places(armature())
    before = {key: matrix for key, matrix in before.items() if not key[0].startswith("Portrait")}
    apart = max(abs(before[key][i][j] - after[key][i][j]) for key in before for i in range(3) for j in range(4))
    worst = max(before, key=lambda key: max(abs(before[key][i][j] - after[key][i][j]) for i in range(3) for j in range(4)))
    tell(pose=request["pose"], apart=apart, bones=len(before), worst=worst)


def tiles(request):
    """What the field of the file window offers, and the size of the tile that was taken."""
    clear()
    thaw.worlds._known.cache_clear()
    operator = types.SimpleNamespace(filepath=request["in"])
    entry = {"offered": thaw.worlds.search(operator, bpy.context, ""), "errors": []}
    for tile in ("", "1,1"):
        try:
            bpy.ops.import_scene.thaw(filepath=request["in"], tile=tile)
        except RuntimeError as error:
            entry["errors"].append(str(error).strip())
    bpy.ops.import_scene.thaw(filepath=request["in"], tile=request["tile"])
    ground = next(one for one in model().all_objects if one.type == "MESH" and one.name.startswith("terrain"))
    tell(**entry, size=[round(value) for value in ground.dimensions], objects=len(model().all_objects))


# --- cancelling


class FakeOperator:
    """Of an operator with a window what modal() uses."""

    def __init__(self):
        self.options, self.reports = types.SimpleNamespace(is_invoke=True), []

    def report(self, kinds, text):
        self.reports.append(f"{''.join(kinds)}: {text}")


class FakeManager:
    def __init__(self):
        self.timers, self.handlers, self.shares = 0, 0, []

    def event_timer_add(self, _interval, window):
        self.timers += 1
        return "timer"

    def event_timer_remove(self, _timer):
        self.timers -= 1

    def modal_handler_add(self, _operator):
        self.handlers += 1

    def progress_begin(self, _first, _last):
        self.shares = [0]

    def progress_update(self, share):
        self.shares.append(share)

    def progress_end(self):
        self.shares.append("end")


def is_alive(number):
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return True


def cancelling(request):
    """Long runs with a window: one that ends, one that is cancelled, one that fails. Times are those of a script in thaw's place."""
    operator_class = type("Operator", (FakeOperator, thaw.work.Work), {})
    for name, event in (("ends", "TIMER"), ("cancelled", "ESC"), ("fails", "TIMER")):
        operator, manager, texts, got = operator_class(), FakeManager(), [], []
        context = types.SimpleNamespace(window_manager=manager, window="window", workspace=types.SimpleNamespace(status_text_set=texts.append))
        folder = os.path.join(request["folder"], name)

        def work():
            os.mkdir(folder)
            try:
                got.append((yield (name, "first")))
                got.append((yield (name, "second")))
            finally:
                os.rmdir(folder)

        class Window:  # Blender's background has none
            background = False

        known, thaw.work.bpy = thaw.work.bpy, types.SimpleNamespace(app=Window)
        states = [operator.start(context, request["command"], work())]
        thaw.work.bpy = known
        number = operator._job.run._process.pid
        while "RUNNING_MODAL" in states[-1] and len(states) < 400:
            kind = "MOUSEMOVE" if len(states) == 2 else event if len(states) > 12 or event == "TIMER" else "TIMER"
            states.append(operator.modal(context, types.SimpleNamespace(type=kind)))
            time.sleep(0.02)
        tell(name=name, states=["".join(one) for one in states[-1:]], began="".join(states[0]), timers=manager.timers, handlers=manager.handlers,
             shares=manager.shares, texts=sorted({str(one) for one in texts}), last=str(texts[-1:]), reports=operator.reports, got=got,
             alive=is_alive(number), folder=os.path.exists(folder))


def missing(path, sound):
    clear()
    entry = {}
    preferences = bpy.context.preferences.addons["thaw"].preferences
    for name, file, command in (("error", path, preferences.command), ("no_command", sound, "/nothing/thaw"), ("nowhere", sound, "")):
        known, preferences.command = preferences.command, command
        try:
            bpy.ops.import_scene.thaw(filepath=file)
        except RuntimeError as error:
            entry[name] = str(error).strip()
        preferences.command = known
    # Without a path, the command that lies beside the extension.
    beside = os.path.join(os.path.dirname(sys.modules["thaw"].__file__), "thaw")
    os.symlink(preferences.command, beside)
    known, preferences.command = preferences.command, ""
    entry["beside"] = bpy.ops.import_scene.thaw(filepath=sound) == {"FINISHED"}
    preferences.command = known
    os.unlink(beside)
    tell(**entry)


def main():
    with open(sys.argv[sys.argv.index("--") + 1]) as file:
        request = json.load(file)
    if "install" in request:
        bpy.ops.preferences.addon_install(filepath=request["install"])
        bpy.ops.preferences.addon_enable(module="thaw")
        bpy.context.preferences.addons["thaw"].preferences.command = request["command"]
        bpy.ops.wm.save_userpref()
    for item in request.get("trips", []):
        trip(item)
    for item in request.get("edits", []):
        edit(item)
    for item in request.get("looks", []):
        look(item)
    for item in request.get("markers", []):
        place_markers(item)
    for item in request.get("poses", []):
        pose(item)
    for item in request.get("tiles", []):
        tiles(item)
    for item in request.get("cancelling", []):
        cancelling(item)
    if "missing" in request:
        missing(request["missing"], request["sound"])
    if "remove" in request:
        with contextlib.suppress(RuntimeError):  # it wants to redraw a window, when all is done
            bpy.ops.preferences.addon_remove(module="thaw")
        bpy.ops.wm.save_userpref()
        tell(left="thaw" in bpy.context.preferences.addons or hasattr(bpy.types, "IMPORT_SCENE_OT_thaw"))


main()
