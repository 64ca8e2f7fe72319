// What the types promise, whatever bytes they were made of: the comments of include/thaw say it to people,
// these functions hold the library to it. A document may hold any damaged value that a file has, but it holds
// together; a scene promises what its header says; a frame can be drawn as it is.
#pragma once

#include <thaw/frame.hpp>
#include <thaw/nsa.hpp>

#include <span>
#include <string>
#include <vector>

namespace thaw {
class AnyDocument;
namespace nsa {
struct Clip;
}
}  // namespace thaw

namespace thaw::test {

/// "meshes[2].positions[17]: a number that is not finite"; at most some twenty, none if all promises are
/// kept.
using Problems = std::vector<std::string>;

Problems problems_of(const scene::Scene& scene);
/// `images` as Evaluator::images gives them.
Problems problems_of(const frame::Frame& frame, std::span<const Image* const> images);
Problems problems_of(const Image& image);
Problems problems_of(const nsa::Clip& clip);

/// Of a document of any of AnyDocument's types that was read from these bytes: its own promises, that it
/// writes them, and that its inspection shows each byte.
template <class Document>
Problems problems_of(const Document& document, ByteView bytes);
/// Its dump is JSON in UTF-8.
template <class Document>
Problems problems_of_dump(const Document& document);
/// The same of whatever document it is.
Problems problems_of_dump(const AnyDocument& document);
/// Of whatever document it is: the same, and that what is told of it is UTF-8. Texts may be written
/// otherwise.
Problems problems_of(const AnyDocument& document, ByteView bytes);

/// Of the moments of a scene, the resting one and some of its clips.
Problems problems_of_frames(const scene::Scene& scene, const frame::Options& options = {});

}  // namespace thaw::test
