// Documents that nobody wrote: what the layouts of samples say that a file may hold, with arbitrary values in
// arbitrary lists. Each that can be built is written, read, dumped and built again. THAW_DOCUMENTS says how
// many of each format; scripts/generated-documents has 100,000.
#include <thaw/edit.hpp>
#include <thaw/value.hpp>

#include "describe/scalars.hpp"
#include "patch/json_tree.hpp"
#include "patch/layout.hpp"

#include "support/files.hpp"
#include "support/mdx_objects.hpp"
#include "support/paths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <random>

namespace thaw {
namespace {

using Form = LeafType::Form;
using Kind = LayoutType::Kind;

class Generator {
 public:
  Generator(const AnyDocument& document, unsigned seed) : random_(seed) {
    tree_ = JsonTree::parse(dump_any(document)).value();
    const std::string text = tree_.root().find("$layout")->written();
    const auto value = parse_json({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    layout_ = layout_from_json(*value).value();
  }

  /// The dump of a document, perhaps of one that cannot be.
  std::string next() {
    JsonTree tree = tree_;
    leaves_.clear();
    lists_.clear();
    walk(layout_.document, tree.root());
    for (std::size_t changes = 1 + below(6); changes > 0; --changes) {
      if (!lists_.empty() && below(5) == 0) {
        change_list(*lists_[below(lists_.size())]);
        break;  // what was found lies elsewhere now
      }
      if (!leaves_.empty()) {
        const auto& [type, node] = leaves_[below(leaves_.size())];
        if (auto made = tree.value(arbitrary(*type, *node))) {
          *node = std::move(*made);
        }
      }
    }
    return tree.written();
  }

 private:
  std::size_t below(std::size_t end) { return static_cast<std::size_t>(random_() % end); }

  void walk(const LayoutType& type, JsonNode& node) {
    if (type.kind == Kind::leaf) {
      if (type.leaf.form != Form::tag) {
        leaves_.emplace_back(&type.leaf, &node);
      }
      return;
    }
    for (const auto& member : type.members) {
      const bool hidden = member.type.kind == Kind::leaf && member.type.leaf.hidden();
      JsonNode* value = hidden ? nullptr : node.find(member.name);
      if (value != nullptr) {
        walk(member.type, *value);
      }
    }
    if (type.kind != Kind::list) {
      return;
    }
    lists_.push_back(&node);
    for (auto& item : node.items()) {
      const auto fitting = std::find_if(type.items.begin(), type.items.end(),
                                        [&](const LayoutType& one) { return fits(one, item.value); });
      if (fitting != type.items.end()) {
        walk(*fitting, item.value);
      }
    }
  }

  static bool fits(const LayoutType& type, JsonNode& node) {
    if (type.kind == Kind::leaf) {
      return node.kind() == JsonNode::Kind::atom || type.leaf.form == Form::raw;
    }
    if ((type.kind == Kind::list) != (node.kind() == JsonNode::Kind::list)) {
      return false;
    }
    return std::all_of(type.members.begin(), type.members.end(), [&](const LayoutMember& member) {
      const bool leaf = member.type.kind == Kind::leaf;
      JsonNode* value = node.find(member.name);
      const bool tagged = !leaf || member.type.leaf.form != Form::tag || value == nullptr ||
                          value->text() == member.type.leaf.bytes;
      return (leaf && member.type.leaf.hidden()) || (value != nullptr && tagged);
    });
  }

  void change_list(JsonNode& list) {
    auto& items = list.items();
    const std::size_t index = items.empty() ? 0 : below(items.size());
    if (items.empty()) {
      return;
    }
    const auto at = items.begin() + static_cast<std::ptrdiff_t>(index);
    switch (below(3)) {
      case 0:
        items.erase(at);
        break;
      case 1:
        items.insert(at, JsonNode::Item(*at));
        break;
      default:
        std::swap(*at, items[below(items.size())]);
        break;
    }
  }

  // --- values

  std::string number(ScalarKind kind) {
    if (kind == kPacked10) {
      return listed(3 + below(2), [&] { return below(2) == 0 ? "0" : "1"; });
    }
    if (kind >= ScalarKind::f16) {
      return real(kind);
    }
    const auto bits = static_cast<unsigned>(8 * scalar_size(kind));
    const bool is_signed = static_cast<unsigned>(kind) % 2 == 1;
    const std::uint64_t most =
        is_signed ? (std::uint64_t{1} << (bits - 1)) - 1 : ~std::uint64_t{0} >> (64 - bits);
    const std::uint64_t value = below(3) == 0 ? most : below(2) == 0 ? random_() & most : below(5);
    return (is_signed && value > 0 && below(2) == 0 ? "-" : "") + std::to_string(value);
  }

  std::string real(ScalarKind kind) {
    constexpr std::array kWords = {"\"nan\"", "\"inf\"", "\"-inf\"", "-0", "0", "1", "-1.5", "0.1", "6e4"};
    const bool single = kind == ScalarKind::f32;
    if (single && below(8) == 0) {
      return "\"nan:7fc00001\"";
    }
    if (single && below(2) == 0) {
      return std::to_string(
          std::ldexp(static_cast<double>(random_() % 100000), static_cast<int>(below(40)) - 20));
    }
    return kWords.at(below(kWords.size()));
  }

  std::string listed(std::size_t count, const std::function<std::string()>& one) {
    std::string text = "[";
    for (std::size_t i = 0; i < count; ++i) {
      text += (i > 0 ? ", " : "") + one();
    }
    return text + "]";
  }

  std::string element(const LeafType& type) {
    return type.components == 1 ? number(type.kind)
                                : listed(type.components, [&] { return number(type.kind); });
  }

  std::string hex(std::size_t size) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (std::size_t i = 0; i < 2 * size; ++i) {
      text += kDigits[below(16)];
    }
    return text;
  }

  std::string words(std::size_t most) {
    std::string text;
    while (text.size() < most && below(12) != 0) {
      text += static_cast<char>('!' + below(90));
      text = text.back() == '"' || text.back() == '\\' ? text.substr(0, text.size() - 1) : text;
    }
    return text;
  }

  std::string arbitrary(const LeafType& type, JsonNode& now) {
    switch (type.form) {
      case Form::value:
        return type.array ? listed(now.count(), [&] { return element(type); }) : element(type);
      case Form::rows:
        return listed(now.count(), [&] {
          std::string row = listed(type.components, [&] { return number(type.kind); });
          return row.insert(1, number(ScalarKind::i32) + (type.components > 0 ? ", " : ""));
        });
      case Form::fixed_text:
        return below(4) == 0 ? R"({"text": "x", "raw": ")" + hex(type.size) + "\"}"
                             : '"' + words(type.size) + '"';
      case Form::raw:
        return R"({"raw": ")" + hex(1 + below(12)) + "\"}";
      default:
        return '"' + words(1 + below(30)) + '"';
    }
  }

  std::mt19937_64 random_;
  JsonTree tree_;
  Layout layout_;
  std::vector<std::pair<const LeafType*, JsonNode*>> leaves_;
  std::vector<JsonNode*> lists_;
};

/// Of each format all small documents among samples and the fuzzers' seeds, which have every version and kind
/// of part, or the smallest.
std::map<std::string, std::vector<std::filesystem::path>> small_documents() {
  constexpr std::uintmax_t kSmall = 12'000;
  std::map<std::string, std::vector<std::filesystem::path>> small;
  std::map<std::string, std::filesystem::path> smallest;
  for (const auto& folder : {test::samples_dir(), test::root_dir() / "fuzz/corpus"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      const auto document =
          entry.is_regular_file() ? read_any(test::load(entry.path())) : fail(codes::kInputUnreadable, "");
      if (!document || document->identity().format.is_interchange()) {
        continue;
      }
      const std::string format(document->identity().format.id());
      auto& best = smallest[format];
      if (best.empty() || entry.file_size() < std::filesystem::file_size(best)) {
        best = entry.path();
      }
      if (entry.file_size() <= kSmall) {
        small[format].push_back(entry.path());
      }
    }
  }
  for (const auto& [format, path] : smallest) {
    auto& all = small[format];
    all = all.empty() ? std::vector{path} : std::move(all);
    std::sort(all.begin(), all.end());
  }
  return small;
}

/// Whether the dump was one of a document; then everything has to come back.
bool comes_back(const std::string& dump, const std::string& name) {
  const auto document = build_any(dump);
  if (!document) {
    EXPECT_FALSE(document.error().message.empty()) << name;
    return false;
  }
  const Bytes bytes = write_any(*document);
  const auto read = read_any(bytes);
  EXPECT_TRUE(read) << name;
  if (!read) {
    return true;
  }
  EXPECT_TRUE(same_content(*document, *read)) << name << '\n' << dump;
  const std::string again = dump_any(*read);
  EXPECT_EQ(again, dump_any(*document)) << name;
  const auto built = build_any(again);
  EXPECT_TRUE(built) << name << ": " << (built ? "" : built.error().message) << '\n' << dump;
  EXPECT_TRUE(!built || same_content(*built, *read)) << name << '\n' << dump;
  EXPECT_TRUE(!built || write_any(*built) == bytes) << name << '\n' << dump;
  return true;
}

/// A model whose slots have a track of either width, or none, in any order: lists within lists whose items
/// look alike and have alternatives that other lists of the kind have not.
Bytes model_with_slots(std::mt19937& random) {
  const auto below = [&](unsigned end) { return static_cast<unsigned>(random() % end); };
  const auto track = [&](std::string_view tag) {
    mdx::Track made = test::make_integer_track(tag, {});
    made.interpolation = static_cast<mdx::Interpolation>(below(4));
    for (std::size_t key = 0, count = below(4) * made.stride(); key < count; ++key) {
      made.words.push_back(below(5));
    }
    return made;
  };
  mdx::Materials materials;
  for (unsigned i = 0; i < 1 + below(3); ++i) {
    mdx::Material material;
    for (unsigned j = 0; j < below(4); ++j) {
      mdx::Layer layer;
      layer.has_fresnel = true;
      for (unsigned slot = 0; slot < below(5); ++slot) {
        layer.slots.push_back({static_cast<std::int32_t>(below(9)), slot, {}});
        if (below(3) > 0) {
          layer.slots.back().flipbook = track("KMTF");
        }
      }
      for (const std::string_view tag : {"KMTA", "KMTE"}) {
        if (below(2) == 0) {
          layer.tracks.push_back(track(tag));
        }
      }
      material.layers.push_back(std::move(layer));
    }
    materials.items.push_back(std::move(material));
  }
  mdx::Document document;
  document.chunks.push_back({FourCC{"VERS"}, mdx::Version{1100}, {}, {}});
  document.chunks.push_back({FourCC{"MTLS"}, std::move(materials), {}, {}});
  return mdx::write(document);
}

TEST(Generated, TracksOfSlotsComeBackAndAreSet) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    for (int turn = 0; turn < 13; ++turn) {
      const Bytes bytes = model_with_slots(random);
      const auto document = read_any(bytes);
      ASSERT_TRUE(document) << document.error().message;
      const auto built = build_any(dump_any(*document));
      ASSERT_TRUE(built) << seed << ' ' << turn << ' ' << built.error().message;
      ASSERT_EQ(write_any(*built), bytes) << seed << ' ' << turn << '\n' << dump_any(*document);
      Generator generator(*document, seed);
      for (int change = 0; change < 5; ++change) {
        (void)comes_back(generator.next(), "slots of seed " + std::to_string(seed));
      }
      if (turn > 0) {
        continue;
      }
      for (const auto& field : settable_fields(*document)) {
        const auto places = Editor(*document).get(field.path);
        ASSERT_TRUE(places) << field.path;
        for (const auto& [path, value] : *places) {
          Editor editor(*document);
          EXPECT_TRUE(editor.set(path, value)) << path;
          const auto edited = editor.document();
          ASSERT_TRUE(edited) << path << ": " << edited.error().message;
          EXPECT_EQ(write_any(*edited), bytes) << path;
        }
      }
    }
  }
}

TEST(Generated, DocumentsComeBack) {
  const char* said = std::getenv("THAW_DOCUMENTS");
  const char* only = std::getenv("THAW_FORMAT");
  const unsigned long requested = said == nullptr ? 40 : std::strtoul(said, nullptr, 10);
  for (const auto& [format, paths] : small_documents()) {
    if (only != nullptr && format != only) {
      continue;
    }
    std::vector<std::optional<Generator>> generators(paths.size());
    unsigned long good = 0;
    unsigned long tried = 0;
    for (; good < requested && tried < 20 * requested && !HasFailure(); ++tried) {
      const std::size_t which = tried % paths.size();
      auto& generator = generators[which];
      if (!generator) {
        generator.emplace(read_any(test::load(paths[which])).value(), static_cast<unsigned>(27 + which));
      }
      good += comes_back(generator->next(), paths[which].string()) ? 1U : 0U;
    }
    EXPECT_GE(good, requested) << format << ": of " << tried;
    if (said != nullptr) {
      printf("%s: %lu documents of %lu tried, from %zu files\n", format.c_str(), good, tried, paths.size());
    }
  }
}

}  // namespace
}  // namespace thaw
