// Names of files in an installation, and the layers in which the game looks for them (casc.md#names).
#pragma once

#include <thaw/casc.hpp>

#include <array>

namespace thaw::casc {

/// Locales in the order of their bits, from bit 1 on; none where a bit has none.
inline constexpr std::array<std::string_view, 16> kLocales = {"enUS", "koKR", "",     "frFR", "deDE", "zhCN",
                                                              "esES", "zhTW", "enGB", "enCN", "enTW", "esMX",
                                                              "ruRU", "ptBR", "itIT", "ptPT"};

/// As people write it: `/` for `:` and `\`, lower case, without what every name begins with.
std::string flat_name(std::string_view name);
/// As `flat_name`, with the letters as they are.
std::string shown_name(std::string_view name);
/// `flat_name` into a text that is used again: a million names need no million texts.
void flatten(std::string_view name, std::string& flat);
/// 64 bits of `flat_name`, by which names are found.
std::uint64_t flat_hash(std::string_view flat);
/// The hash by which World of Warcraft's root knows a path.
std::uint64_t path_hash(std::string_view path);

/// The request, parsed.
struct Variant {
  enum class Art : std::uint8_t { sd, hd, definitive };

  std::string product;
  std::string locale;  ///< "deDE"; empty if not requested
  Art art = Art::sd;
  bool teen = false;
  std::string tileset;
  std::string balance;
};

/// The words of the options. What is no other word is the name of a product. casc.choice for words that say
/// nothing.
Result<Variant> read_variant(const std::vector<std::string>& words);

/// What may stand before a name, in the order in which the game looks: "_hd.w3mod/", "".
std::vector<std::string> layers_of(const Variant& variant);

/// The first of the words of `tags` that is a locale; "enUS" if none is.
std::string locale_of_tags(std::string_view tags);
/// The bit of a locale in World of Warcraft's root; none for no locale.
std::uint32_t locale_bit(std::string_view locale);

}  // namespace thaw::casc
