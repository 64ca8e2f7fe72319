#include "describe/rules.hpp"

#include <algorithm>

namespace thaw {

std::string_view target_name(ValidateTarget target) {
  constexpr std::array<std::string_view, kValidateTargets> kNames = {"hive", "game", "strict"};
  return kNames.at(static_cast<std::size_t>(target));
}

std::string_view kind_name(AssetKind kind) {
  constexpr std::array<std::string_view, 7> kNames = {"auto",   "unit",    "building", "doodad",
                                                      "effect", "missile", "ui"};
  return kNames.at(static_cast<std::size_t>(kind));
}

void report_fault(Report& report, std::string path, std::string_view field, Fault fault) {
  if (!path.empty() && !field.empty()) {
    path += '.';
  }
  path += field;
  report.add(fault.index ? at(path, *fault.index) : std::move(path), std::move(fault.text));
}

Diagnostics finish_report(Report& report, const Inspection& inspection) {
  auto& findings = report.findings();
  std::vector<std::string> paths;
  paths.reserve(findings.size());
  for (const auto& finding : findings) {
    paths.push_back(finding.path);
  }
  const auto offsets = find_offsets(inspection, paths, report.control());
  std::vector<std::size_t> order(findings.size());
  for (std::size_t i = 0; i < findings.size(); ++i) {
    findings[i].offset = offsets[i];
    order[i] = i;
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(offsets[a], a) < std::pair(offsets[b], b);
  });
  Diagnostics result(findings.size());
  for (const std::size_t i : order) {
    result.add(std::move(findings[i]));
  }
  // The list is full: these are only counted.
  for (std::size_t i = 0; i < report.suppressed(); ++i) {
    result.add(Diagnostic{});
  }
  return result;
}

}  // namespace thaw
