# Reads whole files.
thaw_optimise(file.cpp)
