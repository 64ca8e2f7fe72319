#include <thaw/load.hpp>
#include <thaw/sources.hpp>

namespace thaw {

Result<Loaded> load(ByteView bytes, const ReadOptions& options) {
  Diagnostics findings;
  return read_any(bytes, options, findings).map([&](AnyDocument&& document) {
    return Loaded{std::move(document), std::move(findings)};
  });
}

Result<Loaded> load(const std::filesystem::path& path, const ReadOptions& options) {
  return read_file(path, options.limits).and_then([&](const Bytes& bytes) { return load(bytes, options); });
}

Result<void> save(const AnyDocument& document, const std::filesystem::path& path, Overwrite overwrite) {
  return write_file(path, write_any(document), overwrite == Overwrite::yes);
}

}  // namespace thaw
