"""Models, materials and animations of Forgelight."""

from ir import HERE, MOST, Seek, binary, n, negate
from recipe import Recipe, nothing, value_of
from values import Env, Place, Root


def over_segment(translator, args, env):
    """How many sets of factors a static segment has."""
    at = value_of(translator, args[1], env)
    return ("call", "factor_records", (binary("+", translator.base, at), translator.region_end))


def rotation_row(translator, args, env):
    segment = translator.eval(args[0], env)
    count = translator.load(segment.sub("counts", None))
    rows = translator.load(Place(segment.root, (*segment.path, "at", 1), None))
    of = lambda found, i: ("field", found[1], (*found[2], i))
    return ("call", "rotation_row", (of(count, 1), of(rows, 0), of(rows, 1),
                                     translator.load(segment.sub("samples", None))))


def packet_kinds(sources, column):
    """Types of packets by what they hold, for one layout."""
    kinds = {}
    for row in sources.constants[("mrn", "kTypes")][1][2]:
        kinds.setdefault(row[2][column][1].split("::")[-1], []).append(row[2][0][1])
    kinds.pop("unknown")
    return kinds


def packet_bodies(sources):
    """What is made for each kind of packet."""
    switch = next(s for s in sources.functions["make_body"][0].statements() if s[0] == "switch")
    found = {}
    for labels, body in switch[2]:
        for label in labels:
            made = body[0]
            if made[0] == "block":
                made = made[1][0]
            if made[0] == "declare":
                found[label[1].split("::")[-1]] = made[1].args[0]
            elif made[0] == "return":
                found[label[1].split("::")[-1]] = made[1][1][2][0]
    return found


def packet_type(translator, env):
    packet = env.find("packet").vars["packet"]
    return translator.load(Place(packet.root, (*packet.path, "type"), None))


def known_packet(translator):
    """Is the content of a packet described, in its layout?"""
    def cond(kind):
        found = n(0)
        for layout, column in ((0, 1), (1, 2)):
            types = n(0)
            for numbers in packet_kinds(translator.sources, column).values():
                for number in numbers:
                    types = binary("||", types, binary("==", kind, n(number)))
            found = binary("||", found, binary("&&", binary("==", ("global", "file_layout"), n(layout)), types))
        return found
    return cond


def is_raw_packet(translator, args, env):
    return negate(translator.local("bool", "known", known_packet(translator)(packet_type(translator, env))))


def packet_body(translator, args, env):
    """The part that goes with the type, for each layout on its own."""
    tr = translator
    kind = packet_type(tr, env)
    bodies = packet_bodies(tr.sources)

    def follow(rows):
        if not rows:
            return
        name, numbers = rows[0]
        cond = n(0)
        for number in numbers:
            cond = binary("||", cond, binary("==", kind, n(number)))
        tr.branch(cond, lambda: of_kind(name), lambda: follow(rows[1:]))

    def of_kind(name):
        what = tr.resolve(bodies[name], "mrn")
        place = Place(Root(what), (), what)
        for path, value in tr.preset(what, place.root).items():
            tr.assign(tr.bind, path, value)

        def inside():
            tr.base = tr.local("u64", "base", HERE)
            tr.region_end = tr.end
            tr.call_function("describe", None, [tr.visitor, place], Env(space=what[1].space))
            tr.emit(Seek(tr.scope.localize(tr.end)))

        tr.in_group("data", inside, title="Data" + "".join(part.title() for part in name.split("_")) + tr.variant,
                    doc=what[1].doc)

    def of_layout(layout):
        tr.fixed["layout"], tr.variant = n(layout), ("", "V24")[layout]
        follow(list(packet_kinds(tr.sources, layout + 1).items()))
        del tr.fixed["layout"]
        tr.variant = ""

    tr.branch(binary("==", ("global", "file_layout"), n(0)), lambda: of_layout(0), lambda: of_layout(1))


def text_at(translator, args, env):
    at = value_of(translator, args[1], env)
    return ("call", "text_size", (binary("+", translator.base, at), translator.region_end))


def count_packets(translator, args, env):
    return ("call", "count_packets", ())


RECIPES = [
    Recipe("dma", "Materials of Forgelight (DMA)", "src/formats/forgelight/dma/document.hpp", "dma",
           files=["include/thaw/dma.hpp", "src/formats/forgelight/dma/document.hpp", "src/formats/forgelight/dma/document.cpp"], root_function="describe_file"),
    Recipe("dme", "Models of Forgelight (DME)", "src/formats/forgelight/dme/document.cpp", "dme",
           files=["include/thaw/dma.hpp", "include/thaw/dme.hpp", "src/formats/forgelight/dma/document.hpp",
                  "src/formats/forgelight/dme/document.cpp"], root_function="describe_document"),
    Recipe("nsa", "Animations of Forgelight (NSA)", "src/formats/forgelight/nsa/description.hpp", "nsa",
           files=["include/thaw/nsa.hpp", "src/formats/forgelight/nsa/description.hpp", "src/formats/forgelight/nsa/document.cpp"],
           presets={"nsa::Document": {("layout",): ("call", "nsa_layout", ())}},
           decisions={"factor_records": over_segment, "rotation_row": rotation_row},
           functions=["nsa"]),
    Recipe("mrn", "Animation networks of Forgelight (MRN)", "src/formats/forgelight/mrn/description.hpp", "mrn",
           about="Of version 24 the attributes of nodes are left out.",
           files=["include/thaw/mrn.hpp", "include/thaw/nsa.hpp", "src/formats/forgelight/nsa/description.hpp",
                  "src/formats/forgelight/nsa/document.cpp", "src/formats/forgelight/mrn/network.hpp", "src/formats/forgelight/mrn/description.hpp",
                  "src/formats/forgelight/mrn/packets.cpp", "src/formats/forgelight/mrn/document.cpp"],
           presets={"mrn::Document": {("layout",): ("global", "file_layout")}, "nsa::Document": {("layout",): n(0)}},
           decisions={"factor_records": over_segment, "rotation_row": rotation_row, "make_body": nothing,
                      "describe_body": packet_body, "holds_alternative": is_raw_packet, "text_size": text_at,
                      "count_packets": count_packets, "describe_attributes": nothing, "settle_raw": nothing,
                      "describe_before": nothing, "mend_header": nothing, "restore_header": nothing},
           functions=["nsa", "text_size", "mrn"],
           fixed={"attributes_left": n(MOST)}, first=[("file_layout", ("call", "mrn_layout", ()))]),
]
