// Animation networks: what reads writes the same bytes, is an archive of its clips, and becomes a scene, glTF
// and a network again.
#include <thaw/archive.hpp>
#include <thaw/bytes.hpp>
#include <thaw/mrn.hpp>

#include "checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace thaw;
  const ByteView bytes(data, size);
  Diagnostics diagnostics;
  const auto document = mrn::read(bytes, {}, diagnostics);
  if (!document) {
    return 0;
  }
  fuzz::check_document(*document, bytes, mrn::read);
  if (const auto archive = open_archive(memory_storage(Bytes(bytes.begin(), bytes.end())))) {
    for (const ArchiveEntry& entry : (*archive)->entries()) {
      const auto file = (*archive)->unpack(entry);
      fuzz::require(file && file->bytes.size() == entry.size && (*archive)->find(entry.name));
    }
  }
  mrn::SceneOptions options;
  options.bones = size % 2 == 0;
  options.clips.root_motion = size % 4 < 2;
  const auto scene = mrn::to_scene(*document, "fuzz", options, diagnostics);
  if (!scene) {
    return 0;
  }
  fuzz::check_scene(*scene, fuzz::turn_of(bytes));
  fuzz::check_gltf(*scene);
  if (const auto clip = mrn::clip_from_scene(*scene, *document, {}, diagnostics)) {
    fuzz::check(test::problems_of(*clip));
  }
  if (const auto network = mrn::network_from_scene(*scene, {}, diagnostics)) {
    fuzz::check_document(*network, mrn::write(*network), mrn::read);
  }
  return 0;
}
