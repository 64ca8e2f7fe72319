#include "bytes/words.hpp"

#include <algorithm>

#include "bytes/number_text.hpp"

#include <cmath>

namespace thaw {

std::string short_number(double number) {
  constexpr int kDigits = 3;
  if (!(number > 0) || !std::isfinite(number)) {
    return "0";
  }
  const double unit = std::pow(10.0, std::floor(std::log10(number)) - (kDigits - 1));
  std::string text;
  append_number(text, static_cast<float>(std::round(number / unit) * unit));
  return text;
}

std::string counted(std::uint64_t count, std::string_view noun) {
  if (const std::size_t per = noun.find(" per "); per != std::string_view::npos) {
    return counted(count, noun.substr(0, per)) + std::string(noun.substr(per));
  }
  std::string text = std::to_string(count) + ' ';
  text += count != 1 && noun == "vertex" ? "vertice" : noun;
  const std::string_view end = noun.size() > 2 ? noun.substr(noun.size() - 2) : std::string_view();
  const bool hissing = end == "sh" || end == "ch";
  return count == 1 ? text : text + (hissing ? "es" : "s");
}

std::string names_text(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 24;
  std::string text = names.empty() ? "none" : "";
  for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  return names.size() > kMost ? text + " and " + counted(names.size() - kMost, "other") : text;
}

}  // namespace thaw
