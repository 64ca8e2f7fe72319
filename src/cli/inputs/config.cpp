#include "cli/inputs/config.hpp"

#include <thaw/bytes.hpp>
#include <thaw/sources.hpp>

#include "bytes/escape.hpp"
#include "bytes/text.hpp"
#include "cli/inputs/archives.hpp"
#include "cli/platform/file_identity.hpp"
#include "cli/report/console.hpp"
#include "cli/report/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>

namespace thaw::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFile = "thaw.toml";
constexpr std::string_view kTrusted = "trusted";

/// A setting, the option that says the same, and the variable that does.
struct ConfigKey {
  std::string_view key;
  std::string_view option;
  const char* variable;
  bool is_list;
};
constexpr std::array kConfigKeys = {
    ConfigKey{"sources", "source", "THAW_SOURCES", true},
    ConfigKey{"listfiles", "listfile", "THAW_LISTFILES", true},
    ConfigKey{"team-color", "team-color", "THAW_TEAM_COLOR", false},
    ConfigKey{"encoding-of-names", "encoding-of-names", "THAW_ENCODING_OF_NAMES", false},
    ConfigKey{"jobs", "jobs", "THAW_JOBS", false},
};
#ifdef _WIN32
constexpr char kBetweenPaths = ';';
#else
constexpr char kBetweenPaths = ':';
#endif

const ConfigKey* find_key(std::string_view key) {
  const auto found = std::find_if(kConfigKeys.begin(), kConfigKeys.end(),
                                  [&](const ConfigKey& one) { return one.key == key; });
  return found == kConfigKeys.end() ? nullptr : &*found;
}

const char* variable(const char* name) {
  return std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets the environment
}

std::optional<std::uint64_t> jobs_of(std::string_view text) {
  constexpr std::uint64_t kMost = 256;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool good = error == std::errc() && end == text.data() + text.size() && value >= 1 && value <= kMost;
  return good ? std::optional(value) : std::nullopt;
}

/// Neither by `..` nor by a link elsewhere. What is elsewhere by its name alone is not even looked at.
bool is_below(const fs::path& path, const fs::path& folder) {
  const auto inside = [](const fs::path& one, const fs::path& other) {
    return std::mismatch(other.begin(), other.end(), one.begin(), one.end()).first == other.end();
  };
  std::error_code error;
  return inside(path, folder.lexically_normal()) &&
         inside(fs::weakly_canonical(path, error), fs::weakly_canonical(folder, error)) && !error;
}

/// As much of TOML as these settings take: keys with texts, numbers and lists of texts, and comments.
class Toml {
 public:
  /// With `confined`, paths may not leave the folder of the file.
  Toml(std::string_view text, fs::path path, bool confined)
      : text_(without_byte_order_mark(text)), path_(std::move(path)), confined_(confined) {}

  tl::expected<void, std::string> read(std::vector<ConfiguredValue>& values) {
    for (skip_space(true); !done(); skip_space(true)) {
      if (!entry(values)) {
        return tl::unexpected<std::string>(concat({origin(), ": ", why_}));
      }
    }
    return {};
  }

 private:
  [[nodiscard]] bool done() const { return at_ >= text_.size(); }
  [[nodiscard]] char here() const { return done() ? '\0' : text_[at_]; }
  [[nodiscard]] std::string origin() const { return concat({path_.string(), ":", std::to_string(line_)}); }

  bool wrong(std::string why) {
    why_ = std::move(why);
    return false;
  }

  void skip_space(bool lines) {
    while (!done()) {
      const char c = here();
      if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == ' ' || c == '\t' || c == '\r' || (lines && c == '\n')) {
        line_ += c == '\n' ? 1U : 0U;
        ++at_;
      } else {
        return;
      }
    }
  }

  bool entry(std::vector<ConfiguredValue>& values) {
    if (here() == '[') {
      return wrong(
          "tables are not supported; the keys are sources, listfiles, team-color, encoding-of-names and "
          "jobs");
    }
    const std::size_t end = std::min(text_.find_first_of(" \t\r\n=#", at_), text_.size());
    const std::string name(text_.substr(at_, end - at_));
    at_ = end;
    const ConfigKey* key = find_key(name);
    if (key == nullptr) {
      return wrong(concat({"unknown key ", name,
                           "; the keys are sources, listfiles, team-color, encoding-of-names and jobs"}));
    }
    if (std::find(seen_.begin(), seen_.end(), key) != seen_.end()) {
      return wrong(concat({name, " is set twice"}));
    }
    seen_.push_back(key);
    skip_space(false);
    if (here() != '=') {
      return wrong(concat({"expected = after ", name}));
    }
    ++at_;
    skip_space(false);
    if (!value(*key, values)) {
      return false;
    }
    skip_space(false);
    return done() || here() == '\n' || wrong("unexpected text after the value");
  }

  bool value(const ConfigKey& key, std::vector<ConfiguredValue>& values) {
    if (key.is_list && here() == '[') {
      return list(key, values);
    }
    const std::string from = origin();
    std::string text;
    if (here() == '"' || here() == '\'') {
      if (!quoted(text)) {
        return false;
      }
    } else {
      const std::size_t end = std::min(text_.find_first_of(" \t\r\n#", at_), text_.size());
      text = text_.substr(at_, end - at_);
      at_ = end;
      if (text.find_first_not_of("0123456789") != std::string::npos || text.empty()) {
        return wrong(
            concat({std::string(key.key), " takes a quoted string", key.is_list ? " or a list" : ""}));
      }
    }
    return take(key, std::move(text), from, values);
  }

  bool list(const ConfigKey& key, std::vector<ConfiguredValue>& values) {
    ++at_;
    for (skip_space(true); here() != ']'; skip_space(true)) {
      std::string text;
      const std::string from = origin();
      if ((here() != '"' && here() != '\'') || !quoted(text)) {
        return wrong("a list consists of quoted strings and ends with ]");
      }
      if (!take(key, std::move(text), from, values)) {
        return false;
      }
      skip_space(true);
      if (here() == ',') {
        ++at_;
      } else if (here() != ']') {
        return wrong("expected a comma between two strings");
      }
    }
    ++at_;
    return true;
  }

  bool take(const ConfigKey& key, std::string text, std::string from, std::vector<ConfiguredValue>& values) {
    if (text.empty()) {
      return wrong(concat({key.key, key.is_list ? " must not contain empty strings" : " must not be empty"}));
    }
    if (key.key == "jobs" && !jobs_of(text)) {
      return wrong("jobs must be a whole number from 1 to 256");
    }
    if (key.is_list) {
      // Paths count from the file that says them.
      const fs::path path = (path_.parent_path() / text).lexically_normal();
      if (confined_ && !is_below(path, path_.parent_path())) {
        return wrong(
            concat({key.key, ": ", text, " is outside the folder of this file. ",
                    "Name it in the thaw.toml of the configuration folder, or with --", key.option}));
      }
      text = path.string();
    }
    values.push_back({std::string(key.key), std::move(text), std::move(from)});
    return true;
  }

  bool quoted(std::string& text) {
    const char quote = here();
    for (++at_; here() != quote; ++at_) {
      if (done() || here() == '\n') {
        return wrong("unterminated string");
      }
      if (quote == '"' && here() == '\\') {
        ++at_;
        const char c = here();
        if (c != '\\' && c != '"') {
          return wrong("the only escapes are \\\\ and \\\"; use '…' for a literal \\");
        }
      }
      text += here();
    }
    ++at_;
    return true;
  }

  std::string_view text_;
  fs::path path_;
  bool confined_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::vector<const ConfigKey*> seen_;
  std::string why_;
};

/// The user's configuration folder of thaw.
std::optional<fs::path> user_folder() {
#ifdef _WIN32
  if (const char* folder = variable("APPDATA"); folder != nullptr && *folder != '\0') {
    return fs::path(folder) / "thaw";
  }
#else
  if (const char* folder = variable("XDG_CONFIG_HOME"); folder != nullptr && *folder != '\0') {
    return fs::path(folder) / "thaw";
  }
  if (const char* home = variable("HOME"); home != nullptr && *home != '\0') {
    return fs::path(home) / ".config" / "thaw";
  }
#endif
  return std::nullopt;
}

std::string canonical_text(const fs::path& folder) {
  std::error_code error;
  const fs::path real = fs::canonical(folder, error);
  return error ? std::string() : real.string();
}

/// Why a settings file that somebody put there is not read; empty if it is.
std::string why_ignored(const fs::path& file, const std::vector<std::string>& trusted) {
  const std::string folder = canonical_text(file.parent_path());
  std::error_code error;
  if (fs::is_symlink(file, error)) {
    return "it is a symbolic link";
  }
  if (!is_owned_by_user(file)) {
    return "it belongs to another user";
  }
  return std::find(trusted.begin(), trusted.end(), folder) != trusted.end()
             ? ""
             : concat({"its folder is not trusted. Allow it with `thaw config --trust ", shown(folder), "`"});
}

/// The one in the folder, else the nearest above, of those that count; where there is none at all, the place
/// for one.
std::optional<fs::path> nearest_file(const fs::path& folder, std::vector<IgnoredFile>& ignored) {
  std::error_code error;
  fs::path at = fs::absolute(folder.empty() ? fs::path(".") : folder, error).lexically_normal();
  if (at.filename().empty() && at.has_relative_path()) {
    at = at.parent_path();
  }
  fs::path first = at / kFile;
  const auto trusted = trusted_folders();
  const fs::path config_folder = user_folder().value_or(fs::path());
  while (true) {
    if (fs::is_regular_file(at / kFile, error)) {
      std::string why = at == config_folder ? std::string() : why_ignored(at / kFile, trusted);
      if (why.empty()) {
        return at / kFile;
      }
      ignored.push_back({at / kFile, std::move(why)});
    }
    if (at == at.parent_path()) {
      return ignored.empty() ? std::optional(first) : std::nullopt;
    }
    at = at.parent_path();
  }
}

/// The user's own files may name any place; so may the one of THAW_CONFIG, which is `requested`.
tl::expected<void, std::string> read_one(const fs::path& path, bool requested, Config& config) {
  std::error_code error;
  if (std::find(config.read.begin(), config.read.end(), path) != config.read.end()) {
    return {};
  }
  if (!fs::exists(path, error) && !requested) {
    config.absent.push_back(path);
    return {};
  }
  constexpr std::uint64_t kMost = 1U << 20U;
  Limits limits;
  limits.max_input_bytes = kMost;
  const auto bytes = read_file(path, limits);
  if (!bytes) {
    return tl::unexpected<std::string>(concat({path.string(), ": ", bytes.error().message}));
  }
  config.read.push_back(path);
  const bool confined = !requested && path.parent_path() != user_folder();
  return Toml(as_text(*bytes), path, confined).read(config.values);
}

tl::expected<void, std::string> read_variables(Config& config) {
  for (const auto& key : kConfigKeys) {
    const char* text = variable(key.variable);
    if (text == nullptr || *text == '\0') {
      continue;
    }
    if (key.key == "jobs" && !jobs_of(text)) {
      return tl::unexpected<std::string>("THAW_JOBS must be a whole number from 1 to 256");
    }
    for (const auto part : key.is_list ? split(text, kBetweenPaths) : std::vector<std::string_view>{text}) {
      if (!part.empty()) {
        config.values.push_back({std::string(key.key), std::string(part), key.variable});
      }
    }
  }
  return {};
}

/// The folder of the first input; of an archive, that in which it lies.
fs::path folder_of(const Settings& settings) {
  if (settings.inputs.empty() || settings.inputs.front() == "-") {
    return ".";
  }
  const auto inside = split_archive_path(settings.inputs.front());
  const fs::path path = inside ? inside->file : settings.inputs.front();
  std::error_code error;
  return fs::is_directory(path, error) ? path : path.parent_path();
}

bool is_there(const std::string& file) {
  std::error_code error;
  return fs::exists(file, error) || split_archive_path(file).has_value();
}

void put_before(std::vector<std::string>& list, std::vector<std::string> more) {
  more.insert(more.end(), list.begin(), list.end());
  list = std::move(more);
}

}  // namespace

tl::expected<Config, std::string> read_config(const fs::path& folder) {
  Config config;
  std::vector<std::pair<fs::path, bool>> files;
  if (const char* only = variable("THAW_CONFIG"); only != nullptr) {
    if (*only != '\0') {
      files.emplace_back(only, true);
    }
  } else {
    if (const auto user = user_folder()) {
      files.emplace_back(*user / kFile, false);
    }
    if (const auto nearest = nearest_file(folder, config.ignored)) {
      files.emplace_back(*nearest, false);
    }
  }
  for (const auto& [path, requested] : files) {
    if (auto done = read_one(path, requested, config); !done) {
      return tl::unexpected<std::string>(std::move(done.error()));
    }
  }
  if (auto done = read_variables(config); !done) {
    return tl::unexpected<std::string>(std::move(done.error()));
  }
  return config;
}

std::vector<std::string> trusted_folders() {
  std::vector<std::string> folders;
  const auto config_folder = user_folder();
  const Result<Bytes> bytes = config_folder ? read_file(*config_folder / kTrusted, Limits{})
                                            : Result<Bytes>(fail(codes::kInputUnreadable, ""));
  for (const auto line : bytes ? split(as_text(*bytes), '\n') : std::vector<std::string_view>()) {
    if (!line.empty()) {
      folders.emplace_back(line);
    }
  }
  return folders;
}

tl::expected<std::string, std::string> set_trusted(const fs::path& folder, bool trusted) {
  std::error_code error;
  const auto config_folder = user_folder();
  // A folder that is gone can still be taken off the list.
  std::string name = trusted ? canonical_text(folder) : fs::weakly_canonical(folder, error).string();
  if (!config_folder || name.empty() || name.find('\n') != std::string::npos) {
    return tl::unexpected<std::string>(
        config_folder
            ? concat({folder.string(), " cannot be trusted: no such folder, or a line break in its name"})
            : "no configuration folder: neither XDG_CONFIG_HOME nor HOME is set");
  }
  auto list = trusted_folders();
  std::erase(list, name);
  if (trusted) {
    list.push_back(name);
  }
  std::string text;
  for (const auto& one : list) {
    text += one + '\n';
  }
  fs::create_directories(*config_folder, error);
  const auto written = write_file(*config_folder / kTrusted, as_bytes(text), true);
  if (!written) {
    return tl::unexpected<std::string>(
        concat({(*config_folder / kTrusted).string(), ": ", written.error().message}));
  }
  return name;
}

tl::expected<void, std::string> apply_config(Settings& settings,
                                             const std::vector<std::string_view>& options) {
  const auto has = [&](std::string_view option) {
    return std::find(options.begin(), options.end(), option) != options.end();
  };
  if (std::none_of(kConfigKeys.begin(), kConfigKeys.end(),
                   [&](const ConfigKey& key) { return has(key.option); })) {
    return {};
  }
  const auto config = read_config(folder_of(settings));
  if (!config) {
    return tl::unexpected<std::string>(config.error());
  }
  for (const auto& [path, why] : config->ignored) {
    if (!settings.quiet) {
      write_stderr(concat({shown(path.string()), " was ignored: ", why, ".\n"}));
    }
  }
  std::vector<std::string> sources;
  std::vector<std::string> listfiles;
  for (const auto& [key, value, origin] : config->values) {
    const ConfigKey& known = *find_key(key);
    if (!has(known.option) || (!known.is_list && settings.is_given(known.option))) {
      continue;
    }
    if (known.is_list && !is_there(value)) {
      return tl::unexpected<std::string>(concat({origin, ": ", key, ": ", value, " does not exist"}));
    }
    if (key == "sources") {
      sources.push_back(value);
    } else if (key == "listfiles") {
      listfiles.push_back(value);
    } else if (key == "team-color") {
      settings.team_color = value;
    } else if (key == "encoding-of-names") {
      if (!parse_code_page(value)) {
        return tl::unexpected<std::string>(concat({origin, ": ", key, " must be one of ", kCodePageWords}));
      }
      settings.code_page = value;
    } else {
      settings.jobs = jobs_of(value);
    }
  }
  put_before(settings.sources, std::move(sources));
  put_before(settings.listfiles, std::move(listfiles));
  return {};
}

}  // namespace thaw::cli
