// Problems of a file beyond whether it can be read: rules over documents, and safe fixes.
//
// A rule has a stable code, a severity for each target, and a text that says what to do. `thaw help rules`
// prints the list, `validation_rules`.
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/format.hpp>

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)

namespace thaw {

class Sources;
namespace mdx {
struct Document;
}

/// Whose word counts where opinions differ.
enum class ValidateTarget : std::uint8_t {
  hive,    ///< what modders' checkers require of a model that is published
  game,    ///< what the game makes of it: what it tolerates is no more than a warning
  strict,  ///< what the format says; every doubt is reported
};
inline constexpr std::size_t kValidateTargets = 3;  ///< values of ValidateTarget

/// What a model is for: an effect need not have a Stand sequence. `automatic` looks at the sequences and
/// nodes; with target `hive` it means that nothing is known, so that every rule applies, as in the checkers.
enum class AssetKind : std::uint8_t { automatic, unit, building, doodad, effect, missile, ui };

/// "hive", "game" or "strict".
std::string_view target_name(ValidateTarget target);
/// "auto", "unit", "building" and so on.
std::string_view kind_name(AssetKind kind);

/// A rule as people meet it.
struct RuleInfo {
  std::string_view code;  ///< stable: never renamed, never another meaning
  /// By ValidateTarget; none where the rule does not apply.
  std::array<std::optional<Severity>, kValidateTargets> severity;
  std::string_view title;  ///< one line
  std::string_view help;   ///< why it matters and what to do
  bool fixable = false;    ///< `fix` can do something about it

  /// The severity for a target; none where the rule does not apply.
  [[nodiscard]] std::optional<Severity> severity_for(ValidateTarget target) const {
    return severity.at(static_cast<std::size_t>(target));
  }
};

/// All rules, grouped by subject, in the order in which they run.
std::vector<RuleInfo> validation_rules();
/// The rule of a code.
std::optional<RuleInfo> find_rule(std::string_view code);

/// Whose rules apply, to what kind of model, and where its files are.
struct ValidateOptions {
  ValidateTarget target = ValidateTarget::hive;
  AssetKind kind = AssetKind::automatic;
  /// Where textures are looked for; null: rules about files that are not there do not run.
  const Sources* sources = nullptr;
  /// Of `fix`: also adds what a model lacks and only its author could make well, as a still sequence.
  bool add_missing = false;
  /// For pictures that rules decode.
  ReadOptions read;
  /// Findings of one rule that are kept; more are counted.
  std::size_t limit_per_rule = 1000;
};

/// Runs every rule of the document's format; formats without rules have no findings. The findings come in the
/// order of their offsets, those about the whole file first. Offsets are absolute in the bytes that the
/// document writes. What the reader reported is not repeated.
Diagnostics validate(const mdx::Document& document, const ValidateOptions& options = {});
/// The same for a document of any format.
Diagnostics validate(const AnyDocument& document, const ValidateOptions& options = {});

/// A change that `fix` made.
struct AppliedFix {
  std::string_view code;  ///< of the rule that it satisfies
  std::string path;       ///< where, before anything was removed
  std::string message;    ///< what was done, for people
};

/// Changes what can be changed without changing what the model shows, for these rules (all fixable ones if
/// `codes` is empty): afterwards `validate` has no finding of those codes, and the rest of the document is as
/// it was. Damaged objects, which are written from preserved bytes, are left alone. So are objects that share
/// an id, pivots if ids have gaps, and bones that a matrix group without vertices lists: their findings
/// remain. A damaged document that could not be read back the same is left unchanged (fix.damaged).
std::vector<AppliedFix> fix(mdx::Document& document, const ValidateOptions& options,
                            const std::vector<std::string_view>& codes = {},
                            Diagnostics& findings = Diagnostics::discarded());

/// A document after rules fixed what they could.
struct Fixed {
  AnyDocument document;
  std::vector<AppliedFix> changes;
};

/// True if some rule of a format can fix something.
bool has_fixes(Format format);
/// The same for a document of any format; as it is for formats that have no fixes.
Fixed fix(const AnyDocument& document, const ValidateOptions& options,
          const std::vector<std::string_view>& codes = {}, Diagnostics& findings = Diagnostics::discarded());

}  // namespace thaw

#pragma GCC visibility pop
