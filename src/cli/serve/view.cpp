#include <thaw/casc_codes.hpp>
#include <thaw/open_scene.hpp>
#include <thaw/sources.hpp>

#include "bytes/shown.hpp"
#include "cli/arguments/commands.hpp"
#include "cli/inputs/distinct.hpp"
#include "cli/inputs/inputs.hpp"
#include "cli/inputs/textures.hpp"
#include "cli/platform/interrupt.hpp"
#include "cli/platform/process.hpp"
#include "cli/report/console.hpp"
#include "cli/report/report.hpp"
#include "cli/report/text.hpp"
#include "cli/serve/http_server.hpp"
#include "sources/listing.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <vector>

namespace thaw::cli {
namespace {

namespace fs = std::filesystem;

/// Unpacked or installed beside this command, or built beside it (build/web/dist beside build/release/thaw).
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
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kTypes = {
      {{".html", "text/html; charset=utf-8"},
       {".js", "text/javascript; charset=utf-8"},
       {".css", "text/css; charset=utf-8"},
       {".wasm", "application/wasm"},
       {".webmanifest", "application/manifest+json"}}};
  const std::string extension = path.extension().string();
  for (const auto& [name, type] : kTypes) {
    if (extension == name) {
      return type;
    }
  }
  return "application/octet-stream";
}

/// What begins with a dot is not for others.
bool is_hidden(const fs::path& path) {
  return std::any_of(path.begin(), path.end(),
                     [](const fs::path& part) { return !part.empty() && part.native().front() == '.'; });
}

/// By its extension: what a model may ask for by its game path.
bool belongs_to_models(const fs::path& path) {
  constexpr std::array<std::string_view, 13> kExtensions = {".blp",  ".tga",  ".dds", ".png", ".jpg",
                                                            ".jpeg", ".tif",  ".mdx", ".mdl", ".dma",
                                                            ".dme",  ".mtrl", ".mpq"};
  return std::find(kExtensions.begin(), kExtensions.end(), extension_of(path)) != kExtensions.end();
}

bool is_inside(const fs::path& folder, const fs::path& path) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

/// The files that a page may have, by the names under which it knows them. What is not in the list cannot be
/// asked for, whatever a request says.
class Offer {
 public:
  /// False if there is nothing.
  bool add(const fs::path& path) {
    std::error_code error;
    if (fs::is_regular_file(path, error)) {
      files_.emplace(name_of(path.filename()), Entry{fs::canonical(path, error), {}, {}});
      return true;
    }
    if (!fs::is_directory(path, error)) {
      return false;
    }
    const fs::path root = fs::canonical(path, error);
    // One folder after another: what cannot be read of one does not end the list of the others.
    std::vector<fs::path> folders{root};
    while (!folders.empty()) {
      const fs::path folder = std::move(folders.back());
      folders.pop_back();
      for (const auto& entry : entries_of(folder, error)) {
        std::error_code unknown;
        if (is_hidden(entry.path().filename())) {
          continue;
        }
        if (entry.symlink_status(unknown).type() == fs::file_type::directory) {
          if (!keeps_archives(entry.path())) {
            folders.push_back(entry.path());
          }
        } else {
          add_found(root, entry);
        }
      }
    }
    return true;
  }

  /// All files of an archive that is looked into. A root that knows files by number is asked by number, too.
  void add_members(const ArchivePointer& archive) {
    const bool numbered = archive->archive->details()["root"].text() == "numbered";
    for (const auto& entry : archive->archive->entries()) {
      if (files_.size() >= kMost) {
        cut_ = true;
        return;
      }
      const Entry file{{}, {}, std::make_shared<const ArchiveMember>(ArchiveMember{archive, entry})};
      const std::string name = entry_name(*archive->archive, entry);
      const bool nameless = numbered && name.starts_with("unknown/");
      if (!nameless) {
        files_.emplace(name, file);
      }
      if (nameless || (numbered && extension_of(name) == ".blp")) {
        files_.emplace(std::to_string(entry.hash) + ".blp", file);
      }
    }
  }

  /// A file that the page knows by the name that its game has for it.
  void add_as(const std::string& name, const std::string& where, const Settings& settings) {
    std::error_code error;
    if (fs::is_regular_file(where, error)) {
      files_.emplace(name, Entry{fs::canonical(where, error), {}, {}});
    } else if (auto member = named_input(where, settings).member) {
      files_.emplace(name, Entry{{}, {}, std::move(member)});
    }
  }

  /// Where a file on disk is that the page knows.
  [[nodiscard]] std::optional<fs::path> place_of(const std::string& name) const {
    const auto found = files_.find(name);
    const bool there = found != files_.end() && found->second.member == nullptr;
    return there && stays_inside(found->second) ? std::optional(found->second.path) : std::nullopt;
  }

  /// Whether there were more files than a page can know.
  [[nodiscard]] bool is_cut() const { return cut_; }

  [[nodiscard]] Value list() const {
    Value names = Value::List();
    for (const auto& file : files_) {
      names.push(file.first);
    }
    return names;
  }

  [[nodiscard]] HttpResponse get(const std::string& name) const {
    const auto found = files_.find(name);
    std::error_code error;
    // A link may have changed since the list was made.
    if (found == files_.end() || !stays_inside(found->second)) {
      return text_response(404, "no such file is offered\n");
    }
    auto bytes = bytes_of(found->second);
    return bytes ? HttpResponse{200, "application/octet-stream", std::move(*bytes)}
                 : text_response(404, concat({bytes.error().message, "\n"}));
  }

 private:
  static constexpr std::size_t kMost = 500000;

  struct Entry {
    fs::path path;
    fs::path root;  ///< empty for a file that was named itself, with its real path
    std::shared_ptr<const ArchiveMember> member;  ///< of an archive; none for a file on disk
  };

  /// What a game keeps its files in is no file for the page.
  static bool keeps_archives(const fs::path& folder) {
    std::error_code error;
    return fs::is_directory(folder / "data", error) && fs::is_directory(folder / "config", error);
  }

  /// As the page can write it.
  static std::string name_of(const fs::path& path) { return to_utf8(path.generic_string()); }

  static Result<Bytes> bytes_of(const Entry& file) {
    return file.member == nullptr
               ? read_file(file.path, Limits{})
               : file.member->archive->archive->unpack(file.member->entry).map([](UnpackedFile&& unpacked) {
                   return std::move(unpacked.bytes);
                 });
  }

  static bool stays_inside(const Entry& entry) {
    if (entry.member != nullptr) {
      return true;
    }
    std::error_code error;
    const fs::path real = fs::canonical(entry.path, error);
    return !error && (entry.root.empty() ? real == entry.path : is_inside(entry.root, real));
  }

  void add_found(const fs::path& root, const fs::directory_entry& found) {
    std::error_code error;
    const Entry entry{found.path(), root, {}};
    cut_ = cut_ || files_.size() >= kMost;
    if (!cut_ && found.is_regular_file(error) && stays_inside(entry)) {
      files_.emplace(name_of(found.path().lexically_relative(root)), entry);
    }
  }

  std::map<std::string, Entry> files_;
  bool cut_ = false;
};

/// Remembers what was looked for and found.
class NoticingSource final : public Source {
 public:
  explicit NoticingSource(Sources sources) : sources_(std::move(sources)) {}

  [[nodiscard]] std::optional<Bytes> read(std::string_view name) const override {
    auto found = sources_.find(name);
    if (!found) {
      return std::nullopt;
    }
    found_.insert_or_assign(found->name, found->where);
    return std::move(found->bytes);
  }
  [[nodiscard]] std::string description() const override { return "where the model's files are"; }

  /// Where each file was, by its game path.
  [[nodiscard]] const std::map<std::string, std::string>& found() const { return found_; }

 private:
  Sources sources_;
  mutable std::map<std::string, std::string> found_;
};

class Viewer {
 public:
  Viewer(const Settings& settings, fs::path page)
      : settings_(settings), page_(std::move(page)), token_(make_token()), folders_(settings) {}

  int run() {
    if (const auto refused = offer_input()) {
      return *refused;
    }
    for (const auto& source : settings_.sources) {
      offer_source(source);
    }
    if (offer_.is_cut() && !settings_.quiet) {
      write_stderr("thaw: there are more files than a page can know; it sees the first 500000\n");
    }
    auto server = HttpServer::open(static_cast<std::uint16_t>(settings_.port.value_or(0)));
    if (!server) {
      write_stderr(finding_line("", server.error(), false));
      return kUnwritable;
    }
    report(server->port());
    server->serve([this](const HttpRequest& request) { return answer(request); }, interrupted);
    return kOk;
  }

 private:
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
      write_stderr(concat({"thaw: error input.unreadable: ", shown(path.generic_string()),
                           " is neither a file nor a folder\n"}));
      return kUnreadable;
    }
    if (names_installation(name)) {
      return offer_inside({name, ""});
    }
    offer_.add(path);
    if (!folder) {
      offer_.add(fs::absolute(path).parent_path());
      offer_what_is_asked_for();
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
      offer_what_is_asked_for();
      first_ = entry_name(*member->archive->archive, member->entry);
      offer_.add_as(first_, settings_.inputs.front(), settings_);
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

  /// Files of the model that `convert` would find, too: those in the folders above it.
  void offer_what_is_asked_for() {
    const Input input = named_input(settings_.inputs.front(), settings_);
    const auto content = load(input, settings_);
    if (!content || content->identity.format == "wdt" || content->identity.format == "wdl") {
      return;  // of a map, the page asks for one tile after another
    }
    TextureFolders folders(settings_);
    const auto noticing = std::make_shared<NoticingSource>(folders.for_model(input));
    Sources sources;
    sources.add(noticing);
    SceneRequest request;
    request.path = normalize_game_path(input.member != nullptr ? input.member->entry.name
                                                               : input.path.filename().generic_string());
    request.path_of_id = [&](std::uint32_t id) { return folders.file_ids().path_of(id); };
    request.beside = folders.beside(input);
    request.emitter_pictures = true;
    Diagnostics ignored;
    const auto document = read_content(*content, settings_, ignored);
    auto opened =
        document ? open_scene(*document, sources, request, ignored) : tl::unexpected<Error>(document.error());
    if (opened) {
      models_within(opened->scene, sources, request);
    }
    for (const auto& [name, where] : noticing->found()) {
      offer_.add_as(name, where, settings_);
    }
  }

  void report(std::uint16_t port) {
    const std::string authority = concat({"127.0.0.1:", std::to_string(port)});
    hosts_ = {authority, concat({"localhost:", std::to_string(port)})};
    constexpr std::uint16_t kUsualPort = 80;  // which browsers do not name
    if (port == kUsualPort) {
      hosts_.insert(hosts_.end(), {"127.0.0.1", "localhost"});
    }
    const std::string start = concat({"http://", authority, "/"});
    write_stdout(concat({start, token_, "/\n"}));
    flush_stdout();
    if (!settings_.no_browser) {
      once_ = make_token();
      open_browser(start + once_);
    }
    if (!settings_.quiet) {
      write_stderr("thaw: the page is there until Ctrl-C\n");
    }
  }

  [[nodiscard]] HttpResponse answer(const HttpRequest& request) {
    // A name of another machine that leads here comes from a page that tries to get in.
    const bool own = std::find(hosts_.begin(), hosts_.end(), request.host) != hosts_.end();
    const std::string start = concat({"/", token_, "/"});
    if (own && !once_.empty() && request.path == concat({"/", once_})) {
      once_.clear();
      HttpResponse response = text_response(302, "");
      response.location = start;
      return response;
    }
    if (!own || !request.path.starts_with(start)) {
      return text_response(403, "the address has a token, which this one lacks\n");
    }
    const std::string name = request.path.substr(start.size());
    if (name == "files.json") {
      Value value;
      value.set("files", offer_.list()).set("first", first_);
      HttpResponse response = text_response(200, json_line(value));
      response.type = "application/json";
      return response;
    }
    if (name == "file") {
      return offer_.get(query_value(request.query, "path"));
    }
    if (name == "find") {
      return find(query_value(request.query, "model"), query_value(request.query, "path"));
    }
    return page_file(name.empty() ? "index.html" : name);
  }

  /// What `convert` would find of a model's and the page does not know: pictures and models in the folders
  /// above it and in the sources.
  [[nodiscard]] HttpResponse find(const std::string& model, const std::string& path) {
    const auto place = offer_.place_of(model);
    const std::string name = normalize_game_path(path);
    if (!place) {
      return text_response(404, "no such file is offered\n");
    }
    const bool allowed = belongs_to_models(name) && !is_hidden(name);
    auto found =
        allowed ? folders_.for_model(named_input(place->string(), settings_)).find(name) : std::nullopt;
    return found ? HttpResponse{200, "application/octet-stream", std::move(found->bytes)}
                 : text_response(204, "");
  }

  /// The page is files of one folder.
  [[nodiscard]] HttpResponse page_file(const std::string& name) const {
    const fs::path path = page_ / name;
    if (name.find('/') != std::string::npos || name.front() == '.') {
      return text_response(404, "the page has no such file\n");
    }
    auto bytes = read_file(path, Limits{});
    return bytes ? HttpResponse{200, std::string(type_of(path)), std::move(*bytes)}
                 : text_response(404, "the page has no such file\n");
  }

  const Settings& settings_;
  fs::path page_;
  std::string token_;
  /// Leads to the token, one time: the browser's command line, which others on this machine see, has it.
  std::string once_;
  std::string first_;
  std::vector<std::string> hosts_;
  Offer offer_;
  TextureFolders folders_;
};

}  // namespace

int run_view(const Settings& settings) {
  auto page = find_page();
  if (!page) {
    write_stderr(
        "thaw: error input.unreadable: the page is not built\n"
        "  hint: `scripts/web` in thaw's sources builds it; `cmake --install` takes it along\n");
    return kUnreadable;
  }
  if (const std::string why = objection_to_sources(settings); !why.empty()) {
    return usage_error("view", why);
  }
  return Viewer(settings, std::move(*page)).run();
}

}  // namespace thaw::cli
