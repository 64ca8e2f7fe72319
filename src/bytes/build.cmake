# Loops over bytes, pixels, vertices or keys.
thaw_optimise(bytes.cpp md5.cpp number_text.cpp text_encoding.cpp)
