#include "downloads.hpp"

#include <thaw/gltf.hpp>

#include "formats/descriptor.hpp"

#include <algorithm>

namespace thaw::page {
namespace {

constexpr std::string_view kVersion = "format-version";

bool has_word(std::string_view words, std::string_view word) {
  const std::string spaced = " " + std::string(words) + " ";
  return spaced.find(" " + std::string(word) + " ") != std::string::npos;
}

std::string stem_of(const Wish& wish) { return wish.name.substr(0, wish.name.find_last_of('.')); }

Value way(std::string_view target, std::string_view extension) {
  return Value().set("to", target).set("extension", extension);
}

void add_conversion(const Conversion& conversion, Value& ways) {
  if (conversion.make == nullptr || conversion.extension.empty()) {
    return;
  }
  Value entry = way(conversion.target, conversion.extension);
  Value versions = Value::List();
  if (has_word(conversion.options, kVersion)) {
    for (const std::uint32_t version : find_format(conversion.target).descriptor().written_versions) {
      versions.push(version);
    }
  }
  ways.push(entry.set("versions", std::move(versions)));
}

Result<Download> scene_file(const Wish& wish, bool binary) {
  Download made;
  SceneRequest request = wish.request;
  request.name = stem_of(wish);
  return open_scene(wish.document, wish.sources, request, made.findings)
      .and_then([&](const OpenedScene& opened) {
        GltfOptions options;
        options.binary = binary;
        options.embed_images = binary;
        options.name = stem_of(wish);
        return write_gltf(opened.scene, options, made.findings);
      })
      .map([&](std::vector<GltfFile>&& files) {
        for (GltfFile& file : files) {
          made.files.emplace_back(std::move(file.name), std::move(file.bytes));
        }
        return std::move(made);
      });
}

Result<Download> converted(const Wish& wish, const Conversion& conversion) {
  Download made;
  FileToConvert file{conversion.target,
                     wish.bytes,
                     &wish.document,
                     stem_of(wish) + std::string(conversion.extension),
                     wish.request.path,
                     [&wish] { return wish.sources; },
                     {},
                     made.findings};
  if (const auto version = wish.how["version"].integer()) {
    file.version = static_cast<std::uint32_t>(*version);
  }
  file.own_name = stem_of(wish);
  return conversion.make(file).map([&](ConvertedFiles&& files) {
    made.files = std::move(files.files);
    made.note = std::move(files.note);
    return std::move(made);
  });
}

/// As `validate --fix` writes it: what needs no mending stays as it is.
Result<Download> mended(const Wish& wish, bool all) {
  const FormatDescriptor& format = descriptor_of(wish.document);
  ValidateOptions options;
  options.sources = &wish.sources;
  ValidateOptions how = options;
  how.add_missing = all;
  Fixed fixed = format.fix(wish.document, how, {});
  Download made;
  made.fixed = std::move(fixed.changes);
  Bytes bytes = made.fixed.empty() ? Bytes(wish.bytes.begin(), wish.bytes.end())
                                   : format.document.write(fixed.document);
  const auto again = format.document.read(bytes, wish.document.identity(), {}, made.findings);
  if (again) {
    const Diagnostics found = validate(*again, options);
    for (const Diagnostic& finding : found.items()) {
      made.findings.add(finding);
    }
  }
  made.files.emplace_back(wish.name, std::move(bytes));
  return made;
}

}  // namespace

Value ways_of(const AnyDocument& document) {
  const FormatDescriptor& format = descriptor_of(document);
  Value ways = Value::List();
  if (!format.models.empty()) {
    ways.push(way("glb", ".glb"));
    ways.push(way("gltf", ".gltf"));
  }
  for (const Conversion& conversion : format.conversions) {
    add_conversion(conversion, ways);
  }
  for (const std::string_view how : {"safe", "all"}) {
    if (format.fix != nullptr) {
      ways.push(Value().set("fix", how));
    }
  }
  return ways;
}

Result<Download> make_download(const Wish& wish) {
  const FormatDescriptor& format = descriptor_of(wish.document);
  const std::string_view fix = wish.how["fix"].text();
  if (!fix.empty() && format.fix != nullptr) {
    return mended(wish, fix == "all");
  }
  const std::string_view target = wish.how["to"].text();
  if (target == "glb" || target == "gltf") {
    return scene_file(wish, target == "glb");
  }
  const Conversion* conversion = find_conversion(format, target);
  if (conversion == nullptr || conversion->make == nullptr) {
    return fail(codes::kFormatUnsupported, "there is no such way");
  }
  return converted(wish, *conversion);
}

}  // namespace thaw::page
