"""Tiles of maps."""

import functools
import json
import os

import bpy

from . import child

EXTENSION = ".wdt"


def _question(path):
    return ("convert", "--dry-run", "--json", path, "--to", "glb", "-o", os.path.join(os.path.dirname(path), ""))


def _tiles_in(lines):
    entries = [json.loads(line) for line in lines if line.startswith("{")]
    return [f"{x},{y}" for entry in entries for x, y in entry.get("tiles") or []]


def tile_words(path, tile):
    """The options for one tile. A map of one building has none. Yields the words of its run."""
    tiles = _tiles_in((yield _question(path)))
    tile = tile.replace(" ", "")
    if tile and tile not in tiles:
        raise child.Failure(f"{os.path.basename(path)} has no tile {tile}. Tiles: {_some(tiles)}")
    if len(tiles) > 1 and not tile:
        raise child.Failure(f"{os.path.basename(path)} has {len(tiles)} tiles. Choose one as Tile: {_some(tiles)}")
    return ["--tiles", tile] if tile else []


def _some(tiles):
    most = 6
    return " ".join(tiles[:most]) + (" …" if len(tiles) > most else "") if tiles else "none"


@functools.lru_cache(maxsize=8)
def _known(command, path, _time):
    try:
        return _tiles_in(child.Run(child.find(command), *_question(path)).lines())
    except child.Failure:
        return []


def search(operator, context, _text):
    """What the field offers: the tiles of the chosen file."""
    path = bpy.path.abspath(operator.filepath)
    if not (path.lower().endswith(EXTENSION) and os.path.isfile(path)):
        return []
    return _known(context.preferences.addons[__package__].preferences.command, path, os.path.getmtime(path))
