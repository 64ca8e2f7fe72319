#include "bytes/escape.hpp"
#include "bytes/number_text.hpp"
#include "cli/report/console.hpp"
#include "cli/report/info.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace thaw::cli {
namespace {

std::string number_text(float value) {
  if (!std::isfinite(value)) {
    return "not finite";
  }
  std::string text;
  append_number(text, value);
  return text;
}

std::string seconds_text(double seconds) {
  constexpr double kLongest = 1e12;
  if (!(std::abs(seconds) < kLongest)) {
    return "invalid time";
  }
  // Clips are whole milliseconds.
  const long long milliseconds = std::llround(seconds * 1000);
  const std::string digits = std::to_string(1000 + std::abs(milliseconds) % 1000);
  std::string text = milliseconds < 0 ? "-" : "";
  text += std::to_string(std::abs(milliseconds) / 1000) + '.' + digits.substr(1) + " s";
  return text;
}

std::string vector_text(const Vec3& vector) {
  return '(' + number_text(vector[0]) + ", " + number_text(vector[1]) + ", " + number_text(vector[2]) + ')';
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

std::string sampled_text(const Facts::Clip& clip) {
  std::string text = "  " + number_text(clip.rate) + " Hz  " + counted(clip.channels, "channel");
  return text + (clip.events > 0 ? "  " + counted(clip.events, "event") : "");
}

void report_skeletons(const Facts& facts, std::string& text) {
  Section section(text, "skeletons");
  for (const auto& skeleton : facts.skeletons) {
    section.line(shown(skeleton.name) + "  " + counted(skeleton.bones, "bone"));
  }
}

void report_levels(const Facts& facts, std::string& text) {
  Section section(text, "levels");
  for (std::size_t i = 0; i < facts.levels.size(); ++i) {
    const Facts::Level& level = facts.levels[i];
    section.line(std::to_string(i) + "  " + counted(level.geosets, "geoset") + "  " +
                 counted(level.vertices, "vertex") + "  " + counted(level.triangles, "triangle") + "  " +
                 counted(level.batches, "batch"));
  }
}

void report_clips(const Facts& facts, std::string& text) {
  Section section(text, "clips");
  std::size_t width = 0;
  for (const auto& clip : facts.clips) {
    width = std::max(width, shown(clip.name).size());
  }
  for (const auto& clip : facts.clips) {
    std::string line = shown(clip.name);
    line.append(width - line.size() + 2, ' ');
    line += seconds_text(clip.seconds);
    line += clip.rate > 0 ? sampled_text(clip) : clip.looping ? "  loops" : "  once";
    line += clip.move_speed != 0 ? "  speed " + number_text(clip.move_speed) : "";
    line += clip.rarity != 0 ? "  rarity " + number_text(clip.rarity) : "";
    section.line(line);
  }
  Section loops(text, "loops");
  for (const double seconds : facts.loops) {
    loops.line(seconds_text(seconds));
  }
}

std::string texture_text(const Facts::TextureReference& texture, const TextureState& state, bool color) {
  if (texture.path.empty()) {
    const std::string_view name = texture.supplied;
    return "the game's " + (name.empty() ? std::string("texture") : std::string(name)) + " (replaceable " +
           std::to_string(texture.replaceable_id) + ')';
  }
  return shown(texture.path) + (state.found
                                    ? "  " + paint(Style::green, "found", color) + ": " + shown(state.where)
                                    : "  " + paint(Style::yellow, "not found", color));
}

std::string problems_text(const Subject& subject, const Settings& settings, bool color) {
  std::string text;
  Section section(text, "problems");
  std::size_t unreported = 0;
  for (const auto& finding : subject.findings.items()) {
    if (finding.code.severity == Severity::info && !settings.verbose &&
        finding.code != codes::kNamesCodePage) {
      ++unreported;
      continue;
    }
    // Without the file's name, which stands above.
    std::string line = finding_line("", finding, color).substr(1);
    line.pop_back();
    section.line(line.front() == ' ' ? line.substr(1) : line);
  }
  if (unreported > 0) {
    section.line(counted(unreported, "note") + "; show them with -v");
  }
  return text;
}

}  // namespace

std::string info_text(const Subject& subject, const Settings& settings, bool color) {
  const Facts& facts = subject.facts;
  std::string text =
      paint(Style::bold, shown(subject.input.name), color) + ": " + std::string(subject.identity.name);
  text += subject.identity.version ? ", version " + std::to_string(*subject.identity.version) : "";
  text += ", " + human_size(subject.size) + '\n';
  if (!facts.name.empty()) {
    Section(text, "name").line(shown(facts.name));
  }
  if (!facts.counts.empty()) {
    Section(text, "holds").line(counts_text(facts));
  }
  if (subject.archive != nullptr) {
    Section(text, "archive").line(shown(subject.archive->summary()));
  }
  if (facts.picture) {
    const auto& picture = *facts.picture;
    Section(text, "picture")
        .line(std::to_string(picture.width) + " × " + std::to_string(picture.height) + ", " +
              shown(picture.encoding) + ", " + counted(picture.levels, "level") + ", " +
              counted(picture.alpha_bits, "bit") + " of alpha");
  }
  if (facts.bounds) {
    Section(text, "bounds")
        .line(vector_text(facts.bounds->minimum) + " to " + vector_text(facts.bounds->maximum) +
              (facts.bounds->radius != 0 ? ", radius " + number_text(facts.bounds->radius) : ""));
  }
  Section stated(text, "states");
  for (const auto& one : facts.stated) {
    stated.line(std::string(one.name) + ' ' + shown(one.value));
  }
  report_skeletons(facts, text);
  report_levels(facts, text);
  report_clips(facts, text);
  if (!facts.in_game.empty()) {
    Section(text, "in game").line(shown(facts.in_game));
  }
  Section references(text, "refers to");
  for (const auto& reference : facts.references) {
    references.line(std::string(reference.kind) + ' ' + shown(reference.path));
  }
  Section textures(text, "textures");
  for (std::size_t i = 0; i < facts.textures.size(); ++i) {
    textures.line(texture_text(facts.textures[i], subject.textures[i], color));
  }
  return text + problems_text(subject, settings, color);
}

}  // namespace thaw::cli
