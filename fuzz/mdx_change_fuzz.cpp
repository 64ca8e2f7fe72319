// What changes a model: mending, optimising, other versions, edits. Each gives a model that reads again and
// keeps what it promises.
#include <thaw/mdx.hpp>
#include <thaw/validate.hpp>

#include "checks.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace {

using namespace thaw;
using fuzz::require;

void check_model(const mdx::Document& document) {
  fuzz::check_document(document, mdx::write(document), mdx::read);
  Diagnostics diagnostics;
  fuzz::check(test::problems_of(mdx::to_scene(document, {}, diagnostics)));
}

/// Of a model without damage, afterwards no finding is left of those rules about which something was done,
/// and no more can be done. Bones in matrix groups without vertices stay, and so does what is said of them.
void check_fixed(mdx::Document document, bool sound) {
  const ValidateOptions options;
  const auto fixed = fix(document, options);
  check_model(document);
  const Diagnostics left = sound ? validate(document, options) : Diagnostics();
  for (const auto& finding : left.items()) {
    const auto same = [&](const AppliedFix& done) {
      return done.code == finding.code.id && done.code != "mdx.bone-unused";
    };
    require(std::none_of(fixed.begin(), fixed.end(), same), "a rule is broken still after mending\n");
  }
  require(!sound || fix(document, options).empty(), "mending once is not enough\n");
}

void check_optimized(const mdx::Document& document) {
  mdx::OptimizeOptions options;
  const auto result = mdx::optimize(document, options);
  if (result) {
    check_model(result->document);
    require(result->bytes_after == mdx::write(result->document).size(), "another size than was told\n");
    require(result->bytes_after <= result->bytes_before, "optimising made it larger\n");
    require(std::isfinite(result->deviation), "a deviation that is no number\n");
  }
}

/// The version that was asked for, there and back.
void check_version(const mdx::Document& document, std::uint32_t target, bool weights, bool sound) {
  mdx::ConversionOptions options;
  options.moments = 2;
  options.weights = weights;
  const auto there = mdx::convert_version(document, target, options);
  if (there) {
    require(there->document.version() == target, "another version than was asked for\n");
    // What is left of a broken model may look like one of the alpha, or like another layout of version 900;
    // that is found out before it is written.
    const bool verified = mdx::write_verified(there->document).has_value();
    require(verified || !sound || mdx::is_wow_alpha(mdx::write(there->document)),
            "what was converted is not verified\n");
    if (!verified) {
      return;
    }
    check_model(there->document);
    const auto back = mdx::convert_version(there->document, 800, options);
    require(!back || back->document.version() == 800, "another version than was asked for\n");
  }
}

std::string first_node(const mdx::Document& document) {
  const auto bones = document.all<mdx::Bones>();
  return bones.empty() ? "" : std::string(bones.front()->node.name.view());
}

/// One edit of each. What comes from another model comes from this one. Damaged objects keep the bytes that
/// could not be read, whatever an edit makes of their fields.
void check_edited(const mdx::Document& source, std::size_t turn, bool sound) {
  mdx::Document document = source;
  Diagnostics diagnostics;
  EditLog log{{}, diagnostics};
  switch (turn % 5) {
    case 0:
      (void)mdx::copy_clips(document, source, "*", {}, log);
      break;
    case 1:
      (void)mdx::attach_model(document, source, first_node(source), log);
      break;
    case 2:
      (void)mdx::make_portrait(document, log);
      break;
    case 3:
      mdx::place(document, {{0, 0.6, 0, 0.8}, 2, {1, 2, 3}}, log);
      break;
    default:
      (void)mdx::add_attachment(document, "Overhead Ref:1,2,3", log);
      (void)mdx::add_team_color(document, "*", log);
  }
  fuzz::require_set(mdx::write(document));
  if (sound) {
    check_model(document);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView bytes(data, size);
  Diagnostics diagnostics;
  const auto document = mdx::read(bytes, {}, diagnostics);
  if (!document) {
    return 0;
  }
  const std::size_t turn = fuzz::turn_of(bytes);
  ReadOptions strict;
  strict.strict = true;
  const bool sound = mdx::read(bytes, strict, diagnostics).has_value();
  check_fixed(*document, sound);
  check_optimized(*document);
  check_edited(*document, turn, sound);
  check_version(*document, mdx::kTargetVersions[turn % mdx::kTargetVersions.size()], turn / 16 % 2 == 0,
                sound);
  return 0;
}
