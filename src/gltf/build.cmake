# Loops over bytes, pixels, vertices or keys.
thaw_optimise(
  animation_builder.cpp animations.cpp buffer.cpp meshes.cpp mesh_reader.cpp pictures.cpp pixels.cpp serialize.cpp)
