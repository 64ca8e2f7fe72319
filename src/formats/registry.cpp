#include <thaw/format.hpp>

#include "document/limits.hpp"

#include <type_traits>

namespace thaw {
namespace {

template <class T>
Result<AnyDocument> wrap(const Identity& identity, Result<T> document) {
  return std::move(document).map(
      [&](T&& value) { return AnyDocument(identity, AnyDocument::Storage(std::move(value))); });
}

tl::unexpected<Error> refuse(const Identity& identity) {
  const bool known = identity.format != Format::unknown && identity.format != Format::empty;
  return fail(known ? codes::kFormatForeign : codes::kFormatUnknown, std::string(identity.explanation), 0);
}

}  // namespace

AnyDocument::AnyDocument(Identity identity, Storage storage)
    : identity_(identity), storage_(std::move(storage)) {}
AnyDocument::AnyDocument(const AnyDocument& other) = default;
AnyDocument::AnyDocument(AnyDocument&& other) noexcept = default;
AnyDocument& AnyDocument::operator=(const AnyDocument& other) = default;
AnyDocument& AnyDocument::operator=(AnyDocument&& other) noexcept = default;
AnyDocument::~AnyDocument() = default;

Result<AnyDocument> read_any(ByteView bytes, const ReadOptions& options, Diagnostics& diagnostics) {
  if (bytes.size() > options.limits.max_input_bytes) {
    return input_too_large(bytes.size(), options.limits);
  }
  const Identity identity = identify(bytes);
  if (!identity.readable) {
    return refuse(identity);
  }
  switch (identity.format) {
    case Format::mdx:
      return mdx::is_wow_alpha(bytes) ? wrap(identity, mdx_alpha::read(bytes, options, diagnostics))
                                      : wrap(identity, mdx::read(bytes, options, diagnostics));
    case Format::mdl:
      return wrap(identity, mdl::read(bytes, options, diagnostics));
    case Format::mrf:
      return wrap(identity, mrf::read(bytes, options, diagnostics));
    case Format::blp1:
    case Format::blp2:
      return wrap(identity, blp::read(bytes, options, diagnostics));
    case Format::dds:
      return wrap(identity, dds::read(bytes, options, diagnostics));
    case Format::tga:
      return wrap(identity, tga::read(bytes, options, diagnostics));
    case Format::png:
      return wrap(identity, png::read(bytes, options, diagnostics));
    case Format::mrn:
      return wrap(identity, mrn::read(bytes, options, diagnostics));
    case Format::nsa:
      return wrap(identity, nsa::read(bytes, options, diagnostics));
    case Format::lit:
      return wrap(identity, lit::read(bytes, options, diagnostics));
    case Format::m3_wow:
    case Format::m3_library:
      return wrap(identity, m3::read(bytes, options, diagnostics));
    case Format::wdt:
      return wrap(identity, wdt::read(bytes, options, diagnostics));
    case Format::wmo:
      return wrap(identity, wmo::read(bytes, options, diagnostics));
    case Format::wdl:
      return wrap(identity, wdl::read(bytes, options, diagnostics));
    case Format::wdt_later:
      return wrap(identity, adt::read_map(bytes, options, diagnostics));
    case Format::adt:
      return wrap(identity, adt::read(bytes, options, diagnostics));
    case Format::dme:
      return wrap(identity, dme::read(bytes, options, diagnostics));
    case Format::dma:
      return wrap(identity, dma::read(bytes, options, diagnostics));
    case Format::adr:
    case Format::forgelight_materials:
      return wrap(identity, xml::read(bytes, options, diagnostics));
    default:
      return refuse(identity);
  }
}

Bytes write_any(const AnyDocument& document) {
  if (document.identity().format == Format::mdl) {
    return mdl::write(*document.get_if<mdx::Document>());
  }
  return std::visit([](const auto& value) { return write(value); }, document.storage());
}

bool is_text(Format format) { return format == Format::mdl; }

bool same_content(const AnyDocument& a, const AnyDocument& b) {
  // By bytes: to `==` not-a-number is unlike itself.
  const auto bytes = [](const AnyDocument& document) {
    return std::visit([](const auto& value) { return write(value); }, document.storage());
  };
  return a.storage().index() == b.storage().index() && bytes(a) == bytes(b);
}

void inspect_any(const AnyDocument& document, Inspector& inspector) {
  std::visit([&](const auto& value) { inspect(value, inspector); }, document.storage());
}

Inspection inspection_of(const AnyDocument& document) {
  return [&document](Inspector& inspector) { inspect_any(document, inspector); };
}

}  // namespace thaw
