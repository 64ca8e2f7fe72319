// Names of animations (mrn.md#file-names).
#include "formats/forgelight/mrn/edit.hpp"

#include <thaw/mrn.hpp>

#include "formats/edit_steps.hpp"
#include "formats/forgelight/mrn/names.hpp"

#include <algorithm>

namespace thaw::mrn {
namespace {

/// With the CRCs that it had.
FileNames laid_out(const std::vector<AnimationName>& list, const FileNames& before) {
  FileNames names = make_file_names(list);
  std::copy_n(before.crcs.begin(), std::min(before.crcs.size(), names.crcs.size()), names.crcs.begin());
  return names;
}

}  // namespace

Result<void> rename_animations(Document& document, std::string_view pattern, std::string_view name,
                               EditLog& log) {
  FileNames* names = names_of(document);
  if (names == nullptr) {
    return fail(codes::kEditRefused,
                "the network has no table of animation names, so its animations cannot be renamed");
  }
  std::vector<AnimationName> list = listed(*names);
  return reported_if_nothing(log, "animation " + std::string(pattern), [&]() -> Result<void> {
    const std::size_t before = log.changes.size();
    const auto all = animations(document);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::size_t entry = name_entry(*names, document.packets[all[i].packet], i);
      const auto now = entry < list.size()
                           ? changed_text(all[i].name, pattern, name,
                                          "packets[" + std::to_string(all[i].packet) + "].take", log)
                           : std::nullopt;
      if (now) {
        std::string& file = list[entry].file;
        const std::size_t dot = std::min(file.rfind('.'), file.size());
        file = file.substr(0, dot) == all[i].name ? *now + file.substr(dot) : file;
        list[entry].take = *now;
      }
    }
    if (log.changes.size() > before) {
      if (laid_out(listed(*names), *names) != *names) {
        log.findings.add(codes::kEditInexact, "unknown padding of the name table removed");
      }
      *names = laid_out(list, *names);
      lay_out(document);
    }
    return {};
  });
}

Result<Edited> edit(const AnyDocument& any, const ModelEdits& edits, Diagnostics& findings) {
  return edited_copy<Document, read>(any, findings, [&](Document& document, EditLog& log) {
    return for_each_name(edits.sequence_names, rename_animations, document, log);
  });
}

}  // namespace thaw::mrn
