// Clips on the one time line of a model, with gaps that no interpolation crosses.
#include "formats/warcraft/mdx/from_scene/model_builder.hpp"
#include "formats/warcraft/mdx/from_scene/onto.hpp"

#include "bytes/number_text.hpp"
#include "bytes/text.hpp"
#include "scene/clip_changes.hpp"
#include "scene/curve.hpp"

#include <algorithm>
#include <set>

namespace thaw::mdx {
namespace {

constexpr std::int64_t kGap = 1000;  // ms
/// Clocks of the game are words with a sign.
constexpr std::int64_t kEnd = std::numeric_limits<std::int32_t>::max();

bool meets(const ClipSpan& a, const ClipSpan& b) { return a.first <= b.last && b.first <= a.last; }

std::int64_t milliseconds(float seconds) {
  const double exact = std::round(double{seconds} * 1000);
  return exact < 0 ? 0 : static_cast<std::int64_t>(std::min(exact, 1e15));
}

/// Where the clip was on the time line that it came from, as far as that is still so.
std::optional<ClipSpan> stated_span(const scene::Clip& clip, std::int64_t duration) {
  if (!clip.interval || clip.interval->first < 0 || clip.interval->first > kEnd - duration) {
    return std::nullopt;
  }
  return ClipSpan{clip.interval->first, clip.interval->first + duration, -1};
}

/// A clip whose place is occupied is placed after all others.
void place_rest(ModelBuilder& builder, const std::vector<bool>& placed) {
  std::int64_t end = -1;
  for (std::size_t i = 0; i < placed.size(); ++i) {
    end = placed[i] && builder.spans[i].global < 0 ? std::max(end, builder.spans[i].last) : end;
  }
  for (std::size_t i = 0; i < placed.size(); ++i) {
    ClipSpan& span = builder.spans[i];
    if (!placed[i]) {
      const std::int64_t duration = span.last - span.first;
      span.first = end < 0 ? 0 : (end / kGap + 1) * kGap + (end % kGap == 0 ? 0 : kGap);
      span.last = span.first + duration;
      end = span.last;
    }
  }
}

/// Customary where a scene says nothing: these play once.
bool loops_by_name(std::string_view name) {
  constexpr std::array<std::string_view, 7> kOnce = {"attack", "death", "decay", "dissipate",
                                                     "birth",  "morph", "spell"};
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) { return ascii::lower(c); });
  if (lower.find("channel") != std::string::npos || lower.find("looping") != std::string::npos) {
    return true;
  }
  return std::none_of(kOnce.begin(), kOnce.end(),
                      [&](std::string_view once) { return lower.substr(0, once.size()) == once; });
}

/// The number of a loop among those that the model had, if it is still as long.
std::optional<std::size_t> stated_loop(const scene::Clip& clip, const Array<std::uint32_t>& stated,
                                       std::int64_t duration) {
  constexpr std::string_view kName = "global:";
  const auto number = ascii::begins_with(clip.name, kName)
                          ? parse_whole(std::string_view(clip.name).substr(kName.size()))
                          : std::nullopt;
  return number && *number < stated.size() && stated[*number] == duration
             ? std::optional<std::size_t>(*number)
             : std::nullopt;
}

bool is_global(const scene::Clip& clip) { return clip.global || ascii::begins_with(clip.name, "global:"); }

}  // namespace

namespace {

/// How long the loops are that the model had.
Array<std::uint32_t> stated_globals(const ModelBuilder& builder) {
  Array<std::uint32_t> durations;
  for (const Value& loop : ModelBuilder::mdx_extras(builder.scene)["globalSequences"].list()) {
    durations.push_back(static_cast<std::uint32_t>(
        std::clamp<std::int64_t>(loop.integer().value_or(0), 0, std::numeric_limits<std::uint32_t>::max())));
  }
  return durations;
}

/// Global loops have clocks of their own.
void number_loops(ModelBuilder& builder, std::vector<bool>& placed) {
  const Array<std::uint32_t> stated = stated_globals(builder);
  Array<std::uint32_t> globals = stated;
  for (std::size_t i = 0; i < placed.size(); ++i) {
    if (!is_global(builder.scene.clips[i])) {
      continue;
    }
    ClipSpan& span = builder.spans[i];
    placed[i] = true;
    const auto known = stated_loop(builder.scene.clips[i], stated, span.last);
    span.global = static_cast<std::int32_t>(known.value_or(globals.size()));
    if (!known) {
      globals.push_back(static_cast<std::uint32_t>(span.last));
    }
  }
  if (!globals.empty()) {
    chunk_of<GlobalSequences>(builder.document, FourCC{"GLBS"}).durations = std::move(globals);
  }
}

/// Clips stay where they were: first those that are as long as they were, so that a longer one moves no
/// other.
void keep_places(ModelBuilder& builder, std::vector<bool>& placed) {
  std::vector<std::size_t> occupied;
  std::size_t moved = 0;
  for (const bool changed : {false, true}) {
    for (std::size_t i = 0; i < placed.size(); ++i) {
      const scene::Clip& clip = builder.scene.clips[i];
      const std::int64_t duration = builder.spans[i].last;
      const auto stated = placed[i] ? std::nullopt : stated_span(clip, duration);
      const bool copy = clip.source.copy;
      if (!stated || (copy || clip.interval->last - clip.interval->first != duration) != changed) {
        continue;
      }
      placed[i] = std::none_of(occupied.begin(), occupied.end(),
                               [&](std::size_t other) { return meets(builder.spans[other], *stated); });
      if (placed[i]) {
        builder.spans[i] = *stated;
        occupied.push_back(i);
      }
      moved += placed[i] || copy ? 0U : 1U;
    }
  }
  if (moved > 0) {
    builder.change(std::to_string(moved) +
                   (moved == 1 ? " sequence moved after the last" : " sequences moved after the last") +
                   ", to resolve overlaps on the time line");
  }
}

}  // namespace

Result<void> lay_out_clips(ModelBuilder& builder) {
  const auto& clips = builder.scene.clips;
  std::int64_t total = 0;
  for (const scene::Clip& clip : clips) {
    const std::int64_t duration = milliseconds(clip.duration);
    total += std::min(duration, kEnd) + 2 * kGap;
    if (duration > kEnd || total > kEnd) {
      return fail(codes::kWriteUnsupported,
                  "the animations together exceed 24 days, the limit of the game's clock");
    }
    builder.spans.push_back({0, duration, -1});
  }
  std::vector<bool> placed(clips.size());
  number_loops(builder, placed);
  keep_places(builder, placed);
  place_rest(builder, placed);
  const bool beyond = std::any_of(builder.spans.begin(), builder.spans.end(),
                                  [](const ClipSpan& span) { return span.last > kEnd; });
  if (beyond) {
    return fail(codes::kWriteUnsupported,
                "the time line of the animations exceeds 24 days, the limit of the game's clock");
  }
  return {};
}

namespace {

/// Writers put a curve that moves nothing into animations that would be empty without.
bool shows_rest_pose(const ModelBuilder& builder, const scene::Channel& channel) {
  if (channel.target.kind != Target::Kind::node || channel.target.index >= builder.scene.nodes.size()) {
    return false;
  }
  const scene::Transform& rest = builder.scene.nodes[channel.target.index].rest;
  const auto still = [&](const auto& value) {
    return channel.curve.components == value.size() && scene::is_constant(channel.curve, value);
  };
  return channel.property == Property::translation ? still(rest.translation)
         : channel.property == Property::rotation  ? still(rest.rotation)
                                                   : channel.property == Property::scale && still(rest.scale);
}

}  // namespace

void index_channels(ModelBuilder& builder) {
  std::size_t twice = 0;
  for (Index clip = 0; clip < builder.scene.clips.size(); ++clip) {
    for (const auto& channel : builder.scene.clips[clip].channels) {
      if (!channel.curve.empty() && !(builder.spans[clip].global >= 0 && shows_rest_pose(builder, channel))) {
        auto& curves =
            builder
                .channels[{channel.target.kind, channel.target.index, channel.target.sub, channel.property}];
        const bool known = !curves.empty() && curves.back().first == clip;
        twice += known ? 1U : 0U;
        if (!known) {
          curves.emplace_back(clip, &channel.curve);
        }
      }
    }
  }
  // Where no clip moves a node, nothing has to be said of it.
  std::set<ModelBuilder::ChannelKey> moving;
  for (const auto& clip : builder.scene.clips) {
    for (const auto& channel : clip.channels) {
      if (!shows_rest_pose(builder, channel)) {
        moving.insert({channel.target.kind, channel.target.index, channel.target.sub, channel.property});
      }
    }
  }
  for (auto entry = builder.channels.begin(); entry != builder.channels.end();) {
    entry = moving.contains(entry->first) ? std::next(entry) : builder.channels.erase(entry);
  }
  if (twice > 0) {
    builder.lose("second curves of the same property in a clip left out: " + std::to_string(twice));
  }
}

namespace {

/// In the model's units. Extras have it in those of the game that the scene came from.
float move_speed(const ModelBuilder& builder, const scene::Clip& clip, double usual) {
  const std::string& format = clip.source.format;
  if (const auto stated = clip.extras["moveSpeed"].number(); stated && !format.empty()) {
    const float unit = scene::stated_scale(builder.scene, format).value_or(builder.options.scale);
    return scene::to_float(*stated * (double{unit} / double{builder.options.scale}));
  }
  return scene::to_float(clip.properties["wc3_move_speed"].number().value_or(usual));
}

}  // namespace

void make_sequences(ModelBuilder& builder) {
  Sequences sequences;
  for (Index i = 0; i < builder.scene.clips.size(); ++i) {
    const scene::Clip& clip = builder.scene.clips[i];
    if (builder.spans[i].global >= 0) {
      continue;
    }
    Sequence sequence;
    sequence.name = fixed<80>(builder, clip.name.empty() ? "Sequence " + std::to_string(i) : clip.name);
    sequence.start = static_cast<std::uint32_t>(builder.spans[i].first);
    sequence.end = static_cast<std::uint32_t>(builder.spans[i].last);
    const bool stated = clip.source.loops_stated;
    const Value& stated_loop = clip.properties["wc3_looping"];
    const bool looping = stated ? clip.looping
                         : stated_loop.is_null()
                             ? loops_by_name(clip.name)
                             : stated_loop == Value(true) || stated_loop.number().value_or(0) != 0;
    sequence.flags = looping ? 0 : Sequence::kNonLooping;
    const bool walks = ascii::begins_with(clip.name, "walk");
    sequence.move_speed = move_speed(builder, clip, walks && !stated ? 270 : 0);
    sequence.rarity = static_cast<float>(ModelBuilder::mdx_extras(clip)["rarity"].number().value_or(
        clip.properties["wc3_rarity"].number().value_or(0)));
    sequence.sync_point = static_cast<std::uint32_t>(
        std::clamp<std::int64_t>(ModelBuilder::mdx_extras(clip)["syncPoint"].integer().value_or(0), 0, kEnd));
    sequences.items.push_back(sequence);
  }
  if (!sequences.items.empty()) {
    chunk_of<Sequences>(builder.document, FourCC{"SEQS"}) = std::move(sequences);
  }
}

namespace {

/// Clips that are sequences, in their order.
std::vector<Index> sequence_clips(const scene::Scene& scene) {
  std::vector<Index> clips;
  for (Index i = 0; i < scene.clips.size(); ++i) {
    if (!is_global(scene.clips[i])) {
      clips.push_back(i);
    }
  }
  return clips;
}

}  // namespace

std::vector<SequenceMove> sequence_moves(const scene::Scene& before_scene, const Document& before,
                                         const scene::Scene& after_scene, const Document& after) {
  const auto was = sequence_clips(before_scene);
  const auto is = sequence_clips(after_scene);
  const auto partners = scene::clip_partners(before_scene, after_scene);
  const std::size_t most = before.all<Sequences>().size();
  std::vector<SequenceMove> moves;
  for (const Sequence* sequence : after.all<Sequences>()) {
    const std::size_t i = moves.size();
    SequenceMove& move = moves.emplace_back();
    move.now = {static_cast<std::int32_t>(sequence->start), static_cast<std::int32_t>(sequence->end), false};
    // What a model lacks is added after the clips, in both alike.
    const auto added = static_cast<std::ptrdiff_t>(i) - static_cast<std::ptrdiff_t>(is.size());
    const auto found = i < is.size() ? std::find(was.begin(), was.end(), partners[is[i]].was) - was.begin()
                                     : static_cast<std::ptrdiff_t>(was.size()) + added;
    const bool known = i < is.size() ? found < static_cast<std::ptrdiff_t>(was.size()) : true;
    move.was = known && found < static_cast<std::ptrdiff_t>(most) ? found : -1;
  }
  return moves;
}

}  // namespace thaw::mdx
