"""Node groups of all materials: the game's blends, a surface of them, and the colour of a team."""

import bpy

GAMMA = 2.2
BLENDS = ("none", "transparent", "blend", "additive", "addAlpha", "modulate", "modulate2x")
_KEY = 0.75  # alpha from which the game draws transparent layers
_GLOW_RADIUS, _GLOW_STRENGTH = 31 / 64, 150 / 255  # of the light that stands in for the game's picture
# What a player chooses from, as in --team-color.
PLAYERS = {
    "red": "ff0303", "blue": "0042ff", "teal": "1ce6b9", "purple": "540081", "yellow": "fffc01", "orange": "fe8a0e",
    "green": "20c000", "pink": "e55bb0", "gray": "959697", "lightblue": "7ebff1", "darkgreen": "106246", "brown": "4e2a04",
    "maroon": "9b0000", "navy": "0000c3", "turquoise": "00eaff", "violet": "be00fe", "wheat": "ebcd87", "peach": "f8a48b",
    "mint": "bfff80", "lavender": "dcb9eb", "coal": "282828", "snow": "ebf0ff", "emerald": "00781e", "peanut": "a46f33",
}


def linear(digits):
    """A colour as nodes have it."""
    shares = (int(digits[at:at + 2], 16) / 255 for at in (0, 2, 4))
    return (*(share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares), 1)


class Tree:
    """Adds nodes to a node tree. Inputs are sockets or values."""

    def __init__(self, tree):
        self._tree = tree
        self.made = []

    def node(self, kind, *values, **settings):
        made = self._tree.nodes.new(kind)
        self.made.append(made)
        for name, value in settings.items():
            setattr(made, name, value)
        for socket, value in zip(made.inputs, values):
            self.set(socket, value)
        return made

    def set(self, socket, value):
        if isinstance(value, bpy.types.NodeSocket):
            self._tree.links.new(socket, value)
        elif value is not None:
            socket.default_value = value

    def math(self, operation, *values, clamp=False):
        return self.node("ShaderNodeMath", *values, operation=operation, use_clamp=clamp).outputs[0]

    def vector(self, operation, *values):
        made = self.node("ShaderNodeVectorMath", operation=operation)
        for socket, value in zip(made.inputs, values):
            self.set(socket, (value,) * 3 if isinstance(value, (int, float)) else value)
        return made.outputs["Value" if operation == "DOT_PRODUCT" else "Vector"]


def _add_socket(group, name, kind, is_input, default):
    kind = "NodeSocket" + kind
    if hasattr(group, "interface"):  # 4.0 and later (not run here)
        made = group.interface.new_socket(name, in_out="INPUT" if is_input else "OUTPUT", socket_type=kind)
    else:
        made = (group.inputs if is_input else group.outputs).new(kind, name)
    if default is not None:
        made.default_value = default


def _new_group(name, inputs, outputs):
    """The tree, the inputs inside of it, and where the outputs end."""
    group = bpy.data.node_groups.new(name, "ShaderNodeTree")
    for label, kind, default in inputs:
        _add_socket(group, label, kind, True, default)
    for label, kind in outputs:
        _add_socket(group, label, kind, False, None)
    tree = Tree(group)
    given = tree.node("NodeGroupInput").outputs
    end = tree.node("NodeGroupOutput").inputs
    return group, tree, given, end


def _arrange(group):
    for number, node in enumerate(group.nodes):
        node.location = 200 * number, 0


_STACK = [("Lit", "Vector", (0, 0, 0)), ("Unlit", "Vector", (0, 0, 0)), ("Through", "Vector", (1, 1, 1))]


def layer(blend):
    """One layer over others. Lit and Unlit are what is seen of them, Through is how much is seen of what lies behind all."""
    name = f"thaw {blend}"
    if name in bpy.data.node_groups:
        return bpy.data.node_groups[name]
    group, tree, given, end = _new_group(name, [
        *_STACK, ("Color", "Color", (1, 1, 1, 1)), ("Alpha", "Float", 1), ("Opacity", "Float", 1), ("Unshaded", "Float", 0),
        ("Gamma", "Float", GAMMA)], [entry[:2] for entry in _STACK])
    color = tree.node("ShaderNodeGamma", given["Color"], tree.math("DIVIDE", 1, given["Gamma"])).outputs[0]
    alpha = tree.math("MULTIPLY", given["Alpha"], given["Opacity"])
    if blend == "transparent":
        alpha = tree.math("GREATER_THAN", alpha, _KEY)
    rest = tree.math("SUBTRACT", 1, alpha)
    # What it leaves of the layers below, what it adds, and what it leaves of what lies behind.
    keep, share, through = {
        "none": (0, 1, 0), "transparent": (rest, alpha, rest), "blend": (rest, alpha, rest),
        "additive": (1, alpha, 1), "addAlpha": (1, alpha, 1), "modulate": (color, 0, given["Color"]),
        "modulate2x": (tree.vector("ADD", color, color), 0, tree.vector("MULTIPLY", given["Color"], 2 ** GAMMA)),
    }[blend]
    added = tree.vector("MULTIPLY", color, share)
    unlit = tree.vector("MULTIPLY", added, given["Unshaded"])
    tree.set(end["Lit"], tree.vector("MULTIPLY_ADD", given["Lit"], keep, tree.vector("SUBTRACT", added, unlit)))
    tree.set(end["Unlit"], tree.vector("MULTIPLY_ADD", given["Unlit"], keep, unlit))
    tree.set(end["Through"], tree.vector("MULTIPLY", given["Through"], through))
    _arrange(group)
    return group


def surface():
    """Layers as a shader."""
    name = "thaw surface"
    if name in bpy.data.node_groups:
        return bpy.data.node_groups[name]
    group, tree, given, end = _new_group(name, [
        *_STACK, ("Tint", "Color", (1, 1, 1, 1)), ("Two-sided", "Float", 0), ("Gamma", "Float", GAMMA)], [("Shader", "Shader")])
    behind = tree.node("ShaderNodeNewGeometry").outputs["Backfacing"]
    gone = tree.math("MULTIPLY", behind, tree.math("SUBTRACT", 1, given["Two-sided"]))
    left = tree.math("SUBTRACT", 1, gone)
    tint = tree.vector("MULTIPLY", given["Tint"], left)

    def shown(socket):
        return tree.vector("MULTIPLY", tree.node("ShaderNodeGamma", socket, given["Gamma"]).outputs[0], tint)

    shaders = [tree.node("ShaderNodeBsdfDiffuse", shown(given["Lit"])).outputs[0],
               tree.node("ShaderNodeEmission", shown(given["Unlit"])).outputs[0],
               tree.node("ShaderNodeBsdfTransparent", tree.vector("MULTIPLY_ADD", given["Through"], left, gone)).outputs[0]]
    both = tree.node("ShaderNodeAddShader", *shaders[:2]).outputs[0]
    tree.set(end["Shader"], tree.node("ShaderNodeAddShader", both, shaders[2]).outputs[0])
    _arrange(group)
    return group


def new_team(name):
    """The colour of a model's team, and its light; one for all of its materials."""
    group, tree, _, end = _new_group(f"Team colour of {name}", [], [("Color", "Color"), ("Glow", "Float")])
    color = tree.node("ShaderNodeRGB", name="Team colour", label="Team colour").outputs[0]
    color.default_value = linear(PLAYERS["red"])
    place = tree.vector("MULTIPLY_ADD", tree.node("ShaderNodeTexCoord").outputs["UV"], (1 / _GLOW_RADIUS, 1 / _GLOW_RADIUS, 0),
                        (-0.5 / _GLOW_RADIUS, -0.5 / _GLOW_RADIUS, 0))
    rest = tree.math("SUBTRACT", 1, tree.vector("DOT_PRODUCT", place, place), clamp=True)
    tree.set(end["Color"], color)
    tree.set(end["Glow"], tree.math("MULTIPLY", tree.math("MULTIPLY", rest, rest), _GLOW_STRENGTH))
    _arrange(group)
    return group


def team_color(group):
    """The socket that holds it."""
    return group.nodes["Team colour"].outputs[0]
