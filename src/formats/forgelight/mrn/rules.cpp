// See mrn.md#checks. Damage, and pointers that lead nowhere, are the reader's to tell.
#include "formats/forgelight/mrn/rules.hpp"

#include <algorithm>
#include <string>

namespace thaw::mrn {
namespace {

using Subject = DocumentSubject<Document>;

template <class T, class F>
void each(const Subject& subject, const F& use) {
  const auto& packets = subject.document.packets;
  for (std::size_t i = 0; i < packets.size(); ++i) {
    if (const T* body = packets[i].get_if<T>()) {
      use(packets[i], *body, at("packets", i));
    }
  }
}

// --- packets

void alignment(const Subject& subject, Report& report) {
  const auto& packets = subject.document.packets;
  for (std::size_t i = 0; i < packets.size(); ++i) {
    if (packets[i].alignment != 4 && packets[i].alignment != 16) {
      report.add(at("packets", i) + ".alignment", say(packets[i].alignment));
    }
  }
}

void unknown_type(const Subject& subject, Report& report) {
  const Document& document = subject.document;
  for (std::size_t i = 0; i < document.packets.size(); ++i) {
    if (packet_kind(document.packets[i].type, document.layout) == PacketKind::unknown) {
      const std::string_view name = packet_name(document.packets[i].type, document.layout);
      report.add(at("packets", i) + ".type",
                 say("type ", document.packets[i].type, name.empty() ? "" : ", ", name));
    }
  }
}

// --- names

void report_table(const StringTable& table, const std::string& path, Report& report) {
  if (!table.present) {
    return;
  }
  if (table.offsets.size() < table.count) {
    report.add(path, say(table.count, " strings and ", table.offsets.size(), " offsets"));
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
  each<Skeleton>(subject, [&](const Packet&, const Skeleton& body, const std::string& path) {
    report_table(body.names, path + ".data.names", report);
  });
  each<Plugins>(subject, [&](const Packet&, const Plugins& body, const std::string& path) {
    report_table(body.names, path + ".data.names", report);
  });
  each<SkeletonNames>(subject, [&](const Packet&, const SkeletonNames& body, const std::string& path) {
    report_table(body.names, path + ".data.names", report);
  });
  each<FileNames>(subject, [&](const Packet&, const FileNames& body, const std::string& path) {
    report_table(body.files, path + ".data.files", report);
    report_table(body.types, path + ".data.types", report);
    report_table(body.sources, path + ".data.sources", report);
    report_table(body.takes, path + ".data.takes", report);
  });
}

void name_counts(const Subject& subject, Report& report) {
  each<FileNames>(subject, [&](const Packet&, const FileNames& body, const std::string& path) {
    const std::uint32_t count = body.files.count;
    if (body.types.count != count || body.sources.count != count || body.takes.count != count) {
      report.add(path + ".data", say(count, " files, ", body.types.count, " types, ", body.sources.count,
                                     " sources, ", body.takes.count, " takes"));
    }
  });
}

void animation_count(const Subject& subject, Report& report) {
  if (subject.document.layout != Layout::v26_le64) {
    return;  // elsewhere animations are files
  }
  const std::size_t count = subject.document.all<nsa::Document>().size();
  each<FileNames>(subject, [&](const Packet&, const FileNames& body, const std::string& path) {
    if (body.files.count != count) {
      report.add(path + ".data", say(body.files.count, " names for ", counted_noun(count, "animation")));
    }
  });
}

void asset_ids(const Subject& subject, Report& report) {
  std::uint32_t index = 0;
  each<nsa::Document>(subject, [&](const Packet& packet, const nsa::Document&, const std::string& path) {
    if (packet.asset_id != index) {
      report.add(path + ".assetId", say(packet.asset_id, " is animation ", index));
    }
    ++index;
  });
}

void crc_list(const Subject& subject, Report& report) {
  const auto* names = subject.document.find<FileNames>();
  if (names == nullptr) {
    return;
  }
  each<nsa::Document>(subject, [&](const Packet& packet, const nsa::Document& body, const std::string& path) {
    if (packet.asset_id < names->crcs.size() && names->crcs[packet.asset_id] != body.header.crc) {
      report.add(path + ".data.header.crc", "the file name list states a different checksum");
    }
  });
}

void skeleton_count(const Subject& subject, Report& report) {
  const std::size_t count = subject.document.all<Skeleton>().size();
  each<SkeletonNames>(subject, [&](const Packet&, const SkeletonNames& body, const std::string& path) {
    if (body.names.count != count) {
      report.add(path + ".data.names", say(body.names.count, " names for ", counted_noun(count, "skeleton")));
    }
  });
}

// --- skeletons

void bone_count(const Subject& subject, Report& report) {
  each<Skeleton>(subject, [&](const Packet&, const Skeleton& body, const std::string& path) {
    if (body.names.count != body.hierarchy.count || body.bind_pose.count != body.hierarchy.count) {
      report.add(path + ".data.hierarchy", say(body.hierarchy.count, " bones, ", body.names.count, " names, ",
                                               body.bind_pose.count, " in the bind pose"));
    }
  });
}

void hierarchy(const Subject& subject, Report& report) {
  each<Skeleton>(subject, [&](const Packet&, const Skeleton& body, const std::string& path) {
    Diagnostics findings;
    (void)parents(body, findings);
    for (const auto& finding : findings.items()) {
      report.add(path + ".data." + (finding.path == "chains" ? "chains" : "parents"), finding.message);
    }
  });
}

void parent_order(const Subject& subject, Report& report) {
  each<Skeleton>(subject, [&](const Packet&, const Skeleton& body, const std::string& path) {
    const auto& list = body.hierarchy.parents;
    for (std::size_t bone = 0; bone < list.size(); ++bone) {
      if (list[bone] >= 0 && static_cast<std::size_t>(list[bone]) >= bone) {
        report.add(path + ".data.parents", say("bone ", bone, " before its parent ", list[bone]));
      }
    }
  });
}

void quaternions(const Subject& subject, Report& report) {
  constexpr double kTolerance = 1e-3;
  each<Skeleton>(subject, [&](const Packet&, const Skeleton& body, const std::string& path) {
    const std::size_t count = std::min<std::size_t>(body.bind_pose.count, body.bind_pose.rotations.size());
    for (std::size_t bone = 0; bone < count; ++bone) {
      double square = 0;
      for (const float component : body.bind_pose.rotations[bone]) {
        square += double{component} * double{component};
      }
      if (!(std::abs(square - 1) <= kTolerance)) {
        report.add(path + ".data.rotations", say("bone ", bone, " has length ", std::sqrt(square)));
      }
    }
  });
}

void bone_zero(const Subject& subject, Report& report) {
  each<Skeleton>(subject, [&](const Packet&, const Skeleton& body, const std::string& path) {
    if (body.bones() > 0 && body.names.text(0) != "CharacterWorldSpaceTM") {
      report.add(path + ".data.names", say("bone 0 is ", to_utf8(body.names.text(0))));
    }
  });
}

// --- maps

void map_bones(const Subject& subject, Report& report) {
  each<RigMap>(subject, [&](const Packet&, const RigMap& body, const std::string& path) {
    std::set<std::uint16_t> seen;
    for (std::size_t i = 0; i < body.bones.size(); ++i) {
      if (body.bones[i] >= body.skeleton_bones()) {
        report.add(path + ".data.bones",
                   say("channel ", i, " drives bone ", body.bones[i], " of ", body.skeleton_bones()));
      } else if (!seen.insert(body.bones[i]).second) {
        report.add(path + ".data.bones", say("bone ", body.bones[i], " is driven twice"));
      }
    }
  });
}

void map_counts(const Subject& subject, Report& report) {
  const auto animations = subject.document.all<nsa::Document>();
  const auto skeletons = subject.document.all<Skeleton>();
  each<RigMap>(subject, [&](const Packet&, const RigMap& body, const std::string& path) {
    const bool used = animations.empty() ||
                      std::any_of(animations.begin(), animations.end(), [&](const nsa::Document* animation) {
                        return animation->channels() == body.count;
                      });
    if (!used) {
      report.add(path + ".data.map", say("no animation has ", counted_noun(body.count, "channel")));
    }
    const bool fits =
        skeletons.empty() || std::any_of(skeletons.begin(), skeletons.end(), [&](const Skeleton* skeleton) {
          return skeleton->bones() == body.skeleton_bones();
        });
    if (!fits) {
      report.add(path + ".data.usedBones",
                 say("no skeleton has ", counted_noun(body.skeleton_bones(), "bone")));
    }
  });
}

void map_bits(const Subject& subject, Report& report) {
  each<RigMap>(subject, [&](const Packet&, const RigMap& body, const std::string& path) {
    const std::uint64_t words = (std::uint64_t{body.used_size[0]} + 31) / 32;
    if (body.has_used && body.used_size[1] != words) {
      report.add(path + ".data.usedBones",
                 say(body.used_size[1], " words for ", body.used_size[0], " bones"));
    }
  });
}

// --- events

void event_times(const Subject& subject, Report& report) {
  constexpr float kTolerance = 1e-4F;
  each<EventTrack>(subject, [&](const Packet&, const EventTrack& body, const std::string& path) {
    for (std::size_t i = 0; i < body.events.size(); ++i) {
      const Event& event = body.events[i];
      if (!(event.start >= 0 && event.duration >= 0 && event.start + event.duration <= 1 + kTolerance)) {
        report.add(at(path + ".data.events.list", i), say("from ", event.start, " for ", event.duration));
      }
    }
  });
}

void event_names(const Subject& subject, Report& report) {
  each<EventTrack>(subject, [&](const Packet&, const EventTrack& body, const std::string& path) {
    if (body.name.empty() || body.name.back() != '\0') {
      report.add(path + ".data.name", body.name.empty() ? "the name is missing" : "the name does not end");
    }
  });
}

constexpr Severities kErrors = {kError, kError, kError};
constexpr Severities kWarnings = {kWarning, kWarning, kWarning};
constexpr Severities kInfos = {kInfo, kInfo, kInfo};

constexpr std::array kRules = {
    nsa::NetworkRule{{"mrn.alignment", kWarnings, "alignment other than 4 or 16",
                      "Packets of the games' files use only these."},
                     alignment},
    nsa::NetworkRule{{"mrn.packet-unknown", kInfos, "packet with unread content",
                      "It is preserved unchanged. If its type is unknown, please share the file."},
                     unknown_type},
    nsa::NetworkRule{{"mrn.string", kErrors, "string outside its table or unterminated",
                      "Readers include the following bytes in the name."},
                     strings},
    nsa::NetworkRule{{"mrn.name-count", kErrors, "file name tables differ in length",
                      "Entry i of each table belongs to animation i."},
                     name_counts},
    nsa::NetworkRule{{"mrn.animation-count", kErrors, "number of animations differs from names",
                      "Animations are found by the index of their name."},
                     animation_count},
    nsa::NetworkRule{{"mrn.asset-id", kWarnings, "animations not numbered from 0",
                      "The number links an animation to its name."},
                     asset_ids},
    nsa::NetworkRule{{"mrn.crc-list", kWarnings, "checksum differs from the name list",
                      "Update the list after replacing an animation."},
                     crc_list},
    nsa::NetworkRule{{"mrn.skeleton-count", kErrors, "number of skeletons differs from names",
                      "Skeletons are found by the index of their name."},
                     skeleton_count},
    nsa::NetworkRule{{"mrn.bone-count", kErrors, "hierarchy, names and bind pose differ in length",
                      "Every bone needs a parent, a name and a bind pose."},
                     bone_count},
    nsa::NetworkRule{{"mrn.hierarchy", kErrors, "chains and parents contradict each other",
                      "Tools differ in which of them they use."},
                     hierarchy},
    nsa::NetworkRule{{"mrn.parent-order", kWarnings, "bone before its parent",
                      "Poses are computed in one pass from the first bone."},
                     parent_order},
    nsa::NetworkRule{
        {"mrn.quaternion", kErrors, "bind rotation not of length 1", "The bone is scaled or disappears."},
        quaternions},
    nsa::NetworkRule{
        {"mrn.bone-zero", kWarnings, "bone 0 is not CharacterWorldSpaceTM", "Root motion moves bone 0."},
        bone_zero},
    nsa::NetworkRule{{"mrn.map-bone", kErrors, "map bone out of range or duplicate",
                      "The channel drives no bone, or one that another channel drives."},
                     map_bones},
    nsa::NetworkRule{{"mrn.map-count", kWarnings, "map matches no animation or no skeleton",
                      "Maps are found by their numbers of channels and bones."},
                     map_counts},
    nsa::NetworkRule{
        {"mrn.map-bits", kErrors, "bone set of the wrong size", "It has one bit per bone, in 32-bit words."},
        map_bits},
    nsa::NetworkRule{{"mrn.event-time", kWarnings, "event outside its clip",
                      "Start and duration are fractions of the clip from 0 to 1."},
                     event_times},
    nsa::NetworkRule{{"mrn.event-name", kErrors, "event track name missing or unterminated",
                      "Readers include the following bytes in the name."},
                     event_names},
};

}  // namespace

std::span<const nsa::NetworkRule> rules() { return kRules; }

}  // namespace thaw::mrn
