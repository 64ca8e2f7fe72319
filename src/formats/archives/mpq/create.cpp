// New archives.

#include <thaw/archive.hpp>
#include <thaw/codes.hpp>

#include "bytes/escape.hpp"
#include "bytes/text.hpp"
#include "formats/archives/mpq/build.hpp"
#include "formats/archives/mpq/imports.hpp"
#include "formats/archives/mpq/names.hpp"

#include <algorithm>
#include <set>

namespace thaw::mpq {
namespace {

constexpr std::uint16_t kSectorShift = 3;
constexpr std::uint32_t kSectorSize = 4096;

std::string upper_case(std::string_view name) {
  std::string result(name);
  std::transform(result.begin(), result.end(), result.begin(), [](char c) { return ascii::upper(c); });
  return result;
}

bool is_internal(std::string_view name) {
  const std::uint64_t hash = entry_hash(name);
  return hash == entry_hash(kListfile) || hash == entry_hash(kAttributes) || hash == entry_hash(kSignature);
}

NewFile file_of(std::string_view name, Bytes content) {
  return {std::string(name), [bytes = std::move(content)]() -> Result<Bytes> { return bytes; }};
}

class ArchiveWriter {
 public:
  ArchiveWriter(const CreateOptions& options, Sink& out, Diagnostics& diagnostics)
      : options_(options),
        out_(out),
        diagnostics_(diagnostics),
        builder_(out, options.prefix.size(), options.version, kSectorSize) {}

  Result<void> run(std::vector<NewFile> files) {
    auto accepted = take(std::move(files));
    if (!accepted) {
      return accepted;
    }
    const std::size_t header = options_.version >= 2 ? kHeaderSize2 : kHeaderSize1;
    if (!out_.append(options_.prefix) || !out_.append(Bytes(header, 0))) {
      return sink_failed();
    }
    make_table();
    for (const auto& file : files_) {
      if (auto stored = store(file); !stored) {
        return stored;
      }
    }
    if (auto stored = store_lists(); !stored) {
      return stored;
    }
    auto fields = builder_.finish(tables_, kSectorShift);
    if (!fields) {
      return tl::unexpected<Error>(std::move(fields.error()));
    }
    return out_.patch(options_.prefix.size(), fields->write()) ? Result<void>() : sink_failed();
  }

 private:
  /// Names that can be, in their order.
  Result<void> take(std::vector<NewFile> files) {
    std::set<std::uint64_t> hashes;
    for (auto& file : files) {
      auto name = archive_name(file.name, options_.code_page);
      if (!name) {
        return tl::unexpected<Error>(std::move(name.error()));
      }
      file.name = std::move(*name);
      if (is_internal(file.name)) {
        report_dropped(file.name);
        continue;
      }
      if (!hashes.insert(entry_hash(file.name)).second) {
        return fail(codes::kArchiveName, shown(file.name) + ": two files have this name (ignoring case)");
      }
      if (hash_in_name(file.name)) {
        diagnostics_.add(
            codes::kArchiveHashName,
            shown(file.name) + " is named by its hash, so games cannot find it; rename it before packing", {},
            file.name);
      }
      files_.push_back(std::move(file));
    }
    if (options_.imports) {
      if (auto listed = list_imports(); !listed) {
        return listed;
      }
    }
    if (!options_.keep_order) {
      std::sort(files_.begin(), files_.end(),
                [](const NewFile& a, const NewFile& b) { return upper_case(a.name) < upper_case(b.name); });
    }
    return {};
  }

  void report_dropped(const std::string& name) {
    if (entry_hash(name) == entry_hash(kSignature)) {
      diagnostics_.add(codes::kArchiveSignature, "(signature) left out, because it signs another archive");
    }
  }

  [[nodiscard]] std::vector<NewFile>::iterator find(std::string_view name) {
    return std::find_if(files_.begin(), files_.end(),
                        [&](const NewFile& file) { return entry_hash(file.name) == entry_hash(name); });
  }

  Result<void> list_imports() {
    const bool campaign = find("war3campaign.w3f") != files_.end();
    const std::string_view name = campaign ? kCampaignImports : kMapImports;
    const auto there = find(name);
    std::optional<Imports> imports = Imports();
    if (there != files_.end()) {
      const auto bytes = there->read();
      if (!bytes) {
        return tl::unexpected<Error>(bytes.error());
      }
      imports = Imports::read(*bytes);
      if (!imports) {
        return fail(codes::kArchiveRefused, std::string(name) + " is damaged");
      }
    }
    bool changed = false;
    for (const auto& file : files_) {
      changed = (is_import(file.name) && imports->add(file.name)) || changed;
    }
    if (changed && there != files_.end()) {
      *there = file_of(there->name, imports->write());
    } else if (changed) {
      files_.push_back(file_of(name, imports->write()));
    }
    return {};
  }

  /// A third of the places stays free, so that names are found quickly.
  void make_table() {
    constexpr std::size_t kLeast = 16;
    const std::size_t count = files_.size() + 2;
    std::size_t places = kLeast;
    while (places * 2 < count * 3) {
      places *= 2;
    }
    tables_.places.resize(places);
  }

  Result<void> store(const NewFile& file) {
    auto content = file.read();
    return content ? store(file.name, *content)
                   : Result<void>(tl::unexpected<Error>(std::move(content.error())));
  }

  Result<void> store(std::string_view name, ByteView content) {
    auto block = builder_.store(content, options_.packing);
    if (!block) {
      block.error().message = shown(name) + ": " + block.error().message;
      return tl::unexpected<Error>(std::move(block.error()));
    }
    tables_.blocks.push_back(*block);
    (void)tables_.insert(name, static_cast<std::uint32_t>(tables_.blocks.size() - 1));  // there is room
    return {};
  }

  Result<void> store_lists() {
    if (options_.listfile) {
      std::string list;
      for (const auto& file : files_) {
        list += file.name + "\r\n";
      }
      if (auto stored = store(kListfile, as_bytes(list)); !stored) {
        return stored;
      }
    }
    if (options_.attributes) {
      // The block of the list itself is part of it.
      tables_.blocks.emplace_back();
      const Bytes attributes = tables_.attributes(AttributeKinds::kCrc32);
      tables_.blocks.pop_back();
      return store(kAttributes, attributes);
    }
    return {};
  }

  const CreateOptions& options_;
  Sink& out_;
  Diagnostics& diagnostics_;
  Builder builder_;
  Tables tables_;
  std::vector<NewFile> files_;
};

}  // namespace

Result<void> create(std::vector<NewFile> files, const CreateOptions& options, Sink& out,
                    Diagnostics& diagnostics) {
  return ArchiveWriter(options, out, diagnostics).run(std::move(files));
}

Result<void> create_single(const NewFile& file, const Packing& packing, Sink& out) {
  auto content = file.read();
  if (!content) {
    return tl::unexpected<Error>(std::move(content.error()));
  }
  const Md5 digest = md5(*content);
  CreateOptions options;
  options.packing = packing;
  options.listfile = false;
  options.keep_order = true;
  const std::string name(last_part(file.name));
  return create(
      {file_of(name, std::move(*content)), file_of(name + ".md5", Bytes(digest.begin(), digest.end()))},
      options, out);
}

}  // namespace thaw::mpq
