// Warcraft III models as text (MDL), versions 800 to 1800, in and out of the document that MDX has, too.
//
// docs/formats/mdl.md describes the format. What MDL cannot hold stands in comments that begin with
// `//@thaw`, which other programs skip; docs/user/mdl.md states what they say.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/mdx.hpp>
#include <thaw/options.hpp>

#include <optional>

#pragma GCC visibility push(default)

/// Warcraft III models as text.
namespace thaw::mdl {

/// Two families of programs spell some things differently (mdl.md#dialects). Both are read, mixed as they
/// come.
enum class Dialect : std::uint8_t {
  community,     ///< what the community's tools read and write
  world_editor,  ///< what the World Editor and the game read and write
};

/// What ends a line of the output.
enum class LineEnding : std::uint8_t { lf, crlf };

/// Spelling and layout of the text, and whether it may say what MDL cannot.
struct WriteOptions {
  /// Significant digits of numbers, 1 to 9; 0: as few as read back as the same number.
  unsigned precision = 0;
  /// Blanks per level, at most 16; 0: one tab.
  unsigned indent = 0;
  LineEnding line_ending = LineEnding::lf;
  Dialect dialect = Dialect::community;
  /// Nothing but MDL: what it cannot hold is lost, and reported in the diagnostics.
  bool plain = false;
};

/// True if the bytes begin as an MDL file: with one of its blocks, after comments and blanks.
bool is_mdl(ByteView bytes);
/// The FormatVersion, wherever the block stands; none if there is no such block.
std::optional<std::uint32_t> stated_version(ByteView bytes);

/// Reads a model. What is not understood is reported, with line and column in its message, and skipped; with
/// `options.strict` the first of these is the error instead. Other errors: format.unknown for text that has
/// no block of a model, input.too-large. Chunks come in the usual order of MDX, unless a comment carries
/// another. Where no version is stated it is 800.
Result<mdx::Document> read(ByteView bytes, const ReadOptions& options = {},
                           Diagnostics& diagnostics = Diagnostics::discarded());

/// The model as text. Without `plain` and `precision`, reading the text gives the same document, bit for bit.
/// The diagnostics report what got lost (mdl.lost).
Bytes write(const mdx::Document& document, const WriteOptions& options = {},
            Diagnostics& diagnostics = Diagnostics::discarded());

}  // namespace thaw::mdl

#pragma GCC visibility pop
