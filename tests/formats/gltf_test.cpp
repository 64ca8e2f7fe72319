// glTF as a format: containers kept to the byte, facts, rules, a scene.
#include <thaw/format.hpp>
#include <thaw/gltf.hpp>
#include <thaw/load.hpp>
#include <thaw/validate.hpp>

#include "bytes/text.hpp"
#include "formats/descriptor.hpp"
#include "support/findings.hpp"

#include <gtest/gtest.h>

namespace thaw {
namespace {

void add_word(Bytes& bytes, std::size_t value) {
  for (unsigned shift = 0; shift < 32; shift += 8) {
    bytes.push_back(static_cast<std::uint8_t>(value >> shift));
  }
}

void add_chunk(Bytes& bytes, std::string_view type, std::string_view data) {
  add_word(bytes, data.size());
  const ByteView tag = as_bytes(type);
  bytes.insert(bytes.end(), tag.begin(), tag.end());
  const ByteView content = as_bytes(data);
  bytes.insert(bytes.end(), content.begin(), content.end());
}

/// One triangle; the text is as long as a chunk may be, a multiple of 4.
std::string triangle() {
  std::string json =
      R"({"asset":{"version":"2.0","generator":"a test"},"scene":0,"scenes":[{"nodes":[0]}],)"
      R"("nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],)"
      R"("accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}],)"
      R"("bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36}]})";
  json.resize((json.size() + 3) / 4 * 4, ' ');
  return json;
}

std::string corners() {
  constexpr std::array<float, 9> kCorners = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  std::string bytes;
  for (const float value : kCorners) {
    // 1.0 is 00 00 80 3F.
    bytes += value == 0 ? std::string(4, '\0') : std::string("\0\0\x80\x3F", 4);
  }
  return bytes;
}

Bytes glb(const std::string& json = triangle()) {
  Bytes bytes = {'g', 'l', 'T', 'F'};
  add_word(bytes, 2);
  const std::string binary = corners();
  add_word(bytes, 12 + 8 + json.size() + 8 + binary.size());
  add_chunk(bytes, "JSON", json);
  add_chunk(bytes, std::string_view("BIN\0", 4), binary);
  return bytes;
}

Bytes as_file(const std::string& text) {
  const ByteView bytes = as_bytes(text);
  return {bytes.begin(), bytes.end()};
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), with);
}

Diagnostics findings_of(const Bytes& bytes) {
  Diagnostics reading;
  return validate(*read_any(bytes, {}, reading), {});
}

TEST(GltfFormat, WritesWhatItRead) {
  const std::string text =
      replaced(triangle(), R"("buffers":[{)",
               R"("buffers":[{"uri":"data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA",)");
  for (const Bytes& bytes : {glb(), as_file(text)}) {
    Diagnostics findings;
    const auto any = read_any(bytes, {}, findings);
    ASSERT_TRUE(any);
    EXPECT_TRUE(findings.items().empty());
    EXPECT_EQ(write_any(*any), bytes);
    EXPECT_TRUE(any->identity().format.is_interchange());
    EXPECT_EQ(validate(*any, {}).items().size(), 0U);
    const Facts facts = summarize(*any);
    EXPECT_EQ(facts.in_game, "made by a test");
    ASSERT_FALSE(facts.counts.empty());
    EXPECT_EQ(facts.counts.front().kind, "scene");
  }
}

TEST(GltfFormat, EveryPrefixOfAGlbIsKeptAndReported) {
  const Bytes whole = glb();
  for (std::size_t size = 12; size < whole.size(); ++size) {
    const ByteView cut = ByteView(whole).first(size);
    Diagnostics findings;
    const auto document = gltf::read(cut, {}, findings);
    ASSERT_TRUE(document) << size;
    EXPECT_TRUE(test::has(findings, codes::kTruncated)) << size;
    const Bytes written = gltf::write(*document);
    EXPECT_TRUE(std::equal(written.begin(), written.end(), cut.begin(), cut.end())) << size;
    ReadOptions strict;
    strict.strict = true;
    EXPECT_EQ(gltf::read(cut, strict, findings).error().code, codes::kTruncated) << size;
  }
}

TEST(GltfFormat, RulesFindWhatIsBroken) {
  const std::string json = triangle();
  EXPECT_TRUE(test::has(findings_of(glb(replaced(json, "{\"asset\"", "[\"asset\""))), "gltf.json"));
  EXPECT_TRUE(test::has(findings_of(glb(replaced(json, "\"2.0\"", "\"1.0\""))), "gltf.version"));
  EXPECT_TRUE(test::has(findings_of(glb(replaced(json, "\"mesh\":0", "\"mesh\":1"))), "gltf.index"));
  EXPECT_TRUE(
      test::has(findings_of(glb(replaced(json, "\"byteLength\":36}]", "\"byteLength\":37}]"))), "gltf.view"));
  EXPECT_TRUE(test::has(
      findings_of(glb(replaced(json, "\"buffers\":[{\"byteLength\":36", "\"buffers\":[{\"byteLength\":99"))),
      "gltf.binary"));
  EXPECT_TRUE(test::has(findings_of(glb(replaced(json, "\"count\":3", "\"count\":4"))), "gltf.accessor"));
  EXPECT_TRUE(test::has(findings_of(glb(replaced(json, "{\"mesh\":0", "{\"children\":[0],\"mesh\":0"))),
                        "gltf.tree"));
  // As the reader says: its indices are zeros and the first corner's exponent, 128.
  const std::string faces = replaced(json, "\"POSITION\":0}", "\"POSITION\":0},\"indices\":1");
  const std::string wrong = replaced(
      faces, R"("max":[1,1,0]})",
      R"("max":[1,1,0]},{"bufferView":0,"byteOffset":13,"componentType":5121,"count":3,"type":"SCALAR"})");
  EXPECT_TRUE(test::has(findings_of(glb(wrong)), "gltf.scene"));
  EXPECT_TRUE(test::has(findings_of(glb(json + " ")), "gltf.alignment"));
  Bytes longer = glb();
  longer[8] = static_cast<std::uint8_t>(longer[8] - 4);
  EXPECT_TRUE(test::has(findings_of(longer), "gltf.length"));
}

/// Some writers sort keys, and the lists before "asset" are long.
TEST(GltfFormat, IsKnownByItsListsWhereItsAssetComesLate) {
  const std::string view = R"({"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},)";
  std::string text = R"({ "accessors" : [)";
  while (text.size() < 70000) {
    text += view;
  }
  text.back() = ']';
  const auto format_of = [](const std::string& content) { return identify(as_file(content)).format.id(); };
  EXPECT_EQ(format_of(text + R"(,"asset":{"version":"2.0"}})"), "gltf");
  EXPECT_EQ(format_of(text.substr(0, 65536)), "gltf") << "of its beginning alone";
  EXPECT_NE(format_of(R"({"accessors":[],"bufferView":0})"), "gltf") << "short, and without";
  text.replace(text.find("accessors"), 9, "addresses");
  EXPECT_NE(format_of(text + "}"), "gltf");
}

/// What no command takes, by the JSON alone and with what lies beside it.
TEST(GltfFormat, IsRefusedForWhatItNeeds) {
  const auto refused = [](const std::string& json, const Sources* sources) {
    Diagnostics reading;
    return refusal_of(*read_any(glb(json), {}, reading), sources);
  };
  const std::string json = triangle();
  EXPECT_FALSE(refused(json, nullptr));
  const auto requires_more =
      refused(replaced(json, "{\"asset\"", "{\"extensionsRequired\":[\"A_b\"],\"asset\""), nullptr);
  ASSERT_TRUE(requires_more);
  EXPECT_EQ(requires_more->code.id, "gltf.required");
  EXPECT_TRUE(refused(replaced(json, "\"mesh\":0", "\"mesh\":1"), nullptr));
  const std::string adjacent = replaced(json, "\"buffers\":[{", R"("buffers":[{"uri":"a.bin",)");
  const Sources none;
  EXPECT_FALSE(refused(adjacent, nullptr));
  EXPECT_TRUE(refused(adjacent, &none));
}

TEST(GltfFormat, BecomesAScene) {
  Diagnostics findings;
  const auto any = read_any(glb(), {}, findings);
  ASSERT_TRUE(any);
  const auto opened = open_scene(*any, Sources(), {}, findings);
  ASSERT_TRUE(opened);
  ASSERT_EQ(opened->scene.meshes.size(), 1U);
  EXPECT_EQ(opened->scene.meshes.front().indices.size(), 3U);
}

TEST(AnyDocument, NeedsNoIdentityToBeWhatItIs) {
  Diagnostics findings;
  const auto document = gltf::read(glb(), {}, findings);
  ASSERT_TRUE(document);
  const AnyDocument any(Identity(), *document);
  EXPECT_EQ(write_any(any), glb());
  Identity other;
  other.format = find_format("mdx");
  EXPECT_EQ(write_any(AnyDocument(other, *document)), glb());
  EXPECT_EQ(find_format("nothing like it"), Format());
}

}  // namespace
}  // namespace thaw
