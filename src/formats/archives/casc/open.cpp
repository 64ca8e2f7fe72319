#include "describe/limits.hpp"
#include "formats/archives/casc/installation.hpp"

#include <thaw/codes.hpp>

#include "bytes/text.hpp"

namespace thaw::casc {
namespace {

namespace fs = std::filesystem;

class FolderFiles : public Files {
 public:
  explicit FolderFiles(const fs::path& folder) : folder_(thaw::open_whole_folder(folder)) {}

  [[nodiscard]] Result<std::shared_ptr<const thaw::Storage>> open(std::string_view path) const override {
    return open_storage(folder_->place(path));
  }
  [[nodiscard]] Result<MappedFile> map(std::string_view path) const override {
    return map_file(folder_->place(path));
  }
  [[nodiscard]] std::vector<std::string> files_in(std::string_view folder) const override {
    return folder_->files_in(folder);
  }

 private:
  std::shared_ptr<const Source> folder_;
};

class InstallationSource : public Source {
 public:
  InstallationSource(std::shared_ptr<const Installation> installation, std::string description,
                     std::vector<std::string> layers)
      : installation_(std::move(installation)),
        description_(std::move(description)),
        layers_(std::move(layers)) {}

  [[nodiscard]] std::optional<Bytes> read(std::string_view name) const override {
    const auto entry = installation_->find(name, layers_);
    Diagnostics findings;
    auto unpacked =
        entry ? installation_->unpack(*entry, findings, ~std::uint64_t{0}) : fail(codes::kCascNoEntry, "");
    return unpacked ? std::optional(std::move(unpacked->bytes)) : std::nullopt;
  }
  [[nodiscard]] std::string description() const override { return description_; }
  [[nodiscard]] std::string place(std::string_view name) const override {
    const auto entry = installation_->find(name, layers_);
    return description_ + "//" + (entry ? entry->name : std::string(name));
  }
  [[nodiscard]] std::vector<std::string> files_in(std::string_view folder) const override {
    return installation_->files_in(folder, layers_);
  }

 private:
  std::shared_ptr<const Installation> installation_;
  std::string description_;
  std::vector<std::string> layers_;
};

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

/// `Data` or `data`, as disks that know case have it.
bool has_data(const fs::path& folder) {
  constexpr std::array kNames = {"Data", "data"};
  return std::any_of(kNames.begin(), kNames.end(), [&](const char* name) {
    const fs::path data = folder / name;
    return (is_there(data / "config") && is_there(data / "data")) || is_there(data / ".build.config");
  });
}

/// The installation whose `Data` a folder is; the folder itself otherwise.
fs::path outermost(const fs::path& folder) {
  const fs::path absolute = (folder / "").lexically_normal().parent_path();
  const bool inner = ascii::same(absolute.filename().string(), "data");
  const fs::path parent = absolute.has_parent_path() ? absolute.parent_path() : fs::path(".");
  return inner && !is_there(folder / ".build.info") && is_there(parent / ".build.info") ? parent : folder;
}

}  // namespace

std::shared_ptr<const Files> files_of(const fs::path& folder) {
  return std::make_shared<FolderFiles>(folder);
}

bool is_installation(const fs::path& folder) {
  std::error_code error;
  return fs::is_directory(folder, error) &&
         (fs::is_regular_file(outermost(folder) / ".build.info", error) || has_data(folder));
}

Result<std::vector<Product>> products(const fs::path& folder) {
  return products(*files_of(outermost(folder)));
}

Result<std::shared_ptr<const Archive>> open(std::shared_ptr<const Files> files, const Options& options,
                                            Diagnostics& diagnostics) {
  auto installation = std::make_shared<Installation>(std::move(files), options);
  Diagnostics found;
  if (auto done = installation->read(found); !done) {
    for (const auto& finding : found.items()) {
      diagnostics.add(finding);
    }
    return tl::unexpected<Error>(std::move(done.error()));
  }
  return judged(std::shared_ptr<const Archive>(std::move(installation)), found,
                {options.strict, options.limits}, diagnostics);
}

Result<std::shared_ptr<const Archive>> open_folder(const fs::path& folder, const Options& options,
                                                   Diagnostics& diagnostics) {
  return open(files_of(outermost(folder)), options, diagnostics);
}

std::shared_ptr<const Source> source(std::shared_ptr<const Archive> installation, std::string description,
                                     std::string_view near) {
  auto concrete = std::dynamic_pointer_cast<const Installation>(std::move(installation));
  if (concrete == nullptr) {
    return nullptr;
  }
  auto layers = concrete->layers();
  const std::string name = flat_name(near);
  Variant variant = concrete->variant();
  if (name.starts_with("_hd.w3mod/")) {
    variant.art = Variant::Art::hd;
    layers = layers_of(variant);
  } else if (name.starts_with("_de.w3mod/")) {
    variant.art = Variant::Art::definitive;
    layers = layers_of(variant);
  }
  return std::make_shared<InstallationSource>(std::move(concrete), std::move(description), std::move(layers));
}

std::size_t read_part(std::string_view part, ByteView bytes) {
  Diagnostics found;
  Bytes copy(bytes.begin(), bytes.end());
  if (part == "index") {
    Bucket bucket;
    std::string fault;
    const bool good = bucket.read({copy, nullptr}, copy.size() > 0x0A ? copy[0x0A] : 0, fault);
    const ShortKey key =
        copy.size() > 0x40 ? key_at<std::tuple_size_v<ShortKey>>(copy.data() + 0x28) : ShortKey{};
    return good ? bucket.size() + (bucket.find(key) ? 1 : 0) : 0;
  }
  if (part == "blte") {
    const auto storage = memory_storage(std::move(copy));
    const auto decoded =
        decode({storage.get(), 0, storage->size(), std::nullopt, std::nullopt}, {}, ~std::uint64_t{0}, found);
    return decoded ? decoded->bytes.size() : 0;
  }
  if (part == "encoding") {
    const Key key = copy.size() > 0x60 ? key_at<std::tuple_size_v<Key>>(copy.data() + 0x40) : Key{};
    const auto table = Encoding::read(std::move(copy), true, found);
    const auto content = table ? table->find(key) : std::nullopt;
    return content ? content->encoded.size() : 0;
  }
  if (part == "tvfs") {
    auto tree =
        Tree::read(copy, {ShortKey{}}, [&](const ShortKey& /*key*/) -> Result<Bytes> { return copy; }, found);
    std::size_t spans = 0;
    for (std::uint32_t row = 0; tree && row < tree->size(); ++row) {
      spans += tree->spans(row).size();
    }
    return spans;
  }
  if (part == "root") {
    if (is_text_root(copy)) {
      return TextNames(std::move(copy)).size();
    }
    const auto root = NumberedRoot::read(std::move(copy), locale_bit("enUS"), locale_bit("deDE"), found);
    return root ? root->rows().size() + root->hashes_by_id().size() : 0;
  }
  return read_products({reinterpret_cast<const char*>(copy.data()), copy.size()}).size() +
         Config({reinterpret_cast<const char*>(copy.data()), copy.size()}).manifests().size();
}

}  // namespace thaw::casc
