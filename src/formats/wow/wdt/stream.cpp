// All of a map, one tile at a time.
#include <thaw/codes.hpp>
#include <thaw/control.hpp>
#include <thaw/wdt.hpp>

#include "bytes/difference.hpp"
#include "describe/diff.hpp"
#include "describe/inspection.hpp"
#include "describe/limits.hpp"
#include "describe/writer.hpp"
#include "formats/wow/wdt/document.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <mutex>
#include <span>

namespace thaw::wdt {

/// Why reading ended early.
struct Stream::State {
  std::mutex mutex;
  std::optional<Error> failure;
};

namespace {

std::string path_in_tile(std::size_t number, std::string_view inner) {
  std::string path = "tiles[" + std::to_string(number) + "]";
  if (!inner.empty()) {
    path += inner.front() == '[' ? "" : ".";
    path += inner;
  }
  return path;
}

/// Bytes of the map that neither its own part nor a tile claims.
Result<std::vector<Gap>> gaps_of(const World& world, const Storage& storage, std::uint64_t map_size,
                                 const Limits& limits) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> covered = {{0, map_size}};
  for (const auto& [x, y] : world.tiles()) {
    const std::uint64_t offset = world.map().tiles[std::size_t{y} * kTilesPerSide + x].offset;
    covered.emplace_back(offset, offset + world.tile_size(x, y));
  }
  covered.emplace_back(storage.size(), storage.size());
  std::sort(covered.begin(), covered.end());
  std::vector<Gap> gaps;
  std::uint64_t reached = 0;
  for (const auto& [from, to] : covered) {
    if (from > reached) {
      auto bytes = read_bytes(storage, reached, from - reached, limits);
      if (!bytes) {
        return tl::unexpected<Error>(std::move(bytes.error()));
      }
      gaps.push_back({reached, std::move(*bytes)});
    }
    reached = std::max(reached, to);
  }
  return gaps;
}

/// As check_last_gap of a reader.
bool breaks_off(const std::vector<Gap>& gaps, std::uint64_t file_size) {
  constexpr std::size_t kHeader = 8;
  const bool at_end = !gaps.empty() && gaps.back().offset + gaps.back().bytes.size() == file_size;
  if (!at_end || !begins_like_tag(gaps.back().bytes)) {
    return false;
  }
  const ByteView rest = gaps.back().bytes;
  return rest.size() < kHeader || load_plain<std::uint32_t>(rest.data() + 4) > rest.size() - kHeader;
}

template <class T>
Bytes written(const T& part, std::uint64_t tile_offset) {
  return write_document(Context{tile_offset}, [&](auto& writer) { describe(writer, part); });
}

/// What was found before the tiles. `found` has the tiles that are not there at its end: a reader of the
/// whole file reports them after the others.
std::span<const Diagnostic> findings_of_map(const World& world, const Diagnostics& found,
                                            std::uint64_t file_size) {
  std::size_t after = 0;
  for_each_lost_tile(world.map(), file_size, [&](const Diagnostic&) { ++after; });
  const auto items = std::span(found.items());
  const std::size_t rest = items.size() - std::min(after, items.size());
  const bool cut = rest > 0 && world.tiles().empty() && items[rest - 1].path == "gaps";
  return items.first(cut ? rest - 1 : rest);
}

/// Takes findings as a reader does: with `strict` the first that says that the file is broken ends it.
class Judge {
 public:
  Judge(bool strict, Diagnostics& diagnostics) : strict_(strict), diagnostics_(diagnostics) {}

  /// False if this is the error.
  bool take(Diagnostic finding) {
    if (strict_ && finding.code.severity >= kBroken) {
      error_ = std::move(finding);
      return false;
    }
    diagnostics_.add(std::move(finding));
    return true;
  }
  [[nodiscard]] tl::unexpected<Error> error() const { return tl::unexpected<Error>(*error_); }

 private:
  bool strict_;
  Diagnostics& diagnostics_;
  std::optional<Error> error_;
};

constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

Result<Tile> judged_tile(const World& world, std::size_t number, Judge& judge) {
  Diagnostics found(kAll);
  const auto [x, y] = world.tiles()[number];
  auto tile = world.tile(x, y, found);
  for (Diagnostic finding : found.items()) {
    finding.path = path_in_tile(number, finding.path);
    if (!judge.take(std::move(finding))) {
      return judge.error();
    }
  }
  if (!tile) {
    Error error = std::move(tile.error());
    error.path = path_in_tile(number, error.path);
    return tl::unexpected<Error>(std::move(error));
  }
  return tile;
}

}  // namespace

Stream::Stream(World world, std::shared_ptr<const Storage> storage, const ReadOptions& options)
    : world_(std::move(world)),
      storage_(std::move(storage)),
      options_(options),
      map_size_(written(world_.map(), 0).size()),
      state_(std::make_shared<State>()) {}

Result<Stream> Stream::begin(std::shared_ptr<const Storage> storage, const ReadOptions& options,
                             Diagnostics& diagnostics) {
  if (storage->size() > options.limits.max_input_bytes) {
    return input_too_large(storage->size(), options.limits);
  }
  ReadOptions lenient = options;
  lenient.strict = false;
  Diagnostics of_map(kAll);
  auto opened = wdt::open(storage, lenient, of_map);
  if (!opened) {
    return tl::unexpected<Error>(std::move(opened.error()));
  }
  Stream stream(std::move(*opened), std::move(storage), options);
  auto gaps = gaps_of(stream.world_, *stream.storage_, stream.map_size_, options.limits);
  if (!gaps) {
    return tl::unexpected<Error>(std::move(gaps.error()));
  }
  stream.gaps_ = std::move(*gaps);
  Judge judge(options.strict, diagnostics);
  for (const Diagnostic& finding : findings_of_map(stream.world_, of_map, stream.size())) {
    if (!judge.take(finding)) {
      return judge.error();
    }
  }
  return stream;
}

Result<void> Stream::end(Diagnostics& diagnostics) const {
  Diagnostics after(kAll);
  for_each_lost_tile(world_.map(), size(), [&](const Diagnostic& lost) { after.add(lost); });
  if (breaks_off(gaps_, size())) {
    after.add(codes::kTruncated, "chunk truncated by the end of the file", {}, "gaps");
  }
  Judge judge(options_.strict, diagnostics);
  for (Diagnostic finding : after.items()) {
    finding.offset = map_size_;  // where a reader of the whole file is by then
    if (!judge.take(std::move(finding))) {
      return judge.error();
    }
  }
  return {};
}

Result<Stream> Stream::open(std::shared_ptr<const Storage> storage, const ReadOptions& options,
                            Diagnostics& diagnostics, const Requested& requested) {
  auto begun = begin(std::move(storage), options, diagnostics);
  if (!begun) {
    return begun;
  }
  const auto& tiles = begun->world_.tiles();
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    if (!requested || requested(tiles[i])) {
      begun->chosen_.push_back(i);
    }
  }
  Judge judge(options.strict, diagnostics);
  std::size_t done = 0;
  for (const std::size_t i : begun->chosen_) {
    if (!proceed(options.control, "tiles", done++, begun->chosen_.size())) {
      return fail(codes::kStopped, "");
    }
    if (const auto tile = judged_tile(begun->world_, i, judge); !tile) {
      return tl::unexpected<Error>(tile.error());
    }
  }
  if (const auto ended = begun->end(diagnostics); !ended) {
    return tl::unexpected<Error>(ended.error());
  }
  return begun;
}

// --- a document in steps
// -----------------------------------------------------------------------------------------

Result<Reading> Reading::begin(std::shared_ptr<const Storage> storage, const ReadOptions& options,
                               Diagnostics& diagnostics) {
  return Stream::begin(std::move(storage), options, diagnostics).map([](Stream&& stream) {
    return Reading(std::move(stream));
  });
}

Result<bool> Reading::step(Diagnostics& diagnostics) {
  if (done() < count()) {
    Judge judge(stream_.options_.strict, diagnostics);
    auto tile = judged_tile(stream_.world_, done(), judge);
    if (!tile) {
      return tl::unexpected<Error>(std::move(tile.error()));
    }
    tiles_.push_back(std::move(*tile));
    return true;
  }
  return stream_.end(diagnostics).map([] { return false; });
}

Document Reading::take() {
  Document document;
  document.map = stream_.world_.map();
  document.tiles = std::move(tiles_);
  document.gaps = stream_.gaps_;
  return document;
}

// --- report
// ----------------------------------------------------------------------------------------------

std::uint64_t Stream::offset_of(std::size_t number) const {
  const auto [x, y] = world_.tiles()[number];
  return world_.map().tiles[std::size_t{y} * kTilesPerSide + x].offset;
}

std::optional<Tile> Stream::tile(std::size_t number) const {
  const auto [x, y] = world_.tiles()[number];
  auto tile = world_.tile(x, y);
  if (!tile) {
    const std::lock_guard lock(state_->mutex);
    state_->failure = tile.error();
    return std::nullopt;
  }
  return std::move(*tile);
}

std::optional<Error> Stream::failure() const {
  const std::lock_guard lock(state_->mutex);
  return state_->failure;
}

void Stream::inspect(Inspector& inspector) const {
  InspectionVisitor<Context> v(inspector, {});
  describe(v, world_.map());
  bool going = true;
  v.blocks("tiles", chosen_.size(), [&](std::size_t i) {
    going = going && proceed(options_.control, "tiles", i, chosen_.size());
    const auto one = going ? tile(chosen_[i]) : std::nullopt;
    going = one.has_value();
    if (going) {
      v.context().tile_offset = offset_of(chosen_[i]);
      v.block("", offset_of(chosen_[i]), 0, [&] { describe(v, *one); });
    }
  });
  v.gaps("gaps", gaps_);
}

Inspection Stream::inspection() const {
  return [this](Inspector& inspector) { inspect(inspector); };
}

std::optional<std::uint64_t> Stream::first_difference() const {
  std::optional<std::uint64_t> first;
  const auto compare = [&](std::uint64_t at, std::uint64_t size, const Bytes& rewritten) {
    const auto there = read_bytes(*storage_, at, size, options_.limits);
    const auto found = there ? thaw::first_difference(*there, rewritten) : std::optional<std::uint64_t>(0);
    if (found && (!first || at + *found < *first)) {
      first = at + *found;
    }
  };
  compare(0, std::min(map_size_, size()), written(world_.map(), 0));
  std::size_t done = 0;
  for (const std::size_t i : chosen_) {
    const auto one = proceed(options_.control, "tiles", done++, chosen_.size()) ? tile(i) : std::nullopt;
    if (!one) {
      break;
    }
    const auto [x, y] = world_.tiles()[i];
    compare(offset_of(i), world_.tile_size(x, y), written(*one, offset_of(i)));
  }
  return first;
}

// --- two maps
// ---------------------------------------------------------------------------------------------------

void Stream::inspect_map(Inspector& inspector) const {
  InspectionVisitor<Context> v(inspector, {});
  describe(v, world_.map());
}

void Stream::inspect_tile(std::size_t number, Inspector& inspector) const {
  InspectionVisitor<Context> v(inspector, {});
  const bool there = std::binary_search(chosen_.begin(), chosen_.end(), number);
  v.blocks("tiles", there ? 1 : 0, [&](std::size_t /*first*/) {
    if (const auto one = tile(number)) {
      v.context().tile_offset = offset_of(number);
      v.block("", offset_of(number), 0, [&] { describe(v, *one); });
    }
  });
}

void Stream::inspect_gaps(Inspector& inspector) const {
  InspectionVisitor<Context> v(inspector, {});
  v.gaps("gaps", gaps_);
}

class Differences {
 public:
  Differences(const Stream& left, const Stream& right, std::size_t limit, const Control* control)
      : left_(left), right_(right), limit_(limit), control_(control) {}

  std::vector<Difference> find() {
    add([](const Stream& side, Inspector& inspector) { side.inspect_map(inspector); });
    const auto numbers = requested();
    const std::size_t both = right_.world().tiles().size();
    const bool left_has_more = left_.world().tiles().size() > both;
    std::vector<Difference> after;
    for (std::size_t i = 0; i < numbers.size() && found_.size() < limit_; ++i) {
      if (!proceed(control_, "tiles", i, numbers.size())) {
        return std::move(found_);
      }
      const auto added = add_tile(numbers[i]);
      // What the right one alone has at the end of the last tile of both comes after that which both have,
      // and so after the tiles of the left one alone.
      if (left_has_more && numbers[i] + 1 == both) {
        after.assign(std::make_move_iterator(found_.end() - added), std::make_move_iterator(found_.end()));
        found_.erase(found_.end() - added, found_.end());
      }
    }
    for (std::size_t i = 0; i < after.size() && found_.size() < limit_; ++i) {
      found_.push_back(std::move(after[i]));
    }
    add([](const Stream& side, Inspector& inspector) { side.inspect_gaps(inspector); });
    return std::move(found_);
  }

 private:
  /// The tiles that either side requests.
  [[nodiscard]] std::vector<std::size_t> requested() const {
    std::vector<std::size_t> numbers;
    std::set_union(left_.chosen().begin(), left_.chosen().end(), right_.chosen().begin(),
                   right_.chosen().end(), std::back_inserter(numbers));
    return numbers;
  }

  /// How many of those that were found at last come after everything that both sides have.
  std::ptrdiff_t add_tile(std::size_t number) {
    const std::size_t before = found_.size();
    const std::ptrdiff_t after =
        same_bytes(number) ? 0 : add([number](const Stream& side, Inspector& inspector) {
          side.inspect_tile(number, inspector);
        });
    // Alone, every tile is the first of its list.
    for (std::size_t d = before; d < found_.size(); ++d) {
      constexpr std::string_view kFirst = "tiles[0]";
      found_[d].path.replace(0, kFirst.size(), path_in_tile(number, ""));
    }
    return after;
  }

  template <class F>
  std::ptrdiff_t add(const F& inspect) {
    if (found_.size() >= limit_) {
      return 0;
    }
    const auto of = [&](const Stream& side) -> Inspection {
      return [&](Inspector& inspector) { inspect(side, inspector); };
    };
    auto compared = compare(of(left_), of(right_), limit_ - found_.size(), control_);
    std::move(compared.differences.begin(), compared.differences.end(), std::back_inserter(found_));
    return static_cast<std::ptrdiff_t>(compared.after);
  }

  /// Most tiles of two versions of a map are the same, which is quickly seen.
  [[nodiscard]] bool same_bytes(std::size_t number) const {
    if (number >= left_.world().tiles().size() || number >= right_.world().tiles().size() ||
        left_.offset_of(number) != right_.offset_of(number)) {
      return false;
    }
    const auto bytes_of = [&](const Stream& side) {
      const auto [x, y] = side.world().tiles()[number];
      return read_bytes(*side.storage_, side.offset_of(number), side.world().tile_size(x, y),
                        side.options_.limits);
    };
    const auto left = bytes_of(left_);
    const auto right = bytes_of(right_);
    return left && right && *left == *right;
  }

  const Stream& left_;
  const Stream& right_;
  std::size_t limit_;
  const Control* control_;
  std::vector<Difference> found_;
};

std::vector<Difference> diff(const Stream& left, const Stream& right, std::size_t limit,
                             const Control* control) {
  return Differences(left, right, limit, control).find();
}

}  // namespace thaw::wdt
