// A page that shows many thumbnails with what is known of each model.
#pragma once

#include <filesystem>
#include <thaw/value.hpp>

#include <cstdint>
#include <span>
#include <string>

namespace thaw::cli {

struct SheetEntry {
  std::string name;        ///< UTF-8; empty entries are left out
  std::string picture;     ///< path from the page; empty if there is none
  std::string failure;     ///< why there is none
  Value facts;             ///< null if they are in `facts_json`
  std::string facts_json;  ///< as they stood in a picture that was there already
};

/// One HTML file without anything from elsewhere: a grid, a search field, sorting, facts of each picture.
std::string contact_sheet(std::span<const SheetEntry> entries, std::uint32_t size);

/// Is this file a page that contact_sheet made?
bool is_contact_sheet(const std::filesystem::path& path);

}  // namespace thaw::cli
