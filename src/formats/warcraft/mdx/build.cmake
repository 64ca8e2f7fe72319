# Loops over bytes, pixels, vertices or keys.
thaw_optimise(
  document.cpp layout.cpp track_visit.cpp scene_geometry.cpp scene_skin.cpp scene_track.cpp scene_triangles.cpp
  optimize_keys.cpp optimize_measure.cpp optimize_vertices.cpp poses.cpp)
