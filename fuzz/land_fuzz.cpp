// New maps: heights, masks, liquids and lists of things of any size make tiles that read, and in which
// validation finds nothing that a game would stop at; chunks that move from one tile into another keep that.
#include <thaw/validate.hpp>
#include <thaw/world.hpp>

#include "checks.hpp"
#include "formats/wow/wdt/map_writer.hpp"
#include "formats/wow/wdt/moved_chunks.hpp"

#include <cmath>

namespace thaw::fuzz {
namespace {

/// Numbers out of the input, zeros behind its end.
class Numbers {
 public:
  explicit Numbers(ByteView bytes) : bytes_(bytes) {}

  std::uint32_t below(std::uint32_t limit) { return next() % limit; }
  std::uint8_t next() { return at_ < bytes_.size() ? bytes_[at_++] : 0; }
  float yards() {
    const int high = next();
    return static_cast<float>((high - 128) * 256 + next()) / 16;
  }

  GreyImage picture() {
    GreyImage image;
    image.width = 1 + below(12);
    image.height = 1 + below(12);
    image.bits = below(2) == 0 ? 8 : 16;
    for (std::uint32_t i = 0; i < image.width * image.height; ++i) {
      const unsigned high = image.bits == 16 ? 256U * next() : 0U;
      image.values.push_back(static_cast<std::uint16_t>(high + next()));
    }
    return image;
  }

 private:
  ByteView bytes_;
  std::size_t at_ = 0;
};

world::LandObject object_of(Numbers& numbers, const world::LandPlan& plan) {
  world::LandObject object;
  object.building = numbers.below(2) == 1;
  object.name = object.building ? "Hut.wmo" : "Tree.mdx";
  const auto within = [&](std::uint8_t first, std::uint32_t tiles) {
    return wdt::kMiddle - (first + tiles * (numbers.next() / 255.0)) * wdt::kTileSize;
  };
  object.north = within(plan.corner.y, plan.rows);
  object.west = within(plan.corner.x, plan.columns);
  if (numbers.below(2) == 1) {
    object.up = double{numbers.yards()};
  }
  object.rotation = {numbers.yards(), numbers.yards(), numbers.yards()};
  object.scale = numbers.next() / 16.0;
  const float size = std::fabs(numbers.yards());
  object.low = {-size, -size, 0};
  object.high = {size, size, size};
  return object;
}

world::LandPlan plan_of(Numbers& numbers) {
  world::LandPlan plan;
  plan.corner = {static_cast<std::uint8_t>(numbers.below(64)), static_cast<std::uint8_t>(numbers.below(64))};
  plan.columns = numbers.below(8) == 7 ? 2 : 1;
  plan.heights = numbers.picture();
  plan.low = numbers.yards();
  plan.high = numbers.yards();
  for (std::uint32_t i = numbers.below(6); i > 0; --i) {
    plan.layers.push_back({"L" + std::to_string(i % 4) + ".blp", numbers.picture()});
  }
  for (auto* picture : {&plan.shadow, &plan.holes, &plan.areas, &plan.zones}) {
    if (numbers.below(2) == 1) {
      *picture = numbers.picture();
    }
  }
  for (std::uint32_t i = numbers.below(5); i > 0; --i) {
    auto& liquid = plan.liquids.emplace_back();
    liquid.kind = static_cast<wdt::LiquidKind>(numbers.below(wdt::kLiquidKinds));
    liquid.level = numbers.yards();
    if (numbers.below(2) == 1) {
      liquid.mask = numbers.picture();
    }
  }
  for (std::uint32_t i = numbers.below(20); i > 0; --i) {
    plan.objects.push_back(object_of(numbers, plan));
  }
  return plan;
}

void is_sound(wdt::Document& document) {
  wdt::lay_out(document);
  const Bytes bytes = wdt::write(document);
  check(test::problems_of(document, bytes));  // a dump of so much is more than a test parses
  Diagnostics findings;
  const auto again = wdt::read(bytes, {}, findings);
  require(again.has_value() && *again == document, "what was written reads as something else\n");
  const auto any = read_any(bytes, {}, findings);
  require(any.has_value());
  const Diagnostics reported = validate(*any);
  for (const Diagnostic& found : reported.items()) {
    if (found.code.severity >= Severity::error) {
      std::fprintf(stderr, "%s %s: %s\n", std::string(found.code.id).c_str(), found.path.c_str(),
                   found.message.c_str());
      require(false, "a new map is not sound\n");
    }
  }
}

}  // namespace
}  // namespace thaw::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace thaw;
  fuzz::Numbers numbers(ByteView(data, size));
  const auto land = world::Land::of(fuzz::plan_of(numbers));
  if (!land) {
    return 0;
  }
  Diagnostics diagnostics;
  wdt::Document document;
  document.map = land->map();
  for (std::uint32_t column = 0; column < land->plan().columns; ++column) {
    document.tiles.push_back(land->tile(land->plan().corner.x + column, land->plan().corner.y, diagnostics));
  }
  fuzz::is_sound(document);
  wdt::ChunkMove move;
  move.tile = land->plan().corner;
  move.last_x = move.first_x = numbers.below(wdt::kChunksPerSide);
  move.last_y = move.first_y = numbers.below(wdt::kChunksPerSide);
  move.last_x += numbers.below(3);
  move.east = static_cast<int>(numbers.below(40)) - 8;
  move.south = static_cast<int>(numbers.below(40)) - 20;
  const auto moved = wdt::MovedChunks::of(document.tiles.front(), move);
  if (!moved) {
    return 0;
  }
  for (wdt::Tile& tile : document.tiles) {
    moved->put_into(tile);
  }
  fuzz::is_sound(document);
  return 0;
}
