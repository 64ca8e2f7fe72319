// Edits of any document: by the path of a field, from a dump, by patch and by merge; edits of models.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/codes.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/format.hpp>
#include <thaw/inspect.hpp>
#include <thaw/options.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)

namespace thaw {

/// `dump_json` of a document with, as its last member `$layout`, what a file needs besides its fields: the
/// types of all, and how tags, sizes and counts follow from the rest. The way back is `build_any`.
std::string dump_any(const AnyDocument& document);
/// The same text in pieces. False if the sink ended it or `control` was stopped. What of a text was not
/// understood when it was read (`mdl.unknown` in `reading`) is not in the document: the dump says so, and
/// building it reports it.
bool dump_any(const AnyDocument& document, const TextSink& sink, const Control* control = nullptr,
              const Diagnostics& reading = Diagnostics::discarded());
/// The same of what is not held as a document: of a file with these bytes, by the word of its format.
/// `$layout` is its first member, so that a file can be built as the text comes.
bool dump_any(const Inspection& inspection, const Storage& bytes, std::string_view format,
              const TextSink& sink, const Control* control = nullptr);

/// The document whose dump this is: build_any(dump_any(x)) is x, to the last bit. Values may have been
/// changed, items of lists added and removed: sizes and counts follow. Also an object with the dump as its
/// `document`. Errors begin with line and column and have the field's path; what the result would not hold
/// when it is read again is one. Memory is bounded by the text.
Result<AnyDocument> build_any(std::string_view json, const ReadOptions& options = {},
                              Diagnostics& diagnostics = Diagnostics::discarded());

/// A document that is edited field by field. Paths are those of diagnostics and of `diff`:
/// `SEQS[Stand].name`, `MTLS[*].layers[0].flags`, `BONE[2].node.tracks[KGTR].keys[0]`; chunks go by their
/// tag, items by number, tag or name, `[*]` is all of them and `[+]` the position after the last. Values are
/// JSON as in a dump; of texts the quotes may be left out. Whether the values fit their fields is found out
/// by `document()`, which also settles sizes, counts and offsets: where a part became longer or shorter, the
/// others move, and what the format's description says to follow from that follows.
class Editor {
 public:
  /// Of a document as it is. The document is dumped once.
  explicit Editor(const AnyDocument& document);
  Editor(const Editor&) = delete;
  /// Takes the edits over; what is left can only be assigned to.
  Editor(Editor&&) noexcept;
  Editor& operator=(const Editor&) = delete;
  /// As the move constructor.
  Editor& operator=(Editor&&) noexcept;
  ~Editor();

  /// Also takes items as another document of the format has them, for lists that have none here.
  Result<void> learn(const AnyDocument& other);

  /// One place of a document.
  struct Field {
    std::string path;
    std::string value;  ///< JSON
  };
  /// What stands at a path.
  Result<std::vector<Field>> get(std::string_view path);

  /// Puts a value in place of what stands at each place of the path.
  Result<void> set(std::string_view path, std::string_view value);
  /// Calculates with the number at each place: `word` is one of | & ^ + - *.
  Result<void> calculate(std::string_view path, char word, std::string_view number);
  /// Inserts an item before the one at this path, or after the last.
  Result<void> add(std::string_view path, std::string_view value);
  /// Takes the members or items at a path away.
  Result<void> remove(std::string_view path);
  /// Adds a copy of what stands at one path at another.
  Result<void> copy(std::string_view from, std::string_view to);
  /// The same, and removes it where it was.
  Result<void> move(std::string_view from, std::string_view to);
  /// An edit as one text: `PATH=VALUE`, `PATH|=NUMBER` (& ^ + - * alike), `add PATH VALUE`, `remove PATH`,
  /// `copy FROM TO`, `move FROM TO`.
  Result<void> edit(std::string_view text);
  /// Applies a JSON Patch (RFC 6902) to the dump, all or nothing.
  Result<void> patch(std::string_view json);

  /// How many edits can be undone.
  [[nodiscard]] std::size_t edits() const;
  /// Takes the last edit back; false if there is none.
  bool undo();

  /// The dump with all edits.
  [[nodiscard]] std::string json() const;
  /// The document with all edits, or why there is none.
  Result<AnyDocument> document(const ReadOptions& options = {},
                               Diagnostics& diagnostics = Diagnostics::discarded()) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The JSON Patch that makes the dump of `right` of that of `left`: `Editor(left).patch(…)` gives `right` to
/// the last bit.
std::string diff_patch(const AnyDocument& left, const AnyDocument& right);

/// What became of two people's edits of one file.
struct Merged {
  std::optional<AnyDocument> document;  ///< none where nothing could be built
  std::vector<Diagnostic> conflicts;    ///< paths that both changed; `ours` stands there
};
/// Joins the edits of both sides, field by field. An error says why the files have nothing in common.
Result<Merged> merge_documents(const AnyDocument& base, const AnyDocument& ours, const AnyDocument& theirs);

/// A field that can be set.
struct SettableField {
  std::string path;   ///< of its kind: `SEQS[*].name`
  std::string type;   ///< "u32", "f32x3", "text 80"
  std::string range;  ///< "0 to 4294967295"; empty where there is none
  std::string value;  ///< of the first that the document has
};
/// The fields that a document has, one line for each kind.
std::vector<SettableField> settable_fields(const AnyDocument& document);

// --- edits of models of any format: changes, placement, patterns of names

/// One thing that an edit changed.
struct EditChange {
  std::string path;     ///< where, by the numbers that things had
  std::string message;  ///< for people: "Attack → Attack - 1"
};

/// What edits did, and what they could not do.
struct EditLog {
  std::vector<EditChange> changes;
  Diagnostics& findings;
};

/// Where all of a model goes: turned about the origin, then scaled, then moved, in the game's axes and units.
struct Placement {
  std::array<double, 4> turn{0, 0, 0, 1};  ///< unit quaternion, x y z w
  double scale = 1;                        ///< above 0
  std::array<double, 3> move{};
};

/// A name by a pattern in which `*` is any number of characters and case does not matter; stars of the
/// replacement stand for what those of the pattern met, in their order. In paths `/` and `\` are the same.
/// None where the pattern does not meet the whole text.
std::optional<std::string> renamed(std::string_view text, std::string_view pattern,
                                   std::string_view replacement);

/// Sequences out of another model.
struct ClipsToCopy {
  const AnyDocument* from = nullptr;
  std::string pattern;  ///< of their names
};

/// A model that becomes a part of another, at a node by name.
struct ModelToAttach {
  const AnyDocument* model = nullptr;
  std::string node;
};

/// The requests for models, in the order in which they are done. What a format has no use for does nothing.
struct ModelEdits {
  using Names = std::vector<std::pair<std::string, std::string>>;  ///< pattern and replacement

  std::vector<std::string> removals;
  Names sequence_names;
  Names paths;
  std::vector<ClipsToCopy> clips;
  Names bones;  ///< of the other model and of this one
  std::vector<std::string> attachments;
  std::vector<ModelToAttach> models;
  std::vector<std::string> team_colors;  ///< materials
  std::optional<Placement> placement;
  bool optimize = false;
};

/// A document after edits, and what they did.
struct Edited {
  AnyDocument document;
  std::vector<EditChange> changes;
};

/// Whether documents of a format can be edited so.
bool has_edits(Format format);

/// Edits a model. Edits that change nothing are findings (edit.nothing). Errors: format.unsupported for
/// formats without edits, those of the edits, and of models with damaged parts, which may refer to anything.
Result<Edited> edit_model(const AnyDocument& document, const ModelEdits& edits,
                          Diagnostics& diagnostics = Diagnostics::discarded());

/// The portrait of a model of Warcraft III, as mdx::make_portrait. Errors as edit_model.
Result<Edited> portrait_of(const AnyDocument& document, Diagnostics& diagnostics = Diagnostics::discarded());

}  // namespace thaw

#pragma GCC visibility pop
