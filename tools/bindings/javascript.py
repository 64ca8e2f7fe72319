"""The part of the npm package that follows from include/thaw.h: where members of structs are in WebAssembly's memory, and which
functions take texts and give errors."""
import json

from interface import Interface, Member

# Size of numbers, with pointers of 32 bits, and how JavaScript reads them.
NUMBERS = {"size_t": (4, "u32"), "uint64_t": (8, "u64"), "uint32_t": (4, "u32"), "uint16_t": (2, "u16"), "uint8_t": (1, "u8"),
           "int32_t": (4, "i32"), "int": (4, "i32"), "float": (4, "f32"), "double": (8, "f64")}
HEAD = "// What include/thaw.h declares. Made by scripts/bindings.\n"


def number(member: Member) -> tuple:
    kind = member.type.replace("const ", "").strip()
    if kind == "char*":
        return 4, "text"
    return (4, "u32") if kind.endswith("*") or member.callback else NUMBERS[kind]


def layout(members: list) -> dict:
    """Offset and kind of each member, and the size of the whole."""
    at, widest, found = 0, 1, {}
    for member in members:
        size, kind = number(member)
        at = (at + size - 1) // size * size
        found[camel(member.name)] = [at, kind, member.count] if member.count else [at, kind]
        at += size * max(member.count, 1)
        widest = max(widest, size)
    return {"size": (at + widest - 1) // widest * widest, "members": found}


def camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)


def argument(kind: str) -> str:
    kind = kind.replace("const ", "").strip()
    return "text" if kind == "char*" else "error" if kind == "thaw_error**" else "u64" if kind == "uint64_t" else "number"


def result(kind: str) -> str:
    return "text" if kind == "const char*" else "u64" if kind == "uint64_t" else "number"


def module(interface: Interface) -> str:
    names = {name: value for name, value in interface.constants.items() if value < 2**53}
    structs = {name: layout(members) for name, members in interface.structs.items()}
    functions = {name[len("thaw_"):]: [result(kind), *(argument(one) for _, one in given)]
                 for name, (kind, given) in interface.functions.items()}
    lines = [HEAD, f"export const constants = {json.dumps(names)};", "export const structs = {"]
    lines += [f"  {name}: {json.dumps(found)}," for name, found in structs.items()]
    lines += ["};", "export const functions = {"]
    lines += [f"  {name}: {json.dumps(found)}," for name, found in functions.items()]
    return "\n".join([*lines, "};", ""])
