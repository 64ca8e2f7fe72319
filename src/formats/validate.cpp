// Rules of all formats behind one set of functions.
#include <thaw/validate.hpp>

#include "formats/lit/rules.hpp"
#include "formats/m3/rules.hpp"
#include "formats/mdx/rules/table.hpp"
#include "formats/mdx_alpha/rules.hpp"
#include "formats/mrf/rules.hpp"
#include "formats/mrn/rules.hpp"
#include "formats/rule_books.hpp"
#include "formats/texture_rules.hpp"
#include "formats/wdt/rules/table.hpp"
#include "formats/wmo/rules.hpp"

namespace thaw {
namespace {

/// Rules of models look at more than the document: what refers to what, and what is damaged.
constexpr RuleBook kModelBook = {
    [](std::vector<RuleInfo>& infos) {
      for (const auto& group : mdx::rules::all_rules()) {
        add_infos(group, infos);
      }
    },
    [](const AnyDocument& any, const ValidateOptions& options) -> std::optional<Diagnostics> {
      const auto* model = any.get_if<mdx::Document>();
      return model != nullptr ? std::optional(validate(*model, options)) : std::nullopt;
    }};

/// Networks are looked at by the rules of their animations, too, which are listed with those.
constexpr RuleBook kNetworkBook = {
    [](std::vector<RuleInfo>& infos) { add_infos(mrn::rules(), infos); },
    [](const AnyDocument& any, const ValidateOptions& options) {
      return document_book<mrn::Document, mrn::rules, nsa::rules_in_networks>().run(any, options);
    }};

/// Rules of lights look at the bare document.
constexpr RuleBook kLightBook = {
    [](std::vector<RuleInfo>& infos) { add_infos(lit::rules(), infos); },
    [](const AnyDocument& any, const ValidateOptions& options) -> std::optional<Diagnostics> {
      const auto* lights = any.get_if<lit::Document>();
      if (lights == nullptr) {
        return std::nullopt;
      }
      Report report(options.limit_per_rule);
      run_rules(lit::rules(), *lights, options.target, report);
      return finish_report(report, inspection_of(any));
    }};

/// In the order in which rules are listed.
constexpr std::array kBooks = {
    kModelBook,
    document_book<mdx_alpha::Document, mdx_alpha::rules>(),
    document_book<mrf::Document, mrf::rules>(),
    document_book<m3::Document, m3::rules>(),
    kNetworkBook,
    document_book<nsa::Document, nsa::rules>(),
    document_book<blp::Document, blp_rules>(),
    document_book<dds::Document, dds_rules>(),
    kLightBook,
    document_book<wdt::Document, wdt::rules::map_rules, wdt::rules::tile_rules, wdt::rules::chunk_rules>(),
    document_book<wdl::Document, wdt::rules::far_rules>(),
    document_book<wmo::Document, wmo::root_rules, wmo::group_rules>(),
};

}  // namespace

std::vector<RuleInfo> validation_rules() {
  std::vector<RuleInfo> infos;
  for (const auto& book : kBooks) {
    book.add_infos(infos);
  }
  return infos;
}

std::optional<RuleInfo> find_rule(std::string_view code) {
  for (const auto& rule : validation_rules()) {
    if (rule.code == code) {
      return rule;
    }
  }
  return std::nullopt;
}

Diagnostics validate(const mdx::Document& document, const ValidateOptions& options) {
  const mdx::rules::Model model(document, options);
  Report report(options.limit_per_rule, model.damaged);
  for (const auto& group : mdx::rules::all_rules()) {
    run_rules(group, model, options.target, report);
  }
  return finish_report(report, [&](Inspector& inspector) { mdx::inspect(document, inspector); });
}

Diagnostics validate(const AnyDocument& document, const ValidateOptions& options) {
  for (const auto& book : kBooks) {
    if (auto findings = book.run(document, options)) {
      return std::move(*findings);
    }
  }
  return Diagnostics();
}

}  // namespace thaw
