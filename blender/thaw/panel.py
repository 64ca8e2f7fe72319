"""The sidebar: clips, the colour of the team, and the game's fields of what is selected."""

import json
import os

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty

from . import glb, load, look, nodes


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
    value: StringProperty(name="Value", description="JSON value: a number, true, [1, 2, 3], \"text\"")

    def invoke(self, context, _event):
        self.value = json.dumps(field_at(glb.kept_property(kept_item(context)), self.path))
        return context.window_manager.invoke_props_dialog(self)

    def execute(self, context):
        item = kept_item(context)
        try:
            set_field(item, self.path, json.loads(self.value))
        except ValueError:
            self.report({"ERROR"}, f"{self.value} is not JSON. Write text in quotes.")
            return {"CANCELLED"}
        return {"FINISHED"}


class THAW_OT_set_layer(bpy.types.Operator):
    """Change this field of the material's layer"""
    bl_idname = "thaw.set_layer"
    bl_label = "Set Layer"
    bl_options = {"REGISTER", "UNDO"}

    layer: IntProperty(options={"HIDDEN"})
    blend: EnumProperty(name="Blend", items=[(name, name, "") for name in nodes.BLENDS])
    alpha: FloatProperty(name="Alpha", min=0, max=1)
    unshaded: BoolProperty(name="Unshaded")
    twoSided: BoolProperty(name="Two-sided")
    unfogged: BoolProperty(name="Unfogged")
    noDepthTest: BoolProperty(name="No depth test")
    noDepthWrite: BoolProperty(name="No depth write")

    def invoke(self, context, _event):
        layer = dict(look.layers_of(load.model_of(context), context.object.active_material))[self.layer]
        for name, usual in look.FIELDS.items():
            setattr(self, name, layer.get(name, usual))
        return context.window_manager.invoke_props_dialog(self)

    def execute(self, context):
        model, material = load.model_of(context), context.object.active_material
        number = glb.kept_property(material)["material"]
        known = look.scene_of(model)["materials"][number]["layers"][self.layer]
        for name, usual in look.FIELDS.items():
            if self.properties.is_property_set(name) and getattr(self, name) != known.get(name, usual):
                set_field(model, f"materials/{number}/layers/{self.layer}/{name}", getattr(self, name))
        for one in look.materials_of(model):
            if glb.kept_property(one).get("material") == number:
                look.rebuild(model, one)
        return {"FINISHED"}


class THAW_OT_team_color(bpy.types.Operator):
    """The colour of a player, for the model and its glow"""
    bl_idname = "thaw.team_color"
    bl_label = "Player"
    bl_options = {"REGISTER", "UNDO"}

    player: EnumProperty(name="Player", items=[(name, name.capitalize(), "") for name in nodes.PLAYERS])

    def execute(self, context):
        nodes.team_color(load.model_of(context)["thaw_team"]).default_value = nodes.linear(nodes.PLAYERS[self.player])
        return {"FINISHED"}


def set_field(item, path, value):
    """Of what is kept of an item."""
    kept = glb.kept_property(item)
    *parents, last = path.split("/")
    place = field_at(kept, "/".join(parents)) if parents else kept
    place[int(last) if isinstance(place, list) else last] = value
    item["thaw"] = glb.text_of(kept)


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
        if model.get("thaw_team"):
            row = self.layout.row(align=True)
            row.prop(nodes.team_color(model["thaw_team"]), "default_value", text="Team colour")
            row.operator_menu_enum("thaw.team_color", "player", text="", icon="DOWNARROW_HLT")
        armature = load.armature_of(model)
        if armature is not None:
            self._draw_clips(armature)
        item = kept_item(context)
        if item is not None and "thaw" in item:
            self._draw_fields(item)
        if context.object is not None and context.object.type == "MESH" and context.object.active_material is not None:
            self._draw_layers(model, context.object.active_material)

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

    def _draw_layers(self, model, material):
        images = {node["thaw_layer"]: node for node in look.mine(material) if node.type == "TEX_IMAGE"}
        for number, layer in look.layers_of(model, material):
            box = self.layout.box()
            row = box.row()
            row.label(text=f"{material.name}, layer {number}")
            row.operator("thaw.set_layer", text=layer["blend"]).layer = number
            if number in images:
                box.template_ID(images[number], "image", open="image.open")


CLASSES = [THAW_OT_show_clip, THAW_OT_set_field, THAW_OT_set_layer, THAW_OT_team_color, VIEW3D_PT_thaw]
