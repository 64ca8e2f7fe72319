#include "cli/jobs/zip.hpp"

#include "bytes/deflate.hpp"

namespace thaw::cli {
namespace {

constexpr std::uint16_t kDeflated = 8;
constexpr std::uint16_t kUtf8Names = 0x0800;
constexpr std::uint32_t kFirstDay = 0x00210000;  ///< 1980-01-01: no time of making

void put(Bytes& bytes, std::uint64_t value, unsigned size) {
  for (unsigned i = 0; i < size; ++i) {
    bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  }
}

void put(Bytes& bytes, std::string_view text) {
  for (const char c : text) {
    bytes.push_back(static_cast<std::uint8_t>(c));
  }
}

Bytes deflated(ByteView content) {
  constexpr int kLevel = 9;
  const auto compressor = make_compressor(kLevel);
  Bytes packed(content.size());
  packed.resize(content.empty() ? 0
                                : libdeflate_deflate_compress(compressor.get(), content.data(),
                                                              content.size(), packed.data(), packed.size()));
  return packed;
}

}  // namespace

Result<void> write_zip(const std::vector<std::pair<std::string, Bytes>>& files, Sink& out) {
  constexpr std::uint64_t kMost = 0xFFFFFFFF;
  constexpr std::size_t kMostFiles = 0xFFFF;
  Bytes directory;
  for (const auto& [name, content] : files) {
    const Bytes packed = deflated(content);
    const bool smaller = !packed.empty();
    const std::uint64_t offset = out.size();
    if (files.size() > kMostFiles) {
      return fail(codes::kWriteFailed, std::to_string(files.size()) + " files exceed the limit of a ZIP, " +
                                           std::to_string(kMostFiles) + "; write into a folder");
    }
    if (offset + content.size() > kMost) {
      return fail(codes::kWriteFailed, "the ZIP would exceed 4 GiB, its limit; write into a folder");
    }
    Bytes fields;
    put(fields, 20, 2);
    put(fields, kUtf8Names, 2);
    put(fields, smaller ? kDeflated : 0, 2);
    put(fields, kFirstDay, 4);
    put(fields, libdeflate_crc32(0, content.data(), content.size()), 4);
    put(fields, smaller ? packed.size() : content.size(), 4);
    put(fields, content.size(), 4);
    put(fields, name.size(), 2);
    put(fields, 0, 2);
    Bytes local;
    put(local, "PK\x03\x04");
    local.insert(local.end(), fields.begin(), fields.end());
    put(local, name);
    put(directory, "PK\x01\x02");
    put(directory, 20, 2);
    directory.insert(directory.end(), fields.begin(), fields.end());
    put(directory, 0, 2 + 2 + 2 + 4);
    put(directory, offset, 4);
    put(directory, name);
    if (!out.append(local) || !out.append(smaller ? ByteView(packed) : ByteView(content))) {
      return fail(codes::kWriteFailed, "cannot write the output");
    }
  }
  Bytes end;
  put(end, "PK\x05\x06");
  put(end, 0, 4);
  put(end, files.size(), 2);
  put(end, files.size(), 2);
  put(end, directory.size(), 4);
  put(end, out.size(), 4);
  put(end, 0, 2);
  return out.append(directory) && out.append(end) ? Result<void>()
                                                  : fail(codes::kWriteFailed, "cannot write the output");
}

}  // namespace thaw::cli
