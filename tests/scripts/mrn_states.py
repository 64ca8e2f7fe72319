"""mrn_states.py OUT: writes a network of version 24 with state machines (mrn.md#the-network), as no sample has one:
a machine of three states, one of which is a machine itself, with a blend, players, parameters, requests and
transitions."""
import struct
import sys


def u64(*values):
    return struct.pack(f"<{len(values)}Q", *values)


def packet(kind, number, data):
    header = struct.pack("<4I16xQII", 24, 10, kind, number, len(data), 16, 0)
    return header + data + bytes(-len(header + data) % 16)


def ids_table(rows):
    texts = b"".join(text.encode() + b"\0" for _, text in rows)
    offsets, at = [], 0
    for _, text in rows:
        offsets.append(at)
        at += len(text) + 1
    count = len(rows)
    head = struct.pack("<II", count, len(texts)) + u64(32, 32 + 4 * count, 32 + 8 * count)
    return head + struct.pack(f"<{count}I", *(number for number, _ in rows)) + struct.pack(f"<{count}I", *offsets) + texts


def padded(data, to=16):
    return data + bytes(-len(data) % to)


def node(kind, number, parent, children=(), controls=(), clip=None):
    """0x90 bytes, then what they point to, all from the node's start."""
    at = 0x90
    places = []
    parts = []
    for data in (struct.pack(f"<{len(children)}H", *children), struct.pack(f"<{len(controls)}I", *controls)):
        places.append(at if data else 0)
        parts.append(padded(data, 8))
        at += len(parts[-1])
    attributes = 0
    if clip is not None:
        attributes = at
        source = bytes(8) + struct.pack("<hH", -1, 21) + bytes(0x68) + struct.pack("<iiIfff", clip, 0x77, 0, 0, 1, 1)
        parts.append(u64(at + 24, len(source)) + struct.pack("<II", 4, 0) + source)
    head = struct.pack("<IHHhHHBBH6x", kind, 0, number, parent, len(children), 0, len(controls), 0, 1 if attributes else 0)
    return padded(head + u64(0, *places, attributes) + bytes(0x90 - 0x38) + b"".join(parts))


NAMES = {0: "Root", 1: "Body", 2: "Idle", 3: "Moving", 4: "Walk", 5: "Run", 6: "Gait", 7: "Dead", 8: "IdleToMoving",
         9: "AnyToDead", 10: "Speed", 11: "Grounded", 12: "Jump \"high\""}
NODES = [
    node(9, 0, -1, [1, 10, 11]),
    node(10, 1, 0, [2, 3, 7, 8, 9]),
    node(104, 2, 1, clip=0),
    node(10, 3, 1, [6, 12]),
    node(104, 4, 6, clip=1),
    node(104, 5, 6, clip=2),
    node(107, 6, 3, [4, 5], [10]),
    node(104, 7, 1, clip=3),
    node(400, 8, 1, [2, 3]),
    node(402, 9, 1, [2, 7]),
    node(20, 10, 0),
    node(23, 11, 0),
    node(999, 12, 3, [], [11]),
]
REQUESTS = [(1, 10, "Die", [1]), (2, 10, "Go", [1, 3])]


def network():
    header = 0x140
    nodes_at = header
    at = nodes_at + 8 * len(NODES)
    offsets, body = [], b""
    for one in NODES:
        at = (at + 15) // 16 * 16
        offsets.append(at)
        at += len(one)
    messages_at = at = (at + 15) // 16 * 16
    at += 8 * len(REQUESTS)
    messages = []
    places = []
    for number, kind, _, listeners in REQUESTS:
        data = padded(struct.pack("<iiI4xQi4xQQ", number, kind, len(listeners), 0, 0, 0, 0) +
                      struct.pack(f"<{len(listeners)}H", *listeners), 8)
        places.append(at)
        messages.append(data)
        at += len(data)
    names_at = at
    names = padded(ids_table(sorted(NAMES.items())), 8)
    requests_at = names_at + len(names)
    requests = padded(ids_table([(number, text) for number, _, text, _ in REQUESTS]), 8)
    data = bytearray(NODES[0][:0x20] + bytes(0x70))
    words = [len(NODES), nodes_at, 1, 0, 0, 0, 0, names_at, requests_at, 0, 0, 0, 0, len(REQUESTS), messages_at]
    data += u64(*words)
    data += bytes(header - len(data))
    data += u64(*offsets)
    for offset, one in zip(offsets, NODES):
        data += bytes(offset - len(data)) + one
    data += bytes(messages_at - len(data)) + u64(*places) + b"".join(messages) + names + requests
    return bytes(data)


def file_names():
    takes = ["Idle", "Walk", "Run", "Death"]
    tables = [padded(ids_table(list(enumerate(texts))), 8) for texts in
              ([take + ".nsa" for take in takes], ["nsa", "nsa", "qsa", "nsa"], ["//" + take for take in takes], takes)]
    at = 40
    places = []
    for table in tables:
        places.append(at)
        at += len(table)
    return u64(*places, at) + b"".join(tables) + bytes(4 * len(takes))


if __name__ == "__main__":
    with open(sys.argv[1], "wb") as out:
        out.write(packet(13, 3, file_names()) + packet(10, 5, network()))
