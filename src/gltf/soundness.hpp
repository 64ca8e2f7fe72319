// Errors that keep a glTF file from being read as it was meant, as far as its JSON shows: for the reader,
// which refuses it, and for the rules, which report all of them.
//
// Source: glTF 2.0 specification, chapters 3.3 (indices), 3.5.2 (nodes), 3.6 (views, accessors), 3.12
// (extensions).
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/value.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace thaw::gltf {

/// Numbers that every file may request, and how often it may request each of its bytes.
inline constexpr std::uint64_t kFreeNumbers = std::uint64_t{1} << 20U;
inline constexpr std::uint64_t kNumbersPerByte = 4;
/// How many bytes a packed one usually becomes, at most.
inline constexpr std::uint64_t kUsualTimes = 16;

inline constexpr std::string_view kDraco = "KHR_draco_mesh_compression";

struct Fault {
  enum class Kind : std::uint8_t {
    index,     ///< names something that is not there
    view,      ///< a part of a buffer that ends after it
    accessor,  ///< elements that its view does not hold, or of no type
    tree,      ///< a node below itself, or below several
  };
  Kind kind = Kind::index;
  std::string path;
  std::string message;
};

/// All of them, the first thousand of a kind.
std::vector<Fault> faults_of(const Value& json);

/// Of a file that demands an extension that nothing here reads.
std::optional<Error> unread_requirement(const Value& json);
/// Why a file is not read, of these.
std::optional<Error> refusal_of(const Value& json);
/// The error of something that only an extension holds, with what helps.
Error required(std::string_view extension, std::string path);

/// Bytes of a component; 0 of an unknown componentType.
std::size_t component_size(std::uint64_t type);
/// Components of an accessor's type; 0 of an unknown one.
unsigned components_of(std::string_view type);

}  // namespace thaw::gltf
