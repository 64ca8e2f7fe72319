// Smaller models, and what was won by what.
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/mdx.hpp>

#include "cli/arguments/settings.hpp"
#include "cli/jobs/engine.hpp"
#include "cli/jobs/targets.hpp"

#include <mutex>
#include <string>

namespace thaw::cli {

/// What the steps won over several models, added up by whoever makes them at the same time.
class OptimizeSums {
 public:
  void add(const mdx::OptimizeResult& result);
  [[nodiscard]] Sums sums() const;

 private:
  mutable std::mutex mutex_;
  mdx::OptimizeResult all_;  ///< without a document
};

/// The model without what shows nothing, as --max-error, --only and --skip say, written and read again.
Result<Product> make_optimized(const mdx::Document& document, std::string_view target,
                               const std::string& name, const Settings& settings, Diagnostics& findings,
                               OptimizeSums& sums);

}  // namespace thaw::cli
