"""The fields of every format for TypeScript, formats.d.ts, and the names of chunks, formats.js."""
import json
import re

from formats import Format, Type

HEAD = "// The fields of each format. Made by scripts/bindings.\n"


def annotation(kind: Type) -> str:
    if kind.what in ("array", "rows", "raw"):
        return "NumberArray" if kind.what == "array" and kind.numbers == 1 else "NumberArray[]" if kind.what == "array" else {
            "rows": "Keyframe[]", "raw": "Uint8Array"}[kind.what]
    if kind.what == "vector":
        return "number[]"
    if kind.what == "list":
        items = list(dict.fromkeys(annotation(one) for one in kind.of))
        return f"Items<{' | '.join(items) or 'any'}>"
    if kind.what == "either":
        return " | ".join(map(annotation, kind.of))
    return {"integer": "number", "number": "number", "text": "string", "object": kind.name}[kind.what]


def member(name: str, kind: Type) -> str:
    return f"  {name if re.fullmatch(r'[A-Za-z_$][A-Za-z_$0-9]*', name) else json.dumps(name)}: {annotation(kind)};"


def types(formats: list[Format]) -> str:
    lines = [HEAD, "export type NumberArray = Uint8Array | Int8Array | Uint16Array | Int16Array | Uint32Array | Int32Array | "
             "Float32Array | Float64Array | BigUint64Array | BigInt64Array;",
             "export interface Keyframe { frame: number; value: number[]; }",
             "/** A list, whose items are also known by their names. */",
             "export interface Items<T> extends Iterable<T> { readonly length: number; [index: number]: T; [name: string]: any; }"]
    for one in formats:
        for part in one.classes:
            lines += [f"export interface {part.name} {{", *(member(name, kind) for name, kind in part.members.items()), "}"]
        known = {**one.members, **{name: one.members[tag] for name, tag in one.names.items()}}
        lines += [f"export interface {one.name} {{", *(member(name, kind) for name, kind in known.items()), "}"]
    lines += ["/** Fields by the word of the format. */", "export interface Formats {"]
    return "\n".join([*lines, *(f"  {json.dumps(one.word)}: {one.name};" for one in formats), "}", ""])


def module(formats: list[Format]) -> str:
    names = {one.word: one.names for one in formats if one.names}
    return f"{HEAD}export const names = {json.dumps(names, indent=1)};\n"
