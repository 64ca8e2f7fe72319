// The rules of a format as one pair of functions.
#pragma once

#include "describe/rules.hpp"

#include <span>

namespace thaw {

struct RuleBook {
  void (*add_infos)(std::vector<RuleInfo>& infos) = nullptr;
  Diagnostics (*run)(const AnyDocument& document, const ValidateOptions& options) = nullptr;
};

template <class Subject>
void add_infos(std::span<const Rule<Subject>> rules, std::vector<RuleInfo>& infos) {
  for (const auto& rule : rules) {
    infos.push_back(rule.info);
  }
}

/// The book of a format whose rules look at nothing but the document: those that the functions return, in
/// their order.
template <class Document, auto... kRules>
constexpr RuleBook document_book() {
  return {[](std::vector<RuleInfo>& infos) { (add_infos(kRules(), infos), ...); },
          [](const AnyDocument& any, const ValidateOptions& options) {
            Report report(options);
            const DocumentSubject<Document> subject{*any.get_if<Document>(), options};
            (run_rules(kRules(), subject, options.target, report), ...);
            return finish_report(report, inspection_of(any));
          }};
}

}  // namespace thaw
