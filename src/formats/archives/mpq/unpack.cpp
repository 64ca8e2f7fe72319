// One file out of an archive.

#include <thaw/archive.hpp>

#include "bytes/number_text.hpp"
#include "describe/description.hpp"
#include "formats/archives/mpq/crypt.hpp"
#include "formats/archives/mpq/decompress.hpp"
#include "formats/archives/mpq/explode.hpp"
#include "formats/archives/mpq/key_recovery.hpp"

#include <libdeflate.h>

namespace thaw::mpq {
namespace {

class Unpacker {
 public:
  Unpacker(const Storage& storage, const Header& header, const Entry& entry, Diagnostics& diagnostics)
      : storage_(storage),
        header_(header),
        entry_(entry),
        diagnostics_(diagnostics),
        left_(entry.offset < storage.size() ? storage.size() - entry.offset : 0) {}

  Result<Unpacked> run(std::uint64_t most) {
    if (entry_.has(kPatch)) {
      return fail(codes::kMpqPatch,
                  "the file is a patch for a file of another archive; thaw does not apply patches",
                  entry_.offset);
    }
    if (entry_.size == 0) {
      return std::move(unpacked_);
    }
    // Sectors are as large as the header says, whatever the file is: a sector's last bytes come with it.
    requested_ = std::min(entry_.size, most);
    const auto done = entry_.has(kSingleUnit)               ? single_unit()
                      : entry_.has(kCompressed | kImploded) ? packed_sectors()
                                                            : stored_sectors();
    if (!done) {
      return tl::unexpected<Error>(done.error());
    }
    if (unpacked_.bytes.size() == entry_.size) {
      check_crc32();
    }
    report_wrong_sums();
    return std::move(unpacked_);
  }

 private:
  // --- keys
  // ------------------------------------------------------------------------------------------------

  [[nodiscard]] std::optional<std::uint32_t> key_from_name() const {
    if (entry_.name.empty()) {
      return std::nullopt;
    }
    return file_key(entry_.name, entry_.offset - header_.offset, entry_.size, entry_.has(kKeyAdjusted));
  }

  [[nodiscard]] tl::unexpected<Error> no_key() const {
    return fail(
        codes::kMpqKey,
        entry_.name.empty()
            ? "the file is encrypted, and its key cannot be derived from its content; --listfile may add "
              "its name, which gives the key"
            : "the file is encrypted, and its key cannot be derived from its name or content",
        entry_.offset);
  }

  // --- bytes
  // -----------------------------------------------------------------------------------------------

  /// From the start of the packed file on.
  Result<Bytes> read(std::uint64_t at, std::uint64_t size) const {
    if (at > left_ || size > left_ - at) {
      return fail(codes::kTruncated, "the file ends after the end of the archive", entry_.offset);
    }
    Bytes bytes(static_cast<std::size_t>(size));
    if (!storage_.read(entry_.offset + at, bytes)) {
      return fail(codes::kInputUnreadable, "cannot read the archive", entry_.offset + at);
    }
    return bytes;
  }

  void append(const Bytes& bytes) {
    unpacked_.bytes.insert(unpacked_.bytes.end(), bytes.begin(), bytes.end());
  }

  /// `at`: where the run lies within the packed file.
  Result<Bytes> unpack_run(ByteView packed, std::size_t size, std::uint64_t at) {
    const auto most =
        static_cast<std::size_t>(requested_ - std::min<std::uint64_t>(requested_, unpacked_.bytes.size()));
    if (entry_.has(kCompressed)) {
      Unpacking done{unpacked_.methods, false};
      auto bytes = decompress(packed, size, done, most);
      unpacked_.methods = done.methods;
      if (done.sum_wrong && wrong_sums_++ == 0) {
        first_wrong_sum_ = entry_.offset + at;
      }
      return bytes;
    }
    unpacked_.methods |= kPkware;
    auto bytes = explode(packed, std::min(size, most));
    if (bytes && bytes->size() < std::min(size, most)) {
      return fail(codes::kMpqData, "imploded data ends too early");
    }
    return bytes;
  }

  // --- the three ways to store a file
  // ----------------------------------------------------------------------

  Result<void> single_unit() {
    const bool packed = entry_.has(kCompressed | kImploded) && entry_.packed_size < entry_.size;
    auto bytes = read(0, packed ? entry_.packed_size : entry_.size);
    if (!bytes) {
      return tl::unexpected<Error>(bytes.error());
    }
    if (entry_.has(kEncrypted)) {
      const auto named = key_from_name();
      const auto key = named || packed ? named : recover_key_from_content(*bytes, entry_.size);
      if (!key) {
        return no_key();
      }
      decrypt(*bytes, *key);
    }
    if (!packed) {
      append(*bytes);
      return {};
    }
    auto content = unpack_run(*bytes, static_cast<std::size_t>(entry_.size), 0);
    if (!content) {
      return damaged(content.error(), 0, 0);
    }
    unpacked_.bytes = std::move(*content);
    return {};
  }

  Result<void> stored_sectors() {
    std::optional<std::uint32_t> key = entry_.has(kEncrypted) ? key_from_name() : std::nullopt;
    std::uint32_t sector = 0;
    for (std::uint64_t at = 0; at < requested_; at += header_.sector_size, ++sector) {
      auto bytes = read(at, std::min<std::uint64_t>(header_.sector_size, entry_.size - at));
      if (!bytes) {
        return tl::unexpected<Error>(bytes.error());
      }
      if (entry_.has(kEncrypted)) {
        key = key ? key : recover_key_from_content(*bytes, entry_.size);
        if (!key) {
          return no_key();
        }
        decrypt(*bytes, *key + sector);
      }
      append(*bytes);
    }
    return {};
  }

  Result<void> packed_sectors() {
    const std::uint64_t count = (entry_.size + header_.sector_size - 1) / header_.sector_size;
    // With checksums, they are a sector of their own after the others.
    const std::uint64_t places = count + 1 + (entry_.has(kSectorChecksums) ? 1 : 0);
    auto table = read(0, places * 4);
    if (!table) {
      return tl::unexpected<Error>(table.error());
    }
    if (auto decrypted = decrypt_table(*table); !decrypted) {
      return decrypted;
    }
    offsets_ = std::move(*table);
    load_checksums(count);
    for (std::uint64_t i = 0; i < count && unpacked_.bytes.size() < requested_; ++i) {
      if (auto done = packed_sector(i); !done) {
        return done;
      }
    }
    return {};
  }

  Result<void> packed_sector(std::uint64_t index) {
    const std::uint32_t begin = place(index);
    const std::uint32_t end = place(index + 1);
    const auto size = static_cast<std::size_t>(
        std::min<std::uint64_t>(header_.sector_size, entry_.size - index * header_.sector_size));
    if (end < begin || end - begin > size) {
      return damaged({codes::kMpqData, {}, {}, "the sector has invalid bounds in the sector table"}, index,
                     begin);
    }
    auto bytes = read(begin, end - begin);
    if (!bytes) {
      return tl::unexpected<Error>(bytes.error());
    }
    if (key_) {
      decrypt(*bytes, *key_ + static_cast<std::uint32_t>(index));
    }
    check_sector(*bytes, index, begin);
    if (bytes->size() == size) {
      append(*bytes);  // it would not have become smaller
      return {};
    }
    const auto content = unpack_run(*bytes, size, begin);
    if (!content) {
      return damaged(content.error(), index, begin);
    }
    append(*content);
    return {};
  }

  [[nodiscard]] tl::unexpected<Error> damaged(Error error, std::uint64_t sector, std::uint64_t at) const {
    error.offset = entry_.offset + at;
    error.path = "sectors[" + std::to_string(sector) + "]";
    return tl::unexpected<Error>(std::move(error));
  }

  // --- the table of sectors
  // --------------------------------------------------------------------------------

  [[nodiscard]] std::uint32_t place(std::uint64_t index) const {
    return load_plain<std::uint32_t>(&offsets_[static_cast<std::size_t>(index) * 4]);
  }

  /// All places ascend from the end of the table on, with no more than a sector between them.
  [[nodiscard]] bool sound(ByteView table) const {
    const std::size_t sectors = table.size() / 4 - (entry_.has(kSectorChecksums) ? 2 : 1);
    auto last = load_plain<std::uint32_t>(table.data());
    if (last < table.size() || last > left_) {
      return false;
    }
    for (std::size_t i = 1; i <= sectors; ++i) {
      const auto next = load_plain<std::uint32_t>(&table[i * 4]);
      if (next <= last || next - last > header_.sector_size) {
        return false;
      }
      last = next;
    }
    return last <= left_;
  }

  [[nodiscard]] bool opens(const Bytes& table, std::uint32_t key) const {
    Bytes clear = table;
    decrypt(clear, key);
    return sound(clear);
  }

  /// Leaves the table in clear and the key of the sectors in `key_`.
  Result<void> decrypt_table(Bytes& table) {
    if (!entry_.has(kEncrypted)) {
      return {};
    }
    // The table has the key before that of the first sector.
    auto key = key_from_name();
    std::optional<std::uint32_t> table_key = key ? std::optional(*key - 1) : std::nullopt;
    if (!table_key || !opens(table, *table_key)) {
      const auto good = [&](std::uint32_t candidate) {
        return opens_start(table, candidate) && opens(table, candidate);
      };
      const auto recovered = recover_key(table, static_cast<std::uint32_t>(table.size()), good);
      table_key = recovered ? recovered : table_key;
    }
    if (!table_key) {
      return no_key();
    }
    key_ = *table_key + 1;
    decrypt(table, *table_key);
    return {};
  }

  /// A quick look at the second place before the whole table is decrypted.
  [[nodiscard]] bool opens_start(const Bytes& table, std::uint32_t key) const {
    std::array<std::uint32_t, 2> words{};
    decrypt_words(table, key, words);
    return words[1] > words[0] && words[1] - words[0] <= header_.sector_size;
  }

  // --- checksums
  // -------------------------------------------------------------------------------------------

  /// Adler-32 of each sector as it is packed; perhaps packed themselves.
  void load_checksums(std::uint64_t count) {
    if (!entry_.has(kSectorChecksums)) {
      return;
    }
    const std::uint32_t begin = place(count);
    const std::uint32_t end = place(count + 1);
    const auto size = static_cast<std::size_t>(count * 4);
    auto bytes = end > begin && end - begin <= size ? read(begin, end - begin) : Result<Bytes>(Bytes());
    if (!bytes || bytes->empty()) {
      return;  // writers may state checksums and leave them out
    }
    if (bytes->size() < size) {
      Unpacking done;
      bytes = decompress(*bytes, size, done);
    }
    if (bytes) {
      checksums_ = std::move(*bytes);
    } else {
      diagnostics_.add(codes::kMpqChecksum,
                       "the sector checksums cannot be decompressed; the sectors are not checked",
                       entry_.offset + begin, entry_.name);
    }
  }

  void check_sector(const Bytes& bytes, std::uint64_t index, std::uint64_t at) {
    if (checksums_.empty()) {
      return;
    }
    const auto stated = load_plain<std::uint32_t>(&checksums_[static_cast<std::size_t>(index) * 4]);
    // The sum begins with 0, not with 1 as zlib's does; 0 and −1 say that there is none.
    const bool given = stated != 0 && stated != 0xFFFFFFFF;
    if (given && stated != libdeflate_adler32(0, bytes.data(), bytes.size())) {
      diagnostics_.add(codes::kMpqChecksum, "sector checksum mismatch; the data is used anyway",
                       entry_.offset + at, "sectors[" + std::to_string(index) + "]");
    }
  }

  void report_wrong_sums() {
    if (wrong_sums_ > 0) {
      diagnostics_.add(
          codes::kMpqChecksum,
          "Adler-32 mismatch in " + counted(wrong_sums_, "zlib block") + "; the data is used anyway",
          first_wrong_sum_);
    }
  }

  void check_crc32() {
    const auto& bytes = unpacked_.bytes;
    if (entry_.crc32 != 0 && entry_.crc32 != libdeflate_crc32(0, bytes.data(), bytes.size())) {
      diagnostics_.add(codes::kMpqChecksum,
                       "the content does not match the CRC-32 in (attributes); it is used anyway",
                       entry_.offset);
    }
  }

  const Storage& storage_;
  const Header& header_;
  const Entry& entry_;
  Diagnostics& diagnostics_;
  std::uint64_t left_;  ///< bytes of the archive's file from the start of this file on
  std::uint64_t requested_ = 0;
  std::size_t wrong_sums_ = 0;
  std::uint64_t first_wrong_sum_ = 0;
  std::optional<std::uint32_t> key_;
  Bytes offsets_;
  Bytes checksums_;
  Unpacked unpacked_;
};

}  // namespace

Result<Unpacked> Archive::unpack(const Entry& entry, Diagnostics& diagnostics, std::uint64_t most) const {
  constexpr std::uint64_t kBase = std::uint64_t{48} << 20U;
  constexpr std::uint64_t kRatio = 16;
  const std::uint64_t limit = std::min(limits_.max_input_bytes, kBase + kRatio * storage_->size());
  const bool in_pieces = !entry.has(kSingleUnit) && most <= limit;
  if (entry.size > limit && !in_pieces) {
    const std::string size = "the file states " + std::to_string(entry.size) + " bytes; ";
    return fail(codes::kInputTooLarge,
                limit == limits_.max_input_bytes
                    ? size + "the input limit is " + std::to_string(limit)
                    : size + "from an archive of " + std::to_string(storage_->size()) +
                          " bytes, thaw unpacks files of at most " + std::to_string(limit) + " bytes",
                entry.offset);
  }
  return Unpacker(*storage_, header_, entry, diagnostics).run(most);
}

}  // namespace thaw::mpq
