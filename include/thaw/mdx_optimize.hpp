// Smaller Warcraft III models that show the same (docs/user/versions.md).
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/mdx.hpp>

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)

namespace thaw::mdx {

/// What can be dropped, one kind of thing at a time.
enum class OptimizeStep : std::uint8_t {
  tracks,              ///< tracks that show what the object shows without them
  curves,              ///< tracks with tangents that lines, or fewer turns, say as well
  keys,                ///< keys that no sequence reaches, or that their neighbours say
  nodes,               ///< bones and helpers that move nothing, and pivots without a node
  texture_animations,  ///< unused, without effect, or equal ones
  materials,           ///< unused or equal ones
  textures,            ///< unused or equal ones
  global_sequences,    ///< unused ones
  geosets,             ///< geosets of one opaque material that are always seen together
  vertices,            ///< vertices without a face, or that are equal bit by bit
};
inline constexpr std::size_t kOptimizeStepCount = 10;  ///< values of OptimizeStep
/// In the order in which they are done.
inline constexpr std::array<OptimizeStep, kOptimizeStepCount> kOptimizeSteps = {
    OptimizeStep::tracks,
    OptimizeStep::curves,
    OptimizeStep::keys,
    OptimizeStep::nodes,
    OptimizeStep::texture_animations,
    OptimizeStep::materials,
    OptimizeStep::textures,
    OptimizeStep::global_sequences,
    OptimizeStep::geosets,
    OptimizeStep::vertices};
/// "tracks", "keys", "curves", …
std::string_view optimize_step_name(OptimizeStep step);

/// How far anything may move, and which steps are done.
struct OptimizeOptions {
  /// How far anything may be from where it was, at most: vertices and nodes as a share of the model's size,
  /// turns by how far that moves anything, colours, alphas and texture coordinates as they are, other values
  /// as a share of the largest value of their track. 0 to 1; at 0 only what rounding hides is dropped.
  double max_error = 1e-4;
  /// By position in kOptimizeSteps.
  std::array<bool, kOptimizeStepCount> steps{true, true, true, true, true, true, true, true, true, true};
};

/// The smaller model, and what it cost.
struct OptimizeResult {
  /// What one step dropped, and the bytes that this won.
  struct Step {
    OptimizeStep step = OptimizeStep::tracks;
    std::size_t removed = 0;      ///< things of the step's kind
    std::uint64_t bytes_won = 0;  ///< of the file
  };
  Document document;
  std::vector<Step> steps;  ///< those that were asked for
  std::uint64_t bytes_before = 0;
  std::uint64_t bytes_after = 0;
  /// The largest deviation, in the terms of max_error, that was met when both models were evaluated.
  double deviation = 0;
  double size = 0;  ///< of the model: the diagonal of the box around its vertices, or else its nodes
};

/// Drops what shows nothing. Events, sequences, attachments, collision shapes and the bones by which the game
/// turns heads and turrets stay; nodes, geosets, materials, textures, texture animations and global sequences
/// are renumbered wherever they are referred to. The key frames of a squirting emitter's rate stay, because
/// each of them fires. The error is optimize.damaged for a document with parts that could not be read: they
/// may refer to anything.
Result<OptimizeResult> optimize(const Document& document, const OptimizeOptions& options = {});

}  // namespace thaw::mdx

#pragma GCC visibility pop
