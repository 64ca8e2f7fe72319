#include "cli/convert/optimized.hpp"

#include <thaw/mdx.hpp>

#include "cli/convert/options.hpp"
#include "cli/report/console.hpp"
#include "cli/report/text.hpp"

#include <algorithm>

namespace thaw::cli {
namespace {

std::string steps_text(const mdx::OptimizeResult& result) {
  constexpr std::size_t kNameWidth = 20;
  std::string text;
  for (const auto& step : result.steps) {
    std::string name(mdx::optimize_step_name(step.step));
    name.resize(kNameWidth, ' ');
    text += concat(
        {"  ", name, std::to_string(step.removed), " removed, ", human_size(step.bytes_won), " won\n"});
  }
  return text;
}

Value steps_json(const mdx::OptimizeResult& result) {
  Value steps = Value::List();
  for (const auto& step : result.steps) {
    steps.push(Value()
                   .set("step", mdx::optimize_step_name(step.step))
                   .set("removed", static_cast<std::int64_t>(step.removed))
                   .set("bytes_won", static_cast<std::int64_t>(step.bytes_won)));
  }
  return steps;
}

mdx::OptimizeOptions optimize_options(const Settings& settings) {
  mdx::OptimizeOptions options;
  options.max_error = std::min(1.0, settings.max_error.value_or(options.max_error));
  const auto named = [](const std::vector<std::string>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (std::size_t i = 0; i < mdx::kOptimizeSteps.size(); ++i) {
    const auto name = mdx::optimize_step_name(mdx::kOptimizeSteps.at(i));
    options.steps.at(i) = (settings.only_steps.empty() || named(settings.only_steps, name)) &&
                          !named(settings.skip_steps, name);
  }
  return options;
}

}  // namespace

void OptimizeSums::add(const mdx::OptimizeResult& result) {
  const std::lock_guard lock(mutex_);
  all_.bytes_before += result.bytes_before;
  all_.bytes_after += result.bytes_after;
  all_.deviation = std::max(all_.deviation, result.deviation);
  for (const auto& step : result.steps) {
    const auto same = std::find_if(all_.steps.begin(), all_.steps.end(),
                                   [&](const auto& known) { return known.step == step.step; });
    auto& sum = same == all_.steps.end() ? all_.steps.emplace_back(mdx::OptimizeResult::Step{step.step, 0, 0})
                                         : *same;
    sum.removed += step.removed;
    sum.bytes_won += step.bytes_won;
  }
}

Sums OptimizeSums::sums() const {
  const std::lock_guard lock(mutex_);
  return {concat({steps_text(all_), "  ", human_size(all_.bytes_before), " → ", human_size(all_.bytes_after),
                  " · largest deviation ", short_number(all_.deviation), "\n"}),
          {{"bytes_before", static_cast<std::int64_t>(all_.bytes_before)},
           {"bytes_after", static_cast<std::int64_t>(all_.bytes_after)},
           {"deviation", all_.deviation},
           {"steps", steps_json(all_)}}};
}

Result<Product> make_optimized(const mdx::Document& document, std::string_view target,
                               const std::string& name, const Settings& settings, Diagnostics& findings,
                               OptimizeSums& sums) {
  const mdx::OptimizeOptions options = optimize_options(settings);
  auto result = mdx::optimize(document, options, findings);
  if (!result) {
    return tl::unexpected<Error>(std::move(result.error()));
  }
  auto verified = mdx::write_verified(result->document);
  if (!verified) {
    return tl::unexpected<Error>(std::move(verified.error()));
  }
  sums.add(*result);
  const std::uint64_t won = result->bytes_before - std::min(result->bytes_before, result->bytes_after);
  Product product;
  product.files.push_back({name, target == "mdl"
                                     ? mdl::write(result->document, text_options(settings), findings)
                                     : std::move(verified->bytes)});
  product.note = concat({human_size(won), " saved · largest deviation ", short_number(result->deviation),
                         " of the model's size, ", short_number(options.max_error), " allowed"});
  product.details = steps_text(*result);
  product.json = {{"bytes_before", static_cast<std::int64_t>(result->bytes_before)},
                  {"bytes_after", static_cast<std::int64_t>(result->bytes_after)},
                  {"max_error", options.max_error},
                  {"deviation", result->deviation},
                  {"model_size", result->size},
                  {"steps", steps_json(*result)}};
  return product;
}

}  // namespace thaw::cli
