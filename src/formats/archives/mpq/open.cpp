// From a file to the list of an archive's entries.

#include <thaw/archive.hpp>

#include "bytes/code_page.hpp"
#include "bytes/number_text.hpp"
#include "bytes/text.hpp"
#include "describe/code_page_finding.hpp"
#include "describe/description.hpp"
#include "formats/archives/archive/names.hpp"
#include "formats/archives/mpq/crypt.hpp"
#include "formats/archives/mpq/decompress.hpp"
#include "formats/archives/mpq/header.hpp"
#include "formats/archives/mpq/names.hpp"
#include "formats/archives/mpq/tables.hpp"

#include <algorithm>

namespace thaw::mpq {
namespace {

constexpr std::size_t kRecord = 16;  ///< of both tables
/// A table, or files, that are not all there; records without a use are only odd.
constexpr Code kTableCut = codes::kMpqTable.as(Severity::severe);

}  // namespace

/// One table as the header states it.
struct TableExtent {
  std::string_view name;
  std::uint64_t offset = 0;
  std::uint64_t count = 0;
  std::uint64_t packed = 0;
  std::uint32_t key = 0;
};

class Opener {
 public:
  Opener(std::shared_ptr<const Storage> storage, const OpenOptions& options, Diagnostics& diagnostics)
      : options_(options), diagnostics_(diagnostics) {
    archive_.storage_ = std::move(storage);
    archive_.limits_ = options.limits;
  }

  Result<Archive> run() {
    const std::uint64_t most = options_.limits.max_input_bytes;
    if (archive_.file_size() > most) {
      return fail(codes::kInputTooLarge, "the archive has " + std::to_string(archive_.file_size()) +
                                             " bytes; the input limit is " + std::to_string(most));
    }
    const auto header = find_header(storage(), diagnostics_);
    if (!header) {
      return tl::unexpected<Error>(header.error());
    }
    archive_.header_ = *header;
    const Bytes hashes = read_table({"hash table", header->hash_offset, header->hash_count,
                                     header->hash_packed, hash_name("(hash table)", 3)});
    if (hashes.empty() && header->hash_count > 0) {
      return fail(codes::kTruncated,
                  "the archive's hash table cannot be read at the offset that the header states",
                  header->offset + 0x10, "header.hash_offset");
    }
    const Bytes blocks = read_table({"block table", header->block_offset, header->block_count,
                                     header->block_packed, hash_name("(block table)", 3)});
    list_entries(hashes, blocks, read_high_offsets(blocks.size() / kRecord));
    index();
    find_names();
    find_code_page();
    drop_duplicates();
    report_counts();
    return std::move(archive_);
  }

 private:
  [[nodiscard]] const Storage& storage() const { return *archive_.storage_; }

  // --- tables
  // ----------------------------------------------------------------------------------------------

  /// As much of a table as is in the file.
  Bytes read_table(TableExtent place) {
    const auto offset = absolute_offset(archive_.header_, storage(), place.offset);
    if (place.count == 0 || !offset) {
      if (place.count != 0) {
        report_table(place, " is outside the file; its files are left out", {});
      }
      return {};
    }
    const std::uint64_t left = storage().size() - *offset;
    if (place.count * kRecord > left) {
      place.count &= kIndexMask;
    }
    if (place.packed != 0 && place.packed < place.count * kRecord && place.packed <= left) {
      return read_packed_table(place, *offset);
    }
    if (place.count * kRecord > left) {
      report_table(place,
                   " is truncated: " + std::to_string(left / kRecord) + " of " + std::to_string(place.count) +
                       " records available; the files of the others are left out",
                   offset);
      place.count = left / kRecord;
    }
    Bytes table = read_bytes(*offset, place.count * kRecord);
    decrypt(table, place.key);
    return table;
  }

  Bytes read_packed_table(const TableExtent& place, std::uint64_t offset) {
    constexpr std::uint64_t kRatio = 16;
    Bytes packed = read_bytes(offset, place.packed);
    decrypt(packed, place.key);
    Unpacking done;
    if (place.count * kRecord <= place.packed * kRatio) {
      auto table = decompress(packed, static_cast<std::size_t>(place.count * kRecord), done);
      if (table) {
        if (done.sum_wrong) {
          diagnostics_.add(codes::kMpqChecksum,
                           "Adler-32 mismatch in the " + std::string(place.name) + "; it is used anyway",
                           offset);
        }
        return std::move(*table);
      }
    }
    report_table(place, " cannot be decompressed; its files are left out", offset);
    return {};
  }

  void report_table(const TableExtent& place, const std::string& what, std::optional<std::uint64_t> offset) {
    diagnostics_.add(kTableCut, "the " + std::string(place.name) + what, offset,
                     std::string(place.name == "hash table" ? "hashes" : "blocks"));
  }

  Bytes read_bytes(std::uint64_t offset, std::uint64_t size) {
    Bytes bytes(static_cast<std::size_t>(size));
    return storage().read(offset, bytes) ? bytes : Bytes();
  }

  /// The upper 16 bits of the blocks' offsets, or nothing.
  Bytes read_high_offsets(std::size_t blocks) {
    const std::uint64_t relative = archive_.header_.high_block_offset;
    const auto offset = absolute_offset(archive_.header_, storage(), relative);
    if (relative == 0 || blocks == 0) {
      return {};
    }
    if (!offset || storage().size() - *offset < blocks * 2) {
      diagnostics_.add(kTableCut,
                       "the table of upper offsets is truncated or outside the file; files above 4 GiB are "
                       "read from wrong offsets",
                       {}, "high_blocks");
      return {};
    }
    return read_bytes(*offset, blocks * 2);
  }

  // --- entries
  // ---------------------------------------------------------------------------------------------

  void list_entries(const Bytes& hashes, const Bytes& blocks, const Bytes& high) {
    auto& counts = archive_.counts_;
    counts.hashes = hashes.size() / kRecord;
    counts.blocks = blocks.size() / kRecord;
    std::vector<bool> reached(counts.blocks);
    archive_.entries_.reserve(used_places(hashes));
    for (std::size_t slot = 0; slot < counts.hashes; ++slot) {
      const std::uint8_t* record = &hashes[slot * kRecord];
      const auto index = load_plain<std::uint32_t>(record + 12);
      if (index == kFreePlace || index == kDeletedSlot) {
        counts.deleted += index == kDeletedSlot ? 1U : 0U;
        continue;
      }
      const std::uint32_t block = index & kIndexMask;
      if (block >= counts.blocks) {
        ++counts.invalid;
        continue;
      }
      reached[block] = true;
      Entry entry = read_block(blocks, high, block);
      if (!entry.has(kExists) || entry.has(kDeleteMarker)) {
        ++counts.deleted;
        continue;
      }
      read_slot(record, entry);
      entry.slot = static_cast<std::uint32_t>(slot);
      archive_.entries_.push_back(std::move(entry));
    }
    for (std::size_t block = 0; block < counts.blocks; ++block) {
      const auto flags = load_plain<std::uint32_t>(&blocks[block * kRecord + 12]);
      counts.unreachable += !reached[block] && (flags & kExists) != 0 ? 1U : 0U;
    }
    std::sort(archive_.entries_.begin(), archive_.entries_.end(), [](const Entry& a, const Entry& b) {
      return std::pair(a.block, a.slot) < std::pair(b.block, b.slot);
    });
  }

  static std::size_t used_places(const Bytes& hashes) {
    std::size_t count = 0;
    for (std::size_t at = 0; at + kRecord <= hashes.size(); at += kRecord) {
      count += load_plain<std::uint32_t>(&hashes[at + 12]) < kDeletedSlot ? 1U : 0U;
    }
    return count;
  }

  static void read_slot(const std::uint8_t* record, Entry& entry) {
    entry.hash =
        std::uint64_t{load_plain<std::uint32_t>(record)} << 32U | load_plain<std::uint32_t>(record + 4);
    entry.locale = load_plain<std::uint16_t>(record + 8);
    entry.platform = load_plain<std::uint16_t>(record + 10);
  }

  [[nodiscard]] Entry read_block(const Bytes& blocks, const Bytes& high, std::uint32_t block) const {
    const std::uint8_t* record = &blocks[block * kRecord];
    std::uint64_t relative = load_plain<std::uint32_t>(record);
    if (!high.empty()) {
      relative |= std::uint64_t{load_plain<std::uint16_t>(&high[std::size_t{block} * 2])} << 32U;
    }
    Entry entry;
    const auto& header = archive_.header_;
    entry.offset = absolute_offset(header, storage(), relative).value_or(header.offset + relative);
    entry.packed_size = load_plain<std::uint32_t>(record + 4);
    entry.size = load_plain<std::uint32_t>(record + 8);
    entry.flags = load_plain<std::uint32_t>(record + 12);
    entry.block = block;
    return entry;
  }

  void index() {
    auto& order = archive_.by_hash_;
    order.resize(archive_.entries_.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      order[i] = static_cast<std::uint32_t>(i);
    }
    std::sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) {
      return std::pair(archive_.entries_[a].hash, a) < std::pair(archive_.entries_[b].hash, b);
    });
  }

  // --- names
  // -----------------------------------------------------------------------------------------------

  /// All locales of a file get its name, as far as that stays in proportion: nothing keeps an archive from
  /// having the same file in every place of its table.
  void give_name(std::string_view name) {
    constexpr std::size_t kLongest = 1024;
    if (name.empty() || name.size() > kLongest) {
      return;
    }
    auto& entries = archive_.entries_;
    const std::uint64_t hash = entry_hash(name);
    auto at = std::lower_bound(archive_.by_hash_.begin(), archive_.by_hash_.end(), hash,
                               [&](std::uint32_t i, std::uint64_t value) { return entries[i].hash < value; });
    // All of them at once: a list that names a file again, in an archive that has it a thousand times, costs
    // nothing.
    std::size_t room = name.size() + copies_;  // the first is paid by whoever lists it
    for (; at != archive_.by_hash_.end() && entries[*at].hash == hash && entries[*at].name.empty() &&
           room >= name.size();
         ++at) {
      room -= name.size();
      Entry& entry = entries[*at];
      entry.name = name;
      std::replace(entry.name.begin(), entry.name.end(), '/', '\\');
    }
    copies_ = std::min(copies_, room);
  }

  void find_names() {
    for (const auto name : usual_names()) {
      give_name(name);
    }
    for (const auto& name : options_.names) {
      give_name(name);
    }
    if (const auto list = read_internal(kListfile)) {
      archive_.has_listfile_ = true;
      for_each_name(*list, [this](std::string_view name) { give_name(name); });
    }
    if (const auto attributes = read_internal(kAttributes)) {
      take_attributes(*attributes);
    }
  }

  /// How names are encoded, and names of the caller's, who knows them as UTF-8.
  void find_code_page() {
    std::vector<std::string> odd;
    for (const auto& entry : archive_.entries_) {
      if (!is_utf8(entry.name)) {
        odd.push_back(entry.name);
      }
    }
    const std::string map_name = archive_.header_.map_prefix ? read_map_name(storage()) : std::string();
    if (!is_utf8(map_name)) {
      odd.push_back(map_name);
    }
    CodePage& page = archive_.code_page_;
    page = options_.code_page == CodePage::automatic ? guess_code_page(odd) : options_.code_page;
    if (options_.code_page == CodePage::automatic) {
      report_code_page(odd, page, diagnostics_);
    }
    archive_.map_name_ = to_utf8(map_name, page);
    for (const auto& name : options_.names) {
      if (!ascii::is_plain(name)) {
        for (const CodePage tried : archive_.tried_pages()) {
          give_name(from_utf8(name, tried).value_or(std::string()));
        }
      }
    }
  }

  /// Reads one of the files that describe the archive. Damage to it is reported, but does no harm.
  std::optional<Bytes> read_internal(std::string_view name) {
    constexpr std::uint64_t kMost = std::uint64_t{16} << 20U;
    const auto entry = archive_.find(name);
    if (!entry) {
      return std::nullopt;
    }
    if (entry->size > kMost + 4 * archive_.file_size()) {
      diagnostics_.add(codes::kMpqTable,
                       std::string(name) + " states an impossible size of " + counted(entry->size, "byte") +
                           "; it is ignored",
                       entry->offset, std::string(name));
      return std::nullopt;
    }
    auto unpacked = archive_.unpack(*entry, diagnostics_);
    if (!unpacked) {
      diagnostics_.add(codes::kMpqTable,
                       std::string(name) + " cannot be read and is ignored: " + unpacked.error().message,
                       entry->offset, std::string(name));
      return std::nullopt;
    }
    return std::move(unpacked->bytes);
  }

  /// A version (100), flags, then an array for each flag with one element per block.
  void take_attributes(const Bytes& bytes) {
    constexpr std::size_t kHead = 8;
    constexpr std::uint32_t kChecksums = 1;
    constexpr std::uint32_t kTimes = 2;
    if (bytes.size() < kHead) {
      return;
    }
    const auto flags = load_plain<std::uint32_t>(&bytes[4]);
    const std::size_t blocks = archive_.counts_.blocks;
    const std::size_t times = kHead + ((flags & kChecksums) != 0 ? blocks * 4 : 0);
    for (auto& entry : archive_.entries_) {
      const std::size_t block = entry.block;
      if ((flags & kChecksums) != 0 && kHead + block * 4 + 4 <= bytes.size()) {
        entry.crc32 = load_plain<std::uint32_t>(&bytes[kHead + block * 4]);
      }
      if ((flags & kTimes) != 0 && times + block * 8 + 8 <= bytes.size()) {
        entry.file_time = load_plain<std::uint64_t>(&bytes[times + block * 8]);
      }
    }
  }

  /// Places without a name that share their block with another are decoys.
  void drop_duplicates() {
    auto& entries = archive_.entries_;
    std::size_t retained = 0;
    for (std::size_t first = 0; first < entries.size();) {
      std::size_t end = first;
      bool named = false;
      while (end < entries.size() && entries[end].block == entries[first].block) {
        named = named || !entries[end].name.empty();
        ++end;
      }
      for (std::size_t i = first; i < end; ++i) {
        if (!entries[i].name.empty() || (!named && i == first)) {
          if (retained != i) {
            entries[retained] = std::move(entries[i]);
          }
          ++retained;
        } else {
          ++archive_.counts_.duplicate;
        }
      }
      first = end;
    }
    entries.resize(retained);
    index();
  }

  void report_counts() {
    const auto report = [this](Code code, std::size_t count, const char* one, const char* many,
                               const char* path) {
      if (count > 0) {
        diagnostics_.add(code, std::to_string(count) + (count == 1 ? one : many), {}, path);
      }
    };
    const auto& counts = archive_.counts_;
    report(codes::kMpqTable, counts.invalid, " hash table entry has no block; it is ignored",
           " hash table entries have no block; they are ignored", "hashes");
    report(codes::kMpqTable, counts.duplicate,
           " nameless hash table entry shares a block with another; it is ignored",
           " nameless hash table entries share a block with another; they are ignored", "hashes");
    report(codes::kMpqTable, counts.unreachable, " block is not in the hash table; its file is left out",
           " blocks are not in the hash table; their files are left out", "blocks");
    std::size_t outside = 0;
    std::size_t nameless = 0;
    for (const auto& entry : archive_.entries_) {
      const std::uint64_t size = storage().size();
      outside += entry.offset > size || entry.packed_size > size - entry.offset ? 1U : 0U;
      nameless += entry.name.empty() ? 1U : 0U;
    }
    report(kTableCut, outside, " file ends after the end of the archive, which may be truncated",
           " files end after the end of the archive, which may be truncated", "blocks");
    report(codes::kMpqTable, overlapping(), " file shares bytes with an earlier one",
           " files share bytes with earlier ones", "blocks");
    report(codes::kMpqNames, nameless, " file has no known name; --listfile adds names",
           " files have no known name; --listfile adds names", "");
    if (counts.hashes == 0 && archive_.header_.het_offset != 0) {
      diagnostics_.add(
          codes::kMpqTable,
          "the files are listed only in HET and BET tables, which are not supported; no file is read", {},
          "hashes");
    }
  }

  /// Blocks within the archive that begin before the end of another: no tool that packs makes such,
  /// protectors do.
  [[nodiscard]] std::size_t overlapping() const {
    const auto& entries = archive_.entries_;
    std::vector<std::uint32_t> order;  // of those that can be there
    order.reserve(entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const Entry& entry = entries[i];
      if (entry.packed_size > 0 && entry.offset <= storage().size() &&
          entry.packed_size <= storage().size() - entry.offset) {
        order.push_back(static_cast<std::uint32_t>(i));
      }
    }
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(entries[a].offset, entries[a].block) < std::pair(entries[b].offset, entries[b].block);
    });
    std::size_t count = 0;
    std::uint64_t end = 0;
    const Entry* last = nullptr;
    for (const std::uint32_t i : order) {
      const Entry& entry = entries[i];
      const bool same = last != nullptr && last->block == entry.block;  // in another language
      count += !same && entry.offset < end ? 1U : 0U;
      end = std::max(end, entry.offset + entry.packed_size);
      last = &entry;
    }
    return count;
  }

  const OpenOptions& options_;
  Diagnostics& diagnostics_;
  Archive archive_;
  std::size_t copies_ = std::size_t{16} << 20U;  ///< bytes that names given twice may still take
};

Result<Archive> Archive::open(std::shared_ptr<const Storage> storage, const OpenOptions& options,
                              Diagnostics& diagnostics) {
  return Opener(std::move(storage), options, diagnostics).run();
}

}  // namespace thaw::mpq
