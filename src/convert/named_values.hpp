// Options by name: tables of setters, and how values are read from text.
#pragma once

#include <thaw/codes.hpp>
#include <thaw/convert.hpp>

#include "bytes/number_text.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace thaw::named {

/// An option of `Options`. The setter returns whether the value was one of those that the option has.
template <class Options>
struct Entry : NamedOption {
  bool (*set)(Options& options, std::string_view value);
};

template <class Options, std::size_t N>
constexpr std::array<NamedOption, N> names_of(const std::array<Entry<Options>, N>& entries) {
  std::array<NamedOption, N> names;
  std::copy(entries.begin(), entries.end(), names.begin());
  return names;
}

template <class Options, std::size_t N>
constexpr bool is_sorted(const std::array<Entry<Options>, N>& entries) {
  return std::is_sorted(entries.begin(), entries.end(),
                        [](const NamedOption& a, const NamedOption& b) { return a.name < b.name; });
}

/// `owners` is who has such options, in the plural.
template <class Options, std::size_t N>
Result<void> set(const std::array<Entry<Options>, N>& entries, std::string_view owners, Options& options,
                 std::string_view name, std::string_view value) {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const NamedOption& entry) { return entry.name == name; });
  if (found == entries.end()) {
    return fail(codes::kOptionValue, std::string(name) + ": " + std::string(owners) + " have no such option");
  }
  if (!found->set(options, value)) {
    return fail(codes::kOptionValue,
                std::string(name) + " " + std::string(value) + ": expected " + std::string(found->values));
  }
  return {};
}

inline bool read_switch(bool& target, std::string_view value) {
  target = value == "on";
  return value == "on" || value == "off";
}

inline bool read_negated(bool& target, std::string_view value) {
  target = value == "off";
  return value == "on" || value == "off";
}

inline bool read_text(std::string& target, std::string_view value) {
  target = value;
  return true;
}

template <class Number>
bool read_whole(Number& target, std::string_view value, std::uint32_t least = 0,
                std::uint32_t most = ~std::uint32_t{0}) {
  const auto number = parse_whole(value);
  if (!number || *number < least || *number > most) {
    return false;
  }
  target = static_cast<Number>(*number);
  return true;
}

template <class Choice, std::size_t N>
bool read_choice(Choice& target, std::string_view value,
                 const std::array<std::pair<std::string_view, Choice>, N>& choices) {
  const auto found =
      std::find_if(choices.begin(), choices.end(), [&](const auto& choice) { return choice.first == value; });
  if (found != choices.end()) {
    target = found->second;
  }
  return found != choices.end();
}

}  // namespace thaw::named
