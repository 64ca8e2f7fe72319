// What keeps a view of something refuses a temporary, which would be gone before the view.
#include <thaw/frame.hpp>
#include <thaw/mdx.hpp>
#include <thaw/mdx_alpha.hpp>
#include <thaw/mrn.hpp>
#include <thaw/wdt.hpp>
#include <thaw/world.hpp>
#include <thaw/xml.hpp>

#include <gtest/gtest.h>

#include <string>
#include <type_traits>
#include <utility>

namespace thaw {
namespace {

template <class T>
concept Shown = requires(T&& scene) { frame::Evaluator(std::forward<T>(scene)); };
template <class T>
concept ShownWithModels = requires(T&& scene, std::vector<frame::NamedModel> models) {
  frame::Evaluator(std::forward<T>(scene), std::move(models));
};
template <class T>
concept GivesImages = requires(T&& evaluator) { std::forward<T>(evaluator).images(); };
template <class T>
concept Built = requires(T&& map, world::SceneOptions options, Diagnostics& findings) {
  world::SceneBuilder(std::forward<T>(map), "map", std::move(options), findings);
};
template <class T>
concept GivesNames = requires(T&& table) { wdt::split_names(std::forward<T>(table)); };
template <class T>
concept Parsed = requires(T&& text) { xml::parse(std::forward<T>(text)); };
template <class T>
concept GivesText = requires(T&& document) { xml::text_of(std::forward<T>(document)); };
template <class T>
concept GivesAnimations = requires(T&& network) { mrn::animations(std::forward<T>(network)); };
template <class T>
concept GivesSkeletons = requires(T&& network) { mrn::skeletons(std::forward<T>(network)); };
template <class T>
concept GivesNodes = requires(T&& model) { mdx_alpha::all_nodes(std::forward<T>(model)); };
template <class T>
concept GivesTrack = requires(T&& tracks) { find_track(std::forward<T>(tracks), FourCC{"KGTR"}); };

TEST(Temporaries, AreRefusedByWhatKeepsThem) {
  static_assert(Shown<scene::Scene&> && Shown<const scene::Scene&>);
  static_assert(!Shown<scene::Scene> && !Shown<const scene::Scene>);
  static_assert(ShownWithModels<scene::Scene&> && !ShownWithModels<scene::Scene>);
  static_assert(GivesImages<frame::Evaluator&> && !GivesImages<frame::Evaluator>);
  static_assert(Built<wdt::Map&> && !Built<wdt::Map>);
  static_assert(GivesNames<Array<char>&> && !GivesNames<Array<char>>);
  static_assert(Parsed<std::string&> && Parsed<const char*> && Parsed<std::string_view> &&
                !Parsed<std::string>);
  static_assert(GivesText<xml::Document&> && !GivesText<xml::Document>);
  static_assert(GivesAnimations<mrn::Document&> && !GivesAnimations<mrn::Document>);
  static_assert(GivesSkeletons<mrn::Document&> && !GivesSkeletons<mrn::Document>);
  static_assert(GivesNodes<mdx_alpha::Document&> && !GivesNodes<mdx_alpha::Document>);
  static_assert(GivesTrack<mdx::Tracks&> && !GivesTrack<mdx::Tracks>);
  static_assert(GivesTrack<mdx_alpha::Tracks&> && !GivesTrack<mdx_alpha::Tracks>);
}

}  // namespace
}  // namespace thaw
