#include "cli/jobs/targets.hpp"

#include <thaw/sources.hpp>

#include "bytes/text.hpp"
#include "cli/inputs/distinct.hpp"
#include "cli/jobs/save.hpp"

#include <algorithm>
#include <vector>

namespace thaw::cli {
namespace {

namespace fs = std::filesystem;

bool names_folder(const Settings& settings) { return cli::names_folder(settings, is_batch(settings)); }

const TargetInfo* target_of_extension(std::string_view extension) {
  const auto all = convert_targets();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const TargetInfo& target) { return target.extension == extension; });
  return found == all.end() ? nullptr : &*found;
}

bool is_known_extension(const std::string& extension) {
  const auto formats = known_formats();
  return target_of_extension(extension) != nullptr ||
         std::any_of(formats.begin(), formats.end(),
                     [&](Format format) { return has_extension(format, extension); });
}

/// --to and the extension of OUT name different formats.
std::string unlike_output(const Settings& settings) {
  if (settings.to.empty() || settings.output == "-" || names_folder(settings)) {
    return "";
  }
  const TargetInfo* requested = find_target(settings.to);
  return requested != nullptr && has_target_extension(settings.output) &&
                 requested->extension != extension_of(settings.output)
             ? "--to " + settings.to + " writes " + std::string(requested->extension) +
                   ", but the output's name is " + settings.output
             : "";
}

}  // namespace

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

bool has_target_extension(const fs::path& path) { return target_of_extension(extension_of(path)) != nullptr; }

std::optional<TargetInfo> choose_target(const Identity& identity, const std::string& requested) {
  if (requested.empty() && identity.format.is_interchange()) {
    return std::nullopt;  // a scene of someone else's becomes the requested target
  }
  const std::string_view word =
      requested.empty() ? first_word(identity.format.converts_to()) : std::string_view(requested);
  const auto target = find_target(identity.format, word);
  return target && !target->of_maps && !target->extension.empty() ? target : std::nullopt;
}

std::optional<Format> written_as(const AnyDocument& document, const fs::path& path, const fs::path& input) {
  const Format actual = format_of(document);
  if (!is_known_extension(extension_of(path)) || extension_of(path) == extension_of(input) ||
      has_extension(actual, extension_of(path))) {
    return actual;
  }
  const auto formats = known_formats();
  const auto found = std::find_if(formats.begin(), formats.end(), [&](Format format) {
    return takes(format, document) && has_extension(format, extension_of(path));
  });
  return found == formats.end() ? std::nullopt : std::optional(*found);
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
  if (const TargetInfo* found = target_of_extension(extension_of(settings.output))) {
    return std::string(found->word);
  }
  std::string known;
  for (const TargetInfo& target : convert_targets()) {
    if (known.find(target.extension) == std::string::npos) {
      known += known.empty() ? "" : ", ";
      known += target.extension;
    }
  }
  return tl::unexpected<std::string>("the output " + settings.output + " must end in one of " + known +
                                     ", or in / for a folder");
}

}  // namespace thaw::cli
