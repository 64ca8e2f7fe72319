#include <thaw/archive.hpp>

#include "formats/list.hpp"

namespace thaw::pack {

const FormatDescriptor kPack1 = {
    .id = "pack1",
    .name = "Forgelight pack (PACK1)",
    .extensions = ".pack",
    .explanation =
        "this is a Forgelight pack (PACK1). List its files with `thaw ls`, or name one as PACK//NAME",
    .strongest = Evidence::table,
    .recognise =
        [](ByteView bytes) {
          return if_found(is_pack1(bytes.first(std::min(bytes.size(), kTextWindow))), Evidence::table);
        },
    .open_archive = open_pack1,
};

const FormatDescriptor kPack2 = {
    .id = "pack2",
    .name = "Forgelight pack (PACK2)",
    .extensions = ".pack2",
    .explanation =
        "this is a Forgelight pack (PACK2). List its files with `thaw ls`, or name one as PACK//NAME",
    .strongest = Evidence::magic,
    .recognise = [](ByteView bytes) { return by_magic(bytes, "PAK\x01"); },
    .open_archive = open_pack2,
};

}  // namespace thaw::pack
