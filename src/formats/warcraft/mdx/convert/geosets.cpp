// Geosets: levels of detail, tangents, weights (mdx.md#geosets).
#include "formats/warcraft/mdx/convert/conversion_job.hpp"
#include "formats/warcraft/mdx/convert/levels.hpp"
#include "formats/warcraft/mdx/poses.hpp"

#include "bytes/number_text.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace thaw::mdx {
namespace {

/// New indices by old ones; kGone for those that are left out.
constexpr std::int32_t kRemoved = -1;
std::vector<std::int32_t> renumbering(const std::vector<bool>& removed) {
  std::vector<std::int32_t> numbers;
  numbers.reserve(removed.size());
  std::int32_t next = 0;
  for (const bool is_removed : removed) {
    numbers.push_back(is_removed ? kRemoved : next++);
  }
  return numbers;
}

template <class Body, class IsRemoved>
void remove_items(Document& document, const IsRemoved& is_removed) {
  std::size_t index = 0;
  for (auto& chunk : document.chunks) {
    if (auto* body = std::get_if<Body>(&chunk.body)) {
      typename std::remove_reference_t<decltype(body->items)> remaining;
      for (auto& item : body->items) {
        if (!is_removed(item, index++)) {
          remaining.push_back(std::move(item));
        }
      }
      body->items = std::move(remaining);
    }
  }
}

/// An index that names nothing stays what it is.
std::int32_t renumbered(std::int32_t index, const std::vector<std::int32_t>& numbers) {
  const auto at = static_cast<std::size_t>(index);
  return index >= 0 && at < numbers.size() ? numbers[at] : index;
}

void renumber_geosets(Document& document, const std::vector<std::int32_t>& numbers) {
  const auto names_removed = [&](std::int32_t id) { return id >= 0 && renumbered(id, numbers) == kRemoved; };
  std::vector<bool> removed_animations;
  for_each<GeosetAnimations>(document, [&](const GeosetAnimation& animation, std::size_t) {
    removed_animations.push_back(names_removed(animation.geoset_id));
  });
  const auto animation_numbers = renumbering(removed_animations);
  remove_items<GeosetAnimations>(
      document, [&](const GeosetAnimation&, std::size_t i) { return removed_animations[i]; });
  for_each<GeosetAnimations>(document, [&](GeosetAnimation& animation, std::size_t) {
    animation.geoset_id = renumbered(animation.geoset_id, numbers);
  });
  for_each<Bones>(document, [&](Bone& bone, std::size_t) {
    bone.geoset_id = renumbered(bone.geoset_id, numbers);
    bone.geoset_animation_id = renumbered(bone.geoset_animation_id, animation_numbers);
  });
  for (auto& chunk : document.chunks) {
    if (auto* pick = std::get_if<PickGeosets>(&chunk.body)) {
      Array<std::uint32_t> remaining;
      for (const std::uint32_t id : pick->geoset_ids) {
        if (id >= numbers.size() || numbers[id] != kRemoved) {
          remaining.push_back(id < numbers.size() ? static_cast<std::uint32_t>(numbers[id]) : id);
        }
      }
      pick->geoset_ids = std::move(remaining);
    }
  }
}

void drop_coarse_geosets(ConversionJob& job) {
  // A version without levels would draw all of them at once.
  const auto coarse = coarse_geosets(job.document());
  if (std::find(coarse.begin(), coarse.end(), true) == coarse.end()) {
    return;
  }
  std::vector<std::size_t> sources;
  for (std::size_t i = 0; i < coarse.size(); ++i) {
    if (coarse[i]) {
      job.lose(codes::kConvertLod, place("GEOS", i), "geoset of a coarser level of detail left out");
    } else {
      sources.push_back(i);
    }
  }
  job.result.source_geosets = std::move(sources);
  remove_items<Geosets>(job.document(), [&](const Geoset&, std::size_t i) { return coarse[i]; });
  renumber_geosets(job.document(), renumbering(coarse));
}

void drop_new_fields(ConversionJob& job, Geoset& geoset, const std::string& path) {
  if (geoset.lod != 0 && geoset.lod != kAllLevels) {
    job.lose(codes::kConvertLod, path + ".lod",
             "the number of the level of detail, " + std::to_string(geoset.lod) +
                 ", left out; the geoset is always shown");
  } else if (geoset.lod == kAllLevels) {
    job.lose(codes::kConvertUnused, path + ".lod",
             "the marker for all levels of detail left out; the geoset is still always shown");
  }
  geoset.lod = 0;
  if (!geoset.lod_name.view().empty() || !geoset.lod_name.clean()) {
    job.lose(codes::kConvertName, path + ".lodName",
             "the name \"" + to_utf8(geoset.lod_name.view()) + "\" of the level of detail left out");
    geoset.lod_name = {};
  }
  if (geoset.tangents) {
    job.lose(codes::kConvertTangents, path + ".tangents",
             counted(geoset.tangents->size(), "tangent") + " left out; only normal maps need them");
    geoset.tangents.reset();
  }
}

bool fits_bytes(const Geoset& geoset) {
  return std::all_of(geoset.wide_skin->begin(), geoset.wide_skin->end(), [](const auto& entry) {
    return std::all_of(entry.begin(), entry.end(), [](std::uint16_t element) { return element <= 255; });
  });
}

template <class To, class From>
Array<std::array<To, 8>> resized(const Array<std::array<From, 8>>& skin) {
  Array<std::array<To, 8>> result(skin.size());
  for (std::size_t v = 0; v < skin.size(); ++v) {
    for (std::size_t i = 0; i < skin[v].size(); ++i) {
      result[v].at(i) = static_cast<To>(skin[v].at(i));
    }
  }
  return result;
}

/// Brings the weights into the target's width. False if only matrix groups can take their place.
bool keep_skin(ConversionJob& job, Geoset& geoset) {
  if (!geoset.skin && !geoset.wide_skin) {
    return true;
  }
  if (job.to < 900) {
    return false;
  }
  if (job.to >= 1400 && geoset.skin) {
    geoset.wide_skin = resized<std::uint16_t>(*geoset.skin);
    geoset.skin.reset();
  } else if (job.to < 1400 && geoset.wide_skin) {
    if (!fits_bytes(geoset)) {
      return false;
    }
    geoset.skin = resized<std::uint8_t>(*geoset.wide_skin);
    geoset.wide_skin.reset();
  }
  return true;
}

/// Puts the further parts of divided geosets after all geosets. What is known of a geoset by its index holds
/// for its parts, too.
class PartAppender {
 public:
  explicit PartAppender(ConversionJob& job) : job_(job) {
    auto& chunks = job.document().chunks;
    for (auto& chunk : chunks) {
      if (auto* geosets = std::get_if<Geosets>(&chunk.body)) {
        geosets_ = geosets;
      } else if (auto* animations = std::get_if<GeosetAnimations>(&chunk.body)) {
        for (std::size_t i = 0; i < animations->items.size(); ++i) {
          animations_[animations->items[i].geoset_id].push_back({animations, i});
        }
      } else if (auto* pick = std::get_if<PickGeosets>(&chunk.body)) {
        for (const std::uint32_t id : pick->geoset_ids) {
          auto& picks = picks_[id];
          if (picks.empty() || picks.back() != pick) {
            picks.push_back(pick);
          }
        }
      }
    }
  }

  Result<void> append(std::size_t geoset, std::vector<Geoset> parts) {
    const auto& animations = animations_[static_cast<std::int32_t>(geoset)];
    const auto& picks = picks_[static_cast<std::uint32_t>(geoset)];
    std::uint64_t each = picks.size() * sizeof(std::uint32_t);
    for (const auto& [list, index] : animations) {
      each += bytes_of(list->items[index]);
    }
    if (auto spent = job_.spend(each * parts.size()); !spent) {
      return spent;
    }
    auto& sources = job_.result.source_geosets;
    const auto extents = extents_of(geoset);
    for (auto& part : parts) {
      const std::size_t number = sources.size();
      sources.push_back(sources[geoset]);
      part.sequence_extents = extents;
      geosets_->items.push_back(std::move(part));
      for (const auto& [list, index] : animations) {
        GeosetAnimation animation = list->items[index];
        animation.geoset_id = static_cast<std::int32_t>(number);
        list->items.push_back(std::move(animation));
      }
      for (PickGeosets* pick : picks) {
        pick->geoset_ids.push_back(static_cast<std::uint32_t>(number));
      }
    }
    return {};
  }

 private:
  struct ListIndex {
    GeosetAnimations* list;
    std::size_t index;
  };

  static std::uint64_t bytes_of(const GeosetAnimation& animation) {
    std::uint64_t bytes = sizeof animation + animation.remainder.bytes.size();
    for (const Track& track : animation.tracks) {
      bytes += sizeof track + track.words.size() * sizeof(std::uint32_t);
    }
    return bytes;
  }

  std::vector<Extent> extents_of(std::size_t geoset) {
    for (auto& chunk : job_.document().chunks) {
      if (const auto* geosets = std::get_if<Geosets>(&chunk.body)) {
        if (geoset < geosets->items.size()) {
          return geosets->items[geoset].sequence_extents;
        }
        geoset -= geosets->items.size();
      }
    }
    return {};
  }

  ConversionJob& job_;
  Geosets* geosets_ = nullptr;  ///< the last ones
  std::map<std::int32_t, std::vector<ListIndex>> animations_;
  std::map<std::uint32_t, std::vector<PickGeosets*>> picks_;
};

}  // namespace

Result<void> convert_geosets(ConversionJob& job) {
  if (job.to < 900 && job.from >= 900) {
    drop_coarse_geosets(job);
  }
  std::optional<Poses> poses;
  const auto measured = [&]() -> const Poses& {
    if (!poses) {
      poses.emplace(job.source, job.options.moments);
    }
    return *poses;
  };
  std::vector<std::pair<std::size_t, std::vector<Geoset>>> split;
  Result<void> done;
  for_each<Geosets>(job.document(), [&](Geoset& geoset, std::size_t i) {
    if (job.to < 900) {
      drop_new_fields(job, geoset, place("GEOS", job.result.source_geosets[i]));
    }
    if (!done) {
      return;
    }
    if (!keep_skin(job, geoset)) {
      auto parts = skin_to_groups(job, geoset, job.result.source_geosets[i], measured());
      if (!parts) {
        done = tl::unexpected<Error>(std::move(parts.error()));
      } else if (!parts->empty()) {
        split.emplace_back(i, std::move(*parts));
      }
    } else if (job.options.weights && job.to >= 900 && !geoset.skin && !geoset.wide_skin) {
      groups_to_skin(job, geoset, job.result.source_geosets[i], measured());
    }
  });
  if (split.empty() || !done) {
    return done;
  }
  PartAppender appender(job);
  for (auto& [geoset, parts] : split) {
    if (auto appended = appender.append(geoset, std::move(parts)); !appended) {
      return appended;
    }
  }
  return {};
}

}  // namespace thaw::mdx
