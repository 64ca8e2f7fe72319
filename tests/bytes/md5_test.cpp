// RFC 1321, A.5.
#include "bytes/hash.hpp"

#include <gtest/gtest.h>

namespace thaw {
namespace {

TEST(Md5, HasTheDigestsOfTheStandard) {
  const auto digest = [](std::string_view text) {
    return md5_text(md5({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}));
  };
  EXPECT_EQ(digest(""), "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(digest("message digest"), "f96b697d7cb7938d525a2f31aaf161d0");
  EXPECT_EQ(digest("12345678901234567890123456789012345678901234567890123456789012345678901234567890"),
            "57edf4a22be3c955ac49da2e2107b67a");
}

}  // namespace
}  // namespace thaw
