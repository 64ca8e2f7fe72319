// Rules of all formats behind one set of functions.
#include <thaw/validate.hpp>

#include "document/rules.hpp"
#include "formats/lit/rules.hpp"
#include "formats/m3/rules.hpp"
#include "formats/mdx/rules/table.hpp"
#include "formats/mrf/rules.hpp"
#include "formats/mrn/rules.hpp"
#include "formats/texture_rules.hpp"
#include "formats/wmo/rules.hpp"

namespace thaw {
namespace {

template <class Subject>
void add_infos(std::span<const Rule<Subject>> rules, std::vector<RuleInfo>& infos) {
  for (const auto& rule : rules) {
    infos.push_back(rule.info);
  }
}

template <class Document>
Diagnostics run(std::span<const Rule<DocumentSubject<Document>>> rules, const Document& document,
                const ValidateOptions& options, const Inspection& inspection) {
  Report report(options.limit_per_rule);
  run_rules(rules, DocumentSubject<Document>{document, options}, options.target, report);
  return finish_report(report, inspection);
}

Diagnostics validate_network(const mrn::Document& document, const ValidateOptions& options) {
  Report report(options.limit_per_rule);
  const DocumentSubject<mrn::Document> subject{document, options};
  run_rules(mrn::rules(), subject, options.target, report);
  run_rules(nsa::rules_in_networks(), subject, options.target, report);
  return finish_report(report, [&](Inspector& inspector) { mrn::inspect(document, inspector); });
}

Diagnostics validate_building(const wmo::Document& document, const ValidateOptions& options) {
  Report report(options.limit_per_rule);
  const DocumentSubject<wmo::Document> subject{document, options};
  run_rules(wmo::root_rules(), subject, options.target, report);
  run_rules(wmo::group_rules(), subject, options.target, report);
  return finish_report(report, [&](Inspector& inspector) { wmo::inspect(document, inspector); });
}

}  // namespace

std::vector<RuleInfo> validation_rules() {
  std::vector<RuleInfo> infos;
  for (const auto& group : mdx::rules::all_rules()) {
    add_infos(group, infos);
  }
  add_infos(mrf::rules(), infos);
  add_infos(m3::rules(), infos);
  add_infos(mrn::rules(), infos);
  add_infos(nsa::rules(), infos);
  add_infos(wmo::root_rules(), infos);
  add_infos(wmo::group_rules(), infos);
  add_infos(blp_rules(), infos);
  add_infos(dds_rules(), infos);
  add_infos(lit::rules(), infos);
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
  if (const auto* model = document.get_if<mdx::Document>()) {
    return validate(*model, options);
  }
  if (const auto* morph = document.get_if<mrf::Document>()) {
    return run(mrf::rules(), *morph, options, inspection_of(document));
  }
  if (const auto* model = document.get_if<m3::Document>()) {
    return run(m3::rules(), *model, options, inspection_of(document));
  }
  if (const auto* building = document.get_if<wmo::Document>()) {
    return validate_building(*building, options);
  }
  if (const auto* network = document.get_if<mrn::Document>()) {
    return validate_network(*network, options);
  }
  if (const auto* animation = document.get_if<nsa::Document>()) {
    return run(nsa::rules(), *animation, options, inspection_of(document));
  }
  if (const auto* texture = document.get_if<blp::Document>()) {
    return run(blp_rules(), *texture, options, inspection_of(document));
  }
  if (const auto* texture = document.get_if<dds::Document>()) {
    return run(dds_rules(), *texture, options, inspection_of(document));
  }
  if (const auto* lights = document.get_if<lit::Document>()) {
    Report report(options.limit_per_rule);
    run_rules(lit::rules(), *lights, options.target, report);
    return finish_report(report, inspection_of(document));
  }
  return Diagnostics();
}

}  // namespace thaw
