#include <thaw/casc.hpp>
#include <thaw/codes.hpp>

#include "capi/handles.hpp"

#include <algorithm>
#include <cstring>

namespace thaw::capi {
namespace {

/// The bytes of a program's own callbacks.
class Callbacks : public Source {
 public:
  explicit Callbacks(const thaw_source& source) : source_(source) {}

  [[nodiscard]] std::optional<Bytes> read(std::string_view name) const override {
    std::size_t size = 0;
    const void* data = source_.read(source_.user, std::string(name).c_str(), &size);
    if (data == nullptr) {
      return std::nullopt;
    }
    const auto release = [&](const void* given) {
      if (source_.release != nullptr) {
        source_.release(source_.user, given, size);
      }
    };
    const std::unique_ptr<const void, decltype(release)> held(data, release);
    const ByteView bytes = bytes_of(data, size);
    return Bytes(bytes.begin(), bytes.end());
  }
  [[nodiscard]] std::string description() const override { return "the program"; }
  [[nodiscard]] std::vector<std::string> files_in(std::string_view folder) const override {
    std::vector<std::string> names;
    if (source_.list != nullptr) {
      const auto take = [](void* list, const char* name) {
        static_cast<std::vector<std::string>*>(list)->emplace_back(name);
      };
      source_.list(source_.user, std::string(folder).c_str(), take, &names);
    }
    return names;
  }

 private:
  thaw_source source_;
};

Result<std::unique_ptr<thaw_archive>> wrap(std::shared_ptr<const Archive> archive, std::string description) {
  auto handle = std::make_unique<thaw_archive>();
  handle->archive = std::move(archive);
  handle->description = std::move(description);
  for (const ArchiveEntry& entry : handle->archive->entries()) {
    handle->names.push_back(display_name(entry, ""));
  }
  return handle;
}

/// Opens what `open` opens with the options of the request.
template <class F>
thaw_archive* give_archive(const thaw_request* request, std::string_view description, thaw_error** error,
                           F&& open) {
  return give<thaw_archive>(error, [&]() -> Result<std::unique_ptr<thaw_archive>> {
    const thaw_request requested = request_of(request);
    if (auto checked = check_read_options(requested); !checked) {
      return tl::unexpected<Error>(std::move(checked.error()));
    }
    const ReadOptions reading = read_options(requested);
    ArchiveOptions options;
    options.code_page = reading.code_page;
    options.strict = reading.strict;
    Diagnostics found;
    Result<std::shared_ptr<const Archive>> archive = open(options, found);
    hand_over(requested, found);
    return std::move(archive).and_then([&](std::shared_ptr<const Archive> opened) {
      return wrap(std::move(opened), std::string(description));
    });
  });
}

}  // namespace

bool HeldBytes::read(std::uint64_t offset, std::span<std::uint8_t> out) const {
  if (offset > view_.size() || out.size() > view_.size() - offset) {
    return false;
  }
  std::copy_n(view_.data() + offset, out.size(), out.data());
  return true;
}

}  // namespace thaw::capi

#pragma GCC visibility push(default)
namespace thaw {
extern "C" {

int thaw_write_file(const char* path, const void* data, size_t size, int overwrite, thaw_error** error) {
  return capi::carry_out(
      error, [&] { return write_file(capi::path_of(path), capi::bytes_of(data, size), overwrite != 0); });
}

thaw_control* thaw_control_new(thaw_progress progress, void* user, thaw_error** error) {
  return capi::give<thaw_control>(error, [&]() -> Result<std::unique_ptr<thaw_control>> {
    if (progress == nullptr) {
      return std::make_unique<thaw_control>(Control::Listener());
    }
    // The listener is part of the control that it may stop.
    auto self = std::make_shared<thaw_control*>(nullptr);
    auto handle = std::make_unique<thaw_control>([progress, user, self](const Progress& now) {
      if (progress(user, std::string(now.stage).c_str(), now.done, now.total) != 0) {
        (*self)->control.stop();
      }
    });
    *self = handle.get();
    return handle;
  });
}

void thaw_control_stop(thaw_control* control) { control->control.stop(); }

void thaw_control_free(thaw_control* control) { delete control; }

thaw_archive* thaw_archive_open(const char* path, thaw_error** error) {
  return thaw_archive_open_with(path, nullptr, error);
}

thaw_archive* thaw_archive_open_bytes(const void* data, size_t size, thaw_error** error) {
  return thaw_archive_open_bytes_with(data, size, nullptr, error);
}

thaw_archive* thaw_archive_open_with(const char* path, const thaw_request* request, thaw_error** error) {
  return capi::give_archive(
      request, capi::text_of(path), error, [&](const ArchiveOptions& options, Diagnostics& found) {
        const std::filesystem::path place = capi::path_of(path);
        return casc::is_installation(place)
                   ? casc::open_folder(place, {}, found)
                   : open_storage(place).and_then([&](std::shared_ptr<const Storage> storage) {
                       return open_archive(std::move(storage), options, found);
                     });
      });
}

thaw_archive* thaw_archive_open_bytes_with(const void* data, size_t size, const thaw_request* request,
                                           thaw_error** error) {
  return capi::give_archive(
      request, "archive", error, [&](const ArchiveOptions& options, Diagnostics& found) {
        const ByteView bytes = capi::bytes_of(data, size);
        return open_archive(memory_storage(Bytes(bytes.begin(), bytes.end())), options, found);
      });
}

thaw_archive* thaw_archive_open_memory(const void* data, size_t size, thaw_release release, void* user,
                                       const thaw_request* request, thaw_error** error) {
  const auto give_back = [=](const void* bytes) {
    if (release != nullptr) {
      release(user, bytes, size);
    }
  };
  return capi::give_archive(
      request, "archive", error, [&](const ArchiveOptions& options, Diagnostics& found) {
        const std::shared_ptr<const void> holder(data, give_back);
        return open_archive(std::make_shared<const capi::HeldBytes>(holder, capi::bytes_of(data, size)),
                            options, found);
      });
}

size_t thaw_archive_count(const thaw_archive* archive) { return archive->names.size(); }

const char* thaw_archive_name(const thaw_archive* archive, size_t index) {
  return index < archive->names.size() ? archive->names[index].c_str() : nullptr;
}

uint64_t thaw_archive_entry_size(const thaw_archive* archive, size_t index) {
  return index < archive->names.size() ? archive->archive->entries()[index].size : 0;
}

thaw_blob* thaw_archive_read(const thaw_archive* archive, const char* name, thaw_error** error) {
  return capi::give<thaw_blob>(error, [&]() -> Result<std::unique_ptr<thaw_blob>> {
    const auto entry = archive->archive->find(capi::text_of(name));
    if (!entry) {
      return fail(codes::kInputUnreadable,
                  std::string(capi::text_of(name)) + " is not in " + archive->description);
    }
    return archive->archive->unpack(*entry).and_then(
        [](UnpackedFile file) { return capi::bytes_blob(std::move(file.bytes)); });
  });
}

thaw_blob* thaw_archive_read_single(const void* data, size_t size, const char* name, thaw_error** error) {
  return capi::give<thaw_blob>(error, [&] {
    return mpq::Archive::open(std::make_shared<const capi::HeldBytes>(nullptr, capi::bytes_of(data, size)))
        .and_then([&](const mpq::Archive& archive) {
          const auto entry = archive.find_single(capi::text_of(name));
          return entry
                     ? archive.unpack(*entry)
                     : fail(codes::kMpqNoEntry, std::string(capi::text_of(name)) + " is not in the archive");
        })
        .and_then([](mpq::Unpacked file) { return capi::bytes_blob(std::move(file.bytes)); });
  });
}

void thaw_archive_free(thaw_archive* archive) { delete archive; }

thaw_sources* thaw_sources_new(thaw_error** error) {
  return capi::give<thaw_sources>(
      error, []() -> Result<std::unique_ptr<thaw_sources>> { return std::make_unique<thaw_sources>(); });
}

int thaw_sources_add_folder(thaw_sources* sources, const char* path, thaw_error** error) {
  return capi::carry_out(error, [&]() -> Result<void> {
    sources->layers.push_back(open_folder(capi::path_of(path)));
    return {};
  });
}

int thaw_sources_add_archive(thaw_sources* sources, const thaw_archive* archive, thaw_error** error) {
  return capi::carry_out(error, [&]() -> Result<void> {
    sources->layers.push_back(archive->archive->kind() == ArchiveKind::casc
                                  ? casc::source(archive->archive, archive->description)
                                  : archive_source(archive->archive, archive->description));
    return {};
  });
}

int thaw_sources_add_callbacks(thaw_sources* sources, const thaw_source* source, thaw_error** error) {
  return capi::carry_out(error, [&]() -> Result<void> {
    thaw_source known{};
    std::memcpy(&known, source, std::min(source->size, sizeof(known)));
    if (known.read == nullptr) {
      return fail(codes::kOptionValue, "thaw_source: size is not set, or read is null");
    }
    sources->layers.push_back(std::make_shared<capi::Callbacks>(known));
    return {};
  });
}

thaw_blob* thaw_sources_read(const thaw_sources* sources, const char* name, thaw_error** error) {
  return capi::give<thaw_blob>(error, [&]() -> Result<std::unique_ptr<thaw_blob>> {
    Sources all;
    for (const auto& layer : sources->layers) {
      all.add(layer);
    }
    auto found = all.find(capi::text_of(name));
    if (!found) {
      return fail(codes::kInputUnreadable, "no source contains " + std::string(capi::text_of(name)));
    }
    return capi::bytes_blob(std::move(found->bytes));
  });
}

void thaw_sources_free(thaw_sources* sources) { delete sources; }

}  // extern "C"
}  // namespace thaw
#pragma GCC visibility pop
