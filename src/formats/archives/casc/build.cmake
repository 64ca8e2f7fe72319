# Loops over bytes, pixels, vertices or keys.
thaw_optimise(blte.cpp encoding.cpp index.cpp lookup3.cpp)
