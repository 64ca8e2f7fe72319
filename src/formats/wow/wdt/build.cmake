# Loops over bytes, pixels, vertices or keys.
thaw_optimise(document.cpp map_writer.cpp stream.cpp world.cpp)
