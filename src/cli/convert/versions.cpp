#include "cli/convert/versions.hpp"

#include <thaw/mdx_convert.hpp>

#include "cli/convert/convert_model.hpp"
#include "cli/report/console.hpp"
#include "cli/report/text.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace thaw::cli {
namespace {

/// The largest deviation of all losses, if one was measured.
std::optional<double> worst(const mdx::VersionConversion& conversion) {
  std::optional<double> result;
  for (const auto& loss : conversion.losses) {
    if (loss.deviation) {
      result = std::max(result.value_or(0), *loss.deviation);
    }
  }
  return result;
}

void add_losses(const mdx::VersionConversion& conversion, Diagnostics& findings) {
  for (const auto& loss : conversion.losses) {
    std::string message = loss.message;
    if (loss.deviation) {
      message += concat({", vertices within ", short_number(*loss.deviation), " units"});
    }
    findings.add(loss.code, std::move(message), {}, loss.path);
  }
}

}  // namespace

std::string objection_to_version(const Settings& settings, std::string_view target) {
  constexpr std::array<std::uint32_t, 3> kOfM3 = {2, 3, 4};
  const std::span<const std::uint32_t> known = target == "m3"
                                                   ? std::span<const std::uint32_t>(kOfM3)
                                                   : std::span<const std::uint32_t>(mdx::kTargetVersions);
  if (!settings.format_version ||
      std::find(known.begin(), known.end(), *settings.format_version) != known.end()) {
    return "";
  }
  std::string list;
  for (const auto version : known) {
    list += concat({list.empty() ? "" : ", ", std::to_string(version)});
  }
  return concat({"--format-version ", std::to_string(*settings.format_version), ": there are ", list});
}

Result<Product> make_version(const mdx::Document& document, Target target, const std::string& name,
                             const Settings& settings, Diagnostics& findings) {
  constexpr std::uint64_t kMax = 0xFFFFFFFF;
  const auto version = static_cast<std::uint32_t>(std::min(settings.format_version.value_or(0), kMax));
  const std::uint32_t from = document.version();
  mdx::ConversionOptions options;
  options.weights = settings.weights;
  auto converted = mdx::convert_version(document, version, options);
  if (!converted) {
    return tl::unexpected<Error>(std::move(converted.error()));
  }
  const mdx::VersionConversion& conversion = *converted;
  auto verified = mdx::write_verified(conversion.document);
  if (!verified) {
    return tl::unexpected<Error>(std::move(verified.error()));
  }
  add_losses(conversion, findings);
  const std::size_t losses = conversion.losses.size() + conversion.more_losses;
  const auto deviation = worst(conversion);
  const std::uint32_t to = conversion.document.version();
  Product product;
  product.files.push_back(
      {name, model_bytes(conversion.document, std::move(verified->bytes), target, settings, findings)});
  product.facts = concat({"version ", std::to_string(from), " → ", std::to_string(to), " · ",
                          losses == 0 ? "nothing lost" : counted(losses, "difference")});
  product.facts += deviation ? concat({", vertices within ", short_number(*deviation), " units"}) : "";
  product.json = {{"version_before", from},
                  {"version_after", to},
                  {"losses", static_cast<std::int64_t>(losses)},
                  {"max_deviation", deviation ? Value(*deviation) : Value()},
                  {"verified", verified->strict ? "strict" : "damaged-as-before"}};
  return product;
}

}  // namespace thaw::cli
