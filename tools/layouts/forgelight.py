"""Models, materials and animations of Forgelight."""

from clang.cindex import CursorKind as Kind

from ir import HERE, MOST, Seek, binary, n, negate
from recipe import Recipe, nothing
from source import cases, find, initial, number, parts, rows
from values import Place, Root


def over_segment(translator, args):
    """How many sets of factors a static segment has."""
    at = translator.value(args[1])
    return ("call", "factor_records", (binary("+", translator.base, at), translator.region_end))


def rotation_row(translator, args):
    segment = args[0]
    count = translator.load(segment.sub("counts", None))
    rows = translator.load(Place(segment.root, (*segment.path, "at", 1), None))
    of = lambda found, i: ("field", found[1], (*found[2], i))
    return ("call", "rotation_row", (of(count, 1), of(rows, 0), of(rows, 1),
                                     translator.load(segment.sub("samples", None))))


def packet_kinds(source, column):
    """Types of packets by what they hold, for one layout."""
    kinds = {}
    for row in rows(initial(source.find("kTypes", Kind.VAR_DECL))):
        values = parts(row)
        kinds.setdefault(values[column].spelling, []).append(number(values[0]))
    kinds.pop("unknown")
    return kinds


def packet_bodies(source):
    """What is made for each kind of packet."""
    found = {}
    for labels, body in cases(find(source.find("make_body", Kind.FUNCTION_DECL), Kind.SWITCH_STMT)):
        types = (source.type(c.type) for part in body for c in part.walk_preorder() if not c.kind.is_statement())
        made = next((what for what in types if what[0] == "boxed"), None)
        found.update((label.spelling, made) for label in labels)
    return found


def packet_type(translator, body):
    return translator.load(Place(body.root, (*body.path[:-1], "type"), None))


def known_packet(translator):
    """Is the content of a packet described, in its layout?"""
    def cond(kind):
        found = n(0)
        for layout, column in ((0, 1), (1, 2)):
            types = n(0)
            for numbers in packet_kinds(translator.source, column).values():
                for number in numbers:
                    types = binary("||", types, binary("==", kind, n(number)))
            found = binary("||", found, binary("&&", binary("==", ("global", "file_layout"), n(layout)), types))
        return found
    return cond


def is_raw_packet(translator, args):
    return negate(translator.local("bool", "known", known_packet(translator)(packet_type(translator, args[0]))))


def packet_body(translator, args):
    """The part that goes with the type, for each layout on its own."""
    tr = translator
    kind = packet_type(tr, args[1])
    bodies = packet_bodies(tr.source)

    def follow(rows):
        if not rows:
            return
        name, numbers = rows[0]
        cond = n(0)
        for number in numbers:
            cond = binary("||", cond, binary("==", kind, n(number)))
        tr.branch(cond, lambda: of_kind(name), lambda: follow(rows[1:]))

    def of_kind(name):
        what = bodies[name][1]
        place = Place(Root(what), (), what)
        for path, value in tr.preset(what, place.root).items():
            tr.assign(tr.bind, path, value)

        def inside():
            tr.base = tr.local("u64", "base", HERE)
            tr.region_end = tr.end
            tr.describe(place)
            tr.emit(Seek(tr.scope.localize(tr.end)))

        tr.in_group("data", inside, title="Data" + "".join(part.title() for part in name.split("_")) + tr.variant,
                    doc=what[1].doc)

    def of_layout(layout):
        tr.fixed["layout"], tr.variant = n(layout), ("", "V24")[layout]
        follow(list(packet_kinds(tr.source, layout + 1).items()))
        del tr.fixed["layout"]
        tr.variant = ""

    tr.branch(binary("==", ("global", "file_layout"), n(0)), lambda: of_layout(0), lambda: of_layout(1))


def text_at(translator, args):
    at = translator.value(args[1])
    return ("call", "text_size", (binary("+", translator.base, at), translator.region_end))


def count_packets(translator, args):
    return ("call", "count_packets", ())


RECIPES = [
    Recipe("dma", "Materials of Forgelight (DMA)", "src/formats/forgelight/dma/document.hpp", "dma",
           files=["src/formats/forgelight/dma/document.cpp"], root_function="describe_file"),
    Recipe("dme", "Models of Forgelight (DME)", "src/formats/forgelight/dme/document.cpp", "dme",
           files=["src/formats/forgelight/dme/document.cpp"], root_function="describe_document"),
    Recipe("nsa", "Animations of Forgelight (NSA)", "src/formats/forgelight/nsa/description.hpp", "nsa",
           files=["src/formats/forgelight/nsa/document.cpp"],
           presets={"nsa::Document": {("layout",): ("call", "nsa_layout", ())}},
           decisions={"factor_records": over_segment, "rotation_row": rotation_row},
           functions=["nsa"]),
    Recipe("mrn", "Animation networks of Forgelight (MRN)", "src/formats/forgelight/mrn/description.hpp", "mrn",
           about="Of version 24 the attributes of nodes are left out.",
           files=["src/formats/forgelight/mrn/packets.cpp", "src/formats/forgelight/mrn/document.cpp"],
           bodies=("Packet::Body",), body=("describe(v, *x)",),
           presets={"mrn::Document": {("layout",): ("global", "file_layout")}, "nsa::Document": {("layout",): n(0)}},
           decisions={"factor_records": over_segment, "rotation_row": rotation_row, "make_body": nothing,
                      "describe_body": packet_body, "holds_alternative": is_raw_packet, "text_size": text_at,
                      "count_packets": count_packets, "describe_attributes": nothing, "settle_raw": nothing,
                      "describe_before": nothing, "fix_header": nothing, "restore_header": nothing},
           functions=["nsa", "text_size", "mrn"],
           fixed={"attributes_left": n(MOST)}, first=[("file_layout", ("call", "mrn_layout", ()))]),
]
