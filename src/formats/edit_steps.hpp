// Steps shared by the edits of all formats.
#pragma once

#include <thaw/codes.hpp>

#include <thaw/edit.hpp>

namespace thaw {

/// "edit.nothing"
void report_nothing(EditLog& log, std::string_view what);

/// A text by a pattern (see `renamed`), with its change in the log; none if it stays.
std::optional<std::string> changed_text(std::string_view text, std::string_view pattern,
                                        std::string_view replacement, std::string path, EditLog& log);

/// An edit for each pair of names, up to the first that fails.
template <class Document>
Result<void> for_each_name(const ModelEdits::Names& names,
                           Result<void> (*change)(Document&, std::string_view, std::string_view, EditLog&),
                           Document& document, EditLog& log) {
  for (const auto& [pattern, name] : names) {
    if (auto done = change(document, pattern, name, log); !done) {
      return done;
    }
  }
  return {};
}

/// The same where finding nothing is reported: `change` only looks and changes.
template <class Change>
Result<void> reported_if_nothing(EditLog& log, std::string_view what, const Change& change) {
  const std::size_t before = log.changes.size();
  Result<void> done = change();
  if (done && log.changes.size() == before) {
    report_nothing(log, what);
  }
  return done;
}

/// A changed copy of a document. One with damaged parts is refused: they may refer to anything.
template <class Document, Result<Document> (*kRead)(ByteView, const ReadOptions&, Diagnostics&), class Change>
Result<Edited> edited_copy(const AnyDocument& any, Diagnostics& findings, const Change& change) {
  ReadOptions strict;
  strict.strict = true;
  Document document = *any.get_if<Document>();
  if (!kRead(write(document), strict, Diagnostics::discarded())) {
    return fail(codes::kEditRefused, "a part of the file cannot be read; `thaw validate` names it");
  }
  EditLog log{{}, findings};
  if (Result<void> done = change(document, log); !done) {
    return tl::unexpected<Error>(std::move(done.error()));
  }
  return Edited{AnyDocument(any.identity(), std::move(document)), std::move(log.changes)};
}

}  // namespace thaw
