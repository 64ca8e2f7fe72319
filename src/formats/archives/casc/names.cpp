#include "formats/archives/casc/names.hpp"

#include <thaw/codes.hpp>

#include "bytes/hash.hpp"
#include "bytes/text.hpp"
#include "formats/archives/casc/lookup3.hpp"

#include <algorithm>

namespace thaw::casc {
namespace {

/// What the names of all files begin with, and nobody writes.
constexpr std::array<std::string_view, 2> kOuter = {"war3.w3mod/", "war3.mpq/"};

void clean_into(std::string_view name, std::string& clean) {
  clean.clear();
  for (const char c : name) {
    const bool separates = c == '/' || c == '\\' || c == ':';
    if (!separates) {
      clean += c;
    } else if (!clean.empty() && clean.back() != '/') {
      clean += '/';
    }
  }
  while (!clean.empty() && clean.back() == '/') {
    clean.pop_back();
  }
}

std::size_t outer_length(std::string_view name) {
  for (const std::string_view outer : kOuter) {
    if (ascii::begins_with(name, outer)) {
      return outer.size();
    }
  }
  return 0;
}

std::string_view known_locale(std::string_view word) {
  const auto found = std::find_if(kLocales.begin(), kLocales.end(), [&](std::string_view locale) {
    return !locale.empty() && ascii::same(locale, word);
  });
  return found == kLocales.end() ? std::string_view() : *found;
}

/// "l" of "tileset:l"; empty if the word does not begin so.
std::string value_of(std::string_view word, std::string_view name) {
  return word.size() > name.size() + 1 && word.substr(0, name.size()) == name && word[name.size()] == ':'
             ? std::string(word.substr(name.size() + 1))
             : std::string();
}

void add_art(std::vector<std::string>& layers, const std::string& art, const Variant& variant) {
  if (!variant.tileset.empty()) {
    layers.push_back(art + "_tilesets/" + variant.tileset + ".w3mod/");
  }
  layers.push_back(art + "_locales/" + ascii::lowered(variant.locale) + ".w3mod/");
  if (variant.teen) {
    layers.push_back(art + "_teen.w3mod/");
  }
  if (art.empty() && !variant.balance.empty()) {
    layers.push_back("_balance/" + variant.balance + ".w3mod/");
  }
  layers.push_back(art);
}

}  // namespace

std::string shown_name(std::string_view name) {
  std::string clean;
  clean_into(name, clean);
  return clean.erase(0, outer_length(clean));
}

void flatten(std::string_view name, std::string& flat) {
  clean_into(name, flat);
  flat.erase(0, outer_length(flat));
  std::transform(flat.begin(), flat.end(), flat.begin(), ascii::lower);
}

std::string flat_name(std::string_view name) {
  std::string flat;
  flatten(name, flat);
  return flat;
}

std::uint64_t flat_hash(std::string_view flat) { return fnv1a(as_bytes(flat)); }

std::uint64_t path_hash(std::string_view path) {
  std::string upper(path);
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](char c) { return c == '/' ? '\\' : ascii::upper(c); });
  const auto [high, low] = lookup3(as_bytes(upper), 0, 0);
  return std::uint64_t{high} << 32U | low;
}

Result<Variant> read_variant(const std::vector<std::string>& words) {
  Variant variant;
  for (const auto& all : words) {
    for (std::size_t start = 0; start <= all.size();) {
      const std::size_t end = std::min(all.find(',', start), all.size());
      const std::string word = ascii::lowered(all.substr(start, end - start));
      start = end + 1;
      const std::string_view locale = known_locale(word);
      if (word == "sd" || word == "hd" || word == "definitive") {
        variant.art = word == "sd"   ? Variant::Art::sd
                      : word == "hd" ? Variant::Art::hd
                                     : Variant::Art::definitive;
      } else if (word == "teen") {
        variant.teen = true;
      } else if (!locale.empty()) {
        variant.locale = locale;
      } else if (auto tileset = value_of(word, "tileset"); !tileset.empty()) {
        variant.tileset = std::move(tileset);
      } else if (auto balance = value_of(word, "balance"); !balance.empty()) {
        variant.balance = std::move(balance);
      } else if (!word.empty() && word.find_first_of(": /") == std::string::npos && variant.product.empty()) {
        variant.product = word;
      } else {
        return fail(codes::kCascChoice,
                    "the variant '" + word +
                        "' is unknown; expected sd, hd, definitive, teen, tileset:LETTER, balance:NAME, a "
                        "locale such as deDE, or one product");
      }
    }
  }
  return variant;
}

std::vector<std::string> layers_of(const Variant& variant) {
  constexpr std::string_view kHd = "_hd.w3mod/";
  constexpr std::string_view kDefinitive = "_de.w3mod/";
  std::vector<std::string> layers;
  if (variant.art == Variant::Art::definitive) {
    add_art(layers, std::string(kDefinitive), variant);
  }
  if (variant.art != Variant::Art::sd) {
    add_art(layers, std::string(kHd), variant);
  }
  add_art(layers, "", variant);
  layers.push_back(ascii::lowered(variant.locale) + "-war3local.mpq/");
  layers.emplace_back("_deprecated.w3mod/");
  layers.emplace_back("deprecated.mpq/");
  // What only other art has is better than nothing: models of later versions name it.
  if (variant.art == Variant::Art::sd) {
    add_art(layers, std::string(kHd), variant);
  }
  if (variant.art != Variant::Art::definitive) {
    add_art(layers, std::string(kDefinitive), variant);
  }
  return layers;
}

std::string locale_of_tags(std::string_view tags) {
  for (std::size_t start = 0; start < tags.size();) {
    const std::size_t end = std::min(tags.find_first_of(" :", start), tags.size());
    const std::string_view word = tags.substr(start, end - start);
    if (const auto locale = known_locale(word.substr(0, word.find('?'))); !locale.empty()) {
      return std::string(locale);
    }
    start = end + 1;
  }
  return "enUS";
}

std::uint32_t locale_bit(std::string_view locale) {
  for (std::size_t i = 0; i < kLocales.size(); ++i) {
    if (!locale.empty() && ascii::same(kLocales[i], locale)) {
      return 2U << i;
    }
  }
  return 0;
}

}  // namespace thaw::casc
