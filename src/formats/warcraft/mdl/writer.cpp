#include "formats/warcraft/mdl/writer.hpp"

#include "bytes/number_text.hpp"
#include "bytes/text_encoding.hpp"
#include "formats/warcraft/mdl/lexer.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::mdl {

TextWriter::TextWriter(const mdx::Document& document, const WriteOptions& options, const Embedded& embedded,
                       Diagnostics* lost)
    : document_(document), options_(options), embedded_(embedded), lost_(lost), version_(document.version()) {
  constexpr unsigned kMostBlanks = 16;
  indent_ = options.indent == 0 ? "\t" : std::string(std::min(options.indent, kMostBlanks), ' ');
}

// --- lines
// --------------------------------------------------------------------------------------------------------

void TextWriter::begin_line() {
  for (unsigned i = 0; i < depth_; ++i) {
    out_ += indent_;
  }
}
void TextWriter::begin_embedded() { out_ += kEmbeddedMark; }
void TextWriter::end_line() { out_ += options_.line_ending == LineEnding::crlf ? "\r\n" : "\n"; }

void TextWriter::open() {
  out_ += " {";
  end_line();
  ++depth_;
}
void TextWriter::open_block(const Keyword& name) {
  begin_line();
  out_ += name.text;
  open();
}
void TextWriter::open_block(const Keyword& name, std::size_t count) {
  begin_line();
  out_ += name.text;
  out_ += ' ';
  put(count);
  open();
}
void TextWriter::open_block(const Keyword& name, std::string_view text) {
  begin_line();
  out_ += name.text;
  out_ += " \"";
  out_ += writable(text);
  out_ += '"';
  open();
}
void TextWriter::close_block() {
  --depth_;
  begin_line();
  out_ += '}';
  end_line();
}

void TextWriter::report_lost(std::string_view what) {
  if (lost_ == nullptr) {
    return;
  }
  std::string path;
  for (const auto& [name, index] : scopes_) {
    path += path.empty() ? "" : ".";
    path += name;
    path += index ? '[' + std::to_string(*index) + ']' : "";
  }
  lost_->add(codes::kMdlLost, std::string(what) + " left out; plain MDL cannot store it", {},
             std::move(path));
}

// --- values
// -------------------------------------------------------------------------------------------------------

void TextWriter::put(float value) {
  const std::size_t start = out_.size();
  if (options_.precision > 0 && std::isfinite(value)) {
    append_rounded(out_, value, options_.precision);
  } else {
    append_any_number(out_, value);
  }
  if (engine() && std::isfinite(value) && out_.find_first_of(".e", start) == std::string::npos) {
    out_ += ".0";
  }
}

std::string TextWriter::writable(std::string_view text) {
  std::string result(text);
  std::replace(result.begin(), result.end(), '"', '\'');
  return result;
}

void TextWriter::put_text(const Keyword& name, std::string_view text) {
  out_ += name.text;
  out_ += " \"";
  out_ += text;
  out_ += "\",";
}

void TextWriter::put_bytes(std::string_view name, std::span<const char> plain,
                           std::span<const char> original) {
  const auto first = std::mismatch(plain.begin(), plain.end(), original.begin()).first - plain.begin();
  if (static_cast<std::size_t>(first) == plain.size()) {
    return;
  }
  auto last = static_cast<std::ptrdiff_t>(plain.size());
  while (plain[static_cast<std::size_t>(last - 1)] == original[static_cast<std::size_t>(last - 1)]) {
    --last;
  }
  embedded_line(name, [&] {
    out_ += "Bytes ";
    out_ += name;
    out_ += ' ' + std::to_string(first) + " \"";
    append_hex(out_, {reinterpret_cast<const std::uint8_t*>(original.data()) + first,
                      static_cast<std::size_t>(last - first)});
    out_ += "\",";
  });
}

void TextWriter::index(const Keyword& name, const Keyword& none, std::int32_t value) {
  line([&] {
    if (value != -1) {
      put_pair(name, value);
    } else {
      out_ += name.text;
      out_ += ' ';
      out_ += none.text;
      out_ += ',';
    }
  });
}

void TextWriter::flag(const Keyword& name, std::uint32_t word, std::uint32_t bit, Known known) {
  if ((word & bit) == 0) {
    return;
  }
  const auto put_word = [&] {
    out_ += name.text;
    out_ += ',';
  };
  if (is_known(known)) {
    line(put_word);
  } else {
    embedded_line(name, put_word);
  }
}

void TextWriter::flag_number(const Keyword& name, std::uint32_t word) {
  if (word == 0) {
    return;
  }
  flag(name, 1, 1);
  if (word != 1) {
    embedded_line(name, [&] { put_pair(name, word); });
  }
}

/// What has no word is drawn as something that has one; the number is embedded.
void TextWriter::put_choice(const Keyword& name, Words words, std::uint32_t value) {
  constexpr std::uint32_t kLowByte = 0xFF;
  const NamedValue* found = find_value(words, value);
  const NamedValue* likely = found != nullptr ? found : find_value(words, value & kLowByte);
  const NamedValue& chosen = likely != nullptr ? *likely : words.front();
  flag(chosen.word, 1, 1);
  if (found == nullptr) {
    embedded_line(name, [&] { put_pair(name, value); });
  }
}

void TextWriter::put_named(const Keyword& name, Words words, std::uint32_t value) {
  // What the game takes for unknown filter modes (mdx.md#reading-damaged-files).
  constexpr std::uint32_t kBlend = 2;
  const NamedValue* found = find_value(words, value);
  const NamedValue& chosen = found != nullptr ? *found : words[kBlend];
  line([&] {
    out_ += name.text;
    out_ += ' ';
    out_ += chosen.word.text;
    out_ += ',';
  });
  if (found == nullptr) {
    embedded_line(name, [&] { put_pair("Number", value); });
  }
}

void TextWriter::put_base64(ByteView bytes) {
  constexpr std::size_t kPerLine = 72;
  for (std::size_t at = 0; at < bytes.size(); at += kPerLine) {
    begin_line();
    begin_embedded();
    out_ += '"';
    append_base64(out_, bytes.subspan(at, std::min(kPerLine, bytes.size() - at)));
    out_ += '"';
    end_line();
  }
}

// --- objects
// ------------------------------------------------------------------------------------------------------

template <class T>
void TextWriter::put_object(const Keyword& name, const T& object) {
  emitted_.clear();
  const EmbeddedObject* whole = std::exchange(whole_, nullptr);
  if constexpr (kHasBlockName<const T>) {
    open_block(name, block_name(object)->view());
  } else {
    open_block(name);
  }
  properties(*this, object);
  if (whole != nullptr) {
    put_whole(*whole);
  }
  close_block();
}

template <class List>
void TextWriter::put_items(const Keyword& name, const List& list, std::size_t chunk) {
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    scopes_.emplace_back(name.text, i);
    const auto embedded = embedded_.objects.find({chunk, i});
    whole_ = embedded != embedded_.objects.end() ? &embedded->second : nullptr;
    put_object(name, list.items[i]);
    scopes_.pop_back();
  }
}

void TextWriter::put_whole(const EmbeddedObject& object) {
  if (options_.plain) {
    report_lost("part of the object's bytes");
    return;
  }
  embedded_line("Whole", [&] { out_ += "Whole \"" + hex_text(object.checksum) + "\" {"; });
  put_base64(object.bytes);
  embedded_line("Whole", [&] { out_ += '}'; });
}

// --- blocks of the file
// -------------------------------------------------------------------------------------------

template <class Body>
void TextWriter::single(const Keyword& name, FourCC /*tag*/) {
  if constexpr (std::is_same_v<Body, mdx::Version>) {
    // Every text states the version that the chunks were read with; what the file has instead is embedded.
    put_object(name, Body{version_});
  } else if (const Body* body = document_.find<Body>()) {
    scopes_.emplace_back(name.text, std::nullopt);
    put_object(name, *body);
    scopes_.pop_back();
  }
}

template <class Body>
void TextWriter::group(const Keyword& name, const Keyword& item, FourCC /*tag*/) {
  if (document_.find<Body>() == nullptr) {
    return;
  }
  open_block(name, document_.all<Body>().size());
  for (std::size_t i = 0; i < document_.chunks.size(); ++i) {
    if (const auto* body = std::get_if<Body>(&document_.chunks[i].body)) {
      put_items(item, *body, i);
    }
  }
  close_block();
}

template <class Body>
void TextWriter::counted(const Keyword& name, FourCC /*tag*/) {
  if (const Body* body = document_.find<Body>()) {
    open_block(name, body->durations.size());
    properties(*this, *body);
    close_block();
  }
}

template <class Body>
void TextWriter::each(const Keyword& name, FourCC /*tag*/) {
  for (std::size_t i = 0; i < document_.chunks.size(); ++i) {
    if (const auto* body = std::get_if<Body>(&document_.chunks[i].body)) {
      put_items(name, *body, i);
    }
  }
}

void TextWriter::pivots(const Keyword& name, FourCC /*tag*/) {
  if (const auto* body = document_.find<mdx::Pivots>()) {
    rows(name, body->points);
  }
}

void TextWriter::gliders(const Keyword& name, FourCC /*tag*/) {
  if (const auto* body = document_.find<mdx::PickGeosets>()) {
    for (const auto id : body->geoset_ids) {
      open_block(name);
      number("GeosetId", id);
      close_block();
    }
  }
}

void TextWriter::statistics() {
  const auto put_count = [&](const Keyword& name, std::size_t count) {
    if (count > 0) {
      number(name, count);
    }
  };
  put_count("NumGeosets", document_.all<mdx::Geosets>().size());
  put_count("NumGeosetAnims", document_.all<mdx::GeosetAnimations>().size());
  put_count("NumHelpers", document_.all<mdx::Helpers>().size());
  put_count("NumLights", document_.all<mdx::Lights>().size());
  put_count("NumBones", document_.all<mdx::Bones>().size());
  put_count("NumAttachments", document_.all<mdx::Attachments>().size());
  put_count("NumParticleEmitters", document_.all<mdx::ParticleEmitters>().size());
  put_count("NumParticleEmitters2", document_.all<mdx::ParticleEmitters2>().size());
  put_count("NumRibbonEmitters", document_.all<mdx::RibbonEmitters>().size());
  put_count("NumEvents", document_.all<mdx::EventObjects>().size());
}

/// Between two blocks, where even parsers without comments inside blocks skip it.
void TextWriter::embedded_file() {
  const EmbeddedFile& file = embedded_.file;
  if (options_.plain) {
    for (const auto& chunk : file.chunks) {
      report_lost("the chunk " + document_.chunks[chunk.position].tag.text());
    }
    if (!file.tail.empty()) {
      report_lost("the data after the last chunk");
    }
    return;
  }
  if (file.order) {
    std::string tags;
    for (const FourCC tag : *file.order) {
      tags += '"' + tag_text(tag) + "\" ";
    }
    embedded_line("Chunks", [&] { out_ += "Chunks { " + tags + "}"; });
  }
  for (const auto& chunk : file.chunks) {
    const std::int64_t stated = chunk.stated_size ? std::int64_t{*chunk.stated_size} : -1;
    embedded_line("RawChunk", [&] {
      out_ += "RawChunk " + std::to_string(chunk.position) + ' ' + std::to_string(stated) + " \"" +
              hex_text(chunk.checksum) + "\" {";
    });
    put_base64(chunk.bytes);
    embedded_line("RawChunk", [&] { out_ += '}'; });
  }
  if (!file.tail.empty()) {
    embedded_line("Tail", [&] { out_ += "Tail {"; });
    put_base64(file.tail);
    embedded_line("Tail", [&] { out_ += '}'; });
  }
}

std::string TextWriter::run() {
  blocks(*this);
  return std::move(out_);
}

}  // namespace thaw::mdl
