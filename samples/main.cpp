// thaw_samples DIRECTORY: writes the sample files. Same program, same bytes.
// thaw_samples --installation DIRECTORY [COUNT [wow]]: writes an installation whose files lie in CASC; with a
// count, one of so many small files. thaw_samples --continent TILES OUT.wdt: writes a map of so many tiles.

#include "alpha_everything.hpp"
#include "banner.hpp"
#include "beetle.hpp"
#include "casc_build.hpp"
#include "chest.hpp"
#include "everything.hpp"
#include "house.hpp"
#include "human_model.hpp"
#include "humanoid.hpp"
#include "knight.hpp"
#include "lights.hpp"
#include "terrain.hpp"
#include "waystone.hpp"

#include <thaw/bytes.hpp>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace {

namespace fs = std::filesystem;
using namespace thaw;

bool save(const fs::path& path, ByteView bytes) {
  fs::create_directories(path.parent_path());
  std::ofstream stream(path, std::ios::binary);
  stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  stream.close();
  if (!stream) {
    std::fprintf(stderr, "cannot write %s\n", path.c_str());
  }
  return !stream.fail();
}

int save_installation(const fs::path& root, const char* count, bool numbered) {
  std::map<std::string, std::string> ignored;
  const auto files = count == nullptr
                         ? samples::warcraft_installation(ignored)
                         : samples::large_installation(
                               static_cast<std::uint32_t>(std::strtoul(count, nullptr, 10)), numbered);
  bool good = true;
  for (const auto& [path, bytes] : files) {
    // As installers write it.
    good = save(root / (path.substr(0, 1) == "d" ? "D" + path.substr(1) : path), bytes) && good;
  }
  return good ? 0 : 1;
}

int save_continent(const char* tiles, const fs::path& path) {
  std::ofstream stream(path, std::ios::binary);
  samples::write_continent(std::strtoul(tiles, nullptr, 10), [&](ByteView bytes) {
    stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  });
  stream.close();
  return stream ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4 && std::string_view(argv[1]) == "--continent") {
    return save_continent(argv[2], argv[3]);
  }
  if (argc >= 3 && std::string_view(argv[1]) == "--installation") {
    return save_installation(argv[2], argc > 3 ? argv[3] : nullptr, argc > 4);
  }
  if (argc != 2) {
    std::fprintf(stderr,
                 "usage: thaw_samples DIRECTORY | --installation DIRECTORY [COUNT [wow]] | --continent TILES "
                 "OUT.wdt\n");
    return 2;
  }
  const fs::path root = argv[1];
  bool good = true;
  for (const auto version : samples::kVersions) {
    const auto name = "everything_v" + std::to_string(version) + ".mdx";
    good = save(root / name, mdx::write(samples::everything(version))) && good;
  }
  good = save(root / "knight.mdx", mdx::write(samples::knight())) && good;
  const fs::path textures = root / "Textures";
  good = save(textures / "knight.blp", samples::write_blp(samples::knight_armor(), false)) && good;
  good = save(textures / "knight_cloth.blp", samples::write_blp(samples::knight_cloth(), true)) && good;
  good = save(textures / "knight_glow.blp", samples::write_blp(samples::knight_glow(), false)) && good;
  good = save(textures / "knight_rune.blp", samples::write_blp(samples::knight_rune(), false)) && good;
  good = save(root / "banner.mrf", mrf::write(samples::banner())) && good;
  good = save(textures / "banner.blp", samples::write_blp(samples::banner_cloth(), false)) && good;
  good = save(root / "chest.mdx", mdx::write(samples::chest())) && good;
  good = save(textures / "chest_diffuse.dds", samples::write_dds(samples::chest_diffuse(), false)) && good;
  good = save(textures / "chest_normal.dds", samples::write_dds(samples::chest_normal(), false)) && good;
  good = save(textures / "chest_orm.dds", samples::write_dds(samples::chest_orm(), true)) && good;
  good = save(textures / "chest_emissive.dds", samples::write_dds(samples::chest_emissive(), false)) && good;
  good = save(root / "ReplaceableTextures" / "EnvironmentMap.dds",
              samples::write_dds(samples::environment(), false)) &&
         good;
  good = save(root / "forgelight" / "human.mrn", mrn::write(samples::human_network())) && good;
  const auto human = samples::human_files();
  for (const auto& file : human) {
    good = (file.name == "Human.mrn" || save(root / "forgelight" / file.name, file.bytes)) && good;
  }
  good = save(root / "forgelight" / "human.pack", samples::write_pack1(human)) && good;
  good = save(root / "forgelight" / "human.pack2", samples::write_pack2(human, true)) && good;
  good = save(root / "forgelight" / "Human_Walk.nsa", nsa::write(samples::human_walk())) && good;
  for (const auto version : samples::kMeshVersions) {
    const auto name = "waystone_v" + std::to_string(version) + ".m3";
    good = save(root / name, m3::write(samples::waystone(version))) && good;
  }
  good = save(textures / "waystone_stone.blp", samples::write_blp(samples::waystone_stone(), false)) && good;
  good =
      save(textures / "waystone_crystal.blp", samples::write_blp(samples::waystone_crystal(), true)) && good;
  const std::string listfile = "900100;Textures/waystone_stone.blp\n900101;Textures/waystone_crystal.blp\n";
  good = save(root / "listfile.csv",
              {reinterpret_cast<const std::uint8_t*>(listfile.data()), listfile.size()}) &&
         good;
  for (const auto version : samples::kAlphaVersions) {
    const auto name = "alpha_everything_v" + std::to_string(version) + ".mdx";
    good = save(root / name, mdx_alpha::write(samples::alpha_everything(version))) && good;
  }
  const fs::path creature = root / "Creature" / "Beetle";
  good = save(creature / "Beetle.mdx", mdx_alpha::write(samples::beetle())) && good;
  good = save(creature / "BeetleSkin.blp", samples::write_blp2(samples::beetle_skin(), false)) && good;
  good = save(creature / "BeetleGlow.blp", samples::write_blp2(samples::beetle_glow(), true)) && good;
  good = save(root / "house.wmo", wmo::write(samples::house())) && good;
  for (const auto& [name, canvas] : samples::house_textures()) {
    good = save(textures / name, samples::write_blp2(canvas, name == "house_ivy.blp")) && good;
  }
  const fs::path island = root / "World" / "Maps" / "Island";
  good = save(island / "Island.wdt", wdt::write(samples::island())) && good;
  good = save(island / "Island.wdl", wdl::write(samples::island_far())) && good;
  good = save(island / "lights.lit", lit::write(samples::lights())) && good;
  for (const auto& [name, canvas] : samples::tileset()) {
    good = save(root / "Tileset" / "Thaw" / name, samples::write_blp2(canvas, false)) && good;
  }
  return good ? 0 : 1;
}
