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

import os  # noqa: E402

import bpy  # noqa: E402
from bpy.props import CollectionProperty, StringProperty  # noqa: E402
from bpy_extras.io_utils import ExportHelper, ImportHelper  # noqa: E402

from . import child, load, panel, save, worlds  # noqa: E402
from .work import Work  # noqa: E402


class ThawPreferences(bpy.types.AddonPreferences):
    bl_idname = __package__

    command: StringProperty(name="Command", subtype="FILE_PATH", description="Path of the program thaw. If empty, the one next to the extension or on PATH is used")
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


class IMPORT_SCENE_OT_thaw(bpy.types.Operator, ImportHelper, Work):
    """Load a model of a game"""
    bl_idname = "import_scene.thaw"
    bl_label = "Import Model of a Game"
    bl_options = {"REGISTER", "UNDO"}

    filter_glob: StringProperty(default=";".join("*" + one for one in load.EXTENSIONS), options={"HIDDEN"})
    files: CollectionProperty(type=bpy.types.OperatorFileListElement, options={"HIDDEN", "SKIP_SAVE"})
    directory: StringProperty(subtype="DIR_PATH", options={"HIDDEN", "SKIP_SAVE"})
    skeleton: StringProperty(name="Skeleton", description="Skeleton of animations (NSA) and Forgelight models: an animation network (MRN), or FILE.mrn:NAME")
    tile: StringProperty(name="Tile", description="Tile of a map (WDT): column and row, such as 31,48", search=worlds.search)

    def execute(self, context):
        names = [os.path.join(self.directory, one.name) for one in self.files if one.name] or [self.filepath]
        return self.start(context, preferences(context).command, self._work(context, names))

    def _work(self, context, names):
        words = load.options_of(self, preferences(context))
        with child.folder() as folder:
            for path in names:
                if path.lower().endswith(load.PICTURES):
                    lines = yield from load.load_picture(path, folder)
                else:
                    further = (yield from worlds.tile_words(path, self.tile)) if path.lower().endswith(worlds.EXTENSION) else []
                    _, lines = yield from load.load(context, path, folder, words + further)
                self.tell(lines)


class EXPORT_SCENE_OT_thaw(bpy.types.Operator, ExportHelper, Work):
    """Write the model as a file of its game. Unedited parts keep the bytes of the imported file"""
    bl_idname = "export_scene.thaw"
    bl_label = "Export Model of a Game"
    bl_options = {"REGISTER"}

    filename_ext = ""
    filter_glob: StringProperty(default=";".join("*" + one for one in save.EXTENSIONS), options={"HIDDEN"})
    check_extension = None
    skeleton: StringProperty(name="Skeleton", description="Skeleton of animations (NSA, MRN): an animation network (MRN), or FILE.mrn:NAME. If empty, that of the import")

    def invoke(self, context, event):
        model = load.model_of(context)
        if model is not None and not self.filepath:
            self.filepath = model["thaw_file"]
        return super().invoke(context, event)

    def execute(self, context):
        model = load.model_of(context)
        if model is None:
            self.report({"ERROR"}, "The scene has no imported game model. Import one, or export glTF and convert it with thaw.")
            return {"CANCELLED"}
        if os.path.splitext(self.filepath)[1].lower() not in save.EXTENSIONS:
            self.report({"ERROR"}, f"{os.path.basename(self.filepath)}: the name must end in one of {' '.join(save.EXTENSIONS)}")
            return {"CANCELLED"}
        return self.start(context, preferences(context).command, self._work(context, model))

    def _work(self, context, model):
        words = ["--skeleton", self.skeleton] if self.skeleton else []
        with child.folder() as folder:
            self.tell((yield from save.save(context, model, self.filepath, folder, words)))


CLASSES = [ThawPreferences, IMPORT_SCENE_OT_thaw, EXPORT_SCENE_OT_thaw, *panel.CLASSES]
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
