// The rules over a map of which a few tiles at a time are in memory.
#include <thaw/control.hpp>
#include <thaw/wdt.hpp>

#include "formats/wow/wdt/rules/table.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace thaw::wdt {
namespace {

using rules::MapRule;
using rules::Subject;

constexpr std::string_view kFirst = "tiles[0]";
/// The only rule that looks from one tile at others.
constexpr std::string_view kEdges = "tile.edge";
/// Rules of the map's own part that look into tiles, too.
constexpr std::array<std::string_view, 3> kOfTiles = {"wdt.name-text", "wdt.entry-size", "wdt.unclaimed"};
/// Of these the one whose findings lie outside of the tile that it is about.
constexpr std::string_view kEntrySize = "wdt.entry-size";

bool is_about_tile(std::string_view path) { return path.substr(0, kFirst.size()) == kFirst; }

class Rounds {
 public:
  Rounds(const Stream& map, const ValidateOptions& options) : map_(map), options_(options), each_(options) {
    each_.limit_per_rule = std::numeric_limits<std::size_t>::max();  // counted over all tiles
    document_.map = map.world().map();
  }

  Diagnostics run() {
    run_over_map();
    const auto& numbers = map_.chosen();
    for (std::size_t i = 0; i < numbers.size() && proceed(options_.read.control, "tiles", i, numbers.size());
         ++i) {
      run_over_tile(numbers[i]);
    }
    return finish();
  }

 private:
  /// Of the tiles only where they are.
  void run_over_map() {
    document_.gaps = map_.gaps();
    for (const auto& [x, y] : map_.world().tiles()) {
      document_.tiles.emplace_back().index = static_cast<std::uint16_t>(std::size_t{y} * kTilesPerSide + x);
    }
    check(
        rules::map_rules(), [](const MapRule&) { return true; },
        [](const Diagnostic& finding) { return finding.path.substr(0, 6) != "tiles["; }, 0);
    document_.gaps.clear();
    document_.tiles.clear();
  }

  void run_over_tile(std::size_t number) {
    const auto [x, y] = map_.world().tiles()[number];
    auto tile =
        next_ && next_->index == std::size_t{y} * kTilesPerSide + x ? std::move(next_) : map_.tile(number);
    next_.reset();
    if (!tile) {
      return;
    }
    document_.tiles.push_back(std::move(*tile));
    const bool east = add(std::size_t{x} + 1, y);
    add(x, std::size_t{y} + 1);
    const auto is_edges = [](const MapRule& rule) { return rule.info.code == kEdges; };
    const auto is_inside = [](const Diagnostic& finding) { return is_about_tile(finding.path); };
    check(rules::tile_rules(), is_edges, is_inside, number);
    if (east) {
      next_ = std::move(document_.tiles[1]);
    }
    document_.tiles.resize(1);
    check(
        rules::map_rules(),
        [](const MapRule& rule) {
          return std::find(kOfTiles.begin(), kOfTiles.end(), rule.info.code) != kOfTiles.end();
        },
        [](const Diagnostic& finding) {
          return is_about_tile(finding.path) || finding.code.id == kEntrySize;
        },
        number);
    check(rules::tile_rules(), [&](const MapRule& rule) { return !is_edges(rule); }, is_inside, number);
    check(rules::chunk_rules(), [](const MapRule&) { return true; }, is_inside, number);
    document_.tiles.clear();
  }

  /// False if the map has no such tile.
  bool add(std::size_t x, std::size_t y) {
    const auto& tiles = map_.world().tiles();
    const auto found = std::find_if(tiles.begin(), tiles.end(),
                                    [&](const TilePosition& place) { return place.x == x && place.y == y; });
    auto tile =
        found == tiles.end() ? std::nullopt : map_.tile(static_cast<std::size_t>(found - tiles.begin()));
    if (tile) {
      document_.tiles.push_back(std::move(*tile));
    }
    return tile.has_value();
  }

  template <class Requested, class IsRetained>
  void check(std::span<const MapRule> rules, const Requested& requested, const IsRetained& is_retained,
             std::size_t number) {
    Report report(each_);
    const Subject subject{document_, each_};
    for (const MapRule& rule : rules) {
      const auto severity = rule.info.severity_for(options_.target);
      if (severity && requested(rule)) {
        report.start(rule.info, *severity);
        rule.check(subject, report);
      }
    }
    auto& all = report.findings();
    all.erase(std::remove_if(all.begin(), all.end(),
                             [&](const Diagnostic& finding) { return !is_retained(finding); }),
              all.end());
    if (all.empty()) {
      return;
    }
    const Diagnostics placed =
        finish_report(report, [&](Inspector& inspector) { inspect(document_, inspector); });
    for (Diagnostic finding : placed.items()) {
      if (is_about_tile(finding.path)) {
        finding.path.replace(0, kFirst.size(), say("tiles[", number, "]"));
      }
      keep(std::move(finding));
    }
  }

  void keep(Diagnostic finding) {
    auto& list = found_[finding.code.id];
    if (list.size() < options_.limit_per_rule) {
      list.push_back(std::move(finding));
    } else {
      ++suppressed_;
    }
  }

  /// In the order of rules, then by offset.
  Diagnostics finish() {
    std::vector<Diagnostic> findings;
    for (const auto rules : {rules::map_rules(), rules::tile_rules(), rules::chunk_rules()}) {
      for (const MapRule& rule : rules) {
        auto& list = found_[rule.info.code];
        std::move(list.begin(), list.end(), std::back_inserter(findings));
      }
    }
    std::stable_sort(findings.begin(), findings.end(),
                     [](const Diagnostic& a, const Diagnostic& b) { return a.offset < b.offset; });
    Diagnostics result(findings.size());
    for (Diagnostic& finding : findings) {
      result.add(std::move(finding));
    }
    for (std::size_t i = 0; i < suppressed_; ++i) {
      result.add(Diagnostic{});
    }
    return result;
  }

  const Stream& map_;
  const ValidateOptions& options_;
  ValidateOptions each_;
  Document document_;
  std::optional<Tile> next_;  ///< the tile to the east, which mostly comes next
  std::map<std::string_view, std::vector<Diagnostic>> found_;
  std::size_t suppressed_ = 0;
};

}  // namespace

Diagnostics validate(const Stream& map, const ValidateOptions& options) { return Rounds(map, options).run(); }

}  // namespace thaw::wdt
