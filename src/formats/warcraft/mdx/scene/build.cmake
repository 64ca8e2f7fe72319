# Loops over bytes, pixels, vertices or keys.
thaw_optimise(geometry.cpp skin.cpp track.cpp triangles.cpp)
