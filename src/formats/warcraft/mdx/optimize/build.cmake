# Loops over bytes, pixels, vertices or keys.
thaw_optimise(keys.cpp measure.cpp vertices.cpp)
