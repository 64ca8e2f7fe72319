# Loops over bytes, pixels, vertices or keys.
thaw_optimise(bake.cpp distance.cpp ground.cpp height_field.cpp land.cpp liquid.cpp minimap.cpp picture.cpp)
