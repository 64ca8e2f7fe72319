#include <thaw/codes.hpp>
#include <thaw/convert.hpp>
#include <thaw/format.hpp>
#include <thaw/load.hpp>
#include <thaw/wdt.hpp>

#include "capi/handles.hpp"

#include <algorithm>

namespace thaw::capi {
namespace {

Result<std::unique_ptr<thaw_document>> wrap(AnyDocument document, std::filesystem::path path,
                                            std::string name, const Diagnostics& found) {
  auto handle = std::make_unique<thaw_document>(std::move(document), std::move(path), std::move(name));
  fill(handle->findings, found);
  return handle;
}

/// A document that follows from another has its path and name.
template <class Origin>
Result<std::unique_ptr<thaw_document>> wrap_derived(AnyDocument document, const Origin& origin) {
  return wrap(std::move(document), origin.path, origin.name, Diagnostics(0));
}

Result<std::unique_ptr<thaw_document>> read(ByteView bytes, std::filesystem::path path, std::string name,
                                            const thaw_request& request) {
  if (auto checked = check_read_options(request); !checked) {
    return tl::unexpected<Error>(std::move(checked.error()));
  }
  Diagnostics found;
  return read_any(bytes, read_options(request), found).and_then([&](AnyDocument document) {
    return wrap(std::move(document), std::move(path), std::move(name), found);
  });
}

}  // namespace
}  // namespace thaw::capi

/// A file that is read in parts, as far as it is.
struct thaw_reader {
  thaw::ByteView bytes;
  std::string name;
  thaw::ReadOptions options;
  thaw::Diagnostics findings;
  std::optional<thaw::wdt::Reading> map;      ///< while tiles are read
  std::optional<thaw::AnyDocument> document;  ///< once it is read
  std::optional<thaw::Error> failure;

  [[nodiscard]] bool is_done() const { return document || failure; }
  void step();
};

void thaw_reader::step() {
  if (!map && thaw::wdt::is_wdt(bytes)) {
    auto begun = thaw::wdt::Reading::begin(std::make_shared<const thaw::capi::HeldBytes>(nullptr, bytes),
                                           options, findings);
    if (begun) {
      map = std::move(*begun);
    } else {
      failure = std::move(begun.error());
    }
    return;
  }
  const auto more = map ? map->step(findings) : false;
  if (!more) {
    failure = more.error();
  } else if (map && !*more) {
    document.emplace(thaw::identify(bytes), map->take());
  } else if (!map) {
    auto read = thaw::read_any(bytes, options, findings);
    if (read) {
      document = std::move(*read);
    } else {
      failure = std::move(read.error());
    }
  }
}

namespace thaw::capi {
namespace {

template <class Choice, std::size_t N, class Name>
Result<void> choose(Choice& target, const std::array<Choice, N>& choices, Name&& name_of,
                    const thaw_option& option) {
  const auto found = std::find_if(choices.begin(), choices.end(),
                                  [&](Choice choice) { return name_of(choice) == text_of(option.value); });
  if (found == choices.end()) {
    std::string message = std::string(text_of(option.name)) + ": unknown value " +
                          std::string(text_of(option.value)) + "; expected ";
    for (const Choice choice : choices) {
      message += std::string(choice == choices.front() ? "" : "|") + std::string(name_of(choice));
    }
    return fail(codes::kOptionValue, std::move(message));
  }
  target = *found;
  return {};
}

Result<ValidateOptions> validate_options(const thaw_request& request, const Sources& sources) {
  constexpr std::array kTargets = {ValidateTarget::hive, ValidateTarget::game, ValidateTarget::strict};
  constexpr std::array kKinds = {AssetKind::automatic, AssetKind::unit,   AssetKind::building,
                                 AssetKind::doodad,    AssetKind::effect, AssetKind::missile,
                                 AssetKind::ui};
  ValidateOptions options;
  options.sources = &sources;
  options.read = read_options(request);
  for (std::size_t i = 0; i < request.option_count; ++i) {
    const thaw_option& option = request.options[i];
    const std::string_view name = text_of(option.name);
    Result<void> set;
    if (name == "target") {
      set = choose(options.target, kTargets, target_name, option);
    } else if (name == "kind") {
      set = choose(options.kind, kKinds, kind_name, option);
    } else if (name == "fix") {
      options.add_missing = text_of(option.value) == "all";
    } else if (name != "strict") {
      set = fail(codes::kOptionValue,
                 std::string(name) + ": unknown option for rules; expected target, kind, fix or strict");
    }
    if (!set) {
      return tl::unexpected<Error>(std::move(set.error()));
    }
  }
  return options;
}

}  // namespace
}  // namespace thaw::capi

thaw_document::thaw_document(thaw::AnyDocument any, std::filesystem::path file, std::string stated_name)
    : document(std::move(any)), path(std::move(file)), name(std::move(stated_name)) {
  file_name = name.substr(name.find_last_of(path.empty() ? "/\\" : "/") + 1);
  const thaw::Identity& identity = document.identity();
  words = {std::string(identity.format.id()), std::string(identity.name), std::string(identity.dialect),
           std::string(identity.format.converts_to())};
  format.size = sizeof(thaw_format);
  format.id = words[0].c_str();
  format.name = words[1].c_str();
  format.dialect = words[2].c_str();
  format.converts_to = words[3].c_str();
  format.version = identity.version.value_or(THAW_NONE);
  format.fixable = thaw::has_fixes(identity.format) ? 1 : 0;
}

#pragma GCC visibility push(default)
namespace thaw {
extern "C" {

thaw_document* thaw_open(const char* path, const thaw_request* request, thaw_error** error) {
  return capi::give<thaw_document>(error, [&] {
    const std::filesystem::path file = capi::path_of(path);
    const thaw_request requested = capi::request_of(request);
    return read_file(file, capi::read_options(requested).limits).and_then([&](const Bytes& bytes) {
      return capi::read(bytes, file, file.filename().string(), requested);
    });
  });
}

thaw_document* thaw_open_bytes(const void* data, size_t size, const char* name, const thaw_request* request,
                               thaw_error** error) {
  return capi::give<thaw_document>(error, [&] {
    return capi::read(capi::bytes_of(data, size), {}, std::string(capi::text_of(name)),
                      capi::request_of(request));
  });
}

thaw_reader* thaw_reader_new(const void* data, size_t size, const char* name, const thaw_request* request,
                             thaw_error** error) {
  return capi::give<thaw_reader>(error, [&]() -> Result<std::unique_ptr<thaw_reader>> {
    const thaw_request requested = capi::request_of(request);
    if (auto checked = capi::check_read_options(requested); !checked) {
      return tl::unexpected<Error>(std::move(checked.error()));
    }
    auto reader = std::make_unique<thaw_reader>();
    reader->bytes = capi::bytes_of(data, size);
    reader->name = capi::text_of(name);
    reader->options = capi::read_options(requested);
    return reader;
  });
}

int thaw_reader_step(thaw_reader* reader) {
  thaw_error* failure = nullptr;
  if (!reader->is_done() && !capi::carry_out(&failure, [&]() -> Result<void> {
        reader->step();
        return {};
      })) {
    thaw_error_free(failure);
    reader->failure = Error{codes::kOutOfMemory, {}, {}, {}};
  }
  return reader->is_done() ? 0 : 1;
}

float thaw_reader_share(const thaw_reader* reader) {
  const std::size_t count = reader->map ? reader->map->count() : 0;
  return reader->is_done() ? 1.0F
         : count == 0      ? 0.0F
                           : static_cast<float>(reader->map->done()) / static_cast<float>(count);
}

thaw_document* thaw_reader_document(thaw_reader* reader, thaw_error** error) {
  return capi::give<thaw_document>(error, [&]() -> Result<std::unique_ptr<thaw_document>> {
    while (!reader->is_done()) {
      reader->step();
    }
    if (reader->failure) {
      return tl::unexpected<Error>(*reader->failure);
    }
    return capi::wrap(*reader->document, {}, reader->name, reader->findings);
  });
}

void thaw_reader_free(thaw_reader* reader) { delete reader; }

thaw_document* thaw_build(const char* json, const char* name, thaw_error** error) {
  return capi::give<thaw_document>(error, [&] {
    Diagnostics found;
    return build_any(capi::text_of(json), {}, found).and_then([&](AnyDocument document) {
      return capi::wrap(std::move(document), {}, std::string(capi::text_of(name)), found);
    });
  });
}

void thaw_document_free(thaw_document* document) { delete document; }

const thaw_format* thaw_document_format(const thaw_document* document) { return &document->format; }

const char* thaw_document_name(const thaw_document* document) { return document->file_name.c_str(); }

const thaw_findings* thaw_document_findings(const thaw_document* document) { return &document->findings; }

thaw_blob* thaw_document_facts(const thaw_document* document, thaw_error** error) {
  return capi::give<thaw_blob>(
      error, [&] { return capi::text_blob(to_json(facts_value(summarize(document->document)))); });
}

thaw_blob* thaw_document_dependencies(const thaw_document* document, const thaw_request* request,
                                      thaw_error** error) {
  return capi::give<thaw_blob>(error, [&] {
    const thaw_request requested = capi::request_of(request);
    return capi::convert_options(*document, requested).and_then([&](const ConvertOptions& options) {
      Value list = Value::List();
      const Sources sources = capi::sources_of(*document, requested);
      for (const Dependency& file : dependencies(document->document, sources, options.scene)) {
        list.push(Value()
                      .set("kind", file.kind)
                      .set("path", file.path)
                      .set("by", file.by)
                      .set("state", state_name(file.state))
                      .set("where", file.where.empty() ? Value() : Value(file.where)));
      }
      return capi::text_blob(to_json(list));
    });
  });
}

thaw_blob* thaw_document_dump(const thaw_document* document, thaw_error** error) {
  return capi::give<thaw_blob>(error, [&] { return capi::text_blob(dump_any(document->document)); });
}

thaw_blob* thaw_document_dump_start(const thaw_document* document, size_t most, int* complete,
                                    thaw_error** error) {
  return capi::give<thaw_blob>(error, [&] {
    std::string text;
    const bool is_all = dump_json(inspection_of(document->document), [&](std::string_view piece) {
      text += piece;
      return text.size() < most;
    });
    *complete = is_all ? 1 : 0;
    return capi::text_blob(std::move(text));
  });
}

thaw_blob* thaw_document_compare(const thaw_document* document, const thaw_document* other, size_t most,
                                 thaw_error** error) {
  return capi::give<thaw_blob>(error, [&]() -> Result<std::unique_ptr<thaw_blob>> {
    if (!document->document.same_type(other->document)) {
      return fail(codes::kFormatForeign, other->file_name + " is of another type than " +
                                             document->file_name +
                                             "; only documents of one type can be compared");
    }
    Value list = Value::List();
    const auto side = [](const std::string& text) { return text.empty() ? Value() : Value(text); };
    for (const Difference& found :
         diff(inspection_of(document->document), inspection_of(other->document), most)) {
      list.push(
          Value().set("path", found.path).set("left", side(found.left)).set("right", side(found.right)));
    }
    return capi::text_blob(to_json(list));
  });
}

int thaw_document_tile(const thaw_document* document, size_t index, uint32_t* x, uint32_t* y) {
  const auto* map = document->document.get_if<wdt::Document>();
  if (map == nullptr || index >= map->tiles.size()) {
    return 0;
  }
  *x = static_cast<uint32_t>(map->tiles[index].x());
  *y = static_cast<uint32_t>(map->tiles[index].y());
  return 1;
}

thaw_blob* thaw_document_write(const thaw_document* document, thaw_error** error) {
  return capi::give<thaw_blob>(error, [&] { return capi::bytes_blob(write_any(document->document)); });
}

int thaw_document_save(const thaw_document* document, const char* path, int overwrite, thaw_error** error) {
  return capi::carry_out(error, [&] {
    return save(document->document, capi::path_of(path), overwrite != 0 ? Overwrite::yes : Overwrite::no);
  });
}

thaw_findings* thaw_document_validate(const thaw_document* document, const thaw_request* request,
                                      thaw_error** error) {
  return capi::give<thaw_findings>(error, [&] {
    const thaw_request requested = capi::request_of(request);
    const Sources sources = capi::sources_of(*document, requested);
    return capi::validate_options(requested, sources).and_then([&](const ValidateOptions& options) {
      return capi::findings_of(validate(document->document, options));
    });
  });
}

thaw_document* thaw_document_fix(const thaw_document* document, const thaw_request* request,
                                 thaw_findings** changes, thaw_error** error) {
  return capi::give<thaw_document>(error, [&] {
    const thaw_request requested = capi::request_of(request);
    const Sources sources = capi::sources_of(*document, requested);
    return capi::validate_options(requested, sources).and_then([&](const ValidateOptions& options) {
      Diagnostics left;
      Fixed fixed = fix(document->document, options, {}, left);
      Diagnostics done(fixed.changes.size() + left.items().size());
      for (AppliedFix& change : fixed.changes) {
        done.add({{change.code, Severity::info, {}}, {}, std::move(change.path), std::move(change.message)});
      }
      for (const Diagnostic& finding : left.items()) {
        done.add(finding);
      }
      return capi::findings_of(done).and_then([&](std::unique_ptr<thaw_findings> list) {
        auto handle = capi::wrap_derived(std::move(fixed.document), *document);
        if (handle && changes != nullptr) {
          *changes = list.release();
        }
        return handle;
      });
    });
  });
}

thaw_editor* thaw_editor_new(const thaw_document* document, thaw_error** error) {
  return capi::give<thaw_editor>(error, [&]() -> Result<std::unique_ptr<thaw_editor>> {
    return std::make_unique<thaw_editor>(*document);
  });
}

thaw_blob* thaw_editor_get(thaw_editor* editor, const char* path, thaw_error** error) {
  return capi::give<thaw_blob>(error, [&] {
    return editor->editor.get(capi::text_of(path)).and_then([](const std::vector<Editor::Field>& fields) {
      std::string json = "{";
      for (const auto& field : fields) {
        json += (json.size() > 1 ? "," : "") + to_json(Value(field.path)) + ":" + field.value;
      }
      return capi::text_blob(json + "}");
    });
  });
}

int thaw_editor_set(thaw_editor* editor, const char* path, const char* value, thaw_error** error) {
  return capi::carry_out(error,
                         [&] { return editor->editor.set(capi::text_of(path), capi::text_of(value)); });
}

int thaw_editor_add(thaw_editor* editor, const char* path, const char* value, thaw_error** error) {
  return capi::carry_out(error,
                         [&] { return editor->editor.add(capi::text_of(path), capi::text_of(value)); });
}

int thaw_editor_remove(thaw_editor* editor, const char* path, thaw_error** error) {
  return capi::carry_out(error, [&] { return editor->editor.remove(capi::text_of(path)); });
}

int thaw_editor_edit(thaw_editor* editor, const char* text, thaw_error** error) {
  return capi::carry_out(error, [&] { return editor->editor.edit(capi::text_of(text)); });
}

int thaw_editor_patch(thaw_editor* editor, const char* json, thaw_error** error) {
  return capi::carry_out(error, [&] { return editor->editor.patch(capi::text_of(json)); });
}

int thaw_editor_undo(thaw_editor* editor) {
  return capi::carry_out(nullptr, [&]() -> Result<void> {
    return editor->editor.undo() ? Result<void>() : fail(codes::kEditNothing, "there is no edit to undo");
  });
}

thaw_document* thaw_editor_document(const thaw_editor* editor, thaw_error** error) {
  return capi::give<thaw_document>(error, [&] {
    return editor->editor.document().and_then(
        [&](AnyDocument document) { return capi::wrap_derived(std::move(document), *editor); });
  });
}

void thaw_editor_free(thaw_editor* editor) { delete editor; }

}  // extern "C"
}  // namespace thaw
#pragma GCC visibility pop
