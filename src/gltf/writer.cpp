// From a scene to files.
#include <thaw/control.hpp>
#include <thaw/gltf.hpp>
#include <thaw/limit_codes.hpp>
#include <thaw/version.hpp>

#include "bytes/percent.hpp"
#include "document/description.hpp"
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

Bytes make_glb(const std::string& json, const Bytes& buffer) {
  constexpr std::uint32_t kMagic = 0x46546C67;  // glTF
  constexpr std::uint32_t kJson = 0x4E4F534A;
  constexpr std::uint32_t kBin = 0x004E4942;
  const std::size_t json_size = padded(json.size());
  const std::size_t buffer_size = padded(buffer.size());
  const std::size_t size =
      kGlbHeader + kGlbChunkHeader + json_size + (buffer.empty() ? 0 : kGlbChunkHeader + buffer_size);
  Bytes glb;
  glb.reserve(size);
  append_words(glb,
               {kMagic, 2, static_cast<std::uint32_t>(size), static_cast<std::uint32_t>(json_size), kJson});
  glb.resize(kGlbHeader + kGlbChunkHeader + json_size, ' ');
  std::memcpy(glb.data() + kGlbHeader + kGlbChunkHeader, json.data(), json.size());
  if (!buffer.empty()) {
    append_words(glb, {static_cast<std::uint32_t>(buffer_size), kBin});
    glb.insert(glb.end(), buffer.begin(), buffer.end());
    glb.resize(size, 0);
  }
  return glb;
}

std::string generator(const GltfOptions& options) {
  return options.generator.empty() ? "thaw " + std::string(version()) : options.generator;
}

void fill(Export& out) {
  out.document.generator = generator(out.options);
  out.document.scene_name = out.scene.name;
  for (const auto& add :
       {gltf::add_nodes, gltf::add_skins, gltf::add_meshes, gltf::add_lights, gltf::add_cameras,
        gltf::add_placements, gltf::add_extras, gltf::add_animations, gltf::pack_extras}) {
    if (!is_stopped(out.options.control)) {
      add(out);
    }
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

Result<std::vector<OutputFile>> write_gltf(const scene::Scene& scene, const GltfOptions& options,
                                           Diagnostics& diagnostics) {
  Export out(scene, options, diagnostics);
  fill(out);
  if (is_stopped(options.control)) {
    return fail(codes::kStopped, "");
  }
  Bytes buffer = out.buffer.finish();
  const std::string stem = options.name.empty() ? "model" : options.name;
  const std::string buffer_name = gltf_side_stem(stem) + ".bin";
  if (!options.binary) {
    out.document.buffer_uri = percent_encoded(buffer_name);
  }
  const std::string json = gltf::to_json(out.document);
  if (json.size() + buffer.size() + kGlbHeader + 2 * kGlbChunkHeader + 8 > kMaxFile) {
    return fail(codes::kWriteFailed, "the model exceeds the 4 GiB limit of GLB");
  }
  std::vector<OutputFile> files;
  if (options.binary) {
    files.push_back({stem + ".glb", make_glb(json, buffer)});
  } else {
    Bytes text;
    text.resize(json.size());
    std::memcpy(text.data(), json.data(), json.size());
    files.push_back({stem + ".gltf", std::move(text)});
    if (!buffer.empty()) {
      files.push_back({buffer_name, std::move(buffer)});
    }
  }
  for (auto& file : out.pictures.files()) {
    files.push_back(std::move(file));
  }
  return files;
}

}  // namespace thaw
