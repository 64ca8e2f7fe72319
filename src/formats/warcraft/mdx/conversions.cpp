#include "formats/warcraft/mdx/conversions.hpp"

#include <thaw/convert.hpp>
#include <thaw/mdl.hpp>
#include <thaw/mdx.hpp>
#include <thaw/mdx_alpha.hpp>

#include "bytes/number_text.hpp"

#include <algorithm>

namespace thaw::mdx {
namespace {

Bytes bytes_of(const Document& model, const FileContext& file) {
  return file.target == "mdl" ? mdl::write(model, file.options.text, file.findings) : write(model);
}

/// The largest deviation of all losses, if one was measured.
std::optional<double> worst(const VersionConversion& conversion) {
  std::optional<double> result;
  for (const auto& loss : conversion.losses) {
    if (loss.deviation) {
      result = std::max(result.value_or(0), *loss.deviation);
    }
  }
  return result;
}

void add_losses(const VersionConversion& conversion, Diagnostics& findings) {
  for (const auto& loss : conversion.losses) {
    std::string message = loss.message;
    if (loss.deviation) {
      message += ", vertices within " + short_number(*loss.deviation) + " units";
    }
    findings.add(loss.code, std::move(message), {}, loss.path);
  }
}

std::string losses_text(std::size_t losses) {
  return losses == 0 ? "nothing lost" : counted(losses, "difference");
}

void describe(const VersionConversion& conversion, const Earlier& from, bool strict, Outputs& outputs) {
  const std::size_t losses = conversion.losses.size() + conversion.more_losses + from.losses;
  const auto deviation = worst(conversion);
  const std::uint32_t to = conversion.document.version();
  outputs.note = "version " + std::to_string(from.version) + std::string(from.of) + " → " +
                 std::to_string(to) + " · " + losses_text(losses);
  outputs.note += deviation ? ", vertices within " + short_number(*deviation) + " units" : "";
  outputs.json = {{"version_before", from.version},
                  {"version_after", to},
                  {"losses", static_cast<std::int64_t>(losses)},
                  {"max_deviation", deviation ? Value(*deviation) : Value()},
                  {"verified", strict ? "strict" : "damaged-as-before"}};
}

Result<Outputs> as_version(const Document& model, std::uint32_t version, const FileContext& file,
                           const Earlier& earlier) {
  ConversionOptions options;
  options.weights = file.options.model.weights;
  return convert_version(model, version, options).and_then([&](const VersionConversion& conversion) {
    return write_verified(conversion.document).map([&](Verified&& verified) {
      add_losses(conversion, file.findings);
      Outputs outputs;
      outputs.files.push_back({std::string(file.name), file.target == "mdx"
                                                           ? std::move(verified.bytes)
                                                           : bytes_of(conversion.document, file)});
      describe(conversion, earlier, verified.strict, outputs);
      return outputs;
    });
  });
}

/// As World of Warcraft's alpha has it; by way of version 800.
Result<Outputs> make_alpha(const FileContext& file) {
  constexpr std::uint32_t kClassic = 800;
  const auto& model = *file.document->get_if<Document>();
  auto classic = convert_version(model, kClassic);
  if (!classic) {
    return tl::unexpected<Error>(std::move(classic.error()));
  }
  add_losses(*classic, file.findings);
  Outputs outputs;
  outputs.files.push_back(
      {std::string(file.name), mdx_alpha::write(mdx_alpha::from_warcraft(classic->document, file.findings))});
  outputs.note = "version " + std::to_string(model.version()) + " → 1300 (WoW Alpha)";
  return outputs;
}

Result<Outputs> convert(const FileContext& file) {
  return convert_model(*file.document->get_if<Document>(), file);
}

}  // namespace

Result<Outputs> convert_model(const Document& model, const FileContext& file,
                              const std::optional<Earlier>& earlier) {
  if (file.options.model.version) {
    return as_version(model, *file.options.model.version, file,
                      earlier.value_or(Earlier{model.version(), "", 0}));
  }
  Outputs outputs;
  outputs.files.push_back({std::string(file.name), bytes_of(model, file)});
  outputs.note = "version " + std::to_string(model.version());
  if (earlier) {
    outputs.note = "version " + std::to_string(earlier->version) + std::string(earlier->of) + " → " +
                   std::to_string(model.version()) + " · " + losses_text(earlier->losses);
  }
  return outputs;
}

constexpr std::array<Conversion, 3> kConversions = {
    to_binary(convert), to_text(convert),
    Conversion{"mdx-alpha", ".mdx", "models to WoW Alpha", false, make_alpha}};

}  // namespace thaw::mdx
