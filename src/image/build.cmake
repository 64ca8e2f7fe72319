# Loops over bytes, pixels, vertices or keys.
thaw_optimise(
  apng.cpp bc7.cpp block_encode.cpp blocks.cpp gif.cpp jpeg.cpp jpeg_encode.cpp palette.cpp pixels.cpp
  png_decode.cpp png_encode.cpp reduce.cpp stb_dxt.cpp)
