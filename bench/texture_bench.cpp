// Textures: block decompression beside libsquish, JPEG inside BLP1 and PNG over real files beside libspng and
// libpng. Real files are those below THAW_CORPUS; without it, their benchmarks say so and PNG takes a made-up
// picture. Items are pixels, bytes are RGBA.
#include <thaw/blp.hpp>
#include <thaw/image.hpp>

#include <benchmark/benchmark.h>

#include "files.hpp"
#include "image/blocks.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#ifdef THAW_BENCH_SQUISH
#include <dlfcn.h>
#include <squish.h>
#endif
#ifdef THAW_BENCH_SPNG
#include <spng.h>
#endif
#ifdef THAW_BENCH_PNG
#include <png.h>
#endif

namespace {

namespace fs = std::filesystem;
using namespace thaw;

void count(benchmark::State& state, std::uint64_t pixels) {
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(pixels));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(pixels * 4));
}

// --- block compression
// ----------------------------------------------------------------------------------------------

constexpr std::uint32_t kSide = 1024;
constexpr std::size_t kPixels = std::size_t{kSide} * kSide;

/// Random blocks: no branch of a decoder can be predicted.
Bytes random_blocks(BlockFormat format) {
  Bytes bytes(block_data_size(block_bytes(format), kSide, kSide));
  std::uint64_t state = 1;
  for (auto& byte : bytes) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    byte = static_cast<std::uint8_t>(state >> 56U);
  }
  return bytes;
}

void thaw_blocks(benchmark::State& state, BlockFormat format) {
  const Bytes blocks = random_blocks(format);
  Bytes rgba(kPixels * 4);
  for (auto _ : state) {
    decode_blocks(format, blocks.data(), kSide, kSide, rgba.data());
    benchmark::ClobberMemory();
  }
  count(state, kPixels);
}
BENCHMARK_CAPTURE(thaw_blocks, bc1, BlockFormat::bc1);
BENCHMARK_CAPTURE(thaw_blocks, bc2, BlockFormat::bc2);
BENCHMARK_CAPTURE(thaw_blocks, bc3, BlockFormat::bc3);
BENCHMARK_CAPTURE(thaw_blocks, bc4, BlockFormat::bc4_unsigned);
BENCHMARK_CAPTURE(thaw_blocks, bc5, BlockFormat::bc5_unsigned);
BENCHMARK_CAPTURE(thaw_blocks, bc7, BlockFormat::bc7);

#ifdef THAW_BENCH_SQUISH
/// Debian's libsquish spreads rows over all cores with OpenMP; compared is one thread with one thread.
void use_one_thread() {
  using SetThreads = void (*)(int);
  if (auto* set = reinterpret_cast<SetThreads>(dlsym(RTLD_DEFAULT, "omp_set_num_threads"))) {
    set(1);
  }
}

void squish_blocks(benchmark::State& state, BlockFormat format, int flags) {
  use_one_thread();
  const Bytes blocks = random_blocks(format);
  Bytes rgba(kPixels * 4);
  for (auto _ : state) {
    squish::DecompressImage(rgba.data(), kSide, kSide, blocks.data(), flags);
    benchmark::ClobberMemory();
  }
  count(state, kPixels);
}
BENCHMARK_CAPTURE(squish_blocks, bc1, BlockFormat::bc1, squish::kDxt1);
BENCHMARK_CAPTURE(squish_blocks, bc2, BlockFormat::bc2, squish::kDxt3);
BENCHMARK_CAPTURE(squish_blocks, bc3, BlockFormat::bc3, squish::kDxt5);
BENCHMARK_CAPTURE(squish_blocks, bc4, BlockFormat::bc4_unsigned, squish::kBc4);
BENCHMARK_CAPTURE(squish_blocks, bc5, BlockFormat::bc5_unsigned, squish::kBc5);
#endif

// --- real files
// -----------------------------------------------------------------------------------------------------

using bench::load;

std::vector<Bytes> real_textures() {
  std::vector<fs::path> paths;
  if (const char* corpus = std::getenv("THAW_CORPUS")) {
    for (const auto& entry : fs::recursive_directory_iterator(corpus)) {
      const auto extension = entry.path().extension();
      if (entry.is_regular_file() && (extension == ".blp" || extension == ".dds")) {
        paths.push_back(entry.path());
      }
    }
  }
  std::sort(paths.begin(), paths.end());
  std::vector<Bytes> files;
  for (const auto& path : paths) {
    files.push_back(load(path));
  }
  return files;
}

/// JPEG in BLP1, from the file's bytes to RGBA. `MB/s` is of the files.
void blp1_jpeg(benchmark::State& state) {
  std::vector<Bytes> files;
  std::size_t size = 0;
  for (auto& file : real_textures()) {
    Diagnostics diagnostics;
    const auto document =
        blp::is_blp(file) ? blp::read(file, {}, diagnostics) : fail(codes::kFormatUnknown, "");
    if (document && document->content() == blp::Content::jpeg) {
      size += document->level_data(0).size() + document->jpeg_header.size();
      files.push_back(std::move(file));
    }
  }
  if (files.empty()) {
    state.SkipWithError("no BLP1 below THAW_CORPUS");
    return;
  }
  std::uint64_t pixels = 0;
  for (auto _ : state) {
    pixels = 0;
    for (const auto& file : files) {
      Diagnostics diagnostics;
      pixels += decode_texture(file, {}, diagnostics)->pixels();
    }
  }
  count(state, pixels);
  state.counters["MB/s"] =
      benchmark::Counter(static_cast<double>(size) / 1e6, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(blp1_jpeg)->Unit(benchmark::kMillisecond);

/// What PNG is measured with: the real textures, else one with smooth and noisy parts.
const std::vector<Image>& pictures() {
  static const std::vector<Image> kPictures = [] {
    std::vector<Image> images;
    for (const auto& file : real_textures()) {
      Diagnostics diagnostics;
      if (auto image = decode_texture(file, {}, diagnostics)) {
        images.push_back(std::move(*image));
      }
    }
    if (images.empty()) {
      Image image{kSide, kSide, Bytes(kPixels * 4)};
      std::uint32_t noise = 1;
      for (std::size_t i = 0; i < image.rgba.size(); ++i) {
        noise = noise * 1664525U + 1013904223U;
        image.rgba[i] = static_cast<std::uint8_t>(i / 64 % 256 + (noise >> 28U));
      }
      images.push_back(std::move(image));
    }
    return images;
  }();
  return kPictures;
}

/// Runs `encode`, which returns the bytes written, over all pictures.
template <class Encode>
void encode_all(benchmark::State& state, Encode&& encode) {
  std::uint64_t pixels = 0;
  std::uint64_t written = 0;
  for (auto _ : state) {
    pixels = 0;
    written = 0;
    for (const auto& image : pictures()) {
      written += encode(image);
      pixels += image.pixels();
    }
  }
  count(state, pixels);
  state.counters["share"] = static_cast<double>(written) / static_cast<double>(pixels * 4);
}

void png_thaw(benchmark::State& state) {
  const auto level = static_cast<int>(state.range(0));
  encode_all(state, [&](const Image& image) { return encode_png(image, level).size(); });
}
BENCHMARK(png_thaw)->Arg(1)->Arg(2)->Arg(4)->Arg(6)->Unit(benchmark::kMillisecond);

#ifdef THAW_BENCH_SPNG
void png_spng(benchmark::State& state) {
  encode_all(state, [&](const Image& image) {
    spng_ctx* context = spng_ctx_new(SPNG_CTX_ENCODER);
    spng_set_option(context, SPNG_ENCODE_TO_BUFFER, 1);
    spng_set_option(context, SPNG_IMG_COMPRESSION_LEVEL, static_cast<int>(state.range(0)));
    spng_ihdr header{image.width, image.height, 8, SPNG_COLOR_TYPE_TRUECOLOR_ALPHA, 0, 0, 0};
    spng_set_ihdr(context, &header);
    spng_encode_image(context, image.rgba.data(), image.rgba.size(), SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE);
    std::size_t size = 0;
    int error = 0;
    std::free(spng_get_png_buffer(context, &size, &error));
    spng_ctx_free(context);
    return size;
  });
}
BENCHMARK(png_spng)->Arg(1)->Arg(6)->Unit(benchmark::kMillisecond);
#endif

#ifdef THAW_BENCH_PNG
void png_libpng(benchmark::State& state) {
  Bytes out;
  encode_all(state, [&](const Image& image) {
    png_image header{};
    header.version = PNG_IMAGE_VERSION;
    header.width = image.width;
    header.height = image.height;
    header.format = PNG_FORMAT_RGBA;
    png_alloc_size_t size = image.rgba.size() + image.rgba.size() / 8 + 4096;
    out.resize(size);
    png_image_write_to_memory(&header, out.data(), &size, 0, image.rgba.data(), 0, nullptr);
    return size;
  });
}
BENCHMARK(png_libpng)->Unit(benchmark::kMillisecond);
#endif

std::vector<Bytes> encoded_pictures() {
  std::vector<Bytes> files;
  for (const auto& image : pictures()) {
    files.push_back(encode_png(image));
  }
  return files;
}

void png_decode(benchmark::State& state) {
  const auto files = encoded_pictures();
  std::uint64_t pixels = 0;
  for (auto _ : state) {
    pixels = 0;
    for (const auto& file : files) {
      pixels += decode_png(file, {})->pixels();
    }
  }
  count(state, pixels);
}
BENCHMARK(png_decode)->Unit(benchmark::kMillisecond);

#ifdef THAW_BENCH_PNG
void png_decode_libpng(benchmark::State& state) {
  const auto files = encoded_pictures();
  std::uint64_t pixels = 0;
  for (auto _ : state) {
    pixels = 0;
    for (const auto& file : files) {
      png_image header{};
      header.version = PNG_IMAGE_VERSION;
      png_image_begin_read_from_memory(&header, file.data(), file.size());
      header.format = PNG_FORMAT_RGBA;
      Bytes rgba(PNG_IMAGE_SIZE(header));
      png_image_finish_read(&header, nullptr, rgba.data(), 0, nullptr);
      benchmark::DoNotOptimize(rgba.data());
      pixels += std::uint64_t{header.width} * header.height;
    }
  }
  count(state, pixels);
}
BENCHMARK(png_decode_libpng)->Unit(benchmark::kMillisecond);
#endif

/// What no decoder can beat: its output, written once.
void copy_pixels(benchmark::State& state) {
  const Bytes from(kPixels * 4, 7);
  Bytes to(kPixels * 4);
  for (auto _ : state) {
    std::memcpy(to.data(), from.data(), from.size());
    benchmark::DoNotOptimize(to.data());
    benchmark::ClobberMemory();
  }
  count(state, kPixels);
}
BENCHMARK(copy_pixels);

}  // namespace
