# Loops over bytes, pixels, vertices or keys.
thaw_optimise(
  builder.cpp camera.cpp emission.cpp evaluator.cpp lighting.cpp meshes.cpp particles.cpp pick.cpp pose.cpp ribbons.cpp
  splats.cpp surface.cpp)
