// Archives with files added and removed. New bytes go where the tables were, and the tables after them; what
// lies before, between and after stays where it is.

#include <thaw/archive.hpp>
#include <thaw/codes.hpp>

#include "bytes/escape.hpp"
#include "bytes/text.hpp"
#include "describe/description.hpp"
#include "formats/archives/archive/names.hpp"
#include "formats/archives/mpq/build.hpp"
#include "formats/archives/mpq/crypt.hpp"
#include "formats/archives/mpq/header.hpp"
#include "formats/archives/mpq/imports.hpp"
#include "formats/archives/mpq/names.hpp"

#include <algorithm>
#include <map>

namespace thaw::mpq {
namespace {

constexpr std::size_t kTableRecord = 16;
constexpr std::uint64_t kSignatureSize = 260;  ///< `NGIS` and 2,048 bits

/// A list of names as text, changed line by line.
class NameList {
 public:
  explicit NameList(ByteView text) : text_(as_text(text)) {}

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] bool has(std::string_view name) const { return !find(name).empty(); }

  void add(std::string_view name) {
    const bool open = !text_.empty() && text_.back() != '\n' && text_.back() != '\r' && text_.back() != ';';
    text_ += (open ? separator() : std::string()) + std::string(name) + separator();
  }

  void remove(std::string_view name) {
    for (auto line = find(name); !line.empty(); line = find(name)) {
      const auto begin = static_cast<std::size_t>(line.data() - text_.data());
      std::size_t end = begin + line.size();
      end += text_.compare(end, 2, "\r\n") == 0 ? 2U : end < text_.size() ? 1U : 0U;
      text_.erase(begin, end - begin);
    }
  }

 private:
  [[nodiscard]] std::string separator() const {
    const std::size_t end = text_.find_first_of("\r\n;");
    return end == std::string::npos             ? "\r\n"
           : text_.compare(end, 2, "\r\n") == 0 ? "\r\n"
                                                : std::string(1, text_[end]);
  }

  [[nodiscard]] std::string_view find(std::string_view name) const {
    std::string_view found;
    for_each_name(as_bytes(text_), [&](std::string_view line) {
      found = found.empty() && entry_hash(line) == entry_hash(name) ? line : found;
    });
    return found;
  }

  std::string text_;
};

/// Bytes of the archive's file from one place up to another.
struct Range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

class Editor {
 public:
  Editor(const std::shared_ptr<const Storage>& storage, const EditOptions& options, Sink& out,
         Diagnostics& diagnostics)
      : storage_(*storage), shared_(storage), options_(options), out_(out), diagnostics_(diagnostics) {}

  Result<Edited> run(const Changes& changes) {
    for (const auto& step : {&Editor::open, &Editor::read_tables, &Editor::read_lists}) {
      if (auto done = (this->*step)(); !done) {
        return tl::unexpected<Error>(std::move(done.error()));
      }
    }
    for (const auto hash : changes.remove) {
      if (auto removed = remove(hash); !removed) {
        return tl::unexpected<Error>(std::move(removed.error()));
      }
    }
    if (auto added = take(changes.add); !added) {
      return tl::unexpected<Error>(std::move(added.error()));
    }
    drop_signature();
    if (auto written = write(); !written) {
      return tl::unexpected<Error>(std::move(written.error()));
    }
    return std::move(edited_);
  }

 private:
  struct Addition {
    std::string name;
    std::function<Result<Bytes>()> read;
    std::uint32_t block = 0;
  };

  [[nodiscard]] const Header& header() const { return archive_->header(); }

  // --- archives that cannot be changed without damage
  // -----------------------------------------------------------------------------------------------

  static tl::unexpected<Error> refused(const std::string& why) {
    return fail(codes::kArchiveRefused,
                "The archive was not changed: " + why + ". Extract its files and pack a new archive.");
  }

  Result<void> open() {
    Diagnostics findings;
    auto opened = Archive::open(shared_, options_.open, findings);
    if (!opened) {
      return tl::unexpected<Error>(std::move(opened.error()));
    }
    archive_ = std::move(*opened);
    if (header().version > 2) {
      return fail(codes::kArchiveKind,
                  "Archives of version " + std::to_string(header().version) +
                      " cannot be changed, because their additional tables are not supported. Extract the "
                      "files and pack a new archive.");
    }
    if (header().map_prefix && options_.packing.single_unit) {
      return fail(
          codes::kArchiveKind,
          "--single-unit cannot be used for maps, because the game does not read single units in them");
    }
    for (const auto& finding : findings.items()) {
      const bool table = finding.code == codes::kMpqTable && finding.code.severity >= Severity::severe;
      if (table || finding.code == codes::kMpqHeader || finding.code == codes::kMpqChecksum) {
        return refused(finding.message);
      }
    }
    const auto& counts = archive_->counts();
    if (counts.invalid > 0 || counts.duplicate > 0) {
      const auto entries = [](std::size_t count) {
        return std::to_string(count) + (count == 1 ? " entry" : " entries");
      };
      return refused("its hash table has " +
                     (counts.duplicate > 0 ? entries(counts.duplicate) + " sharing a block with another"
                                           : entries(counts.invalid) + " without a block") +
                     ", as left by map protectors");
    }
    if (counts.hashes != header().hash_count || counts.blocks != header().block_count) {
      return refused("the header states " + std::to_string(header().hash_count) + " hash table entries and " +
                     std::to_string(header().block_count) + " blocks, but the file has " +
                     std::to_string(counts.hashes) + " and " + std::to_string(counts.blocks));
    }
    if (counts.hashes == 0 || (counts.hashes & (counts.hashes - 1)) != 0) {
      return refused("its hash table has " + std::to_string(counts.hashes) +
                     " entries, which is not a power of two");
    }
    return {};
  }

  Result<void> read_tables() {
    const auto& counts = archive_->counts();
    auto hashes = read({header().hash_offset, header().hash_offset + counts.hashes * kTableRecord});
    auto blocks = read({header().block_offset, header().block_offset + counts.blocks * kTableRecord});
    Result<Bytes> high = Bytes();
    if (header().high_block_offset != 0) {
      high = read({header().high_block_offset, header().high_block_offset + counts.blocks * 2});
    }
    const auto fields = read({0, kHeaderSize1});
    if (!hashes || !blocks || !high || !fields) {
      return refused("one of its tables is outside the file, which may be truncated");
    }
    shift_ = load_plain<std::uint16_t>(&(*fields)[0x0E]);
    if (shift_ > 15) {
      return refused("its header states a sector shift of " + std::to_string(shift_) + ", above 15");
    }
    decrypt(*hashes, hash_name("(hash table)", 3));
    decrypt(*blocks, hash_name("(block table)", 3));
    tables_.places = Tables::read_places(*hashes);
    tables_.blocks = Tables::read_blocks(*blocks, *high);
    for (std::size_t i = 0; i < tables_.blocks.size(); ++i) {
      const auto& block = tables_.blocks[i];
      if ((block.flags & kExists) != 0 && end_of(block) > storage_.size() - header().offset) {
        return refused("block " + std::to_string(i) + name_of_block(i) +
                       " ends after the end of the archive, which is truncated or protected");
      }
    }
    find_ranges();
    return {};
  }

  /// Bytes at places that count from the header.
  Result<Bytes> read(Range range) const {
    const std::uint64_t size = storage_.size() - header().offset;
    if (range.begin > range.end || range.end > size) {
      return fail(codes::kTruncated, "a table of the archive is outside the file", range.begin);
    }
    Bytes bytes(static_cast<std::size_t>(range.end - range.begin));
    if (!storage_.read(header().offset + range.begin, bytes)) {
      return fail(codes::kInputUnreadable, "cannot read the archive", header().offset + range.begin);
    }
    return bytes;
  }

  /// " (NAME)"; empty if the block has no known name.
  [[nodiscard]] std::string name_of_block(std::size_t index) const {
    for (const auto& entry : archive_->entries()) {
      if (entry.block == index && !entry.name.empty()) {
        return " (" + shown(entry.name) + ")";
      }
    }
    return {};
  }

  [[nodiscard]] static std::uint64_t end_of(const Block& block) {
    const bool packed = (block.flags & (kCompressed | kImploded)) != 0;
    return block.offset + (packed ? block.packed_size : std::max(block.packed_size, block.size));
  }

  [[nodiscard]] std::uint64_t last_end() const {
    std::uint64_t last = header().header_size;
    for (const auto& block : tables_.blocks) {
      last = block.flags == 0 ? last : std::max(last, end_of(block));
    }
    return last;
  }

  /// What stays where it is, and what follows the new tables.
  void find_ranges() {
    std::vector<Range> parts = {
        {header().hash_offset, header().hash_offset + tables_.places.size() * kTableRecord},
        {header().block_offset, header().block_offset + tables_.blocks.size() * kTableRecord}};
    if (header().high_block_offset != 0) {
      parts.push_back({header().high_block_offset, header().high_block_offset + tables_.blocks.size() * 2});
    }
    std::sort(parts.begin(), parts.end(), [](Range a, Range b) { return a.begin < b.begin; });
    bool together = true;
    for (std::size_t i = 1; i < parts.size(); ++i) {
      together = together && parts[i].begin == parts[i - 1].end;
    }
    const std::uint64_t size = storage_.size() - header().offset;
    if (together && parts.front().begin >= last_end()) {
      keep_ = parts.front().begin;
      after_ = {parts.back().end, size};
      return;
    }
    keep_ = std::max(last_end(), parts.back().end);
    for (const auto& part : parts) {
      keep_ = std::max(keep_, part.end);
    }
    keep_ = header().archive_size <= size ? std::max(keep_, header().archive_size) : keep_;
    after_ = {keep_, size};
  }

  // --- lists
  // -----------------------------------------------------------------------------------------------

  /// Reads one of the files that describe the archive; none if it is missing.
  Result<std::optional<Bytes>> read_internal(std::string_view name) const {
    const auto entry = archive_->find(name);
    if (!entry) {
      return std::nullopt;
    }
    auto unpacked = archive_->unpack(*entry);
    if (!unpacked) {
      return refused(std::string(name) + " cannot be read: " + unpacked.error().message);
    }
    return std::optional(std::move(unpacked->bytes));
  }

  Result<void> read_lists() {
    auto list = read_internal(kListfile);
    auto attributes = read_internal(kAttributes);
    if (!list || !attributes) {
      return tl::unexpected<Error>(std::move(list ? attributes.error() : list.error()));
    }
    if (*list) {
      list_.emplace(**list);
    }
    if (*attributes) {
      attribute_kinds_ = 0;
      if (!tables_.take_attributes(**attributes, *attribute_kinds_)) {
        return refused(
            "(attributes) has an unknown version, or its size does not match the number of blocks");
      }
    }
    return read_imports();
  }

  Result<void> read_imports() {
    const bool campaign = archive_->find("war3campaign.w3f").has_value();
    const bool map = header().map_prefix || archive_->find("war3map.w3i").has_value();
    imports_name_ = campaign ? kCampaignImports : kMapImports;
    auto bytes = campaign || map ? read_internal(imports_name_) : Result<std::optional<Bytes>>(std::nullopt);
    if (!bytes) {
      return tl::unexpected<Error>(std::move(bytes.error()));
    }
    if (*bytes) {
      imports_ = Imports::read(**bytes);
      return imports_ ? Result<void>()
                      : refused("the list of imports, " + std::string(imports_name_) + ", is damaged");
    }
    if (campaign || map) {
      imports_ = Imports();
    }
    return {};
  }

  void updated(std::string_view name) {
    auto& all = edited_.updated;
    if (std::find(all.begin(), all.end(), name) == all.end()) {
      all.emplace_back(name);
    }
  }

  // --- files that go
  // -----------------------------------------------------------------------------------------------

  [[nodiscard]] std::string name_of(std::uint64_t hash) const {
    for (const auto& entry : archive_->entries()) {
      if (entry.hash == hash && !entry.name.empty()) {
        return entry.name;
      }
    }
    return hash_text(hash);
  }

  Result<void> remove(std::uint64_t hash) {
    bool found = false;
    for (std::size_t i = 0; i < tables_.places.size(); ++i) {
      if (tables_.places[i].used() && tables_.places[i].hash() == hash) {
        clear_place(i);
        found = true;
      }
    }
    const std::string name = name_of(hash);
    if (!found) {
      return fail(codes::kMpqNoEntry, "the archive has no file " + shown(name));
    }
    edited_.removed.push_back(name);
    forget(name);
    return {};
  }

  /// Removes a deleted file from the lists inside the archive.
  void forget(std::string_view name) {
    if (list_ && list_->has(name)) {
      list_->remove(name);
      updated(kListfile);
    }
    if (imports_ && imports_->remove(name)) {
      updated(imports_name_);
      imports_changed_ = true;
    }
    if (entry_hash(name) == entry_hash(kListfile)) {
      list_.reset();
    } else if (entry_hash(name) == entry_hash(kAttributes)) {
      attribute_kinds_.reset();
    } else if (entry_hash(name) == entry_hash(imports_name_)) {
      imports_.reset();
    }
  }

  /// A place is as if it had never been used if nobody looks further from there.
  void clear_place(std::size_t index) {
    auto& places = tables_.places;
    drop_block(places[index].block);
    const bool last = places[(index + 1) & (places.size() - 1)].block == kFreePlace;
    places[index] = HashSlot();
    places[index].block = last ? kFreePlace : kDeletedSlot;
  }

  void drop_block(std::uint32_t index) {
    auto& block = tables_.blocks[index];
    if (end_of(block) > block.offset) {
      dropped_.push_back({block.offset, end_of(block)});
    }
    block = Block();
  }

  /// It signs what is no longer there.
  void drop_signature() {
    const auto weak = tables_.find(kSignature);
    const auto strong = read({after_.begin, after_.begin + 4});
    const bool has_strong = strong && as_text(*strong) == "NGIS";
    if (weak) {
      clear_place(*weak);
      forget(kSignature);
    }
    if (has_strong) {
      after_.begin = std::min(after_.begin + kSignatureSize, after_.end);
    }
    if (weak || has_strong) {
      diagnostics_.add(codes::kArchiveSignature,
                       "the signature of the archive was removed, because the change invalidates it");
    }
  }

  // --- files that come
  // -----------------------------------------------------------------------------------------------

  Result<void> take(const std::vector<NewFile>& files) {
    for (const auto& file : files) {
      auto name = archive_name(file.name, archive_->code_page());
      if (!name) {
        return tl::unexpected<Error>(std::move(name.error()));
      }
      if (const auto why = problem(*name); !why.empty()) {
        return fail(codes::kArchiveName, shown(*name) + why);
      }
      if (auto placed = place(*name, file.read); !placed) {
        return placed;
      }
    }
    if (!list_ && !edited_.added.empty()) {
      diagnostics_.add(codes::kArchiveUnlisted,
                       "the archive has no (listfile), and none is added: " + counted_names(edited_.added));
    }
    return {};
  }

  static std::string counted_names(const std::vector<std::string>& names) {
    return names.size() == 1 ? "the new file is listed without its name"
                             : std::to_string(names.size()) + " new files are listed without their names";
  }

  [[nodiscard]] std::string problem(const std::string& name) const {
    const std::uint64_t hash = entry_hash(name);
    const bool lists = hash == entry_hash(kListfile) || hash == entry_hash(kAttributes) ||
                       (imports_ && hash == entry_hash(imports_name_));
    const bool twice = std::any_of(additions_.begin(), additions_.end(), [&](const Addition& addition) {
      return entry_hash(addition.name) == hash;
    });
    return lists                            ? ": this file cannot be added, because thaw maintains it"
           : hash == entry_hash(kSignature) ? ": this file cannot be added, because thaw cannot sign archives"
           : twice                          ? ": two files have this name (ignoring case)"
                                            : "";
  }

  Result<void> place(const std::string& name, const std::function<Result<Bytes>()>& read) {
    const auto there = tables_.find(name);
    if (there && tables_.places[*there].locale == 0) {
      const std::uint32_t block = tables_.places[*there].block;
      drop_block(block);
      reserve(block);
      additions_.push_back({name, read, block});
      edited_.replaced.push_back(name);
      return {};
    }
    const auto block = insert(name);
    if (!block) {
      return tl::unexpected<Error>(block.error());
    }
    additions_.push_back({name, read, *block});
    edited_.added.push_back(name);
    if (list_ && !list_->has(name)) {
      list_->add(name);
      updated(kListfile);
    }
    if (imports_ && is_import(name) && imports_->add(name)) {
      updated(imports_name_);
      imports_changed_ = true;
    }
    return {};
  }

  void reserve(std::uint32_t block) { tables_.blocks[block].flags = kExists; }

  Result<std::uint32_t> insert(std::string_view name) {
    const std::uint32_t block = tables_.free_block();
    reserve(block);
    if (!tables_.insert(name, block)) {
      if (auto grown = grow(); !grown) {
        return tl::unexpected<Error>(std::move(grown.error()));
      }
      (void)tables_.insert(name, block);
    }
    return block;
  }

  /// Twice the places, for which all names have to be known.
  Result<void> grow() {
    std::map<std::uint64_t, std::string_view> names;
    for (const auto& entry : archive_->entries()) {
      if (!entry.name.empty()) {
        names.emplace(entry.hash, entry.name);
      }
    }
    for (const auto& addition : additions_) {
      names.emplace(entry_hash(addition.name), addition.name);
    }
    Tables larger;
    larger.places.resize(tables_.places.size() * 2);
    for (const auto& old : tables_.places) {
      if (!old.used()) {
        continue;
      }
      const auto name = names.find(old.hash());
      if (name == names.end()) {
        return fail(codes::kArchiveFull,
                    "The hash table is full and can grow only if the names of all files are known. Add them "
                    "with --listfile.");
      }
      std::size_t at = hash_name(name->second, 0);
      while (larger.places[at & (larger.places.size() - 1)].used()) {
        ++at;
      }
      larger.places[at & (larger.places.size() - 1)] = old;
    }
    tables_.places = std::move(larger.places);
    return {};
  }

  // --- the new archive
  // -----------------------------------------------------------------------------------------------

  Result<void> write() {
    if (auto listed = prepare_lists(); !listed) {
      return listed;
    }
    reclaim();
    if (auto copied = copy({0, header().offset + keep_}); !copied) {
      return copied;
    }
    const unsigned version = header().version;
    Builder builder(out_, header().offset, version, header().sector_size);
    for (const auto& addition : additions_) {
      if (auto stored = store(builder, addition); !stored) {
        return stored;
      }
    }
    if (auto stored = store_attributes(builder); !stored) {
      return stored;
    }
    auto fields = builder.finish(tables_, shift_);
    if (!fields) {
      return tl::unexpected<Error>(std::move(fields.error()));
    }
    if (!out_.patch(header().offset, fields->write())) {
      return sink_failed();
    }
    return copy({header().offset + after_.begin, header().offset + after_.end});
  }

  /// The lists are files like any other, but come last.
  Result<void> prepare_lists() {
    const auto replace = [this](std::string_view name, Bytes content) -> Result<void> {
      const auto there = tables_.find(name);
      std::uint32_t block = 0;
      if (there) {
        block = tables_.places[*there].block;
        drop_block(block);
        reserve(block);
      } else if (auto inserted = insert(name)) {
        block = *inserted;
      } else {
        return tl::unexpected<Error>(std::move(inserted.error()));
      }
      additions_.push_back(
          {std::string(name), [bytes = std::move(content)]() -> Result<Bytes> { return bytes; }, block});
      return {};
    };
    if (imports_ && imports_changed_) {
      const bool there = tables_.find(imports_name_).has_value();
      if (list_ && !there && !list_->has(imports_name_)) {
        list_->add(imports_name_);
      }
      if (auto replaced = replace(imports_name_, imports_->write()); !replaced) {
        return replaced;
      }
    }
    update_digests();
    if (list_ &&
        std::find(edited_.updated.begin(), edited_.updated.end(), kListfile) != edited_.updated.end()) {
      const ByteView text = as_bytes(list_->text());
      if (auto replaced = replace(kListfile, Bytes(text.begin(), text.end())); !replaced) {
        return replaced;
      }
    }
    if (attribute_kinds_) {
      const auto there = tables_.find(kAttributes);
      if (there) {
        drop_block(tables_.places[*there].block);
        reserve(tables_.places[*there].block);
      }
    }
    trim();
    return {};
  }

  /// WoW Alpha's archives of one file have its MD5 next to it, `X.wmo.md5` (mpq.md#one-file-archives).
  void update_digests() {
    constexpr std::uint32_t kDigest = 16;
    const std::size_t count = additions_.size();
    for (std::size_t i = 0; i < count; ++i) {
      const std::string name = additions_[i].name + ".md5";
      const auto there = tables_.find(name);
      const auto given = std::any_of(additions_.begin(), additions_.end(), [&](const Addition& addition) {
        return entry_hash(addition.name) == entry_hash(name);
      });
      if (!there || given || tables_.blocks[tables_.places[*there].block].size != kDigest) {
        continue;
      }
      const std::uint32_t block = tables_.places[*there].block;
      drop_block(block);
      reserve(block);
      const auto read = additions_[i].read;
      additions_.push_back({name,
                            [read]() -> Result<Bytes> {
                              return read().map([](const Bytes& bytes) {
                                const Md5 digest = md5(bytes);
                                return Bytes(digest.begin(), digest.end());
                              });
                            },
                            block});
      updated(name);
    }
  }

  /// Blocks at the end that hold nothing.
  void trim() {
    std::uint32_t last = 0;
    for (const auto& place : tables_.places) {
      last = place.used() ? std::max(last, place.block + 1) : last;
    }
    auto& blocks = tables_.blocks;
    while (blocks.size() > last && blocks.back().flags == 0) {
      blocks.pop_back();
    }
  }

  /// Bytes at the end of which nothing is left need not stay.
  void reclaim() {
    std::uint64_t used = header().header_size;
    for (const auto& block : tables_.blocks) {
      // A block that is reserved has no bytes yet.
      used = block.flags == 0 || block.size == 0 ? used : std::max(used, end_of(block));
    }
    std::sort(dropped_.begin(), dropped_.end(), [](Range a, Range b) { return a.end > b.end; });
    for (const auto& range : dropped_) {
      if (range.end == keep_) {
        keep_ = std::max(range.begin, used);
      }
    }
  }

  Result<void> copy(Range range) {
    constexpr std::uint64_t kPiece = 1U << 20U;
    Bytes piece;
    for (std::uint64_t at = range.begin; at < range.end;) {
      piece.resize(static_cast<std::size_t>(std::min(kPiece, range.end - at)));
      if (!storage_.read(at, piece)) {
        return fail(codes::kInputUnreadable, "cannot read the archive", at);
      }
      if (!out_.append(piece)) {
        return sink_failed();
      }
      at += piece.size();
    }
    return {};
  }

  Result<void> store(Builder& builder, const Addition& addition) {
    auto content = addition.read();
    if (!content) {
      return tl::unexpected<Error>(std::move(content.error()));
    }
    auto block = builder.store(*content, options_.packing);
    if (!block) {
      block.error().message = shown(addition.name) + ": " + block.error().message;
      return tl::unexpected<Error>(std::move(block.error()));
    }
    tables_.blocks[addition.block] = *block;
    return {};
  }

  Result<void> store_attributes(Builder& builder) {
    if (!attribute_kinds_) {
      return {};
    }
    auto block = builder.store(tables_.attributes(*attribute_kinds_), options_.packing);
    if (!block) {
      return tl::unexpected<Error>(std::move(block.error()));
    }
    block->crc32 = 0;
    block->md5 = {};
    tables_.blocks[tables_.places[*tables_.find(kAttributes)].block] = *block;
    return {};
  }

  const Storage& storage_;
  std::shared_ptr<const Storage> shared_;
  const EditOptions& options_;
  Sink& out_;
  Diagnostics& diagnostics_;
  std::optional<Archive> archive_;
  Tables tables_;
  std::uint16_t shift_ = 0;
  std::uint64_t keep_ = 0;  ///< bytes from the header on that stay where they are
  Range after_;             ///< what follows the archive
  std::vector<Range> dropped_;
  std::optional<NameList> list_;
  std::optional<std::uint32_t> attribute_kinds_;
  std::string_view imports_name_ = kMapImports;
  std::optional<Imports> imports_;
  bool imports_changed_ = false;
  std::vector<Addition> additions_;
  Edited edited_;
};

}  // namespace

Result<Edited> edit(const std::shared_ptr<const Storage>& storage, const Changes& changes,
                    const EditOptions& options, Sink& out, Diagnostics& diagnostics) {
  return Editor(storage, options, out, diagnostics).run(changes);
}

}  // namespace thaw::mpq
