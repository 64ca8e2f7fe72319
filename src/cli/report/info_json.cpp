#include "cli/report/info.hpp"

#include "cli/report/archive_report.hpp"

namespace thaw::cli {
namespace {

Value vector_json(const Vec3& vector) { return Value::List{vector[0], vector[1], vector[2]}; }

Value clips_json(const Facts& facts) {
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

Value textures_json(const Subject& subject) {
  Value list = Value::List();
  for (std::size_t i = 0; i < subject.facts.textures.size(); ++i) {
    const auto& texture = subject.facts.textures[i];
    const auto& state = subject.textures[i];
    list.push(Value()
                  .set("path", texture.path)
                  .set("replaceable_id", texture.replaceable_id)
                  .set("found", state.found)
                  .set("where", state.found ? Value(to_utf8(state.where)) : Value()));
  }
  return list;
}

Value picture_json(const Facts::Picture& picture) {
  return Value()
      .set("width", picture.width)
      .set("height", picture.height)
      .set("levels", picture.levels)
      .set("alpha_bits", picture.alpha_bits)
      .set("encoding", picture.encoding);
}

}  // namespace

Value info_json(const Subject& subject) {
  const Facts& facts = subject.facts;
  Value value = envelope("info", subject.input.name, &subject.identity, subject.findings, nullptr);
  value.set("size", static_cast<std::int64_t>(subject.size));
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
  value.set("clips", clips_json(facts));
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
  value.set("textures", textures_json(subject));
  if (!facts.references.empty()) {
    Value references = Value::List();
    for (const auto& reference : facts.references) {
      references.push(Value().set("kind", reference.kind).set("path", reference.path));
    }
    value.set("references", std::move(references));
  }
  value.set("bounds", facts.bounds ? Value()
                                         .set("minimum", vector_json(facts.bounds->minimum))
                                         .set("maximum", vector_json(facts.bounds->maximum))
                                         .set("radius", facts.bounds->radius)
                                   : Value());
  value.set("picture", facts.picture ? picture_json(*facts.picture) : Value());
  value.set("archive", subject.archive != nullptr ? archive_json(*subject.archive) : Value());
  return value;
}

}  // namespace thaw::cli
