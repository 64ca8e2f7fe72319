// The visitor of the grammar that writes.
#pragma once

#include <thaw/mdl.hpp>

#include "bytes/number_text.hpp"
#include "formats/warcraft/mdl/embedded.hpp"
#include "formats/warcraft/mdl/grammar.hpp"

#include <string>
#include <utility>

namespace thaw::mdl {

class TextWriter {
 public:
  static constexpr bool kReads = false;

  /// `lost` takes what a plain text cannot hold; null if not requested.
  TextWriter(const mdx::Document& document, const WriteOptions& options, const Embedded& embedded,
             Diagnostics* lost);

  std::string run();

  // --- properties: see grammar.hpp
  // --------------------------------------------------------------------------------

  void alias(const Keyword& /*other*/, const Keyword& /*usual*/) {}
  void foreign(const Keyword& /*other*/, const Keyword& /*usual*/) {}
  void exchange(const Keyword& /*a*/, const Keyword& /*b*/) {}
  void ignored(const Keyword& /*name*/) {}
  void statistics();

  template <class T>
  void number(const Keyword& name, const T& value) {
    line([&] { put_pair(name, value); });
  }
  template <class T>
  void optional(const Keyword& name, const T& value, const T& absent) {
    if (!same_bits(value, absent)) {
      number(name, value);
    }
  }
  template <class T>
  void embedded(const Keyword& name, const T& value, const T& absent) {
    if (!same_bits(value, absent)) {
      embedded_line(name, [&] { put_pair(name, value); });
    }
  }
  template <class T>
  void embedded_number(const Keyword& name, const T& value) {
    embedded(name, value, T{});
  }
  void interval(const Keyword& name, std::uint32_t start, std::uint32_t end) {
    number(name, std::array{start, end});
  }
  void cell_run(const Keyword& name, const mdx::CellRun& run) {
    number(name, std::array{run.start, run.end, run.repeat});
  }
  void index(const Keyword& name, const Keyword& none, std::int32_t value);

  template <std::size_t N>
  void name(const FixedText<N>& text) {
    FixedText<N> plain;
    plain.assign(writable(text.view()));
    put_bytes("BlockName", plain.raw, text.raw);
  }
  template <std::size_t N>
  void text(const Keyword& name, const FixedText<N>& text, Known known = Known::everywhere) {
    if (text.view().empty()) {
      put_bytes(name.text, FixedText<N>().raw, text.raw);
    } else {
      required_text(name, text, known);
    }
  }
  template <std::size_t N>
  void required_text(const Keyword& name, const FixedText<N>& text, Known known = Known::everywhere) {
    FixedText<N> plain;
    if (is_known(known)) {
      plain.assign(writable(text.view()));
      line([&] { put_text(name, plain.view()); });
    }
    put_bytes(name.text, plain.raw, text.raw);
  }

  void flag(const Keyword& name, std::uint32_t word, std::uint32_t bit, Known known = Known::everywhere);
  void bits(const Keyword& name, std::uint32_t word, std::uint32_t expected) {
    embedded(name, word, expected);
  }
  void flag_number(const Keyword& name, std::uint32_t word);
  template <class T>
  void choice(const Keyword& name, Words words, const T& value) {
    const auto number = static_cast<std::uint32_t>(value);
    put_choice(name, words, number);
  }
  template <class T>
  void named(const Keyword& name, Words words, const T& value) {
    put_named(name, words, static_cast<std::uint32_t>(value));
  }

  template <class T>
  void animated(const Keyword& name, FourCC tag, const mdx::Tracks& tracks, const T& value, const T& absent,
                Show show = Show::differing) {
    const mdx::Track* track = mdx::find_track(tracks, tag);
    const auto put = [&] {
      out_ += "static ";
      put_pair(name, value);
    };
    const bool differs = !same_bits(value, absent) && !no_constants_;
    if (track != nullptr) {
      put_track(name, *track);
      if (differs) {
        embedded_line(name, put);
      }
    } else if (differs || (show == Show::always && !no_constants_)) {
      line(put);
    }
  }
  void animated_bgr(const Keyword& name, FourCC tag, const mdx::Tracks& tracks, const Vec3& color,
                    const Vec3& absent, Show show) {
    animated(name, tag, tracks, Vec3{color[2], color[1], color[0]}, Vec3{absent[2], absent[1], absent[0]},
             show);
  }
  void track(const Keyword& name, FourCC tag, const mdx::Tracks& tracks);
  void visibility(FourCC tag, const mdx::Tracks& tracks);
  void scalar_key(const Keyword& /*name*/, FourCC /*tag*/, const mdx::Tracks& /*tracks*/) {}
  template <class... T>
  void track_order(const T&... tracks) {
    std::string order;
    bool differs = false;
    ((differs = add_order(tracks, order) || differs), ...);
    if (differs) {
      embedded_line("TrackOrder", [&] { out_ += "TrackOrder { " + order + "},"; });
    }
  }

  template <class F>
  void block(const Keyword& name, F&& body) {
    open_block(name);
    std::forward<F>(body)();
    close_block();
  }
  template <class F>
  void particle(F&& body) {
    if (engine()) {
      std::forward<F>(body)();
    } else {
      block("Particle", std::forward<F>(body));
    }
  }
  template <class T>
  void list(const Keyword& name, const std::vector<T>& items) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      scopes_.emplace_back(name.text, i);
      put_object(name, items[i]);
      scopes_.pop_back();
    }
  }
  template <class F>
  void since(std::uint32_t version, F&& body) {
    if (version_ >= version) {
      std::forward<F>(body)();
    }
  }

  // --- blocks with rules of their own
  // -----------------------------------------------------------------------------

  void inheritance(std::uint32_t flags);
  void shader(const mdx::Layer& layer);
  void textures(const mdx::Layer& layer);
  void material_shader(const mdx::Material& material);
  template <class F>
  void fresnel(const mdx::Layer& layer, F&& body) {
    no_constants_ = !layer.has_fresnel;
    std::forward<F>(body)();
    no_constants_ = false;
    // From 1000 on the fields are always there; before, nothing but this states it.
    embedded("HasFresnel", static_cast<std::uint32_t>(layer.has_fresnel ? 1 : 0),
             std::uint32_t{version_ >= 1000 ? 1U : 0U});
  }
  void geoset_color(const mdx::GeosetAnimation& animation);
  void selection(const mdx::Geoset& geoset);
  void uv_sets(const Keyword& name, const std::vector<mdx::UvSet>& sets);
  void skin(const Keyword& name, const mdx::Geoset& geoset);
  void faces(const Keyword& name, const mdx::Geoset& geoset);
  void groups(const Keyword& name, const mdx::Geoset& geoset);
  void segment_colors(const Keyword& name, const std::array<Vec3, 3>& colors);
  void event_track(const Keyword& name, const std::optional<mdx::EventTrack>& track);
  void shape(const mdx::CollisionShape& shape);

  template <class T>
  void rows(const Keyword& name, const Array<T>& values) {
    open_block(name, values.size());
    for (const auto& value : values) {
      line([&] {
        put(value);
        out_ += ',';
      });
    }
    close_block();
  }
  template <class T>
  void optional_rows(const Keyword& name, const std::optional<Array<T>>& values) {
    if (values) {
      rows(name, *values);
    }
  }
  template <class T>
  void values(const Keyword& name, const Array<T>& values) {
    for (const auto& value : values) {
      number(name, value);
    }
  }
  template <class T>
  void values_block(const Keyword& name, const Array<T>& values) {
    open_block(name);
    for (const auto& value : values) {
      line([&] {
        put(value);
        out_ += ',';
      });
    }
    close_block();
  }

  // --- blocks of the file
  // -----------------------------------------------------------------------------------------

  template <class Body>
  void single(const Keyword& name, FourCC tag);
  template <class Body>
  void group(const Keyword& name, const Keyword& item, FourCC tag);
  template <class Body>
  void counted(const Keyword& name, FourCC tag);
  template <class Body>
  void each(const Keyword& name, FourCC tag);
  void pivots(const Keyword& name, FourCC tag);
  void gliders(const Keyword& name, FourCC tag);
  void embedded_file();

 private:
  template <class T>
  static bool same_bits(const T& a, const T& b) {
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): bits are meant.
    return std::memcmp(&a, &b, sizeof(T)) == 0;
  }
  [[nodiscard]] bool engine() const { return options_.dialect == Dialect::world_editor; }
  [[nodiscard]] bool is_known(Known known) const {
    return known == Known::everywhere || (known == Known::world_editor) == engine();
  }

  // --- lines
  // ----------------------------------------------------------------------------------------------------

  template <class F>
  void line(F&& body) {
    begin_line();
    std::forward<F>(body)();
    end_line();
  }
  /// A line that only this program reads. Plain text does without, and reports it.
  template <class F>
  void embedded_line(std::string_view what, F&& body) {
    if (options_.plain) {
      report_lost(what);
      return;
    }
    begin_line();
    begin_embedded();
    std::forward<F>(body)();
    end_line();
  }
  void begin_line();
  void begin_embedded();
  void end_line();
  void open_block(const Keyword& name);
  void open_block(const Keyword& name, std::size_t count);
  void open_block(const Keyword& name, std::string_view text);
  void close_block();
  void open();
  void report_lost(std::string_view what);

  // --- values
  // ---------------------------------------------------------------------------------------------------

  void put(float value);
  template <class T>
    requires std::is_integral_v<T>
  void put(T value) {
    append_number(out_, static_cast<std::int64_t>(value));
  }
  template <class T, std::size_t N>
  void put(const std::array<T, N>& values) {
    out_ += "{ ";
    for (std::size_t i = 0; i < N; ++i) {
      out_ += i > 0 ? ", " : "";
      put(values[i]);
    }
    out_ += " }";
  }
  template <class T>
  void put_pair(const Keyword& name, const T& value) {
    out_ += name.text;
    out_ += ' ';
    put(value);
    out_ += ',';
  }
  void put_text(const Keyword& name, std::string_view text);
  void put_bytes(std::string_view name, std::span<const char> plain, std::span<const char> original);
  /// A text without the quotes that MDL cannot quote.
  static std::string writable(std::string_view text);
  void put_choice(const Keyword& name, Words words, std::uint32_t value);
  void put_named(const Keyword& name, Words words, std::uint32_t value);
  void put_base64(ByteView bytes);

  // --- tracks
  // ---------------------------------------------------------------------------------------------------

  void put_track(const Keyword& name, const mdx::Track& track);
  void put_key_value(const mdx::Track& track, const std::uint32_t* words);
  void put_slot(const mdx::TextureSlot& slot, std::uint32_t usual_slot);
  bool add_order(const mdx::Tracks& tracks, std::string& order) const;

  // --- objects
  // --------------------------------------------------------------------------------------------------

  template <class T>
  void put_object(const Keyword& name, const T& object);
  template <class List>
  void put_items(const Keyword& name, const List& list, std::size_t chunk);
  void put_whole(const EmbeddedObject& object);

  const mdx::Document& document_;
  const WriteOptions& options_;
  const Embedded& embedded_;
  Diagnostics* lost_;
  std::uint32_t version_;
  std::string out_;
  unsigned depth_ = 0;
  std::string indent_;
  bool no_constants_ = false;
  const EmbeddedObject* whole_ = nullptr;  ///< of the object that is written next
  std::vector<FourCC> emitted_;            ///< tracks of the object that is being written
  std::vector<std::pair<std::string_view, std::optional<std::size_t>>> scopes_;
};

}  // namespace thaw::mdl
