// In the page, which stays small.
#include "image/webp.hpp"

#include <thaw/image.hpp>

namespace thaw {
namespace {

tl::unexpected<Error> absent() {
  return fail(codes::kImageUnsupported,
              "The page and its module cannot read or write WebP. Use the thaw command.");
}

}  // namespace

Result<Image> decode_webp(ByteView /*bytes*/, const ReadOptions& /*options*/) { return absent(); }

Result<Bytes> encode_webp(const Image& /*image*/, const Control* /*control*/) { return absent(); }

}  // namespace thaw
