#include <thaw/validate.hpp>

#include "formats/warcraft/mdx/rules/table.hpp"

namespace thaw {

Diagnostics validate(const mdx::Document& document, const ValidateOptions& options) {
  const mdx::rules::Model model(document, options);
  Report report(options, model.damaged);
  for (const auto& group : mdx::rules::all_rules()) {
    run_rules(group, model, options.target, report);
  }
  return finish_report(report, [&](Inspector& inspector) { mdx::inspect(document, inspector); });
}

}  // namespace thaw
