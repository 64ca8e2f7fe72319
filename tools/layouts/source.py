"""Reads C++ through libclang. Descriptions are templates: a probe that calls them with a Reader is compiled with each
format, so that what is followed is what the compiler made of them: all types, overloads and constants are known.

Types are tuples: ("scalar", name in a pattern, size), ("enum", Enum), ("array", of, count), ("text", size), ("fourcc",),
("dyn", of), ("optional", of), ("boxed", of), ("struct", Struct), or ("opaque", name) for all others."""

import ast
import ctypes
import shutil
import subprocess
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from clang import cindex
from clang.cindex import CursorKind as Kind
from clang.cindex import TypeKind

SCALARS = {TypeKind.BOOL: ("bool", 1), TypeKind.CHAR_S: ("char", 1), TypeKind.SCHAR: ("s8", 1),
           TypeKind.UCHAR: ("u8", 1), TypeKind.SHORT: ("s16", 2), TypeKind.USHORT: ("u16", 2),
           TypeKind.INT: ("s32", 4), TypeKind.UINT: ("u32", 4),
           TypeKind.LONG: ("s64", 8), TypeKind.ULONG: ("u64", 8), TypeKind.FLOAT: ("float", 4),
           TypeKind.DOUBLE: ("double", 8)}
WRAPPERS = {"vector": "dyn", "optional": "optional", "Boxed": "boxed"}
REFERENCES = {TypeKind.LVALUEREFERENCE, TypeKind.RVALUEREFERENCE}
FUNCTIONS = {Kind.FUNCTION_DECL, Kind.CXX_METHOD}
NAMED = {Kind.STRUCT_DECL, Kind.CLASS_DECL, Kind.ENUM_DECL, Kind.TYPE_ALIAS_DECL, Kind.VAR_DECL, Kind.FUNCTION_DECL}

COMPILER = "clang++-19"  # of one version with libclang
COMMON = '#include "describe/reader.hpp"\n#include <variant>\n'
INDEXES = []  # one for each thread's parse; they must outlive what was parsed

PROBE = """\
{includes}
#include "describe/reader.hpp"
#include <variant>
namespace thaw::{space} {{
using ProbeReader = Reader<Context>;
template <class T>
void probe_one(ProbeReader& v, T& x) {{
  {body}
}}
template <class... T>
void probe_each(ProbeReader& v, std::variant<T...>& x) {{
  (probe_one(v, std::get<T>(x)), ...);
}}
template <class T>
  requires(!requires(T& x) {{ []<class... Each>(std::variant<Each...>&) {{}}(x); }})
void probe_each(ProbeReader& v, T& x) {{
  probe_one(v, x);
}}
inline void probe(ProbeReader& v{params}) {{
  {calls}
}}
}}
"""


def flags_for(root):
    return ["-std=c++20", f"-I{root}/src", f"-I{root}/include"]


def precompiled(root, folder):
    """What all formats include, compiled once: the flags to take it by; none without the compiler."""
    if shutil.which(COMPILER) is None:
        return []
    header = Path(folder) / "common.hpp"
    header.write_text(COMMON)
    made = subprocess.run([COMPILER, "-x", "c++-header", *flags_for(root), header, "-o", f"{header}.pch"],
                          capture_output=True, check=False)
    return ["-include-pch", f"{header}.pch"] if made.returncode == 0 else []


class Unknown(Exception):
    """Something that is not followed."""

    placed = False  # does it tell where?


def name_of(kind):
    return kind.name.lower().removesuffix("_stmt").replace("_", " ")


def place_of(cursor):
    return f"{cursor.location.file}:{cursor.location.line}"


# --- what the binding leaves out

LIBRARY = cindex.conf.lib
for name, result, *arguments in (
        ("clang_Cursor_Evaluate", ctypes.c_void_p, cindex.Cursor),
        ("clang_EvalResult_getKind", ctypes.c_int, ctypes.c_void_p),
        ("clang_EvalResult_isUnsignedInt", ctypes.c_uint, ctypes.c_void_p),
        ("clang_EvalResult_getAsUnsigned", ctypes.c_ulonglong, ctypes.c_void_p),
        ("clang_EvalResult_getAsLongLong", ctypes.c_longlong, ctypes.c_void_p),
        ("clang_EvalResult_getAsDouble", ctypes.c_double, ctypes.c_void_p),
        ("clang_EvalResult_dispose", None, ctypes.c_void_p),
        ("clang_getCursorUnaryOperatorKind", ctypes.c_int, cindex.Cursor)):
    getattr(LIBRARY, name).restype, getattr(LIBRARY, name).argtypes = result, arguments


def number(cursor):
    """The value of a constant expression, or None."""
    found = LIBRARY.clang_Cursor_Evaluate(cursor)
    if not found:
        return None
    kind, value = LIBRARY.clang_EvalResult_getKind(found), None
    if kind == 1:
        unsigned = LIBRARY.clang_EvalResult_isUnsignedInt(found)
        value = (LIBRARY.clang_EvalResult_getAsUnsigned if unsigned else LIBRARY.clang_EvalResult_getAsLongLong)(found)
    elif kind == 2:
        value = LIBRARY.clang_EvalResult_getAsDouble(found)
    LIBRARY.clang_EvalResult_dispose(found)
    return value


def unary_operator(cursor):
    return ["", "++", "--", "++", "--", "&", "*", "+", "-", "~", "!"][LIBRARY.clang_getCursorUnaryOperatorKind(cursor)]


# --- cursors


def parts(cursor):
    """Statements and expressions in a cursor: without the names in it."""
    return [c for c in cursor.get_children() if not c.kind.is_reference() and not c.kind.is_attribute()]


def bare(cursor):
    """Without what the compiler puts around an expression."""
    while cursor.kind in (Kind.UNEXPOSED_EXPR, Kind.PAREN_EXPR) and len(parts(cursor)) == 1:
        cursor = parts(cursor)[0]
    return cursor


def initial(cursor):
    """What a variable or a member starts with, or None."""
    found = [c for c in parts(cursor) if c.kind.is_expression()]
    return found[-1] if found else None


def text_in(cursor):
    """The first text in an expression: of a tag, mostly."""
    return next(literal(c) for c in cursor.walk_preorder() if c.kind == Kind.STRING_LITERAL)


def literal(cursor):
    return ast.literal_eval("b" + cursor.spelling).decode("utf-8", "replace")


def find(cursor, kind):
    return next(c for c in cursor.walk_preorder() if c.kind == kind)


def rows(cursor):
    """The lists in a list: of a table."""
    while len(parts(cursor)) == 1:
        cursor = parts(cursor)[0]
    found = [bare(row) for row in parts(cursor)]
    return [parts(row)[-1] if row.kind == Kind.CXX_FUNCTIONAL_CAST_EXPR else row for row in found]


def cases(cursor):
    """(labels, statements) of each branch of a switch; the default has no labels."""
    found = []
    for part in parts(parts(cursor)[-1]):
        if part.kind in (Kind.CASE_STMT, Kind.DEFAULT_STMT):
            labels = []
            while part.kind in (Kind.CASE_STMT, Kind.DEFAULT_STMT):
                labels.append(part)
                part = parts(part)[-1]
            default = any(label.kind == Kind.DEFAULT_STMT for label in labels)
            found.append(([] if default else [parts(label)[0] for label in labels], []))
        found[-1][1].append(part)
    return [(labels, [s for s in body if s.kind != Kind.BREAK_STMT]) for labels, body in found]


def documentation(cursor):
    """The comment of a declaration: that beside it, or the block above."""
    lines = [line.strip() for line in (cursor.raw_comment or "").split("\n")]
    if lines[-1].startswith("///<"):
        lines = [line for line in lines if line.startswith("///<")]
    return " ".join(line.removeprefix("///").removeprefix("<").strip() for line in lines if line.startswith("///"))


# --- declarations


def qualified(cursor):
    """(namespace in thaw, name in it) of a type, without unnamed namespaces."""
    names, outer = [cursor.spelling], cursor.semantic_parent
    while outer.kind in (Kind.STRUCT_DECL, Kind.CLASS_DECL, Kind.CLASS_TEMPLATE):
        names.insert(0, outer.spelling)
        outer = outer.semantic_parent
    spaces = []
    while outer is not None:
        if outer.kind == Kind.NAMESPACE and "(" not in outer.spelling:
            spaces.insert(0, outer.spelling)
        outer = outer.semantic_parent
    return "::".join(filter(None, spaces)), "::".join(names)


@dataclass
class Member:
    name: str
    type: tuple
    doc: str
    init: object


class Struct:
    def __init__(self, source, kind):
        self.source, self.type, self.decl = source, kind, kind.get_declaration()
        space, self.name = qualified(self.decl)
        self.space = space.removeprefix("thaw").removeprefix("::")
        self.spelling = spelled(kind)
        self.doc = documentation(self.decl)

    @cached_property
    def members(self):
        found = []
        for base in self.decl.get_children():
            if base.kind == Kind.CXX_BASE_SPECIFIER:
                what = self.source.type(base.type)
                found += what[1].members if what[0] == "struct" else []
        return found + [Member(f.spelling, self.source.type(f.type), documentation(f), initial(f))
                        for f in self.type.get_fields()]

    def member(self, name):
        return next((m for m in self.members if m.name == name), None)

    def constant(self, name):
        for c in self.decl.get_children():
            if c.kind == Kind.VAR_DECL and c.spelling == name and number(initial(c)) is not None:
                return number(initial(c))
        raise Unknown(f"{self.source.path(place_of(self.decl))}: {self.name} has no constant {name}")

    @cached_property
    def item(self):
        """What a List holds."""
        return self.source.type(self.type.get_template_argument_type(0)) if self.name == "List" else None


class Enum:
    def __init__(self, source, decl):
        self.space, self.name = qualified(decl)
        self.space = self.space.removeprefix("thaw").removeprefix("::")
        self.base, self.size = source.type(decl.enum_type)[1:]
        self.values = [(c.spelling, c.enum_value) for c in decl.get_children() if c.kind == Kind.ENUM_CONSTANT_DECL]
        self.doc = documentation(decl)


def spelled(kind):
    return kind.get_canonical().spelling.removeprefix("const ")


class Source:
    """A format's declarations, and those of its functions that its description calls."""

    def __init__(self, root, recipe, common=()):
        self.root, self.space = str(root), recipe.space
        self.types, self.functions, self.seen = {}, {}, set()
        calls = [f"{recipe.root_function}(v, x0);"] + [f"probe_each(v, x{i + 1});" for i in range(len(recipe.bodies))]
        params = "".join(f", {what}& x{i}" for i, what in enumerate([recipe.root, *recipe.bodies]))
        calls = calls[1:] if recipe.build else calls
        body = "\n  ".join(f"if constexpr (requires {{ {one}; }}) {{ {one}; }}" for one in recipe.body)
        text = PROBE.format(includes="\n".join(f'#include "{path.removeprefix("src/")}"' for path in recipe.files),
                            space=recipe.space, body=body, params=params, calls="\n  ".join(calls))
        name = f"{root}/src/probe.cpp"
        INDEXES.append(cindex.Index.create())
        self.unit = INDEXES[-1].parse(name, [*flags_for(root), *common], [(name, text)])
        for found in self.unit.diagnostics:
            if found.severity >= cindex.Diagnostic.Error:
                at = found.location
                raise Unknown(f"{self.path(at.file.name if at.file else name)}:{at.line}: {found.spelling}")
        self.named = {}
        self.declare(self.unit.cursor, "")
        self.collect(self.find("probe", Kind.FUNCTION_DECL))

    def path(self, name):
        return name.removeprefix(self.root + "/")

    def declare(self, cursor, space):
        for c in cursor.get_children():
            if c.kind == Kind.NAMESPACE and (space or c.spelling == "thaw"):
                inner = "" if "(" in c.spelling else c.spelling
                self.declare(c, "::".join(filter(None, (space, inner))))
            elif c.kind in NAMED and space and (c.is_definition() or c.kind == Kind.TYPE_ALIAS_DECL):
                self.named.setdefault(f"{space}::{c.spelling}", []).append(c)

    def find(self, name, *kinds):
        """The declaration of a name as the description sees it."""
        for space in (f"thaw::{self.space}::", "thaw::"):
            for found in self.named.get(space + name, []):
                if not kinds or found.kind in kinds:
                    return found
        raise Unknown(f"src/probe.cpp: nothing in thaw::{self.space} is called {name}")

    def named_type(self, name):
        return self.type(self.find(name, Kind.STRUCT_DECL, Kind.CLASS_DECL, Kind.TYPE_ALIAS_DECL).type)

    def collect(self, function):
        """Descriptions of structures that a function calls, by name and type."""
        if function.hash in self.seen:
            return
        self.seen.add(function.hash)
        for call in function.walk_preorder():
            called = call.referenced if call.kind == Kind.CALL_EXPR else None
            if called is None or called.kind not in FUNCTIONS:
                continue
            called = called.get_definition() or called
            if called.location.file is None or not called.location.file.name.startswith(self.root):
                continue
            arguments = list(called.get_arguments())
            if called.kind == Kind.FUNCTION_DECL and len(arguments) > 1:
                self.functions.setdefault((called.spelling, spelled(arguments[1].type.get_pointee())), called)
            self.collect(called)

    def type(self, kind):
        kind = kind.get_canonical()
        if kind.kind in REFERENCES:
            kind = kind.get_pointee()
        if kind.kind in SCALARS:
            return ("scalar", *SCALARS[kind.kind])
        key = spelled(kind)
        if key not in self.types:
            self.types[key] = self.new_type(kind, key)
        return self.types[key]

    def new_type(self, kind, key):
        decl = kind.get_declaration()
        if kind.kind == TypeKind.ENUM:
            return ("enum", Enum(self, decl))
        space, name = qualified(decl) if kind.kind == TypeKind.RECORD else ("", "")
        if name == "FourCC":
            return ("fourcc",)
        if name == "FixedText":
            return ("text", kind.get_size())
        if name in WRAPPERS or (space.startswith("std") and name == "array"):
            inner = self.type(kind.get_template_argument_type(0))
            if name in WRAPPERS:
                return (WRAPPERS[name], inner)
            return ("array", inner, kind.get_size() // kind.get_template_argument_type(0).get_size())
        if space.startswith("thaw") and kind.kind == TypeKind.RECORD:
            return ("struct", Struct(self, kind))
        return ("opaque", key)
