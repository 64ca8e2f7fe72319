"""What include/thaw.h declares: constants, structs and functions, as bindings need them."""
import re
from dataclasses import dataclass, field
from pathlib import Path

HEADER = Path(__file__).resolve().parent.parent.parent / "include/thaw.h"


@dataclass
class Member:
    name: str
    type: str  # "uint32_t", "const char*", "float"
    count: int = 0  # of an array in the struct
    callback: list[str] | None = None  # types of a function pointer: result, then arguments


@dataclass
class Interface:
    constants: dict[str, int] = field(default_factory=dict)
    handles: list[str] = field(default_factory=list)
    structs: dict[str, list[Member]] = field(default_factory=dict)
    callbacks: dict[str, list[str]] = field(default_factory=dict)
    functions: dict[str, tuple[str, list[tuple[str, str]]]] = field(default_factory=dict)  # result; names and types


def declared(text: str) -> tuple[str, str]:
    """Type and name of `const char* name`."""
    found = re.fullmatch(r"(.*?[\s*])(\w+)", text.strip(), re.DOTALL)
    if not found:
        raise ValueError(f"thaw.h: {text!r} is no declaration")
    return re.sub(r"\s+", " ", found[1]).strip(), found[2]


def arguments(text: str) -> list[tuple[str, str]]:
    return [] if text.strip() == "void" else [(name, kind) for kind, name in map(declared, text.split(","))]


def members(text: str) -> list[Member]:
    result = []
    for line in filter(None, (line.strip() for line in text.split(";"))):
        pointer = re.fullmatch(r"(.*?)\(\*(\w+)\)\((.*)\)", line, re.DOTALL)
        if pointer:
            result.append(Member(pointer[2], "callback", 0, [pointer[1].strip(), *(kind for _, kind in arguments(pointer[3]))]))
            continue
        first, *others = line.split(",")
        array = re.fullmatch(r"(.*)\[(\d+)\]", first)
        kind, name = declared(array[1] if array else first)
        result.append(Member(name, kind, int(array[2]) if array else 0))
        result.extend(Member(other.strip(), kind) for other in others)
    return result


def read(header: Path = HEADER) -> Interface:
    text = re.sub(r"/\*.*?\*/", " ", header.read_text(), flags=re.DOTALL)
    interface = Interface()
    for name, value in re.findall(r"^#define (THAW_\w+) (0x[0-9A-F]+|\d+)u?\s*$", text, re.MULTILINE):
        interface.constants[name] = int(value, 0)
    for body in re.findall(r"enum \{(.*?)\};", text, re.DOTALL):
        interface.constants.update({name: int(value) for name, value in re.findall(r"(THAW_\w+) = (\d+)", body)})
    interface.handles = re.findall(r"typedef struct (thaw_\w+) \1;", text)
    for name, body in re.findall(r"typedef struct (thaw_\w+) \{(.*?)\} \1;", text, re.DOTALL):
        interface.structs[name] = members(body)
    for result, name, given in re.findall(r"typedef (\w+) \(\*(thaw_\w+)\)\((.*?)\);", text, re.DOTALL):
        interface.callbacks[name] = [result, *(kind for _, kind in arguments(given))]
    for result, name, given in re.findall(r"THAW_API ([\w ]+?\*?) ?(thaw_\w+)\((.*?)\);", text, re.DOTALL):
        interface.functions[name] = (result.strip(), arguments(given))
    if len(interface.functions) != len(re.findall(r"^THAW_API ", text, re.MULTILINE)):
        raise ValueError("thaw.h: a function is not understood")
    return interface
