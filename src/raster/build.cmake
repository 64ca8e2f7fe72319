# Loops over bytes, pixels, vertices or keys.
thaw_optimise(raster.cpp surface.cpp textures.cpp tile.cpp triangles.cpp)
