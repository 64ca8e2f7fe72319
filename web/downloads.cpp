#include "downloads.hpp"

#include <thaw/gltf.hpp>

#include "bytes/text.hpp"
#include "formats/descriptor.hpp"
#include "formats/list.hpp"
#include "open/scene_weight.hpp"
#include "open/written_scene.hpp"

#include <algorithm>

namespace thaw::page {
namespace {

constexpr std::string_view kVersion = "format-version";

std::string stem_of(const Wish& wish) { return wish.name.substr(0, wish.name.find_last_of('.')); }

Value way(std::string_view target, std::string_view extension) {
  return Value().set("to", target).set("extension", extension);
}

/// `options` are those that have a say in it.
void add_way(std::string_view target, std::string_view extension, std::string_view options,
             const FormatDescriptor& made, Value& ways) {
  Value versions = Value::List();
  if (contains_word(options, kVersion)) {
    for (const std::uint32_t version : made.written_versions) {
      versions.push(version);
    }
  }
  ways.push(way(target, extension).set("versions", std::move(versions)));
}

void add_conversion(const Conversion& conversion, Value& ways) {
  if (conversion.make != nullptr && !conversion.extension.empty()) {
    add_way(conversion.target, conversion.extension, conversion.options,
            find_format(conversion.target).descriptor(), ways);
  }
}

/// Whether a scene alone is enough: animations are for a skeleton that somebody would have to name.
bool is_made_of_scenes(const FormatDescriptor& format) {
  return !format.from_scene->network || format.from_scene->new_network;
}

void add_games(Value& ways) {
  for (const FormatDescriptor* format : formats_of_scenes()) {
    if (is_made_of_scenes(*format)) {
      add_way(scene_target(*format), first_word(format->extensions), format->from_scene->options, *format,
              ways);
    }
  }
}

const FormatDescriptor* find_game(std::string_view target) {
  const auto formats = formats_of_scenes();
  const auto found = std::find_if(formats.begin(), formats.end(), [&](const FormatDescriptor* format) {
    return is_made_of_scenes(*format) && scene_target(*format) == target;
  });
  return found == formats.end() ? nullptr : *found;
}

std::optional<std::uint32_t> version_of(const Wish& wish) {
  const auto version = wish.how["version"].integer();
  return version ? std::optional(static_cast<std::uint32_t>(*version)) : std::nullopt;
}

/// As `convert` makes files of games of a glTF file.
Result<Download> file_of_game(const Wish& wish, const FormatDescriptor& game) {
  Download made;
  GltfReadOptions reading;
  open::read_for(*game.from_scene, reading);
  open::look_in(wish.sources, reading);
  const auto scene = read_gltf(wish.bytes, reading, made.findings);
  const auto bounded = scene
                           .and_then([&](const scene::Scene& all) {
                             return open::hold_to_bound(all, wish.request.max_scene_bytes);
                           })
                           .and_then([&] { return open::keep_geometry(*game.from_scene, *scene); });
  if (!bounded) {
    return tl::unexpected<Error>(bounded.error());
  }
  SceneToWrite order{*scene, {}, {}, {}, nullptr, {}, true, made.findings};
  order.version = version_of(wish);
  order.name = stem_of(wish);
  open::take_clips(*scene, {}, order);
  return game.from_scene->write(order).map([&](SceneFile&& file) {
    made.note = std::move(file.note);
    made.files.emplace_back(stem_of(wish) + std::string(first_word(game.extensions)), std::move(file.bytes));
    std::move(file.beside.begin(), file.beside.end(), std::back_inserter(made.files));
    return std::move(made);
  });
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
  file.version = version_of(wish);
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
  if (format.interchange) {
    add_games(ways);
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
  if (const FormatDescriptor* game = format.interchange ? find_game(target) : nullptr) {
    return file_of_game(wish, *game);
  }
  const Conversion* conversion = find_conversion(format, target);
  if (conversion == nullptr || conversion->make == nullptr) {
    return fail(codes::kFormatUnsupported, "there is no such way");
  }
  return converted(wish, *conversion);
}

}  // namespace thaw::page
