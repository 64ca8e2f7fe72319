#include "thaw/scene.hpp"

namespace thaw::scene {

Mesh::Mesh() = default;
Mesh::Mesh(const Mesh& other) = default;
Mesh::Mesh(Mesh&& other) noexcept = default;
Mesh& Mesh::operator=(const Mesh& other) = default;
Mesh& Mesh::operator=(Mesh&& other) noexcept = default;
Mesh::~Mesh() = default;

Scene::Scene() = default;
Scene::Scene(const Scene& other) = default;
Scene::Scene(Scene&& other) noexcept = default;
Scene& Scene::operator=(const Scene& other) = default;
Scene& Scene::operator=(Scene&& other) noexcept = default;
Scene::~Scene() = default;

}  // namespace thaw::scene
