// Edits of Warcraft III models, as people ask for them (docs/user/edit.md). Each leaves everything else as it
// is, tells in the log what it changed, and adds edit.nothing to the findings where it met nothing.
#pragma once

#include <thaw/mdx.hpp>
#include <thaw/model_edit.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)

namespace thaw::mdx {

/// Renames sequences that a pattern meets (see `renamed`).
Result<void> rename_sequences(Document& document, std::string_view pattern, std::string_view name,
                              EditLog& log);

/// Changes the paths of textures, of models that hang or are thrown out, of effects, of facial animations.
Result<void> repath(Document& document, std::string_view pattern, std::string_view path, EditLog& log);

/// Removes things and what belongs to them alone: of a geoset its animation, of a sequence its bounds.
/// Everything that is referred to by number keeps its meaning; what hung at a node hangs at that one's
/// parent. `what` is a kind (geoset, sequence, bone, helper, light, attachment, emitter, ribbon, event,
/// collision, camera, texture, material), alone for all of it, or with `:` and a number, a name or a pattern
/// of names; a texture goes by its path. The error is edit.refused for what others need: a bone that moves
/// vertices, a texture or a material in use.
Result<void> remove_things(Document& document, std::string_view what, EditLog& log);

/// Turns, scales and moves everything that has a place or a length: vertices, nodes and their tracks, bounds,
/// lights, emitters, cameras, shapes, the speed of walking. What the model shows is what it showed, there:
/// emitters, attachments and billboards get rotations where they need some. Things that cannot follow exactly
/// are findings (edit.inexact).
void place(Document& document, const Placement& placement, EditLog& log);

/// Adds an attachment point: NAME, NAME\@NODE to hang at a node (by name), and behind a `:` its place as
/// X,Y,Z, from the model's origin or the node's pivot.
Result<void> add_attachment(Document& document, std::string_view what, EditLog& log);

/// Lays the colour of the player under materials: by number, or all with `*`. The lowest layer shows it where
/// its picture lets it through. Materials that show it already, and physically based ones, which have a
/// picture for it, stay.
Result<void> add_team_color(Document& document, std::string_view which, EditLog& log);

/// Names of another model's nodes, and of this one's, where those differ.
using BoneNames = std::vector<std::pair<std::string, std::string>>;
/// Copies sequences that a pattern meets out of another model, behind everything: movements of nodes by name,
/// and events. What is no movement (visibility, colours, pictures) shows there what it shows in Stand. Loops
/// of either model stay out of it. Nodes and events that have no counterpart are findings.
Result<void> copy_clips(Document& document, const Document& other, std::string_view pattern,
                        const BoneNames& bones, EditLog& log);

/// Makes another model a part of this one that hangs at a node: its geosets, materials, textures, nodes,
/// emitters and attachments. It stands as its Stand begins, its loops go on; cameras, events and collision
/// shapes stay behind. A model of another version becomes one of this version first.
Result<void> attach_model(Document& document, const Document& model, std::string_view node, EditLog& log);

/// Makes the portrait of a unit: its Portrait sequences, or its Stand under that name, and a camera before
/// the head where there is none. The error is edit.refused without such a sequence.
Result<void> make_portrait(Document& document, EditLog& log);

}  // namespace thaw::mdx

#pragma GCC visibility pop
