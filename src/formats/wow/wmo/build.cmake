# Loops over bytes, pixels, vertices or keys.
thaw_optimise(bsp.cpp document.cpp scene_groups.cpp)
