// PACK1, written (pack.md#pack1).

#include <thaw/archive.hpp>
#include <thaw/codes.hpp>

#include "bytes/escape.hpp"
#include "bytes/text.hpp"

#include <libdeflate.h>
#include <algorithm>

namespace thaw::pack {
namespace {

constexpr std::size_t kTableSize = 0x2000;
constexpr std::size_t kHeadBytes = 8;
constexpr std::size_t kEntryBytes = 16;  ///< without its name
constexpr std::size_t kMostNameBytes = 1024;
constexpr std::uint64_t kMost = 0xFFFFFFFF;

void append_big(Bytes& bytes, std::uint64_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) {
    bytes.push_back(static_cast<std::uint8_t>(value >> static_cast<unsigned>(shift)));
  }
}

bool by_name(const NewFile& a, const NewFile& b) {
  return std::lexicographical_compare(
      a.name.begin(), a.name.end(), b.name.begin(), b.name.end(), [](char x, char y) {
        return static_cast<unsigned char>(ascii::upper(x)) < static_cast<unsigned char>(ascii::upper(y));
      });
}

tl::unexpected<Error> sink_failed() { return fail(codes::kWriteFailed, "cannot write the output"); }

Result<void> check_names(const std::vector<NewFile>& files) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    const auto& name = files[i].name;
    if (name.empty() || name.size() > kMostNameBytes ||
        std::any_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; })) {
      return fail(codes::kArchiveName,
                  name.empty() ? "an empty name is not valid in a pack"
                  : name.size() > kMostNameBytes
                      ? shown(name) + ": names are limited to " + std::to_string(kMostNameBytes) + " bytes"
                      : shown(name) + ": names must not contain control characters");
    }
    if (i > 0 && name_hash(files[i - 1].name) == name_hash(name)) {
      return fail(codes::kArchiveName, shown(name) + ": two files have this name (ignoring case)");
    }
  }
  return {};
}

class Pack1Writer {
 public:
  explicit Pack1Writer(Sink& out) : out_(out) {}

  Result<void> run(const std::vector<NewFile>& files) {
    std::size_t next = 0;
    do {
      const auto begin = next;
      for (std::size_t size = kHeadBytes; next < files.size(); ++next) {
        size += kEntryBytes + files[next].name.size();
        if (size > kTableSize) {
          break;
        }
      }
      if (auto chunk = write(std::span(files).subspan(begin, next - begin), next == files.size()); !chunk) {
        return chunk;
      }
    } while (next < files.size());
    return {};
  }

 private:
  Result<void> write(std::span<const NewFile> files, bool last) {
    const std::uint64_t begin = out_.size();
    if (!out_.append(Bytes(kTableSize, 0))) {
      return sink_failed();
    }
    Bytes entries;
    for (const auto& file : files) {
      const auto content = file.read();
      if (!content) {
        return tl::unexpected<Error>(content.error());
      }
      if (out_.size() + content->size() > kMost) {
        return fail(codes::kArchiveFull, "the pack would exceed 4 GiB, the limit of PACK1");
      }
      append_big(entries, file.name.size());
      const ByteView name = as_bytes(file.name);
      entries.insert(entries.end(), name.begin(), name.end());
      append_big(entries, out_.size());
      append_big(entries, content->size());
      append_big(entries, content->empty() ? 0 : libdeflate_crc32(0, content->data(), content->size()));
      if (!out_.append(*content)) {
        return sink_failed();
      }
    }
    Bytes table;
    append_big(table, last ? 0 : out_.size());
    append_big(table, files.size());
    table.insert(table.end(), entries.begin(), entries.end());
    return out_.patch(begin, table) ? Result<void>() : sink_failed();
  }

  Sink& out_;
};

}  // namespace

Result<void> create_pack1(std::vector<NewFile> files, Sink& out) {
  std::sort(files.begin(), files.end(), by_name);
  if (auto checked = check_names(files); !checked) {
    return checked;
  }
  return Pack1Writer(out).run(files);
}

}  // namespace thaw::pack
