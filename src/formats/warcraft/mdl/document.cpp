#include <thaw/mdl.hpp>

#include "bytes/text.hpp"
#include "describe/limits.hpp"
#include "formats/warcraft/mdl/reader.hpp"
#include "formats/warcraft/mdl/writer.hpp"
#include "formats/warcraft/mdx/convert/missing_chunks.hpp"

#include <algorithm>

namespace thaw::mdl {
namespace {

/// Blocks with which a file may begin, parts of geosets among them (mdl.md#grammar).
constexpr std::array kBlocks = {Keyword{"Version"},
                                Keyword{"Model"},
                                Keyword{"Sequences"},
                                Keyword{"GlobalSequences"},
                                Keyword{"Textures"},
                                Keyword{"Materials"},
                                Keyword{"TextureAnims"},
                                Keyword{"Geoset"},
                                Keyword{"GeosetAnim"},
                                Keyword{"Bone"},
                                Keyword{"Light"},
                                Keyword{"Helper"},
                                Keyword{"Attachment"},
                                Keyword{"PivotPoints"},
                                Keyword{"ParticleEmitter"},
                                Keyword{"ParticleEmitter2"},
                                Keyword{"ParticleEmitterPopcorn"},
                                Keyword{"RibbonEmitter"},
                                Keyword{"EventObject"},
                                Keyword{"Camera"},
                                Keyword{"CollisionShape"},
                                Keyword{"FaceFX"},
                                Keyword{"BindPose"},
                                Keyword{"Glider"},
                                Keyword{"Faces"},
                                Keyword{"Groups"}};

bool is_block(const Word& word) {
  return std::any_of(kBlocks.begin(), kBlocks.end(), [&](const Keyword& block) { return word.is(block); });
}

bool known_version(std::uint32_t version) {
  constexpr std::uint32_t kFirst = 800;
  constexpr std::uint32_t kLast = 1800;
  return version >= kFirst && version <= kLast && version % 100 == 0;
}

std::string text_of(const mdx::Document& document, const WriteOptions& options, const Embedded& embedded,
                    Diagnostics* lost) {
  return TextWriter(document, options, embedded, lost).run();
}

mdx::Document restored_from(const std::string& text) {
  Diagnostics ignored(0);
  auto document = read(as_bytes(text), {}, ignored);
  return document ? std::move(*document) : mdx::Document();
}

/// What a text that is exact as far as text goes does not say.
Embedded embedded_for(const mdx::Document& document, const WriteOptions& options, const std::string& exact) {
  Embedded embedded = plan_embedded(document, restored_from(exact));
  if (options.precision > 0) {
    // The checksums are those of the text that is written in the end.
    const mdx::Document rounded = restored_from(text_of(document, options, {}, nullptr));
    const Embedded for_rounded = plan_embedded(document, rounded);
    for (auto& [place, object] : embedded.objects) {
      const auto found = for_rounded.objects.find(place);
      object.checksum = found != for_rounded.objects.end() ? found->second.checksum : object.checksum;
    }
    for (auto& chunk : embedded.file.chunks) {
      for (const auto& other : for_rounded.file.chunks) {
        chunk.checksum = other.position == chunk.position ? other.checksum : chunk.checksum;
      }
    }
  }
  return embedded;
}

}  // namespace

bool is_mdl(ByteView bytes) {
  Lexer lexer(as_text(bytes));
  if (!is_block(lexer.word())) {
    return false;
  }
  float count = 0;
  std::string_view name;
  while (lexer.number(count)) {
  }
  if (lexer.peek() == '"' && lexer.string(name)) {
    return lexer.peek() == '{' || lexer.at_end();
  }
  return lexer.peek() == '{';
}

std::optional<std::uint32_t> stated_version(ByteView bytes) {
  static constexpr Keyword kVersion{"Version"};
  static constexpr Keyword kFormatVersion{"FormatVersion"};
  Lexer lexer(as_text(bytes));
  while (!lexer.at_end()) {
    const Word word = lexer.word();
    if (word.is(kVersion) && lexer.take('{')) {
      std::int64_t version = 0;
      const bool stated = lexer.word().is(kFormatVersion) && lexer.integer(version);
      constexpr std::int64_t kMost = 0xFFFFFFFF;
      return stated && version >= 0 && version <= kMost
                 ? std::optional<std::uint32_t>(static_cast<std::uint32_t>(version))
                 : std::nullopt;
    }
    if (word.empty() && lexer.take('{')) {
      lexer.skip_braces(1);
    } else if (word.empty()) {
      lexer.skip_one();
    }
  }
  return std::nullopt;
}

Result<mdx::Document> read(ByteView bytes, const ReadOptions& options, Diagnostics& diagnostics) {
  if (bytes.size() > options.limits.max_input_bytes) {
    return input_too_large(bytes.size(), options.limits);
  }
  if (!is_mdl(bytes)) {
    return fail(codes::kFormatUnknown, "an MDL file must begin with a block such as Version or Model", 0);
  }
  const auto version = stated_version(bytes);
  if (!version) {
    diagnostics.add(codes::kVersionMissing, "no valid FormatVersion; 800 is assumed", {}, "Version");
  } else if (!known_version(*version)) {
    diagnostics.add(codes::kVersionUnknown, "no game shipped version " + std::to_string(*version), {},
                    "Version");
  }
  auto document = TextReader(as_text(bytes), version.value_or(800), options, diagnostics).run();
  if (document && options.strict) {  // otherwise the rules report it
    if (const auto missing = mdx::missing_chunks(*document); !missing.empty()) {
      return fail(codes::kTagExpected, missing.front().message(), bytes.size(), missing.front().tag.text());
    }
  }
  return document;
}

Bytes write(const mdx::Document& document, const WriteOptions& options, Diagnostics& diagnostics) {
  WriteOptions exact = options;
  exact.precision = 0;
  exact.plain = false;
  const std::string text = text_of(document, exact, {}, nullptr);
  const Embedded embedded = embedded_for(document, options, text);
  const bool has_embedded = !embedded.objects.empty() || !embedded.file.empty();
  if (options.plain || options.precision > 0) {
    return to_bytes(text_of(document, options, embedded, &diagnostics));
  }
  if (!has_embedded) {
    return to_bytes(text);
  }
  const std::string with_embedded = text_of(document, options, embedded, nullptr);
  if (mdx::write(restored_from(with_embedded)) == mdx::write(document)) {
    return to_bytes(with_embedded);
  }
  // The last resort, for documents that no file gives: chunks that differ, as they are.
  Embedded chunks;
  chunks.file = plan_chunks(document, restored_from(text));
  return to_bytes(text_of(document, options, chunks, nullptr));
}

}  // namespace thaw::mdl
