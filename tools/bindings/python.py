"""The part of the Python package that follows from include/thaw.h: ctypes of its structs and functions."""
from interface import Interface

NUMBERS = {"size_t": "c_size_t", "uint64_t": "c_uint64", "uint32_t": "c_uint32", "uint16_t": "c_uint16", "uint8_t": "c_uint8",
           "int32_t": "c_int32", "int": "c_int", "float": "c_float", "double": "c_double"}
HEAD = '''"""What include/thaw.h declares. Made by scripts/bindings."""
from ctypes import *
'''


def ctype(kind: str, interface: Interface) -> str:
    """The name of the ctypes type of a C type."""
    bare = kind.replace("const ", "").strip()
    if bare == "void":
        return "None"
    if bare in NUMBERS:
        return NUMBERS[bare]
    if bare == "char*":
        return "c_char_p"
    if bare == "char**":
        return "POINTER(c_char_p)"
    if bare == "size_t*":
        return "POINTER(c_size_t)"
    if bare in interface.callbacks:
        return bare
    bare = bare.replace("thaw_error", "thaw_finding")
    name = bare.rstrip("*")
    stars = len(bare) - len(name)
    if name in interface.structs:
        return "POINTER(" * stars + name + ")" * stars
    # Numbers are looked at as arrays, and handles not at all.
    if name in interface.handles or name in NUMBERS or name == "void":
        return "POINTER(" * (stars - 1) + "c_void_p" + ")" * (stars - 1)
    raise ValueError(f"thaw.h: {kind} has no type in Python")


def callback(kinds: list, interface: Interface) -> str:
    return f"CFUNCTYPE({', '.join(ctype(kind, interface) for kind in kinds)})"


def module(interface: Interface) -> str:
    lines = [HEAD]
    lines += [f"{name} = {value}" for name, value in interface.constants.items()]
    lines += [f"{name} = {callback(kinds, interface)}" for name, kinds in interface.callbacks.items()]
    for name, members in interface.structs.items():
        lines += ["", "", f"class {name}(Structure):", "    _fields_ = ["]
        for member in members:
            kind = callback(member.callback, interface) if member.callback else ctype(member.type, interface)
            lines.append(f'        ("{member.name}", {kind}{f" * {member.count}" if member.count else ""}),')
        lines.append("    ]")
    lines += ["", "", "FUNCTIONS = {"]
    for name, (result, given) in interface.functions.items():
        kinds = ", ".join(ctype(kind, interface) for _, kind in given)
        lines.append(f'    "{name}": ({ctype(result, interface)}, [{kinds}]),')
    return "\n".join([*lines, "}", ""])
