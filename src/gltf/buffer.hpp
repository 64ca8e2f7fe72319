// The binary buffer of a glTF document and the accessors into it.
#pragma once

#include "gltf/document.hpp"

#include <map>
#include <span>
#include <unordered_map>
#include <vector>

namespace thaw::gltf {

/// Lays data out by purpose: vertex attributes of one width in a buffer view, one accessor after the other,
/// indices of one width in one, animation data in one, bind matrices in one, pictures in a view each. Equal
/// data is stored once.
class Buffer {
 public:
  explicit Buffer(Asset& document) : document_(document) {}

  Index add_vertices(std::span<const Vec2> values);
  Index add_vertices(std::span<const Vec3> values);
  Index add_vertices(std::span<const Vec4> values);
  /// With the bounds that the format asks for.
  Index add_positions(std::span<const Vec3> values);
  /// Four joints per vertex, as bytes if all fit.
  Index add_joints(std::span<const std::uint16_t> values);
  /// Four weights per vertex, in parts of 255.
  Index add_weights(std::span<const std::uint8_t> values);
  /// As 16-bit numbers if `vertex_count` allows.
  Index add_indices(std::span<const std::uint32_t> values, std::size_t vertex_count);

  Index add_times(std::span<const float> values);
  /// `components` 1 to 4.
  Index add_values(std::span<const float> values, unsigned components);
  /// Inverse bind matrices, 16 numbers each.
  Index add_matrices(std::span<const float> values);
  Index add_flags(std::span<const std::uint8_t> values);
  /// A picture's buffer view.
  Index add_picture(const Bytes& bytes);

  /// Takes the views of another document's buffer behind its own and returns the index of the first.
  Index append(Buffer other);

  /// Fills in the views' offsets and returns the buffer. Nothing may be added afterwards.
  Bytes finish();

 private:
  struct Layout {
    ComponentType component = ComponentType::f32;
    unsigned components = 1;
    BufferTarget target = BufferTarget::none;
    bool bounds = false;
    Index* shared_view = nullptr;  ///< none: that of vertices of this width
    bool normalized = false;
  };

  template <class T>
  Index add(std::span<const T> values, std::size_t count, const Layout& layout);
  Index new_view(BufferTarget target, std::size_t stride = 0);
  [[nodiscard]] Index find_equal(std::uint64_t key, ByteView bytes, const Accessor& like) const;

  Asset& document_;
  std::vector<Bytes> contents_;  ///< one per buffer view
  std::unordered_map<std::uint64_t, std::vector<Index>> by_content_;
  std::map<std::size_t, Index> vertices_;  ///< views by stride
  Index short_indices_ = kNone;
  Index long_indices_ = kNone;
  Index data_ = kNone;
  Index matrices_ = kNone;
};

}  // namespace thaw::gltf
