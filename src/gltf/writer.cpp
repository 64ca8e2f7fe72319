// From a scene to files.
#include <thaw/codes.hpp>
#include <thaw/control.hpp>
#include <thaw/gltf.hpp>
#include <thaw/version.hpp>

#include "bytes/number_text.hpp"
#include "bytes/text.hpp"
#include "bytes/text_encoding.hpp"
#include "describe/description.hpp"
#include "gltf/export.hpp"

#include <algorithm>

namespace thaw {
namespace {

using gltf::Export;

constexpr std::size_t kGlbHeader = 12;
constexpr std::size_t kGlbChunkHeader = 8;
constexpr std::uint64_t kMaxFile = 0xFFFFFFFFU;

void append_words(Bytes& out, std::initializer_list<std::uint32_t> words) {
  for (const std::uint32_t word : words) {
    const std::size_t at = out.size();
    out.resize(at + sizeof(word));
    copy_plain<std::uint32_t>(out.data() + at, &word, 1);
  }
}

std::size_t padded(std::size_t size) { return (size + 3) / 4 * 4; }

/// Of a buffer that was laid out and has `buffer_size` bytes.
Bytes make_glb(const std::string& json, gltf::Buffer& buffer, std::size_t buffer_size) {
  constexpr std::uint32_t kMagic = 0x46546C67;  // glTF
  constexpr std::uint32_t kJson = 0x4E4F534A;
  constexpr std::uint32_t kBin = 0x004E4942;
  const std::size_t json_size = padded(json.size());
  const std::size_t size =
      kGlbHeader + kGlbChunkHeader + json_size + (buffer_size == 0 ? 0 : kGlbChunkHeader + buffer_size);
  Bytes glb;
  glb.reserve(size);
  append_words(glb,
               {kMagic, 2, static_cast<std::uint32_t>(size), static_cast<std::uint32_t>(json_size), kJson});
  glb.resize(kGlbHeader + kGlbChunkHeader + json_size, ' ');
  std::memcpy(glb.data() + kGlbHeader + kGlbChunkHeader, json.data(), json.size());
  if (buffer_size > 0) {
    append_words(glb, {static_cast<std::uint32_t>(buffer_size), kBin});
    buffer.move_to(glb);
  }
  return glb;
}

std::string generator(const GltfOptions& options) {
  return options.generator.empty() ? "thaw " + std::string(version()) : options.generator;
}

void fill(Export& out, bool animations) {
  out.document.generator = generator(out.options);
  out.document.scene_name = out.scene.name;
  for (const auto& add : {gltf::add_nodes, gltf::add_skins, gltf::add_meshes, gltf::add_lights,
                          gltf::add_cameras, gltf::add_placements, gltf::add_extras}) {
    if (!is_stopped(out.options.control)) {
      add(out);
    }
  }
  if (animations && !is_stopped(out.options.control)) {
    gltf::add_animations(out);
  }
  if (!is_stopped(out.options.control)) {
    gltf::pack_extras(out);
  }
}

/// The nodes of a document and one of its animations, without meshes and what only they have. False if the
/// animation moves no node.
bool write_clip(const Export& whole, const gltf::Animation& source, Bytes& file, std::size_t& dropped) {
  gltf::Asset clip;
  gltf::Buffer buffer(clip, whole.options);
  clip.generator = whole.document.generator;
  clip.asset_extras = whole.document.asset_extras;
  clip.scene_name = whole.document.scene_name;
  clip.roots = whole.document.roots;
  for (const gltf::Node& node : whole.document.nodes) {
    gltf::Node& moved = clip.nodes.emplace_back();
    moved.name = node.name;
    moved.children = node.children;
    moved.translation = node.translation;
    moved.rotation = node.rotation;
    moved.scale = node.scale;
    moved.extras = node.extras;
  }
  gltf::Animation animation;
  animation.name = source.name;
  animation.extras = source.extras;
  std::map<gltf::Index, gltf::Index> samplers;
  for (gltf::AnimationChannel channel : source.channels) {
    if (channel.path == "weights" || !channel.pointer.empty()) {
      ++dropped;
      continue;
    }
    const auto [entry, fresh] =
        samplers.try_emplace(channel.sampler, static_cast<gltf::Index>(animation.samplers.size()));
    if (fresh) {
      gltf::AnimationSampler sampler = source.samplers[channel.sampler];
      sampler.input = buffer.copy(whole.buffer, sampler.input);
      sampler.output = buffer.copy(whole.buffer, sampler.output);
      animation.samplers.push_back(sampler);
    }
    channel.sampler = entry->second;
    animation.channels.push_back(std::move(channel));
  }
  if (animation.channels.empty()) {
    return false;
  }
  clip.animations.push_back(std::move(animation));
  const std::size_t size = buffer.lay_out();
  file = make_glb(gltf::to_json(clip), buffer, size);
  return true;
}

/// Every animation in a file of its own, called as Unity and others expect it: MODEL@CLIP.
void add_clip_files(const Export& whole, const std::string& stem, std::vector<OutputFile>& files,
                    Diagnostics& diagnostics) {
  scene::UniqueNames names;
  std::size_t dropped = 0;
  std::size_t empty = 0;
  for (const gltf::Animation& animation : whole.document.animations) {
    const std::string clip = gltf_side_stem(animation.name);
    // Some file systems do not distinguish `A` from `a`.
    const std::string unique = names.add(ascii::lowered(clip), "clip");
    OutputFile file{stem + "@" + clip + unique.substr(std::min(clip.size(), unique.size())) + ".glb", {}};
    if (write_clip(whole, animation, file.bytes, dropped)) {
      files.push_back(std::move(file));
    } else {
      ++empty;
    }
  }
  if (empty > 0) {
    diagnostics.add(codes::kSceneLost,
                    "no file written for " + counted(empty, "animation") + " in which no node moves");
  }
  if (dropped > 0) {
    diagnostics.add(codes::kSceneLost, counted(dropped, "channel") +
                                           " of morph targets, materials and visibility left out, because "
                                           "files of single animations contain no meshes");
  }
}

}  // namespace

std::string gltf_side_stem(std::string_view name) {
  constexpr std::string_view kForbidden = "<>:\"/\\|?*\x7F";
  std::string stem = to_utf8(name.empty() ? "model" : name);
  std::replace_if(
      stem.begin(), stem.end(),
      [&](char c) {
        return static_cast<unsigned char>(c) < ' ' || kForbidden.find(c) != std::string_view::npos;
      },
      '_');
  return stem;
}

namespace {

/// What somebody typed in another program, which only read_gltf finds.
void report_properties(const scene::Scene& scene, Diagnostics& diagnostics) {
  const auto count_in = [](const auto& parts) {
    return std::count_if(parts.begin(), parts.end(),
                         [](const auto& part) { return !part.properties.object().empty(); });
  };
  const auto count = count_in(scene.nodes) + count_in(scene.meshes) + count_in(scene.materials) +
                     count_in(scene.clips) + (scene.properties.object().empty() ? 0 : 1);
  if (count > 0) {
    diagnostics.add(codes::kSceneLost, "custom properties of " +
                                           counted(static_cast<std::size_t>(count), "object") +
                                           " left out (scene, nodes, meshes, materials, animations)");
  }
}

Result<std::vector<OutputFile>> write(const scene::Scene& scene, scene::Scene* spent,
                                      const GltfOptions& options, Diagnostics& diagnostics) {
  report_properties(scene, diagnostics);
  Export out(scene, options, diagnostics);
  fill(out, !options.separate_animations);
  out.pictures.encode(spent);
  out.pictures.report(diagnostics);
  if (is_stopped(options.control)) {
    return fail(codes::kStopped, "");
  }
  const std::size_t buffer_size = out.buffer.lay_out();
  const std::string stem = options.name.empty() ? "model" : options.name;
  const std::string buffer_name = gltf_side_stem(stem) + ".bin";
  if (!options.binary) {
    out.document.buffer_uri = percent_encoded(buffer_name);
  }
  const std::string json = gltf::to_json(out.document);
  if (json.size() + buffer_size + kGlbHeader + 2 * kGlbChunkHeader + 8 > kMaxFile) {
    return fail(codes::kWriteFailed, "the glTF file and its buffer exceed the limit of 4 GiB");
  }
  std::vector<OutputFile> files;
  if (options.binary) {
    files.push_back({stem + ".glb", make_glb(json, out.buffer, buffer_size)});
  } else {
    Bytes text;
    text.resize(json.size());
    std::memcpy(text.data(), json.data(), json.size());
    files.push_back({stem + ".gltf", std::move(text)});
    if (buffer_size > 0) {
      Bytes buffer;
      buffer.reserve(buffer_size);
      out.buffer.move_to(buffer);
      files.push_back({buffer_name, std::move(buffer)});
    }
  }
  for (auto& file : out.pictures.files()) {
    files.push_back(std::move(file));
  }
  if (options.separate_animations && !scene.clips.empty()) {
    Diagnostics again(0);  // all but what it drops was reported before
    Export whole(scene, options, again);
    fill(whole, true);
    add_clip_files(whole, stem, files, diagnostics);
  }
  return files;
}

}  // namespace

Result<std::vector<OutputFile>> write_gltf(const scene::Scene& scene, const GltfOptions& options,
                                           Diagnostics& diagnostics) {
  return write(scene, nullptr, options, diagnostics);
}

Result<std::vector<OutputFile>> write_gltf(scene::Scene&& scene, const GltfOptions& options,
                                           Diagnostics& diagnostics) {
  // Clips of their own go through the scene once more, pictures included.
  return write(scene, options.separate_animations ? nullptr : &scene, options, diagnostics);
}

}  // namespace thaw
