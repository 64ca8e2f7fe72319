#include "cli/isolate/serialize.hpp"

#include <thaw/value.hpp>

#include "bytes/text.hpp"

#include <set>

namespace thaw::cli {

std::string_view lasting(const std::string& text) {
  static std::set<std::string> all;  // processes of --isolate read parcels in one thread
  return *all.insert(text).first;
}

std::string value_text(const Value& value) { return to_json(value); }

Value value_of_text(const std::string& text) { return parse_json(as_bytes(text)).value_or(Value()); }

}  // namespace thaw::cli
