"""What the formats are, and where data decides: which functions over bytes stand behind a decision, and what a pattern
does in their place. No layout stands here."""

from cpp import Type
from hexpat import pattern
from ir import Field, n
from translate import Place, Root, Translator

SIZE = ("call", "std::mem::size", ())


class Recipe:
    def __init__(self, name, title, source, space, about="", root="Document", files=(), decisions=None, tables=None,
                 functions=None, pragmas=(), presets=None, starts=None, build=None):
        self.name, self.title, self.source, self.space = name, title, source, space
        self.about, self.root, self.files = about, root, files
        self.decisions, self.tables = decisions or {}, tables or {}
        self.functions = functions or {}
        self.pragmas = pragmas
        self.presets, self.starts = presets or {}, starts or {}
        self.build = build

    def start_of(self, translator, name, member):
        if name in self.starts:
            return self.starts[name]
        init = member.init
        while init and init[0] == "init" and init[2]:
            init = init[2][0]
        if init is None or init[0] == "init":
            return 0
        struct = translator.lookup(translator.sources.structs, "Context", translator.space)
        return translator.value(translator.eval_constant((member.type, init), struct.space, struct))[1]

    def translate(self, sources):
        translator = Translator(sources, self.space, self.decisions, self.tables)
        if self.build:
            return translator, self.build(self, translator)
        what = translator.resolve(Type(self.root), self.space)
        translator.preset = lambda kind, root: {(root, path): value for path, value in
                                                self.presets.get(kind[1].name, {}).items()}
        return translator, root_field(translator, what)


def root_field(translator, what):
    scope, _, _ = translator.described(what, (SIZE, n(0), SIZE))
    return Field(scope.name, "file", None, n(0), (), scope=scope)


def path_size(translator, args, env):
    """MRF: the path ends with its NUL. That of a texture path is at `textureOffset`."""
    document = translator.eval(args[0], env)
    header = document.sub("header", translator.member_type(document.type, "header"))
    at = translator.load(header.sub("texture_offset", None))
    return ("call", "text_size", (at, SIZE))


TEXT_SIZE = """
// Bytes of a text with its NUL, or up to the end.
fn text_size(u64 at, u64 end) {
    u64 to = at;
    while (to < end) {
        to = to + 1;
        if (std::mem::read_unsigned(to - 1, 1) == 0)
            break;
    }
    return to - at;
};
"""

RECIPES = [
    Recipe("mrf", "Morph models of Warcraft III (MRF)", "src/formats/mrf/document.cpp", "mrf",
           files=["include/thaw/mrf.hpp", "src/formats/mrf/document.cpp"],
           decisions={"path_length": path_size}, functions={"text_size": TEXT_SIZE},
           pragmas=["#pragma magic [4D 6F 72 66] @ 0x00"]),
    Recipe("lit", "Light of a map of World of Warcraft's alpha (lights.lit)", "src/formats/lit/document.cpp", "lit",
           files=["include/thaw/lit.hpp", "src/formats/lit/document.cpp"]),
]
