# Loops over bytes, pixels, vertices or keys.
thaw_optimise(dump.cpp)
