// The visitor of the grammar that reads. For each property of a block the block's template runs once, and the
// member function whose name fits takes the value.
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/mdx.hpp>
#include <thaw/options.hpp>

#include "formats/warcraft/mdl/embedded.hpp"
#include "formats/warcraft/mdl/grammar.hpp"
#include "formats/warcraft/mdl/lexer.hpp"
#include "formats/warcraft/mdl/nearest_word.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace thaw::mdl {

/// The name, counts and brace with which a block begins.
struct Header {
  std::string_view name;
  std::optional<std::uint64_t> count;
  bool opened = false;
};

class TextReader {
 public:
  static constexpr bool kReads = true;

  TextReader(std::string_view text, std::uint32_t version, const ReadOptions& options,
             Diagnostics& diagnostics);

  /// The whole file.
  Result<mdx::Document> run();

  // --- properties: see grammar.hpp
  // --------------------------------------------------------------------------------

  void alias(const Keyword& other, const Keyword& usual) {
    offer(other);
    if (key_.is(other)) {
      key_ = {usual.text, usual.hash};
    }
  }
  /// Of a word that the game's own tools do not write; it is reported.
  void foreign(const Keyword& other, const Keyword& usual) {
    if (key_.is(other)) {
      report(codes::kMdlValue, property_,
             "\"" + std::string(key_.text) + "\" is another tool's spelling and is read as " +
                 std::string(usual.text));
    }
    alias(other, usual);
  }
  void exchange(const Keyword& a, const Keyword& b);
  void ignored(const Keyword& name) {
    on(name, [] {});
  }
  void statistics();

  template <class T>
  void number(const Keyword& name, T& value) {
    on(name, [&] { read_value(value); });
  }
  template <class T>
  void optional(const Keyword& name, T& value, const T& /*absent*/) {
    number(name, value);
  }
  template <class T>
  void embedded(const Keyword& name, T& value, const T& /*absent*/) {
    number(name, value);
  }
  template <class T>
  void embedded_number(const Keyword& name, T& value) {
    number(name, value);
  }
  void interval(const Keyword& name, std::uint32_t& start, std::uint32_t& end);
  void cell_run(const Keyword& name, mdx::CellRun& run);
  void index(const Keyword& name, const Keyword& none, std::int32_t& value);

  template <std::size_t N>
  void name(FixedText<N>& text) {
    static constexpr Keyword kName{"BlockName"};
    bytes_of(kName, text);
  }
  template <std::size_t N>
  void text(const Keyword& name, FixedText<N>& text, Known /*known*/ = Known::everywhere) {
    bytes_of(name, text);
    on(name, [&] { assign(text, read_string()); });
  }
  template <std::size_t N>
  void required_text(const Keyword& name, FixedText<N>& content) {
    text(name, content);
  }

  void flag(const Keyword& name, std::uint32_t& word, std::uint32_t bit,
            Known /*known*/ = Known::everywhere) {
    on(name, [&] { word |= bit; });
  }
  void bits(const Keyword& name, std::uint32_t& word, std::uint32_t /*expected*/) { number(name, word); }
  void flag_number(const Keyword& name, std::uint32_t& word);

  template <class T>
  void choice(const Keyword& name, Words words, T& value) {
    if (nearest_ != nullptr) {
      std::for_each(words.begin(), words.end(), [&](const auto& known) { offer(known.word); });
    }
    if (const auto* found = find_word(words, key_)) {
      on(found->word, [&] { value = static_cast<T>(found->value); });
    }
    on(name, [&] { read_named_as(words, value); });
  }
  template <class T>
  void named(const Keyword& name, Words words, T& value) {
    static constexpr Keyword kNumber{"Number"};
    on(name, [&] { read_named_as(words, value); });
    on(kNumber, [&] { read_named_as(words, value); });  // stated next to it, where no word says it
  }

  template <class T>
  void animated(const Keyword& name, FourCC tag, mdx::Tracks& tracks, T& value, const T& /*absent*/,
                Show /*show*/ = Show::differing) {
    on_animated(name, [&] {
      if (track_follows()) {
        read_track(tag, tracks);
      } else {
        read_value(value);
      }
    });
  }
  /// Static colours stand backwards, keyed ones do not (mdx.md#colour-order).
  void animated_bgr(const Keyword& name, FourCC tag, mdx::Tracks& tracks, Vec3& color, const Vec3& absent,
                    Show show);
  void track(const Keyword& name, FourCC tag, mdx::Tracks& tracks);
  void visibility(FourCC tag, mdx::Tracks& tracks);
  void scalar_key(const Keyword& name, FourCC tag, mdx::Tracks& tracks);
  template <class... T>
  void track_order(T&... tracks) {
    static constexpr Keyword kName{"TrackOrder"};
    on(kName, [&] {
      const std::vector<std::string_view> order = read_strings();
      (sort_tracks(tracks, order), ...);
    });
  }

  template <class F>
  void block(const Keyword& name, F&& body) {
    on(name, [&] {
      if (open(name).opened) {
        members(std::forward<F>(body));
      }
    });
  }
  template <class F>
  void particle(F&& body) {
    // Its members may also stand in the emitter itself, where the same names lead to them.
    body();
    block("Particle", std::forward<F>(body));
  }
  template <class T>
  void list(const Keyword& name, std::vector<T>& items) {
    again(name, [&] { read_item(name, items, FourCC{}); });
  }
  template <class F>
  void since(std::uint32_t version, F&& body) {
    const bool before = matched_;
    const char* const start = property_;
    std::forward<F>(body)();
    if (matched_ && !before && version_ < version) {
      report_version(start, version);
    }
  }

  // --- blocks with rules of their own
  // -----------------------------------------------------------------------------

  void inheritance(std::uint32_t& flags);
  void shader(mdx::Layer& layer);
  void textures(mdx::Layer& layer);
  void material_shader(mdx::Material& material);
  template <class F>
  void fresnel(mdx::Layer& layer, F&& body) {
    const bool before = matched_;
    std::forward<F>(body)();
    layer.has_fresnel = layer.has_fresnel || (matched_ && !before && !track_was_read_);
    flag_value("HasFresnel", layer.has_fresnel);
  }
  void geoset_color(mdx::GeosetAnimation& animation);
  void selection(mdx::Geoset& geoset);
  void uv_sets(const Keyword& name, std::vector<mdx::UvSet>& sets);
  void skin(const Keyword& name, mdx::Geoset& geoset);
  void faces(const Keyword& name, mdx::Geoset& geoset);
  void groups(const Keyword& name, mdx::Geoset& geoset);
  void segment_colors(const Keyword& name, std::array<Vec3, 3>& colors);
  void event_track(const Keyword& name, std::optional<mdx::EventTrack>& track);
  void shape(mdx::CollisionShape& shape);

  template <class T>
  void rows(const Keyword& name, Array<T>& values) {
    on(name, [&] {
      const Header header = open(name);
      values.clear();
      if (header.opened) {
        read_rows(values, header.count);
      }
    });
  }
  template <class T>
  void optional_rows(const Keyword& name, std::optional<Array<T>>& values) {
    on(name, [&] {
      const Header header = open(name);
      read_rows(values.emplace(), header.count, header.opened);
    });
  }
  /// `Duration 1, Duration 2`, each after its name.
  template <class T>
  void values(const Keyword& name, Array<T>& values) {
    again(name, [&] {
      T value{};
      read_value(value);
      values.push_back(value);
    });
  }
  template <class T>
  void values_block(const Keyword& name, Array<T>& values) {
    rows(name, values);
  }

  // --- blocks of the file
  // ---------------------------------------------------------------------------------------

  template <class Body>
  void single(const Keyword& name, FourCC tag);
  template <class Body>
  void group(const Keyword& name, const Keyword& item, FourCC tag);
  template <class Body>
  void counted(const Keyword& name, FourCC tag) {
    single<Body>(name, tag);
  }
  template <class Body>
  void each(const Keyword& name, FourCC tag) {
    again(name, [&] { read_item(name, chunk<Body>(tag).items, tag); });
  }
  void pivots(const Keyword& name, FourCC tag);
  void gliders(const Keyword& name, FourCC tag);
  void embedded_file();

 private:
  // --- matching
  // ---------------------------------------------------------------------------------------------------

  /// A property that a block has once. The last one counts.
  template <class F>
  void on(const Keyword& name, F&& body) {
    offer(name);
    if (!bytes_ && key_.is(name)) {
      note_repetition();
      take(std::forward<F>(body));
    }
  }
  /// A property that a block may have more than once.
  template <class F>
  void again(const Keyword& name, F&& body) {
    offer(name);
    if (!bytes_ && key_.is(name)) {
      take(std::forward<F>(body));
    }
  }
  template <class F>
  void on_animated(const Keyword& name, F&& body) {
    track_was_read_ = false;
    on(name, std::forward<F>(body));
  }
  template <class F>
  void take(F&& body) {
    key_ = {};
    std::forward<F>(body)();
    key_ = {};
    matched_ = true;
  }
  template <std::size_t N>
  void bytes_of(const Keyword& name, FixedText<N>& text) {
    if (bytes_ && key_.is(name)) {
      take([&] { read_bytes({text.raw.data(), N}); });
    }
  }
  void flag_value(const Keyword& name, bool& value) {
    on(name, [&] { read_value(value); });
  }

  /// Properties up to the closing brace.
  template <class F>
  void members(F&& body) {
    std::vector<std::uint32_t> seen;
    seen.swap(seen_);
    while (next_property()) {
      matched_ = false;
      body();
      if (!matched_) {
        skip_unknown(nearest(body));
      }
    }
    seen.swap(seen_);
  }
  /// Distinguishes the word that is looked for, if one is, from one that could stand here.
  void offer(const Keyword& known) {
    if (nearest_ != nullptr) {
      nearest_->offer(known.text);
    }
  }
  /// The known word that an unknown one most looks like; empty if it looks like none. The block's template
  /// runs once more: it names all that could stand there.
  template <class F>
  std::string_view nearest(F&& body) {
    if (error_ || !diagnostics_.has_room()) {
      return {};
    }
    const Word unknown = key_;
    NearestWord words(unknown.text);
    nearest_ = &words;
    key_ = {};
    body();
    nearest_ = nullptr;
    key_ = unknown;
    return words.best();
  }
  bool next_property();
  void skip_unknown(std::string_view meant);
  void note_repetition();

  // --- objects
  // ----------------------------------------------------------------------------------------------------

  template <class T>
  void read_item(const Keyword& name, std::vector<T>& items, FourCC tag);
  template <class T>
  void read_object(const Keyword& name, T& object, const Header& header);
  template <class T>
  void prepare(T& object);
  void finish(mdx::Layer& layer) const;
  void finish(mdx::Material& material);
  void finish(mdx::Geoset& geoset) const;
  void finish(mdx::Light& light) const;
  void finish(mdx::CollisionShape& shape);
  template <class T>
  void finish(T& /*object*/) const {}
  /// Puts an embedded object in place of the one that its text gave.
  template <class T>
  void restore(FourCC tag, T& object);
  void read_whole();
  bool charge(std::size_t size);

  template <class Body>
  Body& chunk(FourCC tag);

  // --- values
  // -----------------------------------------------------------------------------------------------------

  Header open(const Keyword& name);
  bool read_value(float& value);
  bool read_value(bool& value);
  template <class T>
  bool read_value(T& value);
  template <class T, std::size_t N>
  bool read_value(std::array<T, N>& values);
  bool read_integer(std::int64_t& value, std::int64_t least, std::int64_t most);
  std::string_view read_string();
  std::vector<std::string_view> read_strings();
  void read_bytes(std::span<char> field);
  void read_named(Words words, std::uint32_t& value);
  template <class T>
  void read_named_as(Words words, T& value) {
    auto number = static_cast<std::uint32_t>(value);
    read_named(words, number);
    value = static_cast<T>(number);
  }
  template <std::size_t N>
  void assign(FixedText<N>& text, std::string_view content) {
    text.assign(content);
    if (content.size() >= N) {
      report_cut(content, N);
    }
  }
  bool closing(const char* what);
  void expect_close();

  template <class T>
  void read_rows(Array<T>& values, std::optional<std::uint64_t> count, bool opened = true);
  template <class T>
  bool read_row(T& row);

  // --- tracks
  // -----------------------------------------------------------------------------------------------------

  bool track_follows();
  void read_track(FourCC tag, mdx::Tracks& tracks);
  void read_keys(mdx::Track& track, std::optional<std::uint64_t> count);
  bool read_track_word(mdx::Track& track);
  bool read_key(mdx::Track& track);
  bool read_key_value(const mdx::Track& track, unsigned components, std::uint32_t* words);
  void read_tangents(const mdx::Track& track, unsigned components, std::uint32_t* words);
  void put_track(mdx::Track&& track, mdx::Tracks& tracks);
  static void sort_tracks(mdx::Tracks& tracks, const std::vector<std::string_view>& order);
  void read_events(mdx::EventTrack& track);
  void read_texture(mdx::Layer& layer, std::uint32_t slot, bool named);

  // --- the file
  // ---------------------------------------------------------------------------------------------------

  void read_block();
  void read_primitives(mdx::Geoset& geoset, std::uint32_t type);
  void unfold_layers(mdx::Material& material);

  // --- findings
  // ---------------------------------------------------------------------------------------------------

  /// A finding at a place of the text; in strict mode the end of reading.
  void report(Code code, const char* at, std::string message);
  void report_version(const char* at, std::uint32_t version);
  void report_cut(std::string_view content, std::size_t size);
  [[nodiscard]] std::string path() const;

  struct Scope {
    std::string_view name;
    std::optional<std::size_t> index;
  };

  Lexer lexer_;
  std::uint32_t version_;
  bool exchanges_ = false;  ///< written by a program that exchanges some words (mdl.md#length-and-width)
  const ReadOptions& options_;
  Diagnostics& diagnostics_;
  std::optional<Error> error_;
  std::vector<Scope> scopes_;

  Word key_;                        ///< the property that looks for its member function
  const char* property_ = nullptr;  ///< where it begins
  bool static_ = false;
  bool bytes_ = false;
  NearestWord* nearest_ = nullptr;  ///< while the words that a block knows are looked through
  bool matched_ = false;
  bool track_was_read_ = false;
  std::vector<std::uint32_t> seen_;

  mdx::Document document_;
  std::size_t objects_size_ = 0;
  std::size_t objects_limit_;
  bool ended_ = false;

  // Of the object that is being read.
  std::optional<float> radius_;
  std::optional<Array<Vec3>> vertices_;
  std::optional<EmbeddedObject> whole_;
  EmbeddedFile embedded_;
};

}  // namespace thaw::mdl
