# Loops over bytes, pixels, vertices or keys.
thaw_optimise(decode.cpp document.cpp encode.cpp)
