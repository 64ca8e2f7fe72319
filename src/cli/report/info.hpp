// Report of `thaw info` on one file, for people and for machines.
#pragma once

#include "cli/inputs/inputs.hpp"
#include "cli/report/report.hpp"

#include <string>
#include <vector>

namespace thaw::cli {

/// What became of one texture of a model.
struct TextureState {
  bool found = false;
  std::string where;
};

/// The report of one file.
struct Subject {
  const Input& input;
  std::uint64_t size;
  Identity identity;
  Facts facts;
  std::vector<TextureState> textures;
  const Diagnostics& findings;
  const Archive* archive = nullptr;  ///< of an archive
};

/// Some lines; problems of severity info only with -v.
std::string info_text(const Subject& subject, const Settings& settings, bool color);

Value info_json(const Subject& subject);

}  // namespace thaw::cli
