#include <thaw/codes.hpp>
#include <thaw/convert.hpp>

#include "capi/handles.hpp"

#include <algorithm>
#include <cstring>

namespace thaw::capi {
namespace {

#ifdef __EMSCRIPTEN__
constexpr bool kHasFolders = false;  // what reads them is left out of modules for browsers
#else
constexpr bool kHasFolders = true;
#endif

/// What rules have as options (validate_options).
constexpr std::array kRuleOptions = {
    NamedOption{"fix", "safe|all"},
    NamedOption{"kind", "auto|unit|building|doodad|effect|missile|ui"},
    NamedOption{"target", "hive|game|strict"},
};

/// What a target needs besides the document.
std::string_view needs_of(const TargetInfo& target) {
  return target.of_maps ? "map" : target.needs_skeleton ? "skeleton" : "";
}

/// Words with a blank between them.
std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    words.push_back(text.substr(0, text.find(' ')));
    text.remove_prefix(std::min(text.size(), words.back().size() + 1));
  }
  return words;
}

std::string folder_of(std::string_view name) {
  const std::size_t slash = name.find_last_of('/');
  return std::string(slash == std::string_view::npos ? "" : name.substr(0, slash));
}

std::filesystem::path parent_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

/// Files in the document's own folder, by names that its sources know.
std::vector<std::string> adjacent(const thaw_document& document, const thaw_request& request) {
  if (kHasFolders && !document.path.empty()) {
    return open_folder(parent_of(document.path))->files_in("");
  }
  std::vector<std::string> files;
  if (request.sources != nullptr) {
    for (const auto& layer : request.sources->layers) {
      auto names = layer->files_in(folder_of(normalize_game_path(document.name)));
      files.insert(files.end(), std::make_move_iterator(names.begin()), std::make_move_iterator(names.end()));
    }
  }
  return files;
}

/// The options that belong to the document and the call.
Result<ConvertOptions> usual_options(const thaw_document& document, const thaw_request& request) {
  ConvertOptions options;
  options.scene.path = document.path.empty() ? normalize_game_path(document.name) : document.name;
  options.scene.adjacent = adjacent(document, request);
  options.scene.read = read_options(request);
  if (request.onto != nullptr) {
    options.model.onto = std::make_shared<const AnyDocument>(request.onto->document);
    options.model.onto_name = request.onto->file_name;
  }
  if (request.network != nullptr) {
    const auto* network = request.network->document.get_if<mrn::Document>();
    if (network == nullptr) {
      return fail(codes::kFormatForeign, request.network->file_name + " is not an animation network");
    }
    options.scene.network = std::make_shared<const mrn::Document>(*network);
  }
  return options;
}

bool has(std::span<const NamedOption> options, std::string_view name) {
  return std::any_of(options.begin(), options.end(),
                     [&](const NamedOption& one) { return one.name == name; });
}

}  // namespace

thaw_request request_of(const thaw_request* request) {
  thaw_request known{};
  if (request != nullptr) {
    std::memcpy(&known, request, std::min(request->size, sizeof(thaw_request)));
  }
  return known;
}

void hand_over(const thaw_request& request, const Diagnostics& found) {
  if (request.findings != nullptr) {
    *request.findings = findings_of(found)->release();
  }
}

Result<void> check_read_options(const thaw_request& request) {
  for (std::size_t i = 0; i < request.option_count; ++i) {
    const std::string_view option = text_of(request.options[i].name);
    if (option == "encoding-of-names" && !parse_code_page(text_of(request.options[i].value))) {
      return fail(codes::kOptionValue,
                  std::string(option) + ": expected one of " + std::string(kCodePageWords));
    }
    if (option != "strict" && option != "encoding-of-names") {
      return fail(codes::kOptionValue,
                  std::string(text_of(request.options[i].name)) +
                      ": unknown option for reading; expected strict or encoding-of-names");
    }
  }
  return {};
}

ReadOptions read_options(const thaw_request& request) {
  ReadOptions options;
  options.control = request.control == nullptr ? nullptr : &request.control->control;
  for (std::size_t i = 0; i < request.option_count; ++i) {
    const std::string_view name = text_of(request.options[i].name);
    const std::string_view value = text_of(request.options[i].value);
    options.strict = options.strict || (name == "strict" && value == "on");
    options.code_page =
        name == "encoding-of-names" ? parse_code_page(value).value_or(options.code_page) : options.code_page;
  }
  return options;
}

Sources sources_of(const thaw_document& document, const thaw_request& request) {
  const std::vector<std::shared_ptr<const Source>> layers =
      request.sources == nullptr ? std::vector<std::shared_ptr<const Source>>() : request.sources->layers;
  const bool has_place = kHasFolders && !document.path.empty();
  if (has_place && !document.document.identity().format.is_interchange()) {
    return model_sources(document.path, layers);
  }
  Sources sources;
  if (has_place) {
    sources.add_folder(parent_of(document.path));
  }
  for (const auto& layer : layers) {
    sources.add(layer);
  }
  return sources;
}

Result<ConvertOptions> convert_options(const thaw_document& document, const thaw_request& request) {
  return usual_options(document, request).and_then([&](ConvertOptions options) -> Result<ConvertOptions> {
    for (std::size_t i = 0; i < request.option_count; ++i) {
      if (auto set = set_option(options, text_of(request.options[i].name), text_of(request.options[i].value));
          !set) {
        return tl::unexpected<Error>(std::move(set.error()));
      }
    }
    return options;
  });
}

Result<PictureOptions> picture_options(const thaw_document& document, const thaw_request& request) {
  return usual_options(document, request).and_then([&](ConvertOptions options) -> Result<PictureOptions> {
    PictureOptions both{std::move(options), {}};
    Result<void> set = set_option(both.shot, "background", "");
    for (std::size_t i = 0; set && i < request.option_count; ++i) {
      const std::string_view name = text_of(request.options[i].name);
      const std::string_view value = text_of(request.options[i].value);
      const bool of_picture = has(shot_option_names(), name);
      set = of_picture ? set_option(both.shot, name, value) : set_option(both.convert, name, value);
      // A clip is one to show there, and a choice of those that are converted here.
      if (set && of_picture && name != "clip" && has(convert_option_names(), name)) {
        set = set_option(both.convert, name, value);
      }
    }
    return set ? Result<PictureOptions>(std::move(both)) : tl::unexpected<Error>(std::move(set.error()));
  });
}

}  // namespace thaw::capi

#pragma GCC visibility push(default)
namespace thaw {
extern "C" {

const char* thaw_option_name(size_t index, const char** values, const char** group) {
  const std::pair<std::span<const NamedOption>, const char*> groups[] = {
      {convert_option_names(), "convert"}, {shot_option_names(), "render"}, {capi::kRuleOptions, "validate"}};
  for (const auto& [options, word] : groups) {
    if (index < options.size()) {
      if (values != nullptr) {
        *values = options[index].values.data();
      }
      if (group != nullptr) {
        *group = word;
      }
      return options[index].name.data();
    }
    index -= options.size();
  }
  return nullptr;
}

thaw_blob* thaw_document_targets(const thaw_document* document, thaw_error** error) {
  return capi::give<thaw_blob>(error, [&] {
    const Format format = format_of(document->document);
    Value list = Value::List();
    for (const std::string_view word : capi::words_of(format.converts_to())) {
      if (const auto target = find_target(format, word)) {
        Value versions = Value::List();
        for (const std::uint32_t version : find_format(word).written_versions()) {
          versions.push(version);
        }
        list.push(Value()
                      .set("to", word)
                      .set("extension", target->extension)
                      .set("versions", std::move(versions))
                      .set("needs", capi::needs_of(*target)));
      }
    }
    return capi::text_blob(to_json(list));
  });
}

thaw_outputs* thaw_convert(const thaw_document* document, const char* target, const char* file_name,
                           const thaw_request* request, thaw_error** error) {
  return capi::give<thaw_outputs>(error, [&] {
    const thaw_request requested = capi::request_of(request);
    return capi::convert_options(*document, requested).and_then([&](const ConvertOptions& options) {
      const Sources sources = capi::sources_of(*document, requested);
      const Bytes bytes = write_any(document->document);
      Diagnostics found;
      auto converted =
          convert({bytes, document->file_name, &document->document},
                  {capi::text_of(target), std::string(capi::text_of(file_name))}, options, sources, found);
      capi::hand_over(requested, found);
      return std::move(converted).map([](Outputs outputs) {
        auto handle = std::make_unique<thaw_outputs>();
        handle->json = to_json(Value(outputs.json));
        handle->outputs = std::move(outputs);
        return handle;
      });
    });
  });
}

size_t thaw_outputs_count(const thaw_outputs* outputs) { return outputs->outputs.files.size(); }

const char* thaw_outputs_name(const thaw_outputs* outputs, size_t index) {
  return index < outputs->outputs.files.size() ? outputs->outputs.files[index].name.c_str() : nullptr;
}

const uint8_t* thaw_outputs_data(const thaw_outputs* outputs, size_t index, size_t* size) {
  if (index >= outputs->outputs.files.size()) {
    return nullptr;
  }
  const Bytes& bytes = outputs->outputs.files[index].bytes;
  *size = bytes.size();
  return bytes.data();
}

const char* thaw_outputs_note(const thaw_outputs* outputs) { return outputs->outputs.note.c_str(); }

const char* thaw_outputs_json(const thaw_outputs* outputs) { return outputs->json.c_str(); }

void thaw_outputs_free(thaw_outputs* outputs) { delete outputs; }

}  // extern "C"
}  // namespace thaw
#pragma GCC visibility pop
