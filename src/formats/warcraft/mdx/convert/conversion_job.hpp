// State shared by the parts of convert_version.
#pragma once

#include <thaw/mdx.hpp>

#include <string_view>

namespace thaw::mdx {

/// Bones of a vertex in a geoset with weights (mdx.md#weights).
inline constexpr std::size_t kSkinBones = 4;

struct ConversionJob {
  static constexpr std::size_t kMaxLosses = 1000;
  /// Bytes of what the parts of divided geosets repeat. A file can request as many parts as it has indices,
  /// and for as much to repeat as it is long.
  static constexpr std::uint64_t kMaxRepeated = std::uint64_t{256} << 20U;

  const Document& source;  ///< as read: what is shown is measured with it
  ConversionOptions options;
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  VersionConversion result;
  std::uint64_t room = kMaxRepeated;  ///< of kMaxRepeated

  [[nodiscard]] Document& document() { return result.document; }
  /// The clients before 3.0.0 read up to 1200 and know none of the additions that came without a gate
  /// (mdx.md#versions).
  [[nodiscard]] bool for_older_client() const { return to <= 1200; }

  void lose(const Code& code, std::string path, std::string message, std::optional<double> deviation = {});
  /// Reports a field that is not what the versions without it mean, and sets it to that.
  template <class T>
  void reset(T& field, const T& usual, const std::string& path, std::string_view name) {
    if (!(field == usual)) {
      lose_field(path, name);
      field = usual;
    }
  }
  /// Takes of the room for what parts repeat.
  [[nodiscard]] Result<void> spend(std::uint64_t bytes);
  /// Removes a track and reports it.
  void drop_track(Tracks& tracks, FourCC tag, const std::string& path);
  /// The same for all tracks that the version does not have.
  void drop_newer_tracks(Tracks& tracks, const std::string& path);

 private:
  void lose_field(const std::string& path, std::string_view name);
};

/// What is wrong with a version that is not one of kTargetVersions.
std::string unwritable_version(std::uint32_t version);

/// "MTLS[2]"
std::string place(std::string_view chunk, std::size_t index);

/// Calls `visit(item, index)` for all items of a kind over all chunks, in file order.
template <class Body, class Visit>
void for_each(Document& document, Visit&& visit) {
  std::size_t index = 0;
  for (auto& chunk : document.chunks) {
    if (auto* body = std::get_if<Body>(&chunk.body)) {
      for (auto& item : body->items) {
        visit(item, index++);
      }
    }
  }
}

/// Adds a chunk where the usual order has it (mdx.md#chunk-order), and never after a last one that states
/// more bytes than the file has, whose rest it would become.
Chunk& insert_chunk(Document& document, FourCC tag, ChunkBody body);
/// Removes all chunks of a tag.
void remove_chunks(Document& document, FourCC tag);
/// Raw bytes of an object are what it was before: in the layout of the old version, of another kind. They go,
/// what could be read of it stays.
void drop_raw(ConversionJob& job, Remainder& remainder, const std::string& path);

void convert_materials(ConversionJob& job);
/// The error is input.too-large, for parts that repeat more than kMaxRepeated.
Result<void> convert_geosets(ConversionJob& job);
void convert_lights(ConversionJob& job);
void convert_cameras(ConversionJob& job);
/// Chunks that not all versions have.
void convert_chunks(ConversionJob& job);

/// The bind poses that a document without any gets: identity axes at the pivots, then one per camera
/// (mdx.md#bind-poses).
BindPoses usual_bind_poses(const Document& document);

/// Replaces a geoset's weights by matrix groups, and reports how far that moves its vertices. Returns parts
/// beyond the first where one geoset cannot hold all groups, without its extents of sequences. Errors as of
/// convert_geosets.
class Poses;
Result<std::vector<Geoset>> skin_to_groups(ConversionJob& job, Geoset& geoset, std::size_t index,
                                           const Poses& poses);

/// Along the pictures of the first set of coordinates, for normal maps.
Array<Vec4> tangents_of(const Geoset& geoset);

/// Replaces a geoset's matrix groups by weights, or says why that cannot be.
void groups_to_skin(ConversionJob& job, Geoset& geoset, std::size_t index, const Poses& poses);

}  // namespace thaw::mdx
