// A program to stop in: values of each kind that tools/debug/gdb.py shows.
#include <thaw/format.hpp>
#include <thaw/mdx.hpp>
#include <thaw/scene.hpp>

namespace {

void stop_here() {
  asm volatile("");  // keeps the call
}

}  // namespace

int main() {
  thaw::FourCC tag("MDLX");
  thaw::FixedText<8> text("Stand");
  thaw::FixedText<4> full;
  full.raw = {'W', 'a', 'l', 'k'};
  thaw::Diagnostics findings(1);
  findings.add(thaw::codes::kTruncated, "the file ends", 16, "GEOS[0]");
  findings.add(thaw::codes::kTruncated, "once more");
  thaw::Result<thaw::FourCC> good = tag;
  thaw::Result<thaw::FourCC> bad = thaw::fail(thaw::codes::kTruncated, "the file ends", 16, "GEOS[0]");
  thaw::mdx::Track track;
  track.tag = thaw::FourCC("KGTR");
  track.words = {0, 1, 2, 3};
  thaw::scene::Scene scene;
  scene.name = "knight";
  scene.nodes.resize(2);
  scene.clips.resize(1);
  thaw::scene::Curve curve;
  curve.times = {0, 1};
  thaw::AnyDocument document(thaw::Identity{}, thaw::mdx::Document{});
  stop_here();
  return static_cast<int>(findings.suppressed() + good.has_value() + bad.has_value() + scene.nodes.size() +
                              curve.times.size() + track.words.size() + text.view().size() +
                              full.view().size() ==
                          0);
}
