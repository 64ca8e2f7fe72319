# Loops over bytes, pixels, vertices or keys.
thaw_optimise(document.cpp scene_materials.cpp scene_meshes.cpp vertices.cpp)
