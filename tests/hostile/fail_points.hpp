// Fail points: inputs that reach every finding of the readers and of what follows on reading. The table
// fail_points.tsv is written by fail_points_search.cpp (scripts/fail-points) and replayed by
// fail_points_test.cpp.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/format.hpp>
#include <thaw/options.hpp>

#include "support/mutate.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thaw::test {

/// One change of a file. In text: `set@12=FFFFFFFF`, `drop@12+4` (these bytes go), `twice@12+4` (they stand
/// twice), `cut@12` (so many bytes stay), `input<10` and `pixels<10` (limits of the reader).
struct Edit {
  enum class Kind : std::uint8_t { set, drop, twice, cut, input_limit, pixel_limit };

  Kind kind = Kind::set;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  Bytes bytes;
};

/// Edits one after the other, each over what the one before left. In text separated by commas; `-` is none.
struct Mutation {
  std::vector<Edit> edits;
};
std::string text_of(const Mutation& mutation);
/// None for a text that is no mutation.
std::optional<Mutation> parse_mutation(std::string_view text);
/// The bytes; limits go into `options`. Edits beyond the end change nothing.
Bytes apply(const Mutation& mutation, ByteView bytes, ReadOptions& options);

/// A file that is mutated. Names begin with `seed/` for fuzz/corpus and `file/` for what thaw_samples writes.
struct Sample {
  std::string name;
  std::string format;  ///< "mdx", as the folders of fuzz/corpus
  Bytes bytes;
  Identity identity;
};
Sample load_sample(const std::string& name, const std::string& format);
/// Of all formats; those of a format stand together, small ones first.
std::vector<std::pair<std::string, std::string>> sample_names();  ///< name and format

/// What is done with a file.
enum class Operation : std::uint8_t {
  read,     ///< by the format's reader; archives are opened
  strict,   ///< the same with ReadOptions::strict
  unpack,   ///< every file of an archive
  rules,    ///< validate
  scene,    ///< bare_scene, with no other files
  decode,   ///< decode_texture
  convert,  ///< into every other version or form
};
inline constexpr std::size_t kOperationCount = 7;
std::string_view operation_name(Operation operation);

struct Reached {
  std::string code;
  std::optional<std::uint64_t> offset;
  std::string path;
  std::string message;
  bool fatal = false;  ///< the operation gave nothing but this
};
/// "!read.count@12 GEOS[1].positions": the mark of a fatal one, its code, offset and path.
std::string text_of(const Reached& reached);

/// What the operations that apply say, by Operation; none for those that do not apply. The operations are
/// those of `wanted` (a set of bits), and reading.
struct Outcome {
  std::array<std::optional<std::vector<Reached>>, kOperationCount> by_operation;
  bool rewritten = true;            ///< what was read was written back to the same bytes
  std::vector<std::string> broken;  ///< promises of what was made; with kPromises only
};
Outcome run(const Sample& sample, ByteView bytes, const ReadOptions& options, unsigned requested);
constexpr unsigned operation_bit(Operation operation) { return 1U << static_cast<unsigned>(operation); }
inline constexpr unsigned kAllOperations = (1U << kOperationCount) - 1;
/// The document, the scene, the picture that the operations make are held to what their types promise.
inline constexpr unsigned kPromises = 1U << kOperationCount;

/// Where a document of the sample can be cut, and its words; every fourth byte of what has no fields.
Layout layout_of(const Sample& sample);

/// A line of the table.
struct FailPoint {
  std::string format;
  std::string sample;
  Operation operation = Operation::read;
  std::string mutation;
  std::size_t findings = 0;          ///< of the operation, altogether
  std::vector<std::string> reached;  ///< those for whose sake the line is there
};
std::string text_of(const FailPoint& point);
std::vector<FailPoint> parse_table(std::string_view text);

}  // namespace thaw::test
