// Installations in memory, opened.
#pragma once

#include <thaw/casc.hpp>
#include <thaw/codes.hpp>

#include "../samples/casc_build.hpp"
#include "bytes/text.hpp"

namespace thaw {

/// Files of an installation that lie in memory, for as long as they live.
class MemoryFiles : public casc::Files {
 public:
  explicit MemoryFiles(const samples::InstallationFiles& files) : files_(files) {}

  [[nodiscard]] Result<std::shared_ptr<const Storage>> open(std::string_view path) const override {
    const auto found = files_.find(std::string(path));
    return found == files_.end()
               ? Result<std::shared_ptr<const Storage>>(fail(codes::kInputUnreadable, "no such file"))
               : memory_storage(found->second);
  }
  [[nodiscard]] Result<MappedFile> map(std::string_view path) const override {
    const auto found = files_.find(std::string(path));
    if (found == files_.end()) {
      return fail(codes::kInputUnreadable, "no such file");
    }
    return MappedFile{found->second, nullptr};
  }
  [[nodiscard]] std::vector<std::string> files_in(std::string_view folder) const override {
    std::vector<std::string> names;
    for (const auto& [path, bytes] : files_) {
      if (path.rfind('/') == folder.size() && path.substr(0, folder.size()) == folder) {
        names.push_back(path);
      }
    }
    return names;
  }

 private:
  const samples::InstallationFiles& files_;
};

struct Opened {
  std::shared_ptr<const Archive> archive;
  Diagnostics findings;
  std::string error;
};

inline Opened open(const samples::InstallationFiles& files, const std::vector<std::string>& variants = {},
                   std::string_view listfile = {}, bool strict = false) {
  Opened opened;
  casc::Options options;
  options.variants = variants;
  options.strict = strict;
  if (!listfile.empty()) {
    options.listfiles.push_back(std::make_shared<const Bytes>(to_bytes(listfile)));
  }
  auto archive = casc::open(std::make_shared<MemoryFiles>(files), options, opened.findings);
  if (archive) {
    opened.archive = *archive;
  } else {
    opened.error = std::string(archive.error().code.id) + ": " + archive.error().message;
  }
  return opened;
}

inline std::string content(const Archive& archive, std::string_view name,
                           Diagnostics& findings = Diagnostics::discarded()) {
  const auto entry = archive.find(name);
  const auto file = entry ? archive.unpack(*entry, findings) : fail(codes::kCascNoEntry, "");
  return file ? std::string(as_text(file->bytes)) : "(" + std::string(file.error().code.id) + ")";
}

}  // namespace thaw
