#include "cli/jobs/targets.hpp"

#include <thaw/sources.hpp>

#include "bytes/text.hpp"
#include "cli/inputs/distinct.hpp"
#include "cli/jobs/save.hpp"
#include "formats/list.hpp"

#include <algorithm>
#include <vector>

namespace thaw::cli {
namespace {

namespace fs = std::filesystem;

bool names_folder(const Settings& settings) { return cli::names_folder(settings, is_batch(settings)); }

/// A target may be that of a writer and of conversions.
void add_target(std::vector<Target>& all, const Target& target) {
  const auto known = std::find(all.begin(), all.end(), target);
  if (known == all.end()) {
    all.push_back(target);
  } else if (known->writer == nullptr) {
    known->writer = target.writer;
    known->beside = known->beside || target.beside;
  }
}

const std::vector<Target>& all_targets() {
  static const std::vector<Target> kAll = [] {
    std::vector<Target> all = {targets::kGlb, targets::kGltf};
    for (const FormatDescriptor* format : formats_of_scenes()) {
      const auto extension = first_word(format->extensions);
      const SceneWriter* writer = format->from_scene;
      add_target(all, {scene_target(*format), extension, writer, false, writer->beside});
    }
    for (const Format known : known_formats()) {
      for (const Conversion& way : known.descriptor().conversions) {
        if (!way.extension.empty()) {
          add_target(all, {way.target, way.extension, nullptr, way.make == nullptr, way.beside});
        }
      }
    }
    return all;
  }();
  return kAll;
}

template <class Is>
Target find_target(const Is& is) {
  const auto found = std::find_if(all_targets().begin(), all_targets().end(), is);
  return found == all_targets().end() ? Target() : *found;
}
Target target_of_extension(std::string_view extension) {
  return find_target([&](const Target& target) { return target.extension == extension; });
}

bool is_known_extension(const std::string& extension) {
  const auto formats = known_formats();
  return target_of_extension(extension) || std::any_of(formats.begin(), formats.end(), [&](Format format) {
           return has_extension(format, extension);
         });
}

/// --to and the extension of OUT name different formats.
std::string unlike_output(const Settings& settings) {
  if (settings.to.empty() || settings.output == "-" || names_folder(settings)) {
    return "";
  }
  const Target wanted = target_of_word(settings.to);
  return wanted && has_target_extension(settings.output) && wanted.extension != extension_of(settings.output)
             ? "--to " + settings.to + " makes " + std::string(wanted.extension) +
                   ", and the output is called " + settings.output
             : "";
}

}  // namespace

Target target_of_word(std::string_view word) {
  return find_target([&](const Target& target) { return target.word == word; });
}

bool names_folder(const Settings& settings, bool several) {
  const std::string& output = settings.output;
  std::error_code error;
  return output.empty() || several || output.back() == '/' ||
         output.back() == fs::path::preferred_separator || fs::is_directory(output, error);
}

bool goes_to_stdout(const Settings& settings) {
  const bool from_stdin = !settings.inputs.empty() && settings.inputs.front() == "-";
  return settings.output == "-" || (settings.output.empty() && !is_batch(settings) && from_stdin);
}

bool has_target_extension(const fs::path& path) {
  return static_cast<bool>(target_of_extension(extension_of(path)));
}

Target choose_target(const Identity& identity, const std::string& requested) {
  if (requested.empty() && identity.format.is_interchange()) {
    return {};  // a scene of someone else's becomes what is asked for
  }
  const std::string_view word =
      requested.empty() ? first_word(identity.format.converts_to()) : std::string_view(requested);
  const Target target = target_of_word(word);
  return identity.format.converts_to(word) && !target.of_several ? target : Target();
}

const FormatDescriptor* written_as(const AnyDocument& document, const fs::path& path, const fs::path& input) {
  const FormatDescriptor& own = descriptor_of(document);
  if (!is_known_extension(extension_of(path)) || extension_of(path) == extension_of(input) ||
      has_extension(Format(own), extension_of(path))) {
    return &own;
  }
  const auto formats = known_formats();
  const auto found = std::find_if(formats.begin(), formats.end(), [&](Format format) {
    const auto take = format.descriptor().document.take;
    return take != nullptr && take(document) && has_extension(format, extension_of(path));
  });
  return found == formats.end() ? nullptr : &found->descriptor();
}

bool says_another_format(const fs::path& path, Format format) {
  return is_known_extension(extension_of(path)) && !has_extension(format, extension_of(path));
}

tl::expected<std::string, std::string> requested_target(const Settings& settings) {
  if (const std::string why = unlike_output(settings); !why.empty()) {
    return tl::unexpected<std::string>(why);
  }
  if (!settings.to.empty() || settings.output == "-" || names_folder(settings) ||
      is_device(settings.output)) {
    return settings.to.empty() && settings.format_version ? "mdx" : settings.to;
  }
  if (const Target found = target_of_extension(extension_of(settings.output))) {
    return std::string(found.word);
  }
  std::string known;
  for (const Target& target : all_targets()) {
    if (known.find(target.extension) == std::string::npos) {
      known += known.empty() ? "" : ", ";
      known += target.extension;
    }
  }
  return tl::unexpected<std::string>("the output " + settings.output + " ends in none of " + known +
                                     ", nor, as a folder, in /");
}

}  // namespace thaw::cli
