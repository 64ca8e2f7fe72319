// Findings for people and for machines.
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/format.hpp>
#include <thaw/value.hpp>

#include "cli/arguments/settings.hpp"

namespace thaw::cli {

/// `file:0xOFFSET: severity CODE: text [path]`, with a line end.
std::string finding_line(std::string_view input, const Diagnostic& finding, bool color);

/// What a user can do about an error, as a line of its own; empty if there is nothing to say.
std::string hint_line(const Diagnostic& error, const Settings& settings);

/// What was requested of a command, so that -q leaves it: no fault of a file.
bool is_answer(const Diagnostic& finding);
/// A part of a text that is unknown: what its writer meant is not in what is made of the file.
bool is_not_understood(const Diagnostic& finding);
/// Of what was found in an input, what an output made of it lacks.
void add_not_understood(const Diagnostics& found, Diagnostics& findings);
/// kDifferent where something was not understood, else kOk.
Exit exit_of(const Diagnostics& findings);

/// The lines for stderr of a file that was read: findings from severity `error` and what was not understood,
/// with -v all of them, with -q none.
std::string finding_lines(std::string_view input, const Diagnostics& findings, const Settings& settings,
                          bool color);

/// Exit code for a file that failed with this error.
Exit exit_of(const Error& error);

/// The report of a file that failed, for people: the error, and what was found before as for finding_lines.
std::string failure_lines(std::string_view input, const Diagnostics& findings, const Error& error,
                          const Settings& settings);

/// Reports a file without which a command cannot begin, a list of inputs or a part of a survey.
Exit fail_with(const std::string& input, const Error& error);
/// Reports an error that leaves a command on one file with nothing to do, with --json on stdout as well; for
/// the command to return.
Exit fail_with(std::string_view command, const Settings& settings, const Error& error);

/// An error of another file than the reported one: its name and offset stand in the message.
Error error_in(std::string_view other, Error error);

/// A finding as an object: code, severity, offset, path and message.
Value finding_json(const Diagnostic& finding);

/// A number of things or bytes.
inline Value count_value(std::uint64_t count) { return static_cast<std::int64_t>(count); }

/// The members that every JSON object has, up to and with `diagnostics`; see docs/library/json.md. `identity`
/// is null where the content was never seen.
Value envelope(std::string_view command, std::string_view input, const Identity* identity,
               const Diagnostics& findings, const Error* error);
/// The same for the object that ends a batch.
Value summary_envelope(std::string_view command, bool ok);

/// One line of JSON.
std::string json_line(const Value& value);

}  // namespace thaw::cli
