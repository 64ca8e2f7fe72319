#include <thaw/pack.hpp>

#include "formats/list.hpp"

namespace thaw::pack {

const FormatDescriptor kPack1 = {
    .id = "pack1",
    .name = "Forgelight pack (PACK1)",
    .extensions = ".pack",
    .explanation =
        "this is a pack of the Forgelight engine (PACK1) that holds files: `thaw ls` lists them, and "
        "PACK//NAME is one of them",
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
        "this is a pack of the Forgelight engine (PACK2) that holds files: `thaw ls` lists them, and "
        "PACK//NAME is one of them",
    .strongest = Evidence::magic,
    .recognise = [](ByteView bytes) { return by_magic(bytes, "PAK\x01"); },
    .open_archive = open_pack2,
};

}  // namespace thaw::pack
