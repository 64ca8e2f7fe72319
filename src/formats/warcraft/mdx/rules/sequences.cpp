// Sequences and global sequences.
#include "bytes/text.hpp"
#include "formats/warcraft/mdx/rules/table.hpp"
#include "formats/warcraft/mdx/rules/usage.hpp"

#include <algorithm>
#include <map>

namespace thaw::mdx::rules {
namespace {

bool has_sequence(const Model& model, std::string_view first_word) {
  return std::any_of(model.sequences.begin(), model.sequences.end(), [&](const Item<Sequence>& sequence) {
    const auto words = sequence_words(sequence->name.view());
    return !words.empty() && words.front() == first_word;
  });
}

std::string quoted(const Sequence& sequence) { return say("\"", sequence.name.view(), "\""); }

std::vector<bool> used_global_sequences(const Model& model) {
  std::vector<bool> used(model.global_sequences.size());
  const auto use = [&](std::int32_t id) {
    if (const auto index = index_in(id, used.size())) {
      used[*index] = true;
    }
  };
  for (const auto& track : model.tracks) {
    use(track.track->global_sequence);
  }
  for (const auto& event : model.events) {
    use(event->track ? event->track->global_sequence : -1);
  }
  return used;
}

void same_start(const Model& model, Report& report) {
  std::map<std::uint32_t, std::size_t> starts;
  for (std::size_t i = 0; i < model.sequences.size(); ++i) {
    const auto& sequence = model.sequences[i];
    const auto [other, is_new] = starts.emplace(sequence->start, i);
    if (!is_new && model.version == 800) {
      report.add(sequence.path + ".start", say(quoted(*sequence), " starts at ", sequence->start, ", as ",
                                               quoted(*model.sequences[other->second]), " does"));
    }
  }
}

void overlap(const Model& model, Report& report) {
  if (model.version != 800) {
    return;
  }
  // In the order of time; where they stand in the file is the business of another rule.
  std::vector<const Item<Sequence>*> order;
  for (const auto& item : model.sequences) {
    order.push_back(&item);
  }
  std::sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    return std::pair((*a)->start, a) < std::pair((*b)->start, b);  // all are of one list
  });
  const Item<Sequence>* before = nullptr;  // the one that ends last
  for (const auto* item : order) {
    const auto& sequence = *item;
    if (before != nullptr && sequence->start != (*before)->start && sequence->start < (*before)->end) {
      report.add(sequence.path + ".start", say(quoted(*sequence), " starts at ", sequence->start, ", before ",
                                               quoted(**before), " ends at ", (*before)->end));
    }
    before = before == nullptr || sequence->end > (*before)->end ? item : before;
  }
}

void sequence_unsorted(const Model& model, Report& report) {
  for (std::size_t i = 1; i < model.sequences.size(); ++i) {
    const auto& sequence = model.sequences[i];
    const auto& before = model.sequences[i - 1];
    if (sequence->start < before->start) {
      report.add(sequence.path + ".start", say(quoted(*sequence), " starts before ", quoted(*before),
                                               ", which precedes it in the file"));
    }
  }
}

void touching(const Model& model, Report& report) {
  std::map<std::uint32_t, std::size_t> ends;
  for (std::size_t i = 0; i < model.sequences.size(); ++i) {
    ends.emplace(model.sequences[i]->end, i);
  }
  for (std::size_t i = 0; i < model.sequences.size(); ++i) {
    const auto& sequence = model.sequences[i];
    const auto other = ends.find(sequence->start);
    if (other != ends.end() && other->second != i) {
      report.add(sequence.path + ".start", say(quoted(*sequence), " starts at the frame at which ",
                                               quoted(*model.sequences[other->second]), " ends"));
    }
  }
}

void sequence_name_duplicate(const Model& model, Report& report) {
  std::map<std::string, std::size_t> seen;
  for (std::size_t i = 0; i < model.sequences.size(); ++i) {
    const auto& sequence = model.sequences[i];
    const auto [other, is_new] = seen.emplace(ascii::lowered(trimmed(sequence->name.view())), i);
    if (!is_new) {
      report.add(sequence.path + ".name",
                 say(quoted(*sequence), " is also the name of sequence ", other->second));
    }
  }
}

constexpr std::array kSequenceRules = {
    ModelRule(
        "mdx.sequence-none", {kWarning, kInfo, kInfo}, "no sequences",
        "Without sequences nothing moves, and some tools refuse the model. Add a Stand.",
        once([](const Model& model) { return model.sequences.empty() ? "the model has no sequences" : ""; })),
    ModelRule("mdx.sequence-missing-stand", {kSevere, kWarning, kWarning}, "no Stand sequence",
              "The game plays Stand by default. Effects, missiles and user interface models need none: "
              "state this with --kind. --fix=all adds one without motion.",
              kFixable, once<"SEQS">([](const Model& model) {
                const bool needed = model.kind != AssetKind::effect && model.kind != AssetKind::missile &&
                                    model.kind != AssetKind::ui;
                return needed && !model.sequences.empty() && !has_sequence(model, "stand")
                           ? "no sequence begins with Stand"
                           : "";
              })),
    ModelRule(
        "mdx.sequence-missing-death", {kSevere, kWarning, kWarning}, "no Death sequence",
        "Units and buildings without it vanish at once, and missiles do not explode. Doodads, effects and "
        "user interface models need none: state this with --kind. --fix=all adds one without motion.",
        kFixable, once<"SEQS">([](const Model& model) {
          const bool needed = model.kind == AssetKind::automatic || model.kind == AssetKind::unit ||
                              model.kind == AssetKind::building || model.kind == AssetKind::missile;
          return needed && !model.sequences.empty() && !has_sequence(model, "death")
                     ? "no sequence begins with Death"
                     : "";
        })),
    ModelRule("mdx.sequence-missing-walk", always(kInfo), "unit without Walk sequence",
              "The unit glides over the ground. Add a Walk sequence.", once<"SEQS">([](const Model& model) {
                return model.options.kind == AssetKind::unit && !model.sequences.empty() &&
                               !has_sequence(model, "walk")
                           ? "no sequence begins with Walk"
                           : "";
              })),
    ModelRule("mdx.sequence-same-start", {kSevere, kWarning, kSevere}, "sequences with the same start frame",
              "In models of version 800 the game may confuse them. Move one of them on the time line, as "
              "--fix=all does.",
              kFixable, same_start),
    ModelRule("mdx.sequence-overlap", {kSevere, kWarning, kSevere}, "overlapping sequences",
              "Keys of one affect the other. Move one of them on the time line, as --fix=all does.", kFixable,
              overlap),
    ModelRule("mdx.sequence-unsorted", {kSevere, kInfo, kWarning}, "sequences not in frame order",
              "Checkers and some tools expect this order. Sort them together with the geosets' extents, as "
              "--fix=all does. Scripts that use sequence numbers must be adapted.",
              kFixable, sequence_unsorted),
    ModelRule("mdx.sequence-touching", always(kInfo), "sequence starts where another ends",
              "A key at this frame belongs to both. Leave a gap.", touching),
    ModelRule("mdx.sequence-name-unknown", always(kWarning), "unknown sequence name",
              "The game uses names such as Stand, Walk, Attack, Spell, Death, Decay, Birth, Portrait, "
              "Morph, Sleep, Dissipate, Cinematic and Ready. Scripts can play others by number only.",
              each<&Model::sequences, "name">([](const Sequence& sequence) {
                constexpr std::array<std::string_view, 13> kNames = {
                    "attack",   "birth", "cinematic", "death", "decay", "dissipate", "morph",
                    "portrait", "sleep", "spell",     "stand", "walk",  "ready"};
                const auto words = sequence_words(sequence.name.view());
                const bool known =
                    !words.empty() && std::find(kNames.begin(), kNames.end(), words.front()) != kNames.end();
                return !known ? say(quoted(sequence), " does not begin with a name that the game uses") : "";
              })),
    ModelRule("mdx.sequence-name-empty", always(kWarning), "sequence without a name",
              "It can be played by number only. Give it a name.", kFixable,
              each<&Model::sequences, "name">([](const Sequence& sequence) {
                return sequence.name.view().empty() ? "the sequence has no name" : "";
              })),
    ModelRule("mdx.sequence-name-duplicate", always(kInfo), "duplicate sequence name",
              R"(The game chooses between them by rarity; usual names are "Stand - 1", "Stand - 2".)",
              sequence_name_duplicate),
    ModelRule("mdx.sequence-zero-length", always(kWarning), "sequence without length",
              "Nothing moves in it. Set its end after its start.",
              each<&Model::sequences, "end">([](const Sequence& sequence) {
                return sequence.start == sequence.end
                           ? say(quoted(sequence), " starts and ends at ", sequence.start)
                           : "";
              })),
    ModelRule("mdx.sequence-negative-length", {kWarning, kSevere, kError}, "sequence ends before it starts",
              "It contains no keys. Swap start and end.",
              each<&Model::sequences, "end">([](const Sequence& sequence) {
                return sequence.end < sequence.start ? say(quoted(sequence), " ends at ", sequence.end,
                                                           ", before its start at ", sequence.start)
                                                     : "";
              })),
    ModelRule("mdx.sequence-flags", {kOff, kOff, kInfo}, "unknown sequence flags",
              "Only bit 0 (not looping) is known. Clear the others.",
              each<&Model::sequences, "flags">([](const Sequence& sequence) {
                return sequence.flags > Sequence::kNonLooping
                           ? say("flags ", sequence.flags, " have undefined bits")
                           : "";
              })),
    ModelRule("mdx.sequence-numbers", {kWarning, kWarning, kError}, "invalid move speed or rarity",
              "Both must be finite, and the rarity must not be negative.",
              each<&Model::sequences, "moveSpeed">([](const Sequence& sequence) {
                return !std::isfinite(sequence.move_speed)
                           ? say("move speed ", sequence.move_speed, " is not finite")
                       : !std::isfinite(sequence.rarity) ? say("rarity ", sequence.rarity, " is not finite")
                       : sequence.rarity < 0             ? say("rarity ", sequence.rarity, " is negative")
                                                         : "";
              })),
    ModelRule("mdx.global-sequence-zero", {kWarning, kInfo, kWarning}, "global sequence without length",
              "Its tracks stay at frame 0. Programs that divide by the length fail. Set its length in "
              "milliseconds.",
              each<&Model::global_sequences>([](const std::uint32_t& global) {
                return global == 0 ? "the global sequence has no length" : "";
              })),
    ModelRule("mdx.global-sequence-negative", {kWarning, kWarning, kError}, "negative global sequence length",
              "Set a positive length in milliseconds.",
              each<&Model::global_sequences>([](const std::uint32_t& global) {
                return static_cast<std::int32_t>(global) < 0
                           ? say("the length of the global sequence, ", static_cast<std::int32_t>(global),
                                 ", is negative")
                           : "";
              })),
    ModelRule("mdx.global-sequence-unused", always(kUnused), "unused global sequence",
              "It has no effect. Removing it changes the indices of later ones.", kFixable,
              [](const Model& model, Report& report) {
                report_unused(model.global_sequences, used_global_sequences(model),
                              "no track uses the global sequence", report);
              }),
};

}  // namespace

std::span<const ModelRule> sequence_rules() { return kSequenceRules; }

}  // namespace thaw::mdx::rules
