#include "formats/forgelight/dma/document.hpp"

#include "bytes/number_text.hpp"
#include "describe/inspection.hpp"
#include "describe/reader.hpp"
#include "describe/writer.hpp"

#include <algorithm>

namespace thaw::dma {
namespace {

struct Context {};

template <class V>
void describe_file(V& v, As<V, Document>& document) {
  describe(v, document);
  if constexpr (V::kReads) {
    const ByteView rest = v.rest();
    if (!v.failed() && !rest.empty()) {
      v.note(codes::kFileTail, "",
             counted(rest.size(), "byte") + " after the last material; preserved unchanged");
      v.bulk("tail", document.tail, rest.size());
    }
  } else if constexpr (requires { v.raw("tail", document.tail); }) {
    v.raw("tail", document.tail);
  } else {
    v.bulk("tail", document.tail, document.tail.size());
  }
}

}  // namespace

std::uint32_t Parameter::word() const {
  return data.size() < sizeof(std::uint32_t) ? 0 : load_plain<std::uint32_t>(data.data());
}

const Parameter* Material::find(std::uint32_t semantic) const {
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [&](const Parameter& parameter) { return parameter.semantic == semantic; });
  return found == parameters.end() ? nullptr : &*found;
}

std::vector<std::string_view> Document::texture_names() const {
  std::vector<std::string_view> list;
  std::string_view rest(names.data(), names.size());
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\0'), rest.size());
    list.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return list;
}

Result<Document> read(ByteView bytes, const ReadOptions& options, Diagnostics& diagnostics) {
  return read_document<Document>(bytes, Context{}, options, diagnostics, Recognition{},
                                 [](auto& reader, Document& document) { describe_file(reader, document); });
}

Bytes write(const Document& document) {
  return write_document(Context{}, [&](auto& writer) { describe_file(writer, document); });
}

void inspect(const Document& document, Inspector& inspector) {
  InspectionVisitor<Context> v(inspector, {});
  describe_file(v, document);
}

}  // namespace thaw::dma
