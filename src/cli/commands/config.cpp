// config: persistent settings, and their origin.

#include "cli/inputs/config.hpp"

#include "bytes/escape.hpp"
#include "cli/arguments/commands.hpp"
#include "cli/report/console.hpp"
#include "cli/report/report.hpp"
#include "cli/report/text.hpp"

namespace thaw::cli {
namespace {

Value config_json(const Config& config, const std::string& folder) {
  Value value = envelope("config", folder, nullptr, Diagnostics(), nullptr);
  Value files = Value::List();
  for (const auto* paths : {&config.read, &config.absent}) {
    for (const auto& path : *paths) {
      files.push(Value().set("path", to_utf8(path.string())).set("found", paths == &config.read));
    }
  }
  for (const auto& [path, why] : config.ignored) {
    files.push(Value().set("path", to_utf8(path.string())).set("found", true).set("ignored", to_utf8(why)));
  }
  Value trusted = Value::List();
  for (const auto& one : trusted_folders()) {
    trusted.push(to_utf8(one));
  }
  Value list = Value::List();
  for (const auto& one : config.values) {
    list.push(
        Value().set("key", one.key).set("value", to_utf8(one.value)).set("origin", to_utf8(one.origin)));
  }
  value.set("files", std::move(files));
  value.set("settings", std::move(list));
  value.set("trusted", std::move(trusted));
  return value;
}

std::string config_text(const Config& config) {
  std::string text;
  for (const auto& path : config.read) {
    text += concat({"read       ", shown(path.string()), "\n"});
  }
  for (const auto& path : config.absent) {
    text += concat({"missing    ", shown(path.string()), "\n"});
  }
  for (const auto& [path, why] : config.ignored) {
    text += concat({"not read   ", shown(path.string()), ": ", why, "\n"});
  }
  for (const auto& one : trusted_folders()) {
    text += concat({"trusted    ", shown(one), "\n"});
  }
  for (const auto& one : config.values) {
    std::string key = one.key;
    key.resize(10, ' ');
    text += concat({key, " ", shown(one.value), "  (", shown(one.origin), ")\n"});
  }
  return config.values.empty() ? text + "no settings\n" : text;
}

}  // namespace

int run_config(const Settings& settings) {
  for (const bool trusted : {true, false}) {
    const std::string& named = trusted ? settings.trust : settings.untrust;
    if (named.empty()) {
      continue;
    }
    if (const auto done = set_trusted(named, trusted); !done) {
      return usage_error("config", done.error());
    }
  }
  const std::string& named = settings.trust.empty() ? settings.untrust : settings.trust;
  const std::string folder = !settings.inputs.empty() ? settings.inputs.front() : named.empty() ? "." : named;
  const auto config = read_config(folder);
  if (!config) {
    return usage_error("config", config.error());
  }
  write_stdout(settings.json ? json_line(config_json(*config, folder)) : config_text(*config));
  return kOk;
}

}  // namespace thaw::cli
