// Vertices as numbers, whatever their layout.
#pragma once

#include <thaw/dme.hpp>
#include <thaw/materials.hpp>

#include <optional>

namespace thaw::dme {

/// One attribute of all vertices.
class Attribute {
 public:
  /// Empty if the layout has no such entry or the stream is too short for it.
  Attribute(const Mesh& mesh, const materials::Layout& layout, materials::Usage usage, unsigned index = 0);

  [[nodiscard]] explicit operator bool() const { return data_ != nullptr; }
  [[nodiscard]] materials::Type type() const { return type_; }
  /// Four numbers; those that the type does not have are 0. Whole numbers are as stored but for the
  /// normalised types, whose values are 0 to 1 or −1 to 1. What is not finite becomes 0.
  [[nodiscard]] std::array<float, 4> at(std::size_t vertex) const;
  /// The bytes as stored: weights, indices, and signs in the last byte.
  [[nodiscard]] std::array<std::uint8_t, 4> bytes(std::size_t vertex) const;

 private:
  const std::uint8_t* data_ = nullptr;
  std::size_t stride_ = 0;
  materials::Type type_ = materials::Type::unknown;
};

}  // namespace thaw::dme
