// Paths in tables of texts, to which others refer by offset (wmo.md#texts).
#include "formats/wow/wmo/edit.hpp"

#include <thaw/wmo.hpp>

#include "formats/edit_steps.hpp"

#include <algorithm>

namespace thaw::wmo {
namespace {

constexpr std::uint64_t kMostOfDoodads = 0xFFFFFF;  // 24 bits

/// A table of texts while they change length. What follows a text, its NUL and fill, stays as it is.
class TextTable {
 public:
  explicit TextTable(const Array<char>& text) {
    for (std::size_t at = 0; at < text.size();) {
      const auto from = text.begin() + static_cast<std::ptrdiff_t>(at);
      const auto end = std::find(from, text.end(), '\0');
      const auto next = std::find_if(end, text.end(), [](char c) { return c != '\0'; });
      Entry entry{at, std::string(from, end), 0, {}, 0};
      entry.fill = entry.new_fill = static_cast<std::size_t>(next - end);
      entry.now = entry.before;
      at = static_cast<std::size_t>(next - text.begin());
      aligned_ = aligned_ && (entry.before.empty() || entry.at % kAlignment == 0) && at % kAlignment == 0;
      entries_.push_back(std::move(entry));
    }
  }

  void change(std::string_view pattern, std::string_view path, const std::string& where, EditLog& log) {
    std::size_t number = 0;
    for (Entry& entry : entries_) {
      if (auto now = changed_text(entry.before, pattern, path,
                                  where + ".texts[" + std::to_string(number) + "]", log)) {
        entry.now = std::move(*now);
        entry.new_fill = fill_after(entry);
      }
      number += std::max<std::size_t>(1, entry.fill);  // each NUL ends a text
    }
  }

  [[nodiscard]] Array<char> text() const {
    Array<char> text;
    for (const Entry& entry : entries_) {
      text.insert(text.end(), entry.now.begin(), entry.now.end());
      text.insert(text.end(), entry.new_fill, '\0');
    }
    return text;
  }

  /// Where that begins now which began at an offset.
  [[nodiscard]] std::uint64_t moved(std::uint64_t offset) const {
    std::uint64_t at = 0;
    for (const Entry& entry : entries_) {
      const std::uint64_t within = offset - entry.at;
      if (offset >= entry.at && within < entry.before.size()) {
        return at + std::min<std::uint64_t>(within, entry.now.size());
      }
      if (offset >= entry.at && within < entry.before.size() + entry.fill) {
        const std::uint64_t after = within - entry.before.size();
        return at + entry.now.size() + std::min<std::uint64_t>(after, entry.new_fill - 1);
      }
      at += entry.now.size() + entry.new_fill;
    }
    return offset;
  }

 private:
  static constexpr std::size_t kAlignment = 4;
  struct Entry {
    std::size_t at = 0;
    std::string before;
    std::size_t fill = 0;  ///< NULs after it
    std::string now;
    std::size_t new_fill = 0;
  };

  static std::size_t aligned(std::size_t size) { return (size + kAlignment - 1) / kAlignment * kAlignment; }

  /// Some tables fill each text up to four bytes, with the same number of NULs after that.
  [[nodiscard]] std::size_t fill_after(const Entry& entry) const {
    if (!aligned_ || entry.fill == 0) {
      return entry.fill;
    }
    const std::size_t more = entry.before.size() + entry.fill - aligned(entry.before.size() + 1);
    return aligned(entry.now.size() + 1) + more - entry.now.size();
  }

  std::vector<Entry> entries_;
  bool aligned_ = true;
};

/// What refers to the texts of one table.
template <class Body, class Follow>
void follow_in(Document& document, const Follow& follow) {
  each_chunk(document.chunks, [&](Chunk& chunk) {
    if (auto* list = std::get_if<Body>(&chunk.body)) {
      for (auto& item : list->items) {
        follow(item);
      }
    }
  });
}

bool is_one_file(const Document& document) {
  return std::any_of(document.chunks.begin(), document.chunks.end(),
                     [](const Chunk& chunk) { return std::holds_alternative<Root>(chunk.body); });
}

Result<void> change_table(Document& document, Chunk& chunk, std::string_view pattern, std::string_view path,
                          EditLog& log) {
  auto& text = std::get<Strings>(chunk.body).text;
  TextTable table(text);
  const std::size_t before = log.changes.size();
  table.change(pattern, path, (is_one_file(document) ? "MOMO." : "") + chunk.tag.text(), log);
  if (log.changes.size() == before) {
    return {};
  }
  text = table.text();
  if (chunk.tag == FourCC{"MOTX"}) {
    follow_in<Materials>(document, [&](Material& material) {
      material.texture1 = static_cast<std::uint32_t>(table.moved(material.texture1));
      material.texture2 = static_cast<std::uint32_t>(table.moved(material.texture2));
    });
  } else if (chunk.tag == FourCC{"MODN"}) {
    if (text.size() > kMostOfDoodads) {
      return fail(codes::kEditRefused, "the doodad names would exceed 16 MiB, the limit of their offsets", {},
                  "MODN");
    }
    follow_in<Doodads>(document, [&](Doodad& doodad) {
      doodad.set_name_offset(static_cast<std::uint32_t>(table.moved(doodad.name_offset())));
    });
  }
  return {};
}

bool holds_paths(const Chunk& chunk) {
  const bool is_table =
      chunk.tag == FourCC{"MOTX"} || chunk.tag == FourCC{"MODN"} || chunk.tag == FourCC{"MOSB"};
  return is_table && std::holds_alternative<Strings>(chunk.body);
}

}  // namespace

void lay_out_groups(Document& document) {
  if (is_one_file(document)) {
    lay_out(document);
  }
}

Result<void> repath(Document& document, std::string_view pattern, std::string_view path, EditLog& log) {
  const std::size_t before = log.changes.size();
  auto done = reported_if_nothing(log, "path " + std::string(pattern), [&] {
    Result<void> changed;
    each_chunk(document.chunks, [&](Chunk& chunk) {
      if (changed && holds_paths(chunk)) {
        changed = change_table(document, chunk, pattern, path, log);
      }
    });
    return changed;
  });
  if (done && log.changes.size() > before) {
    lay_out_groups(document);
  }
  return done;
}

Result<Edited> edit(const AnyDocument& any, const ModelEdits& edits, Diagnostics& findings) {
  return edited_copy<Document, read>(any, findings, [&](Document& document, EditLog& log) {
    return for_each_name(edits.paths, repath, document, log).and_then([&]() -> Result<void> {
      return edits.placement ? place(document, *edits.placement, log) : Result<void>();
    });
  });
}

}  // namespace thaw::wmo
