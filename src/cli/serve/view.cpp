#include <thaw/codes.hpp>
#include <thaw/sources.hpp>

#include "bytes/escape.hpp"
#include "cli/arguments/commands.hpp"
#include "cli/inputs/distinct.hpp"
#include "cli/inputs/inputs.hpp"
#include "cli/inputs/textures.hpp"
#include "cli/isolate/isolate.hpp"
#include "cli/platform/interrupt.hpp"
#include "cli/platform/isolation.hpp"
#include "cli/platform/process.hpp"
#include "cli/report/console.hpp"
#include "cli/report/report.hpp"
#include "cli/report/text.hpp"
#include "cli/serve/http_server.hpp"
#include "cli/serve/offer.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <random>
#include <vector>

namespace thaw::cli {
namespace {

namespace fs = std::filesystem;

/// Unpacked or installed next to this command, or built next to it (build/web/dist and build/release/thaw).
std::optional<fs::path> find_page() {
  std::error_code error;
  const fs::path command = command_path().parent_path();
  for (const fs::path& folder :
       {command / "web", command / ".." / "share" / "thaw" / "web", command / ".." / "web" / "dist"}) {
    if (fs::is_regular_file(folder / "index.html", error) &&
        fs::is_regular_file(folder / "thaw-module.wasm", error)) {
      return fs::weakly_canonical(folder, error);
    }
  }
  return std::nullopt;
}

/// 128 bits that nobody guesses.
std::string make_token() {
  std::random_device device;
  std::string token;
  for (unsigned i = 0; i < 32; ++i) {
    token.push_back("0123456789abcdef"[device() & 15U]);
  }
  return token;
}

std::string_view type_of(const fs::path& path) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kTypes = {
      {{".html", "text/html; charset=utf-8"},
       {".js", "text/javascript; charset=utf-8"},
       {".css", "text/css; charset=utf-8"},
       {".wasm", "application/wasm"},
       {".svg", "image/svg+xml"},
       {".png", "image/png"},
       {".webmanifest", "application/manifest+json"}}};
  const std::string extension = path.extension().string();
  for (const auto& [name, type] : kTypes) {
    if (extension == name) {
      return type;
    }
  }
  return "application/octet-stream";
}

/// By its extension: what a model may request by its game path.
bool belongs_to_models(const fs::path& path) {
  constexpr std::array<std::string_view, 16> kExtensions = {".blp", ".tga", ".dds", ".png", ".jpg", ".jpeg",
                                                            ".tif", ".mdx", ".mdl", ".dma", ".dme", ".mtrl",
                                                            ".mpq", ".wmo", ".lit", ".slk"};
  return std::find(kExtensions.begin(), kExtensions.end(), extension_of(path)) != kExtensions.end();
}

Value list_of(const std::vector<std::string>& texts) {
  Value list = Value::List();
  for (const auto& text : texts) {
    list.push(text);
  }
  return list;
}

HttpResponse json_response(const Value& value) {
  HttpResponse response = text_response(200, json_line(value));
  response.type = "application/json";
  return response;
}

HttpResponse bytes_response(Bytes bytes) { return {200, "application/octet-stream", std::move(bytes)}; }

class Viewer {
 public:
  Viewer(const Settings& settings, fs::path page)
      : settings_(settings),
        page_(std::move(page)),
        token_(make_token()),
        once_(settings.no_browser ? std::string() : make_token()) {}

  int run() {
    auto server = HttpServer::open(static_cast<std::uint16_t>(settings_.port.value_or(0)));
    if (!server) {
      write_stderr(finding_line("", server.error(), false));
      return kUnwritable;
    }
    // What is served may be from strangers: where the system can do it, it is read by a process that can do
    // nothing else. That one cannot start a browser, either.
    if (isolation_support() && isolation_splits()) {
      std::vector<std::string> words = settings_.sources;
      words.insert(words.end(), settings_.listfiles.begin(), settings_.listfiles.end());
      const auto ended =
          serve_isolated(settings_, words, page_, server->listener(), [&] { start_browser(server->port()); });
      if (ended) {
        return *ended;
      }
    }
    return serve(*server);
  }

 private:
  int serve(const HttpServer& server) {
    folders_.emplace(settings_);
    if (const auto refused = offer_input()) {
      return *refused;
    }
    for (const auto& source : settings_.sources) {
      offer_source(source);
    }
    if (offer_.is_cut() && !settings_.quiet) {
      write_stderr("thaw: the archive has more than 500000 files; the page shows the first 500000\n");
    }
    report(server.port());
    server.serve([this](const HttpRequest& request) { return answer(request); }, interrupted,
                 [this] { return scans_ && scan(); });
    return kOk;
  }

  /// The file or folder that was named, and what lies around it. The first to have a name keeps it.
  std::optional<int> offer_input() {
    const std::string& name = settings_.inputs.front();
    if (const auto inside = split_archive_path(name)) {
      return offer_inside(*inside);
    }
    const fs::path path = name;
    std::error_code error;
    const bool folder = fs::is_directory(path, error);
    if (!folder && !fs::is_regular_file(path, error)) {
      write_stderr(concat(
          {"thaw: error input.unreadable: ", shown(path.generic_string()),
           fs::exists(path, error) ? " is neither a file nor a folder\n" : ": no such file or folder\n"}));
      return kUnreadable;
    }
    if (names_installation(name)) {
      return offer_inside({name, ""});
    }
    offer_.add(path);
    if (!folder) {
      offer_.add(fs::absolute(path).parent_path());
      first_ = to_utf8(path.filename().generic_string());
    }
    return std::nullopt;
  }

  /// An archive, and of it a file to begin with.
  std::optional<int> offer_inside(const ArchivePath& path) {
    Archives archives(settings_);
    const auto archive = archives.open(path.file);
    const auto member = archive && !path.inner.empty() ? archives.find(path) : fail(codes::kMpqNoEntry, "");
    if (!archive || (!member && !path.inner.empty())) {
      return fail_with("view", settings_, archive ? member.error() : archive.error());
    }
    if (member) {
      first_ = entry_name(*member->archive->archive, member->entry);
      offer_.prefer(first_, named_input(settings_.inputs.front(), settings_));
    }
    offer_.add_members(member ? member->archive : *archive);
    return std::nullopt;
  }

  /// Loose files of an installation count for more than those that it keeps.
  void offer_source(const std::string& source) {
    offer_.add(source);
    if (const auto installation = names_installation(source) ? Archives(settings_).open(source)
                                                             : fail(codes::kCascInstallation, "")) {
      offer_.add_members(*installation);
    }
  }

  void report(std::uint16_t port) {
    const std::string authority = concat({"127.0.0.1:", std::to_string(port)});
    hosts_ = {authority, concat({"localhost:", std::to_string(port)})};
    constexpr std::uint16_t kUsualPort = 80;  // which browsers do not name
    if (port == kUsualPort) {
      hosts_.insert(hosts_.end(), {"127.0.0.1", "localhost"});
    }
    write_stdout(concat({"http://", authority, "/", token_, "/\n"}));
    flush_stdout();
    if (is_isolated()) {
      report_ready();
    } else {
      start_browser(port);
    }
    if (!settings_.quiet) {
      write_stderr("thaw: press Ctrl-C to stop\n");
    }
  }

  void start_browser(std::uint16_t port) const {
    if (!settings_.no_browser) {
      open_browser(concat({"http://127.0.0.1:", std::to_string(port), "/", once_}));
    }
  }

  [[nodiscard]] HttpResponse answer(const HttpRequest& request) {
    // A name of another machine that leads here comes from a page that tries to get in.
    const bool known_host = std::find(hosts_.begin(), hosts_.end(), request.host) != hosts_.end();
    const std::string start = concat({"/", token_, "/"});
    if (known_host && !once_.empty() && request.path == concat({"/", once_})) {
      once_.clear();
      HttpResponse response = text_response(302, "");
      response.location = start;
      return response;
    }
    if (!known_host || !request.path.starts_with(start)) {
      return text_response(403, "the address has no valid token; use the address that thaw printed\n");
    }
    const std::string name = request.path.substr(start.size());
    const auto value = [&](std::string_view field) { return query_value(request.query, field); };
    if (name == "folder") {
      return list_folder(value("path"));
    }
    if (name == "file") {
      auto bytes = offer_.read(value("path"));
      return bytes ? bytes_response(std::move(*bytes))
                   : text_response(404, concat({bytes.error().message, "\n"}));
    }
    if (name == "where") {
      if (!value("all").empty()) {
        scans_ = true;
        scan();  // a small folder is whole at once
      }
      return where(value("model"), query_values(request.query, "path"));
    }
    if (name == "find") {
      auto found = find(value("model"), value("path"));
      return found ? bytes_response(std::move(found->bytes)) : text_response(204, "");
    }
    if (name == "search") {
      return search(query_values(request.query, "word"), query_values(request.query, "ending"));
    }
    return page_file(name.empty() ? "index.html" : name);
  }

  [[nodiscard]] HttpResponse list_folder(const std::string& folder) {
    auto list = offer_.list(folder);
    return list ? json_response(list->set("first", first_)) : text_response(404, "no such folder\n");
  }

  /// Which files a model means that requests these names; `elsewhere` is what `find` gives.
  [[nodiscard]] HttpResponse where(const std::string& model, const std::vector<std::string>& requested) {
    Value files = Value::Object();
    std::vector<std::string> elsewhere;
    for (const auto& path : requested) {
      const std::string name = normalize_game_path(path);
      if (auto file = offer_.locate(name, model)) {
        files.set(path, model == first_ ? preferred(std::move(*file), name) : std::move(*file));
      } else if (find(model, name)) {
        elsewhere.push_back(path);
      }
    }
    return json_response(Value()
                             .set("files", std::move(files))
                             .set("elsewhere", list_of(elsewhere))
                             .set("archives", list_of(archives()))
                             .set("isWhole", offer_.is_whole())
                             .set("count", static_cast<std::int64_t>(offer_.count())));
  }

  /// Of layers of a game, the model that was named gets what `convert` finds for it.
  [[nodiscard]] std::string preferred(std::string file, const std::string& name) {
    const auto found = offer_.is_member(file) ? find(first_, name) : std::nullopt;
    if (!found) {
      return file;
    }
    offer_.prefer(found->name, named_input(found->where, settings_));
    return found->name;
  }

  /// Those that have been listed anywhere.
  [[nodiscard]] std::vector<std::string> archives() const {
    constexpr std::size_t kMost = 1000;
    return offer_.is_whole() ? offer_.search({}, {".mpq", ".w3x", ".w3m", ".w3n", ".pack", ".pack2"}, kMost)
                             : std::vector<std::string>();
  }

  [[nodiscard]] HttpResponse search(const std::vector<std::string>& words,
                                    const std::vector<std::string>& endings) {
    constexpr std::size_t kMost = 2000;
    scans_ = true;
    scan();
    return json_response(Value()
                             .set("files", list_of(offer_.search(words, endings, kMost)))
                             .set("isWhole", offer_.is_whole())
                             .set("count", static_cast<std::int64_t>(offer_.count())));
  }

  /// What `convert` would find of a model's: pictures and models in the folders above it and in the sources.
  [[nodiscard]] std::optional<FoundFile> find(const std::string& model, const std::string& path) {
    const std::string name = normalize_game_path(path);
    const auto input =
        belongs_to_models(name) && !is_hidden(name) ? offer_.input_of(model, settings_) : std::nullopt;
    return input ? folders_->for_model(*input).find(name) : std::nullopt;
  }

  /// For a moment; false if nothing is left.
  bool scan() {
    constexpr auto kSlice = std::chrono::milliseconds(10);
    const auto end = std::chrono::steady_clock::now() + kSlice;
    while (offer_.scan()) {
      if (std::chrono::steady_clock::now() >= end) {
        return true;
      }
    }
    return false;
  }

  /// The page is files of one folder.
  [[nodiscard]] HttpResponse page_file(const std::string& name) const {
    const fs::path path = page_ / name;
    if (name.find_first_of("/\\:") != std::string::npos || name.front() == '.') {
      return text_response(404, "no such file\n");
    }
    auto bytes = read_file(path, Limits{});
    return bytes ? HttpResponse{200, std::string(type_of(path)), std::move(*bytes)}
                 : text_response(404, "no such file\n");
  }

  const Settings& settings_;
  fs::path page_;
  std::string token_;
  /// Leads to the token, one time: the browser's command line, which others on this machine see, has it.
  std::string once_;
  std::string first_;
  std::vector<std::string> hosts_;
  Offer offer_;
  bool scans_ = false;  ///< something requested what may be anywhere
  std::optional<TextureFolders>
      folders_;  ///< opened by the process that reads: others' descriptors are closed
};

}  // namespace

int run_view(const Settings& settings) {
  auto page = find_page();
  if (!page) {
    write_stderr(
        "thaw: error input.unreadable: the page is not installed\n  hint: build it with `scripts/web` in "
        "thaw's sources, then run `cmake --install`\n");
    return kUnreadable;
  }
  if (const std::string why = check_sources(settings); !why.empty()) {
    return usage_error("view", why);
  }
  return Viewer(settings, std::move(*page)).run();
}

}  // namespace thaw::cli
