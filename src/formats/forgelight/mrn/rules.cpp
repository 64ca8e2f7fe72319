// See mrn.md#checks. Damage, and pointers that lead nowhere, are the reader's to tell.
#include "formats/forgelight/mrn/rules.hpp"

#include <algorithm>
#include <string>

namespace thaw::mrn {
namespace {

using Subject = DocumentSubject<Document>;

constexpr auto kPackets = [](const Subject& subject, const auto& use) {
  walk(subject.document.packets, "packets", use);
};
/// What packets of a kind hold.
template <class T>
constexpr auto kBodies = [](const Subject& subject, const auto& use) {
  kPackets(subject, [&](const Packet& packet, const auto& path) {
    if (const T* body = packet.get_if<T>()) {
      use(*body, path);
    }
  });
};

// --- names

void report_table(const StringTable& table, const std::string& path, Report& report) {
  if (!table.present) {
    return;
  }
  if (table.offsets.size() < table.count) {
    report.add(path, say("the table states ", counted_noun(table.count, "string"), ", but has ",
                         counted_noun(table.offsets.size(), "offset")));
  }
  for (std::size_t i = 0; i < table.offsets.size(); ++i) {
    const std::size_t from = table.offsets[i];
    const auto begin =
        table.strings.begin() + static_cast<std::ptrdiff_t>(std::min(from, table.strings.size()));
    if (std::find(begin, table.strings.end(), '\0') == table.strings.end()) {
      report.add(path, say("string ", i,
                           from < table.strings.size() ? " is not terminated" : " is outside the table"));
    }
  }
}

void strings(const Subject& subject, Report& report) {
  kBodies<Skeleton>(subject, [&](const Skeleton& body, const auto& path) {
    report_table(body.names, path() + ".data.names", report);
  });
  kBodies<Plugins>(subject, [&](const Plugins& body, const auto& path) {
    report_table(body.names, path() + ".data.names", report);
  });
  kBodies<SkeletonNames>(subject, [&](const SkeletonNames& body, const auto& path) {
    report_table(body.names, path() + ".data.names", report);
  });
  kBodies<FileNames>(subject, [&](const FileNames& body, const auto& path) {
    report_table(body.files, path() + ".data.files", report);
    report_table(body.types, path() + ".data.types", report);
    report_table(body.sources, path() + ".data.sources", report);
    report_table(body.takes, path() + ".data.takes", report);
  });
}

void animation_count(const Subject& subject, Report& report) {
  if (subject.document.layout != Layout::v26_le64) {
    return;  // elsewhere animations are files
  }
  const std::size_t count = subject.document.all<nsa::Document>().size();
  kBodies<FileNames>(subject, [&](const FileNames& body, const auto& path) {
    if (body.files.count != count) {
      report.add(path() + ".data",
                 say(counted_noun(body.files.count, "name"), " for ", counted_noun(count, "animation")));
    }
  });
}

void asset_ids(const Subject& subject, Report& report) {
  std::uint32_t index = 0;
  kPackets(subject, [&](const Packet& packet, const auto& path) {
    const bool counts = packet.get_if<nsa::Document>() != nullptr;
    if (counts && packet.asset_id != index) {
      report.add(path() + ".assetId",
                 say("animation ", index, " has the asset id ", packet.asset_id, " instead of ", index));
    }
    index += counts ? 1U : 0U;
  });
}

void crc_list(const Subject& subject, Report& report) {
  const auto* names = subject.document.find<FileNames>();
  kPackets(subject, [&](const Packet& packet, const auto& path) {
    const auto* body = packet.get_if<nsa::Document>();
    if (names != nullptr && body != nullptr && packet.asset_id < names->crcs.size() &&
        names->crcs[packet.asset_id] != body->header.crc) {
      report.add(path() + ".data.header.crc", "the file name list states a different checksum");
    }
  });
}

void skeleton_count(const Subject& subject, Report& report) {
  const std::size_t count = subject.document.all<Skeleton>().size();
  kBodies<SkeletonNames>(subject, [&](const SkeletonNames& body, const auto& path) {
    if (body.names.count != count) {
      report.add(path() + ".data.names",
                 say(counted_noun(body.names.count, "name"), " for ", counted_noun(count, "skeleton")));
    }
  });
}

// --- skeletons

void hierarchy(const Subject& subject, Report& report) {
  kBodies<Skeleton>(subject, [&](const Skeleton& body, const auto& path) {
    Diagnostics findings;
    (void)parents(body, findings);
    for (const auto& finding : findings.items()) {
      report.add(path() + ".data." + (finding.path == "chains" ? "chains" : "parents"), finding.message);
    }
  });
}

void parent_order(const Subject& subject, Report& report) {
  kBodies<Skeleton>(subject, [&](const Skeleton& body, const auto& path) {
    const auto& list = body.hierarchy.parents;
    for (std::size_t bone = 0; bone < list.size(); ++bone) {
      if (list[bone] >= 0 && static_cast<std::size_t>(list[bone]) >= bone) {
        report.add(path() + ".data.parents",
                   say("bone ", bone, " has the parent ", list[bone], ", which is not before it"));
      }
    }
  });
}

void quaternions(const Subject& subject, Report& report) {
  constexpr double kTolerance = 1e-3;
  kBodies<Skeleton>(subject, [&](const Skeleton& body, const auto& path) {
    const std::size_t count = std::min<std::size_t>(body.bind_pose.count, body.bind_pose.rotations.size());
    for (std::size_t bone = 0; bone < count; ++bone) {
      double square = 0;
      for (const float component : body.bind_pose.rotations[bone]) {
        square += double{component} * double{component};
      }
      if (!(std::abs(square - 1) <= kTolerance)) {
        report.add(path() + ".data.rotations", say("the bind rotation of bone ", bone, " has length ",
                                                   std::sqrt(square), " instead of 1"));
      }
    }
  });
}

// --- maps

void map_bones(const Subject& subject, Report& report) {
  kBodies<RigMap>(subject, [&](const RigMap& body, const auto& path) {
    std::set<std::uint16_t> seen;
    for (std::size_t i = 0; i < body.bones.size(); ++i) {
      if (body.bones[i] >= body.skeleton_bones()) {
        report.add(path() + ".data.bones",
                   say("channel ", i, " drives bone ", body.bones[i], "; the skeleton has ",
                       counted_noun(body.skeleton_bones(), "bone")));
      } else if (!seen.insert(body.bones[i]).second) {
        report.add(path() + ".data.bones", say("bone ", body.bones[i], " is driven by two channels"));
      }
    }
  });
}

void map_counts(const Subject& subject, Report& report) {
  const auto animations = subject.document.all<nsa::Document>();
  const auto skeletons = subject.document.all<Skeleton>();
  kBodies<RigMap>(subject, [&](const RigMap& body, const auto& path) {
    const bool used = animations.empty() ||
                      std::any_of(animations.begin(), animations.end(), [&](const nsa::Document* animation) {
                        return animation->channels() == body.count;
                      });
    if (!used) {
      report.add(path() + ".data.map", say("the rig map has ", counted_noun(body.count, "channel"),
                                           ", but no animation of the network has as many"));
    }
    const bool fits =
        skeletons.empty() || std::any_of(skeletons.begin(), skeletons.end(), [&](const Skeleton* skeleton) {
          return skeleton->bones() == body.skeleton_bones();
        });
    if (!fits) {
      report.add(path() + ".data.usedBones",
                 say("the rig map is of ", counted_noun(body.skeleton_bones(), "bone"),
                     ", but no skeleton of the network has as many"));
    }
  });
}

// --- events

void event_times(const Subject& subject, Report& report) {
  constexpr float kTolerance = 1e-4F;
  kBodies<EventTrack>(subject, [&](const EventTrack& body, const auto& path) {
    for (std::size_t i = 0; i < body.events.size(); ++i) {
      const Event& event = body.events[i];
      if (!(event.start >= 0 && event.duration >= 0 && event.start + event.duration <= 1 + kTolerance)) {
        report.add(at(path() + ".data.events.list", i),
                   say("the event begins at ", event.start, " and lasts ", event.duration,
                       "; the clip runs from 0 to 1"));
      }
    }
  });
}

constexpr std::array kRules = {
    nsa::NetworkRule("mrn.alignment", always(kWarning), "packet alignment other than 4 or 16",
                     "Packets of the games' files use only these. Export the network again.",
                     each<kPackets, "alignment">([](const Packet& packet) {
                       return packet.alignment != 4 && packet.alignment != 16
                                  ? say("the alignment is ", packet.alignment, ", neither 4 nor 16")
                                  : "";
                     })),
    nsa::NetworkRule("mrn.packet-unknown", always(kInfo), "packet with unread content",
                     "It is preserved unchanged. If its type is unknown, please share the file.",
                     each<kPackets, "type">([](const Packet& packet, const Document& document) -> Fault {
                       if (packet_kind(packet.type, document.layout) != PacketKind::unknown) {
                         return {};
                       }
                       const std::string_view name = packet_name(packet.type, document.layout);
                       return say("content of type ", packet.type, name.empty() ? "" : " (", name,
                                  name.empty() ? "" : ")", " is not read; preserved unchanged");
                     })),
    nsa::NetworkRule(
        "mrn.string", always(kError), "string without an offset, outside its table or unterminated",
        "Readers find no name, or include the following bytes in it. Export the network again.", strings),
    nsa::NetworkRule(
        "mrn.name-count", always(kError), "file name tables differ in length",
        "Entry i of each table belongs to animation i, so that names may belong to others. Export the "
        "network again.",
        each<kBodies<FileNames>, "data">([](const FileNames& body) {
          const std::uint32_t count = body.files.count;
          return body.types.count != count || body.sources.count != count || body.takes.count != count
                     ? say("table lengths differ: ", count, " files, ", body.types.count, " types, ",
                           body.sources.count, " sources, ", body.takes.count, " takes")
                     : "";
        })),
    nsa::NetworkRule(
        "mrn.animation-count", always(kError), "number of animations differs from the number of their names",
        "Animations are found by the index of their name, so that some have none. Export the network again.",
        animation_count),
    nsa::NetworkRule(
        "mrn.asset-id", always(kWarning), "animations not numbered consecutively from 0",
        "The number links an animation to its name. Number the animations in the order of their names.",
        asset_ids),
    nsa::NetworkRule("mrn.crc-list", always(kWarning), "checksum differs from the name list",
                     "Update the list after replacing an animation.", crc_list),
    nsa::NetworkRule(
        "mrn.skeleton-count", always(kError), "number of skeletons differs from the number of their names",
        "Skeletons are found by the index of their name, so that some have none. Export the network again.",
        skeleton_count),
    nsa::NetworkRule(
        "mrn.bone-count", always(kError), "hierarchy, names and bind pose differ in length",
        "Every bone needs a parent (-1 for a root), a name and a bind pose. Export the network again.",
        each<kBodies<Skeleton>, "data.hierarchy">([](const Skeleton& body) {
          return body.names.count != body.hierarchy.count || body.bind_pose.count != body.hierarchy.count
                     ? say("lengths differ: ", body.hierarchy.count, " parents, ", body.names.count,
                           " names, ", body.bind_pose.count, " bind poses")
                     : "";
        })),
    nsa::NetworkRule("mrn.hierarchy", always(kError), "chains or parents invalid or contradictory",
                     "Chains must contain every bone once and match the parents, which must exist. Tools "
                     "differ in which of them they use. Export the network again.",
                     hierarchy),
    nsa::NetworkRule("mrn.parent-order", always(kWarning), "parent not before its bone",
                     "Poses are computed in one pass from the first bone, so that the parent's pose is not "
                     "known yet. Export the network again.",
                     parent_order),
    nsa::NetworkRule("mrn.quaternion", always(kError), "bind rotation not of length 1",
                     "The bone is scaled or disappears. Normalise it.", quaternions),
    nsa::NetworkRule("mrn.bone-zero", always(kWarning), "bone 0 is not CharacterWorldSpaceTM",
                     "Root motion moves bone 0, which is CharacterWorldSpaceTM in the games' networks. Make "
                     "it the first bone.",
                     each<kBodies<Skeleton>, "data.names">([](const Skeleton& body) -> Fault {
                       if (body.bones() == 0 || body.names.text(0) == "CharacterWorldSpaceTM") {
                         return {};
                       }
                       return body.names.text(0).empty() ? "bone 0 has no name"
                                                         : say("bone 0 is ", to_utf8(body.names.text(0)),
                                                               ", not CharacterWorldSpaceTM");
                     })),
    nsa::NetworkRule(
        "mrn.map-bone", always(kError), "rig map refers to a missing bone, or to one bone twice",
        "The channel drives no bone, or one that another channel drives. Export the network again.",
        map_bones),
    nsa::NetworkRule("mrn.map-count", always(kWarning), "rig map matches no animation or no skeleton",
                     "Rig maps are found by their numbers of channels and bones, so that nothing uses this "
                     "one. Export the network again.",
                     map_counts),
    nsa::NetworkRule("mrn.map-bits", always(kError), "wrong size of the list of used bones in a rig map",
                     "The list has one bit per bone, in 32-bit words. Export the network again.",
                     each<kBodies<RigMap>, "data.usedBones">([](const RigMap& body) {
                       const std::uint64_t words = (std::uint64_t{body.used_size[0]} + 31) / 32;
                       return body.has_used && body.used_size[1] != words
                                  ? say("the list has ", counted(body.used_size[1], "word"), " for ",
                                        counted(body.used_size[0], "bone"), "; expected ", words)
                                  : "";
                     })),
    nsa::NetworkRule(
        "mrn.event-time", always(kWarning), "event outside its clip",
        "Start and duration are fractions of the clip from 0 to 1; the event may never happen. Correct them.",
        event_times),
    nsa::NetworkRule("mrn.event-name", always(kError), "event track name missing or unterminated",
                     "Readers find no name, or include the following bytes in it. Export the network again.",
                     each<kBodies<EventTrack>, "data.name">([](const EventTrack& body) {
                       return body.name.empty()          ? "the name is missing"
                              : body.name.back() != '\0' ? "the name is not terminated"
                                                         : "";
                     })),
};

}  // namespace

std::span<const nsa::NetworkRule> rules() { return kRules; }

}  // namespace thaw::mrn
