#include "cli/report/info.hpp"

#include <thaw/codes.hpp>
#include <thaw/convert.hpp>
#include <thaw/load.hpp>

#include "cli/arguments/commands.hpp"
#include "cli/inputs/archives.hpp"
#include "cli/inputs/textures.hpp"
#include "cli/inputs/world_input.hpp"
#include "cli/jobs/batch.hpp"
#include "cli/jobs/summary.hpp"
#include "cli/platform/job_control.hpp"
#include "cli/report/console.hpp"

#include <charconv>

namespace thaw::cli {
namespace {

std::vector<TextureState> look_for(const Facts& facts, const Sources& sources) {
  std::vector<TextureState> states;
  for (const auto& texture : facts.textures) {
    TextureState state;
    if (auto found = texture.path.empty() ? std::nullopt : sources.find_texture(texture.path)) {
      state = {true, found->where};
    }
    states.push_back(std::move(state));
  }
  return states;
}

class Info {
 public:
  Info(const Settings& settings, std::vector<Input> inputs)
      : settings_(settings), inputs_(std::move(inputs)), folders_(settings) {}

  int run() {
    const Tally tally =
        examine_all(settings_, inputs_, [this](const Input& input) { return examine(input); });
    if (is_batch(settings_) && tally.exit != kInterrupted) {
      report_summary(settings_, "info", tally);
    }
    return tally.exit;
  }

 private:
  Outcome examine(const Input& input) {
    if (!input.found && input.name != "-" && identify_file(input).format.is_archive()) {
      return examine_archive(input);
    }
    if (is_streamed(input)) {
      return examine_map(input);
    }
    auto read = examined(settings_, input);
    if (!read) {
      return std::move(read.error());
    }
    auto& [content, document, findings] = *read;
    Facts facts = summarize(document);
    const Sources sources = folders_.for_model(input);
    if (const auto refused = refusal_of(document, &sources)) {
      return failed_outcome(settings_, input, &content.identity, findings, *refused);
    }
    if (document.identity().format == "m3") {
      name_pictures(facts, input, sources);
    }
    auto textures = look_for(facts, sources);
    const Subject subject{
        input, content.bytes.size(), content.identity, std::move(facts), std::move(textures), findings};
    return reported(subject);
  }

  /// M3 models know their pictures by number; `convert` looks for the same names.
  void name_pictures(Facts& facts, const Input& input, const Sources& sources) const {
    OpenSceneOptions request;
    request.path = input.relative.generic_string();
    request.path_of_id = [this](std::uint32_t id) { return folders_.file_ids().path_of(id); };
    for (auto& texture : facts.textures) {
      std::uint32_t id = 0;
      const char* const end = texture.path.data() + texture.path.size();
      if (std::from_chars(texture.path.data(), end, id).ec == std::errc()) {
        texture.path = picture_of_id(sources, request, id);
      }
    }
  }

  [[nodiscard]] Outcome reported(const Subject& subject) const {
    Outcome outcome;
    outcome.warned = subject.findings.count(Severity::warning) > 0;
    outcome.exit = exit_of(subject.findings);
    outcome.out = settings_.json ? json_line(info_json(subject))
                                 : info_text(subject, settings_, use_color(settings_, stdout_is_terminal()));
    return outcome;
  }

  /// An archive is not read as a whole, and what it holds is counted only.
  [[nodiscard]] Outcome examine_archive(const Input& input) const {
    const Identity identity = identify_file(input);
    const auto opened = Archives(settings_).open(input.name);
    if (!opened) {
      return failed_outcome(settings_, input, &identity, Diagnostics(), opened.error());
    }
    const Archive& archive = *(*opened)->archive;
    Facts facts;
    facts.name = archive.title();
    facts.counts.push_back({"file", archive.entries().size()});
    return reported(
        {input, archive.file_size(), identity, std::move(facts), {}, (*opened)->findings, &archive});
  }

  /// Of a map of many tiles, the chunks are not looked into: the report takes no longer than people wait.
  Outcome examine_map(const Input& input) {
    constexpr std::size_t kFew = 16;
    const Identity identity = identify_file(input);
    Diagnostics findings;
    auto storage = input_storage(input, settings_);
    if (!storage) {
      return failed_outcome(settings_, input, &identity, findings, storage.error());
    }
    const std::uint64_t size = (*storage)->size();
    if (settings_.strict) {
      Diagnostics same;
      if (const auto whole = open_stream(input, settings_, same); !whole) {
        return failed_outcome(settings_, input, &identity, same, whole.error());
      }
    }
    const auto world = wdt::open(std::move(*storage), read_options(settings_), findings);
    if (!world) {
      return failed_outcome(settings_, input, &identity, findings, world.error());
    }
    wdt::Document document;
    document.map = world->map();
    const auto tiles = world->tiles(parse_tiles(settings_.tiles).value_or(wdt::TileRange()));
    if (tiles.empty() && !settings_.tiles.empty()) {
      return failed_outcome(settings_, input, &identity, findings, Error{codes::kWorldNoTile, {}, {}, ""});
    }
    const bool few = tiles.size() <= kFew;
    for (const auto& [x, y] : tiles) {
      if (!proceed(current_control(), "tiles", document.tiles.size(), tiles.size())) {
        stop_when_requested();
      }
      auto tile = few ? world->tile(x, y, findings) : world->tile_head(x, y, findings);
      if (!tile) {
        return failed_outcome(settings_, input, &identity, findings, tile.error());
      }
      document.tiles.push_back(std::move(*tile));
    }
    Facts facts = summarize(AnyDocument(identity, std::move(document)));
    auto textures = look_for(facts, folders_.for_model(input));
    return reported({input, size, identity, std::move(facts), std::move(textures), findings});
  }

  const Settings& settings_;
  std::vector<Input> inputs_;
  TextureFolders folders_;
};

}  // namespace

int run_info(const Settings& settings) {
  if (const std::string why = check_sources(settings); !why.empty()) {
    return usage_error("info", why);
  }
  auto inputs = collect_inputs(settings);
  if (!inputs) {
    return fail_with(settings.files_from, inputs.error());
  }
  if (const std::string why = check_tiles(settings, *inputs); !why.empty()) {
    return usage_error("info", why);
  }
  return Info(settings, std::move(*inputs)).run();
}

}  // namespace thaw::cli
