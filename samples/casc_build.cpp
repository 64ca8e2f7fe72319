#include "casc_build.hpp"

#include "bytes/hash.hpp"
#include "bytes/text.hpp"
#include "bytes/text_encoding.hpp"
#include "formats/archives/casc/lookup3.hpp"
#include "formats/archives/casc/names.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <functional>

namespace thaw::samples {
namespace {

constexpr std::size_t kHeader = 30;

void append(Bytes& out, ByteView bytes) { out.insert(out.end(), bytes.begin(), bytes.end()); }
void append(Bytes& out, std::string_view text) { append(out, as_bytes(text)); }

/// Byte `i` of a number, which may be written wider than it is.
std::uint8_t byte_of(std::uint64_t value, unsigned i) {
  return i < sizeof value ? static_cast<std::uint8_t>(value >> 8U * i) : std::uint8_t{0};
}

void big(Bytes& out, std::uint64_t value, unsigned width) {
  for (unsigned i = width; i-- > 0;) {
    out.push_back(byte_of(value, i));
  }
}
void little(Bytes& out, std::uint64_t value, unsigned width) {
  for (unsigned i = 0; i < width; ++i) {
    out.push_back(byte_of(value, i));
  }
}

Bytes deflated(ByteView content) {
  constexpr int kLevel = 6;
  auto* const compressor = libdeflate_alloc_compressor(kLevel);
  Bytes out(libdeflate_zlib_compress_bound(compressor, content.size()));
  out.resize(libdeflate_zlib_compress(compressor, content.data(), content.size(), out.data(), out.size()));
  libdeflate_free_compressor(compressor);
  return out;
}

Bytes chunk(ByteView content, char mode) {
  Bytes out = {static_cast<std::uint8_t>(mode)};
  if (mode == 'N') {
    append(out, content);
  } else if (mode == 'Z') {
    append(out, deflated(content));
  } else if (mode == 'F') {
    std::size_t header = 0;
    append(out, casc_encode(content, "NZ", header));
  } else {
    append(out, std::string_view("\x08\x88\x77\x66\x55\x44\x33\x22\x11\x04\x01\x02\x03\x04S", 15));
    for (const std::uint8_t byte : content) {
      out.push_back(static_cast<std::uint8_t>(byte ^ 0x5AU));
    }
  }
  return out;
}

std::string digits(const CascKey& key) { return md5_text(key); }

std::string key_line(const std::string& name, const CascFile& file) {
  return name + " = " + digits(file.content) + " " + digits(file.encoded) + "\n" + name +
         "-size = " + std::to_string(file.size) + " " + std::to_string(file.packed_size);
}

unsigned bucket_of(const CascKey& key) {
  unsigned all = 0;
  for (std::size_t i = 0; i < 9; ++i) {
    all ^= key.at(i);
  }
  return (all & 0xFU) ^ (all >> 4U);
}

/// Names as folders of folders.
struct Node {
  std::map<std::string, Node> folders;
  std::map<std::string, std::uint32_t> files;  ///< places in the table of files
};

Bytes written(const Node& node) {
  Bytes out;
  for (const auto& [name, place] : node.files) {
    out.push_back(static_cast<std::uint8_t>(name.size()));
    append(out, name);
    out.push_back(0xFF);
    big(out, place, 4);
  }
  for (const auto& [name, inner] : node.folders) {
    const Bytes within = written(inner);
    out.push_back(static_cast<std::uint8_t>(name.size()));
    append(out, name);
    out.push_back(0);
    out.push_back(0xFF);
    big(out, 0x80000000U | (within.size() + 4), 4);
    append(out, within);
  }
  return out;
}

}  // namespace

Bytes casc_encode(ByteView content, std::string_view modes, std::size_t& header) {
  Bytes out;
  append(out, "BLTE");
  if (modes.front() == '-') {
    big(out, 0, 4);
    append(out, chunk(content, modes[1]));
    header = out.size();
    return out;
  }
  const std::size_t step = std::max<std::size_t>(1, (content.size() + modes.size() - 1) / modes.size());
  header = 12 + 24 * modes.size();
  big(out, header, 4);
  out.push_back(0x0F);
  big(out, modes.size(), 3);
  Bytes chunks;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const std::size_t start = std::min(content.size(), step * i);
    const ByteView part = content.subspan(start, std::min(step, content.size() - start));
    const Bytes packed = chunk(part, modes[i]);
    big(out, packed.size(), 4);
    big(out, part.size(), 4);
    append(out, md5(packed));
    append(chunks, packed);
  }
  append(out, chunks);
  return out;
}

CascFile CascBuilder::add(ByteView content, std::string_view modes) {
  std::size_t header = 0;
  const Bytes encoded = casc_encode(content, modes, header);
  CascFile file{md5(content), md5(ByteView(encoded).first(header)),
                static_cast<std::uint32_t>(encoded.size()), static_cast<std::uint32_t>(content.size())};
  put(file.encoded, encoded);
  contents_.emplace(file.content, file);
  return file;
}

CascFile CascBuilder::add(std::string_view content, std::string_view modes) {
  return add(as_bytes(content), modes);
}

void CascBuilder::put(const CascKey& key, ByteView encoded) {
  if (places_.count(key) != 0) {
    return;
  }
  if (!archives_.back().empty() && archives_.back().size() + encoded.size() + kHeader > archive_size_) {
    archives_.emplace_back();
  }
  Bytes& archive = archives_.back();
  const auto size = static_cast<std::uint32_t>(encoded.size() + kHeader);
  places_[key] = {static_cast<std::uint32_t>(archives_.size() - 1),
                  static_cast<std::uint32_t>(archive.size()), size};
  archive.insert(archive.end(), key.rbegin(), key.rend());
  little(archive, size, 4);
  little(archive, 0, 10);
  append(archive, encoded);
}

Bytes CascBuilder::encoding() const {
  constexpr std::size_t kPage = 4096;
  std::vector<Bytes> pages;
  std::vector<CascKey> first;
  for (const auto& [key, file] : contents_) {
    constexpr std::size_t kRow = 38;
    if (pages.empty() || pages.back().size() + kRow > kPage) {
      pages.emplace_back();
      first.push_back(key);
    }
    Bytes& page = pages.back();
    page.push_back(1);
    big(page, file.size, 5);
    append(page, key);
    append(page, file.encoded);
  }
  Bytes out;
  append(out, std::string_view("EN\x01\x10\x10\x00\x04\x00\x04", 9));
  big(out, pages.size(), 4);
  big(out, 0, 5);
  big(out, 2, 4);
  append(out, std::string_view("n\0", 2));
  for (std::size_t i = 0; i < pages.size(); ++i) {
    pages[i].resize(kPage, 0);
    append(out, first[i]);
    append(out, md5(pages[i]));
  }
  for (const auto& page : pages) {
    append(out, page);
  }
  return out;
}

void CascBuilder::write_indices(InstallationFiles& files) const {
  std::array<Bytes, 16> buckets;
  for (const auto& [key, place] : places_) {
    Bytes& bucket = buckets.at(bucket_of(key));
    append(bucket, ByteView(key).first(9));
    big(bucket, std::uint64_t{place.archive} << 30U | place.offset, 5);
    little(bucket, place.size, 4);
  }
  for (unsigned i = 0; i < buckets.size(); ++i) {
    constexpr std::size_t kEntry = 18;
    constexpr std::size_t kRoom = 0x7800;
    constexpr std::size_t kStep = 0x10000;
    const Bytes& rows = buckets.at(i);
    std::pair<std::uint32_t, std::uint32_t> hash{0, 0};
    for (std::size_t at = 0; at < rows.size(); at += kEntry) {
      hash = casc::lookup3(ByteView(rows).subspan(at, kEntry), hash.first, hash.second);
    }
    Bytes body;
    little(body, 7, 2);
    append(body, std::array<std::uint8_t, 6>{static_cast<std::uint8_t>(i), 0, 4, 5, 9, 30});
    little(body, 0x4000000000, 8);
    Bytes file;
    little(file, 16, 4);
    little(file, casc::lookup3(body, 0), 4);
    append(file, body);
    little(file, 0, 8);
    little(file, rows.size(), 4);
    little(file, hash.first, 4);
    append(file, rows);
    file.resize((file.size() + kRoom + kStep - 1) / kStep * kStep, 0);
    files["data/data/" + hex_text(i, 2) + "00000001.idx"] = std::move(file);
  }
}

InstallationFiles CascBuilder::finish(const std::vector<std::string>& config,
                                      const std::vector<std::string>& products) {
  InstallationFiles files;
  const Bytes table = encoding();
  const CascFile encoded = add(table, "NZ");
  std::string text = "# Build Configuration\n\n";
  for (const auto& line : config) {
    text += line + "\n";
  }
  text += key_line("encoding", encoded) + "\nbuild-name = 9.9.9.99999\n";
  const std::string name = digits(md5(as_bytes(text)));
  files["data/config/" + name.substr(0, 2) + "/" + name.substr(2, 2) + "/" + name] = to_bytes(text);
  std::string info =
      "Branch!STRING:0|Active!DEC:1|Build Key!HEX:16|Tags!STRING:0|Version!STRING:0|Product!STRING:0\n";
  for (const auto& product : products) {
    info += "eu|1|" + name + "|Windows enUS speech?:Windows enUS text?|9.9.9.99999|" + product + "\n";
  }
  files[".build.info"] = to_bytes(info);
  write_indices(files);
  for (std::size_t i = 0; i < archives_.size(); ++i) {
    std::string number = std::to_string(i);
    number.insert(0, number.size() < 3 ? 3 - number.size() : 0, '0');
    files["data/data/data." + number] = archives_[i];
  }
  return files;
}

Bytes casc_tree(const std::vector<CascName>& names) {
  Bytes containers;
  std::map<CascKey, std::uint32_t> rows;
  for (const auto& name : names) {
    for (const auto& part : name.parts) {
      if (rows.emplace(part.encoded, static_cast<std::uint32_t>(containers.size())).second) {
        append(containers, ByteView(part.encoded).first(9));
        big(containers, part.packed_size, 4);
        big(containers, part.size, 4);
      }
    }
  }
  const std::size_t all = containers.size();
  const unsigned width = all > 0xFFFFFF ? 4 : all > 0xFFFF ? 3 : all > 0xFF ? 2 : 1;
  Bytes entries;
  Node root;
  for (const auto& name : names) {
    Node* node = &root;
    std::size_t start = 0;
    for (std::size_t slash = name.path.find('/'); slash != std::string::npos;
         slash = name.path.find('/', start)) {
      node = &node->folders[name.path.substr(start, slash - start)];
      start = slash + 1;
    }
    node->files[name.path.substr(start)] = static_cast<std::uint32_t>(entries.size());
    entries.push_back(static_cast<std::uint8_t>(name.parts.empty() ? 255 : name.parts.size()));
    std::uint32_t at = 0;
    for (const auto& part : name.parts) {
      big(entries, at, 4);
      big(entries, part.size, 4);
      big(entries, rows[part.encoded], width);
      at += part.size;
    }
  }
  const Bytes within = written(root);
  Bytes paths = {0xFF};
  big(paths, 0x80000000U | (within.size() + 4), 4);
  append(paths, within);
  constexpr std::size_t kStart = 0x26;
  Bytes out;
  append(out, std::string_view("TVFS\x01\x26\x09\x09\0\0\0\0", 12));
  std::size_t at = kStart;
  for (const Bytes* table : {&paths, &entries, &containers}) {
    big(out, at, 4);
    big(out, table->size(), 4);
    at += table->size();
  }
  big(out, 3, 2);
  append(out, paths);
  append(out, entries);
  append(out, containers);
  return out;
}

Bytes casc_root(std::string_view generation, const std::vector<CascBlock>& blocks) {
  Bytes out;
  const bool together = generation == "6.0";
  if (!together) {
    std::size_t total = 0;
    for (const auto& block : blocks) {
      total += block.files.size();
    }
    append(out, "TSFM");
    if (generation != "8.2") {
      little(out, 0x18, 4);
      little(out, generation == "10.1.7" ? 1 : 2, 4);
    }
    little(out, total, 4);
    little(out, total, 4);
    little(out, 0, generation == "8.2" ? 0 : 4);
  }
  for (const auto& block : blocks) {
    const std::uint32_t content = block.content | (block.named || together ? 0 : 0x10000000U);
    little(out, block.files.size(), 4);
    if (generation == "11.1") {
      little(out, block.locale, 4);
      little(out, content, 8);
      out.push_back(0);
    } else {
      little(out, content, 4);
      little(out, block.locale, 4);
    }
    std::uint32_t next = 0;
    for (const auto& file : block.files) {
      little(out, file.id - next, 4);
      next = file.id + 1;
    }
    for (const auto& file : block.files) {
      append(out, file.content);
      little(out, casc::path_hash(file.path), together ? 8 : 0);
    }
    for (const auto& file : block.files) {
      little(out, casc::path_hash(file.path), block.named && !together ? 8 : 0);
    }
  }
  return out;
}

InstallationFiles warcraft_installation(std::map<std::string, std::string>& requested,
                                        std::string_view tables) {
  constexpr std::size_t kSmallArchive = 60000;
  CascBuilder builder(kSmallArchive);
  std::string text;
  for (int i = 0; i < 2000; ++i) {
    text += "line " + std::to_string(i * i % 977) + "\n";
  }
  std::vector<CascName> base;
  const auto put = [&](std::vector<CascName>& names, const std::string& path, const std::string& content,
                       std::string_view modes) { names.push_back({path, {builder.add(content, modes)}}); };
  const std::array<std::pair<std::string_view, std::string_view>, 6> ways = {{{"stored", "N"},
                                                                              {"packed", "Z"},
                                                                              {"bare", "-Z"},
                                                                              {"plain", "-N"},
                                                                              {"mixed", "NZZN"},
                                                                              {"nested", "ZFN"}}};
  for (const auto& [name, modes] : ways) {
    const std::string path = "units/" + std::string(name) + ".txt";
    requested[path] = text + std::string(name);
    put(base, path, requested[path], modes);
  }
  requested["units/hidden.txt"] = "shown" + std::string(5, '\0');
  put(base, "units/hidden.txt", "shownTRUTH", "NE");
  base.push_back({"units/halves.txt", {builder.add("one half ", "Z"), builder.add("and another", "N")}});
  requested["units/halves.txt"] = "one half and another";
  base.push_back({"units/gone.txt", {}});
  requested["shared.txt"] = "SD";
  put(base, "shared.txt", "SD", "N");
  std::vector<std::string> config;
  unsigned number = 1;
  const auto nest = [&](std::vector<CascName>& names, const std::string& path,
                        const std::vector<CascName>& inner) {
    const CascFile file = builder.add(casc_tree(inner), tables);
    names.push_back({path, {file}});
    config.push_back(key_line("vfs-" + std::to_string(++number), file));
  };
  for (const std::string layer : {"_hd.w3mod", "_locales/enus.w3mod", "_locales/dede.w3mod", "_teen.w3mod"}) {
    std::vector<CascName> inner;
    requested[layer + "/shared.txt"] = layer;
    put(inner, "shared.txt", layer, "N");
    nest(base, layer, inner);
  }
  std::vector<CascName> outer;
  nest(outer, "war3.w3mod", base);
  config.push_back(key_line("vfs-root", builder.add(casc_tree(outer), tables)));
  return builder.finish(config, {"w3"});
}

InstallationFiles world_installation(std::string_view generation,
                                     std::map<std::uint32_t, std::string>& requested,
                                     std::string_view tables) {
  CascBuilder builder;
  const auto file = [&](std::uint32_t id, const std::string& content, const std::string& path) {
    return CascNumber{id, builder.add(content, "Z").content, path};
  };
  requested = {{5, "nameless"}, {1000, "english"}, {1001, "tame and not"}, {134400, "icon"}};
  const std::string icon = "Interface\\Icons\\INV_Misc_QuestionMark.blp";
  const std::vector<CascBlock> blocks = {
      {0x80, 0x1F3F6, {file(1001, "low violence", "b.txt")}, true},
      {0, 0x20, {file(77, "nur deutsch", "c.txt"), file(1000, "deutsch", "a.txt")}, true},
      {8,
       2,
       {file(1000, "english", "a.txt"), file(1001, "tame and not", "b.txt"), file(134400, "icon", icon)},
       true},
      {0, 0x1F3F6, {file(5, "nameless", "d.txt")}, false}};
  const CascFile root = builder.add(casc_root(generation, blocks), tables);
  return builder.finish({"root = " + digits(root.content)}, {"wow", "wow_classic"});
}

InstallationFiles large_installation(std::uint32_t count, bool numbered) {
  CascBuilder builder;
  std::vector<CascName> names;
  CascBlock block{0, 0x1F3F6, {}, false};
  for (std::uint32_t i = 0; i < count; ++i) {
    const CascFile file = builder.add("file " + std::to_string(i), "-N");
    if (numbered) {
      block.files.push_back({i, file.content, {}});
    } else {
      names.push_back(
          {"folder" + std::to_string(i % 1000) + "/units/model" + std::to_string(i) + ".mdx", {file}});
    }
  }
  const CascFile root = builder.add(numbered ? casc_root("11.1", {block}) : casc_tree(names), "NZ");
  return builder.finish({numbered ? "root = " + digits(root.content) : key_line("vfs-root", root)},
                        {numbered ? "wow" : "w3"});
}

}  // namespace thaw::samples
