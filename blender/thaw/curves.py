"""Actions of an armature as channels of glTF, key for key.

Blender's exporter samples, cuts clips at whole frames, and takes minutes for larger models. Here each key stays where it
is; what glTF cannot say (Bézier curves, angles, constraints) is sampled.
"""

import bpy
import mathutils
import numpy

from . import load

SAMPLES = 60  # a second
_RESTS = {"location": (0, 0, 0), "scale": (1, 1, 1), "rotation_quaternion": (1, 0, 0, 0), "rotation_euler": (0, 0, 0),
          "rotation_axis_angle": (0, 0, 1, 0)}
_PATHS = {"location": "translation", "scale": "scale", "rotation_quaternion": "rotation", "rotation_euler": "rotation",
          "rotation_axis_angle": "rotation"}


def fcurves_of(action):
    """Of 4.4 and later, those of all its slots (not run here)."""
    if hasattr(action, "fcurves"):
        return list(action.fcurves)
    return [curve for layer in action.layers for strip in layer.strips for bag in strip.channelbags for curve in bag.fcurves]


def bone_of(data_path):
    """('Hand', 'location') of 'pose.bones["Hand"].location'; the object's own have no bone."""
    if not data_path.startswith('pose.bones["'):
        return None, data_path
    end = data_path.rindex('"]')
    return bpy.utils.unescape_identifier(data_path[12:end]), data_path[end + 3:]


class Keys:
    """Times in seconds, values in rows, interpolation of glTF."""

    def __init__(self, times, values, mode="LINEAR"):
        self.times, self.values, self.mode = times, values, mode


class Curve(Keys):
    """The f-curves of one property."""

    def __init__(self, parts, rest, fps, end, straight=True):
        keys = {index: _keys_of(curve) for index, curve in parts.items()}
        modes = {mode for _, all_modes in keys.values() for mode in all_modes}
        frames = [frame_list for frame_list, _ in keys.values()]
        same = all(len(one) == len(frames[0]) and numpy.array_equal(one, frames[0]) for one in frames)
        if not straight:  # angles do not turn as quaternions do
            modes = modes | {"ANGLES"}
        exact = same and len(modes) == 1 and modes <= {"CONSTANT", "LINEAR"} and (end is None or frames[0][-1] <= end)
        if exact:
            times = frames[0]
        else:
            times = _sampled(numpy.unique(numpy.concatenate(frames)), modes, fps, end)
        values = numpy.tile(numpy.asarray(rest, dtype=numpy.float64), (len(times), 1))
        for index, curve in parts.items():
            if index < len(rest):
                values[:, index] = [point.co[1] for point in curve.keyframe_points] if exact else \
                    [curve.evaluate(frame) for frame in times]
        super().__init__(times / fps, values, "STEP" if modes == {"CONSTANT"} else "LINEAR")


def _keys_of(curve):
    points = curve.keyframe_points
    frames = numpy.empty(2 * len(points))
    points.foreach_get("co", frames)
    # The last key has no way to another.
    modes = {point.interpolation for point in points[:-1]} or {point.interpolation for point in points}
    return frames[::2], modes


def _sampled(frames, modes, fps, end):
    """The keys, and what lies between them where it is not straight; nothing beyond the end."""
    times = set(frames)
    if not modes <= {"CONSTANT", "LINEAR"}:
        first, last = frames[0], frames[-1]
        times.update(numpy.arange(first, last, fps / SAMPLES))
    if end is not None:
        times = {time for time in times if time <= end} | {min(end, frames[-1])}
    return numpy.array(sorted(times))


def _quaternions(values, path, order):
    if path == "rotation_euler":
        return numpy.array([tuple(mathutils.Euler(row, order).to_quaternion()) for row in values])
    if path == "rotation_axis_angle":
        return numpy.array([tuple(mathutils.Quaternion(row[1:], row[0])) for row in values])
    lengths = numpy.linalg.norm(values, axis=1, keepdims=True)
    return numpy.where(lengths > 0, values / numpy.where(lengths > 0, lengths, 1), (1, 0, 0, 0))


def _product(a, b):
    """Of one quaternion with many, w first."""
    w, x, y, z = a
    p, q, r, s = b.T
    return numpy.stack((w * p - x * q - y * r - z * s, w * q + x * p + y * s - z * r,
                        w * r - x * s + y * p + z * q, w * s + x * r - y * q + z * p), axis=1)


# Z up to Y up, which the exporter puts between an armature and its bones; below bones axes are those of bones.
_UP = mathutils.Matrix(((1, 0, 0, 0), (0, 0, 1, 0), (0, -1, 0, 0), (0, 0, 0, 1)))


class _Object:
    """From an object's terms to glTF's."""

    @staticmethod
    def translation(values):
        return numpy.stack((values[:, 0], values[:, 2], -values[:, 1]), axis=1)

    @staticmethod
    def rotation(values):
        return numpy.stack((values[:, 1], values[:, 3], -values[:, 2], values[:, 0]), axis=1)

    @staticmethod
    def scale(values):
        return values[:, (0, 2, 1)]


class _Bone:
    """The same of a bone, whose keys count from where it rests below its parent."""

    def __init__(self, bone):
        matrix = bone.parent.matrix_local.inverted_safe() @ bone.matrix_local if bone.parent else _UP @ bone.matrix_local
        self._place, self._turn, _ = matrix.decompose()

    def translation(self, values):
        return values @ numpy.array(self._turn.to_matrix()).T + numpy.array(self._place)

    def rotation(self, values):
        return numpy.roll(_product(self._turn, values), -1, axis=1)

    @staticmethod
    def scale(values):
        return values


def channels_of(action, armature, fps, end):
    """{(bone or None, glTF's path): Curve}, in glTF's terms."""
    groups = {}
    for curve in fcurves_of(action):
        bone, path = bone_of(curve.data_path)
        known = bone is None or bone in armature.pose.bones
        if known and path in _RESTS and len(curve.keyframe_points) and not curve.mute:
            groups.setdefault((bone, path), {})[curve.array_index] = curve
    channels = {}
    for (bone, path), parts in groups.items():
        posed = armature if bone is None else armature.pose.bones[bone]
        mode = posed.rotation_mode
        turns = "rotation_quaternion" if mode == "QUATERNION" else "rotation_axis_angle" if mode == "AXIS_ANGLE" else \
            "rotation_euler"
        if path.startswith("rotation") and path != turns:
            continue
        curve = Curve(parts, _RESTS[path], fps, end, path not in ("rotation_euler", "rotation_axis_angle"))
        place = _Object() if bone is None else _Bone(armature.data.bones[bone])
        if path == "location":
            curve.values = place.translation(curve.values)
        elif path == "scale":
            curve.values = place.scale(curve.values)
        else:
            curve.values = place.rotation(_quaternions(curve.values, path, mode))
        channels[bone, _PATHS[path]] = curve
    return channels


def is_driven(armature):
    """Whether keys alone do not say how bones move."""
    drivers = armature.animation_data.drivers if armature.animation_data else []
    return any(curve.data_path.startswith("pose.bones") for curve in drivers) or \
        any(not constraint.mute for bone in armature.pose.bones for constraint in bone.constraints)


def sampled_channels(context, action, armature, fps, end):
    """The same of bones that constraints and drivers move: looked at sixty times a second."""
    scene = context.scene
    load.rest(armature)
    armature.animation_data.action = action
    frames = numpy.unique(numpy.append(numpy.arange(0, end, fps / SAMPLES), end))
    rows = {bone.name: [] for bone in armature.pose.bones}
    for frame in frames:
        scene.frame_set(int(frame), subframe=float(frame) % 1)
        for bone in armature.pose.bones:
            local = bone.parent.matrix.inverted_safe() @ bone.matrix if bone.parent else _UP @ bone.matrix
            rows[bone.name].append(local.decompose())
    channels = {}
    for name, poses in rows.items():
        for part, path in enumerate(("translation", "rotation", "scale")):
            values = numpy.array([tuple(pose[part]) for pose in poses])
            channels[name, path] = Keys(frames / fps, numpy.roll(values, -1, axis=1) if path == "rotation" else values)
    return channels
