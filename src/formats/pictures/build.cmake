# Loops over pixels.
thaw_optimise(texture_rules.cpp)
