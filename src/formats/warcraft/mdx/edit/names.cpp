// Names of sequences, and paths.
#include "formats/warcraft/mdx/edit/parts.hpp"

namespace thaw::mdx {
namespace {

template <std::size_t N>
Result<bool> rename(FixedText<N>& text, std::string_view pattern, std::string_view name, std::string path,
                    EditLog& log) {
  const std::string before(text.view());
  const auto now = renamed(before, pattern, name);
  if (!now || before.empty()) {
    return false;
  }
  if (now->size() >= N) {
    return fail(codes::kEditRefused, "\"" + *now + "\" has more than the " + std::to_string(N - 1) +
                                         " bytes that there is room for");
  }
  text.assign(*now);
  log.changes.push_back({std::move(path), before + " → " + *now});
  return true;
}

}  // namespace

Result<void> rename_sequences(Document& document, std::string_view pattern, std::string_view name,
                              EditLog& log) {
  const std::size_t before = log.changes.size();
  std::optional<Error> error;
  each<Sequences>(document, [&](Sequence& sequence, std::size_t index) {
    auto done = error ? false : rename(sequence.name, pattern, name, place("SEQS", index) + ".name", log);
    if (!done) {
      error = std::move(done.error());
    }
  });
  if (log.changes.size() == before && !error) {
    report_nothing(log, "sequence " + std::string(pattern));
  }
  return error ? Result<void>(tl::unexpected<Error>(std::move(*error))) : Result<void>();
}

Result<void> repath(Document& document, std::string_view pattern, std::string_view path, EditLog& log) {
  const std::size_t before = log.changes.size();
  std::optional<Error> error;
  each_item(document, [&](auto& item, const std::string& where) {
    if constexpr (requires { item.path; }) {
      auto done = error ? false : rename(item.path, pattern, path, where + ".path", log);
      if (!done) {
        error = std::move(done.error());
      }
    }
  });
  if (log.changes.size() == before && !error) {
    report_nothing(log, "path " + std::string(pattern));
  }
  return error ? Result<void>(tl::unexpected<Error>(std::move(*error))) : Result<void>();
}

}  // namespace thaw::mdx
