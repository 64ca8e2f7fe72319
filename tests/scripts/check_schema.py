"""check_schema.py SCHEMA FILE: checks every line of FILE as JSON against a schema.

Knows what docs/schema uses of JSON Schema: type, properties, required, additionalProperties, items, enum, const,
pattern, minimum, maximum, minItems, maxItems, anyOf, oneOf, $ref into $defs of the same or another file. Also refuses duplicate keys and NaN.
"""

import json
import pathlib
import re
import sys

TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "null": type(None),
}


def is_type(value, name):
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


class Schema:
    files = {}

    def __init__(self, path):
        self.path = path
        self.root = Schema.files.get(path) or Schema.files.setdefault(path, json.loads(path.read_text()))

    def resolve(self, reference):
        file, _, pointer = reference.partition("#")
        schema = Schema(self.path.parent / file) if file else self
        node = schema.root
        for part in pointer.strip("/").split("/"):
            node = node[part] if part else node
        return schema, node

    def errors(self, value, node, where):
        if "$ref" in node:
            schema, target = self.resolve(node["$ref"])
            yield from schema.errors(value, target, where)
        if "oneOf" in node:
            found = [list(self.errors(value, option, where)) for option in node["oneOf"]]
            if sum(not errors for errors in found) != 1:
                yield f"{where}: fits not exactly one of the choices: {min(found, key=len)}"
        if "anyOf" in node:
            found = []
            for option in node["anyOf"]:
                found.append(list(self.errors(value, option, where)))
                if not found[-1]:
                    break
            if found[-1]:
                yield f"{where}: fits none of the choices: {min(found, key=len)}"
        if "allOf" in node:
            for part in node["allOf"]:
                yield from self.errors(value, part, where)
        types = node.get("type", [])
        types = [types] if isinstance(types, str) else types
        if types and not any(is_type(value, name) for name in types):
            yield f"{where}: {value!r} is not {' or '.join(types)}"
            return
        if "const" in node and value != node["const"]:
            yield f"{where}: {value!r} is not {node['const']!r}"
        if "enum" in node and value not in node["enum"]:
            yield f"{where}: {value!r} is none of {node['enum']}"
        if "pattern" in node and isinstance(value, str) and not re.search(node["pattern"], value):
            yield f"{where}: {value!r} does not match {node['pattern']}"
        if "minimum" in node and is_type(value, "number") and value < node["minimum"]:
            yield f"{where}: {value} is below {node['minimum']}"
        if "maximum" in node and is_type(value, "number") and value > node["maximum"]:
            yield f"{where}: {value} is above {node['maximum']}"
        if isinstance(value, list) and not node.get("minItems", 0) <= len(value) <= node.get("maxItems", len(value)):
            yield f"{where}: {len(value)} items"
        if isinstance(value, dict):
            yield from self.object_errors(value, node, where)
        if isinstance(value, list) and "items" in node and not self.plain_numbers(value, node["items"]):
            for i, item in enumerate(value):
                yield from self.errors(item, node["items"], f"{where}[{i}]")

    def plain_numbers(self, values, node):
        """Whether they are numbers in their range, without more ado: lists are long."""
        if set(node) == {"$ref"}:
            schema, target = self.resolve(node["$ref"])
            return schema.plain_numbers(values, target)
        if [one for one in node.get("oneOf", ()) if one.get("type") != "string"] == [{"type": "number"}]:
            return set(node) == {"oneOf"} and set(map(type, values)) <= {int, float}
        if node.get("type") != "integer" or not set(node) <= {"type", "minimum", "maximum"}:
            return False
        least, most = node.get("minimum", 0), node.get("maximum", 0)
        return all(type(value) is int and least <= value <= most for value in values)

    def object_errors(self, value, node, where):
        for name in node.get("required", []):
            if name not in value:
                yield f"{where}: lacks {name}"
        properties = node.get("properties", {})
        for name, member in value.items():
            if name in properties:
                yield from self.errors(member, properties[name], f"{where}.{name}")
            elif isinstance(node.get("additionalProperties"), dict):
                yield from self.errors(member, node["additionalProperties"], f"{where}.{name}")
            elif node.get("additionalProperties") is False:
                yield f"{where}: {name} is not described"


def unique(pairs):
    names = [name for name, _ in pairs]
    if len(set(names)) != len(names):
        raise ValueError(f"duplicate keys in {names}")
    return dict(pairs)


def refuse(word):
    raise ValueError(f"{word} is no JSON")


def main():
    schema = Schema(pathlib.Path(sys.argv[1]))
    text = pathlib.Path(sys.argv[2]).read_bytes().decode("utf-8")
    # The document that `dump --json` embeds is printed on several lines.
    whole = schema.root.get("x-multiline", False)
    lines = [text] if whole else text.splitlines()
    if not lines or not text:
        sys.exit("no output")
    status = 0
    for number, line in enumerate(lines, 1):
        value = json.loads(line, object_pairs_hook=unique, parse_constant=refuse)
        for error in schema.errors(value, schema.root, "$"):
            print(f"line {number}: {error}", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
