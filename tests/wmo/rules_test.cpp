// Rules of buildings: sound files have no findings, and each rule is triggered by what it is about.
#include <thaw/validate.hpp>
#include <thaw/wmo.hpp>

#include "formats/wow/wmo/building.hpp"
#include "formats/wow/wmo/rules.hpp"

#include "support/files.hpp"
#include "support/findings.hpp"
#include "support/paths.hpp"
#include "wmo/files.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>

namespace thaw::wmo {
namespace {

Document sound() {
  Diagnostics findings;
  auto document = read(test::load(test::samples_dir() / "house.wmo"), {}, findings);
  EXPECT_TRUE(document);
  return document ? std::move(*document) : Document{};
}

Diagnostics check(Document document) {
  Identity identity;
  identity.format = find_format("wmo");
  ValidateOptions options;
  options.target = ValidateTarget::strict;
  return validate(AnyDocument(identity, std::move(document)), options);
}

using test::has;

Chunk& chunk_of(std::vector<Chunk>& chunks, FourCC tag) {
  return *std::find_if(chunks.begin(), chunks.end(), [&](const Chunk& chunk) { return chunk.tag == tag; });
}

std::vector<Chunk>& root(Document& document) {
  return std::get<Root>(chunk_of(document.chunks, FourCC{"MOMO"}).body).chunks;
}

Group& group(Document& document) { return std::get<Group>(chunk_of(document.chunks, FourCC{"MOGP"}).body); }

template <class Body>
Body& in_root(Document& document, const char (&tag)[5]) {
  return std::get<Body>(chunk_of(root(document), FourCC{tag}).body);
}

/// Of the first group that has such a chunk.
template <class Body>
Body& in_group(Document& document, const char (&tag)[5]) {
  for (auto& chunk : document.chunks) {
    auto* owner = std::get_if<Group>(&chunk.body);
    if (Body* body = owner == nullptr ? nullptr : owner->find<Body>(FourCC{tag}); body != nullptr) {
      return *body;
    }
  }
  throw std::logic_error(tag);
}

/// Each rule once, by what its code is about.
const std::map<std::string_view, std::function<void(Document&)>>& breakages() {
  using D = Document&;
  static const std::map<std::string_view, std::function<void(D)>> list = {
      {"wmo.order", [](D d) { std::swap(root(d)[1], root(d)[2]); }},
      {"wmo.later-structure", [](D d) { root(d).push_back({FourCC{"MOSB"}, Strings{}, {}, {}}); }},
      {"wmo.counts", [](D d) { ++in_root<Header>(d, "MOHD").material_count; }},
      {"wmo.group-count", [](D d) { ++in_root<Header>(d, "MOHD").group_count; }},
      {"wmo.group-offset", [](D d) { in_root<GroupInfos>(d, "MOGI").items[1].offset += 4; }},
      {"wmo.group-box", [](D d) { in_root<GroupInfos>(d, "MOGI").items[0].box.maximum[2] += 1; }},
      {"wmo.name-offset", [](D d) { in_root<Materials>(d, "MOMT").items[0].texture1 += 1; }},
      {"wmo.doodad-range", [](D d) { in_root<DoodadSets>(d, "MODS").items[0].count += 100; }},
      {"wmo.reference", [](D d) { group(d).header.fogs[0] = 200; }},
      {"wmo.portal-reference", [](D d) { in_root<PortalReferences>(d, "MOPR").items[0].group = 9; }},
      {"wmo.portal-vertices", [](D d) { in_root<Portals>(d, "MOPT").items[0].vertex_count = 999; }},
      {"wmo.attenuation", [](D d) { in_root<Lights>(d, "MOLT").items[0].attenuation_end = -1; }},
      {"wmo.vertex-counts", [](D d) { in_group<Points>(d, "MONR").items.resize(1); }},
      {"wmo.vertex-outside",
       [](D d) {
         auto& points = in_group<Points>(d, "MOVT").items;
         std::vector<Vec3> moved(points.begin(), points.end());
         moved[0][0] += 500;
         points.assign(moved.begin(), moved.end());
       }},
      {"wmo.index", [](D d) { in_group<Indices>(d, "MOIN").items.resize(3); }},
      {"wmo.batch", [](D d) { in_group<Batches>(d, "MOBA").items[0].material = 77; }},
      {"wmo.bsp", [](D d) { in_group<BspNodes>(d, "MOBN").items[0].negative = 99; }},
      {"wmo.flags", [](D d) { group(d).header.flags ^= GroupHeader::kVertexColors; }},
      {"wmo.liquid", [](D d) { in_group<Liquids>(d, "MLIQ").items[0].x_tiles += 1; }},
  };
  return list;
}

TEST(WmoRules, SoundBuildingsHaveNoFindings) {
  const auto findings = check(sound());
  for (const auto& finding : findings.items()) {
    ADD_FAILURE() << finding.code.id << " " << finding.path << ": " << finding.message;
  }
}

TEST(WmoRules, EachIsTriggered) {
  std::size_t rules = 0;
  for (const auto& book : {root_rules(), group_rules()}) {
    for (const auto& rule : book) {
      SCOPED_TRACE(rule.info.code);
      if (rule.info.code == "wmo.texture-file") {
        continue;  // of files beside the building: tests/validate/texture_rules_test.cpp
      }
      const auto breakage = breakages().find(rule.info.code);
      ASSERT_NE(breakage, breakages().end());
      auto document = sound();
      breakage->second(document);
      EXPECT_TRUE(has(check(std::move(document)), rule.info.code));
      ++rules;
    }
  }
  EXPECT_EQ(rules, breakages().size());
}

TEST(WmoRules, FindingsHaveTheirPlaces) {
  auto document = sound();
  in_root<Lights>(document, "MOLT").items[0].attenuation_end = -1;
  const auto findings = check(document);
  ASSERT_EQ(findings.items().size(), 1U);
  EXPECT_EQ(findings.items()[0].path, "MOMO.MOLT[0].attenuationEnd");
  const auto offset = findings.items()[0].offset;
  ASSERT_TRUE(offset);
  const Bytes bytes = write(document);
  float there = 0;
  std::memcpy(&there, bytes.data() + *offset, sizeof there);
  EXPECT_EQ(there, -1);
}

// --- each rule at its limit and just beside it
// --------------------------------------------------------------------------------------------------

/// What the rules say of the sound building with one change, as "code path: message".
Lines reported(const Document& document) {
  Lines lines;
  const auto findings = check(document);
  for (const auto& finding : findings.items()) {
    lines.push_back(std::string(finding.code.id) + ' ' + finding.path + ": " + finding.message);
  }
  return lines;
}
template <class Change>
Lines after(const Change& change) {
  auto document = sound();
  change(document);
  return reported(document);
}
/// Of these the ones of a rule.
Lines of(std::string_view code, const Lines& lines) {
  Lines result;
  std::copy_if(lines.begin(), lines.end(), std::back_inserter(result), [&](const std::string& line) {
    return line.substr(0, code.size() + 1) == std::string(code) + ' ';
  });
  return result;
}
bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}
/// Exactly one finding of the rule, which is about a place and ends with these words.
void expect_one(const Lines& all, std::string_view code, std::string_view path, std::string_view end) {
  const Lines lines = of(code, all);
  ASSERT_EQ(lines.size(), 1U) << code << ' ' << (lines.empty() ? "" : lines[0]);
  EXPECT_EQ(lines[0].substr(0, lines[0].find(": ")), std::string(code) + ' ' + std::string(path));
  EXPECT_TRUE(ends_with(lines[0], end)) << lines[0];
}
using D = Document&;

TEST(WmoRules, ChunksStandInTheirOrder) {
  expect_one(after([](D d) { std::swap(root(d)[1], root(d)[2]); }), "wmo.order", "MOMO.MOTX",
             "MOTX comes after MOMT");
  expect_one(after([](D d) { root(d).erase(root(d).begin() + 8); }), "wmo.order", "MOMO", "MOLT is missing");
  const auto group_lines = after([](D d) { std::swap(group(d).chunks[1], group(d).chunks[2]); });
  expect_one(group_lines, "wmo.order", "MOGP.MOVT", "MOVT comes after MONR");
  expect_one(after([](D d) {
               auto& chunks = group(d).chunks;
               chunks.erase(std::find_if(chunks.begin(), chunks.end(),
                                         [](const Chunk& c) { return c.tag == FourCC{"MOLV"}; }));
             }),
             "wmo.order", "MOGP", "MOLV is missing");
  // What nobody knows stands anywhere, and what is there twice is no other order.
  EXPECT_EQ(of("wmo.order",
               after([](D d) { root(d).insert(root(d).begin(), {FourCC{"XYZZ"}, Opaque{}, {}, {}}); })),
            Lines{});
  EXPECT_EQ(of("wmo.order", after([](D d) { root(d).insert(root(d).begin() + 1, root(d)[0]); })), Lines{});
  // A group inside MOMO.
  const auto inside = after([](D d) {
    root(d).push_back(d.chunks.back());
    d.chunks.pop_back();
  });
  EXPECT_EQ(of("wmo.order", inside).size(), 1U);
  EXPECT_NE(of("wmo.order", inside).at(0).find("the group is inside MOMO"), std::string::npos);
}

TEST(WmoRules, EveryCountOfTheHeader) {
  using Field = std::uint32_t Header::*;
  const std::map<std::string, Field> fields = {
      {"nMaterials", &Header::material_count},    {"nPortals", &Header::portal_count},
      {"nLights", &Header::light_count},          {"nDoodadDefs", &Header::doodad_count},
      {"nDoodadSets", &Header::doodad_set_count}, {"nDoodadNames", &Header::doodad_name_count}};
  for (const auto& [name, field] : fields) {
    for (const std::uint32_t more : {1U, ~0U}) {
      const auto lines = after([&, f = field](D d) { in_root<Header>(d, "MOHD").*f += more; });
      const Lines counts = of("wmo.counts", lines);
      ASSERT_EQ(counts.size(), 1U) << name;
      EXPECT_EQ(counts[0].substr(0, counts[0].find(": ")), "wmo.counts MOMO.MOHD." + name);
    }
  }
  // A name is what is not empty.
  EXPECT_EQ(after([](D d) {
              auto& names = in_root<Strings>(d, "MODN").text;
              names.push_back('\0');
              for (auto& info : in_root<GroupInfos>(d, "MOGI").items) {
                info.offset += 1;
              }
            }),
            Lines{});
}

TEST(WmoRules, NumbersOfGroups) {
  expect_one(after([](D d) { ++in_root<Header>(d, "MOHD").group_count; }), "wmo.group-count",
             "MOMO.MOHD.nGroups", "MOHD states 3 groups, but MOGI has 2 entries");
  const auto fewer = after([](D d) {
    in_root<GroupInfos>(d, "MOGI").items.pop_back();
    in_root<Header>(d, "MOHD").group_count = 1;
  });
  expect_one(fewer, "wmo.group-count", "MOMO.MOGI", "MOGI has 1 entry for 2 groups");
  const auto many = [](std::uint32_t count) {
    return after([&](D d) {
      auto& infos = in_root<GroupInfos>(d, "MOGI").items;
      infos.resize(count, infos[0]);
      in_root<Header>(d, "MOHD").group_count = count;
    });
  };
  EXPECT_EQ(of("wmo.group-count", many(384)).size(), 1U) << "there are two";
  EXPECT_EQ(of("wmo.group-count", many(385)).size(), 2U) << "and client limit exceeded";
}

TEST(WmoRules, TablesOfGroupsSayWhereTheyAre) {
  for (const std::size_t i : {0U, 1U}) {
    const std::string path = "MOMO.MOGI[" + std::to_string(i) + "]";
    expect_one(after([&](D d) { in_root<GroupInfos>(d, "MOGI").items[i].offset += 1; }), "wmo.group-offset",
               path + ".offset", "");
    expect_one(after([&](D d) { in_root<GroupInfos>(d, "MOGI").items[i].size -= 1; }), "wmo.group-offset",
               path + ".size", "");
    expect_one(after([&](D d) { in_root<GroupInfos>(d, "MOGI").items[i].box.minimum[1] -= 1; }),
               "wmo.group-box", path + ".box", "the bounding box differs from that of the group");
  }
  const auto document = sound();
  const auto& info = document.find<GroupInfos>(FourCC{"MOGI"})->items[1];
  const auto lines = after([&](D d) { in_root<GroupInfos>(d, "MOGI").items[1].offset = 7; });
  EXPECT_TRUE(ends_with(of("wmo.group-offset", lines).at(0),
                        "MOGI states the offset 7, but the group is at " + std::to_string(info.offset)));
}

TEST(WmoRules, NamesBeginWhereTextsDo) {
  const auto at = [](const auto& change, std::string_view path) {
    expect_one(after(change), "wmo.name-offset", path, "");
  };
  at([](D d) { in_root<Materials>(d, "MOMT").items[1].texture1 += 1; }, "MOMO.MOMT[1].texture1");
  at([](D d) { in_root<Materials>(d, "MOMT").items[0].texture2 = 0xFFFFFF; }, "MOMO.MOMT[0].texture2");
  at([](D d) { in_root<Doodads>(d, "MODD").items[0].set_name_offset(2); }, "MOMO.MODD[0].name");
  at([](D d) { in_root<GroupInfos>(d, "MOGI").items[1].name += 1; }, "MOMO.MOGI[1].name");
  at([](D d) { in_root<GroupInfos>(d, "MOGI").items[1].name = -2; }, "MOMO.MOGI[1].name");
  EXPECT_EQ(after([](D d) { in_root<GroupInfos>(d, "MOGI").items[1].name = -1; }), Lines{}) << "has none";
  at([](D d) { group(d).header.name += 1; }, "MOGP.header.name");
  at([](D d) { group(d).header.description += 1; }, "MOGP.header.description");
  // A text may begin behind the last NUL, if there is one letter of it.
  const auto end = [](std::uint32_t shift) {
    return of("wmo.name-offset", after([&](D d) {
                auto& text = in_root<Strings>(d, "MOTX").text;
                text.push_back('x');
                in_root<Materials>(d, "MOMT").items[0].texture1 =
                    static_cast<std::uint32_t>(text.size()) - 1 + shift;
              }));
  };
  EXPECT_EQ(end(0).size(), 0U);
  EXPECT_EQ(end(1).size(), 1U);
}

TEST(WmoRules, RangesMayEndAtTheEnd) {
  const auto sets = [](std::uint32_t first, std::uint32_t count) {
    return of("wmo.doodad-range", after([&](D d) {
                auto& set = in_root<DoodadSets>(d, "MODS").items[1];
                set.first = first;
                set.count = count;
              }));
  };
  EXPECT_EQ(sets(0, 3), Lines{});
  EXPECT_EQ(sets(3, 0), Lines{});
  ASSERT_EQ(sets(1, 3).size(), 1U);
  EXPECT_TRUE(ends_with(sets(1, 3).at(0), "the set uses 3 doodads starting at index 1; the WMO has 3"));
  EXPECT_TRUE(ends_with(sets(0xFFFFFFFF, 2).at(0),
                        "the set uses 2 doodads starting at index 4294967295; the WMO has 3"));
  const auto portal = [](std::uint16_t first, std::uint16_t count) {
    return of("wmo.portal-vertices", after([&](D d) {
                auto& one = in_root<Portals>(d, "MOPT").items[0];
                one.first_vertex = first;
                one.vertex_count = count;
              }));
  };
  EXPECT_EQ(portal(0, 4), Lines{});
  EXPECT_EQ(portal(4, 0), Lines{});
  EXPECT_TRUE(ends_with(portal(1, 4).at(0), "the portal uses 4 vertices starting at index 1; MOPV has 4"));
}

TEST(WmoRules, ReferencesStayBelowWhatIsThere) {
  const auto doodads = static_cast<std::uint16_t>(sound().find<Doodads>(FourCC{"MODD"})->items.size());
  const auto lights = static_cast<std::uint16_t>(sound().find<Lights>(FourCC{"MOLT"})->items.size());
  const auto refer = [](FourCC tag, std::uint16_t number, std::uint32_t flag) {
    return of("wmo.reference", after([&](D d) {
                group(d).chunks.push_back({tag, Indices{{0, number}}, {}, {}});
                group(d).header.flags |= flag;
              }));
  };
  for (auto& list : {std::pair(FourCC{"MODR"}, doodads), std::pair(FourCC{"MOLR"}, lights)}) {
    auto bare = sound();
    auto& chunks = group(bare).chunks;
    const bool has_list = std::any_of(chunks.begin(), chunks.end(),
                                      [&](const Chunk& chunk) { return chunk.tag == list.first; });
    if (!has_list) {
      EXPECT_EQ(refer(list.first, static_cast<std::uint16_t>(list.second - 1), 0), Lines{});
      const auto lines = refer(list.first, list.second, 0);
      ASSERT_EQ(lines.size(), 1U);
      const std::string number = std::to_string(list.second);
      EXPECT_EQ(lines[0].substr(0, lines[0].find(": ")),
                "wmo.reference MOGP." + list.first.text() + ".indices[1]");
      EXPECT_TRUE(ends_with(lines[0], number + " does not exist; the count is " + number));
    } else {
      auto& items = std::get<Indices>(chunk_of(chunks, list.first).body).items;
      items = {0, list.second};
      const Lines lines = of("wmo.reference", reported(bare));
      ASSERT_EQ(lines.size(), 1U);
      EXPECT_EQ(lines[0].substr(0, lines[0].find(": ")),
                "wmo.reference MOGP." + list.first.text() + ".indices[1]");
      items = {0, static_cast<std::uint16_t>(list.second - 1)};
      EXPECT_EQ(of("wmo.reference", reported(bare)), Lines{});
    }
  }
  const auto fogs = static_cast<std::uint8_t>(sound().find<Fogs>(FourCC{"MFOG"})->items.size());
  for (const std::size_t i : {0U, 3U}) {
    EXPECT_EQ(of("wmo.reference",
                 after([&](D d) { group(d).header.fogs[i] = static_cast<std::uint8_t>(fogs - 1); })),
              Lines{});
    expect_one(after([&](D d) { group(d).header.fogs[i] = fogs; }), "wmo.reference", "MOGP.header.fogs",
               "fog " + std::to_string(fogs) + " does not exist; the count is " + std::to_string(fogs));
  }
}

TEST(WmoRules, PortalsJoinGroups) {
  expect_one(after([](D d) { in_root<PortalReferences>(d, "MOPR").items[1].portal = 1; }),
             "wmo.portal-reference", "MOMO.MOPR[1].portal", "portal 1 does not exist; the count is 1");
  expect_one(after([](D d) { in_root<PortalReferences>(d, "MOPR").items[0].group = 2; }),
             "wmo.portal-reference", "MOMO.MOPR[0].group", "group 2 does not exist; the count is 2");
  // Each group names its own, all together name all.
  expect_one(after([](D d) { group(d).header.first_portal += 2; }), "wmo.portal-reference",
             "MOGP.header.firstPortal", "the group uses 1 portal reference starting at index 2; MOPR has 2");
  EXPECT_EQ(of("wmo.portal-reference", after([](D d) { group(d).header.first_portal = 1; })), Lines{});
  expect_one(after([](D d) { group(d).header.portal_count = 0; }), "wmo.portal-reference", "MOMO.MOPR",
             "the groups use 1 portal reference; MOPR has 2");
  const auto none = after([](D d) {
    group(d).header.portal_count = 0;
    group(d).header.first_portal = 99;
  });
  expect_one(none, "wmo.portal-reference", "MOMO.MOPR", "the groups use 1 portal reference; MOPR has 2");
}

TEST(WmoRules, LightsEndWhereTheyBeginOrAfter) {
  const auto fade = [](float start, float end) {
    return of("wmo.attenuation", after([&](D d) {
                auto& light = in_root<Lights>(d, "MOLT").items[1];
                light.attenuation_start = start;
                light.attenuation_end = end;
              }));
  };
  EXPECT_EQ(fade(2, 2), Lines{});
  EXPECT_EQ(fade(2, 3), Lines{});
  EXPECT_EQ(fade(2, 1.5F).size(), 1U);
  EXPECT_EQ(fade(2, std::numeric_limits<float>::quiet_NaN()).size(), 1U);
}

TEST(WmoRules, StructuresOfLaterVersions) {
  for (const FourCC tag : {FourCC{"MOSB"}, FourCC{"MOVV"}, FourCC{"MOVB"}}) {
    expect_one(after([&](D d) { root(d).push_back({tag, Opaque{}, {}, {}}); }), "wmo.later-structure",
               "MOMO." + tag.text(), tag.text() + " belongs to later versions");
  }
  expect_one(after([](D d) { group(d).header.wide = false; }), "wmo.later-structure", "MOGP.header",
             "the header has 68 bytes instead of 128");
  const auto other = after([](D d) { chunk_of(group(d).chunks, FourCC{"MOIN"}).tag = FourCC{"MOVI"}; });
  expect_one(other, "wmo.later-structure", "MOGP.MOVI", "the group has MOVI instead of MOIN");
  // Half as many faces as there are triangles: their entries were half as long.
  const auto faces = [](std::size_t of_faces, std::size_t triangles) {
    return of("wmo.later-structure", after([&](D d) {
                in_group<Faces>(d, "MOPY").items.resize(of_faces);
                in_group<Indices>(d, "MOIN").items.resize(3 * triangles);
              }));
  };
  ASSERT_EQ(faces(2, 4).size(), 1U);
  EXPECT_NE(faces(2, 4)[0].find("MOGP.MOPY"), std::string::npos) << faces(2, 4)[0];
  EXPECT_EQ(faces(3, 4), Lines{});
  EXPECT_EQ(faces(0, 0), Lines{});
  EXPECT_EQ(faces(4, 4), Lines{});
  // Records of another size, as the bytes that are left over show.
  struct Records {
    const char (&tag)[5];
    std::size_t later;
    const char* says;
  };
  const auto left_over = [](const char(&tag)[5], std::size_t bytes) {
    return of("wmo.later-structure", after([&](D d) {
                Chunk& chunk = chunk_of(root(d), FourCC{tag});
                chunk.remainder.state = Remainder::State::replaces_fields;
                chunk.remainder.bytes = Bytes(bytes, 0);
              }));
  };
  for (const Records& one : {Records{"MOMT", 64, "entries of 64 bytes instead of 44"},
                             Records{"MOGI", 32, "entries of 32 bytes instead of 40"},
                             Records{"MOLT", 48, "entries of 48 bytes instead of 32"}}) {
    const Lines lines = left_over(one.tag, 3 * one.later);
    ASSERT_EQ(lines.size(), 1U) << one.tag;
    EXPECT_TRUE(ends_with(lines[0], one.says)) << lines[0];
    EXPECT_EQ(left_over(one.tag, 3 * one.later + 1), Lines{}) << one.tag;
    EXPECT_EQ(left_over(one.tag, 0), Lines{}) << one.tag;
  }
  EXPECT_EQ(of("wmo.later-structure", after([](D d) {
                 Chunk& chunk = chunk_of(root(d), FourCC{"MOMT"});
                 auto& items = std::get<Materials>(chunk.body).items;
                 items.resize(2, items[0]);
                 chunk.remainder.bytes = Bytes(128 - 2 * 44, 0);  // 128 bytes of records in all
               }))
                .size(),
            1U);
}

TEST(WmoRules, ArraysOfVerticesAreAsLong) {
  const auto shorter = [](const char* tag) {
    return after([&](D d) {
      for (auto& chunk : group(d).chunks) {
        if (chunk.tag.text() == tag) {
          if (auto* points = std::get_if<Points>(&chunk.body)) {
            points->items.resize(points->items.size() - 1);
          } else if (auto* coordinates = std::get_if<Coordinates>(&chunk.body)) {
            coordinates->items.resize(coordinates->items.size() + 1, Vec2{});
          }
        }
      }
    });
  };
  for (const char* tag : {"MONR", "MOTV", "MOLV"}) {
    const Lines lines = of("wmo.vertex-counts", shorter(tag));
    ASSERT_EQ(lines.size(), 1U) << tag;
    EXPECT_EQ(lines[0].substr(0, lines[0].find(": ")), std::string("wmo.vertex-counts MOGP.") + tag);
  }
  const auto colors = [](std::size_t more) {
    return of(
        "wmo.vertex-counts", after([&](D d) {
          const std::size_t count = in_group<Points>(d, "MOVT").items.size();
          group(d).chunks.push_back({FourCC{"MOCV"}, Colors{Array<Bgra>(count + more, Bgra{})}, {}, {}});
        }));
  };
  EXPECT_EQ(colors(0), Lines{});
  EXPECT_EQ(colors(1).size(), 1U);
}

TEST(WmoRules, IndicesAndFaces) {
  const auto count =
      static_cast<std::uint16_t>(sound().groups()[0]->find<Points>(FourCC{"MOVT"})->items.size());
  const auto index = [&](std::uint16_t value) {
    return of("wmo.index", after([&](D d) { in_group<Indices>(d, "MOIN").items.data()[4] = value; }));
  };
  EXPECT_EQ(index(static_cast<std::uint16_t>(count - 1)), Lines{});
  const std::string number = std::to_string(count);
  ASSERT_EQ(index(count).size(), 1U);
  EXPECT_NE(index(count)[0].find("MOGP.MOIN.indices[4]"), std::string::npos);
  EXPECT_TRUE(ends_with(index(count).at(0), "vertex " + number + " does not exist; the count is " + number));
  const auto fewer = of("wmo.index", after([](D d) {
                          auto& items = in_group<Indices>(d, "MOIN").items;
                          items.resize(items.size() - 1);
                        }));
  EXPECT_EQ(fewer.size(), 1U);
}

TEST(WmoRules, BatchesReachNoFurther) {
  const auto with_batch = [](const std::function<void(Batch&, const GroupParts&)>& change) {
    return of("wmo.batch", after([&](D d) {
                const GroupParts parts(*d.groups()[0]);
                change(in_group<Batches>(d, "MOBA").items[0], parts);
              }));
  };
  const auto all = [](Batch& batch, const GroupParts& parts) {
    batch.first_index = 0;
    batch.index_count = static_cast<std::uint16_t>(parts.indices.size());
    batch.first_vertex = 0;
    batch.last_vertex = static_cast<std::uint16_t>(parts.positions.size() - 1);
  };
  EXPECT_EQ(with_batch(all), Lines{});
  const auto longer = with_batch([&](Batch& batch, const GroupParts& parts) {
    all(batch, parts);
    ++batch.index_count;
  });
  ASSERT_EQ(longer.size(), 1U);
  EXPECT_NE(longer[0].find(" indices starting at index "), std::string::npos) << longer[0];
  const auto narrow_end = with_batch([&](Batch& batch, const GroupParts& parts) {
    all(batch, parts);
    --batch.last_vertex;
  });
  ASSERT_EQ(narrow_end.size(), 1U);
  EXPECT_NE(narrow_end[0].find("the batch uses vertices outside of its range from 0 to "), std::string::npos)
      << narrow_end[0];
  EXPECT_EQ(with_batch([&](Batch& batch, const GroupParts& parts) {
              all(batch, parts);
              batch.first_vertex = 1;
            }).size(),
            1U);
  const auto beyond = with_batch([&](Batch& batch, const GroupParts& parts) {
    all(batch, parts);
    ++batch.last_vertex;
  });
  ASSERT_EQ(beyond.size(), 1U);
  EXPECT_NE(beyond[0].find("vertices up to "), std::string::npos) << beyond[0];
  EXPECT_EQ(with_batch([&](Batch& batch, const GroupParts&) {
              batch.first_index = batch.index_count = 0;
              batch.first_vertex = batch.last_vertex = 0xFFFF;
            }),
            Lines{})
      << "one that draws nothing may name any vertices";
  EXPECT_FALSE(with_batch([&](Batch& batch, const GroupParts&) {
                 batch.first_index = 0;
                 batch.index_count = 1;
                 batch.first_vertex = 0;
                 batch.last_vertex = 0xFFFF;
               }).empty());
  const auto materials = static_cast<std::uint8_t>(sound().find<Materials>(FourCC{"MOMT"})->items.size());
  EXPECT_EQ(with_batch([&](Batch& batch, const GroupParts&) {
              batch.material = static_cast<std::uint8_t>(materials - 1);
            }),
            Lines{});
  const auto material = with_batch([&](Batch& batch, const GroupParts&) { batch.material = materials; });
  ASSERT_EQ(material.size(), 1U);
  EXPECT_NE(material[0].find("MOBA[0].material"), std::string::npos) << material[0];
}

TEST(WmoRules, TheSecondGroupIsNumberTwo) {
  const auto lines = after([](D d) { std::get<Group>(d.chunks.back().body).header.name += 1; });
  expect_one(lines, "wmo.name-offset", "MOGP#2.header.name", "");
  const auto first =
      of("wmo.index", after([](D d) { in_group<Indices>(d, "MOIN").items.data()[0] = 0xFFFF; }));
  ASSERT_EQ(first.size(), 1U);
  EXPECT_NE(first[0].find("MOGP.MOIN.indices[0]"), std::string::npos) << first[0];
}

TEST(WmoRules, BatchesOverEachOtherAreLookedAtFourTimes) {
  const auto narrow = [](std::size_t count) {
    return of("wmo.batch", after([&](D d) {
                const GroupParts parts(*d.groups()[0]);
                Batch batch = in_group<Batches>(d, "MOBA").items[0];
                batch.first_index = 0;
                batch.index_count = static_cast<std::uint16_t>(parts.indices.size());
                batch.first_vertex = batch.last_vertex = 0;
                in_group<Batches>(d, "MOBA").items.assign(count, batch);
              }))
        .size();
  };
  EXPECT_EQ(narrow(3), 3U);
  EXPECT_EQ(narrow(4), 4U);
  EXPECT_EQ(narrow(9), 4U);
}

TEST(WmoRules, TreesOfPlanes) {
  const auto with_nodes = [](std::vector<BspNode> nodes) {
    return of("wmo.bsp", after([&](D d) { in_group<BspNodes>(d, "MOBN").items = std::move(nodes); }));
  };
  const auto node = [](std::int16_t negative, std::int16_t positive, std::uint16_t flags = 0) {
    BspNode made;
    made.negative = negative;
    made.positive = positive;
    made.flags = flags;
    return made;
  };
  const BspNode leaf = node(-1, -1, BspNode::kLeaf);
  EXPECT_EQ(with_nodes({node(1, 2), leaf, leaf}), Lines{});
  EXPECT_EQ(with_nodes({node(-1, 1), leaf}), Lines{});
  EXPECT_EQ(with_nodes({leaf}), Lines{});
  const auto one = [](const Lines& lines, std::string_view text) {
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_NE(lines[0].find(text), std::string::npos) << lines[0];
  };
  one(with_nodes({node(1, 3), leaf, leaf}), "MOBN[0]: child node 3 does not exist; the count is 3");
  one(with_nodes({node(-2, 1), leaf}), "MOBN[0]: child node -2 does not exist; the count is 2");
  one(with_nodes({node(1, 1), leaf}), "reached twice");
  one(with_nodes({node(0, -1)}), "reached twice");
  one(with_nodes({node(1, -1), node(-1, 0)}), "reached twice");
  EXPECT_EQ(with_nodes({node(1, -1), node(0, 0, BspNode::kLeaf)}), Lines{}) << "of a leaf nobody asks";
  const auto faces = [&](std::uint32_t first, std::uint16_t count) {
    BspNode made = leaf;
    made.first_face = first;
    made.face_count = count;
    return with_nodes({made});
  };
  const auto listed =
      static_cast<std::uint32_t>(sound().groups()[0]->find<Indices>(FourCC{"MOBR"})->items.size());
  EXPECT_EQ(faces(listed - 1, 1), Lines{});
  EXPECT_EQ(faces(listed, 1).size(), 1U);
  EXPECT_EQ(faces(listed + 5, 0), Lines{});
  const auto of_faces = static_cast<std::uint16_t>(sound().groups()[0]->find<Faces>(FourCC{"MOPY"})->size());
  const auto face = [](std::uint16_t number) {
    return of("wmo.bsp", after([&](D d) { in_group<Indices>(d, "MOBR").items.data()[1] = number; }));
  };
  EXPECT_EQ(face(static_cast<std::uint16_t>(of_faces - 1)), Lines{});
  one(face(of_faces), "MOBR.indices[1]");
}

TEST(WmoRules, FlagsAndChunks) {
  struct Row {
    std::uint32_t flag;
    FourCC tag;
  };
  for (const Row& row :
       {Row{GroupHeader::kBsp, FourCC{"MOBN"}}, Row{GroupHeader::kLightmaps, FourCC{"MOLM"}},
        Row{GroupHeader::kVertexColors, FourCC{"MOCV"}}, Row{GroupHeader::kLights, FourCC{"MOLR"}},
        Row{GroupHeader::kPortalBatches, FourCC{"MPBV"}}, Row{GroupHeader::kDoodads, FourCC{"MODR"}},
        Row{GroupHeader::kLiquid, FourCC{"MLIQ"}}}) {
    const bool set = (sound().groups()[0]->header.flags & row.flag) != 0;
    const Lines lines = of("wmo.flags", after([&](D d) { group(d).header.flags ^= row.flag; }));
    ASSERT_EQ(lines.size(), 1U) << row.tag.text();
    EXPECT_TRUE(ends_with(lines[0], "flag " + std::to_string(row.flag) +
                                        (set ? " is not set despite " : " is set without ") + row.tag.text()))
        << lines[0];
  }
  EXPECT_EQ(after([](D d) { group(d).header.flags ^= GroupHeader::kExterior; }), Lines{});
}

TEST(WmoRules, LiquidsHaveOneVertexMore) {
  const auto with_liquid = [](const std::function<void(Chunk&, Liquid&)>& change) {
    return of("wmo.liquid", after([&](D d) {
                Chunk& chunk = chunk_of(group(d).chunks, FourCC{"MLIQ"});
                change(chunk, std::get<Liquids>(chunk.body).items[0]);
              }));
  };
  EXPECT_EQ(with_liquid([](Chunk&, Liquid& liquid) { ++liquid.x_tiles; }).size(), 1U);
  EXPECT_EQ(with_liquid([](Chunk&, Liquid& liquid) { --liquid.y_tiles; }).size(), 1U);
  EXPECT_EQ(with_liquid([](Chunk&, Liquid& liquid) { ++liquid.y_vertices; }).size(), 1U);
  const auto rest = with_liquid([](Chunk& chunk, Liquid&) { chunk.remainder.bytes = {1, 2}; });
  ASSERT_EQ(rest.size(), 1U);
  EXPECT_NE(rest[0].find("MOGP.MLIQ: "), std::string::npos) << rest[0];
}

TEST(WmoRules, VerticesLieInTheBoxOfTheirGroup) {
  const Box box = sound().groups()[0]->header.box;
  const auto moved = [&](std::size_t vertex, std::size_t axis, float to) {
    return of("wmo.vertex-outside",
              after([&](D d) { in_group<Points>(d, "MOVT").items.data()[vertex][axis] = to; }));
  };
  for (const std::size_t axis : {0U, 1U, 2U}) {
    EXPECT_EQ(moved(0, axis, box.minimum[axis] - 0.0299F), Lines{}) << axis;
    EXPECT_EQ(moved(0, axis, box.maximum[axis] + 0.0299F), Lines{}) << axis;
    EXPECT_EQ(moved(0, axis, box.minimum[axis] - 0.031F).size(), 1U) << axis;
    EXPECT_EQ(moved(0, axis, box.maximum[axis] + 0.031F).size(), 1U) << axis;
  }
  EXPECT_EQ(moved(0, 1, std::numeric_limits<float>::quiet_NaN()).size(), 1U);
  const auto count = sound().groups()[0]->find<Points>(FourCC{"MOVT"})->items.size();
  const auto two = of("wmo.vertex-outside", after([&](D d) {
                        auto* points = in_group<Points>(d, "MOVT").items.data();
                        points[5] = points[7] = {900, 900, 900};
                      }));
  ASSERT_EQ(two.size(), 1U);
  EXPECT_NE(two[0].find("MOGP.MOVT.points[5]"), std::string::npos) << two[0];
  EXPECT_TRUE(ends_with(two[0], "2 of " + std::to_string(count) + " vertices outside the bounding box"))
      << two[0];
}

TEST(WmoRules, TheCorpusIsSoundButForWhatIsKnown) {
  THAW_REQUIRE_CORPUS("alpha");
  std::size_t files = 0;
  for (const auto& path : test::files_below(test::corpus_dir() / "alpha", ".wmo")) {
    Diagnostics diagnostics;
    const auto document = read(test::load(path), {}, diagnostics);
    ASSERT_TRUE(document) << path;
    const auto findings = check(*document);
    for (const auto& finding : findings.items()) {
      EXPECT_LT(finding.code.severity, Severity::error)
          << path << ": " << finding.code.id << " " << finding.path << " " << finding.message;
    }
    ++files;
  }
  EXPECT_GT(files, 0U);
}

}  // namespace
}  // namespace thaw::wmo
