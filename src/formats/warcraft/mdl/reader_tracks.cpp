// Keyframes and what else moves (mdl.md#grammar).

#include "formats/warcraft/mdl/reader_impl.hpp"

#include <algorithm>

namespace thaw::mdl {
namespace {

constexpr Keyword kGlobalSequence{"GlobalSeqId"};
constexpr std::size_t kMostKeyWords = 1 + 3 * 4;

}  // namespace

/// A property and a track of the same name are distinguished by what follows: `Name 3 {` or `Name { Linear`.
bool TextReader::track_follows() {
  if (static_) {
    return false;
  }
  lexer_.peek();
  const char* const start = lexer_.at();
  float number = 0;
  const bool counted = lexer_.number(number);
  const bool braced = lexer_.take('{');
  const bool track = braced && (counted || is_word_start(lexer_.peek()));
  lexer_.go_back(start);
  return track;
}

void TextReader::track(const Keyword& name, FourCC tag, mdx::Tracks& tracks) {
  on_animated(name, [&] { read_track(tag, tracks); });
}

/// A constant visibility is met in the wild. The model has no field for it: it becomes one key, unless it is
/// what a model without it has.
void TextReader::visibility(FourCC tag, mdx::Tracks& tracks) {
  static constexpr Keyword kVisibility{"Visibility"};
  on_animated(kVisibility, [&] {
    if (track_follows()) {
      read_track(tag, tracks);
      return;
    }
    float value = 1;
    if (read_value(value) && value != 1) {
      mdx::Track track;
      track.tag = tag;
      track.words.resize(2, 0U);
      std::memcpy(&track.words[1], &value, sizeof value);
      put_track(std::move(track), tracks);
    }
  });
}

/// `FocalLength 50` is one key at 0 (mdl.md#blocks).
void TextReader::scalar_key(const Keyword& name, FourCC tag, mdx::Tracks& tracks) {
  on(name, [&] {
    if (track_follows()) {
      read_track(tag, tracks);
      return;
    }
    float value = 0;
    if (read_value(value)) {
      mdx::Track track;
      track.tag = tag;
      track.words.resize(2, 0U);
      std::memcpy(&track.words[1], &value, sizeof value);
      put_track(std::move(track), tracks);
    }
  });
}

void TextReader::animated_bgr(const Keyword& name, FourCC tag, mdx::Tracks& tracks, Vec3& color,
                              const Vec3& /*absent*/, Show /*show*/) {
  on_animated(name, [&] {
    if (track_follows()) {
      read_track(tag, tracks);
    } else if (Vec3 bgr{}; read_value(bgr)) {
      color = {bgr[2], bgr[1], bgr[0]};
    }
  });
}

void TextReader::read_track(FourCC tag, mdx::Tracks& tracks) {
  static constexpr Keyword kTrack{"a track"};
  const char* const start = property_;
  const Header header = open(kTrack);
  if (!header.opened) {
    return;
  }
  track_was_read_ = true;
  mdx::Track track;
  track.tag = tag;
  read_keys(track, header.count);
  if (header.count && *header.count != track.size() && !error_) {
    report(codes::kMdlCount, start,
           "the track states " + thaw::counted(*header.count, "key") + ", but contains " +
               std::to_string(track.size()));
  }
  put_track(std::move(track), tracks);
}

void TextReader::put_track(mdx::Track&& track, mdx::Tracks& tracks) {
  if (!charge(sizeof(mdx::Track))) {
    return;
  }
  const auto same = std::find_if(tracks.begin(), tracks.end(),
                                 [&](const mdx::Track& other) { return other.tag == track.tag; });
  if (same != tracks.end()) {
    *same = std::move(track);
  } else {
    tracks.push_back(std::move(track));
  }
}

void TextReader::read_keys(mdx::Track& track, std::optional<std::uint64_t> count) {
  constexpr std::size_t kLeastPerWord = 2;  // a digit and something after it
  bool reserved = false;
  while (!closing("track")) {
    if (is_word_start(lexer_.peek())) {
      if (!read_track_word(track)) {
        lexer_.skip_braces(1);
        break;
      }
      continue;
    }
    if (!reserved) {
      reserved = true;
      const std::uint64_t words = std::min<std::uint64_t>(count.value_or(0), lexer_.left()) * track.stride();
      track.words.reserve(
          static_cast<std::size_t>(std::min<std::uint64_t>(words, lexer_.left() / kLeastPerWord)));
    }
    if (!read_key(track)) {
      lexer_.skip_braces(1);
      break;
    }
  }
  if (track.words.capacity() > 2 * track.words.size()) {
    track.words.shrink_to_fit();
  }
}

/// Interpolation, global sequence, or the number that a comment has for an unknown interpolation.
bool TextReader::read_track_word(mdx::Track& track) {
  static constexpr Keyword kNumber{"Interpolation"};
  const char* const start = lexer_.at();
  const Word word = lexer_.word();
  if (word.is(kGlobalSequence)) {
    return read_value(track.global_sequence);
  }
  std::uint32_t interpolation = 0;
  if (const auto* found = find_word(kInterpolations, word)) {
    interpolation = found->value;
  } else if (word.is(kNumber)) {
    if (!read_value(interpolation)) {
      return false;
    }
  } else {
    report(codes::kMdlUnknown, start,
           '"' + std::string(word.text) + "\" is unknown in a track; the rest of the track was skipped");
    return false;
  }
  if (!track.words.empty()) {
    report(codes::kMdlSyntax, start,
           "the interpolation must come before the keys; the rest of the track was skipped");
    return false;
  }
  track.interpolation = static_cast<mdx::Interpolation>(interpolation);
  return true;
}

bool TextReader::read_key(mdx::Track& track) {
  std::array<std::uint32_t, kMostKeyWords> words{};
  const unsigned components = track.components();
  std::int32_t frame = 0;
  if (!read_value(frame)) {
    return false;
  }
  words[0] = static_cast<std::uint32_t>(frame);
  lexer_.take(':');
  if (!read_key_value(track, components, &words[1])) {
    return false;
  }
  read_tangents(track, components, words.data() + 1 + components);
  track.words.insert(track.words.end(), words.begin(),
                     words.begin() + static_cast<std::ptrdiff_t>(track.stride()));
  return true;
}

bool TextReader::read_key_value(const mdx::Track& track, unsigned components, std::uint32_t* words) {
  const bool braced = lexer_.take('{');
  const bool integer = mdx::track_type(track.tag).integer;
  for (unsigned i = 0; i < components; ++i) {
    bool found = false;
    if (integer) {
      found = read_value(words[i]);
    } else {
      float value = 0;
      found = read_value(value);
      std::memcpy(&words[i], &value, sizeof value);
    }
    if (!found) {
      if (braced) {
        lexer_.skip_braces(1);
      }
      return false;
    }
  }
  if (braced) {
    expect_close();
  }
  return true;
}

/// Tangents stand exactly with Hermite and Bezier. Missing ones are zero, others are left out.
void TextReader::read_tangents(const mdx::Track& track, unsigned components, std::uint32_t* words) {
  static constexpr std::array kTangents = {Keyword{"InTan"}, Keyword{"OutTan"}};
  const bool has_tangents = track.has_tangents();
  std::array<std::uint32_t, 4> discarded{};
  for (const auto& name : kTangents) {
    const char first = lexer_.peek();
    const char* const start = lexer_.at();
    if ((first != 'I' && first != 'i' && first != 'O' && first != 'o') || !lexer_.peek_word().is(name)) {
      if (has_tangents) {
        report(codes::kMdlValue, start, std::string(name.text) + " is missing; 0 is used");
      }
      continue;
    }
    lexer_.word();
    if (!has_tangents) {
      report(codes::kMdlValue, start,
             std::string(name.text) + " does not apply to this interpolation and was left out");
    }
    if (!read_key_value(track, components, has_tangents ? words : discarded.data())) {
      return;
    }
    words += has_tangents ? components : 0;
  }
}

void TextReader::sort_tracks(mdx::Tracks& tracks, const std::vector<std::string_view>& order) {
  const auto place = [&](const mdx::Track& track) {
    return std::find(order.begin(), order.end(), track.tag.view()) - order.begin();
  };
  // Insertion keeps equal ones in place; there are at most a dozen.
  for (std::size_t i = 1; i < tracks.size(); ++i) {
    for (std::size_t k = i; k > 0 && place(tracks[k]) < place(tracks[k - 1]); --k) {
      std::swap(tracks[k], tracks[k - 1]);
    }
  }
}

void TextReader::event_track(const Keyword& name, std::optional<mdx::EventTrack>& track) {
  on(name, [&] {
    const char* const start = property_;
    const Header header = open(name);
    if (!header.opened) {
      return;
    }
    read_events(track.emplace());
    if (header.count && *header.count != track->frames.size() && !error_) {
      report(codes::kMdlCount, start,
             "the event track states " + thaw::counted(*header.count, "frame") + ", but contains " +
                 std::to_string(track->frames.size()));
    }
  });
  // Only comments say so.
  bool without_global = track && !track->has_global_sequence;
  static constexpr Keyword kWithout{"WithoutGlobalSequence"};
  flag_value(kWithout, without_global);
  if (track) {
    track->has_global_sequence = !without_global;
  }
}

void TextReader::read_events(mdx::EventTrack& track) {
  while (!closing("track")) {
    const char* const start = lexer_.at();
    if (is_word_start(lexer_.peek())) {
      const bool global = lexer_.word().is(kGlobalSequence);
      if (global && read_value(track.global_sequence)) {
        continue;
      }
      report(codes::kMdlUnknown, start,
             "an EventTrack contains only GlobalSeqId and frames; the rest of it was skipped");
      lexer_.skip_braces(1);
      return;
    }
    std::int32_t frame = 0;
    if (!read_value(frame)) {
      lexer_.skip_braces(1);
      return;
    }
    track.frames.push_back(frame);
  }
}

}  // namespace thaw::mdl
