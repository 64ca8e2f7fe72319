#pragma once

#include <thaw/value.hpp>

#include <string_view>

namespace thaw::test {

/// JSON as a Value; a failed expectation and null if it is none.
Value parse_json(std::string_view text);

/// A member of an object or an element of a list; null with a failed expectation if it is not there.
const Value& step(const Value& value, std::string_view name);
const Value& step(const Value& value, int index);

/// Where names and indices lead to: at(root, "nodes", 0, "name").
template <class First, class... Rest>
const Value& at(const Value& value, First first, Rest... rest) {
  if constexpr (sizeof...(rest) == 0) {
    return step(value, first);
  } else {
    return at(step(value, first), rest...);
  }
}

bool has(const Value& value, std::string_view name);
/// Elements of a list, members of an object, 0 for anything else.
int size_of(const Value& value);
/// -1e30 if it is no number.
double number(const Value& value);
std::string text(const Value& value);

}  // namespace thaw::test
