#include <thaw/gltf.hpp>
#include <thaw/value.hpp>

#include "bytes/text.hpp"
#include "bytes/text_encoding.hpp"
#include "formats/gltf/rules.hpp"
#include "formats/list.hpp"
#include "gltf/input.hpp"
#include "gltf/soundness.hpp"
#include "open/scene_context.hpp"
#include "open/written_scene.hpp"

#include <algorithm>

namespace thaw::gltf {
namespace {

/// Whether a text begins as glTF does whose writer put "asset" far back, as those that sort keys do: with a
/// list that glTF has, and with words that its lists hold.
bool begins_as_scene(std::string_view object) {
  constexpr std::array<std::string_view, 8> kFirst = {"accessors\"", "animations\"", "bufferViews\"",
                                                      "buffers\"",   "images\"",     "materials\"",
                                                      "meshes\"",    "nodes\""};
  constexpr std::array<std::string_view, 5> kWithin = {"\"bufferView\"", "\"byteLength\"", "\"primitives\"",
                                                       "\"pbrMetallicRoughness\"", "\"translation\""};
  const std::string_view first = object.substr(std::min(object.find('"'), object.size() - 1) + 1);
  return std::any_of(kFirst.begin(), kFirst.end(),
                     [&](std::string_view name) { return first.starts_with(name); }) &&
         std::any_of(kWithin.begin(), kWithin.end(),
                     [&](std::string_view word) { return object.find(word) != std::string_view::npos; });
}

Evidence recognise_text(ByteView bytes) {
  const std::string_view text = text_window(bytes);
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos || text[start] != '{') {
    return Evidence::none;
  }
  const bool near = text.find("\"asset\"") != std::string_view::npos;
  return if_found(near || (bytes.size() >= kTextWindow && begins_as_scene(text.substr(start))),
                  Evidence::text);
}

void report(ByteView bytes, Identity& identity) {
  constexpr std::size_t kVersionAt = 4;
  if (begins_with(bytes, "glTF")) {
    identity.version = version_at(bytes, kVersionAt);
  }
}

void count(const Value& json, std::string_view list, std::string_view kind, Facts& facts) {
  if (const std::size_t items = json[list].list().size(); items > 0) {
    facts.counts.push_back({kind, items});
  }
}

/// By the accessors of its samplers' times, which state their largest value.
Facts::Clip clip_of(const Value& json, const Value& animation) {
  Facts::Clip clip;
  clip.name = animation["name"].text();
  for (const Value& sampler : animation["samplers"].list()) {
    const auto input = sampler["input"].integer().value_or(-1);
    const Value& times = input < 0 ? Value() : json["accessors"][static_cast<std::size_t>(input)];
    clip.seconds = std::max(clip.seconds, times["max"][0].number().value_or(0));
  }
  clip.channels = animation["channels"].list().size();
  const auto* looping = std::get_if<bool>(&thaw_extras(&animation)["looping"].storage());
  clip.looping = looping == nullptr || *looping;
  return clip;
}

Facts facts_of(const Document& document) {
  Facts facts;
  const auto json = parse_json(as_bytes(document.json()));
  if (!json) {
    return facts;
  }
  count(*json, "scenes", "scene", facts);
  count(*json, "nodes", "node", facts);
  count(*json, "meshes", "mesh", facts);
  count(*json, "materials", "material", facts);
  count(*json, "skins", "skin", facts);
  count(*json, "cameras", "camera", facts);
  count(*json, "images", "image", facts);
  for (const Value& animation : (*json)["animations"].list()) {
    facts.clips.push_back(clip_of(*json, animation));
  }
  for (const Value& image : (*json)["images"].list()) {
    const std::string& uri = image["uri"].text();
    if (!uri.empty() && !uri.starts_with("data:")) {
      facts.textures.push_back({percent_decoded(uri), 0});
    }
  }
  for (const Value& buffer : (*json)["buffers"].list()) {
    const std::string& uri = buffer["uri"].text();
    if (!uri.empty() && !uri.starts_with("data:")) {
      facts.references.push_back({"buffer", percent_decoded(uri)});
    }
  }
  const Value& asset = (*json)["asset"];
  if (const std::string& generator = asset["generator"].text(); !generator.empty()) {
    facts.in_game = "made by " + generator;
  }
  return facts;
}

Result<scene::Scene> open_scene(const open::SceneContext& context, const AnyDocument& any) {
  GltfReadOptions options;
  options.limits = context.request.read.limits;
  options.surfaces = true;
  open::look_in(context.sources, options);
  return read_gltf(write(*any.get_if<Document>()), options, context.findings);
}

std::optional<Error> refusal(const AnyDocument& any, const Sources* sources) {
  const auto& document = *any.get_if<Document>();
  if (document.json().empty()) {
    return std::nullopt;  // cut off, which reading it reported
  }
  if (sources == nullptr) {
    const auto json = parse_json(as_bytes(document.json()));
    return json ? refusal_of(*json) : std::optional(json.error());
  }
  GltfReadOptions options;
  open::look_in(*sources, options);
  const auto input = Input::open(write(document), options, Diagnostics::discarded());
  return input ? std::nullopt : std::optional(input.error());
}

constexpr RuleBook kBook = document_book<Document, rules>();

}  // namespace

const FormatDescriptor kText = {
    .id = "gltf",
    .name = "glTF scene",
    .extensions = ".gltf",
    .explanation = "this is a glTF scene; it can be converted to a game's model or animation",
    .strongest = Evidence::text,
    .recognise = recognise_text,
    .document = document_operations<Document, read>(),
    .facts = facts_of_any<Document, facts_of>,
    .refusal = refusal,
    .rules = &kBook,
    .to_scene = open_scene,
    .interchange = true,
};

const FormatDescriptor kBinary = {
    .id = "glb",
    .name = "glTF scene, binary (GLB)",
    .extensions = ".glb",
    .explanation = "this is a binary glTF scene; it can be converted to a game's model or animation",
    .strongest = Evidence::magic,
    .recognise = [](ByteView bytes) { return by_magic(bytes, "glTF"); },
    .report = report,
    .document = document_operations<Document, read>(),
    .facts = facts_of_any<Document, facts_of>,
    .refusal = refusal,
    .rules = &kBook,
    .to_scene = open_scene,
    .interchange = true,
};

}  // namespace thaw::gltf
