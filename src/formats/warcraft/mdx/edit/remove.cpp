// Things that go, and what belongs to them.
#include "formats/warcraft/mdx/edit/parts.hpp"
#include "formats/warcraft/mdx/renumbering.hpp"

#include "bytes/escape.hpp"
#include "bytes/number_text.hpp"

#include <algorithm>
#include <array>

namespace thaw::mdx {
namespace {

/// Which things of a kind: all, one by its number, or those whose name a pattern meets.
class Choice {
 public:
  explicit Choice(std::string_view text) : text_(text.empty() ? "*" : text), number_(parse_whole(text)) {}

  [[nodiscard]] bool takes(std::size_t index, std::string_view name) const {
    return number_ ? *number_ == index : text_ == "*" || renamed(name, text_, "").has_value();
  }

 private:
  std::string text_;
  std::optional<std::uint32_t> number_;
};

/// Numbers the items that stay, and reports the others.
template <class Body, class Name>
Renumbering choose(Document& document, const Choice& choice, const Name& name_of, EditLog& log) {
  Renumbering numbers(document.all<Body>().size());
  numbers.use_all();
  each_of<Body>(document, [&](const auto& item, std::size_t index, const std::string& path) {
    const std::string name(name_of(item));
    if (choice.takes(index, name)) {
      numbers.never_use(index);
      log.changes.push_back({path, "removed" + (name.empty() ? "" : " \"" + shown(name) + "\"")});
    }
  });
  numbers.number([](std::size_t, std::size_t) { return false; });
  return numbers;
}

Result<void> remove_geosets(Document& document, const Choice& choice, EditLog& log) {
  const auto geosets =
      choose<Geosets>(document, choice, [](const Geoset& geoset) { return geoset.lod_name.view(); }, log);
  keep_geosets(document, geosets);
  return {};
}

Result<void> remove_sequences(Document& document, const Choice& choice, EditLog& log) {
  const auto numbers =
      choose<Sequences>(document, choice, [](const Sequence& sequence) { return sequence.name.view(); }, log);
  const std::size_t count = document.all<Sequences>().size();
  for_each<Geosets>(document, [&](Geoset& geoset, std::size_t) {
    std::vector<Extent> left;
    for (std::size_t i = 0; i < geoset.sequence_extents.size(); ++i) {
      if (i >= count || numbers.stays(i)) {
        left.push_back(geoset.sequence_extents[i]);
      }
    }
    geoset.sequence_extents = std::move(left);
  });
  keep<Sequences>(document, numbers);
  return {};
}

Result<void> remove_cameras(Document& document, const Choice& choice, EditLog& log) {
  const auto numbers =
      choose<Cameras>(document, choice, [](const Camera& camera) { return camera.name.view(); }, log);
  const std::size_t cameras = document.all<Cameras>().size();
  if (auto* bind = document.find<BindPoses>(); bind != nullptr && bind->poses.size() >= cameras) {
    const std::size_t nodes = bind->poses.size() - cameras;  // theirs stand in front
    Array<BindPose> left;
    for (std::size_t i = 0; i < bind->poses.size(); ++i) {
      if (i < nodes || numbers.stays(i - nodes)) {
        left.push_back(bind->poses[i]);
      }
    }
    bind->poses = std::move(left);
  }
  keep<Cameras>(document, numbers);
  return {};
}

tl::unexpected<Error> refused(std::string_view kind, std::size_t index, std::string_view user) {
  return fail(codes::kEditRefused, std::string(kind) + " " + std::to_string(index) +
                                       " cannot be removed, because " + std::string(user) + " uses it");
}

bool shows(const Track& track, std::int32_t texture) {
  for (std::size_t key = 0; track.tag == FourCC{"KMTF"} && key < track.size(); ++key) {
    if (track.integer(key) == texture) {
      return true;
    }
  }
  return false;
}

bool shows(const Layer& layer, std::int32_t texture) {
  return (layer.slots.empty() && layer.texture_id == texture) ||
         std::any_of(layer.tracks.begin(), layer.tracks.end(),
                     [&](const Track& track) { return shows(track, texture); }) ||
         std::any_of(layer.slots.begin(), layer.slots.end(), [&](const TextureSlot& slot) {
           return slot.texture_id == texture || (slot.flipbook && shows(*slot.flipbook, texture));
         });
}

/// The path of the first layer or emitter that shows a texture.
std::string user_of_texture(Document& document, std::int32_t texture) {
  std::string user;
  for_each<ParticleEmitters2>(document, [&](const ParticleEmitter2& emitter, std::size_t index) {
    user = user.empty() && emitter.texture_id == texture ? place("PRE2", index) : user;
  });
  for_each<Materials>(document, [&](const Material& material, std::size_t index) {
    for (std::size_t i = 0; user.empty() && i < material.layers.size(); ++i) {
      user = shows(material.layers[i], texture) ? place("MTLS", index) + '.' + place("layers", i) : user;
    }
  });
  return user;
}

Result<void> remove_textures(Document& document, const Choice& choice, EditLog& log) {
  const auto numbers =
      choose<Textures>(document, choice, [](const Texture& texture) { return texture.path.view(); }, log);
  std::optional<std::size_t> needed;
  each_texture_id(document, [&](const std::int32_t& id, bool counts) {
    if (counts && numbers.known(id) && !numbers.stays(static_cast<std::size_t>(id))) {
      needed = static_cast<std::size_t>(id);
    }
  });
  if (needed) {
    return refused("texture", *needed, user_of_texture(document, static_cast<std::int32_t>(*needed)));
  }
  each_texture_id(document, [&](std::int32_t& id, bool /*counts*/) { numbers.apply(id, 0); });
  keep<Textures>(document, numbers);
  return {};
}

Result<void> remove_materials(Document& document, const Choice& choice, EditLog& log) {
  const auto numbers = choose<Materials>(
      document, choice, [](const Material& material) { return material.shader.view(); }, log);
  std::optional<std::size_t> needed;
  std::string user;
  const auto need = [&](std::int32_t id, std::string_view chunk, std::size_t index) {
    if (!needed && numbers.known(id) && !numbers.stays(static_cast<std::size_t>(id))) {
      needed = static_cast<std::size_t>(id);
      user = place(chunk, index);
    }
  };
  for_each<Geosets>(
      document, [&](const Geoset& geoset, std::size_t index) { need(geoset.material_id, "GEOS", index); });
  for_each<RibbonEmitters>(document, [&](const RibbonEmitter& ribbon, std::size_t index) {
    need(ribbon.material_id, "RIBB", index);
  });
  if (needed) {
    return refused("material", *needed, user);
  }
  for_each<Geosets>(document, [&](Geoset& geoset, std::size_t) { numbers.apply(geoset.material_id, 0); });
  for_each<RibbonEmitters>(document,
                           [&](RibbonEmitter& ribbon, std::size_t) { numbers.apply(ribbon.material_id, 0); });
  keep<Materials>(document, numbers);
  return {};
}

/// Nodes of some kinds of chunks. Their numbers count over all of these.
template <class... Bodies>
Result<void> remove_objects(Document& document, const Choice& choice, EditLog& log) {
  std::set<std::int32_t> ids;
  std::size_t number = 0;
  each_object(document, [&](auto& item, const std::string& path) {
    using Item = std::remove_reference_t<decltype(item)>;
    if constexpr ((std::is_same_v<Item, typename Bodies::Item> || ...)) {
      if (choice.takes(number++, item.node.name.view())) {
        ids.insert(item.node.object_id);
        log.changes.push_back({path, "removed \"" + shown(item.node.name.view()) + "\""});
      }
    }
  });
  const auto nodes = nodes_by_id(document);
  for (const std::int32_t id : ids_that_move_vertices(document)) {
    if (ids.contains(id)) {
      return fail(codes::kEditRefused, '"' + shown(nodes.at(id)->name.view()) +
                                           "\" cannot be removed, because vertices are bound to it");
    }
  }
  for (const auto& [id, node] : nodes) {
    if (ids.contains(node->parent_id) && !ids.contains(id)) {
      log.changes.push_back({shown(node->name.view()), "attached to the parent of the removed node"});
    }
  }
  remove_nodes(document, ids);
  return {};
}

struct Kind {
  std::string_view word;
  Result<void> (*remove)(Document& document, const Choice& choice, EditLog& log);
};
constexpr std::array kKinds = {
    Kind{"geoset", remove_geosets},
    Kind{"sequence", remove_sequences},
    Kind{"bone", remove_objects<Bones>},
    Kind{"helper", remove_objects<Helpers>},
    Kind{"light", remove_objects<Lights>},
    Kind{"attachment", remove_objects<Attachments>},
    Kind{"emitter", remove_objects<ParticleEmitters, ParticleEmitters2, PopcornEmitters>},
    Kind{"ribbon", remove_objects<RibbonEmitters>},
    Kind{"event", remove_objects<EventObjects>},
    Kind{"collision", remove_objects<CollisionShapes>},
    Kind{"camera", remove_cameras},
    Kind{"texture", remove_textures},
    Kind{"material", remove_materials},
};

}  // namespace

Result<void> remove_things(Document& document, std::string_view what, EditLog& log) {
  const std::size_t colon = what.find(':');
  const std::string_view word = what.substr(0, colon);
  for (const Kind& kind : kKinds) {
    if (kind.word == word) {
      const std::size_t before = log.changes.size();
      const Choice choice(colon == std::string_view::npos ? "" : what.substr(colon + 1));
      auto done = kind.remove(document, choice, log);
      if (done && log.changes.size() == before) {
        report_nothing(log, what);
      }
      return done;
    }
  }
  std::string words;
  for (const Kind& kind : kKinds) {
    words += (words.empty() ? "" : ", ") + std::string(kind.word);
  }
  return fail(codes::kEditPath, "unknown kind \"" + shown(word) + "\"; expected one of " + words);
}

}  // namespace thaw::mdx
