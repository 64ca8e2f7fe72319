#include <thaw/codes.hpp>
#include <thaw/convert.hpp>

#include "bytes/number_text.hpp"
#include "bytes/text.hpp"
#include "bytes/utf8_path.hpp"
#include "convert/classic_model.hpp"
#include "convert/from_gltf.hpp"
#include "convert/map_plan.hpp"
#include "formats/list.hpp"
#include "open/parts.hpp"
#include "scene/clips.hpp"

#include <algorithm>

namespace thaw {
namespace {

namespace fs = std::filesystem;

Outputs describe_model(const OpenedScene& opened, std::vector<OutputFile> files) {
  const scene::Scene& scene = opened.scene;
  const auto clips = static_cast<std::uint64_t>(std::count_if(
      scene.clips.begin(), scene.clips.end(), [](const scene::Clip& clip) { return !clip.global; }));
  const auto missing = static_cast<std::uint64_t>(
      std::count_if(scene.images.begin(), scene.images.end(),
                    [](const scene::NamedImage& image) { return image.placeholder; }));
  Outputs outputs;
  outputs.files = std::move(files);
  outputs.note = counted(clips, "clip");
  outputs.note += missing > 0 ? " · " + counted(missing, "texture") + " missing" : "";
  outputs.note += opened.morphs > 0 ? " · " + counted(opened.morphs, "morph model") : "";
  outputs.json = {{"clips", static_cast<std::int64_t>(clips)},
                  {"textures", static_cast<std::int64_t>(scene.images.size())},
                  {"textures_missing", static_cast<std::int64_t>(missing)}};
  return outputs;
}

/// A document as glTF, by way of its scene.
Result<Outputs> make_gltf(const AnyDocument& document, const ConvertTarget& target,
                          const ConvertOptions& options, const OpenSceneOptions& request,
                          const Sources& sources, Diagnostics& findings) {
  auto opened = open_scene(document, sources, request, findings);
  if (!opened) {
    return tl::unexpected<Error>(std::move(opened.error()));
  }
  if (auto checked = check_replaceables(opened->scene, sources, request, findings); !checked) {
    return tl::unexpected<Error>(std::move(checked.error()));
  }
  if (request.all_team_colors && opened->scene.variants.empty()) {
    findings.add(codes::kOptionEffect, "--team-color all: no texture has the colour of a player");
  }
  const bool leaves_out = request.every > 1 || request.max_error >= 0;
  if (leaves_out && opened->morphs == 0 && document.get_if<mdx::Document>() != nullptr) {
    const std::string option = request.every > 1 ? "--every" : "--max-error";
    findings.add(codes::kOptionEffect, option + ": the model shows no morph model (MRF)");
  }
  if (options.bake_loops) {
    scene::bake_loops(opened->scene, findings);
  }
  GltfOptions writing = options.gltf;
  writing.binary = target.word == "glb";
  writing.embed_images = writing.binary;
  writing.name = without_extension(target.file_name);
  writing.png_level = options.texture.png_level;
  writing.jpeg_quality = options.texture.encode.quality;
  writing.control = options.scene.read.control;
  return write_gltf(std::move(opened->scene), writing, findings).map([&](std::vector<OutputFile>&& files) {
    return describe_model(*opened, std::move(files));
  });
}

std::string default_name(std::string_view input, std::string_view extension) {
  const std::string stem(without_extension(last_part(input)));
  return (stem.empty() ? "model" : stem) + std::string(extension);
}

/// A building of version 17 with its group files, one after the other.
AnyDocument with_groups(AnyDocument&& document, const std::string& name, const Sources& adjacent,
                        const ReadOptions& options, Diagnostics& findings) {
  const auto* root = document.get_if<wmo::Document>();
  if (root == nullptr || !root->groups().empty()) {
    return std::move(document);
  }
  wmo::Document joint = *root;
  for (auto& group : open::load_groups(*root, name, adjacent, options, findings)) {
    if (!group) {
      return std::move(document);  // which is reported
    }
    joint.chunks.insert(joint.chunks.end(), std::make_move_iterator(group->chunks.begin()),
                        std::make_move_iterator(group->chunks.end()));
  }
  return {document.identity(), std::move(joint)};
}

/// All of them, or none where one is there and stays.
Result<void> write_files(const Outputs& outputs, const fs::path& to, bool overwrite) {
  std::vector<fs::path> paths = {to};
  for (std::size_t i = 1; i < outputs.files.size(); ++i) {
    paths.push_back(to.parent_path() / utf8_path(outputs.files[i].name));
  }
  std::error_code error;
  for (const fs::path& path : paths) {
    if (!overwrite && fs::exists(path, error)) {
      return fail(codes::kWriteExists, path.generic_string() + " exists");
    }
  }
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (auto written = write_file(paths[i], outputs.files[i].bytes, overwrite); !written) {
      return written;
    }
  }
  return {};
}

Error unsupported(const Identity& identity, std::string_view target) {
  const std::string to = target.empty() ? "an output without extension" : std::string(target);
  return {codes::kFormatUnsupported,
          {},
          {},
          "cannot be converted to " + to + ": " + std::string(identity.explanation)};
}

Identity identity_of(const ConvertInput& input) {
  if (input.document != nullptr) {
    return input.document->identity();
  }
  if (input.storage == nullptr) {
    return identify(input.bytes, input.name);
  }
  constexpr std::uint64_t kHead = 4096;
  Bytes start(static_cast<std::size_t>(std::min(input.storage->size(), kHead)));
  return input.storage->read(0, start) ? identify(start, input.name) : identify({}, input.name);
}

/// All tiles of a map as one output.
Result<Outputs> convert_map(const ConvertInput& input, const ConvertTarget& target,
                            const ConvertOptions& options, const Sources& sources, Diagnostics& diagnostics) {
  ConvertOptions whole = options;
  whole.map.by_tile = false;
  return conversion::plan_map(input, target, whole, sources, diagnostics)
      .and_then([&](const std::unique_ptr<const ConvertPlan>& plan) -> Result<Outputs> {
        return plan->outputs().size() == 1
                   ? plan->make(0, {}, options.scene.read.control, diagnostics)
                   : fail(codes::kFormatUnsupported,
                          "the map converts to several files, which one output cannot hold; "
                          "use thaw::plan or the command thaw convert");
      });
}

/// One file, which becomes one output.
class FilePlan final : public ConvertPlan {
 public:
  FilePlan(const ConvertInput& input, ConvertTarget target, const TargetInfo& known,
           const ConvertOptions& options, const Sources& sources)
      : input_(input), target_(std::move(target)), word_(target_.word), options_(options), sources_(sources) {
    const std::string name =
        target_.file_name.empty() ? default_name(input.name, known.extension) : target_.file_name;
    target_.word = word_;
    plan_output({name,
                 {},
                 known.has_sidecars || (known.of_scenes ? false
                                                        : options.gltf.separate_animations &&
                                                              (word_ == "glb" || word_ == "gltf"))});
  }

  Result<Outputs> make(std::size_t /*output*/, std::string_view file_name, const Control* control,
                       Diagnostics& diagnostics) const override {
    ConvertTarget target = target_;
    target.file_name = file_name.empty() ? outputs().front().file_name : std::string(file_name);
    ConvertOptions options = options_;
    options.scene.read.control = control;
    return convert(input_, target, options, sources_, diagnostics);
  }

 private:
  const ConvertInput& input_;
  ConvertTarget target_;
  std::string word_;  ///< which the target refers to
  ConvertOptions options_;
  const Sources& sources_;
};

}  // namespace

Result<AnyDocument> read_original(ByteView bytes, const std::string& name, const Sources& adjacent,
                                  const ReadOptions& options, Diagnostics& diagnostics) {
  return read_any(bytes, options, diagnostics).map([&](AnyDocument&& document) {
    return with_groups(std::move(document), name, adjacent, options, diagnostics);
  });
}

std::optional<Error> refusal_of(const AnyDocument& document, const Sources* sources) {
  const FormatDescriptor& format = descriptor_of(document);
  return format.refusal == nullptr ? std::nullopt : format.refusal(document, sources);
}

Result<Outputs> convert(const ConvertInput& input, const ConvertTarget& requested,
                        const ConvertOptions& options, const Sources& sources, Diagnostics& diagnostics) {
  const Identity identity = identity_of(input);
  const FormatDescriptor& format =
      input.document != nullptr ? descriptor_of(*input.document) : identity.format.descriptor();
  const Conversion* conversion = find_conversion(format, requested.word);
  const auto known = find_target(Format(format), requested.word);
  if (!known) {
    return tl::unexpected<Error>(unsupported(identity, requested.word));
  }
  if (known->of_maps || format.map) {
    return convert_map(input, requested, options, sources, diagnostics);
  }
  ConvertTarget target = requested;
  target.file_name =
      requested.file_name.empty() ? default_name(input.name, known->extension) : requested.file_name;
  if (conversion == nullptr && format.interchange) {
    return conversion::convert_gltf(input, target, *find_writer(requested.word), options, sources,
                                    diagnostics);
  }
  std::optional<AnyDocument> parsed;
  const AnyDocument* document = format.picture != nullptr ? nullptr : input.document;
  if (document == nullptr && format.picture == nullptr) {
    auto read = read_any(input.bytes, options.scene.read, diagnostics);
    if (!read) {
      return tl::unexpected<Error>(std::move(read.error()));
    }
    document = &parsed.emplace(std::move(*read));
  }
  if (conversion != nullptr) {
    const FileContext file{target.word,      input.bytes, document, input.name,
                           target.file_name, sources,     options,  diagnostics};
    return options.model.classic ? conversion::convert_to_classic(file) : conversion->make(file);
  }
  OpenSceneOptions request = options.scene;
  request.path = request.path.empty() ? input.name : request.path;
  request.name = request.name.empty() ? std::string(without_extension(target.file_name)) : request.name;
  return make_gltf(*document, target, options, request, sources, diagnostics);
}

std::vector<std::string> ConvertPlan::sidecars(std::size_t /*output*/, std::string_view /*file_name*/) const {
  return {};
}

Result<std::unique_ptr<const ConvertPlan>> plan(const ConvertInput& input, const ConvertTarget& target,
                                                const ConvertOptions& options, const Sources& sources,
                                                Diagnostics& diagnostics) {
  const Identity identity = identity_of(input);
  const auto known = find_target(identity.format, target.word);
  if (!known) {
    return tl::unexpected<Error>(unsupported(identity, target.word));
  }
  if (known->of_maps || identity.format.descriptor().map) {
    return conversion::plan_map(input, target, options, sources, diagnostics);
  }
  return std::make_unique<FilePlan>(input, target, *known, options, sources);
}

Result<void> write_outputs(const Outputs& outputs, const fs::path& folder, Overwrite overwrite) {
  return outputs.files.empty() ? Result<void>()
                               : write_files(outputs, folder / utf8_path(outputs.files.front().name),
                                             overwrite == Overwrite::yes);
}

Result<Outputs> convert(const fs::path& from, const fs::path& to, const ConvertOptions& options,
                        Diagnostics& diagnostics, Overwrite overwrite) {
  const std::string extension = to.extension().string();
  const auto targets = convert_targets();
  auto bytes = read_file(from, options.scene.read.limits);
  if (!bytes) {
    return tl::unexpected<Error>(std::move(bytes.error()));
  }
  const std::string name = from.filename().string();
  const Identity identity = identify(*bytes, name);
  const auto target = std::find_if(targets.begin(), targets.end(), [&](const TargetInfo& one) {
    return one.extension == extension && find_target(identity.format, one.word);
  });
  if (target == targets.end()) {
    return tl::unexpected<Error>(unsupported(identity, extension));
  }
  Sources sources;
  if (identity.format.is_interchange()) {
    sources.add_folder(from.has_parent_path() ? from.parent_path() : ".");
  } else {
    sources = model_sources(from, {});
  }
  ConvertOptions request = options;
  if (request.scene.adjacent.empty()) {
    request.scene.adjacent = open_folder(from.has_parent_path() ? from.parent_path() : ".")->files_in("");
  }
  const ConvertInput input{*bytes, name};
  auto outputs = convert(input, {target->word, to.filename().string()}, request, sources, diagnostics);
  if (!outputs) {
    return outputs;
  }
  const auto written = write_files(*outputs, to, overwrite == Overwrite::yes);
  return written ? std::move(outputs) : tl::unexpected<Error>(written.error());
}

}  // namespace thaw
