# Loops over bytes, pixels, vertices or keys.
thaw_optimise(crypt.cpp decompress.cpp explode.cpp tables.cpp unpack.cpp unpack_sound.cpp)
