// glTF files as they stand, so that they can be looked at and written back like any other format. What is in
// them as a scene is read by read_gltf (thaw/gltf_read.hpp).
//
// Source: glTF 2.0 specification, chapter 4 (GLB).
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/inspect.hpp>
#include <thaw/options.hpp>

#include <string_view>
#include <vector>

#pragma GCC visibility push(default)

/// glTF files as they stand.
namespace thaw::gltf {

/// A chunk of a GLB, whatever is in it.
struct Chunk {
  FourCC type;
  Bytes data;

  static constexpr std::size_t kMinSize = 8;
  friend bool operator==(const Chunk&, const Chunk&) = default;
};

/// A GLB, or the text of a .gltf, whose buffers and pictures are other files.
struct Document {
  bool binary = true;
  std::uint32_t version = 2;  ///< of the container
  std::uint32_t length = 0;   ///< of the file, as it states it
  std::vector<Chunk> chunks;  ///< up to the first that is cut off
  std::vector<Gap> gaps;      ///< what lies behind them
  Bytes text;                 ///< of a .gltf

  /// The characters of the JSON; empty for a GLB without any.
  [[nodiscard]] std::string_view json() const;

  friend bool operator==(const Document&, const Document&) = default;
};

/// Reads the container without looking into its JSON. A chunk that is cut off and a length that is not the
/// file's are reported (with `options.strict` the first of these is the error). Errors: format.unknown for
/// what is neither a GLB nor a text, input.too-large.
Result<Document> read(ByteView bytes, const ReadOptions& options = {},
                      Diagnostics& diagnostics = Diagnostics::unwanted());

/// The file's bytes.
Bytes write(const Document& document);

/// Shows every chunk with its offset.
void inspect(const Document& document, Inspector& inspector);

}  // namespace thaw::gltf

#pragma GCC visibility pop
