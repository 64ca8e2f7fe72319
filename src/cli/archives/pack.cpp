// pack: a folder as an archive.

#include <thaw/archive.hpp>
#include <thaw/bytes.hpp>
#include <thaw/codes.hpp>

#include <thaw/sources.hpp>

#include "cli/arguments/commands.hpp"
#include "cli/inputs/distinct.hpp"
#include "cli/inputs/files_below.hpp"
#include "cli/inputs/inputs.hpp"
#include "cli/jobs/save_archive.hpp"
#include "cli/platform/job_control.hpp"
#include "cli/report/console.hpp"
#include "cli/report/report.hpp"
#include "cli/report/text.hpp"

#include <algorithm>
#include <memory>

namespace thaw::cli {
namespace {

namespace fs = std::filesystem;

enum class PackKind : std::uint8_t { unknown, mpq, map, pack1, single };

bool is_single(const Settings& settings) {
  const std::string requested = fs::path(settings.inputs.front()).filename().string() + ".mpq";
  return file_key(requested) == file_key(fs::path(settings.output).filename());
}

PackKind pack_kind_of(const Settings& settings) {
  std::error_code error;
  const std::string extension = extension_of(settings.output);
  if (!fs::is_directory(settings.inputs.front(), error)) {
    return is_single(settings) ? PackKind::single : PackKind::unknown;
  }
  return extension == ".w3x" || extension == ".w3m" ? PackKind::map
         : extension == ".mpq"                      ? PackKind::mpq
         : extension == ".pack"                     ? PackKind::pack1
                                                    : PackKind::unknown;
}

/// Empty if the command line can be carried out.
std::string check_pack(const Settings& settings, PackKind kind) {
  std::error_code error;
  const bool packed = settings.store || settings.single_unit || settings.checksums;
  if (settings.output.empty() || settings.output == "-") {
    return "pack needs -o with an archive's name";
  }
  if (kind == PackKind::unknown && !fs::is_directory(settings.inputs.front(), error)) {
    return "An archive of one file must have the file's name with .MPQ appended.";
  }
  if (kind == PackKind::unknown) {
    return concat({"-o ", settings.output, ": the name must end in .mpq, .w3x, .w3m or .pack"});
  }
  const bool paged = parse_code_page(settings.code_page) > CodePage::utf8;
  if (kind == PackKind::pack1 && (packed || paged || settings.archive_version)) {
    return "--store, --single-unit, --checksums, --archive-version and --encoding-of-names apply to MPQ only";
  }
  if (kind == PackKind::map && settings.single_unit) {
    return "--single-unit cannot be used for maps, because the game does not read single units in them";
  }
  if (kind == PackKind::map && settings.archive_version == std::uint64_t{2}) {
    return "--archive-version 2 cannot be used for maps, which are always version 1";
  }
  if (kind == PackKind::single && settings.archive_version) {
    return "--archive-version cannot be used for archives of one file, which are always version 1";
  }
  return settings.checksums && (settings.store || settings.single_unit)
             ? "--checksums needs compressed sectors and cannot be combined with --store or --single-unit"
             : "";
}

/// PACK2 signs what it holds, and the way is unknown; campaigns have a header of their own.
std::optional<Error> refusal_to_pack(const Settings& settings) {
  const std::string extension = extension_of(settings.output);
  if (extension == ".pack2") {
    return Error{codes::kArchiveKind,
                 {},
                 {},
                 "PACK2 cannot be written, because its signature needs the game publisher's key. Write .pack "
                 "(PACK1) instead."};
  }
  if (extension == ".w3n") {
    return Error{
        codes::kArchiveKind,
        {},
        {},
        "New campaigns cannot be created. Change an existing one with `thaw add` and `thaw remove`."};
  }
  return std::nullopt;
}

mpq::Packing packing_of(const ArchiveSettings& settings) {
  return {!settings.store, settings.single_unit, settings.checksums};
}

/// More than version 1 can hold, with what the tables take.
bool needs_second_version(const std::vector<FileBelow>& files) {
  constexpr std::uint64_t kMost = std::uint64_t{4000} << 20U;
  std::uint64_t size = 0;
  for (const auto& file : files) {
    size += file.size;
  }
  return size > kMost;
}

Bytes content_of(const std::vector<FileBelow>& files, std::string_view name, const Limits& limits) {
  for (const auto& file : files) {
    if (normalize_game_path(file.name) == name) {
      return read_file(file.path, limits).value_or(Bytes());
    }
  }
  return {};
}

template <class File>
std::vector<File> new_files(const std::vector<FileBelow>& files, const Limits& limits) {
  std::vector<File> result;
  const auto done = std::make_shared<std::size_t>(0);
  for (const auto& file : files) {
    result.push_back({file.name, [file, limits, done, total = files.size()] {
                        (void)proceed(current_control(), "files", std::min((*done)++, total),
                                      total);  // the output stops it
                        return read_named(file.path, limits);
                      }});
  }
  return result;
}

Result<void> make_archive(const Settings& settings, PackKind kind, const std::vector<FileBelow>& files,
                          Sink& out, ArchiveReport& report) {
  const ReadOptions reading = read_options(settings);
  const Limits& limits = reading.limits;
  if (kind == PackKind::pack1) {
    return pack::create_pack1(new_files<pack::NewFile>(files, limits), out);
  }
  mpq::CreateOptions options;
  options.packing = packing_of(settings);
  options.code_page = reading.code_page;
  options.version = settings.archive_version ? static_cast<unsigned>(*settings.archive_version)
                    : kind == PackKind::mpq && needs_second_version(files) ? 2
                                                                           : 1;
  if (kind == PackKind::map) {
    options.imports = true;
    const std::string name = fs::path(settings.output).stem().string();
    options.prefix = mpq::map_header(from_utf8(name, reading.code_page).value_or(name),
                                     content_of(files, "war3map.w3i", limits),
                                     content_of(files, "war3map.wts", limits), report.findings);
  }
  return mpq::create(new_files<mpq::NewFile>(files, limits), options, out, report.findings);
}

}  // namespace

int run_pack(const Settings& settings) {
  const fs::path input = settings.inputs.front();
  if (const auto refused = refusal_to_pack(settings)) {
    return fail_with("pack", settings, *refused);
  }
  std::error_code error;
  if (!fs::exists(input, error)) {
    return fail_with("pack", settings, {codes::kInputUnreadable, {}, {}, "no such file or folder"});
  }
  const PackKind kind = pack_kind_of(settings);
  if (const std::string why = check_pack(settings, kind); !why.empty()) {
    return usage_error("pack", why);
  }
  ArchiveReport report{"pack", "packed", "1 file"};
  if (kind == PackKind::single) {
    const mpq::NewFile file{input.filename().string(),
                            [&] { return read_file(input, read_options(settings).limits); }};
    report.json = {{"files", std::int64_t{1}}};
    return save_archive(
        settings, settings.output,
        [&](Sink& out, ArchiveReport&) { return mpq::create_single(file, packing_of(settings), out); },
        std::move(report));
  }
  auto files = files_below(input, settings.output);
  if (!files) {
    return fail_with("pack", settings, files.error());
  }
  report.facts = counted(files->size(), "file");
  report.json = {{"files", count_value(files->size())}};
  return save_archive(
      settings, settings.output,
      [&](Sink& out, ArchiveReport& reported) { return make_archive(settings, kind, *files, out, reported); },
      std::move(report));
}

}  // namespace thaw::cli
