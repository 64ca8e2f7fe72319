#!/usr/bin/env python3
"""What the objects outside src/cli/platform ask of others is C, C++, POSIX that macOS has too, or a library that is named.

A call that only Linux has shows as an undefined symbol that no list here knows."""
import os
import re
import subprocess
import sys
from pathlib import Path

BUILD = Path(os.environ["THAW_BUILD"])

# ISO C.
C = set("""
abort atoi calloc fclose ferror fflush floor floorf fmod fmodf fopen fread free fseek ftell fwrite fputs fputc getenv isspace llround
log log2 log10 lround lroundf longjmp _setjmp setjmp malloc memchr memcmp memcpy memmove memset nextafter nextafterf pow powf printf
realloc remove round roundf setvbuf snprintf sqrt sqrtf stderr stdin stdout strchr strcmp strlen strncmp strtod strtof strtol strtold
strtoll strtoul strtoull vsnprintf sin sinf cos cosf tan tanf asin asinf acos acosf atan atan2 atan2f atanf exp expf exp2 exp2f ldexp
ldexpf frexp frexpf modf modff ceil ceilf trunc truncf cbrt cbrtf hypot hypotf fabs fabsf lrint lrintf nearbyint time qsort
""".split())
# POSIX, as macOS has it.
POSIX = set("nanosleep pthread_create pthread_join pthread_mutex_lock pthread_mutex_trylock pthread_mutex_unlock pthread_once pthread_cond_wait "
            "pthread_cond_signal pthread_cond_broadcast sched_yield iconv iconv_open iconv_close".split())
# What compilers and their libraries put there for standard C++; other compilers have others.
COMPILER = re.compile(r"_Z|__cxa_|_Unwind_|__gxx_personality_v0$|__dynamic_cast$|__dso_handle$|_GLOBAL_OFFSET_TABLE_$|__popcount|"
                      r"__tls_get_addr$|__stack_chk_|__\w+_chk$|__isoc99_|__isoc23_|__libc_single_threaded$|__errno_location$|"
                      r"pthread_cond_clockwait$|__sigsetjmp$|__longjmp_chk$|__once_proxy$|__(u?div|u?mod)ti3$")
LIBRARIES = re.compile(r"(BZ2_|jpeg_|libdeflate_|lzma_|spng_|stb_|WebP|inflate|deflate|crc32|adler32)")
# Behind an #ifdef for its own header's macro, with a way that all systems have.
BEHIND_IFDEF = {"renameat2": "src/sources/file.cpp, where fcntl.h has RENAME_NOREPLACE",
                **{name: "src/sources/file.cpp, THAW_POSIX_FILES: reading at a place, who a file is, one writer at a time"
                   for name in ("open", "close", "pread", "stat", "flock", "fileno")},
                "fseeko": "src/sources/file.cpp, where it is not _fseeki64",
                "malloc_trim": "src/bytes/freed.cpp, where the allocator is that of glibc; elsewhere nothing is to do"}


def objects() -> list[Path]:
    rooms = [BUILD / f"src/CMakeFiles/{target}.dir" for target in ("thaw_objects", "thaw_fast", "thaw_cli")]
    found = [path for room in rooms for path in sorted(room.rglob("*.o"))]
    outside = [path for path in found if not re.search(r"platform[_/]posix", str(path))]
    if len(outside) < 20 or len(outside) == len(found):
        sys.exit(f"{len(outside)} of {len(found)} objects in {BUILD}: that is not the command")
    return outside


def undefined(path: Path) -> set[str]:
    lines = subprocess.run(["nm", "-u", "--format=posix", path], check=True, capture_output=True, text=True).stdout
    return {line.split()[0] for line in lines.splitlines() if line.strip() and not line.endswith(":")}


def is_known(name: str) -> bool:
    return name in C or name in POSIX or name in BEHIND_IFDEF or bool(COMPILER.match(name) or LIBRARIES.match(name))


def main() -> None:
    # The test sees what it is for.
    for alien in ("epoll_wait", "accept4", "memfd_create", "secure_getenv", "program_invocation_name", "poll", "fork"):
        if is_known(alien):
            sys.exit(f"{alien} passes")
    strange = {}
    everything = objects()
    for path in everything:
        for name in undefined(path):
            if not is_known(name):
                strange.setdefault(name, path.relative_to(BUILD))
    for name, path in sorted(strange.items()):
        print(f"{name}: asked for by {path}; what only one system has belongs to src/cli/platform")
    print(f"{len(everything)} objects")
    sys.exit(1 if strange else 0)


main()
