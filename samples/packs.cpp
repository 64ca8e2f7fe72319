#include "packs.hpp"

#include <thaw/archive.hpp>

#include <algorithm>

namespace thaw::samples {
namespace {

void put_big(Bytes& bytes, std::uint32_t value) {
  for (const unsigned shift : {24U, 16U, 8U, 0U}) {
    bytes.push_back(static_cast<std::uint8_t>(value >> shift));
  }
}

void put_little(Bytes& bytes, std::uint64_t value, unsigned size) {
  for (unsigned i = 0; i < size; ++i) {
    bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  }
}

void put_text(Bytes& bytes, std::string_view text) {
  for (const char c : text) {
    bytes.push_back(static_cast<std::uint8_t>(c));
  }
}

std::uint32_t crc32(ByteView bytes) {
  std::uint32_t crc = ~std::uint32_t{0};
  for (const std::uint8_t byte : bytes) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
    }
  }
  return bytes.empty() ? 0 : ~crc;
}

constexpr std::size_t kTable = 0x2000;

std::size_t entry_size(const PackFile& file) { return 16 + file.name.size(); }

/// One table and its files; returns how many of `files` it took.
std::size_t append_table(Bytes& pack, std::span<const PackFile> files) {
  std::size_t count = 0;
  std::size_t size = 8;
  for (; count < files.size() && size + entry_size(files[count]) <= kTable; ++count) {
    size += entry_size(files[count]);
  }
  const std::size_t start = pack.size();
  std::uint64_t end = start + kTable;
  for (const auto& file : files.first(count)) {
    end += file.bytes.size();
  }
  put_big(pack, count < files.size() ? static_cast<std::uint32_t>(end) : 0);
  put_big(pack, static_cast<std::uint32_t>(count));
  std::uint64_t at = start + kTable;
  for (const auto& file : files.first(count)) {
    put_big(pack, static_cast<std::uint32_t>(file.name.size()));
    put_text(pack, file.name);
    put_big(pack, static_cast<std::uint32_t>(at));
    put_big(pack, static_cast<std::uint32_t>(file.bytes.size()));
    put_big(pack, crc32(file.bytes));
    at += file.bytes.size();
  }
  pack.resize(start + kTable, 0);
  for (const auto& file : files.first(count)) {
    pack.insert(pack.end(), file.bytes.begin(), file.bytes.end());
  }
  return count;
}

std::uint32_t adler32(ByteView bytes) {
  std::uint32_t a = 1;
  std::uint32_t b = 0;
  for (const std::uint8_t byte : bytes) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16U | a;
}

/// Zlib in stored blocks: no compressor's version shows in the bytes.
Bytes blob(const Bytes& bytes) {
  Bytes result;
  put_big(result, 0xA1B2C3D4);
  put_big(result, static_cast<std::uint32_t>(bytes.size()));
  result.insert(result.end(), {0x78, 0x01});
  constexpr std::size_t kBlock = 65535;
  for (std::size_t at = 0; at < bytes.size() || at == 0;) {
    const std::size_t size = std::min(kBlock, bytes.size() - at);
    result.push_back(at + size == bytes.size() ? 1 : 0);
    put_little(result, size, 2);
    put_little(result, ~size, 2);
    result.insert(result.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at),
                  bytes.begin() + static_cast<std::ptrdiff_t>(at + size));
    at += std::max<std::size_t>(size, 1);
  }
  put_big(result, adler32(bytes));
  return result;
}

}  // namespace

Bytes write_pack1(const std::vector<PackFile>& files) {
  Bytes pack;
  std::span<const PackFile> left(files);
  do {
    left = left.subspan(append_table(pack, left));
  } while (!left.empty());
  return pack;
}

Bytes write_pack2(std::vector<PackFile> files, bool names) {
  constexpr std::size_t kData = 0x200;
  constexpr std::size_t kAlignment = 256;
  if (names) {
    PackFile list{"{NAMELIST}", {}};
    for (const auto& file : files) {
      put_text(list.bytes, file.name);
      list.bytes.push_back('\n');
    }
    files.push_back(std::move(list));
  }
  struct Record {
    std::uint64_t hash;
    std::uint64_t offset;
    std::uint64_t size;
    std::uint32_t zip;
  };
  std::vector<Record> map;
  Bytes pack(kData, 0);
  for (std::size_t i = 0; i < files.size(); ++i) {
    const bool zip = i % 2 == 0;
    const Bytes stored = zip ? blob(files[i].bytes) : files[i].bytes;
    map.push_back({pack::name_hash(files[i].name), pack.size(), stored.size(), zip ? 0x01U : 0x10U});
    pack.insert(pack.end(), stored.begin(), stored.end());
    pack.resize((pack.size() + kAlignment - 1) / kAlignment * kAlignment, 0);
  }
  std::sort(map.begin(), map.end(), [](const Record& a, const Record& b) { return a.hash < b.hash; });
  const std::uint64_t map_at = pack.size();
  for (const auto& record : map) {
    put_little(pack, record.hash, 8);
    put_little(pack, record.offset, 8);
    put_little(pack, record.size, 8);
    put_little(pack, record.zip, 4);
    put_little(pack, 0, 4);
  }
  Bytes header = {0x50, 0x41, 0x4B, 1};  // PAK
  put_little(header, map.size(), 4);
  put_little(header, pack.size(), 8);
  put_little(header, map_at, 8);
  put_little(header, kAlignment, 8);
  std::copy(header.begin(), header.end(), pack.begin());
  return pack;
}

}  // namespace thaw::samples
