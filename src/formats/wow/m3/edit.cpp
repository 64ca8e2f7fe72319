// Numbers of pictures, and a model's size and place.
#include "formats/wow/m3/edit.hpp"

#include <thaw/m3.hpp>

#include "bytes/number_text.hpp"
#include "formats/edit_steps.hpp"
#include "scene/similarity.hpp"

#include <cmath>
#include <limits>
#include <set>
#include <tuple>

namespace thaw::m3 {
namespace {

using scene::Mat4d;
using scene::Similarity;
using Matrix = std::array<float, 16>;

/// A number by a pattern of its digits; 0 and less name nothing.
template <class Id>
Result<void> change_id(Id& id, std::string_view pattern, std::string_view path, std::string where,
                       EditLog& log) {
  if (id <= 0) {
    return {};
  }
  const auto now = changed_text(std::to_string(id), pattern, path, std::move(where), log);
  const auto number = now ? parse_whole(*now) : std::nullopt;
  if (now && (!number || *number == 0 || *number > std::numeric_limits<std::int32_t>::max())) {
    return fail(codes::kEditRefused,
                "\"" + *now + "\" is no FileDataID; M3 models refer to textures by whole numbers above 0");
  }
  id = number ? static_cast<Id>(*number) : id;
  return {};
}

Result<void> change_ids(Materials& materials, std::string_view pattern, std::string_view path, EditLog& log) {
  for (std::size_t i = 0; i < materials.instances.size(); ++i) {
    Instance& instance = materials.instances[i];
    const std::string where = "M3SI.instances[" + std::to_string(i) + "]";
    Result<void> done = change_id(instance.library, pattern, path, where + ".library", log);
    for (std::size_t t = 0; done && t < instance.sampler_textures.size(); ++t) {
      done = change_id(instance.sampler_textures[t], pattern, path,
                       where + ".samplerTextures[" + std::to_string(t) + "]", log);
    }
    if (!done) {
      return done;
    }
  }
  return {};
}

/// How matrices of bones can lie in VIBP (m3.md#weights): sixteen numbers by rows or columns, twelve by rows
/// or columns. Says where number n of a pose comes from.
constexpr std::size_t kForms = 4;
constexpr std::size_t source_of(std::size_t form, std::size_t n) {
  return form == 0 ? n : form == 2 ? n / 3 * 4 + n % 3 : n % 4 * 4 + n / 4;
}
constexpr std::size_t numbers_of(std::size_t form) { return form < 2 ? 16 : 12; }

class ModelPlacer {
 public:
  ModelPlacer(const Similarity& transform, EditLog& log) : transform_(transform), log_(log) {
    matrix_ =
        scene::compose(transform.offset, transform.turn, {transform.scale, transform.scale, transform.scale});
  }

  Result<void> run(Document& document) {
    for (Chunk& chunk : document.chunks) {
      Result<void> done;
      if (chunk.remainder.replaces_fields()) {
        inexact(chunk.tag, "chunk " + chunk.tag.text() + " not changed; its content is unknown");
      } else if (auto* header = std::get_if<ModelHeader>(&chunk.body)) {
        place(*header);
      } else if (auto* mesh = std::get_if<Mesh>(&chunk.body)) {
        done = place(*mesh);
      } else if (auto* collision = std::get_if<Collision>(&chunk.body)) {
        place(*collision);
      } else if (auto* transform = std::get_if<ModelTransform>(&chunk.body)) {
        place(*transform);
      }
      if (!done) {
        return done;
      }
    }
    return {};
  }

 private:
  void inexact(FourCC tag, std::string message) {
    if (reported_.insert(tag.text()).second) {
      log_.findings.add(codes::kEditInexact, std::move(message), {}, tag.text());
    }
  }

  void place(Box& box) const {
    std::tie(box.minimum, box.maximum) = scene::transformed_box(transform_, box.minimum, box.maximum);
  }

  void place(ModelHeader& header) const {
    place(header.box);
    place(header.box2);
    header.radius = transform_.length(header.radius);
    header.radius2 = transform_.length(header.radius2);
  }

  Result<void> place(Mesh& mesh) {
    place_bind_poses(mesh);
    for (MeshChunk& chunk : mesh.chunks) {
      auto* buffer = std::get_if<Buffer>(&chunk.body);
      if (buffer == nullptr || chunk.remainder.replaces_fields()) {
        continue;
      }
      if (chunk.tag == FourCC{"VPOS"}) {
        if (!has_floats(*buffer)) {
          return fail(codes::kEditRefused,
                      "positions in the format " + buffer->properties.format.text() + " cannot be edited", {},
                      "MES3.VPOS");
        }
        change(*buffer, Range::as_stored, [&](const Vec3& at) { return transform_.point(at); });
      } else if (transform_.turns && (chunk.tag == FourCC{"VNML"} || chunk.tag == FourCC{"VTAN"})) {
        change(*buffer, Range::direction, [&](const Vec3& at) { return turned(at); });
      }
    }
    return {};
  }

  [[nodiscard]] Vec3 turned(const Vec3& direction) const {
    return scene::narrow(transform_.turned(scene::widen(direction)));
  }

  static bool has_floats(const Buffer& buffer) {
    const ElementFormat format = buffer.format();
    return format == ElementFormat::f32x3 || format == ElementFormat::f32x4 || format == ElementFormat::f16x4;
  }

  /// The first three numbers of each element.
  template <class Change>
  static void change(Buffer& buffer, Range range, const Change& change) {
    const unsigned components = element_components(buffer.format());
    Array<float> values = decode(buffer, range);
    for (std::size_t at = 0; components >= 3 && at + components <= values.size(); at += components) {
      const Vec3 now = change(Vec3{values[at], values[at + 1], values[at + 2]});
      std::copy(now.begin(), now.end(), values.begin() + static_cast<std::ptrdiff_t>(at));
    }
    buffer.elements = encode(buffer.format(), values, range).elements;
  }

  /// What goes from x to Ax is bound by S B A⁻¹ where it was bound by B: bones keep their frames, but for
  /// their size S.
  void place_bind_poses(Mesh& mesh) {
    const auto poses = inverse_bind_poses(mesh);
    for (MeshChunk& chunk : mesh.chunks) {
      auto* buffer = std::get_if<Buffer>(&chunk.body);
      if (buffer == nullptr || chunk.tag != FourCC{"VIBP"} || !poses) {
        continue;
      }
      const Array<float> values = decode(*buffer, Range::as_stored);
      for (std::size_t form = 0; form < kForms; ++form) {
        if (lies_in(form, *poses, values)) {
          buffer->elements = encode(buffer->format(), placed(form, *poses), Range::as_stored).elements;
          break;
        }
      }
      inexact(chunk.tag, "M3 models contain no skeleton; apply the same edit to the skeleton's source");
      return;
    }
  }

  static bool lies_in(std::size_t form, const std::vector<Matrix>& poses, const Array<float>& values) {
    const std::size_t count = numbers_of(form);
    bool same = values.size() == poses.size() * count;
    for (std::size_t i = 0; same && i < values.size(); ++i) {
      same = std::fabs(values[i] - poses[i / count].at(source_of(form, i % count))) <= 1e-3F;
    }
    return same;
  }

  [[nodiscard]] Array<float> placed(std::size_t form, const std::vector<Matrix>& poses) const {
    const Mat4d back = scene::inverse(matrix_);
    const Mat4d size =
        scene::compose({}, {0, 0, 0, 1}, {transform_.scale, transform_.scale, transform_.scale});
    Array<float> values;
    for (const Matrix& pose : poses) {
      const Matrix now = scene::narrow(scene::multiply(size, scene::multiply(scene::widen(pose), back)));
      for (std::size_t n = 0; n < numbers_of(form); ++n) {
        values.push_back(now.at(source_of(form, n)));
      }
    }
    return values;
  }

  void place(Collision& collision) const {
    for (CollisionChunk& chunk : collision.chunks) {
      auto* points = std::get_if<Points>(&chunk.body);
      if (points == nullptr || chunk.remainder.replaces_fields()) {
        continue;
      }
      for (Vec3& point : points->items) {
        point = chunk.tag == FourCC{"CPOS"} ? transform_.point(point) : turned(point);
      }
    }
  }

  /// A M A⁻¹.
  void place(ModelTransform& transform) const {
    if (transform.matrix != ModelTransform().matrix) {
      transform.matrix = scene::narrow(
          scene::multiply(matrix_, scene::multiply(scene::widen(transform.matrix), scene::inverse(matrix_))));
    }
  }

  const Similarity& transform_;
  EditLog& log_;
  Mat4d matrix_{};
  std::set<std::string> reported_;
};

}  // namespace

Result<void> repath(Document& document, std::string_view pattern, std::string_view path, EditLog& log) {
  return reported_if_nothing(log, "picture " + std::string(pattern), [&] {
    Result<void> done;
    for (Chunk& chunk : document.chunks) {
      auto* materials = std::get_if<Materials>(&chunk.body);
      if (done && materials != nullptr && !chunk.remainder.replaces_fields()) {
        done = change_ids(*materials, pattern, path, log);
      }
    }
    return done;
  });
}

Result<void> place(Document& document, const Placement& placement, EditLog& log) {
  const Similarity transform = scene::similarity_of(placement);
  if (transform.is_identity()) {
    return {};
  }
  Result<void> done = ModelPlacer(transform, log).run(document);
  if (done) {
    log.changes.push_back({"", "the model " + transform.words()});
  }
  return done;
}

Result<Edited> edit(const AnyDocument& any, const ModelEdits& edits, Diagnostics& findings) {
  return edited_copy<Document, read>(any, findings, [&](Document& document, EditLog& log) {
    return for_each_name(edits.paths, repath, document, log).and_then([&]() -> Result<void> {
      return edits.placement ? place(document, *edits.placement, log) : Result<void>();
    });
  });
}

}  // namespace thaw::m3
