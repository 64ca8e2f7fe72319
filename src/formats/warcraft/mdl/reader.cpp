#include "formats/warcraft/mdl/reader.hpp"

#include "bytes/text.hpp"
#include "bytes/text_encoding.hpp"
#include "formats/warcraft/mdl/reader_impl.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::mdl {
namespace {

/// Objects in memory are larger than `Bitmap {}` in a file. All of them together may take this many times the
/// text; lists grow by doubling, which takes as much again.
constexpr std::size_t kObjectsPerByte = 4;
constexpr std::size_t kObjectsAllowance = std::size_t{16} << 20U;

std::string quoted(std::string_view text) {
  constexpr std::size_t kMost = 40;
  std::string result(text.substr(0, kMost));
  return '"' + result + (text.size() > kMost ? "…\"" : "\"");
}

std::string printable(char c) {
  return c > ' ' && c < '\x7F' ? std::string("'") + c + '\'' : "a control or non-ASCII byte";
}

std::string instead(Lexer& lexer) {
  return lexer.at_end() ? ", but the file ends" : ", not " + printable(lexer.peek());
}

}  // namespace

TextReader::TextReader(std::string_view text, std::uint32_t version, const ReadOptions& options,
                       Diagnostics& diagnostics)
    : lexer_(text),
      version_(version),
      options_(options),
      diagnostics_(diagnostics),
      property_(text.data()),
      objects_limit_(text.size() * kObjectsPerByte + kObjectsAllowance) {
  constexpr std::size_t kBanner = 1024;
  exchanges_ = text.substr(0, kBanner).find("War3 Model Editor") != std::string_view::npos;
}

// --- findings
// -----------------------------------------------------------------------------------------------------

std::string TextReader::path() const {
  std::string text;
  for (const auto& scope : scopes_) {
    text += text.empty() ? "" : ".";
    text += scope.name;
    text += scope.index ? '[' + std::to_string(*scope.index) + ']' : "";
  }
  return text;
}

void TextReader::report(Code code, const char* at, std::string message) {
  if (error_) {
    return;
  }
  const bool stops = options_.strict && code.severity >= Severity::warning;
  if (!stops && !diagnostics_.has_room()) {
    diagnostics_.add(Diagnostic{code, {}, {}, {}});
    return;
  }
  const TextPosition place = lexer_.place(at);
  message =
      "line " + std::to_string(place.line) + ", column " + std::to_string(place.column) + ": " + message;
  Diagnostic finding{code, lexer_.offset(at), path(), std::move(message)};
  if (stops) {
    error_ = std::move(finding);
    lexer_.stop();
  } else {
    diagnostics_.add(std::move(finding));
  }
}

void TextReader::report_version(const char* at, std::uint32_t version) {
  report(codes::kMdlVersion, at,
         "the property needs version " + std::to_string(version) + " or later; a model of version " +
             std::to_string(version_) + " is written without it");
}

void TextReader::report_cut(std::string_view content, std::size_t size) {
  report(codes::kMdlCut, property_,
         quoted(content) + " truncated to the field's " + std::to_string(size - 1) + " bytes");
}

// --- properties
// ---------------------------------------------------------------------------------------------------

bool TextReader::next_property() {
  static constexpr Keyword kStatic{"static"};
  static constexpr Keyword kBytes{"Bytes"};
  for (;;) {
    if (closing("block")) {
      return false;
    }
    if (is_word_start(lexer_.peek())) {
      property_ = lexer_.at();
      key_ = lexer_.word();
      static_ = key_.is(kStatic);
      bytes_ = key_.is(kBytes);
      if ((static_ || bytes_) && is_word_start(lexer_.peek())) {
        key_ = lexer_.word();
      }
      return true;
    }
    report(codes::kMdlSyntax, lexer_.at(),
           "expected a property, not " + (lexer_.peek() == '"' ? "a string" : printable(lexer_.peek())) +
               "; it was skipped");
    if (lexer_.take('{')) {
      lexer_.skip_braces(1);
    } else {
      lexer_.skip_one();
    }
  }
}

/// At the end of what is in braces? Takes the brace.
bool TextReader::closing(const char* what) {
  if (lexer_.take('}')) {
    return true;
  }
  if (!lexer_.at_end()) {
    return false;
  }
  // Everything around it ends here, too, and needs no report.
  if (!ended_) {
    ended_ = true;
    report(codes::kMdlSyntax, lexer_.at(), std::string("the file ends inside a ") + what);
  }
  return true;
}

void TextReader::expect_close() {
  if (lexer_.take('}')) {
    return;
  }
  report(codes::kMdlSyntax, lexer_.at(),
         lexer_.at_end() ? "the file ends before a '}'" : "expected '}', not " + printable(lexer_.peek()));
  lexer_.skip_braces(1);
}

void TextReader::skip_unknown(std::string_view meant) {
  if (error_) {
    return;
  }
  const Word word = key_;
  report(codes::kMdlUnknown, property_,
         quoted(word.text) + " is unknown here and was skipped" +
             (meant.empty() ? "" : "; did you mean " + std::string(meant) + "?"));
  const std::uint32_t line = lexer_.place(property_).line;
  for (;;) {
    const char c = lexer_.peek_comma();
    if (lexer_.left() == 0) {
      ended_ = true;
      report(codes::kMdlSyntax, lexer_.at(), "the file ends after " + quoted(word.text));
      return;
    }
    if (c == '}') {
      return;
    }
    if (c == ',') {
      lexer_.skip_char();
      return;
    }
    if (lexer_.take('{')) {
      if (!lexer_.skip_braces(1)) {
        ended_ = true;
        report(codes::kMdlSyntax, lexer_.at(), "the file ends before a '}'");
      }
      return;
    }
    // The comma is optional: what begins a line is the next property.
    if (is_word_start(c) && lexer_.place(lexer_.at()).line != line) {
      return;
    }
    lexer_.skip_one();
  }
}

void TextReader::note_repetition() {
  // Keyframes and a constant of one name are two properties.
  const std::uint32_t hash = key_.hash ^ (static_ ? 1U : 0U);
  if (std::find(seen_.begin(), seen_.end(), hash) != seen_.end()) {
    report(codes::kMdlDuplicate, property_, quoted(key_.text) + " occurs twice; the last one is used");
  } else {
    seen_.push_back(hash);
  }
}

void TextReader::exchange(const Keyword& a, const Keyword& b) {
  if (exchanges_) {
    const Keyword& other = key_.is(a) ? b : a;
    if (key_.is(a) || key_.is(b)) {
      key_ = {other.text, other.hash};
    }
  }
}

void TextReader::statistics() {
  static constexpr std::array kCounts = {Keyword{"NumGeosets"},
                                         Keyword{"NumGeosetAnims"},
                                         Keyword{"NumHelpers"},
                                         Keyword{"NumBones"},
                                         Keyword{"NumLights"},
                                         Keyword{"NumAttachments"},
                                         Keyword{"NumEvents"},
                                         Keyword{"NumParticleEmitters"},
                                         Keyword{"NumParticleEmitters2"},
                                         Keyword{"NumRibbonEmitters"},
                                         Keyword{"NumParticleEmittersPopcorn"},
                                         Keyword{"NumFaceFX"}};
  for (const auto& count : kCounts) {
    std::uint32_t informational = 0;
    number(count, informational);
  }
}

// --- values
// -------------------------------------------------------------------------------------------------------

Header TextReader::open(const Keyword& name) {
  Header header;
  for (;;) {
    const char c = lexer_.peek();
    if (lexer_.take('{')) {
      header.opened = true;
      return header;
    }
    float number = 0;
    if (c == '"') {
      header.name = read_string();
    } else if (lexer_.number(number)) {
      if (!header.count) {
        header.count = number >= 0 && number < 1e9F ? static_cast<std::uint64_t>(number) : 0;
      }
    } else {
      report(codes::kMdlSyntax, lexer_.at(),
             "expected '{' after " + std::string(name.text) +
                 (lexer_.at_end() ? ", but the file ends" : ", not " + printable(c)));
      return header;
    }
  }
}

bool TextReader::read_value(float& value) {
  if (lexer_.number(value)) {
    return true;
  }
  report(codes::kMdlSyntax, lexer_.at(), "expected a number" + instead(lexer_));
  value = 0;
  return false;
}

bool TextReader::read_value(bool& value) {
  std::uint32_t number = 0;
  const bool found = read_value(number);
  value = number != 0;
  return found;
}

bool TextReader::read_integer(std::int64_t& value, std::int64_t least, std::int64_t most) {
  lexer_.peek();
  const char* const start = lexer_.at();
  if (!lexer_.integer(value)) {
    float number = 0;
    if (!read_value(number)) {
      value = 0;
      return false;
    }
    constexpr float kHuge = 1e18F;
    value = std::isfinite(number) && std::abs(number) < kHuge ? static_cast<std::int64_t>(number)
            : number > 0                                      ? std::numeric_limits<std::int64_t>::max()
            : number < 0                                      ? std::numeric_limits<std::int64_t>::min()
                                                              : 0;
  }
  if (value < least || value > most) {
    report(codes::kMdlValue, start,
           "the number is outside the range " + std::to_string(least) + " to " + std::to_string(most) +
               " and was limited to it");
    value = std::clamp(value, least, most);
  }
  return true;
}

std::string_view TextReader::read_string() {
  std::string_view content;
  if (lexer_.peek() != '"') {
    report(codes::kMdlSyntax, lexer_.at(), "expected a quoted string" + instead(lexer_));
    return content;
  }
  const char* const start = lexer_.at();
  if (!lexer_.string(content)) {
    report(codes::kMdlSyntax, start,
           "the string has no closing quotation mark; it is read up to the end of the line");
  }
  return content;
}

std::vector<std::string_view> TextReader::read_strings() {
  std::vector<std::string_view> strings;
  if (!lexer_.take('{')) {
    strings.push_back(read_string());
    return strings;
  }
  while (!closing("list")) {
    if (lexer_.peek() != '"') {
      report(codes::kMdlSyntax, lexer_.at(), "expected a quoted string" + instead(lexer_));
      lexer_.skip_braces(1);
      break;
    }
    strings.push_back(read_string());
  }
  return strings;
}

/// `Bytes Image 252 "504452"`: the content of a fixed-size text in addition to what a quoted text says.
void TextReader::read_bytes(std::span<char> field) {
  std::uint32_t at = 0;
  read_value(at);
  const std::string_view digits = read_string();
  for (std::size_t i = 0; i + 1 < digits.size() && at < field.size(); i += 2, ++at) {
    const unsigned high = ascii::hex_value(digits[i]);
    const unsigned low = ascii::hex_value(digits[i + 1]);
    if (std::max(high, low) > 0xF) {
      report(codes::kMdlValue, digits.data() + i,
             "the string has characters that are not hexadecimal digits; the rest of it is ignored");
      return;
    }
    field[at] = static_cast<char>(static_cast<unsigned char>(high * 16U + low));
  }
}

void TextReader::read_named(Words words, std::uint32_t& value) {
  if (!is_word_start(lexer_.peek())) {
    read_value(value);
    return;
  }
  const char* const start = lexer_.at();
  const Word word = lexer_.word();
  if (const auto* found = find_word(words, word)) {
    value = found->value;
  } else {
    report(codes::kMdlValue, start, quoted(word.text) + " is not a valid value and was ignored");
  }
}

void TextReader::interval(const Keyword& name, std::uint32_t& start, std::uint32_t& end) {
  on(name, [&] {
    std::array<std::uint32_t, 2> frames{};
    read_value(frames);
    start = frames[0];
    end = frames[1];
  });
}

void TextReader::cell_run(const Keyword& name, mdx::CellRun& run) {
  on(name, [&] {
    std::array<std::uint32_t, 3> cells{};
    read_value(cells);
    run = {cells[0], cells[1], cells[2]};
  });
}

void TextReader::index(const Keyword& name, const Keyword& /*none*/, std::int32_t& value) {
  static constexpr std::array kNone = {NamedValue{"None", 0xFFFFFFFFU}, NamedValue{"Multiple", 0xFFFFFFFFU}};
  on(name, [&] {
    auto number = static_cast<std::uint32_t>(value);
    read_named(kNone, number);
    value = static_cast<std::int32_t>(number);
  });
}

void TextReader::flag_number(const Keyword& name, std::uint32_t& word) {
  on(name, [&] {
    const char c = lexer_.peek_comma();
    word = 1;
    if ((c >= '0' && c <= '9') || c == '-' || c == '+') {
      read_value(word);
    }
  });
}

// --- the file
// -----------------------------------------------------------------------------------------------------

bool TextReader::charge(std::size_t size) {
  objects_size_ += size;
  if (objects_size_ <= objects_limit_) {
    return true;
  }
  error_ = Error{codes::kCountTooLarge, lexer_.offset(property_), path(),
                 "the objects of the file need more than " + std::to_string(objects_limit_) +
                     " bytes, thaw's limit for a text of its size"};
  lexer_.stop();
  return false;
}

void TextReader::pivots(const Keyword& name, FourCC tag) {
  again(name, [&] {
    const Header header = open(name);
    read_rows(chunk<mdx::Pivots>(tag).points, header.count, header.opened);
  });
}

void TextReader::gliders(const Keyword& name, FourCC tag) {
  again(name, [&] {
    static constexpr Keyword kGeoset{"GeosetId"};
    if (!open(name).opened) {
      return;
    }
    members([&] {
      again(kGeoset, [&] {
        std::uint32_t id = 0;
        read_value(id);
        chunk<mdx::PickGeosets>(tag).geoset_ids.push_back(id);
      });
    });
  });
}

void TextReader::read_block() {
  if (is_word_start(lexer_.peek())) {
    property_ = lexer_.at();
    key_ = lexer_.word();
    static_ = bytes_ = matched_ = false;
    blocks(*this);
    if (!matched_) {
      skip_unknown(nearest([&] { blocks(*this); }));
    }
    return;
  }
  if (lexer_.at_end()) {
    return;
  }
  report(codes::kMdlSyntax, lexer_.at(),
         "expected a block, not " + printable(lexer_.peek()) + "; it was skipped");
  lexer_.skip_one();
}

Result<mdx::Document> TextReader::run() {
  while (!lexer_.at_end() && !error_) {
    read_block();
  }
  if (!error_ && lexer_.unterminated_comment()) {
    report(codes::kMdlSyntax, lexer_.at(), "the file ends inside a comment");
  }
  if (error_) {
    return tl::unexpected<Error>(std::move(*error_));
  }
  const bool states = document_.find<mdx::Version>() != nullptr;
  if (auto& version = chunk<mdx::Version>(FourCC{"VERS"}).value; version != version_) {
    // A number that could not be read was reported where it stands.
    constexpr std::uint32_t kMost = 100000;
    if (states && version > 0 && version < kMost) {
      report(codes::kMdlDuplicate, lexer_.at(),
             "version " + std::to_string(version) + " is stated, but the file was read as version " +
                 std::to_string(version_));
    }
    version = version_;
  }
  sort_chunks(document_);
  for (const FourCC tag : apply_embedded(embedded_, document_)) {
    report(codes::kMdlStale, lexer_.at(),
           "the text of " + tag.text() +
               " was edited; the original bytes embedded in its comment are discarded");
  }
  if (error_) {
    return tl::unexpected<Error>(std::move(*error_));
  }
  return std::move(document_);
}

void TextReader::read_whole() {
  static constexpr Keyword kWhole{"Whole"};
  on(kWhole, [&] {
    EmbeddedObject whole;
    const char* const start = lexer_.at();
    whole.checksum = parse_hex(read_string()).value_or(0);
    for (const std::string_view part : read_strings()) {
      const auto bytes = decode_base64(part);
      if (!bytes) {
        report(codes::kMdlValue, start, "the object's embedded bytes are damaged; its text is used");
        return;
      }
      whole.bytes.insert(whole.bytes.end(), bytes->begin(), bytes->end());
    }
    whole_ = std::move(whole);
  });
}

void TextReader::embedded_file() {
  static constexpr Keyword kChunks{"Chunks"};
  static constexpr Keyword kRawChunk{"RawChunk"};
  static constexpr Keyword kTail{"Tail"};
  const auto bytes = [&](Bytes& target) {
    const char* const start = lexer_.at();
    for (const std::string_view part : read_strings()) {
      const auto decoded = decode_base64(part);
      if (!decoded) {
        report(codes::kMdlValue, start,
               "the embedded bytes are damaged; only those before the damage are used");
        return;
      }
      target.insert(target.end(), decoded->begin(), decoded->end());
    }
  };
  on(kChunks, [&] {
    embedded_.order.emplace();
    for (const std::string_view text : read_strings()) {
      embedded_.order->push_back(parse_tag(text));
    }
  });
  again(kRawChunk, [&] {
    if (!charge(sizeof(mdx::Chunk))) {
      return;
    }
    EmbeddedChunk chunk;
    std::uint32_t position = 0;
    read_value(position);
    chunk.position = position;
    std::int64_t stated = -1;
    read_integer(stated, -1, std::numeric_limits<std::uint32_t>::max());
    if (stated >= 0) {
      chunk.stated_size = static_cast<std::uint32_t>(stated);
    }
    chunk.checksum = parse_hex(read_string()).value_or(0);
    bytes(chunk.bytes);
    embedded_.chunks.push_back(std::move(chunk));
  });
  on(kTail, [&] { bytes(embedded_.tail); });
}

}  // namespace thaw::mdl
