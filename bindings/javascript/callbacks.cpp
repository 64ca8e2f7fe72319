// Functions of JavaScript as callbacks of <thaw.h>: WebAssembly has no pointers to them, so `user` is the
// number by which JavaScript knows its own.
#include <thaw.h>

#include <cstdlib>
#include <cstring>

#define THAW_FROM_JAVASCRIPT(name) __attribute__((import_module("thaw"), import_name(name)))

extern "C" {

THAW_FROM_JAVASCRIPT("progress")
int thaw_js_progress(void* user, const char* stage, double done, double total);
/// Gives memory of malloc, or NULL.
THAW_FROM_JAVASCRIPT("read")
void* thaw_js_read(void* user, const char* name, size_t* size);
/// Gives memory of malloc: names with a NUL behind each and one more at the end.
THAW_FROM_JAVASCRIPT("list")
char* thaw_js_list(void* user, const char* folder);

__attribute__((export_name("thaw_js_control"))) thaw_control* thaw_js_control(void* user,
                                                                              thaw_error** error) {
  const auto hear = [](void* number, const char* stage, uint64_t done, uint64_t total) {
    return thaw_js_progress(number, stage, static_cast<double>(done), static_cast<double>(total));
  };
  return thaw_control_new(hear, user, error);
}

__attribute__((export_name("thaw_js_source"))) int thaw_js_source(thaw_sources* sources, void* user,
                                                                  thaw_error** error) {
  thaw_source source{};
  source.size = sizeof(source);
  source.user = user;
  source.read = [](void* number, const char* name, size_t* size) -> const void* {
    return thaw_js_read(number, name, size);
  };
  source.release = [](void* /*number*/, const void* data, size_t /*size*/) {
    std::free(const_cast<void*>(data));
  };
  source.list = [](void* number, const char* folder, thaw_take_name take, void* context) {
    char* names = thaw_js_list(number, folder);
    for (const char* name = names; *name != '\0'; name += std::strlen(name) + 1) {
      take(context, name);
    }
    std::free(names);
  };
  return thaw_sources_add_callbacks(sources, &source, error);
}

}  // extern "C"
