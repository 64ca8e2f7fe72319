"""Shows thaw's values in GDB as people read them: `source tools/debug/gdb.py`, then `print document`.

Tags and fixed texts are texts, a finding is one line, a result is its value or its error, a curve or a track says how
many keys it has, a scene what is in it. `print/r` shows the raw members as ever."""

import gdb

SEVERITIES = ("info", "unused", "warning", "severe", "error")


def size_of(vector):
    """How many elements a std::vector has."""
    start, finish = (vector["_M_impl"][name] for name in ("_M_start", "_M_finish"))
    return int(finish - start)


def text_of_view(view):
    length = int(view["_M_len"])
    return view["_M_str"].string(length=length, errors="backslashreplace") if length else ""


def text_of_string(string):
    length = int(string["_M_string_length"])
    return string["_M_dataplus"]["_M_p"].string(length=length, errors="backslashreplace") if length else ""


def characters(array):
    elements = array["_M_elems"]
    return bytes(int(elements[i]) & 0xFF for i in range(elements.type.strip_typedefs().range()[1] + 1))


def has_value(optional):
    return bool(optional["_M_payload"]["_M_engaged"])


class Shown:
    """A value as one line of text."""

    def __init__(self, value):
        self.value = value


class FourCC(Shown):
    def to_string(self):
        tag = characters(self.value["bytes"])
        return "".join(chr(b) if 0x20 <= b <= 0x7E else f"\\x{b:02X}" for b in tag)


class FixedText(Shown):
    def to_string(self):
        whole = characters(self.value["raw"])
        text, _, rest = whole.partition(b"\0")
        note = "" if b"\0" in whole else " (fills its field)"
        note = " (bytes behind the NUL)" if rest.strip(b"\0") else note
        return f'"{text.decode("utf-8", "backslashreplace")}"{note}'


class Code(Shown):
    def to_string(self):
        return f'{text_of_view(self.value["id"])} ({SEVERITIES[int(self.value["severity"])]})'


class Diagnostic(Shown):
    def to_string(self):
        offset = self.value["offset"]
        at = f' at 0x{int(offset["_M_payload"]["_M_payload"]["_M_value"]):X}' if has_value(offset) else ""
        path = text_of_string(self.value["path"])
        return f'{Code(self.value["code"]).to_string()}{at}{" " + path if path else ""}: ' \
               f'{text_of_string(self.value["message"])}'


class Diagnostics(Shown):
    def to_string(self):
        more = int(self.value["suppressed_"])
        return f'{size_of(self.value["items_"])} findings' + (f" and {more} not kept" if more else "")

    def children(self):
        items = self.value["items_"]
        for i in range(size_of(items)):
            yield str(i), (items["_M_impl"]["_M_start"] + i).dereference()


class Expected(Shown):
    """tl::expected, whose members lie in bases of several names."""

    def to_string(self):
        return "a result" if bool(self.value["m_has_val"]) else "no result"

    def children(self):
        if not bool(self.value["m_has_val"]):
            yield "error", self.value["m_unexpect"]["m_val"]
        elif self.value.type.strip_typedefs().template_argument(0).code != gdb.TYPE_CODE_VOID:
            yield "value", self.value["m_val"]


class Boxed(Shown):
    def to_string(self):
        return "boxed"

    def children(self):
        pointer = self.value["value_"]["_M_t"]["_M_t"]["_M_head_impl"]
        if pointer:
            yield "value", pointer.dereference()


class Track(Shown):
    def to_string(self):
        words = size_of(self.value["words"])
        return f'{FourCC(self.value["tag"]).to_string()}, {self.value["interpolation"]}, ' \
               f'global sequence {int(self.value["global_sequence"])}, {words} words'


class Curve(Shown):
    def to_string(self):
        return f'{self.value["mode"]}, {size_of(self.value["times"])} keys of {int(self.value["components"])}'


class Target(Shown):
    def to_string(self):
        sub = int(self.value["sub"])
        kind = str(self.value["kind"]).rsplit("::", 1)[-1]
        return f'{kind} {int(self.value["index"])}' + (f".{sub}" if sub else "")


class Scene(Shown):
    """What there is of each kind, and then the lists."""

    def lists(self):
        for field in self.value.type.fields():
            if str(field.type.strip_typedefs()).startswith("std::vector<"):
                yield field.name, self.value[field.name]

    def to_string(self):
        parts = [f"{size_of(items)} {name}" for name, items in self.lists() if size_of(items)]
        return f'scene "{text_of_string(self.value["name"])}": ' + (", ".join(parts) or "empty")

    def children(self):
        return ((name, items) for name, items in self.lists() if size_of(items))


class AnyDocument(Shown):
    """A document, whose type is that of its type_info's symbol."""

    def to_string(self):
        name = text_of_view(self.value["identity_"]["name"])
        return name or "a document"

    def children(self):
        symbol = gdb.execute(f"info symbol {int(self.value['type_'])}", to_string=True)
        name = symbol.partition("typeinfo for ")[2].partition(" in section")[0]
        try:
            pointer = gdb.lookup_type(name).const().pointer()
            yield "document", self.value["document_"]["_M_ptr"].cast(pointer).dereference()
        except gdb.error:
            yield "type", name


PRINTERS = {"FourCC": FourCC, "Code": Code, "Diagnostic": Diagnostic, "Diagnostics": Diagnostics, "Track": Track,
            "Curve": Curve, "Target": Target, "Scene": Scene, "AnyDocument": AnyDocument}
PLACES = {"FourCC": "thaw", "Code": "thaw", "Diagnostic": "thaw", "Diagnostics": "thaw", "AnyDocument": "thaw",
          "Track": "thaw::mdx", "Curve": "thaw::scene", "Target": "thaw::scene", "Scene": "thaw::scene"}


def printer_of(value):
    """For GDB: what shows this value, or None."""
    name = value.type.strip_typedefs().unqualified().tag or ""
    if name.startswith("thaw::FixedText<"):
        return FixedText(value)
    if name.startswith("thaw::Boxed<"):
        return Boxed(value)
    if name.startswith("tl::expected<") and "thaw::Diagnostic" in name:
        return Expected(value)
    space, _, short = name.rpartition("::")
    return PRINTERS[short](value) if PLACES.get(short) == space else None


gdb.pretty_printers.append(printer_of)
