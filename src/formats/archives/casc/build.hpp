// The texts of an installation: which products lie there, and where the tables of one begin (casc.md#texts).
#pragma once

#include <thaw/casc.hpp>

#include "formats/archives/casc/numbers.hpp"

#include <map>
#include <string>
#include <vector>

namespace thaw::casc {

/// The active rows of `.build.info`.
std::vector<Product> read_products(std::string_view text);

/// `key = value value …` of a configuration.
class Config {
 public:
  explicit Config(std::string_view text);

  /// The words of a key; none if it is not there.
  [[nodiscard]] const std::vector<std::string>& words(const std::string& key) const;
  /// One of them as a key of 16 bytes; none if there is no such word, or if it is all zeros.
  [[nodiscard]] std::optional<Key> key(const std::string& name, std::size_t word) const;
  /// The same as a number.
  [[nodiscard]] std::optional<std::uint64_t> number(const std::string& name, std::size_t word) const;
  /// The encoded keys of all `vfs-N`.
  [[nodiscard]] std::vector<ShortKey> manifests() const;

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
};

}  // namespace thaw::casc
