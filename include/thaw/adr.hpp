// Actors of the Forgelight engine (ADR, XML): which model, materials, textures, skeleton and animations make
// a character. See docs/formats/adr.md. The file itself is an xml::Document.
#pragma once

#include <thaw/edit.hpp>
#include <thaw/xml.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)

/// Actors of the Forgelight engine: which files make a character.
namespace thaw::adr {

/// A model and from where on it is shown. Names of files are as written; case does not matter, not even
/// within one actor.
struct Lod {
  std::string model;      ///< .dme
  std::string materials;  ///< .dma; in place of those in the model
  float distance = 0;     ///< metres from which on it is shown
};

/// A texture in place of the material's own.
struct Alias {
  std::string name;
  std::string texture;
  std::uint32_t semantic = 0;  ///< forgelight::hash of the parameter's name
  std::uint32_t material = 0;  ///< index in the model's material list
  bool is_default = false;     ///< holds unless the game chooses another
};

/// What an ActorRuntime says (adr.md#structure). Texts are as written, empty where it says nothing.
struct Actor {
  std::string network;        ///< .mrn
  std::string animation_set;  ///< the skeleton's name in it
  Lod base;
  std::vector<Lod> lods;  ///< those of the list, in its order
  std::vector<Alias> aliases;
  std::string collision;  ///< .apx
};

/// True if the root element is ActorRuntime. Looks no further than that element.
bool is_actor(std::string_view text);

/// Every attribute that the conversion uses; none of them need be there. The error is xml.syntax or
/// format.foreign.
Result<Actor> read_actor(const xml::Document& document);

// --- edits (docs/user/edit.md)

/// Changes the names of files that an actor is made of: models, materials, textures, the network, the body
/// for physics. Everything else of the text stays as it is. The error is xml.syntax.
Result<void> repath(xml::Document& document, std::string_view pattern, std::string_view path, EditLog& log);

}  // namespace thaw::adr

#pragma GCC visibility pop
