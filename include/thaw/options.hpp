// Limits of a reader, and its treatment of damage.
#pragma once

#include <thaw/bytes.hpp>

#include <cstddef>
#include <cstdint>

#pragma GCC visibility push(default)

namespace thaw {

class Control;

/// The largest inputs and pictures that are taken.
struct Limits {
  /// Inputs larger than this are refused. Element counts need no limit of their own: every one of them is
  /// checked against the bytes that are left before anything is allocated.
  std::uint64_t max_input_bytes = std::uint64_t{4} << 30U;
  /// Pictures with more pixels than this (9,158 × 9,158) are refused before any of them is decoded: with the
  /// copies that encoding takes, 15 bytes each, a run stays below 1.3 GiB. Height maps of 8,193 × 8,193 fit.
  std::uint64_t max_image_pixels = std::uint64_t{5} << 24U;
  /// Bytes that all decoded pictures of a scene may take at once, the models within it included: a picture
  /// that would go beyond is an error (limit.pixels). A small file can name many large pictures.
  std::uint64_t max_pixel_bytes = std::uint64_t{1} << 30U;
};

/// How a reader treats damage, and what it may spend.
struct ReadOptions {
  /// Stop at the first damaged part instead of keeping it raw and reading on: the first finding of kBroken
  /// or worse is the error.
  bool strict = false;
  Limits limits;
  /// How the names in a file are encoded. A page that is guessed is a finding (names.code-page); only names
  /// of Warcraft III models are looked at for that.
  CodePage code_page = CodePage::automatic;
  /// Receives the progress of the work, and may stop it (<thaw/control.hpp>); null: none. Work that was
  /// stopped ends with limit.stopped, and where a function has no errors with part of what it should give.
  const Control* control = nullptr;
};

}  // namespace thaw

#pragma GCC visibility pop
