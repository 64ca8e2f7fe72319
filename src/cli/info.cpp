#include <thaw/image.hpp>

#include "bytes/number_text.hpp"
#include "cli/batch.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/report.hpp"
#include "cli/textures.hpp"

namespace thaw::cli {
namespace {

struct TextureState {
  bool found = false;
  std::string where;
};

/// What is told of one file.
struct Subject {
  const Input& input;
  std::uint64_t size;
  Identity identity;
  Facts facts;
  std::vector<TextureState> textures;
  const Diagnostics& findings;
};

std::vector<TextureState> look_for(const Facts& facts, const Sources& sources) {
  std::vector<TextureState> states;
  for (const auto& texture : facts.textures) {
    TextureState state;
    if (auto found = texture.path.empty() ? std::nullopt : sources.find_texture(texture.path)) {
      state = {true, found->where + '/' + found->name};
    }
    states.push_back(std::move(state));
  }
  return states;
}

// --- for machines
// -----------------------------------------------------------------------------------------------

Value vector_json(const Vec3& vector) { return Value::List{vector[0], vector[1], vector[2]}; }

Value clips_json(const Facts& facts) {
  Value list = Value::List();
  for (const auto& clip : facts.clips) {
    list.push(Value()
                  .set("name", clip.name)
                  .set("seconds", clip.seconds)
                  .set("looping", clip.looping)
                  .set("move_speed", clip.move_speed)
                  .set("rarity", clip.rarity));
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
      .set("encoding", picture.encoding)
      .set("decodes", picture.decodes);
}

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
  value.set("clips", clips_json(facts));
  Value loops = Value::List();
  for (const double seconds : facts.loops) {
    loops.push(seconds);
  }
  value.set("loops", std::move(loops));
  value.set("textures", textures_json(subject));
  value.set("bounds", facts.bounds ? Value()
                                         .set("minimum", vector_json(facts.bounds->minimum))
                                         .set("maximum", vector_json(facts.bounds->maximum))
                                         .set("radius", facts.bounds->radius)
                                   : Value());
  value.set("picture", facts.picture ? picture_json(*facts.picture) : Value());
  return value;
}

// --- for people
// -------------------------------------------------------------------------------------------------

std::string number(float value) {
  // JSON's spelling would do for finite numbers only.
  if (!(value - value == 0)) {
    return "not finite";
  }
  std::string text;
  append_number(text, value);
  return text;
}

std::string seconds_text(double seconds) {
  // Clips are whole milliseconds.
  const auto milliseconds = static_cast<long long>(seconds * 1000 + (seconds < 0 ? -0.5 : 0.5));
  std::string fraction = std::to_string(1000 + (milliseconds < 0 ? -milliseconds : milliseconds) % 1000);
  fraction.front() = '.';
  const std::string sign = milliseconds < 0 ? "-" : "";
  return sign + std::to_string((milliseconds < 0 ? -milliseconds : milliseconds) / 1000) + fraction + " s";
}

std::string vector_text(const Vec3& vector) {
  return '(' + number(vector[0]) + ", " + number(vector[1]) + ", " + number(vector[2]) + ')';
}

/// Lines below a common heading.
class Section {
 public:
  Section(std::string& text, std::string_view heading) : text_(text), heading_(heading) {}

  void line(std::string_view content) {
    constexpr std::size_t kWidth = 11;
    std::string start = "  ";
    start += heading_;
    start.append(kWidth - heading_.size(), ' ');
    heading_ = {};
    text_ += start;
    text_ += content;
    text_ += '\n';
  }

 private:
  std::string& text_;
  std::string_view heading_;
};

std::string counts_text(const Facts& facts) {
  std::string text;
  for (const auto& count : facts.counts) {
    text += text.empty() ? "" : ", ";
    text += counted(count.count, count.kind);
  }
  return text;
}

void tell_clips(const Facts& facts, std::string& text) {
  Section section(text, "clips");
  std::size_t width = 0;
  for (const auto& clip : facts.clips) {
    width = std::max(width, clip.name.size());
  }
  for (const auto& clip : facts.clips) {
    std::string line = clip.name;
    line.append(width - line.size() + 2, ' ');
    line += seconds_text(clip.seconds) + (clip.looping ? "  loops" : "  once");
    line += clip.move_speed != 0 ? "  speed " + number(clip.move_speed) : "";
    line += clip.rarity != 0 ? "  rarity " + number(clip.rarity) : "";
    section.line(line);
  }
  Section loops(text, "loops");
  for (const double seconds : facts.loops) {
    loops.line(seconds_text(seconds));
  }
}

std::string texture_text(const Facts::TextureReference& texture, const TextureState& state, bool color) {
  if (texture.path.empty()) {
    const std::string_view name = replaceable_name(texture.replaceable_id);
    return "the game's " + (name.empty() ? std::string("texture") : std::string(name)) + " (replaceable " +
           std::to_string(texture.replaceable_id) + ')';
  }
  return texture.path + (state.found
                             ? "  " + paint(Style::green, "found", color) + ": " + to_utf8(state.where)
                             : "  " + paint(Style::yellow, "not found", color));
}

std::string problems_text(const Subject& subject, const Settings& settings, bool color) {
  std::string text;
  Section section(text, "problems");
  std::size_t untold = 0;
  for (const auto& finding : subject.findings.items()) {
    if (finding.code.severity == Severity::info && !settings.verbose) {
      ++untold;
      continue;
    }
    // Without the file's name, which stands above.
    std::string line = finding_line("", finding, color).substr(1);
    line.pop_back();
    section.line(line.front() == ' ' ? line.substr(1) : line);
  }
  if (untold > 0) {
    section.line(counted(untold, "note") + ", -v shows them");
  }
  return text;
}

std::string info_text(const Subject& subject, const Settings& settings, bool color) {
  const Facts& facts = subject.facts;
  std::string text =
      paint(Style::bold, to_utf8(subject.input.name), color) + ": " + std::string(subject.identity.name);
  text += subject.identity.version ? ", version " + std::to_string(*subject.identity.version) : "";
  text += ", " + human_size(subject.size) + '\n';
  if (!facts.name.empty()) {
    Section(text, "name").line(facts.name);
  }
  if (!facts.counts.empty()) {
    Section(text, "holds").line(counts_text(facts));
  }
  if (facts.picture) {
    const auto& picture = *facts.picture;
    Section(text, "picture")
        .line(std::to_string(picture.width) + " × " + std::to_string(picture.height) + ", " +
              picture.encoding + ", " + counted(picture.levels, "level") + ", " +
              counted(picture.alpha_bits, "bit") + " of alpha" +
              (picture.decodes ? "" : paint(Style::red, ", does not decode", color)));
  }
  if (facts.bounds) {
    Section(text, "bounds")
        .line(vector_text(facts.bounds->minimum) + " to " + vector_text(facts.bounds->maximum) + ", radius " +
              number(facts.bounds->radius));
  }
  tell_clips(facts, text);
  Section textures(text, "textures");
  for (std::size_t i = 0; i < facts.textures.size(); ++i) {
    textures.line(texture_text(facts.textures[i], subject.textures[i], color));
  }
  return text + problems_text(subject, settings, color);
}

class Info {
 public:
  Info(const Settings& settings, std::vector<Input> inputs)
      : settings_(settings), inputs_(std::move(inputs)), folders_(settings) {}

  int run() {
    const Tally tally =
        run_batch(settings_, inputs_, [this](std::size_t index) { return examine(inputs_[index]); });
    if (is_batch(settings_) && tally.exit != kInterrupted) {
      tell(tally);
    }
    return tally.exit;
  }

 private:
  Outcome examine(const Input& input) {
    Diagnostics findings;
    auto content = load(input, settings_);
    if (!content) {
      return failed(input, nullptr, findings, content.error());
    }
    if (content->skipped) {
      Outcome outcome;
      outcome.skipped = true;
      outcome.format = content->identity.format;
      return outcome;
    }
    const auto document = read_any(content->bytes, read_options(settings_), findings);
    if (!document) {
      return failed(input, &content->identity, findings, document.error());
    }
    Facts facts = summarize(*document);
    if (facts.picture) {
      facts.picture->decodes = decode_texture(content->bytes, read_options(settings_), findings).has_value();
    }
    auto textures = look_for(facts, folders_.for_model(input.path, input.name == "-"));
    const Subject subject{
        input, content->bytes.size(), content->identity, std::move(facts), std::move(textures), findings};
    Outcome outcome;
    outcome.warned = findings.count(Severity::warning) > 0;
    outcome.out = settings_.json ? json_line(info_json(subject))
                                 : info_text(subject, settings_, use_color(settings_, stdout_is_terminal()));
    return outcome;
  }

  Outcome failed(const Input& input, const Identity* identity, const Diagnostics& findings,
                 const Error& error) const {
    const bool color = use_color(settings_, stderr_is_terminal());
    Outcome outcome;
    outcome.exit = exit_of(error);
    outcome.err = finding_lines(input.name, findings, settings_, color) +
                  finding_line(input.name, error, color) + hint_line(error);
    outcome.out = settings_.json ? json_line(envelope("info", input.name, identity, findings, &error)) : "";
    return outcome;
  }

  void tell(const Tally& tally) const {
    if (settings_.json) {
      Value value = summary_envelope("info", tally.exit == kOk);
      add_tally(value, tally);
      write_stdout(json_line(value));
    } else if (!settings_.quiet) {
      write_stderr(tally_text(tally) + '\n');
    }
  }

  const Settings& settings_;
  std::vector<Input> inputs_;
  TextureFolders folders_;
};

}  // namespace

int run_info(const Settings& settings) {
  if (const auto missing = missing_source(settings)) {
    write_stderr("thaw: error usage: --source " + *missing + " is not a folder\n");
    return kUsage;
  }
  auto inputs = collect_inputs(settings);
  if (!inputs) {
    write_stderr(finding_line(settings.files_from, inputs.error(), false));
    return exit_of(inputs.error());
  }
  return Info(settings, std::move(*inputs)).run();
}

}  // namespace thaw::cli
