// Code pages: how names in old maps and models are encoded.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#pragma GCC visibility push(default)

namespace thaw {

/// How names are encoded that the author's system wrote in its own code page.
enum class CodePage : std::uint8_t {
  automatic,  ///< guessed from all names of an archive or model
  utf8,
  cp1250,     ///< Central European
  cp1251,     ///< Cyrillic
  cp1252,     ///< Western European
  gbk,        ///< simplified Chinese (cp936)
  big5,       ///< traditional Chinese (cp950)
  cp949,      ///< Korean
  shift_jis,  ///< Japanese (cp932)
};

/// The words of `parse_code_page`, separated by `|`.
inline constexpr std::string_view kCodePageWords = "auto|utf-8|cp1250|cp1251|cp1252|gbk|big5|cp949|shift-jis";

/// "gbk"; none for any other word.
std::optional<CodePage> parse_code_page(std::string_view word);
/// The word of a code page.
std::string_view code_page_word(CodePage page);

/// Text as UTF-8. Bytes that are not text in the page are taken as Windows-1252, as by `to_utf8`; so are
/// those of a page that the system has no table of.
std::string to_utf8(std::string_view bytes, CodePage page);
/// UTF-8 as text in the page; none if the page lacks a character, for `automatic` and for `utf8`.
std::optional<std::string> from_utf8(std::string_view text, CodePage page);

/// The page in which names make most sense; `automatic` if all of them are UTF-8.
CodePage guess_code_page(std::span<const std::string> names);

/// While one lives, `to_utf8(bytes)` of this thread takes names as text of its page. Functions that take an
/// AnyDocument have one for the document's page; who calls functions of one format needs one.
class CodePageScope {
 public:
  explicit CodePageScope(CodePage page);  ///< until the end of the scope
  CodePageScope(const CodePageScope&) = delete;
  CodePageScope(CodePageScope&&) = delete;
  CodePageScope& operator=(const CodePageScope&) = delete;
  CodePageScope& operator=(CodePageScope&&) = delete;
  ~CodePageScope();

 private:
  CodePage before_;
};

}  // namespace thaw

#pragma GCC visibility pop
