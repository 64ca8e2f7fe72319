// The binary buffer of a glTF document and the accessors into it.
#pragma once

#include <thaw/gltf.hpp>

#include "gltf/document.hpp"

#include <map>
#include <span>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace thaw::gltf {

/// Lays data out by purpose: vertex attributes of one width in a buffer view, one accessor after the other,
/// indices of one width in one, animation data in one, bind matrices in one, pictures in a view each. Equal
/// data is stored once. GltfOptions::quantize and compression say how numbers and views are stored.
class Buffer {
 public:
  Buffer(Asset& document, const GltfOptions& options)
      : document_(document),
        quantize_(options.quantize),
        compress_(options.compression == GltfCompression::meshopt) {}

  /// How far from 0 any position is: those of all meshes are rounded alike, so that no gaps open.
  void set_extent(float extent) { extent_ = extent; }

  Index add_uvs(std::span<const Vec2> values);
  Index add_normals(std::span<const Vec3> values);
  Index add_tangents(std::span<const Vec4> values);
  Index add_colors(std::span<const Vec4> values);
  /// With the bounds that the format requires.
  Index add_positions(std::span<const Vec3> values);
  /// Of normals in morph targets.
  Index add_differences(std::span<const Vec3> values);
  /// Four joints per vertex, as bytes if all fit.
  Index add_joints(std::span<const std::uint16_t> values);
  /// Four weights per vertex.
  Index add_weights(std::span<const Vec4> values);
  /// The same in parts of 255 or 65535.
  Index add_weights(std::span<const std::uint8_t> values);
  Index add_weights(std::span<const std::uint16_t> values);
  /// As 16-bit numbers if `vertex_count` allows.
  Index add_indices(std::span<const std::uint32_t> values, std::size_t vertex_count, bool triangles);

  Index add_times(std::span<const float> values);
  /// `components` 1 to 4; of `cubic` curves a value stands between two tangents.
  Index add_values(std::span<const float> values, unsigned components, bool cubic);
  /// Quaternions.
  Index add_rotations(std::span<const float> values);
  /// Inverse bind matrices, 16 numbers each.
  Index add_matrices(std::span<const float> values);
  Index add_flags(std::span<const std::uint8_t> values);
  /// A buffer view for a picture, which comes later.
  Index add_picture();
  void fill_picture(Index view, Bytes bytes);
  /// An accessor of another buffer.
  Index copy(const Buffer& from, Index accessor);

  /// Takes the views of another document's buffer after its own and returns the index of the first.
  Index append(Buffer other);

  /// Packs the views, fills in their offsets and returns the size of the buffer. Nothing may be added
  /// afterwards.
  std::size_t lay_out();
  /// Appends the views and frees each one once appended: large pictures are in memory
  /// once.
  void move_to(Bytes& out);

 private:
  enum class Use : std::uint8_t { vertices, triangles, other_indices, data, matrices, flags, picture };
  /// Accessors of one kind share a view.
  struct Kind {
    Use use = Use::data;
    std::size_t stride = 0;   ///< bytes of an element
    std::string_view filter;  ///< of EXT_meshopt_compression: the bytes are folded by it
    friend bool operator<(const Kind& a, const Kind& b) {
      return std::tie(a.use, a.stride, a.filter) < std::tie(b.use, b.stride, b.filter);
    }
  };
  struct View {
    Kind kind;
    Bytes content;
  };

  Index add(Bytes bytes, Accessor accessor, const Kind& stated);
  Index add_floats(std::span<const float> values, unsigned components, Use use, bool bounds = false);
  /// As EXPONENTIAL has them where they are compressed and may lose bits.
  Index add_rounded(std::span<const float> values, unsigned components, Use use, bool bounds, bool cubic);
  /// Parts of `one`, each of `size` bytes, in elements of a multiple of four bytes.
  Index add_parts(std::span<const float> values, unsigned components, ComponentType component, float one,
                  Use use);
  template <class T>
  Index add_whole(std::span<const T> values, ComponentType component, unsigned components, Use use,
                  bool normalized = false);
  Index new_view(const Kind& kind);
  [[nodiscard]] Index find_equal(std::uint64_t key, ByteView bytes, const Accessor& like,
                                 const Kind& kind) const;
  /// The view as EXT_meshopt_compression packs it; empty if that saves too little. Content that a filter
  /// folded is unfolded where it is not packed.
  [[nodiscard]] Bytes packed(View& view, Packed& how) const;

  Asset& document_;
  bool quantize_;
  bool compress_;
  float extent_ = 0;
  std::vector<View> views_;
  std::unordered_map<std::uint64_t, std::vector<Index>> by_content_;
  std::map<Kind, Index> by_kind_;
};

}  // namespace thaw::gltf
