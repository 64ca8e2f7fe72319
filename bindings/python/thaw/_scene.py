"""Scenes: what documents show. Arrays are views of the scene's memory and keep it."""
from __future__ import annotations

import ctypes
from functools import cached_property
from typing import Any, Callable, Generic, Iterator, Optional, Sequence, TypeVar

from . import _interface as c
from ._arrays import F32, U8, U16, U32, view
from ._library import Finding, Handle, call, text

T = TypeVar("T")


class Items(Sequence[T], Generic[T]):
    """A list whose items are made when they are looked at."""

    def __init__(self, count: int, make: Callable[[int], T]):
        self._count, self._make = count, make

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, str):
            for item in self:
                if getattr(item, "name", None) == index:
                    return item
            raise KeyError(index)
        if isinstance(index, slice):
            return [self._make(number) for number in range(*index.indices(self._count))]
        number = index + self._count if index < 0 else index
        if not 0 <= number < self._count:
            raise IndexError(index)
        return self._make(number)

    def __iter__(self) -> Iterator[T]:
        return map(self._make, range(self._count))

    def __repr__(self) -> str:
        return f"[{', '.join(repr(item) for item in self[:6])}{', …' if self._count > 6 else ''}]"


def index_of(number: int) -> Optional[int]:
    return None if number == c.THAW_NONE else number


class _Part:
    """Something of a scene."""

    def __init__(self, scene: "Scene", number: int, struct: Any):
        self._scene, self.index, self._struct = scene, number, struct

    def _array(self, address: Optional[int], scalar: int, *shape: int) -> Any:
        """None of what is not there."""
        owner = self._scene._open()
        return view(address, scalar, shape, owner) if address else None

    @property
    def name(self) -> str:
        self._scene._open()
        return text(self._struct.name)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}>"


class Node(_Part):
    """A place in the hierarchy; parents come before their children."""

    @property
    def kind(self) -> str:
        return text(self._struct.kind)

    @property
    def parent(self) -> Optional[int]:
        return index_of(self._struct.parent)

    @property
    def translation(self) -> tuple[float, ...]:
        return tuple(self._struct.translation)

    @property
    def rotation(self) -> tuple[float, ...]:
        """A unit quaternion x y z w."""
        return tuple(self._struct.rotation)

    @property
    def scale(self) -> tuple[float, ...]:
        return tuple(self._struct.scale)


class Mesh(_Part):
    """Arrays have a row per vertex, or are None."""

    @property
    def vertices(self) -> int:
        return self._struct.vertices

    @property
    def positions(self) -> Any:
        return self._array(self._struct.positions, F32, self.vertices, 3)

    @property
    def normals(self) -> Any:
        return self._array(self._struct.normals, F32, self._struct.normal_count, 3)

    @property
    def tangents(self) -> Any:
        return self._array(self._struct.tangents, F32, self.vertices, 4)

    @property
    def colors(self) -> Any:
        return self._array(self._struct.colors, F32, self.vertices, 4)

    @property
    def uvs(self) -> list[Any]:
        """One array of two columns for each set."""
        scene = self._scene._open()
        return [self._array(call.scene_uvs(scene.pointer, self.index, number), F32, self.vertices, 2)
                for number in range(self._struct.uv_sets)]

    @property
    def morph_targets(self) -> dict[str, Any]:
        """What each adds to the positions."""
        scene, name, found = self._scene._open(), ctypes.c_char_p(), {}
        for number in range(self._struct.morph_targets):
            pointer = call.scene_morph(scene.pointer, self.index, number, ctypes.byref(name))
            found[text(name.value)] = self._array(pointer, F32, self.vertices, 3)
        return found

    @property
    def indices(self) -> Any:
        """Three per row: triangles."""
        return self._array(self._struct.indices, U32, self._struct.index_count // 3, 3)

    @property
    def joints(self) -> Any:
        """Numbers of the skin's joints that move a vertex."""
        return self._array(self._struct.joints, U16, self.vertices, self._struct.influences)

    @property
    def weights(self) -> Any:
        return self._array(self._struct.weights, F32, self.vertices, self._struct.influences)

    @property
    def parts(self) -> list[tuple[int, int, Optional[int]]]:
        """First index, number of indices and material of each."""
        self._scene._open()
        parts = (self._struct.parts[number] for number in range(self._struct.part_count))
        return [(part.first_index, part.index_count, index_of(part.material)) for part in parts]

    @property
    def skin(self) -> Optional[int]:
        return index_of(self._struct.skin)

    @property
    def node(self) -> Optional[int]:
        return index_of(self._struct.node)

    @property
    def color(self) -> tuple[float, ...]:
        """R G B A that the texture is multiplied by."""
        return (*self._struct.color, self._struct.alpha)

    def __repr__(self) -> str:
        return f"<Mesh {self.name!r}: {self.vertices} vertices, {self._struct.index_count // 3} triangles>"


class Skin(_Part):
    name = ""  # type: ignore[assignment]

    @property
    def joints(self) -> Any:
        """Nodes."""
        return self._array(self._struct.joints, U32, self._struct.joint_count)

    @property
    def inverse_bind(self) -> Any:
        """Per joint 4 columns of 4: transpose for rows."""
        return self._array(self._struct.inverse_bind, F32, self._struct.joint_count, 4, 4)


class Layer(_Part):
    name = ""  # type: ignore[assignment]

    @property
    def blend(self) -> str:
        return text(self._struct.blend)

    @property
    def texture(self) -> Optional[int]:
        return index_of(self._struct.texture)

    @property
    def uv_set(self) -> int:
        return self._struct.uv_set

    @property
    def alpha(self) -> float:
        return self._struct.alpha

    @property
    def unshaded(self) -> bool:
        return bool(self._struct.unshaded)

    @property
    def two_sided(self) -> bool:
        return bool(self._struct.two_sided)

    def __repr__(self) -> str:
        return f"<Layer {self.blend}, texture {self.texture}>"


class Texture(_Part):
    @property
    def name(self) -> str:
        return self.path

    @property
    def path(self) -> str:
        return text(self._struct.path)

    @property
    def replaceable_id(self) -> int:
        return self._struct.replaceable_id

    @property
    def image(self) -> Optional[int]:
        return index_of(self._struct.image)

    @property
    def wrap(self) -> tuple[bool, bool]:
        return bool(self._struct.wrap_u), bool(self._struct.wrap_v)


class Picture(_Part):
    """A picture of the scene, where it came from and its pixels."""

    @property
    def source(self) -> str:
        return text(self._struct.source)

    @property
    def placeholder(self) -> bool:
        return bool(self._struct.placeholder)

    @property
    def array(self) -> Any:
        """Height × width × 4: R G B A."""
        return self._array(self._struct.rgba, U8, self._struct.height, self._struct.width, 4)


class Channel(_Part):
    """A curve of a clip, and what it moves."""

    @property
    def name(self) -> str:
        return self.property

    @property
    def target(self) -> tuple[str, int]:
        """ "node" and its number; of a layer that of its material. """
        return text(self._struct.target), self._struct.index

    @property
    def layer(self) -> int:
        return self._struct.layer

    @property
    def mode(self) -> str:
        """ "step", "linear", or "cubic": in tangent, value, out tangent. """
        return text(self._struct.mode)

    @property
    def times(self) -> Any:
        """Seconds."""
        return self._array(self._struct.times, F32, self._struct.keys)

    @property
    def values(self) -> Any:
        """A row per key, three if it is cubic."""
        keys = self._struct.keys * (3 if self.mode == "cubic" else 1)
        return self._array(self._struct.values, F32, keys, self._struct.components)

    @property
    def property(self) -> str:
        return text(self._struct.property)


class Clip(_Part):
    """An animation, or with `is_global` a loop that runs beside all of them."""

    @property
    def duration(self) -> float:
        """Seconds."""
        return self._struct.duration

    @property
    def looping(self) -> bool:
        return bool(self._struct.looping)

    @property
    def is_global(self) -> bool:
        return bool(getattr(self._struct, "global"))

    @property
    def channels(self) -> Items[Channel]:
        def make(number: int) -> Channel:
            struct = call.scene_channel(self._scene._open().pointer, self.index, number).contents
            return Channel(self._scene, number, struct)
        return Items(self._struct.channels, make)

    def __repr__(self) -> str:
        return f"<Clip {self.name!r}: {self.duration:g} s, {self._struct.channels} channels>"


class Camera(_Part):
    @property
    def node(self) -> int:
        """It looks along its −Z."""
        return self._struct.node

    @property
    def field_of_view(self) -> float:
        return self._struct.field_of_view


class Scene:
    """Right-handed, Y up, metres, seconds, radians; UVs begin at the top left."""

    def __init__(self, pointer: int, findings: list[Finding]):
        self._handle: Optional[Handle] = Handle(pointer, call.scene_free)
        self._about = call.scene_about(pointer).contents
        self.findings = findings

    def _open(self) -> Handle:
        if self._handle is None:
            raise ValueError("the scene is closed")
        return self._handle

    def _items(self, count: int, kind: Any, function: Any) -> Any:
        return Items(count, lambda number: kind(self, number, function(self._open().pointer, number).contents))

    @property
    def name(self) -> str:
        self._open()
        return text(self._about.name)

    @cached_property
    def nodes(self) -> Items[Node]:
        return self._items(self._about.nodes, Node, call.scene_node)

    @cached_property
    def meshes(self) -> Items[Mesh]:
        return self._items(self._about.meshes, Mesh, call.scene_mesh)

    @cached_property
    def skins(self) -> Items[Skin]:
        return self._items(self._about.skins, Skin, call.scene_skin)

    @cached_property
    def materials(self) -> Items[Items[Layer]]:
        """Of each its layers, from the lowest."""
        def layers(material: int) -> Items[Layer]:
            def make(number: int) -> Layer:
                return Layer(self, number, call.scene_layer(self._open().pointer, material, number).contents)
            return Items(call.scene_layers(self._open().pointer, material), make)
        return Items(self._about.materials, layers)

    @cached_property
    def textures(self) -> Items[Texture]:
        return self._items(self._about.textures, Texture, call.scene_texture)

    @cached_property
    def images(self) -> Items[Picture]:
        return self._items(self._about.images, Picture, call.scene_image)

    @cached_property
    def clips(self) -> Items[Clip]:
        return self._items(self._about.clips, Clip, call.scene_clip)

    @cached_property
    def cameras(self) -> Items[Camera]:
        return self._items(self._about.cameras, Camera, call.scene_camera)

    @property
    def bounds(self) -> tuple[tuple[float, ...], tuple[float, ...], float]:
        """Least and most of the box, and the radius."""
        self._open()
        return tuple(self._about.minimum), tuple(self._about.maximum), self._about.radius

    def close(self) -> None:
        """Gives its memory back, but for arrays that are still in use."""
        self._handle = None

    def __enter__(self) -> "Scene":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._handle is None:
            return "<thaw.Scene: closed>"
        about = self._about
        return f"<thaw.Scene {self.name!r}: {about.nodes} nodes, {about.meshes} meshes, {about.clips} clips, {about.images} images>"
