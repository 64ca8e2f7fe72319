# What Godot 3 shows of models that its editor imported. res://questions.json: {FILE.glb: [{clip (its name), time}]}.
# Prints @@ and JSON: {file, clips, seen}. A mesh is seen unless its blend shape `hidden` is on, or its scale is 0.
extends SceneTree

func meshes_below(node, found):
	if node is MeshInstance:
		found.append(node)
	for child in node.get_children():
		meshes_below(child, found)
	return found

func is_seen(mesh):
	var weight = mesh.get("blend_shapes/hidden")
	return mesh.is_visible_in_tree() and (weight == null or weight < 0.5) and mesh.global_transform.basis.get_scale().length() > 0.000001

func _init():
	var file = File.new()
	file.open("res://questions.json", File.READ)
	var all = JSON.parse(file.get_as_text()).result
	for name in all:
		var scene = load("res://" + name).instance()
		get_root().add_child(scene)
		var player = scene.find_node("AnimationPlayer", true, false)
		var seen = []
		for asked in all[name]:
			var names = []
			player.play(asked["clip"])
			player.seek(asked["time"], true)
			for mesh in meshes_below(scene, []):
				if is_seen(mesh):
					names.append(mesh.name)
			seen.append(names)
		var clips = player.get_animation_list()
		print("@@" + to_json({"file": name, "clips": Array(clips), "seen": seen}))
		scene.queue_free()
	quit()
