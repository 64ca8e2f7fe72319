#include "hostile/fail_points.hpp"
#include "bytes/text_encoding.hpp"
#include "formats/descriptor.hpp"

#include <thaw/adt.hpp>
#include <thaw/archive.hpp>
#include <thaw/blp.hpp>
#include <thaw/dds.hpp>
#include <thaw/dma.hpp>
#include <thaw/dme.hpp>
#include <thaw/gltf.hpp>
#include <thaw/image.hpp>
#include <thaw/lit.hpp>
#include <thaw/load.hpp>
#include <thaw/m3.hpp>
#include <thaw/mdl.hpp>
#include <thaw/mdx.hpp>
#include <thaw/mdx_alpha.hpp>
#include <thaw/mrf.hpp>
#include <thaw/mrn.hpp>
#include <thaw/nsa.hpp>
#include <thaw/tga.hpp>
#include <thaw/validate.hpp>
#include <thaw/wdl.hpp>
#include <thaw/wdt.hpp>
#include <thaw/wmo.hpp>
#include <thaw/xml.hpp>

#include "support/files.hpp"
#include "support/paths.hpp"
#include "support/promises.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

namespace thaw::test {

// --- mutations as text

namespace {

constexpr std::array<std::string_view, 6> kEditNames = {"set", "drop", "twice", "cut", "input", "pixels"};
constexpr std::string_view kHexDigits = "0123456789ABCDEF";

std::string hex_of(ByteView bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += kHexDigits[byte >> 4U];
    text += kHexDigits[byte & 15U];
  }
  return text;
}

std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

std::string text_of(const Edit& edit) {
  std::string text(kEditNames.at(static_cast<std::size_t>(edit.kind)));
  const bool limit = edit.kind == Edit::Kind::input_limit || edit.kind == Edit::Kind::pixel_limit;
  text += limit ? '<' : '@';
  text += std::to_string(edit.offset);
  if (edit.kind == Edit::Kind::set) {
    text += '=';
    text += hex_of(edit.bytes);
  } else if (edit.kind == Edit::Kind::drop || edit.kind == Edit::Kind::twice) {
    text += '+';
    text += std::to_string(edit.length);
  }
  return text;
}

std::optional<Edit> parse_edit(std::string_view text) {
  const auto mark = text.find_first_of("@<");
  const auto* name = std::find(kEditNames.begin(), kEditNames.end(), text.substr(0, mark));
  if (mark == std::string_view::npos || name == kEditNames.end()) {
    return std::nullopt;
  }
  Edit edit;
  edit.kind = static_cast<Edit::Kind>(name - kEditNames.begin());
  text.remove_prefix(mark + 1);
  const auto second = std::min(text.find_first_of("=+"), text.size());
  const auto offset = parse_number(text.substr(0, second));
  if (!offset) {
    return std::nullopt;
  }
  edit.offset = *offset;
  const std::string_view rest = text.substr(std::min(second + 1, text.size()));
  if (edit.kind == Edit::Kind::set) {
    const auto bytes = bytes_of_hex(rest);
    edit.bytes = bytes.value_or(Bytes());
    return bytes ? std::optional(edit) : std::nullopt;
  }
  if (edit.kind == Edit::Kind::drop || edit.kind == Edit::Kind::twice) {
    const auto length = parse_number(rest);
    edit.length = length.value_or(0);
    return length ? std::optional(edit) : std::nullopt;
  }
  return edit;
}

void apply(const Edit& edit, Bytes& bytes, ReadOptions& options) {
  const std::uint64_t at = std::min<std::uint64_t>(edit.offset, bytes.size());
  const std::uint64_t length = std::min<std::uint64_t>(edit.length, bytes.size() - at);
  const auto place = bytes.begin() + static_cast<std::ptrdiff_t>(at);
  switch (edit.kind) {
    case Edit::Kind::set:
      std::copy_n(edit.bytes.begin(), std::min<std::uint64_t>(edit.bytes.size(), bytes.size() - at), place);
      break;
    case Edit::Kind::drop:
      bytes.erase(place, place + static_cast<std::ptrdiff_t>(length));
      break;
    case Edit::Kind::twice: {
      const Bytes copy(place, place + static_cast<std::ptrdiff_t>(length));
      bytes.insert(place, copy.begin(), copy.end());
      break;
    }
    case Edit::Kind::cut:
      bytes.resize(at);
      break;
    case Edit::Kind::input_limit:
      options.limits.max_input_bytes = edit.offset;
      break;
    case Edit::Kind::pixel_limit:
      options.limits.max_image_pixels = edit.offset;
      break;
  }
}

/// The parts of a text between separators.
std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = text.find(separator); at != std::string_view::npos; at = text.find(separator)) {
    parts.push_back(text.substr(0, at));
    text.remove_prefix(at + separator.size());
  }
  parts.push_back(text);
  return parts;
}

}  // namespace

std::string text_of(const Mutation& mutation) {
  std::string text;
  for (const auto& edit : mutation.edits) {
    text += text.empty() ? "" : ",";
    text += text_of(edit);
  }
  return text.empty() ? "-" : text;
}

std::optional<Mutation> parse_mutation(std::string_view text) {
  Mutation mutation;
  if (text == "-") {
    return mutation;
  }
  for (const auto part : split(text, ",")) {
    const auto edit = parse_edit(part);
    if (!edit) {
      return std::nullopt;
    }
    mutation.edits.push_back(*edit);
  }
  return mutation;
}

Bytes apply(const Mutation& mutation, ByteView bytes, ReadOptions& options) {
  Bytes mutant(bytes.begin(), bytes.end());
  for (const auto& edit : mutation.edits) {
    apply(edit, mutant, options);
  }
  return mutant;
}

// --- samples

namespace {

/// What thaw_samples writes, where it is small enough to be run a hundred thousand times.
constexpr std::array<std::pair<std::string_view, std::string_view>, 15> kSampleFiles = {{
    {"Textures/knight_glow.blp", "blp"},
    {"Textures/knight_rune.blp", "blp"},
    {"Textures/house_ivy.blp", "blp"},
    {"Textures/chest_diffuse.dds", "dds"},
    {"forgelight/Human_Lod0.dma", "dma"},
    {"World/Maps/Island/lights.lit", "lit"},
    {"everything_v800.mdx", "mdx"},
    {"everything_v1800.mdx", "mdx"},
    {"alpha_everything_v1300.mdx", "mdx_alpha"},
    {"alpha_everything_v1500.mdx", "mdx_alpha"},
    {"banner.mrf", "mrf"},
    {"forgelight/human.mrn", "mrn"},
    {"forgelight/Human_Walk.nsa", "nsa"},
    {"World/Maps/Island/Island.wdl", "wdl"},
    {"forgelight/Human.adr", "adr"},
}};

constexpr std::array<std::string_view, 22> kSeedFormats = {
    "adr",       "adt", "blp", "dds", "dme", "gltf", "jpeg", "lit", "m3",  "mdl", "mdx",
    "mdx_alpha", "mpq", "mrf", "mrn", "nsa", "pack", "png",  "tga", "wdl", "wdt", "wmo"};

std::filesystem::path path_of(std::string_view name) {
  constexpr std::string_view kSeed = "seed/";
  return name.substr(0, kSeed.size()) == kSeed
             ? root_dir() / "fuzz" / "corpus" / name.substr(kSeed.size())
             : samples_dir() / name.substr(std::string_view("file/").size());
}

}  // namespace

Sample load_sample(const std::string& name, const std::string& format) {
  Sample sample{name, format, load(path_of(name)), {}};
  sample.identity = identify(sample.bytes);
  return sample;
}

std::vector<std::pair<std::string, std::string>> sample_names() {
  std::map<std::string, std::vector<std::pair<std::uintmax_t, std::string>>> by_format;
  for (const auto format : kSeedFormats) {
    const auto folder = root_dir() / "fuzz" / "corpus" / format;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      const auto name = "seed/" + std::string(format) + "/" + entry.path().filename().string();
      by_format[std::string(format)].emplace_back(entry.file_size(), name);
    }
  }
  for (const auto& [file, format] : kSampleFiles) {
    const auto name = "file/" + std::string(file);
    by_format[std::string(format)].emplace_back(std::filesystem::file_size(path_of(name)), name);
  }
  std::vector<std::pair<std::string, std::string>> names;
  for (auto& [format, files] : by_format) {
    std::sort(files.begin(), files.end());
    for (const auto& [size, name] : files) {
      names.emplace_back(name, format);
    }
  }
  return names;
}

// --- operations

namespace {

constexpr std::array<std::string_view, kOperationCount> kOperationNames = {
    "read", "strict", "unpack", "rules", "scene", "decode", "convert"};

/// Findings of one operation on their way into an Outcome.
class Collector {
 public:
  explicit Collector(std::optional<std::vector<Reached>>& into) : into_(into.emplace()) {}

  void add(const Diagnostics& diagnostics) {
    for (const auto& item : diagnostics.items()) {
      add(item, false);
    }
  }
  void add(const Diagnostic& item, bool fatal) {
    into_.push_back({std::string(item.code.id), item.offset, item.path, item.message, fatal});
  }
  void add(const std::vector<mdx::Loss>& losses) {
    for (const auto& loss : losses) {
      add({loss.code, {}, loss.path, loss.message}, false);
    }
  }
  /// The error if there is no value.
  template <class T>
  void add_error(const Result<T>& result) {
    if (!result) {
      add(result.error(), true);
    }
  }

 private:
  std::vector<Reached>& into_;
};

/// By the reader of the sample, whatever the mutant looks like.
Result<AnyDocument> read_as(const Sample& sample, ByteView bytes, const ReadOptions& options,
                            Diagnostics& diagnostics) {
  const auto& operations = sample.identity.format.descriptor().document;
  return operations.read != nullptr ? operations.read(bytes, sample.identity, options, diagnostics)
                                    : read_any(bytes, options, diagnostics);
}

void convert_model(const mdx::Document& model, Collector& collector) {
  mdx::ConversionOptions options;
  options.moments = 4;
  for (const std::uint32_t version : {800U, 1000U, 1800U}) {
    const auto converted = mdx::convert_version(model, version, options);
    collector.add_error(converted);
    if (converted) {
      collector.add(converted->losses);
    }
  }
  collector.add_error(mdx::optimize(model));
  mdl::WriteOptions plain;
  plain.plain = true;
  Diagnostics lost;
  (void)mdl::write(model, plain, lost);
  collector.add(lost);
}

void convert_building(const wmo::Document& building, Collector& collector) {
  const std::array<const wmo::Document*, 1> self = {&building};
  Diagnostics findings;
  collector.add_error(wmo::to_later(building, self, findings));
  collector.add_error(wmo::to_alpha(building, self, findings));
  collector.add(findings);
}

/// False if there is nothing to convert a document of its type into.
bool convert(const AnyDocument& any, Collector& collector) {
  Diagnostics findings;
  if (const auto* model = any.get_if<mdx::Document>()) {
    convert_model(*model, collector);
  } else if (const auto* alpha = any.get_if<mdx_alpha::Document>()) {
    (void)mdx_alpha::to_warcraft(*alpha, findings);
  } else if (const auto* building = any.get_if<wmo::Document>()) {
    convert_building(*building, collector);
  } else if (const auto* map = any.get_if<wdt::Document>()) {
    for (const auto& tile : map->tiles) {
      (void)adt::tile_from_alpha(map->map, tile, "", findings);
    }
    (void)adt::map_from_alpha(map->map, {{3, 4}}, findings);
  } else if (const auto* tile = any.get_if<adt::Document>()) {
    const std::array placed = {adt::PlacedTile{{1, 1}, tile}};
    (void)adt::to_alpha(nullptr, placed, findings);
  } else if (const auto* animation = any.get_if<nsa::Document>()) {
    (void)nsa::decode(*animation, findings);
  } else {
    return false;
  }
  collector.add(findings);
  return true;
}

bool is_picture(Format format) { return format.descriptor().picture != nullptr; }

/// Of the usual target, and of rules that only the strict one asks for.
void add_rule_findings(const AnyDocument& any, Collector collector) {
  const Diagnostics usual = validate(any, {});
  collector.add(usual);
  ValidateOptions options;
  options.target = ValidateTarget::strict;
  const Diagnostics strict = validate(any, options);
  for (const auto& finding : strict.items()) {
    const bool known = std::any_of(usual.items().begin(), usual.items().end(),
                                   [&](const auto& other) { return other.code.id == finding.code.id; });
    if (!known) {
      collector.add(finding, false);
    }
  }
}

void note(std::vector<std::string> problems, Outcome& outcome) {
  std::move(problems.begin(), problems.end(), std::back_inserter(outcome.broken));
}

void after_reading(const Sample& sample, const AnyDocument& any, ByteView bytes, const ReadOptions& options,
                   unsigned requested, Outcome& outcome) {
  const auto wants = [&](Operation operation) { return (requested & operation_bit(operation)) != 0; };
  const auto slot = [&](Operation operation) -> auto& {
    return outcome.by_operation.at(static_cast<std::size_t>(operation));
  };
  if (!sample.identity.format.is_text()) {
    const Bytes written = write_any(any);
    outcome.rewritten = std::equal(written.begin(), written.end(), bytes.begin(), bytes.end());
  }
  const bool promises = (requested & kPromises) != 0;
  if (promises) {
    note(problems_of(any, bytes), outcome);
  }
  if (wants(Operation::rules)) {
    add_rule_findings(any, Collector(slot(Operation::rules)));
  }
  if (is_picture(sample.identity.format)) {
    if (wants(Operation::decode)) {
      Collector collector(slot(Operation::decode));
      Diagnostics findings;
      const auto image = decode_texture(bytes, options, findings);
      collector.add_error(image);
      collector.add(findings);
      if (promises && image) {
        note(problems_of(*image), outcome);
      }
    }
    return;
  }
  if (wants(Operation::scene)) {
    Collector collector(slot(Operation::scene));
    Diagnostics findings;
    OpenSceneOptions request;
    request.path = "sample";
    const auto scene = bare_scene(any, {}, request, findings);
    collector.add_error(scene);
    collector.add(findings);
    if (promises && scene) {
      note(problems_of(*scene), outcome);
    }
  }
  if (wants(Operation::convert)) {
    Collector collector(slot(Operation::convert));
    if (!convert(any, collector)) {
      slot(Operation::convert).reset();
    }
  }
}

void run_archive(ByteView bytes, const ReadOptions& options, unsigned requested, Outcome& outcome) {
  Collector opening(outcome.by_operation[static_cast<std::size_t>(Operation::read)]);
  Diagnostics findings;
  const auto opened =
      open_archive(memory_storage(Bytes(bytes.begin(), bytes.end())), {options.limits, {}}, findings);
  opening.add_error(opened);
  opening.add(findings);
  if (!opened || (requested & operation_bit(Operation::unpack)) == 0) {
    return;
  }
  Collector unpacking(outcome.by_operation[static_cast<std::size_t>(Operation::unpack)]);
  constexpr std::size_t kMost = 64;
  const Archive& archive = **opened;
  for (const auto& entry : archive.entries().first(std::min(kMost, archive.entries().size()))) {
    Diagnostics reported;
    unpacking.add_error(archive.unpack(entry, reported));
    unpacking.add(reported);
  }
}

/// The scene of a glTF, which is not made of its document.
void run_gltf(ByteView bytes, const ReadOptions& options, unsigned requested, Outcome& outcome) {
  Collector collector(outcome.by_operation[static_cast<std::size_t>(Operation::scene)]);
  Diagnostics findings;
  GltfReadOptions read;
  read.limits = options.limits;
  const auto scene = read_gltf(bytes, read, findings);
  collector.add_error(scene);
  collector.add(findings);
  if ((requested & kPromises) != 0 && scene) {
    note(problems_of(*scene), outcome);
  }
}

void run_strictly(const Sample& sample, ByteView bytes, ReadOptions options, Outcome& outcome) {
  options.strict = true;
  Collector collector(outcome.by_operation[static_cast<std::size_t>(Operation::strict)]);
  Diagnostics findings;
  collector.add_error(read_as(sample, bytes, options, findings));
  collector.add(findings);
}

}  // namespace

std::string_view operation_name(Operation operation) {
  return kOperationNames.at(static_cast<std::size_t>(operation));
}

std::string text_of(const Reached& reached) {
  std::string text = reached.fatal ? "!" : "";
  text += reached.code;
  if (reached.offset) {
    text += '@';
    text += std::to_string(*reached.offset);
  }
  text += reached.path.empty() ? "" : " ";
  for (const char c : reached.path) {
    // Paths hold names of the file's own.
    text += c >= ' ' && c < '\x7F' && c != '|' ? c : '?';
  }
  return text;
}

Layout layout_of(const Sample& sample) {
  Layout layout;
  Diagnostics ignored;
  const auto document = read_as(sample, sample.bytes, {}, ignored);
  if (document && !sample.identity.format.is_text()) {
    layout = layout_of(inspection_of(*document));
  }
  if (layout.words.empty()) {
    for (std::uint64_t at = 0; at + 4 <= sample.bytes.size(); at += 4) {
      layout.words.push_back({at, 4, "bytes"});
      layout.boundaries.push_back(at);
    }
  }
  return layout;
}

Outcome run(const Sample& sample, ByteView bytes, const ReadOptions& options, unsigned requested) {
  Outcome outcome;
  if (sample.identity.format.is_archive()) {
    run_archive(bytes, options, requested, outcome);
    return outcome;
  }
  if (sample.format == "gltf") {
    run_gltf(bytes, options, requested, outcome);
    requested &= ~operation_bit(Operation::scene);
  }
  Diagnostics findings;
  const auto document = read_as(sample, bytes, options, findings);
  Collector reading(outcome.by_operation[static_cast<std::size_t>(Operation::read)]);
  reading.add_error(document);
  reading.add(findings);
  if ((requested & operation_bit(Operation::strict)) != 0) {
    run_strictly(sample, bytes, options, outcome);
  }
  if (document) {
    after_reading(sample, *document, bytes, options, requested, outcome);
  }
  return outcome;
}

// --- the table

std::string text_of(const FailPoint& point) {
  std::string line = point.format + '\t' + point.sample + '\t';
  line += operation_name(point.operation);
  line += '\t' + point.mutation + '\t' + std::to_string(point.findings) + '\t';
  for (std::size_t i = 0; i < point.reached.size(); ++i) {
    line += i == 0 ? "" : " | ";
    line += point.reached[i];
  }
  return line;
}

namespace {

std::optional<Operation> operation_by_name(std::string_view name) {
  const auto* found = std::find(kOperationNames.begin(), kOperationNames.end(), name);
  return found == kOperationNames.end()
             ? std::nullopt
             : std::optional(static_cast<Operation>(found - kOperationNames.begin()));
}

}  // namespace

std::vector<FailPoint> parse_table(std::string_view text) {
  std::vector<FailPoint> points;
  for (const auto line : split(text, "\n")) {
    const auto columns = split(line, "\t");
    if (columns.size() != 6 || line.front() == '#') {
      continue;
    }
    FailPoint point{std::string(columns[0]),
                    std::string(columns[1]),
                    operation_by_name(columns[2]).value_or(Operation::read),
                    std::string(columns[3]),
                    static_cast<std::size_t>(parse_number(columns[4]).value_or(0)),
                    {}};
    for (const auto reached : split(columns[5], " | ")) {
      point.reached.emplace_back(reached);
    }
    points.push_back(std::move(point));
  }
  return points;
}

}  // namespace thaw::test
