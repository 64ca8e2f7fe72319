#include <thaw/load.hpp>

#include <thaw/adr.hpp>
#include <thaw/mrf.hpp>
#include <thaw/wmo.hpp>

#include "bytes/text.hpp"
#include "open/parts.hpp"
#include "open/slk.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

namespace thaw {
namespace {

using State = Dependency::State;

constexpr std::size_t kMostModels = 256;
constexpr std::string_view kTexture = "texture";

std::string with_slashes(std::string_view path) {
  std::string result = to_utf8(path);
  std::replace(result.begin(), result.end(), '\\', '/');
  return result;
}

std::string upper_case(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](char c) { return ascii::upper(c); });
  return result;
}

bool is_model(std::string_view kind) { return kind.ends_with("model") || kind == "portrait"; }

FileKind file_kind_of(std::string_view kind) {
  return kind == kTexture || kind.ends_with("splat")               ? FileKind::texture
         : kind == "sound"                                         ? FileKind::sound
         : kind == "popcorn effect" || kind == "face animation"    ? FileKind::effect
         : is_model(kind) || kind == "building" || kind == "morph" ? FileKind::model
                                                                   : FileKind::any;
}

/// What may need further files.
bool has_needs(std::string_view kind) {
  constexpr std::array<std::string_view, 3> kOthers = {"materials", "building", "building part"};
  return is_model(kind) || std::find(kOthers.begin(), kOthers.end(), kind) != kOthers.end();
}

class Collector {
 public:
  Collector(const Sources& sources, const OpenSceneOptions& request)
      : sources_(sources), request_(request), tables_(sources) {}

  std::vector<Dependency> run(const AnyDocument& document) {
    seen_.insert("model:" + game_path_without_extension(request_.path));
    collect(document, request_.path);
    for (std::size_t i = 0; i < all_.size() && models_ < kMostModels; ++i) {
      if (all_[i].state == State::found && has_needs(all_[i].kind)) {
        look_into(Dependency(all_[i]));
      }
    }
    return std::move(all_);
  }

 private:
  // --- report

  /// False if it is known already.
  bool is_new(std::string_view kind, std::string_view path) {
    return seen_
        .insert(std::string(kind == kTexture ? ""
                            : is_model(kind) ? "model:"
                                             : "file:") +
                (is_model(kind) ? game_path_without_extension(path) : normalize_game_path(path)))
        .second;
  }

  [[nodiscard]] Dependency dependency_of(std::string_view kind, std::string_view path, State state,
                                         bool by_table) const {
    return {std::string(kind), with_slashes(path), by_, state, file_kind_of(kind), {}, {}, by_table};
  }

  void add(Dependency dependency, const std::optional<FoundFile>& found) {
    if (found) {
      dependency.state = State::found;
      dependency.name = found->name;
      dependency.where = found->where;
    }
    all_.push_back(std::move(dependency));
  }

  void ask(std::string_view kind, std::string_view path, bool by_table = false) {
    if (path.empty() || !is_new(kind, path)) {
      return;
    }
    add(dependency_of(kind, path, State::missing, by_table), kind == kTexture ? sources_.find_texture(path)
                                                             : is_model(kind)
                                                                 ? find_model(path)
                                                                 : sources_.find(path, file_kind_of(kind)));
  }

  /// Models say .mdl of what is a .mdx on disk.
  [[nodiscard]] std::optional<FoundFile> find_model(std::string_view path) const {
    const std::string stem = game_path_without_extension(path);
    auto found = sources_.find(stem + ".mdx", FileKind::model);
    found = found ? std::move(found) : sources_.find(stem + ".mdl", FileKind::model);
    return found ? std::move(found) : sources_.find(path, FileKind::model);
  }

  void unknown(std::string_view kind, std::string_view event) {
    if (is_new("event", event)) {
      all_.push_back(dependency_of(kind, event, State::unknown, true));
    }
  }

  // --- documents

  void look_into(const Dependency& dependency) {
    const auto found = sources_.find(dependency.name, dependency.asset);
    const auto document = found ? read_any(found->bytes, request_.read) : fail(codes::kFormatUnknown, "");
    if (document) {
      ++models_;
      collect(*document, dependency.name);
    }
  }

  void collect(const AnyDocument& document, const std::string& path) {
    by_ = with_slashes(path);
    const CodePageScope scope(document.code_page());
    const Facts facts = summarize(document);
    for (const auto& texture : facts.textures) {
      if (!dressed_.contains(normalize_game_path(path))) {
        ask_texture(document, texture);
      }
    }
    if (const auto* text = document.get_if<xml::Document>()) {
      ask_for_actor(*text);
    } else if (const auto* building = document.get_if<wmo::Document>()) {
      ask_for_building(*building, path);
    }
    if (const auto* model = document.get_if<mdx::Document>()) {
      mdx::Document copy = *model;
      mdx::for_each_path(copy, [this](std::string_view kind, const FixedText<260>& requested) {
        // Textures of TEXS are known by now, those of emitters not.
        ask(kind, to_utf8(requested.view()));
      });
      for (const auto* event : model->all<mdx::EventObjects>()) {
        ask_event(event->node.name.view());
      }
      for (const auto& reference : facts.references) {
        ask(reference.kind, reference.path);
      }
      find_portrait(path);
    } else {
      ask_references(facts);
    }
  }

  void ask_texture(const AnyDocument& document, const Facts::TextureReference& texture) {
    if (texture.path.empty() && texture.replaceable_id == 0) {
      return;
    }
    if (texture.path.empty()) {
      const std::string what = texture.supplied.empty() ? "id " + std::to_string(texture.replaceable_id)
                                                        : std::string(texture.supplied);
      if (is_new("supplied", what)) {
        all_.push_back(dependency_of(kTexture, what, State::supplied, false));
      }
      return;
    }
    std::uint32_t id = 0;
    const char* const end = texture.path.data() + texture.path.size();
    const bool number =
        document.identity().format == "m3" && std::from_chars(texture.path.data(), end, id).ec == std::errc();
    ask(kTexture, number ? picture_of_id(sources_, request_, id) : texture.path);
  }

  void ask_references(const Facts& facts) {
    for (const auto& reference : facts.references) {
      constexpr std::array<std::string_view, 4> kFiles = {"model", "building", "material library", "buffer"};
      if (std::find(kFiles.begin(), kFiles.end(), reference.kind) != kFiles.end()) {
        ask(reference.kind, reference.path);
      }
    }
  }

  // --- actors (adr.md#assembly)

  void ask_for_actor(const xml::Document& text) {
    const auto actor = adr::read_actor(text);
    if (!actor) {
      return;
    }
    if (!actor->network.empty()) {
      const std::string wide = std::string(without_extension(actor->network)) + "X64.mrn";
      ask("network", sources_.find(actor->network) || !sources_.find(wide) ? actor->network : wide);
    }
    ask_for_level(actor->base);
    std::for_each(actor->lods.begin(), actor->lods.end(),
                  [this](const adr::Lod& lod) { ask_for_level(lod); });
    for (const auto& alias : actor->aliases) {
      ask(kTexture, alias.texture);
    }
    ask("collision", actor->collision);
    if (const std::string library = "materials_3.xml"; sources_.find(library)) {
      ask("material library", library);
    }
  }

  /// A model has pictures of its own only where the actor has no materials for it.
  void ask_for_level(const adr::Lod& lod) {
    ask("materials", lod.materials);
    const auto model = sources_.find(lod.model);
    if (model && sources_.find(lod.materials)) {
      dressed_.insert(normalize_game_path(model->name));
    }
    ask("model", lod.model);
  }

  // --- buildings (wmo.md#structure)

  void ask_for_building(const wmo::Document& building, const std::string& path) {
    if (const auto* infos = building.find<wmo::GroupInfos>(FourCC{"MOGI"});
        infos != nullptr && building.groups().empty()) {
      for (std::size_t i = 0; i < std::min(infos->items.size(), open::kMostGroups); ++i) {
        ask("building part", open::group_path(path, i));
      }
    }
    if (const auto* sky = building.find<wmo::Strings>(FourCC{"MOSB"})) {
      ask("sky model", sky->at(0));
    }
    const auto* names = building.find<wmo::Strings>(FourCC{"MODN"});
    const auto* doodads = building.find<wmo::Doodads>(FourCC{"MODD"});
    for (std::size_t i = 0; names != nullptr && doodads != nullptr && i < doodads->items.size(); ++i) {
      ask("model", names->at(doodads->items[i].name_offset()));
    }
  }

  /// The game requests it, by its name alone.
  void find_portrait(const std::string& path) {
    const std::string stem = game_path_without_extension(path);
    if (stem.empty() || stem.ends_with("_portrait")) {
      return;
    }
    const std::string name = stem + "_portrait.mdx";
    if (find_model(name)) {
      ask("portrait", name);
    }
  }

  // --- events (mdx.md#event-objects)

  void ask_event(std::string_view name) {
    constexpr std::size_t kFamily = 3;
    constexpr std::size_t kHead = 4;
    if (name.size() <= kHead) {
      return;
    }
    const std::string family = upper_case(name.substr(0, kFamily));
    const std::string_view id = name.substr(kHead, 4);
    if (family == "SND") {
      ask_sound(name, id);
    } else if (family == "SPL" || family == "FPT") {
      ask_splat("splat", "Splats\\SplatData.slk", name, id);
    } else if (family == "UBR") {
      ask_splat("ground splat", "Splats\\UberSplatData.slk", name, id);
    } else if (family == "SPN") {
      const auto* table = tables_.find("Splats\\SpawnData.slk");
      const auto model = table == nullptr ? std::nullopt : table->cell(id, "Model");
      model ? ask("spawned model", *model, true) : unknown("spawned model", name);
    } else if (family == "MRF" || family == "MRD") {
      const std::string path = mrf::game_path(name.substr(kHead));
      ask("morph", sources_.find(path) ? path : "arthascape" + std::string(name.substr(kHead)) + ".mrf");
    }
  }

  void ask_splat(std::string_view kind, const std::string& table_path, std::string_view event,
                 std::string_view id) {
    const auto* table = tables_.find(table_path);
    const auto file = table == nullptr ? std::nullopt : table->cell(id, "file");
    if (!file || file->empty() || *file == "_") {
      unknown(kind, event);
      return;
    }
    const std::string path = open::splat_path(*file);
    if (is_new(kind, path)) {
      add(dependency_of(kind, path, State::missing, true), sources_.find_texture(path));
    }
  }

  void ask_sound(std::string_view event, std::string_view id) {
    const auto* lookups = tables_.find("UI\\SoundInfo\\AnimLookups.slk");
    const auto* sounds = tables_.find("UI\\SoundInfo\\AnimSounds.slk");
    const auto label = lookups == nullptr ? std::nullopt : lookups->cell(id, "SoundLabel");
    const auto names = sounds == nullptr || !label ? std::nullopt : sounds->cell(*label, "FileNames");
    if (!names) {
      unknown("sound", event);
      return;
    }
    std::string folder = sounds->cell(*label, "DirectoryBase").value_or("");
    if (!folder.empty() && folder.back() != '\\' && folder.back() != '/') {
      folder += '\\';
    }
    std::string_view rest = *names;
    while (!rest.empty()) {
      const std::size_t end = rest.find(',');
      const std::string_view name = rest.substr(0, end);
      rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
      ask("sound", name.empty() ? std::string() : folder + std::string(name), true);
    }
  }

  const Sources& sources_;
  const OpenSceneOptions& request_;
  open::GameTables tables_;
  std::string by_;
  std::set<std::string> seen_;
  std::set<std::string> dressed_;  ///< models whose pictures others name
  std::size_t models_ = 0;
  std::vector<Dependency> all_;
};

template <class Body, class Each>
void each_item(mdx::Document& document, const Each& each) {
  for (auto& chunk : document.chunks) {
    if (auto* body = std::get_if<Body>(&chunk.body)) {
      std::for_each(body->items.begin(), body->items.end(), each);
    }
  }
}

}  // namespace

std::string_view state_name(Dependency::State state) {
  switch (state) {
    case State::found:
      return "found";
    case State::missing:
      return "missing";
    case State::supplied:
      return "supplied";
    default:
      return "unknown";
  }
}

std::vector<Dependency> dependencies(const AnyDocument& document, const Sources& sources,
                                     const OpenSceneOptions& request) {
  return Collector(sources, request).run(document);
}

namespace mdx {

void for_each_path(Document& document,
                   const std::function<void(std::string_view kind, FixedText<260>& path)>& each) {
  const auto visit = [&](std::string_view kind) {
    return [&each, kind](auto& item) {
      if (!item.path.view().empty()) {
        each(kind, item.path);
      }
    };
  };
  each_item<Textures>(document, visit(kTexture));
  each_item<Attachments>(document, visit("attached model"));
  each_item<ParticleEmitters>(document, [&](ParticleEmitter& emitter) {
    visit((emitter.node.flags & node_flag::kPremUsesTga) != 0 ? kTexture : "particle model")(emitter);
  });
  each_item<PopcornEmitters>(document, visit("popcorn effect"));
  each_item<FaceEffects>(document, visit("face animation"));
}

}  // namespace mdx
}  // namespace thaw
