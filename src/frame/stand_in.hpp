// What is drawn in place of pictures and models that were not found, where grey would be a box.
#pragma once

#include "frame/builder.hpp"

#include <span>

namespace thaw::frame {

/// White that fades towards its rim.
const Image& soft_spot();

/// Sparks, smoke, trails: the spot in their own colours. What would only darken becomes its own colour.
void set_soft(Builder& builder, const ModelData& model, Draw& draw);

/// Whether texture coordinates show about one whole picture, in whose place a spot looks like a glow.
bool show_one_picture(std::span<const Vec2> uvs);

/// Whether everything that a material shows are glows without their pictures.
bool is_lost_glow(const ModelData& model, const scene::Material& material);

/// Whether a model has nothing to show but such.
bool is_all_lost(const ModelData& model);

/// The thrown picture, sparks in place of models that are thrown, a glow in place of an effect.
scene::Emitter as_sprites(const scene::Scene& scene, const scene::Emitter& emitter);

}  // namespace thaw::frame
