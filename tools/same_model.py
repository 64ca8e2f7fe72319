"""What two models of Warcraft III have in common: by the fields of `thaw dump`, and by where an independent evaluation
(tests/tools/pose_difference.cpp) puts their vertices."""

import collections
import json
import subprocess

# What is known of objects without their keys: tracks and places are told by what they move.
LISTS = ("SEQS", "TEXS", "MTLS", "TXAN", "BONE", "HELP", "LITE", "ATCH", "PREM", "PRE2", "CORN", "RIBB", "EVTS", "CAMS",
         "CLID", "FAFX")
APART = ("tracks", "extent", "geosetId", "geosetAnimationId")
# Of the size of a number, and at least of this: what floats lose on their way through other units.
ROUNDING = 2e-5
# Bits of a node's flags that say what kind of object it is, which its chunk says already.
KIND = 0x100 | 0x200 | 0x400 | 0x800 | 0x1000 | 0x2000 | 0x4000


def dump(thaw, path):
    result = subprocess.run([str(thaw), "dump", str(path)], capture_output=True, text=True, check=True)
    return json.loads(result.stdout)


def items(document, tag):
    return [item for chunk in document["chunks"] if chunk.get("tag") == tag for item in chunk.get("items") or []]


def differences(a, b, path):
    """The paths of fields that differ."""
    if isinstance(a, dict) and isinstance(b, dict):
        keys = [key for key in {**a, **b} if key not in APART]
        return [one for key in keys for one in differences(a.get(key), b.get(key), f"{path}.{key}")]
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        return [one for i, (x, y) in enumerate(zip(a, b)) for one in differences(x, y, f"{path}[{i}]")]
    numbers = isinstance(a, (int, float)) and isinstance(b, (int, float))
    if numbers and path.endswith("node.flags"):
        a, b = a & ~KIND, b & ~KIND
    same = a == b or (numbers and abs(a - b) <= ROUNDING * max(1, abs(a), abs(b)))
    return [] if same else [path]


def field_differences(before, after, lists=LISTS):
    """By chunk: how many objects there are, or the fields of them that differ."""
    told = collections.OrderedDict()
    for tag in lists:
        a, b = items(before, tag), items(after, tag)
        found = [f"{len(a)} became {len(b)}"] if len(a) != len(b) else differences(a, b, tag)
        if found:
            told[tag] = found
    return told


def distances(program, before, after, times):
    """For each sequence its name and how far a vertex is from where it was, of the model's size (`program` is
    thaw_pose_difference of the tests)."""
    result = subprocess.run([str(program), str(before), str(after), str(times)], capture_output=True, text=True, check=True)
    return [(entry["name"], entry["worst"]) for entry in json.loads(result.stdout)]
