// The code page of a thread's names.
#pragma once

#include <thaw/bytes.hpp>

#include <array>
#include <string_view>

namespace thaw {

/// Those that are guessed. Of equals the first is taken.
inline constexpr std::array kGuessedPages = {CodePage::cp1252, CodePage::cp1251, CodePage::gbk,
                                             CodePage::cp949,  CodePage::big5,   CodePage::shift_jis};

/// Of the innermost CodePageScope; `automatic` without one.
CodePage current_code_page();

/// Whether all bytes are characters of UTF-8.
bool is_utf8(std::string_view text);

/// Makes the tables of all pages now: later the process may open no files.
void load_code_pages();

}  // namespace thaw
