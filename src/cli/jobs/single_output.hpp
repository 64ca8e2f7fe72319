// Commands that make one file of what they read: `build`, `set`, `merge`.
#pragma once

#include "cli/jobs/engine.hpp"

#include <functional>
#include <string_view>
#include <vector>

namespace thaw::cli {

/// The text of a file, whatever it is.
Result<std::string> load_text(const std::string& name, const Settings& settings);

/// The report of a file that is made.
struct OutputReport {
  Diagnostics& findings;               ///< of the inputs
  Diagnostics result = Diagnostics();  ///< of what was made, if it was
  std::string facts = {};              ///< for people: "2 conflicts"
};

/// A finding of what is made, which is in no file yet: it states no offset.
Diagnostic in_what_is_written(const Diagnostic& finding);

/// The bytes that are written.
using MakeFile = std::function<Result<Bytes>(OutputReport& file)>;

/// A document as --output says by its name, unless the input is called so, too. The error is
/// write.unsupported: it would be taken for a file of another format.
Result<Bytes> write_as_named(const AnyDocument& document, const Settings& settings);

/// Writes to --output what `make` gives; with `in_place` that may be one of the inputs.
Exit make_file(const Settings& settings, std::string_view command, std::string_view done, const JobKind& kind,
               const std::vector<std::string>& inputs, bool in_place, const MakeFile& make);

}  // namespace thaw::cli
