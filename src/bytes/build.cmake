# Loops over bytes, pixels, vertices or keys.
thaw_optimise(base64.cpp bytes.cpp hex.cpp md5.cpp number_text.cpp)
