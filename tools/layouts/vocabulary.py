"""The words of descriptions: the visitor's members, and the functions of src/describe over them."""

from clang.cindex import CursorKind as Kind

from ir import (HERE, MOST, UNSET, Field, Note, Scope, Seek, Set, binary, is_expression, n, outer_ends, parts_of,
                substitute)
from shapes import camel
from source import Unknown, cases, documentation, find, parts, place_of, text_in
from values import Aggregate, Bytes, Env, Place, Root, Variable

GAPS = "Bytes that no part claims may lie between the parts."
KINDS = {"f32": "float", "i32": "s32", "u32": "u32"}


class Vocabulary:
    # --- functions with a meaning of their own

    def known_min(self, call, a, b):
        return self.least("min", self.value(a), self.value(b))

    def known_max(self, call, *values):
        values = [self.value(v) for v in (values[0].fields.values() if len(values) == 1 else values)]
        found = values[0]
        for value in values[1:]:
            found = self.least("max", found, value)
        return found

    def least(self, name, a, b):
        if UNSET in (a, b):
            return UNSET
        if a[0] == "n" and b[0] == "n":
            return n({"min": min, "max": max}[name](a[1], b[1]))
        if a == b or b == n(MOST):
            return a if name == "min" or a == b else b
        return ("call", name, (a, b))

    def known_forward(self, call, value):
        return value

    known_move = known_forward

    def known_load_plain(self, call, pointer):
        what = self.source.type(call.type)
        return ("call", "std::mem::read_signed" if what[1].startswith("s") else "std::mem::read_unsigned",
                (pointer.at, n(self.size(what))))

    def known_memcmp(self, call, pointer, text, size):
        return binary("!=", ("call", "std::mem::read_string", (pointer.at, n(len(text[1])))), text)

    def known_holds(self, call, visitor, *place):
        return binary("<=", binary("+", *map(self.value, place[-2:])), binary("-", self.region_end, self.base))

    known_reaches = known_holds

    def known_points(self, call, *arguments):
        """What follows from what is for those who edit."""

    known_spans = known_counts = known_checks = known_points

    def known_pointed(self, call, base, pointer):
        return binary("+", self.value(base), self.value(pointer))

    def known_product(self, call, a, b):
        return binary("*", self.value(a), self.value(b))

    def known_group(self, call, visitor, name, body):
        return self.visit_group(name, body)

    def known_padded_gaps(self, call, visitor, gaps):
        return self.visit_gaps("", gaps)

    def known_fill_bytes(self, call, visitor, name, place, count, role="fill"):
        count = self.keep(count, name + "Size")
        yes = lambda: self.array_field(name, place, ("scalar", "u8", 1), count, role=role)
        self.branch(binary(">", count, n(0)), yes, lambda: None)

    def known_describe_raw(self, call, visitor, name, place, count):
        self.known_fill_bytes(call, visitor, name, place, count, "opaque")

    def known_framed(self, call, visitor, tag, frame, *presence_and_body):
        self.store(frame.sub("present", ("scalar", "bool", 1)), n(1))
        present = self.visit_next_is(("s", tag[1][::-1]))
        content = lambda: self.known_framed_content(call, visitor, tag, frame, presence_and_body[-1])
        self.branch(present, lambda: self.in_group(tag[1], content), lambda: None)

    def known_framed_content(self, call, visitor, tag, frame, body):
        self.emit_field("char", "tag", n(4), tag[1][::-1], role="structure")
        size = self.emit_field("u32", "size", role="structure")
        self.payload(size, lambda: self.call_closure(body, []))

    def known_bulk_to_end(self, call, visitor, name, place):
        self.array_field(name, place, place.type[1], binary("/", self.visit_left(), n(self.size(place.type[1]))))

    def known_strings_to_end(self, call, visitor, name, place):
        self.visit_strings(name, place, self.visit_left())

    def known_visit(self, call, body, place):
        """Of a variant whose alternative is known."""
        chosen = self.bind.get((place.root, (*place.path, "is")))
        if chosen is None:
            raise Unknown("a variant of an unknown kind")
        return self.call_closure(body, [Place(place.root, place.path, chosen)])

    def known_holds_alternative(self, call, place):
        chosen = self.bind.get((place.root, (*place.path, "is")))
        return n(int(chosen == self.source.type(call.referenced.get_template_argument_type(0))))

    # --- tables by tag

    def table(self, name, tag):
        function, members = self.source.find(name, Kind.FUNCTION_DECL), self.tables[name]
        rows, default = [], None
        for labels, body in cases(find(function, Kind.SWITCH_STMT)):
            value = self.eval(parts(find(body[0], Kind.RETURN_STMT))[0], Env())
            values = [value] if is_expression(value) else [value.fields[member] for member in members]
            if not labels:
                default = values
            else:
                rows.append(([text_in(label) for label in labels], values))
        found = {}
        for i, member in enumerate(members):
            self.table_texts[name + ("_" + member if member else "")] = (
                documentation(function), [(labels, values[i][1]) for labels, values in rows], default[i][1])
            found[member] = ("call", name + ("_" + member if member else ""), (self.value(tag),))
        return found[""] if list(found) == [""] else Aggregate(found)

    # --- the visitor

    def visit_context(self):
        return self.context

    def visit_failed(self):
        return n(0)

    visit_strict = visit_failed

    def visit_left(self):
        return binary("-", self.end, HERE)

    def visit_here(self):
        return HERE

    def visit_offset(self):
        return binary("-", HERE, self.base)

    def visit_rest(self):
        return Bytes(HERE, self.visit_left())

    def visit_region_bytes(self):
        return Bytes(self.base, binary("-", self.region_end, self.base))

    def visit_field(self, name, place):
        if isinstance(place, Variable):
            inner, count = self.type_name(place.type)
            self.assign(place.env.vars, place.name, self.emit_field(inner, name, n(count) if count else None))
            return
        if not isinstance(place, Place):
            raise Unknown(f"field {name} is no place: {place!r}")
        place = self.dereference(place)
        inner, count = self.type_name(place.type)
        found = self.emit_field(inner, name, n(count) if count else None, place.doc)
        self.store(place, found)
        if place.path and place.path[-1] == "bytes":
            self.assign(self.bind, (place.root, place.path[:-1]), found)

    def visit_text(self, name, place):
        self.store(place, self.emit_field("char", name, n(place.type[1]), place.doc, role="text"))

    def visit_tag(self, tag):
        name = "tag" + "".join(c for c in tag[1] if c.isalnum()) if tag[0] == "s" else "tag"
        self.emit_field("char", name, n(4), role="structure")

    def array_field(self, name, place, what, count, **more):
        count = self.keep(count, (name or "items") + "Count")
        kind = self.element_name(what)
        found = self.emit_field(kind, name, count, place.doc, **more)
        if isinstance(place, Place):
            self.store(place, found)
            self.assign(self.bind, (place.root, (*place.path, "#")), count)
        return found

    def visit_bulk(self, name, place, count):
        place = self.dereference(place)
        plain = place.type[0] in ("opaque", "struct")
        self.array_field(name, place, ("scalar", "u8", 1) if plain else place.type[1], count)

    def visit_counted(self, name, place):
        place = self.dereference(place)
        count = self.emit_field("u32", name + "Count", role="structure")
        self.array_field(name, place, place.type[1], count)

    def visit_strings(self, name, place, count):
        self.array_field(name, place, ("scalar", "char", 1), count, role="texts")

    def visit_rows(self, name, place, columns, count):
        self.rows(name, place, columns.fields["scalars"], self.value(columns.fields["kind"]), self.keep(count, "count"))

    def rows(self, name, place, scalars, kind, count):
        if kind[0] == "cond":
            self.branch(kind[1], lambda: self.rows(name, place, scalars, kind[2], count),
                        lambda: self.rows(name, place, scalars, kind[3], count))
            return
        element = {"f32": "FloatKey", "i32": "IntegerKey", "u32": "WordKey"}[kind[1]]
        if scalars[0] == "n":
            element += str(scalars[1])
            member = ("value" if scalars[1] == 1 else "values")
            self.plain.setdefault(element, ([("s32", "frame", None, ""),
                                             (KINDS[kind[1]], member, None if scalars[1] == 1 else scalars[1], "")],
                                            4 + 4 * scalars[1], "A keyframe."))
            args = ()
        else:
            scope = Scope(element, doc="A keyframe of so many scalars.")
            scope.items = [Field("s32", "frame"), Field(KINDS[kind[1]], "values", ("param", scope, "scalars_"))]
            scope.params = {("outer", scope, "scalars"): "scalars_"}
            if element not in self.done:
                self.done[element] = scope
                self.scopes.append(scope)
            args = (scalars,)
        self.emit_field(element, name, count, place.doc, args=args, scope=self.done.get(element))

    # --- structures

    def described(self, what, ends=None, function="describe", first=()):
        """The scope of a structure that has a description, once for each type. The whole file has known ends."""
        key = (what[1].spelling, self.variant)
        if key in self.done:
            return self.done[key]
        root = Root(what)
        place = Place(root, (), what)
        name = camel(what[1].name) if self.space in (what[1].space, "") else self.foreign_name(what[1])
        scope = Scope(self.free_name(name + self.variant), doc=what[1].doc)
        saved = (self.bind, self.log)
        self.bind, self.log = dict(self.preset(what, root)), None
        with self.inside(scope, ends or outer_ends(scope)):
            for variable, value in first:
                self.emit(Set(variable, value))
            self.describe(place, function)
        self.done[key] = (scope, root, self.bind)
        self.bind, self.log = saved
        return self.done[key]

    def describe(self, place, function="describe", *more):
        """Follows the description of a structure."""
        described = self.source.functions.get((function, place.type[1].spelling))
        if described is None:
            where = self.source.path(place_of(place.type[1].decl))
            raise Unknown(f"{where}: the probe finds no {function} of {place.type[1].name}")
        self.call_function(described, [self.visitor, place, *more])

    def foreign_name(self, struct):
        """Of another format: both may have one of that name."""
        taken = f"thaw::{self.space}::{struct.name}" in self.source.named
        return camel(struct.space if taken else "") + camel(struct.name)

    def preset(self, what, root):
        return {}

    def free_name(self, name):
        """A name for a structure that no other has."""
        taken = self.names | set(self.plain) | set(self.enums)
        found, number = name, 2
        while found in taken:
            found, number = f"{name}{number}", number + 1
        self.names.add(found)
        return found

    def arguments_of(self, scope):
        """What a scope's parameters are, where it is used."""
        values = []
        for outside in scope.params:
            if outside[0] == "outer" and outside[1] is scope:
                values.append({"end": self.end, "base": self.base, "regionEnd": self.region_end}[outside[2]])
            else:
                values.append(outside)
        return tuple(values)

    def structure(self, name, place, count=None, **more):
        """A member, or a list of members, with a description of its own."""
        what = place.type if count is None and "until" not in more else place.type[1]
        if what[0] in ("optional", "boxed"):
            what = what[1]
        scope, root, bound = self.described(what)
        found = self.emit_field(scope.name, name, count, place.doc, args=self.arguments_of(scope),
                                scope=scope, **more)
        member = found[2][-1]
        if count is None and "until" not in more:
            for (inner_root, path), value in bound.items():
                if inner_root is root and is_expression(value):
                    moved = self.moved(value, scope, member)
                    if moved is not None:
                        self.assign(self.bind, (place.root, (*place.path, *path)), moved)
        else:
            self.store(place, found)
        return found

    def moved(self, value, scope, member):
        """A value that is known in a scope, in terms of what holds the scope; None if that cannot be."""
        if any(a[:1] and a[0] in ("local", "outer", "param", "here") for a in parts_of(value)):
            return None
        within = lambda a: ("field", self.scope, (member, *a[2])) if a[:2] == ("field", scope) else None
        found = substitute(value, within)
        return None if any(scope in a for a in parts_of(found)) else found

    def visit_object(self, name, place):
        self.structure(name, self.dereference(place))

    def visit_list(self, name, place, count):
        count = self.keep(count, "count")
        self.structure(name, place, count)
        self.assign(self.bind, (place.root, (*place.path, "#")), count)

    def visit_counted_list(self, name, place):
        self.visit_list(name, place, self.emit_field("u32", (name or "item") + "Count", role="structure"))

    def visit_array_of(self, name, place):
        self.structure(name, place, n(place.type[2]))

    def visit_records(self, name, place):
        self.visit_list(name, place, binary("/", self.visit_left(), n(place.type[1][1].constant("kRecordSize"))))

    def visit_objects(self, name, place):
        self.structure(name, place, until=binary("<", HERE, self.end))

    def visit_sized(self, remainder, least, body):
        self.sized(body)

    def sized(self, body, high=None):
        start = self.local("u64", "start", HERE)
        if high is None:
            size = self.emit_field("u32", "inclusiveSize", role="structure")
        else:
            size = self.emit_field("u24", "inclusiveSize", role="structure")
            found = self.emit_field("u8", "variant", None, high.doc)
            self.store(high, found)
        self.limited(binary("+", start, size), lambda: self.call_closure(body, []))

    def visit_sized24(self, remainder, high, least, body):
        self.sized(body, high)

    def limited(self, end, body):
        """A part with an end of its own; what nobody described is its remainder."""
        outer = self.end
        self.end = self.local("u64", "end", end)
        body()
        self.remainder()
        self.end = outer

    def remainder(self):
        rest = lambda: self.emit_field("u8", "remainder", self.visit_left(), role="opaque")
        self.branch(binary("<", HERE, self.end), rest, lambda: None)

    def visit_payload(self, remainder, tag, size, body):
        self.payload(size, lambda: self.call_closure(body, []))

    def payload(self, size, body):
        self.limited(self.least("min", binary("+", HERE, size), self.end), body)

    def visit_choose(self, stored, decide):
        return self.call_closure(decide, [self.visit_rest()])

    def visit_next_is(self, tag, stored=None):
        return self.local("bool", "has" + camel("".join(c for c in tag[1] if c.isalnum())),
                          ("call", "next_is", (tag, self.end)))

    def visit_group(self, name, body):
        self.in_group(name, lambda: self.call_closure(body, []))

    def in_group(self, name, body, at=None, inline=False, title=None, doc=""):
        scope = Scope(self.free_name(title or self.group_name(name)), self.scope, doc)
        member = self.field_name(name or "part")
        with self.inside(scope):
            body()
        local = self.scope.localize
        args = tuple(local(value) for value in self.arguments_of(scope))
        scope.instance = (self.scope, member)
        shown = name if name and member != name else None
        self.emit(Field(scope.name, member, None, local(at) if at is not None else None, args, shown,
                        inline or not name, scope=scope))

    def group_name(self, name):
        base = self.scope.name if self.scope else ""
        return base + camel("".join(c if c.isalnum() else "_" for c in name) or "Part")

    def visit_region(self, body):
        outer = (self.base, self.region_end)
        self.base = self.local("u64", "base", HERE)
        self.region_end = self.end
        self.call_closure(body, [])
        self.emit(Seek(self.scope.localize(self.region_end)))
        (self.base, self.region_end) = outer

    def visit_block(self, name, at, size, body):
        def inside():
            self.end = self.local("u64", "end", binary("+", HERE, size))
            self.call_closure(body, [])

        self.in_group(name, inside, binary("+", self.base, at))

    def visit_blocks(self, name, count, each):
        if count[0] == "n":
            self.in_list(name, count[1], each)
            return
        scope = Scope(self.free_name(self.group_name(name)), self.scope)
        with self.inside(scope):
            self.call_closure(each, [self.local("u64", "index", ("call", "std::core::array_index", ()))])
        self.emit_field(scope.name, name, count, args=self.arguments_of(scope), scope=scope)

    def in_list(self, name, count, each):
        def body():
            for i in range(count):
                before = len(self.items)
                self.call_closure(each, [n(i)])
                for item in self.items[before:]:
                    if isinstance(item, Field) and (item.inline or len(self.items) - before == 1):
                        item.shown, item.inline = f"[{i}]", False
        if count == 0:
            return
        self.in_group(name, body)

    def visit_gaps(self, name, gaps):
        self.emit(Note(GAPS))
