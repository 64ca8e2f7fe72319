#include "formats/archives/casc/installation.hpp"

#include <thaw/codes.hpp>

#include "bytes/hash.hpp"
#include "bytes/number_text.hpp"
#include "bytes/text.hpp"
#include "bytes/text_encoding.hpp"
#include "describe/limits.hpp"

#include <algorithm>

namespace thaw::casc {
namespace {

constexpr std::uint32_t kBlobHeader = 30;
/// The row of an entry that is named by a key.
constexpr std::uint32_t kByKey = ~std::uint32_t{0};
constexpr std::string_view kData = "data/data";
constexpr std::size_t kKeyDigits = 32;

std::optional<Key> key_of_digits(std::string_view digits) {
  const auto bytes = digits.size() == kKeyDigits ? bytes_of_hex(digits) : std::nullopt;
  return bytes ? std::optional(key_at<std::tuple_size_v<Key>>(bytes->data())) : std::nullopt;
}

/// "134400", with any extension, alone or in the folders where nameless files are put.
std::optional<std::uint32_t> id_in_name(std::string_view flat) {
  const std::size_t slash = flat.find('/');
  if (slash != std::string_view::npos) {
    const std::string_view folder = flat.substr(0, slash);
    if (folder != "unknown" && folder != "filedataid") {
      return std::nullopt;
    }
    flat = flat.substr(slash + 1);
  }
  return parse_whole(flat.substr(0, flat.find('.')));
}

std::string names_of(const std::vector<Product>& products) {
  std::string text;
  for (const auto& product : products) {
    text += (text.empty() ? "" : ", ") + product.name + " (" + product.version + ")";
  }
  return text;
}

std::uint64_t folder_hash(std::string_view flat) {
  const std::size_t slash = flat.find_last_of('/');
  return flat_hash(slash == std::string_view::npos ? std::string_view() : flat.substr(0, slash));
}

Result<Bytes> all_of(const Files& files, const std::string& path) {
  auto storage = files.open(path);
  if (!storage) {
    return tl::unexpected<Error>(std::move(storage.error()));
  }
  constexpr std::uint64_t kMost = std::uint64_t{16} << 20U;
  if ((*storage)->size() > kMost) {
    return fail(codes::kInputTooLarge, "has " + std::to_string((*storage)->size()) +
                                           " bytes; the limit for this file is " + std::to_string(kMost) +
                                           " bytes");
  }
  Bytes bytes(static_cast<std::size_t>((*storage)->size()));
  if (!(*storage)->read(0, bytes)) {
    return fail(codes::kInputUnreadable, "cannot be read");
  }
  return bytes;
}

}  // namespace

// --- Opening

Result<std::vector<Product>> products(const Files& files) {
  const auto text = all_of(files, ".build.info");
  if (!text) {
    const auto configs = files.files_in("data");
    const bool fixed = std::find(configs.begin(), configs.end(), "data/.build.config") != configs.end();
    return fixed ? fail(codes::kCascUnsupported, "Data/.build.config: static storages are not supported")
                 : fail(codes::kCascInstallation, ".build.info: " + text.error().message);
  }
  auto found = read_products(as_text(*text));
  if (found.empty()) {
    return fail(codes::kCascInstallation,
                ".build.info lists no active product. Repair the game with its launcher.");
  }
  return found;
}

Result<void> Installation::read(Diagnostics& diagnostics) {
  auto variant = read_variant(options_.variants);
  if (!variant) {
    return tl::unexpected<Error>(std::move(variant.error()));
  }
  variant_ = std::move(*variant);
  if (auto done = choose_product(); !done) {
    return done;
  }
  if (variant_.locale.empty()) {
    variant_.locale = locale_of_tags(product_.tags);
  }
  layers_ = layers_of(variant_);
  if (auto done = read_config(diagnostics); !done) {
    return done;
  }
  index_.read(*files_, std::string(kData), diagnostics);
  if (!index_.is_there()) {
    return fail(codes::kCascInstallation,
                "Data/data has no readable index (.idx). Repair the game with its launcher.");
  }
  note_archives();
  if (auto done = read_roots(diagnostics); !done) {
    return done;
  }
  report_names(diagnostics);
  return {};
}

void Installation::note_archives() {
  const std::string start = std::string(kData) + "/data.";
  for (const auto& path : files_->files_in(kData)) {
    const auto number =
        path.starts_with(start) ? parse_whole(std::string_view(path).substr(start.size())) : std::nullopt;
    if (number) {
      there_.push_back(*number);
    }
  }
  std::sort(there_.begin(), there_.end());
}

Result<void> Installation::choose_product() {
  const auto found = casc::products(*files_);
  if (!found) {
    return tl::unexpected<Error>(found.error());
  }
  const std::vector<Product>& products = *found;
  const auto named = std::find_if(products.begin(), products.end(), [this](const Product& product) {
    return ascii::same(product.name, variant_.product);
  });
  if (!variant_.product.empty() && named == products.end()) {
    return fail(codes::kCascChoice, "unknown variant or product '" + variant_.product +
                                        "'; the products are " + names_of(products));
  }
  if (variant_.product.empty() && products.size() > 1) {
    return fail(codes::kCascChoice,
                "the installation has several products; choose one with --variant: " + names_of(products));
  }
  product_ = variant_.product.empty() ? products.front() : *named;
  return {};
}

Result<void> Installation::read_config(Diagnostics& diagnostics) {
  const std::string& hash = product_.config;
  const std::string path = "data/config/" + hash.substr(0, 2) + "/" + hash.substr(2, 2) + "/" + hash;
  auto text = all_of(*files_, path);
  if (!text) {
    return fail(codes::kCascInstallation, "the build configuration " + path + ": " + text.error().message);
  }
  if (md5_text(md5(*text)) != hash) {
    diagnostics.add(codes::kCascTable, path + " does not match the MD5 in its name; it is used anyway");
  }
  config_ = std::make_unique<Config>(as_text(*text));
  list_tables();
  return {};
}

void Installation::list_tables() {
  for (const std::string name : {"encoding", "root", "vfs-root", "install", "download", "size"}) {
    Table table{name, config_->key(name, 0), config_->key(name, 1), config_->number(name + "-size", 0)};
    // The table of encodings cannot be looked for in itself.
    if (table.encoded || (table.content && name != "encoding")) {
      tables_.push_back(std::move(table));
    }
  }
}

Result<void> Installation::read_roots(Diagnostics& diagnostics) {
  const bool wow = ascii::begins_with(product_.name, "wow");
  if (!wow && config_->key("vfs-root", 1)) {
    auto done = read_tree(diagnostics);
    if (done || !config_->key("root", 0)) {
      return done;
    }
    diagnostics.add(codes::kCascTable,
                    "vfs-root: " + done.error().message + "; the older list of names is used instead");
  }
  return read_root(diagnostics);
}

Result<Bytes> Installation::read_table(const std::string& name, Diagnostics& diagnostics) const {
  const auto entry = table_entry(name);
  if (!entry) {
    return fail(codes::kCascInstallation, "the build configuration has no key for '" + name + "'");
  }
  Diagnostics found;
  auto unpacked = unpack(*entry, found, ~std::uint64_t{0});
  if (!unpacked) {
    return fail(codes::kCascInstallation, name + ": " + unpacked.error().message, unpacked.error().offset);
  }
  for (const auto& finding : found.items()) {
    diagnostics.add(codes::kCascTable, name + ": " + finding.message, finding.offset);
  }
  return std::move(unpacked->bytes);
}

Result<void> Installation::read_tree(Diagnostics& diagnostics) {
  auto bytes = read_table("vfs-root", diagnostics);
  if (!bytes) {
    return tl::unexpected<Error>(std::move(bytes.error()));
  }
  const Tree::Fetch fetch = [this](const ShortKey& key) -> Result<Bytes> {
    Diagnostics found;
    return read_part({{key}, std::nullopt, std::nullopt}, ~std::uint64_t{0}, found)
        .map([](Decoded&& decoded) { return std::move(decoded.bytes); });
  };
  auto tree = Tree::read(std::move(*bytes), config_->manifests(), fetch, diagnostics);
  if (!tree) {
    return tl::unexpected<Error>(std::move(tree.error()));
  }
  tree_ = std::move(*tree);
  // Names lead to encoded keys. Content keys are requested by hand alone, and their table is read then.
  if (options_.strict) {
    if (auto encoding = read_encoding(diagnostics); !encoding) {
      diagnostics.add(codes::kCascTable, encoding.error().message);
    }
  }
  return {};
}

Result<Encoding> Installation::read_encoding(Diagnostics& diagnostics) const {
  auto bytes = read_table("encoding", diagnostics);
  if (!bytes) {
    return tl::unexpected<Error>(std::move(bytes.error()));
  }
  return Encoding::read(std::move(*bytes), options_.strict, diagnostics);
}

/// Null if it cannot be read.
const Encoding* Installation::encoding() const {
  std::call_once(encoding_once_, [this] {
    if (encoding_) {
      return;
    }
    if (auto table = read_encoding(Diagnostics::discarded())) {
      encoding_ = std::move(*table);
    }
  });
  return encoding_ ? &*encoding_ : nullptr;
}

Result<void> Installation::read_root(Diagnostics& diagnostics) {
  auto encoding = read_encoding(diagnostics);
  if (!encoding) {
    return tl::unexpected<Error>(std::move(encoding.error()));
  }
  encoding_ = std::move(*encoding);
  auto bytes = read_table("root", diagnostics);
  if (!bytes) {
    return tl::unexpected<Error>(std::move(bytes.error()));
  }
  if (is_text_root(*bytes)) {
    text_.emplace(std::move(*bytes));
    return {};
  }
  const std::uint32_t instead = locale_bit(variant_.locale == "enGB"   ? "enUS"
                                           : variant_.locale == "ptPT" ? "ptBR"
                                                                       : "");
  auto root = NumberedRoot::read(std::move(*bytes), locale_bit(variant_.locale), instead, diagnostics);
  if (!root) {
    return tl::unexpected<Error>(std::move(root.error()));
  }
  numbered_ = std::move(*root);
  return {};
}

void Installation::report_names(Diagnostics& diagnostics) const {
  if (!numbered_) {
    return;
  }
  if (numbered_->others() > 0) {
    diagnostics.add(codes::kCascLocale, counted(numbered_->others(), "file") +
                                            " left out, available only in languages other than " +
                                            variant_.locale + "; choose another with --variant");
  }
  if (options_.listfiles.empty()) {
    diagnostics.add(codes::kCascNames,
                    "files are known by number only; name them with --listfile (lines of `id;path`)");
  }
}

// --- Finding

std::size_t Installation::row_count() const {
  return tree_ ? tree_->size() : text_ ? text_->size() : numbered_ ? numbered_->rows().size() : 0;
}

const ListFile& Installation::list_file() const {
  std::call_once(list_file_once_, [this] { list_file_ = std::make_unique<ListFile>(options_.listfiles); });
  return *list_file_;
}

std::optional<std::uint32_t> Installation::numbered_row(std::string_view name) const {
  std::string path = shown_name(name);
  const std::uint64_t hash = path_hash(path);
  if (const auto row = numbered_->row_of_hash(hash)) {
    return row;
  }
  if (const auto id = id_in_name(ascii::lowered(path))) {
    if (const auto row = numbered_->row_of(*id)) {
      return row;
    }
  }
  const auto id = options_.listfiles.empty() ? std::nullopt : list_file().id(hash);
  return id ? numbered_->row_of(*id) : std::nullopt;
}

std::optional<std::uint32_t> Installation::row_of(std::string_view name,
                                                  const std::vector<std::string>& layers) const {
  const auto look = [this](const std::string& flat) {
    return tree_ ? tree_->find(flat_hash(flat)) : text_ ? text_->find(flat_hash(flat)) : std::nullopt;
  };
  const std::string flat = flat_name(name);
  if (flat.empty()) {
    return std::nullopt;
  }
  if (name.find(':') != std::string_view::npos) {
    return look(flat);  // in the game's own form, a name says which layer it means
  }
  for (const auto& layer : layers) {
    if (const auto row = look(layer + flat)) {
      return row;
    }
  }
  return std::nullopt;
}

std::optional<ArchiveEntry> Installation::find(std::string_view name) const { return find(name, layers_); }

std::optional<ArchiveEntry> Installation::find(std::string_view name,
                                               const std::vector<std::string>& layers) const {
  if (numbered_) {
    if (const auto row = numbered_row(name)) {
      return entry_of(*row, shown_name(name));
    }
  } else {
    const std::string flat = flat_name(name);
    const bool raw = name.find(':') != std::string_view::npos;
    for (const auto& layer : raw ? std::vector<std::string>{""} : layers) {
      if (const auto row = row_of(raw ? std::string(name) : layer + flat, {""})) {
        return entry_of(*row, layer + shown_name(name));
      }
    }
  }
  if (auto table = table_entry(name)) {
    return table;
  }
  if (!key_of_digits(name)) {
    return std::nullopt;
  }
  ArchiveEntry entry;
  entry.name = ascii::lowered(name);
  entry.index = kByKey;
  const Whole whole = whole_of(entry);
  if (whole.parts.empty()) {
    return std::nullopt;
  }
  return entry_of(kByKey, entry.name);
}

std::optional<ArchiveEntry> Installation::table_entry(std::string_view name) const {
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    if (ascii::same(tables_[i].name, name)) {
      // After all rows, those of manifests included, which nothing else counts.
      return entry_of(kByKey - 1 - static_cast<std::uint32_t>(i), tables_[i].name);
    }
  }
  return std::nullopt;
}

Installation::Whole Installation::whole_of_key(const Key& content) const {
  Whole whole;
  whole.content = content;
  const Encoding* const table = encoding();
  const auto found = table != nullptr ? table->find(content) : std::nullopt;
  if (found) {
    Part part{{}, std::nullopt, found->size};
    for (const Key& key : found->encoded) {
      part.keys.push_back(shortened(key));
    }
    if (!found->encoded.empty()) {
      part.full_key = found->encoded.front();
    }
    whole.parts.push_back(std::move(part));
  }
  return whole;
}

Installation::Whole Installation::whole_of(const ArchiveEntry& entry) const {
  if (entry.index == kByKey) {
    const auto key = key_of_digits(entry.name);
    Whole whole = key ? whole_of_key(*key) : Whole();
    if (key && whole.parts.empty() && index_.find(shortened(*key))) {
      return {{{{shortened(*key)}, key, std::nullopt}}, std::nullopt};
    }
    return whole;
  }
  if (const std::uint32_t table = kByKey - 1 - entry.index; table < tables_.size()) {
    const Table& one = tables_[table];
    if (one.encoded) {
      return {{{{shortened(*one.encoded)}, one.encoded, one.size}}, one.content};
    }
    return one.content ? whole_of_key(*one.content) : Whole();
  }
  if (tree_) {
    Whole whole;
    for (const Span& span : tree_->spans(entry.index)) {
      whole.parts.push_back({{span.key}, std::nullopt, span.size});
    }
    return whole;
  }
  if (text_ && entry.index < text_->size()) {
    return whole_of_key(text_->key(entry.index));
  }
  return numbered_ && entry.index < numbered_->rows().size()
             ? whole_of_key(numbered_->key(numbered_->rows()[entry.index]))
             : Whole();
}

std::optional<DataLocation> Installation::place_of(const Part& part) const {
  for (const ShortKey& key : part.keys) {
    if (const auto place = index_.find(key)) {
      return place;
    }
  }
  return std::nullopt;
}

ArchiveEntry Installation::entry_of(std::uint32_t row, std::string name) const {
  constexpr std::uint32_t kPlaceBits = 30;
  ArchiveEntry entry;
  entry.index = row;
  entry.name = std::move(name);
  const Whole whole = whole_of(entry);
  entry.hash = numbered_ && row < numbered_->rows().size() ? numbered_->rows()[row].id
                                                           : flat_hash(flat_name(entry.name));
  for (std::size_t i = 0; i < whole.parts.size(); ++i) {
    const auto place = place_of(whole.parts[i]);
    entry.size += whole.parts[i].size.value_or(0);
    if (!place || !std::binary_search(there_.begin(), there_.end(), place->archive)) {
      entry.flags |= ArchiveEntry::kAbsent;
    }
    if (place) {
      entry.packed_size += place->size - kBlobHeader;
      entry.offset = i == 0 ? std::uint64_t{place->archive} << kPlaceBits | place->offset : entry.offset;
    }
  }
  if (whole.parts.empty()) {
    entry.flags |= ArchiveEntry::kAbsent;
  }
  return entry;
}

// --- Listing

std::string Installation::numbered_name(
    std::uint32_t row, const std::vector<std::pair<std::uint32_t, std::uint64_t>>& hashes) const {
  const std::uint32_t id = numbered_->rows()[row].id;
  const std::string_view listed = list_file().path(id);
  const auto hash = std::lower_bound(hashes.begin(), hashes.end(), std::pair(id, std::uint64_t{0}));
  const bool hashed = hash != hashes.end() && hash->first == id;
  // Numbers have changed hands: where there is a hash, the name has to be one of it.
  if (!listed.empty() && (!hashed || path_hash(listed) == hash->second)) {
    return shown_name(listed);
  }
  const std::string_view bare = hashed ? list_file().path_of_hash(hash->second) : std::string_view();
  if (!bare.empty()) {
    return shown_name(bare);
  }
  return !listed.empty() ? shown_name(listed) : "unknown/" + std::to_string(id);
}

std::vector<ArchiveEntry> Installation::list_entries() const {
  std::vector<ArchiveEntry> entries;
  entries.reserve(row_count());
  const EachName each = [&](std::uint32_t row, std::string_view name) {
    entries.push_back(entry_of(row, shown_name(name)));
  };
  if (tree_) {
    tree_->walk(each);
  } else if (text_) {
    text_->walk(each);
  } else if (numbered_) {
    const auto hashes = numbered_->hashes_by_id();
    for (std::uint32_t row = 0; row < numbered_->rows().size(); ++row) {
      entries.push_back(entry_of(row, numbered_name(row, hashes)));
    }
  }
  return entries;
}

std::span<const ArchiveEntry> Installation::entries() const {
  std::call_once(entries_once_, [this] { entries_ = list_entries(); });
  return entries_;
}

std::vector<std::string> Installation::files_in(std::string_view folder,
                                                const std::vector<std::string>& layers) const {
  const auto all = entries();
  std::call_once(folders_once_, [this, all] {
    folders_.reserve(all.size());
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      folders_.emplace_back(folder_hash(flat_name(all[i].name)), i);
    }
    std::sort(folders_.begin(), folders_.end());
  });
  const std::string flat = flat_name(folder);
  std::vector<std::string> names;
  for (const auto& layer : numbered_ ? std::vector<std::string>{""} : layers) {
    const std::string below = layer.empty() ? flat : flat.empty() ? flat_name(layer) : layer + flat;
    const std::uint64_t hash = flat_hash(below);
    for (auto at = std::lower_bound(folders_.begin(), folders_.end(), std::pair(hash, std::uint32_t{0}));
         at != folders_.end() && at->first == hash; ++at) {
      names.push_back(flat_name(all[at->second].name).substr(layer.size()));
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::uint64_t Installation::file_size() const {
  std::call_once(size_once_, [this] {
    for (const auto& path : files_->files_in(kData)) {
      const auto storage =
          path.find("/data.") != std::string::npos ? files_->open(path) : fail(codes::kInputUnreadable, "");
      size_ += storage ? (*storage)->size() : 0;
    }
  });
  return size_;
}

std::string Installation::summary() const {
  return "CASC, product " + product_.name + " " + product_.version + ", locale " + variant_.locale + ", " +
         (tree_   ? std::to_string(tree_->manifests()) + " manifests"
          : text_ ? std::string("names as text")
                  : "root of " + std::string(numbered_ ? numbered_->generation() : "")) +
         ", " + std::to_string(index_.size()) + " encoded files";
}

Value Installation::details() const {
  Value value;
  value.set("product", product_.name);
  value.set("product_version", product_.version);
  const auto& build = config_->words("build-name");
  value.set("build", build.empty() ? Value() : Value(build.front()));
  value.set("locale", variant_.locale);
  value.set("root", tree_ ? "tvfs" : text_ ? "text" : "numbered");
  value.set("encoded_files", static_cast<std::int64_t>(index_.size()));
  return value;
}

// --- Reading

Result<std::shared_ptr<const thaw::Storage>> Installation::archive(std::uint32_t number) const {
  constexpr std::size_t kDigits = 3;
  const std::lock_guard lock(archives_mutex_);
  auto& known = archives_[number];
  if (known == nullptr) {
    std::string digits = std::to_string(number);
    digits.insert(0, digits.size() < kDigits ? kDigits - digits.size() : 0, '0');
    const std::string path = std::string(kData) + "/data." + digits;
    auto opened = files_->open(path);
    if (!opened) {
      return fail(codes::kCascAbsent, "the archive " + path + ": " + opened.error().message);
    }
    known = std::move(*opened);
  }
  return known;
}

Result<Decoded> Installation::read_part(const Part& part, std::uint64_t most,
                                        Diagnostics& diagnostics) const {
  const auto place = place_of(part);
  if (!place) {
    return fail(codes::kCascAbsent, "the file is not installed: no index contains its encoded key");
  }
  const auto storage = archive(place->archive);
  if (!storage) {
    return tl::unexpected<Error>(storage.error());
  }
  Encoded encoded{storage->get(), std::uint64_t{place->offset} + kBlobHeader, place->size - kBlobHeader,
                  part.size, std::nullopt};
  if (options_.strict) {
    encoded.key = part.full_key;
  }
  auto decoded = decode(encoded, options_.limits, most, diagnostics);
  if (!decoded) {
    std::string archive_name = "data.";
    archive_name += std::to_string(place->archive);
    decoded.error().message += " (" + archive_name + ")";
  }
  return decoded;
}

Result<UnpackedFile> Installation::unpack(const ArchiveEntry& entry, Diagnostics& diagnostics,
                                          std::uint64_t most) const {
  const Whole whole = whole_of(entry);
  if (whole.parts.empty()) {
    return fail(codes::kCascAbsent,
                "the file is not installed: the encoding table does not contain its content key");
  }
  UnpackedFile file;
  bool complete = true;
  for (const Part& part : whole.parts) {
    if (file.bytes.size() >= most) {
      complete = false;
      break;
    }
    auto decoded = read_part(part, most - file.bytes.size(), diagnostics);
    if (!decoded) {
      return tl::unexpected<Error>(std::move(decoded.error()));
    }
    complete = complete && decoded->whole;
    if (file.bytes.size() >
        options_.limits.max_input_bytes -
            std::min<std::uint64_t>(options_.limits.max_input_bytes, decoded->bytes.size())) {
      return input_too_large(file.bytes.size() + decoded->bytes.size(), options_.limits);
    }
    if (whole.parts.size() == 1) {
      file.bytes = std::move(decoded->bytes);
    } else {
      file.bytes.insert(file.bytes.end(), decoded->bytes.begin(), decoded->bytes.end());
    }
    file.method = std::move(decoded->method);
  }
  const bool table = kByKey - 1 - entry.index < tables_.size();
  if (complete && whole.content && (options_.strict || table) && md5(file.bytes) != *whole.content) {
    diagnostics.add(codes::kCascChecksum,
                    "the content key does not match the content, which is returned anyway");
  }
  return file;
}

}  // namespace thaw::casc
