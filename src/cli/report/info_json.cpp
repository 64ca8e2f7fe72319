#include "cli/report/info.hpp"

#include <thaw/format.hpp>

#include "cli/report/archive_report.hpp"

namespace thaw::cli {
namespace {

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

}  // namespace

Value info_json(const Subject& subject) {
  const Facts& facts = subject.facts;
  Value value = envelope("info", subject.input.name, &subject.identity, subject.findings, nullptr);
  value.set("size", static_cast<std::int64_t>(subject.size));
  const Value known = facts_value(facts);
  for (const auto& [name, member] : known.object()) {
    value.set(name, name == "textures" ? textures_json(subject) : member);
  }
  value.set("archive", subject.archive != nullptr ? archive_json(*subject.archive) : Value());
  return value;
}

}  // namespace thaw::cli
