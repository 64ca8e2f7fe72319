#include "cli/platform/file_manager.hpp"

#include "cli/platform/process.hpp"
#include "cli/platform/windows/explorer/class_id.hpp"
#include "cli/platform/windows/wide.hpp"

#include <windows.h>

#include <shlobj.h>

#include <array>
#include <optional>
#include <system_error>

namespace thaw::cli {
namespace {

/// What `thumb` draws and no other program's name is.
constexpr std::array kEndings = {L".mdx", L".mdl", L".mrf", L".m3", L".wmo", L".dme", L".adr"};

std::wstring class_key() { return std::wstring(L"Software\\Classes\\CLSID\\") + explorer::kClass; }
std::wstring handlers_of(const wchar_t* ending) {
  return std::wstring(L"Software\\Classes\\") + ending + L"\\ShellEx";
}
std::wstring handler_of(const wchar_t* ending) {
  return handlers_of(ending) + L'\\' + explorer::kThumbnailHandler;
}

/// The default value of a key of this user, or else of all users.
std::optional<std::wstring> value_of(HKEY root, const std::wstring& key) {
  std::array<wchar_t, 128> text{};
  DWORD size = sizeof(text);
  if (::RegGetValueW(root, key.c_str(), nullptr, RRF_RT_REG_SZ, nullptr, text.data(), &size) !=
      ERROR_SUCCESS) {
    return std::nullopt;
  }
  return text.data();
}

/// The handler of an ending, if it is another program's.
bool has_other_handler(const wchar_t* ending) {
  for (HKEY root : {HKEY_CURRENT_USER, HKEY_LOCAL_MACHINE}) {
    if (const auto handler = value_of(root, handler_of(ending))) {
      return *handler != explorer::kClass;
    }
  }
  return false;
}

Result<void> check(LSTATUS status, const std::wstring& key) {
  if (status == ERROR_SUCCESS) {
    return {};
  }
  return fail(codes::kWriteFailed,
              "HKEY_CURRENT_USER\\" + from_wide(key) + ": " + std::system_category().message(status));
}

Result<void> set_text(const std::wstring& key, const wchar_t* name, const std::wstring& text) {
  const auto size = static_cast<DWORD>((text.size() + 1) * sizeof(wchar_t));
  return check(::RegSetKeyValueW(HKEY_CURRENT_USER, key.c_str(), name, REG_SZ, text.c_str(), size), key);
}

/// The library is loaded by Explorer itself, which gives names of files to no other: it starts a process of
/// its own.
Result<void> enter_class(const std::filesystem::path& library) {
  const std::wstring server = class_key() + L"\\InprocServer32";
  constexpr DWORD kOn = 1;
  return set_text(class_key(), nullptr, L"thaw: thumbnails of models")
      .and_then([&] {
        return check(::RegSetKeyValueW(HKEY_CURRENT_USER, class_key().c_str(), L"DisableProcessIsolation",
                                       REG_DWORD, &kOn, sizeof(kOn)),
                     class_key());
      })
      .and_then([&] { return set_text(server, nullptr, library.native()); })
      .and_then([&] { return set_text(server, L"ThreadingModel", L"Apartment"); });
}

void remove_if_empty(const std::wstring& key) {
  HKEY opened = nullptr;
  if (::RegOpenKeyExW(HKEY_CURRENT_USER, key.c_str(), 0, KEY_READ, &opened) != ERROR_SUCCESS) {
    return;
  }
  DWORD keys = 1;
  DWORD values = 1;
  ::RegQueryInfoKeyW(opened, nullptr, nullptr, nullptr, &keys, nullptr, nullptr, &values, nullptr, nullptr,
                     nullptr, nullptr);
  ::RegCloseKey(opened);
  if (keys == 0 && values == 0) {
    ::RegDeleteKeyW(HKEY_CURRENT_USER, key.c_str());
  }
}

/// Explorer looks at handlers anew.
void notify_explorer() { ::SHChangeNotify(SHCNE_ASSOCCHANGED, SHCNF_IDLIST, nullptr, nullptr); }

}  // namespace

Result<std::vector<std::string>> register_thumbnailer() {
  const auto library = command_path().parent_path() / L"thaw-thumbs.dll";
  std::error_code error;
  if (!std::filesystem::is_regular_file(library, error)) {
    return fail(codes::kInputUnreadable,
                library.generic_string() + " is missing; it belongs next to thaw.exe");
  }
  if (auto entered = enter_class(library); !entered) {
    return tl::unexpected<Error>(std::move(entered.error()));
  }
  std::vector<std::string> lines;
  for (const auto* ending : kEndings) {
    if (has_other_handler(ending)) {
      lines.push_back(from_wide(ending) + "  left unchanged: another program provides its thumbnails");
      continue;
    }
    if (auto entered = set_text(handler_of(ending), nullptr, explorer::kClass); !entered) {
      return tl::unexpected<Error>(std::move(entered.error()));
    }
    lines.push_back(from_wide(ending) + "  has thumbnails in Explorer");
  }
  notify_explorer();
  return lines;
}

Result<std::vector<std::string>> unregister_thumbnailer() {
  std::vector<std::string> lines;
  for (const auto* ending : kEndings) {
    if (value_of(HKEY_CURRENT_USER, handler_of(ending)) == explorer::kClass) {
      ::RegDeleteKeyW(HKEY_CURRENT_USER, handler_of(ending).c_str());
      remove_if_empty(handlers_of(ending));
      remove_if_empty(std::wstring(L"Software\\Classes\\") + ending);
      lines.push_back(from_wide(ending) + "  no longer has thumbnails");
    }
  }
  const LSTATUS removed = ::RegDeleteTreeW(HKEY_CURRENT_USER, class_key().c_str());
  if (removed != ERROR_FILE_NOT_FOUND) {
    if (auto done = check(removed, class_key()); !done) {
      return tl::unexpected<Error>(std::move(done.error()));
    }
  }
  notify_explorer();
  return lines;
}

}  // namespace thaw::cli
