#include "formats/warcraft/mdx/edit/edits.hpp"

#include "formats/edit_steps.hpp"

#include <thaw/mdx.hpp>

#include <functional>

namespace thaw::mdx {
namespace {

using ByWords = Result<void> (*)(Document&, std::string_view, EditLog&);

Result<void> all_of(const std::vector<std::string>& words, ByWords change, Document& document, EditLog& log) {
  for (const std::string& word : words) {
    if (auto done = change(document, word, log); !done) {
      return done;
    }
  }
  return {};
}

Result<void> optimize_in_place(Document& document, EditLog& log) {
  return optimize(document, {}, log.findings).map([&](OptimizeResult&& result) {
    log.changes.push_back({"", std::to_string(result.bytes_before) + " bytes optimised to " +
                                   std::to_string(result.bytes_after)});
    document = std::move(result.document);
  });
}

Result<void> copy_all_clips(Document& document, const ModelEdits& edits, EditLog& log) {
  for (const ClipsToCopy& clips : edits.clips) {
    const auto* other = clips.from->get_if<Document>();
    Result<void> done = other == nullptr ? fail(codes::kEditRefused,
                                                "--copy-clips accepts only Warcraft III models as a source")
                                         : copy_clips(document, *other, clips.pattern, edits.bones, log);
    if (!done) {
      return done;
    }
  }
  return {};
}

Result<void> attach_all(Document& document, const ModelEdits& edits, EditLog& log) {
  for (const ModelToAttach& part : edits.models) {
    const auto* model = part.model->get_if<Document>();
    Result<void> done = model == nullptr
                            ? fail(codes::kEditRefused, "--attach accepts Warcraft III models only")
                            : attach_model(document, *model, part.node, log);
    if (!done) {
      return done;
    }
  }
  return {};
}

Result<void> carry_out(Document& document, const ModelEdits& edits, EditLog& log) {
  return all_of(edits.removals, remove_things, document, log)
      .and_then([&] { return for_each_name(edits.sequence_names, rename_sequences, document, log); })
      .and_then([&] { return for_each_name(edits.paths, repath, document, log); })
      .and_then([&] { return copy_all_clips(document, edits, log); })
      .and_then([&] { return all_of(edits.attachments, add_attachment, document, log); })
      .and_then([&] { return attach_all(document, edits, log); })
      .and_then([&] { return all_of(edits.team_colors, add_team_color, document, log); })
      .and_then([&]() -> Result<void> {
        if (edits.placement) {
          place(document, *edits.placement, log);
        }
        return edits.optimize ? optimize_in_place(document, log) : Result<void>();
      });
}

Result<Edited> changed(const AnyDocument& any, Diagnostics& findings,
                       const std::function<Result<void>(Document& document, EditLog& log)>& change) {
  Document document = *any.get_if<Document>();
  EditLog log{{}, findings};
  const auto before = write_verified(document);
  if (!before || !before->strict) {
    return fail(codes::kEditRefused,
                "the model was not changed: a part of it cannot be read; `thaw validate` names it");
  }
  if (auto done = change(document, log); !done) {
    return tl::unexpected<Error>(std::move(done.error()));
  }
  return write_verified(document).map([&](const Verified&) {
    return Edited{AnyDocument(any.identity(), std::move(document)), std::move(log.changes)};
  });
}

}  // namespace

Result<Edited> edit(const AnyDocument& any, const ModelEdits& edits, Diagnostics& findings) {
  return changed(any, findings,
                 [&](Document& document, EditLog& log) { return carry_out(document, edits, log); });
}

Result<Edited> portrait(const AnyDocument& any, const ModelEdits& /*edits*/, Diagnostics& findings) {
  return any.get_if<Document>() == nullptr
             ? fail(codes::kFormatUnsupported, "only Warcraft III models can have portraits")
             : changed(any, findings, make_portrait);
}

}  // namespace thaw::mdx
