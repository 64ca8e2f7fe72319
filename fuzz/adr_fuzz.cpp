// XML of Forgelight: a tree that holds together, every byte of the text in it, actors and definitions.
#include <thaw/adr.hpp>
#include <thaw/materials.hpp>
#include <thaw/xml.hpp>

#include "checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace thaw;
  Diagnostics diagnostics;
  const auto document = xml::read({data, size}, {}, diagnostics);
  if (!document) {
    return 0;
  }
  const auto account = account_bytes([&](Inspector& inspector) { xml::inspect(*document, inspector); });
  fuzz::require(account.understood == size && account.raw == 0);
  fuzz::check_document(*document, {data, size}, xml::read);
  (void)adr::read_actor(*document);
  (void)materials::read_library(*document);
  return 0;
}
