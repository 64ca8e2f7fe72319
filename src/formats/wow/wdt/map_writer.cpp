#include "formats/wow/wdt/map_writer.hpp"

#include <limits>

namespace thaw::wdt {
namespace {

Result<void> written(bool good) {
  return good ? Result<void>() : fail(codes::kWriteFailed, "the map cannot be written to the output");
}

}  // namespace

MapWriter::MapWriter(Sink& out, Map map) : out_(out), map_(std::move(map)) {}

Result<void> MapWriter::begin() {
  lay_out(map_);
  start_ = out_.size();
  return written(out_.append(write(map_)));
}

Result<void> MapWriter::add(Tile tile) {
  const std::uint64_t at = out_.size() - start_;
  const Bytes bytes = write_at(tile, at, map_.tiles[tile.index]);
  if (at + bytes.size() > std::numeric_limits<std::uint32_t>::max()) {
    return fail(codes::kWriteUnsupported,
                "the map exceeds 4 GiB, the limit of the format; write fewer tiles");
  }
  return written(out_.append(bytes));
}

Result<void> MapWriter::finish() { return written(out_.patch(start_, write(map_))); }

}  // namespace thaw::wdt
