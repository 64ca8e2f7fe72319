#include "formats/warcraft/mdx/convert/conversion_job.hpp"
#include "formats/warcraft/mdx/convert/first_version.hpp"

#include "bytes/number_text.hpp"

#include <algorithm>

namespace thaw::mdx {
namespace {

/// mdx.md#chunk-order: the order of nearly all files.
constexpr std::array kOrder = {
    FourCC{"VERS"}, FourCC{"MODL"}, FourCC{"SEQS"}, FourCC{"GLBS"}, FourCC{"MTLS"}, FourCC{"TEXS"},
    FourCC{"TXAN"}, FourCC{"GEOS"}, FourCC{"GEOA"}, FourCC{"BONE"}, FourCC{"LITE"}, FourCC{"HELP"},
    FourCC{"ATCH"}, FourCC{"PIVT"}, FourCC{"PREM"}, FourCC{"PRE2"}, FourCC{"CORN"}, FourCC{"RIBB"},
    FourCC{"CAMS"}, FourCC{"EVTS"}, FourCC{"CLID"}, FourCC{"FAFX"}, FourCC{"BPOS"}, FourCC{"DILG"},
};

std::size_t rank(FourCC tag) {
  return static_cast<std::size_t>(std::find(kOrder.begin(), kOrder.end(), tag) - kOrder.begin());
}

bool is_known(FourCC tag) { return rank(tag) < kOrder.size(); }

/// The chunks whose layout depends on the version.
bool is_versioned(FourCC tag) {
  return tag == FourCC{"MTLS"} || tag == FourCC{"GEOS"} || tag == FourCC{"LITE"};
}

void set_version(ConversionJob& job) {
  bool stated = false;
  for (auto& chunk : job.document().chunks) {
    if (auto* version = std::get_if<Version>(&chunk.body);
        version != nullptr && !chunk.remainder.replaces_fields()) {
      version->value = job.to;
      stated = true;
    }
  }
  if (!stated) {
    remove_chunks(job.document(), FourCC{"VERS"});
    insert_chunk(job.document(), FourCC{"VERS"}, Version{job.to});
  }
}

void drop_raw_objects(ConversionJob& job) {
  for_each<Materials>(job.document(), [&](Material& material, std::size_t i) {
    drop_raw(job, material.remainder, place("MTLS", i));
    for (std::size_t l = 0; l < material.layers.size(); ++l) {
      drop_raw(job, material.layers[l].remainder, place("MTLS", i) + "." + place("layers", l));
    }
  });
  for_each<Geosets>(job.document(), [&](Geoset& geoset, std::size_t i) {
    drop_raw(job, geoset.remainder, place("GEOS", i));
  });
  for_each<Lights>(job.document(),
                   [&](Light& light, std::size_t i) { drop_raw(job, light.remainder, place("LITE", i)); });
}

/// Chunks of which nothing could be read cannot be converted; the rest of a broken list is left out.
std::optional<Error> settle_damage(ConversionJob& job) {
  for (auto& chunk : job.document().chunks) {
    chunk.stated_size.reset();
    if (!is_versioned(chunk.tag) || chunk.remainder.empty()) {
      continue;
    }
    if (chunk.remainder.replaces_fields()) {
      return Error{
          codes::kConvertDamaged,
          {},
          chunk.tag.text(),
          "chunk " + chunk.tag.text() +
              " cannot be read, and its layout depends on the version; the model cannot be converted"};
    }
    job.lose(codes::kConvertDamaged, chunk.tag.text(),
             counted(chunk.remainder.bytes.size(), "byte") + " at the end of chunk " + chunk.tag.text() +
                 " left out as unreadable");
    chunk.remainder = {};
  }
  drop_raw_objects(job);
  return std::nullopt;
}

/// Sources name no object; the first differing field does.
Error difference_error(const Document& written, const Document& read) {
  const auto left = [&](Inspector& inspector) { inspect(written, inspector); };
  const auto right = [&](Inspector& inspector) { inspect(read, inspector); };
  const auto differences = diff(left, right, 1);
  if (differences.empty()) {
    return Error{codes::kConvertVerify,
                 {},
                 {},
                 "the output reads back the same, but its bytes differ when written again"};
  }
  return Error{
      codes::kConvertVerify,
      {},
      differences[0].path,
      "a field was written as " + differences[0].left + ", but is read back as " + differences[0].right};
}

bool same_fields(const Document& a, const Document& b) {
  return diff([&](Inspector& inspector) { inspect(a, inspector); },
              [&](Inspector& inspector) { inspect(b, inspector); }, 1)
      .empty();
}

}  // namespace

void drop_raw(ConversionJob& job, Remainder& remainder, const std::string& path) {
  if (remainder.replaces_fields()) {
    job.lose(codes::kConvertDamaged, path, "damaged object; only its readable fields are preserved");
    remainder = {};
  }
}

void ConversionJob::lose(const Code& code, std::string path, std::string message,
                         std::optional<double> deviation) {
  if (result.losses.size() < kMaxLosses) {
    result.losses.push_back({code, std::move(path), std::move(message), deviation});
  } else {
    ++result.more_losses;
  }
}

Result<void> ConversionJob::spend(std::uint64_t bytes) {
  if (bytes > room) {
    return fail(codes::kInputTooLarge, "dividing the geosets would duplicate more than " +
                                           std::to_string(kMaxRepeated >> 20U) +
                                           " MiB of data, thaw's limit; simplify the model");
  }
  room -= bytes;
  return {};
}

void ConversionJob::lose_field(const std::string& path, std::string_view name) {
  lose(codes::kConvertField, path + "." + std::string(name),
       "field " + std::string(name) + " left out; version " + std::to_string(to) + " has no such field");
}

void ConversionJob::drop_track(Tracks& tracks, FourCC tag, const std::string& path) {
  const auto same = [&](const Track& track) { return track.tag == tag; };
  const auto end = std::remove_if(tracks.begin(), tracks.end(), same);
  if (end != tracks.end()) {
    tracks.erase(end, tracks.end());
    lose(codes::kConvertTrack, path + "." + tag.text(),
         "track " + tag.text() + " left out; version " + std::to_string(to) + " has no such track");
  }
}

void ConversionJob::drop_newer_tracks(Tracks& tracks, const std::string& path) {
  for (const FirstVersion& row : kFirstVersions) {
    if (to < row.version) {
      drop_track(tracks, row.tag, path);
    }
  }
}

std::string place(std::string_view chunk, std::size_t index) {
  return std::string(chunk) + "[" + std::to_string(index) + "]";
}

Chunk& insert_chunk(Document& document, FourCC tag, ChunkBody body) {
  // Unknown chunks, such as INFO in front of VERS, stay where they are.
  const auto before = [&](const Chunk& chunk) { return rank(chunk.tag) <= rank(tag) && is_known(chunk.tag); };
  auto at = std::find_if(document.chunks.rbegin(), document.chunks.rend(), before).base();
  if (at == document.chunks.end() && !document.chunks.empty() && document.chunks.back().stated_size) {
    --at;  // after a chunk that states more than the file has, it would be taken for the rest of that chunk
  }
  Chunk chunk;
  chunk.tag = tag;
  chunk.body = std::move(body);
  // Only VERS has to be first.
  return *document.chunks.insert(tag == FourCC{"VERS"} ? document.chunks.begin() : at, std::move(chunk));
}

void remove_chunks(Document& document, FourCC tag) {
  auto& chunks = document.chunks;
  chunks.erase(
      std::remove_if(chunks.begin(), chunks.end(), [&](const Chunk& chunk) { return chunk.tag == tag; }),
      chunks.end());
}

std::string unwritable_version(std::uint32_t version) {
  std::string text = "version " + std::to_string(version) + " cannot be written; supported are";
  for (const std::uint32_t known : kTargetVersions) {
    text += (known == kTargetVersions.front() ? " " : ", ") + std::to_string(known);
  }
  return text;
}

Result<VersionConversion> convert_version(const Document& document, std::uint32_t target,
                                          const ConversionOptions& options) {
  if (std::find(kTargetVersions.begin(), kTargetVersions.end(), target) == kTargetVersions.end()) {
    return fail(codes::kConvertVersion, unwritable_version(target));
  }
  ConversionJob job{document, options, document.version(), target, {}};
  job.document() = document;
  for (std::size_t i = 0; i < document.all<Geosets>().size(); ++i) {
    job.result.source_geosets.push_back(i);
  }
  if (job.from == job.to) {
    return std::move(job.result);
  }
  if (auto error = settle_damage(job)) {
    return tl::unexpected<Error>(std::move(*error));
  }
  convert_materials(job);
  if (auto done = convert_geosets(job); !done) {
    return tl::unexpected<Error>(std::move(done.error()));
  }
  convert_lights(job);
  convert_cameras(job);
  convert_chunks(job);
  set_version(job);
  return std::move(job.result);
}

Result<Verified> write_verified(const Document& document) {
  Verified result;
  result.bytes = write(document);
  for (const bool strict : {true, false}) {
    ReadOptions options;
    options.strict = strict;
    Diagnostics discarded(0);
    const auto again = read(result.bytes, options, discarded);
    if (!again) {
      if (strict) {
        continue;
      }
      return fail(codes::kConvertVerify, "the output cannot be read back: " + again.error().message,
                  again.error().offset, again.error().path);
    }
    if (!same_fields(document, *again) || write(*again) != result.bytes) {
      return tl::unexpected<Error>(difference_error(document, *again));
    }
    result.strict = strict;
    break;
  }
  return result;
}

}  // namespace thaw::mdx
