// In the page and in builds without libdraco.
#include "gltf/draco.hpp"
#include "gltf/soundness.hpp"

namespace thaw::gltf {

bool reads_draco() { return false; }

Result<DracoMesh> unpack_draco(ByteView /*packed*/, const DracoStream& /*corners*/,
                               std::span<const DracoStream> /*vertices*/) {
  return tl::unexpected<Error>(required(kDraco, {}));
}

}  // namespace thaw::gltf
