# Loops over bytes, pixels, vertices or keys.
thaw_optimise(
  curve.cpp images.cpp liquid.cpp math.cpp normals.cpp pose.cpp scene.cpp simplify.cpp skinned.cpp weights.cpp)
