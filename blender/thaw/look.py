"""Materials as the game draws them: layers over one another, in the colour of the team.

The nodes that Blender's importer made stay: its exporter takes what leads to the active output, which save.py switches.
"""

import json
import os
import re

import bpy

from . import glb, nodes

FORMATS = ("mdx", "mdx-alpha")
TEAM_COLOR, TEAM_GLOW = 1, 2
# Of layers, and what they are where they are not stated.
FIELDS = {"blend": "none", "alpha": 1, "unshaded": False, "twoSided": False, "unfogged": False, "noDepthTest": False,
          "noDepthWrite": False}
MASK = -1  # stands for the layer whose image says where an HD layer has the team's colour
_COLUMN, _ROW = 260, 320
_SOLID = ("none", "transparent", "blend")
_GREY = (0.21, 0.21, 0.21, 1)  # where a picture was not found


def scene_of(model):
    return glb.kept_property(model)


def layers_of(model, material):
    """[(number, layer)] of the game that a material shows; none if it is not of the game, or not of the model."""
    kept, stated = scene_of(model), glb.kept_property(material)
    all_materials = kept.get("materials", [])
    number = stated.get("material", len(all_materials))
    if number >= len(all_materials) or not stated.get("layers"):
        return []
    layers = list(enumerate(all_materials[number]["layers"]))
    passes = {tuple(glb.kept_property(one)["layers"]) for one in materials_of(model)
              if glb.kept_property(one).get("material") == number and glb.kept_property(one).get("layers")}
    return layers if len(passes) == 1 else [pair for pair in layers if pair[0] in stated["layers"]]


def materials_of(model):
    found = {}
    for one in model.all_objects:
        for material in one.data.materials if one.type == "MESH" else ():
            if material is not None and "thaw" in material:
                found[material.name] = material
    return list(found.values())


# --- pictures


def _is_plain(layer):
    return layer["blend"] not in ("modulate", "modulate2x") and not layer.get("sphereMap") and not layer.get("physicallyBased")


def wanted_textures(kept):
    """Those that the file has no picture of, because it combines them with others."""
    found = set()
    for material in kept.get("materials", []):
        layers = material["layers"]
        if len(layers) > 1 or not all(map(_is_plain, layers)):
            found |= {layer[name] for layer in layers for name in ("texture", "orm") if name in layer}
    textures = kept.get("textures", [])
    return {number for number in found if number < len(textures) and textures[number].get("path") and not textures[number].get("placeholder")}


def _key(path):
    return path.replace("\\", "/").lower()


def fetch(kept, path, folder, command_words):
    """{number of a texture: file} of the pictures of a model, each by itself. Yields the words of runs."""
    wanted = wanted_textures(kept)
    if not wanted:
        return {}
    lines = yield ("deps", "--json", path, *command_words)
    needed = next((json.loads(line) for line in lines if line.startswith("{")), {}).get("dependencies", [])
    places = {_key(one["path"]): one["where"] for one in needed if one["kind"] == "texture" and one.get("where")}
    places = {number: places[_key(kept["textures"][number]["path"])] for number in wanted
              if _key(kept["textures"][number]["path"]) in places}
    if not places:
        return {}
    # One that cannot be read is not there; the model's own conversion names it.
    lines = yield ("convert", "-f", "--json", "--flat", "--to", "png", *sorted(set(places.values())), "-o", os.path.join(folder, "layers") + os.sep)
    made = {}
    for line in filter(lambda one: one.startswith("{"), lines):
        entry = json.loads(line)
        for output in entry.get("outputs", []):
            made[entry["input"]] = output["path"]
    return {number: made[place] for number, place in places.items() if place in made}


class Pictures:
    """Images of a model by the number of its texture."""

    def __init__(self, kept, files):
        self._textures = kept.get("textures", [])
        self.by_texture = {number: self._load(number, file) for number, file in files.items()}

    def _load(self, number, file):
        image = bpy.data.images.load(file)
        image.name = os.path.splitext(self._textures[number]["path"].replace("\\", "/").split("/")[-1])[0]
        image.alpha_mode = "CHANNEL_PACKED"
        image.pack()
        return image

    def texture(self, number):
        return self._textures[number] if number is not None and number < len(self._textures) else {}


# --- trees


def build(model, kept, files):
    """All materials of a model that was just imported."""
    if kept.get("file", {}).get("format") not in FORMATS:
        return
    pictures = Pictures(kept, files)
    model["thaw_team"] = nodes.new_team(model.name)
    for material in materials_of(model):
        if material.node_tree is not None:
            _build_material(model, material, pictures)


def _build_material(model, material, pictures):
    layers = layers_of(model, material)
    output = next((one for one in material.node_tree.nodes if one.type == "OUTPUT_MATERIAL" and one.is_active_output), None)
    if not layers or output is None:
        return
    images = {number: pictures.by_texture.get(layer.get("texture")) for number, layer in layers}
    images[MASK] = pictures.by_texture.get(layers[0][1].get("orm"))
    missing = [number for number, layer in layers
               if images[number] is None and pictures.texture(layer.get("texture")).get("path")
               and not pictures.texture(layer.get("texture")).get("placeholder")]
    shown = imported_image(material, output)
    if len(layers) == 1 and _is_plain(layers[0][1]) and shown is not None:
        images[layers[0][0]] = shown.image
    elif missing:
        return  # what the importer made shows more
    Look(model, material, pictures.texture).build(layers, images)


def imported_image(material, output):
    """The image node of the colour that the importer made."""
    waiting, seen = [output], set()
    while waiting:
        node = waiting.pop()
        if node in seen:
            continue
        seen.add(node)
        if node.type == "TEX_IMAGE":
            return node
        preferred = [one for one in node.inputs if one.name == "Base Color" and one.is_linked] or list(node.inputs)
        waiting += [link.from_node for one in preferred for link in one.links]
    return None


def mine(material):
    """The nodes of the look."""
    return [one for one in material.node_tree.nodes if "thaw_look" in one] if material.node_tree else []


def outputs(material):
    """(the exporter's output, the look's), or None."""
    look = next((one for one in mine(material) if one.type == "OUTPUT_MATERIAL"), None)
    made = next((one for one in material.node_tree.nodes if one.type == "OUTPUT_MATERIAL" and one != look), None) if look else None
    return (made, look) if made else None


def activate(material, output):
    for one in material.node_tree.nodes:
        if one.type == "OUTPUT_MATERIAL":
            one.is_active_output = one == output


def rebuild(model, material):
    """After fields of layers were changed."""
    images = {one["thaw_layer"]: one.image for one in mine(material) if one.type == "TEX_IMAGE"}
    if not mine(material):
        return
    pictures = Pictures(scene_of(model), {})
    activate(material, outputs(material)[0])
    for one in mine(material):
        material.node_tree.nodes.remove(one)
    layers = layers_of(model, material)
    Look(model, material, pictures.texture).build(layers, images)


class Look:
    """The tree of one material."""

    def __init__(self, model, material, texture):
        self._material, self._texture = material, texture
        self._tree = nodes.Tree(material.node_tree)
        self._team = model["thaw_team"]
        self._meshes = [one.data for one in model.all_objects if one.type == "MESH" and material.name in one.data.materials]
        self._written = next(one for one in material.node_tree.nodes if one.type == "OUTPUT_MATERIAL")
        self._imported = imported_image(material, self._written)
        surface = glb.kept_property(material).get("surface", {})
        self._factor = surface.get("baseColorFactor", [1, 1, 1, 1])
        self._blended = surface.get("alphaMode") == "BLEND"

    def build(self, layers, images):
        if layers[0][1].get("physicallyBased"):
            shader = self._physical(layers[0], images)
        else:
            shader = self._stack(layers, images)
        if shader is None:
            return
        output = self._tree.node("ShaderNodeOutputMaterial", shader, label="as the game")
        for number, node in enumerate(self._tree.made):
            node["thaw_look"] = True
            if node.type != "TEX_IMAGE":
                node.location = _COLUMN * (number - 2), -2 * _ROW
        activate(self._material, output)

    def _stack(self, layers, images):
        # Light adds up as bright as in the game, unless it shines through.
        gamma = 1 if layers[0][1]["blend"] == "blend" else nodes.GAMMA
        below, drawn = (None, None, None), []
        for number, layer in layers:
            source = self._source(number, layer, images.get(number))
            if source is None:
                continue
            group = self._tree.node("ShaderNodeGroup", node_tree=nodes.layer(layer["blend"]), label=f"Layer {number}: {layer['blend']}")
            opacity = layer.get("alpha", 1)
            if self._blended and opacity:
                opacity *= self._factor[3] / (layers[0][1].get("alpha", 1) or 1)
            # A grey box in the place of light would be seen; a grey thing without light would show no form.
            missing = self._texture(layer.get("texture")).get("placeholder", False)
            if missing and layer["blend"] not in _SOLID:
                opacity = 0
            unshaded = float(layer.get("unshaded", False) and not missing)
            for socket, value in zip(group.inputs, (*below, *source, opacity, unshaded, gamma)):
                self._tree.set(socket, value)
            below = tuple(group.outputs)
            drawn.append(layer)
        if not drawn:
            return None
        self._set_blend(drawn)
        surface = self._tree.node("ShaderNodeGroup", node_tree=nodes.surface())
        two_sided = float(any(layer.get("twoSided") for layer in drawn))
        for socket, value in zip(surface.inputs, (*below, (*self._factor[:3], 1), two_sided, gamma)):
            self._tree.set(socket, value)
        return surface.outputs[0]

    def _set_blend(self, drawn):
        """Of Eevee. The exporter gets to see that of the importer, which its output keeps."""
        mode = {"none": "OPAQUE", "transparent": "CLIP"}.get(drawn[0]["blend"], "BLEND")
        self._written["thaw_blend"] = self._written.get("thaw_blend", self._material.blend_method)
        self._material.blend_method = mode
        for name, value in (("shadow_method", "NONE"), ("show_transparent_back", True)):
            if mode == "BLEND" and hasattr(self._material, name):  # gone in 4.2 (not run here)
                setattr(self._material, name, value)

    def _source(self, number, layer, image):
        """Colour and alpha of a layer."""
        texture = self._texture(layer.get("texture"))
        replaced = texture.get("replaceableId") if not texture.get("path") else None
        if image is None and replaced in (TEAM_COLOR, TEAM_GLOW):
            team = self._tree.node("ShaderNodeGroup", node_tree=self._team, label=f"Layer {number}").outputs
            return team["Color"], team["Glow"] if replaced == TEAM_GLOW else 1
        if image is None:
            return (_GREY, 1) if layer["blend"] in _SOLID else None
        made = self.image(number, layer, image, texture)
        return made.outputs["Color"], made.outputs["Alpha"]

    def image(self, number, layer, image, texture):
        made = self._tree.node("ShaderNodeTexImage", image=image, label=f"Layer {number}")
        made.location = -_COLUMN * 3, -_ROW * (number + 4)
        made["thaw_layer"], made["thaw_image"] = number, image.name
        made.extension = "REPEAT" if texture.get("wrapU") or texture.get("wrapV") else "EXTEND"
        uvs = self._imported.inputs["Vector"] if self._imported else None
        first = number == glb.kept_property(self._material)["layers"][0]
        if layer.get("sphereMap"):
            self._tree.set(made.inputs["Vector"], self._mirror())
        elif first and uvs is not None and uvs.is_linked:
            self._tree.set(made.inputs["Vector"], uvs.links[0].from_socket)
            made.extension = self._imported.extension
        elif layer.get("uvSet", 0) > 0:
            names = [mesh.uv_layers[layer["uvSet"]].name for mesh in self._meshes if len(mesh.uv_layers) > layer["uvSet"]]
            if names:
                self._tree.set(made.inputs["Vector"], self._tree.node("ShaderNodeUVMap", uv_map=names[0]).outputs[0])
        return made

    def _mirror(self):
        """Where a surface shows its surroundings, by its direction to the camera."""
        normal = self._tree.node("ShaderNodeNewGeometry").outputs["Normal"]
        seen = self._tree.node("ShaderNodeVectorTransform", normal, vector_type="NORMAL", convert_from="WORLD", convert_to="CAMERA").outputs[0]
        return self._tree.vector("MULTIPLY_ADD", seen, 0.5, 0.5)

    def _physical(self, entry, images):
        """HD: what the importer made, its colour mixed with the team's where the map says."""
        number, layer = entry
        made = next((one for one in self._material.node_tree.nodes if one.type == "BSDF_PRINCIPLED"), None)
        orm = images.get(MASK)
        if made is None or orm is None or self._texture(layer.get("teamColor")).get("replaceableId") != TEAM_COLOR:
            return None
        color = self.image(number, layer, images[number], self._texture(layer["texture"])).outputs["Color"]
        mask = self.image(MASK, layer, orm, self._texture(layer["orm"])).outputs["Alpha"]
        team = self._tree.node("ShaderNodeGroup", node_tree=self._team).outputs["Color"]
        share = self._tree.vector("MULTIPLY_ADD", self._tree.vector("SUBTRACT", team, 1), mask, 1)
        shader = self._tree.node("ShaderNodeBsdfPrincipled")
        for socket, source in zip(shader.inputs, made.inputs):
            if socket.enabled:
                self._tree.set(socket, source.links[0].from_socket if source.is_linked else
                               source.default_value if hasattr(source, "default_value") else None)
        self._tree.set(shader.inputs["Base Color"], self._tree.vector("MULTIPLY", color, share))
        return shader.outputs[0]


# --- edits


def edited_scene(model):
    """What is kept of the file, with the images that layers show now, and a line for each that was changed."""
    kept, lines = scene_of(model), []
    for material in materials_of(model):
        number = glb.kept_property(material).get("material")
        for node in mine(material):
            if node.type != "TEX_IMAGE" or node.image is None or node.image.name == node["thaw_image"]:
                continue
            at = node["thaw_layer"]
            layer = kept["materials"][number]["layers"][max(at, 0)]
            field = "orm" if at == MASK else "texture"
            path = path_of(node.image)
            layer[field] = _texture_number(kept["textures"], path, layer.get(field))
            lines.append(f"texture of layer {max(at, 0)} of '{material.name}' is {path}")
    return kept, lines


def path_of(image):
    """In the game: the image's name."""
    name = re.sub(r"\.\d{3}$", "", image.name)
    return name if os.path.splitext(name)[1].lower() in (".blp", ".tga", ".dds", ".tif") else os.path.splitext(name)[0] + ".blp"


def _texture_number(textures, path, old):
    for number, texture in enumerate(textures):
        if texture.get("path", "").lower() == path.lower():
            return number
    wraps = {name: textures[old][name] for name in ("wrapU", "wrapV") if name in textures[old]}
    textures.append({"path": path, **wraps})
    return len(textures) - 1
