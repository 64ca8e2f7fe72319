# Loops over bytes, pixels, vertices or keys.
thaw_optimise(buffer.cpp document.cpp scene_geometry.cpp vertex_writer.cpp)
