// Checks shared by all targets: the promises of the types (tests/support).
#pragma once

#include <thaw/gltf.hpp>
#include <thaw/mdl.hpp>
#include <thaw/mdx.hpp>

#include "require.hpp"
#include "support/promises.hpp"

#include <algorithm>
#include <string>

namespace thaw::fuzz {

/// Ends with the place of whatever is broken.
inline void check(const test::Problems& problems) {
  for (const std::string& problem : problems) {
    std::fprintf(stderr, "%s\n", problem.c_str());
  }
  require(problems.empty(), "a promise of a type is broken\n");
}

/// A number that the bytes decide, for what is asked of one input of some.
inline std::size_t turn_of(ByteView bytes) {
  std::size_t sum = bytes.size();
  for (const std::uint8_t byte : bytes) {
    sum = sum * 31 + byte;
  }
  return sum;
}

/// A document that was read from these bytes: writes them, reads as the same again.
template <class Document, class Read>
void check_document(const Document& document, ByteView bytes, Read&& read) {
  check(test::problems_of(document, bytes));
  if (turn_of(bytes) % 8 == 0) {
    check(test::problems_of_dump(document));
  }
  Diagnostics diagnostics;
  const auto again = read(write(document), ReadOptions(), diagnostics);
  require(again.has_value(), "what was written does not read\n");
  // To `==`, a not-a-number is unlike itself: its bytes, then.
  require(*again == document || (!(document == document) && write(*again) == write(document)),
          "what was written reads as something else\n");
}

/// The scene as a GLB. No promise reads all of its bytes: MemorySanitizer is asked whether they are set.
inline void check_gltf(const scene::Scene& scene, const GltfOptions& options = {}) {
  Diagnostics diagnostics;
  const auto files = write_gltf(scene, options, diagnostics);
  require(files.has_value(), "a scene cannot be written as glTF\n");
  for (const auto& file : *files) {
    require_set(file.bytes);
  }
}

inline frame::Options small_frames() {
  frame::Options options;
  options.max_triangles = 1U << 12U;
  options.max_particles = 1U << 8U;
  options.wireframe = options.bones = options.collision = options.extents = true;
  return options;
}

/// `turn` as of turn_of: frames take long and are asked of one scene of four.
inline void check_scene(const scene::Scene& scene, std::size_t turn) {
  check(test::problems_of(scene));
  if (turn % 4 == 0) {
    check(test::problems_of_frames(scene, small_frames()));
  }
}

/// What strict reading takes is written as it was.
template <class Read>
void check_strict(ByteView bytes, Read&& read) {
  ReadOptions options;
  options.strict = true;
  Diagnostics diagnostics;
  if (const auto document = read(bytes, options, diagnostics)) {
    const Bytes written = write(*document);
    require(std::equal(written.begin(), written.end(), bytes.begin(), bytes.end()),
            "what was read strictly is written as something else\n");
  }
}

/// As text and back: the same model, unless the writer says what text cannot hold.
inline void check_text(const mdx::Document& document) {
  Diagnostics lost;
  const Bytes text = mdl::write(document, {}, lost);
  Diagnostics diagnostics;
  const auto again = mdl::read(text, {}, diagnostics);
  require(again.has_value(), "what was written as text does not read\n");
  require(!lost.items().empty() || mdx::write(*again) == mdx::write(document),
          "another model came back as text\n");
  require(!lost.items().empty() || mdl::write(*again) == text, "the same model became another text\n");
}

}  // namespace thaw::fuzz
