// Lists whose items are referred to by index: what nobody refers to goes, and equal items become one.
#include "formats/warcraft/mdx/conversion_job.hpp"
#include "formats/warcraft/mdx/optimize_steps.hpp"

#include <algorithm>

namespace thaw::mdx {
namespace {

/// Items are compared each with each only up to this many.
constexpr std::size_t kMaxCompared = 4096;
constexpr std::int32_t kNothing = -1;

/// What becomes of the indices of one list.
class Renumbering {
 public:
  explicit Renumbering(std::size_t count) : used_(count, false), number_(count, kNothing) {}

  void use(std::int64_t index) {
    if (known(index)) {
      used_[static_cast<std::size_t>(index)] = true;
    }
  }
  [[nodiscard]] bool known(std::int64_t index) const {
    return index >= 0 && static_cast<std::uint64_t>(index) < used_.size();
  }
  [[nodiscard]] bool used(std::size_t index) const { return used_[index]; }
  void never_use(std::size_t index) { used_[index] = false; }

  /// Gives numbers to the items that stay: those in use that equal no earlier one. Returns how many go.
  template <class Equal>
  std::size_t number(const Equal& equal) {
    std::vector<std::size_t> staying;
    const bool compare = used_.size() <= kMaxCompared;
    for (std::size_t i = 0; i < used_.size(); ++i) {
      if (!used_[i]) {
        continue;
      }
      const auto same = std::find_if(staying.begin(), staying.end(),
                                     [&](std::size_t earlier) { return compare && equal(earlier, i); });
      number_[i] = static_cast<std::int32_t>(same - staying.begin());
      if (same == staying.end()) {
        staying.push_back(i);
        stays_.resize(i + 1, false);
        stays_[i] = true;
      }
    }
    stays_.resize(used_.size(), false);
    return used_.size() - staying.size();
  }
  [[nodiscard]] bool stays(std::size_t index) const { return stays_[index]; }
  /// Indices that named nothing stay as they are.
  template <class T>
  void apply(T& index, T otherwise) const {
    if (known(static_cast<std::int64_t>(index))) {
      const std::int32_t number = number_[static_cast<std::size_t>(index)];
      index = number == kNothing ? otherwise : static_cast<T>(number);
    }
  }

 private:
  std::vector<bool> used_;
  std::vector<bool> stays_;
  std::vector<std::int32_t> number_;
};

template <class Body>
void keep(Document& document, const Renumbering& numbers) {
  std::size_t index = 0;
  for (auto& chunk : document.chunks) {
    if (auto* body = std::get_if<Body>(&chunk.body)) {
      auto& items = body->items;
      const auto gone = [&](const typename Body::Item&) { return !numbers.stays(index++); };
      std::vector<typename Body::Item> kept;
      for (auto& item : items) {
        if (!gone(item)) {
          kept.push_back(std::move(item));
        }
      }
      items = std::move(kept);
    }
  }
}

/// A list that became empty is not needed; one that was empty before is left as it was.
void remove_if_empty(Document& document, FourCC tag, bool empty) {
  if (empty) {
    remove_chunks(document, tag);
  }
}

void each_layer(Document& document, const std::function<void(Layer&)>& visit) {
  each<Materials>(document, [&](Material& material, std::size_t) {
    std::for_each(material.layers.begin(), material.layers.end(), visit);
  });
}

void each_flipbook(Layer& layer, const std::function<void(Track&)>& visit) {
  for (auto& track : layer.tracks) {
    if (track.tag == FourCC{"KMTF"}) {
      visit(track);
    }
  }
  for (auto& slot : layer.slots) {
    if (slot.flipbook) {
      visit(*slot.flipbook);
    }
  }
}

void use_textures(Document& document, Renumbering& numbers) {
  each_layer(document, [&](Layer& layer) {
    // From 1100 on the old field is dead (mdx.md#texture-slots).
    if (layer.slots.empty()) {
      numbers.use(layer.texture_id);
    }
    for (const auto& slot : layer.slots) {
      numbers.use(slot.texture_id);
    }
    each_flipbook(layer, [&](const Track& track) {
      for (std::size_t k = 0; k < track.size(); ++k) {
        numbers.use(track.integer(k));
      }
    });
  });
  each<ParticleEmitters2>(
      document, [&](const ParticleEmitter2& emitter, std::size_t) { numbers.use(emitter.texture_id); });
}

void renumber_textures(Document& document, const Renumbering& numbers) {
  each_layer(document, [&](Layer& layer) {
    numbers.apply(layer.texture_id, 0);
    for (auto& slot : layer.slots) {
      numbers.apply(slot.texture_id, 0);
    }
    each_flipbook(layer, [&](Track& track) {
      for (std::size_t k = 0; k < track.size(); ++k) {
        std::int32_t value = track.integer(k);
        numbers.apply(value, 0);
        track.words[k * track.stride() + 1] = static_cast<std::uint32_t>(value);
      }
    });
  });
  each<ParticleEmitters2>(
      document, [&](ParticleEmitter2& emitter, std::size_t) { numbers.apply(emitter.texture_id, 0); });
}

void each_global(Document& document, const std::function<void(std::int32_t&)>& visit) {
  edit_tracks(document, [&](Track& track, const TrackFacts&) {
    visit(track.global_sequence);
    return false;
  });
  each<EventObjects>(document, [&](EventObject& event, std::size_t) {
    if (event.track) {
      visit(event.track->global_sequence);
    }
  });
}

}  // namespace

std::size_t merge_texture_animations(Document& document) {
  const auto items = document.all<TextureAnimations>();
  Renumbering numbers(items.size());
  each_layer(document, [&](const Layer& layer) { numbers.use(layer.texture_animation_id); });
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i]->tracks.empty()) {
      numbers.never_use(i);  // it moves nothing
    }
  }
  const std::size_t removed =
      numbers.number([&](std::size_t a, std::size_t b) { return *items[a] == *items[b]; });
  if (removed == 0) {
    return 0;
  }
  const bool all = removed == items.size();
  each_layer(document, [&](Layer& layer) { numbers.apply(layer.texture_animation_id, kNothing); });
  keep<TextureAnimations>(document, numbers);
  remove_if_empty(document, FourCC{"TXAN"}, all);
  return removed;
}

std::size_t merge_materials(Document& document) {
  const auto items = document.all<Materials>();
  Renumbering numbers(items.size());
  each<Geosets>(document, [&](const Geoset& geoset, std::size_t) { numbers.use(geoset.material_id); });
  each<RibbonEmitters>(document,
                       [&](const RibbonEmitter& ribbon, std::size_t) { numbers.use(ribbon.material_id); });
  const std::size_t removed =
      numbers.number([&](std::size_t a, std::size_t b) { return *items[a] == *items[b]; });
  if (removed == 0) {
    return 0;
  }
  each<Geosets>(document, [&](Geoset& geoset, std::size_t) { numbers.apply(geoset.material_id, 0); });
  each<RibbonEmitters>(document,
                       [&](RibbonEmitter& ribbon, std::size_t) { numbers.apply(ribbon.material_id, 0); });
  keep<Materials>(document, numbers);
  return removed;
}

std::size_t merge_textures(Document& document) {
  const auto items = document.all<Textures>();
  Renumbering numbers(items.size());
  use_textures(document, numbers);
  const std::size_t removed =
      numbers.number([&](std::size_t a, std::size_t b) { return *items[a] == *items[b]; });
  if (removed == 0) {
    return 0;
  }
  renumber_textures(document, numbers);
  keep<Textures>(document, numbers);
  return removed;
}

std::size_t drop_global_sequences(Document& document) {
  const TimeLines lines(document);
  Renumbering numbers(lines.globals.size());
  each_global(document, [&](const std::int32_t& id) { numbers.use(id); });
  // Equal ones stay apart: each has a clock of its own.
  const std::size_t removed = numbers.number([](std::size_t, std::size_t) { return false; });
  if (removed == 0) {
    return 0;
  }
  each_global(document, [&](std::int32_t& id) { numbers.apply(id, kNothing); });
  std::size_t index = 0;
  for (auto& chunk : document.chunks) {
    if (auto* globals = std::get_if<GlobalSequences>(&chunk.body)) {
      Array<std::uint32_t> kept;
      for (const std::uint32_t duration : globals->durations) {
        if (numbers.stays(index++)) {
          kept.push_back(duration);
        }
      }
      globals->durations = std::move(kept);
    }
  }
  remove_if_empty(document, FourCC{"GLBS"}, removed == lines.globals.size());
  return removed;
}

}  // namespace thaw::mdx
