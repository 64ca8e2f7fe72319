#include <thaw/codes.hpp>
#include <thaw/control.hpp>

#include "formats/list.hpp"

#include "bytes/code_page.hpp"
#include "describe/code_page_finding.hpp"
#include "describe/limits.hpp"

#include <algorithm>
#include <map>

namespace thaw {
namespace {

using Descriptors = std::vector<const FormatDescriptor*>;

const Descriptors& all_formats() {
  static const Descriptors kAll = [] {
    Descriptors all;
    const auto add = [&](const auto& family) { all.insert(all.end(), family.begin(), family.end()); };
    add(kWarcraftFormats);
    add(kPictureFormats);
    add(kWowFormats);
    add(kForgelightFormats);
    add(kArchiveFormats);
    add(kInterchangeFormats);
    for (const auto& foreign : foreign_formats()) {
      all.push_back(&foreign);
    }
    return all;
  }();
  return kAll;
}

/// What is left of a file whose first part could not be decrypted (m3.md#telling-it).
bool begins_with_zeros(ByteView bytes) {
  constexpr std::size_t kZeros = 8;
  return bytes.size() >= kZeros &&
         std::all_of(bytes.begin(), bytes.begin() + kZeros, [](std::uint8_t byte) { return byte == 0; });
}

/// ".mdx"; empty without one.
std::string lower_extension(std::string_view name) {
  const std::size_t dot = name.find_last_of("./\\");
  if (dot == std::string_view::npos || name[dot] != '.') {
    return {};
  }
  std::string extension(name.substr(dot));
  std::transform(extension.begin(), extension.end(), extension.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  });
  return extension;
}

}  // namespace

Identity identify(ByteView bytes) {
  const FormatDescriptor* best = most_like(all_formats(), bytes);
  const Format format = best == nullptr ? Format() : Format(*best);
  const FormatDescriptor& descriptor = format.descriptor();
  Identity identity{format,       descriptor.name, descriptor.dialect,
                    std::nullopt, format.reads(),  descriptor.explanation};
  if (descriptor.report != nullptr) {
    descriptor.report(bytes, identity);
  } else if (format == Format() && begins_with_zeros(bytes)) {
    identity.explanation = "it begins with zeros, like an encrypted file whose key is missing";
  }
  return identity;
}

Identity identify(ByteView bytes, std::string_view name) {
  const Identity identity = identify(bytes);
  if (identity.format != Format()) {
    return identity;
  }
  const std::string extension = lower_extension(name);
  const auto named = std::find_if(all_formats().begin(), all_formats().end(), [&](const auto* format) {
    return format->recognise == nullptr && format->extensions == extension;
  });
  if (named == all_formats().end()) {
    return identity;
  }
  const FormatDescriptor& format = **named;
  return {Format(format), format.name, format.dialect, std::nullopt, false, format.explanation};
}

std::span<const Format> known_formats() {
  static const std::vector<Format> kListed = [] {
    std::vector<Format> listed;
    for (const auto* format : all_formats()) {
      // A dialect goes by the word of its format.
      if (std::find(listed.begin(), listed.end(), Format(*format)) == listed.end()) {
        listed.emplace_back(*format);
      }
    }
    return listed;
  }();
  return kListed;
}

namespace {

/// States how a document's names are encoded. Within a CodePageScope, as for files of an archive, its page is
/// the guess.
void find_code_page(AnyDocument& document, const ReadOptions& options, Diagnostics& diagnostics) {
  const CodePage around = current_code_page();
  document.set_code_page(options.code_page == CodePage::automatic ? around : options.code_page);
  const auto show_names = descriptor_of(document).names;
  if (options.code_page != CodePage::automatic || show_names == nullptr) {
    return;
  }
  std::vector<std::string> names;
  show_names(document, [&](std::string_view name) {
    if (!is_utf8(name)) {
      names.emplace_back(name);
    }
  });
  if (around == CodePage::automatic) {
    document.set_code_page(guess_code_page(names));
  }
  report_code_page(names, document.code_page(), diagnostics);
}

}  // namespace

Result<AnyDocument> read_any(ByteView bytes, const ReadOptions& options, Diagnostics& diagnostics) {
  if (bytes.size() > options.limits.max_input_bytes) {
    return input_too_large(bytes.size(), options.limits);
  }
  if (is_stopped(options.control)) {
    return fail(codes::kStopped, "");
  }
  const Identity identity = identify(bytes);
  if (!identity.readable) {
    return fail(identity.format.is_known() ? codes::kFormatForeign : codes::kFormatUnknown,
                std::string(identity.explanation), 0);
  }
  auto document = identity.format.descriptor().document.read(bytes, identity, options, diagnostics);
  if (document) {
    find_code_page(*document, options, diagnostics);
  }
  return document;
}

std::vector<const FormatDescriptor*> formats_of_scenes() {
  Descriptors result;
  std::copy_if(all_formats().begin(), all_formats().end(), std::back_inserter(result),
               [](const FormatDescriptor* format) { return format->from_scene != nullptr; });
  return result;
}

const SceneWriter* find_writer(std::string_view target) {
  for (const FormatDescriptor* format : formats_of_scenes()) {
    if (scene_target(*format) == target) {
      return format->from_scene;
    }
  }
  return nullptr;
}

namespace {

/// Words with blanks between them.
void add_word(std::string& words, std::string_view word) {
  words += words.empty() ? "" : " ";
  words += word;
}

std::string targets_of(const FormatDescriptor& format) {
  std::string words;
  if (format.interchange) {
    for (const auto* scene_format : formats_of_scenes()) {
      add_word(words, scene_target(*scene_format));
    }
    return words;
  }
  if (!format.models.empty()) {
    words = "glb gltf";
  }
  for (const Conversion& conversion : format.conversions) {
    add_word(words, conversion.target);
  }
  return words;
}

}  // namespace

std::string_view Format::converts_to() const {
  static const std::map<const FormatDescriptor*, std::string> kTargets = [] {
    std::map<const FormatDescriptor*, std::string> targets;
    for (const auto* format : all_formats()) {
      targets.emplace(format, targets_of(*format));
    }
    return targets;
  }();
  const auto found = kTargets.find(descriptor_);
  return found == kTargets.end() ? std::string_view() : found->second;
}

Format find_format(std::string_view id) {
  const auto formats = known_formats();
  const auto found = std::find(formats.begin(), formats.end(), id);
  return found == formats.end() ? Format() : *found;
}

const FormatDescriptor& descriptor_of(const AnyDocument& document) {
  const auto takes = [&](const FormatDescriptor& format) {
    return format.document.take != nullptr && format.document.take(document);
  };
  const FormatDescriptor& stated = document.identity().format.descriptor();
  if (takes(stated)) {
    return stated;
  }
  const auto& all = all_formats();
  return **std::find_if(all.begin(), all.end(), [&](const auto* format) { return takes(*format); });
}

Bytes write_any(const AnyDocument& document) { return descriptor_of(document).document.write(document); }

Format format_of(const AnyDocument& document) { return Format(descriptor_of(document)); }

bool takes(Format format, const AnyDocument& document) {
  const auto take = format.descriptor().document.take;
  return take != nullptr && take(document);
}

Result<Bytes> write_as(const AnyDocument& document, Format format) {
  return takes(format, document) ? Result<Bytes>(format.descriptor().document.write(document))
                                 : fail(codes::kWriteUnsupported,
                                        "the document does not have the format " + std::string(format.id()));
}

bool has_fixes(Format format) { return format.descriptor().fix != nullptr; }

Fixed fix(const AnyDocument& document, const ValidateOptions& options,
          const std::vector<std::string_view>& codes, Diagnostics& findings) {
  const auto fix = descriptor_of(document).fix;
  const CodePageScope scope(document.code_page());
  Fixed fixed = fix == nullptr ? Fixed{document, {}} : fix(document, options, codes, findings);
  fixed.document.set_code_page(document.code_page());
  return fixed;
}

bool same_content(const AnyDocument& a, const AnyDocument& b) {
  // By bytes: to `==` not-a-number is unlike itself.
  const auto content = [](const AnyDocument& any) { return descriptor_of(any).document.content(any); };
  return a.same_type(b) && content(a) == content(b);
}

void inspect_any(const AnyDocument& document, Inspector& inspector) {
  const CodePageScope scope(document.code_page());
  descriptor_of(document).document.inspect(document, inspector);
}

Inspection inspection_of(const AnyDocument& document) {
  return [document](Inspector& inspector) { inspect_any(document, inspector); };
}

Facts summarize(const AnyDocument& document) {
  const FormatDescriptor& format = descriptor_of(document);
  const CodePageScope scope(document.code_page());
  return format.facts != nullptr ? format.facts(document) : Facts();
}

Diagnostics validate(const AnyDocument& document, const ValidateOptions& options) {
  const RuleBook* book = descriptor_of(document).rules;
  const CodePageScope scope(document.code_page());
  return book != nullptr ? book->run(document, options) : Diagnostics();
}

std::vector<RuleInfo> validation_rules() {
  std::vector<RuleInfo> infos;
  std::vector<const RuleBook*> seen;
  for (const auto* format : all_formats()) {
    if (format->rules != nullptr && std::find(seen.begin(), seen.end(), format->rules) == seen.end()) {
      seen.push_back(format->rules);
      format->rules->add_infos(infos);
    }
  }
  return infos;
}

std::optional<RuleInfo> find_rule(std::string_view code) {
  for (const auto& rule : validation_rules()) {
    if (rule.code == code) {
      return rule;
    }
  }
  return std::nullopt;
}

}  // namespace thaw
