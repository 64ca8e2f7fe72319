"""Models of Warcraft III, World of Warcraft and Forgelight in Blender, by the command thaw."""

bl_info = {
    "name": "thaw: models of Warcraft III, World of Warcraft and Forgelight",
    "description": "Imports and exports MDX, MDL, MRF, M3, WMO, MRN and NSA, imports DME and ADR",
    "author": "thaw contributors",
    "version": (0, 0, 0),
    "blender": (3, 4, 0),
    "location": "File > Import, File > Export, View 3D > Sidebar > thaw",
    "category": "Import-Export",
}

import json  # noqa: E402
import os  # noqa: E402
import re  # noqa: E402
import time  # noqa: E402

import bpy  # noqa: E402
from bpy.props import CollectionProperty, StringProperty  # noqa: E402
from bpy_extras.io_utils import ExportHelper, ImportHelper  # noqa: E402

from . import child, glb, load, save  # noqa: E402


class ThawPreferences(bpy.types.AddonPreferences):
    bl_idname = __package__

    command: StringProperty(name="Command", subtype="FILE_PATH", description="The program thaw; empty: the one beside the extension or on PATH")
    sources: StringProperty(name="Game", description="Folders and archives that have textures, separated as in PATH")

    def draw(self, _context):
        self.layout.prop(self, "command")
        self.layout.prop(self, "sources")
        try:
            self.layout.label(text=f"Uses {child.find(self.command)}")
        except child.Failure as failure:
            self.layout.label(text=str(failure), icon="ERROR")


def preferences(context):
    return context.preferences.addons[__package__].preferences


class Work:
    """Runs thaw for an operator: with the wait cursor, and what it printed in Blender's reports."""

    def run(self, *words):
        manager = bpy.context.window_manager
        run = child.Run(child.find(preferences(bpy.context).command), *words)
        manager.progress_begin(0, 100)
        began = time.monotonic()
        while not run.is_done():
            # Nobody knows how long it takes; the cursor shows that it goes on.
            manager.progress_update(min(99, int((time.monotonic() - began) * 10)))
            time.sleep(0.02)
        manager.progress_end()
        return run.lines()

    def tell(self, lines):
        for line in lines:
            found = re.match(r".*?: (info|warning) [\w.-]+: (.*)", line)
            if found:
                self.report({found[1].upper()}, found[2])

    def attempt(self, work):
        try:
            with child.folder() as folder:
                self.tell(work(folder))
        except child.Failure as failure:
            self.report({"ERROR"}, str(failure))
            return {"CANCELLED"}
        return {"FINISHED"}


class IMPORT_SCENE_OT_thaw(bpy.types.Operator, ImportHelper, Work):
    """Load a model of a game"""
    bl_idname = "import_scene.thaw"
    bl_label = "Import Model of a Game"
    bl_options = {"REGISTER", "UNDO"}

    filter_glob: StringProperty(default=";".join("*" + one for one in load.EXTENSIONS), options={"HIDDEN"})
    files: CollectionProperty(type=bpy.types.OperatorFileListElement, options={"HIDDEN", "SKIP_SAVE"})
    directory: StringProperty(subtype="DIR_PATH", options={"HIDDEN", "SKIP_SAVE"})
    skeleton: StringProperty(name="Skeleton", description="Of animations (NSA) and models of Forgelight: a network (MRN), or FILE.mrn:NAME")

    def execute(self, context):
        names = [os.path.join(self.directory, one.name) for one in self.files if one.name] or [self.filepath]

        def work(folder):
            lines = []
            for path in names:
                words = load.options_of(self, preferences(context))
                lines += load.load(context, path, folder, words, self.run)[1]
            return lines

        return self.attempt(work)


class EXPORT_SCENE_OT_thaw(bpy.types.Operator, ExportHelper, Work):
    """Write the model as a file of its game. What was not edited stays as it is in the file that it came from"""
    bl_idname = "export_scene.thaw"
    bl_label = "Export Model of a Game"
    bl_options = {"REGISTER"}

    filename_ext = ""
    filter_glob: StringProperty(default=";".join("*" + one for one in save.EXTENSIONS), options={"HIDDEN"})
    check_extension = None
    skeleton: StringProperty(name="Skeleton", description="Of animations (NSA, MRN): a network (MRN), or FILE.mrn:NAME; empty: that of the import")

    def invoke(self, context, event):
        model = load.model_of(context)
        if model is not None and not self.filepath:
            self.filepath = model["thaw_file"]
        return super().invoke(context, event)

    def execute(self, context):
        model = load.model_of(context)
        if model is None:
            self.report({"ERROR"}, "No model of a game is here: import one, or export glTF and convert it with thaw.")
            return {"CANCELLED"}
        if os.path.splitext(self.filepath)[1].lower() not in save.EXTENSIONS:
            self.report({"ERROR"}, f"{os.path.basename(self.filepath)}: the name has to end in one of {' '.join(save.EXTENSIONS)}")
            return {"CANCELLED"}
        words = ["--skeleton", self.skeleton] if self.skeleton else []
        return self.attempt(lambda folder: save.save(context, model, self.filepath, folder, words, self.run))


# --- the panel


class THAW_OT_show_clip(bpy.types.Operator):
    """Play this clip"""
    bl_idname = "thaw.show_clip"
    bl_label = "Show Clip"

    action: StringProperty()

    def execute(self, context):
        armature = load.armature_of(load.model_of(context))
        load.show(context, armature, bpy.data.actions[self.action])
        return {"FINISHED"}


class THAW_OT_set_field(bpy.types.Operator):
    """Change this field of the game"""
    bl_idname = "thaw.set_field"
    bl_label = "Set Field"
    bl_options = {"REGISTER", "UNDO"}

    path: StringProperty(options={"HIDDEN"})
    value: StringProperty(name="Value", description="As in JSON: a number, true, [1, 2, 3], \"text\"")

    def invoke(self, context, _event):
        self.value = json.dumps(field_at(glb.kept_property(kept_item(context)), self.path))
        return context.window_manager.invoke_props_dialog(self)

    def execute(self, context):
        item = kept_item(context)
        kept = glb.kept_property(item)
        try:
            value = json.loads(self.value)
        except ValueError:
            self.report({"ERROR"}, f"{self.value} is no JSON; texts stand in quotes")
            return {"CANCELLED"}
        *parents, last = self.path.split("/")
        place = field_at(kept, "/".join(parents)) if parents else kept
        place[int(last) if isinstance(place, list) else last] = value
        item["thaw"] = glb.text_of(kept)
        return {"FINISHED"}


def field_at(value, path):
    for name in path.split("/"):
        value = value[int(name) if isinstance(value, list) else name]
    return value


def kept_item(context):
    """What has fields of the game: the active bone, mesh or material's mesh."""
    active = context.active_object
    if active is None:
        return None
    if active.type == "ARMATURE":
        return context.active_bone and active.data.bones.get(context.active_bone.name)
    return active.data


def fields_of(value, path=""):
    """(path, value) of all single values and lists of numbers."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for name, item in pairs:
        where = f"{path}/{name}" if path else str(name)
        if isinstance(item, dict) or (isinstance(item, list) and any(isinstance(one, (dict, list)) for one in item)):
            yield from fields_of(item, where)
        else:
            yield where, item


class VIEW3D_PT_thaw(bpy.types.Panel):
    bl_idname = "VIEW3D_PT_thaw"
    bl_label = "Model of a Game"
    bl_category = "thaw"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"

    @classmethod
    def poll(cls, context):
        return load.model_of(context) is not None

    def draw(self, context):
        model = load.model_of(context)
        self.layout.label(text=os.path.basename(model["thaw_file"]), icon="FILE_3D")
        armature = load.armature_of(model)
        if armature is not None:
            self._draw_clips(armature)
        item = kept_item(context)
        if item is not None and "thaw" in item:
            self._draw_fields(item)

    def _draw_clips(self, armature):
        shown = armature.animation_data.action if armature.animation_data else None
        column = self.layout.column(align=True)
        for action in load.actions_of(armature):
            column.operator("thaw.show_clip", text=action.name, depress=action == shown).action = action.name
        if shown is None:
            return
        box = self.layout.box()
        box.prop(shown, "name", text="Clip")
        box.prop(shown, "frame_end", text="Frames")
        box.prop(shown, "use_cyclic", text="Looping")
        for name in ("moveSpeed", "rarity"):
            if name in shown:
                box.prop(shown, f'["{name}"]')

    def _draw_fields(self, item):
        box = self.layout.box()
        box.label(text=item.name)
        for path, value in fields_of(glb.kept_property(item)):
            row = box.split(factor=0.6)
            row.label(text=path)
            row.operator("thaw.set_field", text=str(value)[:40]).path = path


CLASSES = [ThawPreferences, IMPORT_SCENE_OT_thaw, EXPORT_SCENE_OT_thaw, THAW_OT_show_clip, THAW_OT_set_field, VIEW3D_PT_thaw]
if hasattr(bpy.types, "FileHandler"):  # 4.1 and later: files that are dragged into a window (not run here)
    class IO_FH_thaw(bpy.types.FileHandler):
        bl_idname = "IO_FH_thaw"
        bl_label = "Model of a game"
        bl_import_operator = IMPORT_SCENE_OT_thaw.bl_idname
        bl_file_extensions = ";".join(load.EXTENSIONS)

        @classmethod
        def poll_drop(cls, context):
            return context.area is not None and context.area.type == "VIEW_3D"

    CLASSES.append(IO_FH_thaw)


def add_import(menu, _context):
    menu.layout.operator(IMPORT_SCENE_OT_thaw.bl_idname, text="Warcraft III, World of Warcraft, Forgelight (.mdx/.m3/.wmo/…)")


def add_export(menu, _context):
    menu.layout.operator(EXPORT_SCENE_OT_thaw.bl_idname, text="Warcraft III, World of Warcraft, Forgelight (.mdx/.m3/.wmo/…)")


def register():
    for one in CLASSES:
        bpy.utils.register_class(one)
    bpy.types.TOPBAR_MT_file_import.append(add_import)
    bpy.types.TOPBAR_MT_file_export.append(add_export)


def unregister():
    bpy.types.TOPBAR_MT_file_export.remove(add_export)
    bpy.types.TOPBAR_MT_file_import.remove(add_import)
    for one in reversed(CLASSES):
        bpy.utils.unregister_class(one)
