#include <thaw/codes.hpp>
#include <thaw/version.hpp>

#include "capi/handles.hpp"

namespace thaw::capi {
namespace {

/// What there is no memory to make; never freed.
const thaw_error kNoMemory = {sizeof(thaw_error), "limit.memory", "", "not enough memory",
                              THAW_NO_OFFSET,     THAW_ERROR,     0,  "not enough memory"};

}  // namespace

Finding::Finding(const Diagnostic& finding, bool may_be_fixed)
    : thaw_finding{},
      code_text(finding.code.id),
      path_text(finding.path),
      message_text(finding.message.empty() ? finding.code.summary : std::string_view(finding.message)),
      summary_text(finding.code.summary) {
  size = sizeof(thaw_finding);
  code = code_text.c_str();
  path = path_text.c_str();
  message = message_text.c_str();
  summary = summary_text.c_str();
  offset = finding.offset.value_or(THAW_NO_OFFSET);
  severity = static_cast<std::int32_t>(finding.code.severity);
  fixable = may_be_fixed ? 1 : 0;
}

void report(thaw_error** error, const Error& failure) noexcept {
  if (error == nullptr) {
    return;
  }
  try {
    *error = new Finding(failure);
  } catch (...) {
    *error = const_cast<thaw_error*>(&kNoMemory);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  }
}

void report_exception(thaw_error** error) noexcept {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    if (error != nullptr) {
      *error = const_cast<thaw_error*>(&kNoMemory);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
    }
  } catch (const std::exception& thrown) {
    try {
      report(error, {codes::kBug, {}, {}, thrown.what()});
    } catch (...) {
      report(error, {codes::kBug, {}, {}, {}});
    }
  } catch (...) {
    report(error, {codes::kBug, {}, {}, {}});
  }
}

Result<std::unique_ptr<thaw_blob>> text_blob(std::string text) {
  auto blob = std::make_unique<thaw_blob>();
  blob->text = std::move(text);
  blob->is_text = true;
  return blob;
}

Result<std::unique_ptr<thaw_blob>> bytes_blob(Bytes bytes) {
  auto blob = std::make_unique<thaw_blob>();
  blob->bytes = std::move(bytes);
  return blob;
}

void fill(thaw_findings& findings, const Diagnostics& diagnostics) {
  for (const Diagnostic& finding : diagnostics.items()) {
    const auto rule = find_rule(finding.code.id);
    findings.items.emplace_back(finding, rule && rule->fixable);
  }
  findings.suppressed = diagnostics.suppressed();
}

Result<std::unique_ptr<thaw_findings>> findings_of(const Diagnostics& diagnostics) {
  auto findings = std::make_unique<thaw_findings>();
  fill(*findings, diagnostics);
  return findings;
}

}  // namespace thaw::capi

#pragma GCC visibility push(default)
namespace thaw {
extern "C" {

uint32_t thaw_interface(void) { return THAW_INTERFACE; }

const char* thaw_version(void) { return thaw::kVersion.data(); }

void thaw_error_free(thaw_error* error) {
  if (error != &capi::kNoMemory) {
    delete static_cast<capi::Finding*>(error);  // NOLINT(cppcoreguidelines-pro-type-static-cast-downcast)
  }
}

size_t thaw_findings_count(const thaw_findings* findings) { return findings->items.size(); }

size_t thaw_findings_suppressed(const thaw_findings* findings) { return findings->suppressed; }

const thaw_finding* thaw_findings_at(const thaw_findings* findings, size_t index) {
  return index < findings->items.size() ? &findings->items[index] : nullptr;
}

void thaw_findings_free(thaw_findings* findings) { delete findings; }

const uint8_t* thaw_blob_data(const thaw_blob* blob) {
  return blob->is_text ? reinterpret_cast<const uint8_t*>(blob->text.c_str()) : blob->bytes.data();
}

size_t thaw_blob_size(const thaw_blob* blob) {
  return blob->is_text ? blob->text.size() : blob->bytes.size();
}

void thaw_blob_free(thaw_blob* blob) { delete blob; }

}  // extern "C"
}  // namespace thaw
#pragma GCC visibility pop
