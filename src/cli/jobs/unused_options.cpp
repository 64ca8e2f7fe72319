#include "cli/jobs/unused_options.hpp"

#include "cli/inputs/inputs.hpp"
#include "cli/report/text.hpp"

#include <algorithm>

namespace thaw::cli {
namespace {

using Kinds = std::vector<const JobKind*>;

bool any_reads(const Kinds& kinds, std::string_view option) {
  return std::any_of(kinds.begin(), kinds.end(),
                     [&](const JobKind* kind) { return reads_option(*kind, option); });
}

/// "textures to .png, models to .mdx"; what is a special case of another is left out.
std::string names_of(const Kinds& kinds) {
  constexpr std::size_t kMost = 4;
  std::vector<std::string_view> names;
  for (const auto* kind : kinds) {
    if (std::none_of(names.begin(), names.end(),
                     [&](std::string_view name) { return kind->what.substr(0, name.size()) == name; })) {
      names.push_back(kind->what);
    }
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i) {
    text += concat({i == 0 ? "" : ", ", names[i]});
  }
  return names.size() > kMost ? concat({text, " and others"}) : text;
}

Kinds kinds_of(const Run& run) {
  Kinds kinds;
  for (const auto& job : run.jobs) {
    const bool makes = job.kind != nullptr && !job.skipped && !job.failure;
    if (makes && std::find(kinds.begin(), kinds.end(), job.kind) == kinds.end()) {
      kinds.push_back(job.kind);
    }
  }
  return kinds;
}

}  // namespace

bool reads_option(const JobKind& kind, std::string_view option) {
  return std::any_of(kind.options.begin(), kind.options.end(), [&](std::string_view words) {
    const auto list = split(words, ' ');
    return std::find(list.begin(), list.end(), option) != list.end();
  });
}

std::string unused_option(const Settings& settings, const Run& run) {
  const Kinds here = kinds_of(run);
  for (const std::string_view option : settings.given) {
    Kinds readers;
    std::copy_if(run.kinds.begin(), run.kinds.end(), std::back_inserter(readers),
                 [&](const JobKind* kind) { return reads_option(*kind, option); });
    if (!here.empty() && !readers.empty() && !any_reads(here, option)) {
      return concat({"--", option, " applies to ", names_of(readers), "; this run writes ", names_of(here)});
    }
  }
  return "";
}

std::string check_stdin(const Settings& settings) {
  return stdin_uses(settings) > 1 ? "stdin (-) can be read only once" : "";
}

std::string check_choice(const Settings& settings) {
  const bool looks = settings.recursive ||
                     std::any_of(settings.inputs.begin(), settings.inputs.end(), [](const std::string& name) {
                       const auto path = split_archive_path(name);
                       return path && path->inner.empty();
                     });
  for (const std::string_view option : {"include", "exclude"}) {
    if (settings.is_given(option) && !looks && settings.files_from.empty()) {
      return concat({"--", option, " needs -r"});
    }
  }
  return settings.is_given("null") && settings.files_from.empty() ? "--null needs --files-from" : "";
}

}  // namespace thaw::cli
