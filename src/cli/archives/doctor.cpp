// doctor: what was tried of installations, sources and listfiles, what was found there, and why not what was
// not.

#include <thaw/casc.hpp>

#include "bytes/escape.hpp"
#include "bytes/text.hpp"
#include "cli/arguments/commands.hpp"
#include "cli/inputs/archives.hpp"
#include "cli/inputs/config.hpp"
#include "cli/inputs/distinct.hpp"
#include "cli/inputs/files_below.hpp"
#include "cli/inputs/inputs.hpp"
#include "cli/inputs/replaceables.hpp"
#include "cli/platform/isolation.hpp"
#include "cli/platform/job_control.hpp"
#include "cli/report/archive_report.hpp"
#include "cli/report/console.hpp"
#include "cli/report/report.hpp"
#include "cli/report/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <map>

namespace thaw::cli {
namespace {

namespace fs = std::filesystem;

/// What is tried, and its origin.
struct CheckedPath {
  std::string path;
  std::string origin;  ///< "--source", "thaw.toml:3", "usual location"
};

/// What was found at a place.
struct Answer {
  std::string kind;  ///< "installation", "archive", "folder", "listfile", "nothing"
  bool good = true;
  std::string text;               ///< what it is, or why it is of no use
  std::vector<std::string> more;  ///< further lines
  Value facts;                    ///< members for machines
};

Answer useless(std::string why) { return {"nothing", false, std::move(why), {}, {}}; }

Value findings_json(const Diagnostics& findings) {
  Value list = Value::List();
  for (const auto& finding : findings.items()) {
    list.push(finding_json(finding));
  }
  return list;
}

/// "_hd.w3mod/_locales/enus.w3mod" of a file in it; empty for the game's own layer.
std::string layer_of(std::string_view name) {
  std::size_t end = 0;
  for (std::size_t slash = name.find('/'); slash != std::string_view::npos;
       slash = name.find('/', slash + 1)) {
    const std::string_view folder = name.substr(0, slash);
    if (folder.ends_with(".w3mod") || folder.ends_with(".mpq")) {
      end = slash;
    }
  }
  return std::string(name.substr(0, end));
}

/// The files of a product, counted.
struct Census {
  std::size_t files = 0;
  std::size_t absent = 0;
  std::size_t nameless = 0;
  std::map<std::string, std::size_t> layers;
};

Census census_of(const Archive& archive) {
  Census census;
  for (const auto& entry : archive.entries()) {
    ++census.files;
    census.absent += entry.has(ArchiveEntry::kAbsent) ? 1U : 0U;
    census.nameless += entry.name.starts_with("unknown/") ? 1U : 0U;
    ++census.layers[layer_of(entry.name)];
  }
  return census;
}

std::string layers_text(const Census& census) {
  std::string text;
  for (const auto& [layer, count] : census.layers) {
    text += concat({text.empty() ? "" : ", ", layer.empty() ? "base" : layer, " ", std::to_string(count)});
  }
  return text;
}

std::string census_text(const Census& census) {
  std::string text = counted(census.files, "file");
  if (census.nameless > 0) {
    text += concat({", ", std::to_string(census.nameless), " known by number only"});
  }
  if (census.absent > 0) {
    text += concat({", ", std::to_string(census.absent), " not installed"});
  }
  return text;
}

/// The nearest folder above that is an installation, or one directly in it.
std::string installation_near(const fs::path& folder) {
  constexpr int kLevels = 5;
  std::error_code error;
  fs::path above = fs::absolute(folder, error).lexically_normal();
  for (int i = 0; i < kLevels && above.has_relative_path(); ++i) {
    above = above.parent_path();
    if (casc::is_installation(above) && !ascii::same(above.filename().string(), "data")) {
      return above.generic_string();
    }
  }
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (casc::is_installation(at->path())) {
      return at->path().generic_string();
    }
  }
  return {};
}

/// How far a path that is not there leads.
Answer nothing_there(const fs::path& path) {
  std::error_code error;
  fs::path missing = path;
  for (fs::path above = missing.parent_path();
       !above.empty() && above != missing && !fs::exists(above, error);) {
    missing = above;
    above = missing.parent_path();
  }
  return useless(missing == path ? std::string("not found")
                                 : concat({"does not exist; missing folder: ", missing.generic_string()}));
}

/// Whether one of the words names the product; several may stand in one, with commas.
bool is_chosen(const casc::Product& product, const Settings& settings) {
  for (const auto& words : settings.variants) {
    for (const auto word : split(words, ',')) {
      if (ascii::same(word, product.name)) {
        return true;
      }
    }
  }
  return false;
}

/// Where games are put that nobody put elsewhere.
std::vector<CheckedPath> usual_places() {
  const auto variable = [](const char* name) {
    const char* const text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets the environment
    return text == nullptr || *text == '\0' ? fs::path() : fs::path(text);
  };
  std::vector<fs::path> programs = {variable("ProgramFiles(x86)"), variable("ProgramFiles")};
  if (const fs::path home = variable("HOME"); !home.empty()) {
    programs.emplace_back("/Applications");
    std::vector<fs::path> prefixes = {home / ".wine", home / "Games" / "battlenet"};
    std::error_code error;
    const fs::path steam = home / ".local" / "share" / "Steam" / "steamapps" / "compatdata";
    for (fs::directory_iterator at(steam, error), end; !error && at != end; at.increment(error)) {
      prefixes.push_back(at->path() / "pfx");
    }
    for (const auto& prefix : prefixes) {
      programs.push_back(prefix / "drive_c" / "Program Files (x86)");
      programs.push_back(prefix / "drive_c" / "Program Files");
    }
  }
  std::vector<CheckedPath> places;
  for (const auto& folder : programs) {
    for (const char* const game : {"Warcraft III", "World of Warcraft"}) {
      if (!folder.empty()) {
        places.push_back({(folder / game).generic_string(), "usual location"});
      }
    }
  }
  return places;
}

class Doctor {
 public:
  explicit Doctor(const Settings& settings) : settings_(settings) {}

  int run() {
    const auto isolation = isolation_support();
    say(concat({"--isolate  ", isolation ? *isolation : isolation.error().message, "\n"}), settings_.verbose);
    read_settings();
    for (const auto& input : settings_.inputs) {
      report({input, "command line"}, look_at(input));
    }
    if (settings_.inputs.empty()) {
      try_usual_places();
    }
    for (const auto& source : sources_) {
      report(source, look_at(source.path));
    }
    for (const auto& listfile : listfiles_) {
      report(listfile, look_at_listfile(listfile.path));
    }
    if (settings_.json) {
      const std::string folder = settings_.inputs.empty() ? "." : settings_.inputs.front();
      Value value = envelope("doctor", folder, nullptr, Diagnostics(), nullptr);
      value.set("ok", good_).set("files", std::move(files_)).set("checks", std::move(checks_));
      value.set("isolation", isolation ? Value(*isolation) : Value());
      write_stdout(json_line(value));
    } else if (!reported_) {
      write_stdout("No game found in the usual locations. Name a folder: thaw doctor DIR\n");
    }
    return good_ ? kOk : kDifferent;
  }

 private:
  void read_settings() {
    const std::string folder = settings_.inputs.empty() ? "." : settings_.inputs.front();
    std::error_code error;
    const bool inside = fs::is_directory(folder, error);
    const auto config = read_config(inside ? fs::path(folder) : fs::path(folder).parent_path());
    if (!config) {
      report({"thaw.toml", "settings"}, useless(config.error()));
    } else {
      for (const auto* paths : {&config->read, &config->absent}) {
        for (const auto& path : *paths) {
          files_.push(Value().set("path", to_utf8(path.string())).set("found", paths == &config->read));
          say(concat({paths == &config->read ? "settings  " : "no settings  ", shown(path.string()), "\n"}),
              settings_.verbose || paths == &config->read);
        }
      }
      for (const auto& [path, why] : config->ignored) {
        files_.push(
            Value().set("path", to_utf8(path.string())).set("found", true).set("ignored", to_utf8(why)));
        say(concat({"not read  ", shown(path.string()), ": ", why, "\n"}), true);
      }
      for (const auto& one : config->values) {
        if (one.key == "sources" || one.key == "listfiles") {
          (one.key == "sources" ? sources_ : listfiles_).push_back({one.value, one.origin});
        } else if (one.key == "team-color") {
          report({one.value, one.origin}, look_at_color(one.value));
        }
      }
    }
    for (const auto& source : settings_.sources) {
      sources_.push_back({source, "--source"});
    }
    for (const auto& listfile : settings_.listfiles) {
      listfiles_.push_back({listfile, "--listfile"});
    }
  }

  void try_usual_places() {
    std::error_code error;
    for (const auto& place : usual_places()) {
      if (fs::exists(place.path, error)) {
        report(place, look_at(place.path));
      } else {
        checks_.push(place_json(place, nothing_there(place.path)).set("ok", Value()));
        say(concat({shown(place.path), "  (", place.origin, ") does not exist\n"}), settings_.verbose);
      }
    }
  }

  Answer look_at(const std::string& name) {
    std::error_code error;
    if (names_installation(name)) {
      return look_at_installation(name);
    }
    if (fs::is_directory(name, error)) {
      return look_at_folder(name);
    }
    if (!fs::exists(name, error) && !split_archive_path(name)) {
      return nothing_there(name);
    }
    return look_at_archive(name);
  }

  static Answer look_at_folder(const fs::path& folder) {
    Answer answer{"folder", true, "", {}, {}};
    const auto files = files_below(folder, {});
    if (!files) {
      return useless("cannot read the folder: " + files.error().message);
    }
    std::vector<std::string> archives;
    for (const auto& file : *files) {
      stop_when_requested();
      const std::string extension = extension_of(file.path);
      if (extension == ".mpq" || extension == ".pack" || extension == ".pack2") {
        archives.push_back(file.path.generic_string());
      }
    }
    answer.text = concat({"a folder with ", counted(files->size(), "file"),
                          "; not an installation: no .build.info and no Data/data"});
    if (const std::string near = installation_near(folder); !near.empty()) {
      answer.more.push_back(concat({"installation found: ", near}));
    }
    if (!archives.empty()) {
      answer.more.push_back(concat({"archives in a folder are not searched; name each with --source: ",
                                    archives.front(), archives.size() > 1 ? ", …" : ""}));
    }
    answer.facts.set("files", count_value(files->size())).set("archives", count_value(archives.size()));
    return answer;
  }

  Answer look_at_archive(const std::string& name) {
    const auto opened = Archives(settings_).open(name);
    if (!opened) {
      return useless(concat({"neither a folder nor an archive: ", opened.error().message}));
    }
    const Archive& archive = *(*opened)->archive;
    Answer answer{"archive", true, "", {}, {}};
    const auto entries = archive.entries();
    const auto nameless = std::count_if(entries.begin(), entries.end(),
                                        [](const ArchiveEntry& entry) { return entry.name.empty(); });
    answer.text = concat({archive_identity(archive).format.name(), ", ", archive.summary(), ": ",
                          counted(entries.size(), "file")});
    if (nameless > 0) {
      answer.text +=
          concat({", ", std::to_string(nameless), " without a known name (--listfile adds names)"});
    }
    add_findings((*opened)->findings, answer);
    answer.facts.set("archive", archive_json(archive));
    answer.facts.set("diagnostics", findings_json((*opened)->findings));
    return answer;
  }

  Answer look_at_installation(const std::string& name) {
    const fs::path named = name;
    fs::path folder = named.filename() == ".build.info" ? named.parent_path() : named;
    folder = folder.empty() ? fs::path(".") : folder;
    Answer answer{"installation", true, "an installation", {}, {}};
    auto products = casc::products(folder);
    if (!products) {
      return useless(concat({"the installation cannot be read: ", products.error().message}));
    }
    const bool chosen = std::any_of(products->begin(), products->end(),
                                    [this](const casc::Product& one) { return is_chosen(one, settings_); });
    Value list = Value::List();
    for (const auto& product : *products) {
      if (!chosen || is_chosen(product, settings_)) {
        list.push(look_at_product(folder, product, answer));
      }
    }
    answer.text += concat({" of ", counted(products->size(), "product")});
    if (products->size() > 1 && !chosen) {
      answer.text += "; choose one with --variant";
    }
    answer.facts.set("products", std::move(list));
    return answer;
  }

  Value look_at_product(const fs::path& folder, const casc::Product& product, Answer& answer) {
    casc::Options options;
    options.variants = settings_.variants;
    if (!is_chosen(product, settings_) && !product.name.empty()) {
      options.variants.push_back(product.name);
    }
    for (const auto& listfile : listfiles_) {
      if (auto bytes = read_file(listfile.path, Limits{})) {
        options.listfiles.push_back(std::make_shared<const Bytes>(std::move(*bytes)));
      }
    }
    Value value;
    value.set("product", product.name).set("version", product.version);
    Diagnostics findings;
    const auto archive = casc::open_folder(folder, options, findings);
    value.set("ok", archive.has_value());
    const std::string title = concat({product.name, " ", product.version});
    if (!archive) {
      answer.good = false;
      answer.more.push_back(concat({title, " cannot be read: ", archive.error().message}));
      findings.add(archive.error());
    } else {
      const Census census = census_of(**archive);
      answer.more.push_back(concat({(*archive)->summary(), ": ", census_text(census)}));
      if (census.layers.size() > 1) {
        answer.more.push_back(concat({"layers: ", layers_text(census)}));
      }
      Value layers = Value::List();
      for (const auto& [layer, count] : census.layers) {
        layers.push(Value().set("layer", layer).set("files", count_value(count)));
      }
      value.set("installation", (*archive)->details());
      value.set("files", count_value(census.files)).set("absent", count_value(census.absent));
      value.set("nameless", count_value(census.nameless)).set("layers", std::move(layers));
      add_findings(findings, answer);
    }
    value.set("diagnostics", findings_json(findings));
    return value;
  }

  /// The number of jobs was looked at when it was read.
  static Answer look_at_color(const std::string& name) {
    SceneSettings chosen;
    chosen.team_color = name;
    const auto color = requested_team_color(chosen);
    return color ? Answer{"color", true, "player colour", {}, {}} : useless(color.error());
  }

  static Answer look_at_listfile(const std::string& name) {
    std::error_code error;
    if (!fs::exists(name, error)) {
      return nothing_there(name);
    }
    const auto bytes = read_file(name, Limits{});
    if (!bytes) {
      return useless(bytes.error().message);
    }
    std::size_t numbered = 0;
    std::size_t bare = 0;
    for (const auto line : split(as_text(*bytes), '\n')) {
      const std::size_t digits = line.find_first_not_of("0123456789");
      const bool has_number = digits != 0 && digits != std::string_view::npos && line[digits] == ';';
      (has_number ? numbered : bare) += line.find_first_not_of(" \t\r") == std::string_view::npos ? 0U : 1U;
    }
    Answer answer{"listfile", numbered + bare > 0, "", {}, {}};
    answer.text =
        concat({"listfile: ", counted(numbered, "name"), " with an id, ", std::to_string(bare), " without"});
    answer.facts.set("numbered", count_value(numbered)).set("bare", count_value(bare));
    return answer;
  }

  /// Damage makes a place worse, not useless.
  void add_findings(const Diagnostics& findings, Answer& answer) const {
    for (const auto& finding : findings.items()) {
      if (settings_.verbose || finding.code.severity >= Severity::error) {
        answer.more.push_back(concat({severity_name(finding.code.severity), " ", finding.code.id, ": ",
                                      finding.message.empty() ? finding.code.summary : finding.message}));
      }
    }
    if (findings.suppressed() > 0) {
      answer.more.push_back(counted(findings.suppressed(), "more finding"));
    }
  }

  static Value place_json(const CheckedPath& place, const Answer& answer) {
    Value value;
    value.set("path", to_utf8(place.path)).set("origin", to_utf8(place.origin));
    value.set("kind", answer.kind).set("ok", answer.good).set("text", answer.text);
    value.set("facts", answer.facts);
    return value;
  }

  void report(const CheckedPath& place, const Answer& answer) {
    good_ = good_ && answer.good;
    checks_.push(place_json(place, answer));
    const bool color = use_color(settings_, stdout_is_terminal());
    std::string text =
        concat({paint(answer.good ? Style::green : Style::red, answer.good ? "ok    " : "wrong ", color),
                paint(Style::bold, shown(place.path), color), "  (", shown(place.origin), ")\n"});
    text += concat({"      ", shown(answer.text), "\n"});
    for (const auto& line : answer.more) {
      text += concat({"      ", shown(line), "\n"});
    }
    say(text, true);
  }

  void say(std::string_view text, bool requested) {
    if (requested && !settings_.json) {
      write_stdout(text);
      reported_ = true;
    }
  }

  const Settings& settings_;
  std::vector<CheckedPath> sources_;
  std::vector<CheckedPath> listfiles_;
  Value files_ = Value::List();
  Value checks_ = Value::List();
  bool good_ = true;
  bool reported_ = false;
};

}  // namespace

int run_doctor(const Settings& settings) { return Doctor(settings).run(); }

}  // namespace thaw::cli
