# Loops over bytes, pixels, vertices or keys.
thaw_optimise(document.cpp layout.cpp poses.cpp track_visit.cpp)
