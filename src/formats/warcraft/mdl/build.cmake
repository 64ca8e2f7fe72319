# Loops over bytes, pixels, vertices or keys.
thaw_optimise(lexer.cpp reader.cpp reader_objects.cpp reader_tracks.cpp writer.cpp writer_objects.cpp)
