#include <thaw/format.hpp>

namespace thaw {
namespace {

Value vector_value(const Vec3& vector) { return Value::List{vector[0], vector[1], vector[2]}; }

Value clips_value(const Facts& facts) {
  Value list = Value::List();
  for (const auto& clip : facts.clips) {
    Value value = Value()
                      .set("name", clip.name)
                      .set("seconds", clip.seconds)
                      .set("looping", clip.looping)
                      .set("move_speed", clip.move_speed)
                      .set("rarity", clip.rarity);
    if (clip.rate > 0) {
      value.set("rate", clip.rate)
          .set("channels", static_cast<std::int64_t>(clip.channels))
          .set("events", static_cast<std::int64_t>(clip.events));
    }
    list.push(std::move(value));
  }
  return list;
}

Value textures_value(const Facts& facts) {
  Value list = Value::List();
  for (const auto& texture : facts.textures) {
    list.push(Value().set("path", texture.path).set("replaceable_id", texture.replaceable_id));
  }
  return list;
}

Value picture_value(const Facts::Picture& picture) {
  return Value()
      .set("width", picture.width)
      .set("height", picture.height)
      .set("levels", picture.levels)
      .set("alpha_bits", picture.alpha_bits)
      .set("encoding", picture.encoding);
}

}  // namespace

Value facts_value(const Facts& facts) {
  Value value;
  value.set("name", facts.name);
  Value counts = Value::Object();
  for (const auto& count : facts.counts) {
    counts.set(count.kind, static_cast<std::int64_t>(count.count));
  }
  value.set("counts", std::move(counts));
  if (!facts.skeletons.empty()) {
    Value list = Value::List();
    for (const auto& skeleton : facts.skeletons) {
      list.push(Value().set("name", skeleton.name).set("bones", static_cast<std::int64_t>(skeleton.bones)));
    }
    value.set("skeletons", std::move(list));
  }
  if (!facts.levels.empty()) {
    Value list = Value::List();
    for (const auto& level : facts.levels) {
      list.push(Value()
                    .set("geosets", static_cast<std::int64_t>(level.geosets))
                    .set("vertices", static_cast<std::int64_t>(level.vertices))
                    .set("triangles", static_cast<std::int64_t>(level.triangles))
                    .set("batches", static_cast<std::int64_t>(level.batches)));
    }
    value.set("levels", std::move(list));
  }
  value.set("clips", clips_value(facts));
  if (!facts.stated.empty()) {
    Value stated = Value::Object();
    for (const auto& one : facts.stated) {
      stated.set(one.name, one.value);
    }
    value.set("stated", std::move(stated));
  }
  if (!facts.in_game.empty()) {
    value.set("in_game", facts.in_game);
  }
  Value loops = Value::List();
  for (const double seconds : facts.loops) {
    loops.push(seconds);
  }
  value.set("loops", std::move(loops));
  value.set("textures", textures_value(facts));
  if (!facts.references.empty()) {
    Value references = Value::List();
    for (const auto& reference : facts.references) {
      references.push(Value().set("kind", reference.kind).set("path", reference.path));
    }
    value.set("references", std::move(references));
  }
  value.set("bounds", facts.bounds ? Value()
                                         .set("minimum", vector_value(facts.bounds->minimum))
                                         .set("maximum", vector_value(facts.bounds->maximum))
                                         .set("radius", facts.bounds->radius)
                                   : Value());
  value.set("picture", facts.picture ? picture_value(*facts.picture) : Value());
  return value;
}

}  // namespace thaw
