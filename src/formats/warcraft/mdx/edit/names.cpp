// Names of sequences, and paths.
#include "bytes/code_page.hpp"
#include "formats/warcraft/mdx/edit/parts.hpp"

namespace thaw::mdx {
namespace {

template <std::size_t N>
Result<void> rename(FixedText<N>& text, std::string_view pattern, std::string_view name, std::string path,
                    EditLog& log) {
  // People say names in UTF-8; the file keeps its code page.
  const CodePage page = current_code_page();
  auto now = changed_text(page > CodePage::utf8 ? to_utf8(text.view(), page) : std::string(text.view()),
                          pattern, name, std::move(path), log);
  now = now ? from_utf8(*now, page).value_or(*now) : now;
  if (now && now->size() >= N) {
    return fail(codes::kEditRefused,
                "\"" + *now + "\" exceeds the " + std::to_string(N - 1) + " bytes of its field");
  }
  if (now) {
    text.assign(*now);
  }
  return {};
}

}  // namespace

Result<void> rename_sequences(Document& document, std::string_view pattern, std::string_view name,
                              EditLog& log) {
  return reported_if_nothing(log, "sequence " + std::string(pattern), [&] {
    Result<void> done;
    each_of<Sequences>(document, [&](Sequence& sequence, std::size_t /*index*/, const std::string& path) {
      done = done ? rename(sequence.name, pattern, name, path + ".name", log) : done;
    });
    return done;
  });
}

Result<void> repath(Document& document, std::string_view pattern, std::string_view path, EditLog& log) {
  return reported_if_nothing(log, "path " + std::string(pattern), [&] {
    Result<void> done;
    if (auto* model = document.find<Model>()) {
      done = rename(model->animation_file, pattern, path, "MODL.animationFileName", log);
    }
    each_item(document, [&](auto& item, const std::string& where) {
      if constexpr (requires { item.path; }) {
        done = done ? rename(item.path, pattern, path, where + ".path", log) : done;
      }
    });
    return done;
  });
}

}  // namespace thaw::mdx
