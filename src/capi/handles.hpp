// The objects of the handles of <thaw.h>, and how results and errors leave it.
#pragma once

#include <thaw.h>

#include <thaw/archive.hpp>
#include <thaw/control.hpp>
#include <thaw/convert.hpp>
#include <thaw/edit.hpp>
#include <thaw/format.hpp>
#include <thaw/load.hpp>
#include <thaw/raster.hpp>
#include <thaw/scene.hpp>
#include <thaw/sources.hpp>
#include <thaw/validate.hpp>

#include "bytes/utf8_path.hpp"

#include <array>
#include <deque>
#include <exception>
#include <filesystem>
#include <memory>
#include <new>
#include <string>
#include <unordered_set>
#include <vector>

namespace thaw::capi {

/// A finding whose texts are its own.
struct Finding : thaw_finding {
  explicit Finding(const Diagnostic& finding, bool may_be_fixed = false);
  Finding(const Finding&) = delete;
  Finding(Finding&&) = delete;
  Finding& operator=(const Finding&) = delete;
  Finding& operator=(Finding&&) = delete;
  ~Finding() = default;

  std::string code_text;
  std::string path_text;
  std::string message_text;
  std::string summary_text;
};

/// Puts an error where the caller requests it.
void report(thaw_error** error, const Error& failure) noexcept;
/// What was thrown: no memory, or a fault of thaw itself.
void report_exception(thaw_error** error) noexcept;

/// The handle that `body` makes; NULL with an error if it fails.
template <class Handle, class F>
Handle* give(thaw_error** error, F&& body) noexcept {
  try {
    Result<std::unique_ptr<Handle>> result = body();
    if (result) {
      return result->release();
    }
    report(error, result.error());
  } catch (...) {
    report_exception(error);
  }
  return nullptr;
}

/// 1, or 0 with an error if `body` fails.
template <class F>
int carry_out(thaw_error** error, F&& body) noexcept {
  try {
    const Result<void> done = body();
    if (done) {
      return 1;
    }
    report(error, done.error());
  } catch (...) {
    report_exception(error);
  }
  return 0;
}

/// The text of a C program; nothing for NULL.
inline std::string_view text_of(const char* text) { return text == nullptr ? std::string_view() : text; }
inline std::filesystem::path path_of(const char* text) { return utf8_path(text_of(text)); }
inline ByteView bytes_of(const void* data, std::size_t size) {
  return {static_cast<const std::uint8_t*>(data), size};
}

Result<std::unique_ptr<thaw_blob>> text_blob(std::string text);
Result<std::unique_ptr<thaw_blob>> bytes_blob(Bytes bytes);
void fill(thaw_findings& findings, const Diagnostics& diagnostics);
Result<std::unique_ptr<thaw_findings>> findings_of(const Diagnostics& diagnostics);

/// Bytes that stay where they are as long as `holder` lives.
class HeldBytes : public Storage {
 public:
  HeldBytes(std::shared_ptr<const void> holder, ByteView view) : holder_(std::move(holder)), view_(view) {}
  [[nodiscard]] std::uint64_t size() const override { return view_.size(); }
  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> out) const override;

 private:
  std::shared_ptr<const void> holder_;
  ByteView view_;
};

/// Where the files are that a document names.
Sources sources_of(const thaw_document& document, const thaw_request& request);
/// The request, with 0 for members that its program does not know.
thaw_request request_of(const thaw_request* request);
/// Passes the findings of a call to the caller.
void hand_over(const thaw_request& request, const Diagnostics& found);

/// The options for conversions and scenes, with the files next to the document.
Result<ConvertOptions> convert_options(const thaw_document& document, const thaw_request& request);
/// The same for a picture: options of both, each set where it is known.
struct PictureOptions {
  ConvertOptions convert;
  Shot shot;
};
Result<PictureOptions> picture_options(const thaw_document& document, const thaw_request& request);
/// A scene with everything that is drawn of it, as `thaw render` requests it.
Result<OpenedScene> open_to_draw(const thaw_document& document, const Sources& sources,
                                 const ConvertOptions& options, OpenSceneOptions& request,
                                 Diagnostics& found);
/// Whether the options of a request are those of reading, with values of theirs.
Result<void> check_read_options(const thaw_request& request);
/// How a request reads.
ReadOptions read_options(const thaw_request& request);

}  // namespace thaw::capi

struct thaw_blob {
  thaw::Bytes bytes;
  std::string text;  ///< in place of bytes: has a NUL at its end
  bool is_text = false;
};

struct thaw_findings {
  std::deque<thaw::capi::Finding> items;
  std::size_t suppressed = 0;
};

struct thaw_control {
  explicit thaw_control(thaw::Control::Listener listener) : control(std::move(listener)) {}
  thaw::Control control;
};

struct thaw_archive {
  std::shared_ptr<const thaw::Archive> archive;
  std::string description;
  std::vector<std::string> names;
};

struct thaw_sources {
  std::vector<std::shared_ptr<const thaw::Source>> layers;
};

struct thaw_document {
  thaw_document(thaw::AnyDocument any, std::filesystem::path file, std::string stated_name);
  thaw_document(const thaw_document&) = delete;
  thaw_document(thaw_document&&) = delete;
  thaw_document& operator=(const thaw_document&) = delete;
  thaw_document& operator=(thaw_document&&) = delete;
  ~thaw_document() = default;

  thaw::AnyDocument document;
  std::filesystem::path path;  ///< that it was opened by; empty for bytes
  std::string name;            ///< of its file, with folders where it has no path
  std::string file_name;       ///< the last part of it
  std::array<std::string, 4> words;
  thaw_format format{};
  thaw_findings findings;
};

struct thaw_outputs {
  thaw::Outputs outputs;
  std::string json;
};

struct thaw_image {
  explicit thaw_image(thaw::Image pixels);
  thaw::Image image;
  thaw_pixels view{};
};

struct thaw_editor {
  explicit thaw_editor(const thaw_document& document)
      : editor(document.document), path(document.path), name(document.name) {}
  thaw::Editor editor;
  std::filesystem::path path;  ///< of the document
  std::string name;
};

/// A scene, and the structs of <thaw.h> that look into it.
struct thaw_scene {
  thaw_scene(thaw::scene::Scene opened, const thaw_document& document);
  thaw_scene(const thaw_scene&) = delete;
  thaw_scene(thaw_scene&&) = delete;
  thaw_scene& operator=(const thaw_scene&) = delete;
  thaw_scene& operator=(thaw_scene&&) = delete;
  ~thaw_scene() = default;

  thaw::scene::Scene scene;
  std::string stem;                ///< of the document's name
  std::deque<std::string> words;   ///< of what the scene has as views
  std::deque<std::string> places;  ///< of the meshes
  thaw_scene_info about{};
  std::vector<thaw_node> nodes;
  std::vector<thaw_mesh> meshes;
  std::vector<thaw_part> parts;  ///< of all meshes
  std::vector<thaw_skin> skins;
  std::vector<std::vector<thaw_layer>> layers;  ///< of each material
  std::vector<thaw_texture> textures;
  std::vector<thaw_pixels> images;
  std::vector<thaw_clip> clips;
  std::vector<std::vector<thaw_channel>> channels;  ///< of each clip
  std::vector<thaw_camera> cameras;
};
