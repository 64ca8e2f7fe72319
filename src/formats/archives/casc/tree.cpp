#include "formats/archives/casc/tree.hpp"

#include <thaw/codes.hpp>

#include "formats/archives/casc/names.hpp"

#include <algorithm>

namespace thaw::casc {
namespace {

constexpr std::size_t kDeepestMount = 16;
/// The same manifest may stand in several places, as empty ones do; not in all of them.
constexpr unsigned kMostMounts = 16;
constexpr std::size_t kMostRows = std::size_t{1} << 24U;
/// Names share their folders in a manifest, so that a few bytes may stand for many long ones.
constexpr std::size_t kMostNameBytes = std::size_t{1} << 29U;

}  // namespace

void NameIndex::reserve(std::size_t count) { found_.reserve(count); }

void NameIndex::settle() {
  std::sort(found_.begin(), found_.end());
  hashes_.reserve(found_.size());
  rows_.reserve(found_.size());
  for (const auto& [hash, row] : found_) {
    if (hashes_.empty() || hashes_.back() != hash) {
      hashes_.push_back(hash);
      rows_.push_back(row);
    }
  }
  found_ = {};
}

std::optional<std::uint32_t> NameIndex::find(std::uint64_t hash) const {
  const auto found = std::lower_bound(hashes_.begin(), hashes_.end(), hash);
  return found != hashes_.end() && *found == hash
             ? std::optional(rows_[static_cast<std::size_t>(found - hashes_.begin())])
             : std::nullopt;
}

/// Goes through manifests and those within them in the order of their files. The first time, `load` brings
/// them in; later ones find what was there.
class Tree::Walker {
 public:
  using Each =
      std::function<void(std::uint32_t manifest, std::uint32_t place, bool nested, std::string_view name)>;
  using Load = std::function<std::optional<std::uint32_t>(const ShortKey& key, std::string_view name)>;

  Walker(const Tree& tree, const Each& each, const Load& load, Diagnostics& diagnostics)
      : tree_(tree), each_(each), load_(load), diagnostics_(diagnostics) {}

  /// False if there was more than is taken.
  bool run() {
    mount(0, 0);
    return !cut_;
  }

 private:
  /// What lies in a manifest goes by `name_`, as it is then, and its own path.
  void mount(std::uint32_t manifest, std::size_t depth) {
    tree_.parts_[manifest]->walk(
        [&](std::string_view path, std::uint32_t place) {
          const std::size_t prefix = name_.size();
          name_ += path;
          file(manifest, place, depth);
          name_.resize(prefix);
        },
        diagnostics_);
  }

  void file(std::uint32_t manifest, std::uint32_t place, std::size_t depth) {
    name_bytes_ += name_.size();
    if (count_ >= kMostRows || name_bytes_ > kMostNameBytes) {
      cut_ = true;
      return;
    }
    const auto key = tree_.parts_[manifest]->single(place);
    const auto nested = key ? load_(*key, name_) : std::nullopt;
    if (!key && tree_.parts_[manifest]->spans(place).empty()) {
      return;  // deleted
    }
    ++count_;
    each_(manifest, place, nested.has_value(), name_);
    if (nested && depth < kDeepestMount && !is_open(*nested) && mounts_[*nested] < kMostMounts) {
      ++mounts_[*nested];
      open_.push_back(*nested);
      name_ += ':';
      mount(*nested, depth + 1);
      open_.pop_back();
    }
  }

  [[nodiscard]] bool is_open(std::uint32_t manifest) const {
    return manifest == 0 || std::find(open_.begin(), open_.end(), manifest) != open_.end();
  }

  const Tree& tree_;
  const Each& each_;
  const Load& load_;
  Diagnostics& diagnostics_;
  std::string name_;
  std::vector<std::uint32_t> open_;
  std::map<std::uint32_t, unsigned> mounts_;
  std::size_t count_ = 0;
  std::size_t name_bytes_ = 0;
  bool cut_ = false;
};

Result<Tree> Tree::read(Bytes root, std::vector<ShortKey> nested, const Fetch& fetch,
                        Diagnostics& diagnostics) {
  auto first = Manifest::read(std::move(root));
  if (!first) {
    return tl::unexpected<Error>(std::move(first.error()));
  }
  Tree tree;
  tree.parts_.push_back(std::make_unique<const Manifest>(std::move(*first)));
  const Walker::Load load = [&](const ShortKey& key, std::string_view name) -> std::optional<std::uint32_t> {
    if (!std::binary_search(nested.begin(), nested.end(), key)) {
      return std::nullopt;
    }
    const auto [known, fresh] = tree.part_of_.try_emplace(key);
    if (!fresh) {
      return known->second;
    }
    auto bytes = fetch(key);
    auto manifest =
        bytes ? Manifest::read(std::move(*bytes)) : tl::unexpected<Error>(std::move(bytes.error()));
    if (!manifest) {
      diagnostics.add(codes::kCascTable,
                      "the manifest of " + shown_name(name) +
                          " cannot be read; its files are left out: " + manifest.error().message);
      return std::nullopt;
    }
    tree.parts_.push_back(std::make_unique<const Manifest>(std::move(*manifest)));
    known->second = static_cast<std::uint32_t>(tree.parts_.size() - 1);
    return known->second;
  };
  std::vector<std::pair<Row, std::uint64_t>> hidden;
  std::string flat;
  const Walker::Each each = [&](std::uint32_t manifest, std::uint32_t place, bool is_manifest,
                                std::string_view name) {
    flatten(name, flat);
    const std::uint64_t hash = flat_hash(flat);
    if (is_manifest) {
      hidden.push_back({{manifest, place}, hash});
      return;
    }
    tree.names_.add(hash, static_cast<std::uint32_t>(tree.rows_.size()));
    tree.rows_.push_back({manifest, place});
  };
  if (!Walker(tree, each, load, diagnostics).run()) {
    const std::size_t files = tree.rows_.size() + hidden.size();
    diagnostics.add(codes::kCascTable,
                    "the installation lists more than " +
                        (files >= kMostRows ? std::to_string(kMostRows) + " files"
                                            : std::to_string(kMostNameBytes) + " bytes of names") +
                        "; the files after them are left out");
  }
  tree.files_ = tree.rows_.size();
  for (const auto& [row, hash] : hidden) {
    tree.names_.add(hash, static_cast<std::uint32_t>(tree.rows_.size()));
    tree.rows_.push_back(row);
  }
  tree.rows_.shrink_to_fit();
  tree.names_.settle();
  return tree;
}

std::vector<Span> Tree::spans(std::uint32_t row) const {
  return row < rows_.size() ? parts_[rows_[row].manifest]->spans(rows_[row].place) : std::vector<Span>();
}

void Tree::walk(const EachName& each) const {
  const Walker::Load load = [this](const ShortKey& key, std::string_view /*name*/) {
    const auto known = part_of_.find(key);
    return known == part_of_.end() ? std::nullopt : known->second;
  };
  std::uint32_t row = 0;
  const Walker::Each each_file = [&](std::uint32_t /*manifest*/, std::uint32_t /*place*/, bool is_manifest,
                                     std::string_view name) {
    if (!is_manifest) {
      each(row++, name);
    }
  };
  Walker(*this, each_file, load, Diagnostics::discarded()).run();
}

TextNames::TextNames(Bytes bytes) : bytes_(std::move(bytes)) {
  std::string flat;
  walk_text_root(bytes_, [&](std::string_view path, const Key& key) {
    flatten(path, flat);
    names_.add(flat_hash(flat), static_cast<std::uint32_t>(keys_.size()));
    keys_.push_back(key);
  });
  names_.settle();
}

void TextNames::walk(const EachName& each) const {
  std::uint32_t row = 0;
  walk_text_root(bytes_, [&](std::string_view path, const Key& /*key*/) { each(row++, path); });
}

}  // namespace thaw::casc
