// Lists whose items are referred to by index: what nobody refers to goes, and equal items become one.
#include "formats/warcraft/mdx/optimize/steps.hpp"
#include "formats/warcraft/mdx/renumbering.hpp"

namespace thaw::mdx {
namespace {

/// A list that became empty is not needed; one that was empty before is left as it was.
void remove_if_empty(Document& document, FourCC tag, bool empty) {
  if (empty) {
    remove_chunks(document, tag);
  }
}

void each_global(Document& document, const std::function<void(std::int32_t&)>& visit) {
  edit_tracks(document, [&](Track& track, const TrackFacts&) {
    visit(track.global_sequence);
    return false;
  });
  for_each<EventObjects>(document, [&](EventObject& event, std::size_t) {
    if (event.track) {
      visit(event.track->global_sequence);
    }
  });
}

}  // namespace

std::size_t merge_texture_animations(Document& document, Merging merging) {
  const auto items = document.all<TextureAnimations>();
  Renumbering numbers(items.size());
  each_layer(document, [&](const Layer& layer) { numbers.use(layer.texture_animation_id); });
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i]->tracks.empty() && merging == Merging::equal) {
      numbers.never_use(i);  // it moves nothing
    }
  }
  const std::size_t removed = numbers.number(
      [&](std::size_t a, std::size_t b) { return merging == Merging::equal && *items[a] == *items[b]; });
  if (removed == 0) {
    return 0;
  }
  const bool all = removed == items.size();
  each_layer(document, [&](Layer& layer) { numbers.apply(layer.texture_animation_id, kNothing); });
  keep<TextureAnimations>(document, numbers);
  remove_if_empty(document, FourCC{"TXAN"}, all);
  return removed;
}

std::size_t merge_materials(Document& document, Merging merging) {
  const auto items = document.all<Materials>();
  Renumbering numbers(items.size());
  for_each<Geosets>(document, [&](const Geoset& geoset, std::size_t) { numbers.use(geoset.material_id); });
  for_each<RibbonEmitters>(
      document, [&](const RibbonEmitter& ribbon, std::size_t) { numbers.use(ribbon.material_id); });
  const std::size_t removed = numbers.number(
      [&](std::size_t a, std::size_t b) { return merging == Merging::equal && *items[a] == *items[b]; });
  if (removed == 0) {
    return 0;
  }
  for_each<Geosets>(document, [&](Geoset& geoset, std::size_t) { numbers.apply(geoset.material_id, 0); });
  for_each<RibbonEmitters>(document,
                           [&](RibbonEmitter& ribbon, std::size_t) { numbers.apply(ribbon.material_id, 0); });
  keep<Materials>(document, numbers);
  return removed;
}

std::size_t merge_textures(Document& document, Merging merging) {
  const auto items = document.all<Textures>();
  Renumbering numbers(items.size());
  each_texture_id(document,
                  [&](const std::int32_t& id, bool counts) { numbers.use(counts ? id : kNothing); });
  const std::size_t removed = numbers.number(
      [&](std::size_t a, std::size_t b) { return merging == Merging::equal && *items[a] == *items[b]; });
  if (removed == 0) {
    return 0;
  }
  each_texture_id(document, [&](std::int32_t& id, bool /*counts*/) { numbers.apply(id, 0); });
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
      Array<std::uint32_t> durations;
      for (const std::uint32_t duration : globals->durations) {
        if (numbers.stays(index++)) {
          durations.push_back(duration);
        }
      }
      globals->durations = std::move(durations);
    }
  }
  remove_if_empty(document, FourCC{"GLBS"}, removed == lines.globals.size());
  return removed;
}

}  // namespace thaw::mdx
