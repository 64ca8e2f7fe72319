// Texts of strangers in lines of ours.
#include "bytes/escape.hpp"

#include <gtest/gtest.h>

namespace thaw {
namespace {

TEST(Shown, LeavesWhatReadsAsText) {
  for (const char* text :
       {"", "Textures\\Skin.tga", "Größe → 3", "日本語", "\xF0\x9F\x90\x89 dragon", "a~b{}"}) {
    EXPECT_EQ(shown(text), text);
  }
}

TEST(Shown, EscapesWhatEndsALineOrSteersATerminal) {
  EXPECT_EQ(shown("a\n::error::x\r\tb"), "a\\n::error::x\\r\\tb");
  EXPECT_EQ(shown("\x1b[31m\x7f\x01"), "\\x1b[31m\\x7f\\x01");
  EXPECT_EQ(shown(std::string_view("\0x", 2)), "\\x00x");
  EXPECT_EQ(shown("\xC2\x85\xC2\x9B"), "\\u0085\\u009b") << "the ends of lines and sequences of C1";
  EXPECT_EQ(shown("\xC2\xA0"), "\xC2\xA0") << "behind C1 begin letters";
}

TEST(Shown, EscapesWhatTurnsTheWritingAround) {
  EXPECT_EQ(shown("\u061C\u200E\u200F"), "\\u061c\\u200e\\u200f");
  EXPECT_EQ(shown("\u2028\u2029\u202A\u202E"), "\\u2028\\u2029\\u202a\\u202e");
  EXPECT_EQ(shown("\u2066\u2069"), "\\u2066\\u2069");
  EXPECT_EQ(shown("\u200D\u2027\u202F\u2065\u206A"), "\u200D\u2027\u202F\u2065\u206A") << "their neighbours";
}

TEST(Shown, TakesWhatIsNotUtf8AsWindowsText) {
  EXPECT_EQ(shown("Gr\xFC\x85n\n"), "Grü…n\\n");
  EXPECT_EQ(shown("\xE2\x80"), "â€");
}

}  // namespace
}  // namespace thaw
