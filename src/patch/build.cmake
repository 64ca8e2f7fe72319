# Loops over the bytes of a text.
thaw_optimise(json_scan.cpp)
