"""The language that descriptions are written in: its expressions, calls and statements."""

from cpp import Type, Unknown
from ir import MOST, UNSET, Set, binary, is_expression, n, negate, unary
from shapes import SCALARS
from values import (NOTHING, Aggregate, Bytes, Choices, Closure, Context, Env, Place, Places, Pointer, Returned, Root,
                    TypeValue, Visitor)




# Functions that mean more than their statements say.
CALLS = {"min", "max", "forward", "move", "load_plain", "memcmp", "holds", "reaches", "pointed", "product", "group",
         "padded_gaps", "fill_bytes", "describe_raw", "framed", "framed_content", "bulk_to_end", "strings_to_end",
         "visit", "holds_alternative"}


class Language:
    # --- values

    def value(self, found):
        """The expression of a value."""
        if is_expression(found):
            return found
        if isinstance(found, Place):
            return self.load(found)
        if isinstance(found, bool):
            return n(int(found))
        if isinstance(found, str):
            return ("s", found)
        raise Unknown(f"no value: {found!r}")

    def load(self, place):
        if place.key in self.bind:
            return self.bind[place.key]
        for cut in range(len(place.path) - 1, -1, -1):
            found = self.bind.get((place.root, place.path[:cut]))
            rest = place.path[cut:]
            if isinstance(found, Places) and len(rest) == 2:
                return found.at(self, rest[0] if is_expression(rest[0]) else n(rest[0])).fields[rest[1]]
            if found is not None and is_expression(found) and found[0] == "field":
                if is_expression(rest[0]):
                    return self.array_element(place, cut, found, rest)
                return ("field", found[1], (*found[2], *rest))
        kind = place.type[0]
        if kind == "optional":
            return self.bind.get((place.root, (*place.path, "?")), n(0))
        if kind == "fourcc":
            inner = self.bind.get((place.root, (*place.path, "bytes")))
            if inner is not None:
                return inner
        return self.untouched(place)

    def untouched(self, place):
        """What a member is before anything is read into it."""
        if place.type is None or place.type[0] != "scalar" or not isinstance(place.root, Root):
            return UNSET
        names = [i for i, step in enumerate(place.path) if isinstance(step, str)]
        if not names:
            return UNSET
        owner = self.type_at(place.root.type, place.path[:names[-1]])
        if owner[0] != "struct" or owner[1].member(place.path[names[-1]]) is None:
            return UNSET
        init = owner[1].member(place.path[names[-1]]).init
        if init is None:
            return UNSET
        if init[0] == "init":
            return n(0)
        return self.value(self.eval_constant((Type(""), init), owner[1].space, owner[1]))

    def array_element(self, place, cut, found, rest):
        """An element, or a member of one, of an array of plain data at an index that is not known."""
        whole = self.type_at(place.root.type, place.path[:cut])[1]
        if len(rest) == 1:
            return ("elem", found, rest[0], self.size(whole), 0, self.size(whole), "")
        offset = 0
        for member in whole[1].members:
            if member.name == rest[1]:
                break
            offset += self.size(self.member_type(whole, member.name))
        return ("elem", found, rest[0], self.size(whole), offset, self.size(place.type), rest[1])

    def type_at(self, what, path):
        for step in path:
            while what[0] in ("optional", "boxed"):
                what = what[1]
            what = self.member_type(what, step) if isinstance(step, str) else what[1]
        while what[0] in ("optional", "boxed"):
            what = what[1]
        return what

    def store(self, place, value):
        self.assign(self.bind, place.key, value)

    def text_of(self, value):
        if is_expression(value) and value[0] == "s":
            return value[1]
        raise Unknown(f"no text: {value!r}")

    # --- expressions

    def eval(self, ast, env):
        follow = getattr(self, "eval_" + ast[0], None)
        if follow is None:
            raise Unknown(f"an expression that is not followed: {ast[0]}")
        return follow(ast, env)

    def eval_num(self, ast, env):
        return n(ast[1])

    def eval_str(self, ast, env):
        return ("s", ast[1])

    def eval_lambda(self, ast, env):
        return Closure(ast[1], ast[2], env)

    def eval_requires(self, ast, env):
        text = ast[1]
        if "structure" in text or "raw" in text:
            return n(0)
        words = text.replace(";", "").split()
        if "." in words:
            found = env.find(words[0])
            place = found.vars[words[0]] if found else None
            if isinstance(place, Place) and place.type[0] == "struct":
                return n(int(place.type[1].member(words[-1]) is not None))
            return n(0)
        if words[0] == "typename":
            words = words[1:]
        what = self.type_by_text([w for w in words if w != ";"], env)
        return n(int(what is not None))

    def type_by_text(self, words, env):
        """The type that a `using` names: of a parameter's elements or items."""
        text = "".join(words)
        base = text.replace("typename", "").replace("std::", "")
        for cut in ("::value_type", "::Item::kRecordSize", "::Item"):
            if base.endswith(cut):
                inner = base[:-len(cut)]
                inner = inner.replace("remove_cvref_t<", "").replace("remove_const_t<", "").rstrip(">")
                what = env.type_of(inner)
                if what is None:
                    return None
                what = what.what if isinstance(what, TypeValue) else what
                if cut == "::value_type":
                    return what[1]
                if what[0] != "struct":
                    return None
                item = what[1].aliases.get("Item")
                if item is None:
                    return None
                item = self.resolve(item, what[1].space, what[1], dict(what[2]))
                if cut == "::Item":
                    return item
                return item if item[0] == "struct" and "kRecordSize" in item[1].constants else None
        inner = base.replace("remove_cvref_t<", "").replace("remove_const_t<", "").rstrip(">")
        return env.type_of(inner)

    def same_types(self, targs, env):
        found = []
        for what in targs:
            while what.name in ("remove_cvref_t", "remove_const_t", "decay_t"):
                what = what.args[0]
            known = env.type_of(what.name)
            if what.name == "decltype":
                raise Unknown("decltype")
            known = known.what if isinstance(known, TypeValue) else known
            found.append(known if known is not None else self.resolve(what, env.space))
        return n(int(found[0] == found[1]))

    def eval_name(self, ast, env):
        name, targs = ast[1], ast[2]
        if name == "is_same_v":
            return self.same_types(targs, env)
        found = env.find(name)
        if found:
            return found.vars[name]
        if name in ("true", "false"):
            return n(int(name == "true"))
        if name == "V::kReads":
            return n(1)
        if name == "kNowhere":
            return n(MOST)
        if env.this is not None and env.this.type[0] == "struct":
            struct = env.this.type[1]
            if struct.member(name):
                return env.this.sub(name, self.member_type(env.this.type, name))
            if name in struct.constants:
                return self.eval_constant(struct.constants[name], struct.space, struct)
        what = env.type_of(name)
        if what is not None and isinstance(what, TypeValue):
            return what
        return self.eval_global(name, targs, env)

    def eval_global(self, name, targs, env):
        found = self.lookup(self.sources.constants, name, env.space)
        if found:
            space = name.rsplit("::", 1)[0] if "::" in name and name.rsplit("::", 1)[0] in self.all_spaces() else env.space
            return self.eval_constant(found, space, None)
        if "::" in name:
            outer, inner = name.rsplit("::", 1)
            what = env.type_of(outer)
            what = what.what if isinstance(what, TypeValue) else what
            if what is None:
                what = self.resolve(Type(outer), env.space, env.this.type[1] if env.this is not None and
                                    env.this.type[0] == "struct" else None)
            if what[0] == "enum":
                for label, value in what[1].values:
                    if label == inner:
                        return n(value)
            if what[0] == "struct" and inner in what[1].constants:
                return self.eval_constant(what[1].constants[inner], what[1].space, what[1])
            if outer == "ScalarKind" or outer.endswith("::ScalarKind"):
                return ("s", inner)
        for (space, _), enum in self.sources.enums.items():
            if space in self.spaces(env.space) and name in dict(enum.values):
                return n(dict(enum.values)[name])
        functions = self.sources.functions.get(name.split("::")[-1])
        if functions:
            return TypeValue(("function", name))
        raise Unknown(f"unknown name {name} in {env.space}")

    def all_spaces(self):
        return {space for space, _ in self.sources.structs}

    def eval_constant(self, found, space, owner):
        what, init = found
        env = Env(space=space)
        if owner:
            env.this = Place(object(), (), ("struct", owner, ()))
        if init is None:
            return n(0)
        if init[0] == "init" and init[1] is None and what.name == "FourCC":
            return self.eval(init[2][0], env)
        if init[0] == "init" and init[1] is None and len(init[2]) == 1 and what.name != "array":
            return self.eval(init[2][0], env)
        return self.eval(init, env)

    def eval_init(self, ast, env):
        name = ast[1]
        args = [self.eval(arg, env) for arg in ast[2]]
        if name is None:
            return Aggregate({i: arg for i, arg in enumerate(args)})
        name = name[1]
        if name == "FourCC":
            return args[0] if args else ("s", "")
        if name in SCALARS:
            return self.value(args[0]) if args else n(0)
        if name == "ByteView":
            return args[0]
        if name == "Columns":
            return Aggregate({"scalars": self.value(args[0]), "kind": args[1]})
        what = self.local_struct(name, env) or self.lookup(self.sources.structs, name, env.space)
        if what is None:
            raise Unknown(f"cannot make {name}")
        names = what if isinstance(what, list) else [m.name for m in what.members]
        return Aggregate({names[i]: arg for i, arg in enumerate(args)})

    def local_struct(self, name, env):
        what = env.type_of("struct " + name)
        return what

    def eval_cond(self, ast, env):
        cond = self.truth(self.eval(ast[1], env))
        if cond[0] == "n":
            return self.eval(ast[2] if cond[1] else ast[3], env)
        return self.merge(cond, self.plain_value(self.eval(ast[2], env)), self.plain_value(self.eval(ast[3], env)))

    def truth(self, found):
        if isinstance(found, Place):
            if found.type[0] == "optional":
                return self.bind.get((found.root, (*found.path, "?")), n(0))
            return self.load(found)
        if found is None:
            return n(0)
        return self.value(found)

    def eval_bin(self, ast, env):
        op = ast[1]
        a = self.eval(ast[2], env)
        if op in ("&&", "||"):
            left = self.truth(a)
            if left[0] == "n" and bool(left[1]) == (op == "||"):
                return n(int(op == "||"))
            return binary(op, left, self.truth(self.eval(ast[3], env)))
        b = self.eval(ast[3], env)
        if isinstance(a, Pointer) or isinstance(b, Pointer):
            if op in ("+", "-") and isinstance(a, Pointer):
                return Pointer(binary(op, a.at, self.value(b)))
            raise Unknown("arithmetic of pointers")
        return binary(op, self.value(a), self.value(b))

    def eval_un(self, ast, env):
        op = ast[1]
        found = self.eval(ast[2], env)
        if op == "*":
            if isinstance(found, Place):
                return self.dereference(found)
            return found
        if op == "&":
            return found
        if op in ("++", "--"):
            return self.step(ast[2], op, env)
        if op == "!":
            return negate(self.truth(found))
        return unary(op, self.value(found))

    def eval_post(self, ast, env):
        old = self.value(self.eval(ast[2], env))
        self.step(ast[2], ast[1], env)
        return old

    def step(self, target, op, env):
        return self.eval_assign(("assign", op[0] + "=", target, ("num", 1)), env)

    def dereference(self, place):
        if place.type[0] in ("optional", "boxed"):
            return Place(place.root, place.path, place.type[1])
        return place

    def eval_comma(self, ast, env):
        self.eval(ast[1], env)
        return self.eval(ast[2], env)

    def eval_cast(self, ast, env):
        found = self.eval(ast[2], env)
        if isinstance(found, (Place, Bytes)) and not (isinstance(found, Place) and found.type[0] in (
                "scalar", "enum", "optional")):
            return found
        if isinstance(found, Place) and found.type[0] == "optional":
            return self.truth(found)
        return self.value(found)

    def eval_sizeof(self, ast, env):
        if isinstance(ast[1], Type):
            known = env.type_of(ast[1].name)
            if isinstance(known, TypeValue):
                return n(self.size(known.what))
            if isinstance(known, tuple):
                return n(self.size(known))
            found = env.find(ast[1].name)
            if found and isinstance(found.vars[ast[1].name], Place):
                return n(self.size(found.vars[ast[1].name].type))
            if ast[1].name.endswith("::value_type"):
                what = self.type_by_text([ast[1].name], env)
                if what:
                    return n(self.size(what))
            what = self.resolve(ast[1], env.space)
            if what[0] != "opaque":
                return n(self.size(what))
            ast = ("sizeof", ("name", ast[1].name, None))
        found = self.eval(ast[1], env)
        if isinstance(found, Place):
            return n(self.size(found.type))
        for_type = env.type_of(ast[1][1]) if ast[1][0] == "name" else None
        if for_type:
            return n(self.size(for_type))
        raise Unknown(f"no size of {ast[1]}")

    def eval_index(self, ast, env):
        found = self.eval(ast[1], env)
        index = self.value(self.eval(ast[2], env))
        return self.element(found, index)

    def element(self, found, index):
        if isinstance(found, Aggregate):
            if len(found.fields) == 1 and isinstance(found.fields.get(0), Aggregate):
                found = found.fields[0]
            if index[0] != "n":
                chosen = found.fields[len(found.fields) - 1]
                for i in range(len(found.fields) - 2, -1, -1):
                    chosen = self.merge(binary("==", index, n(i)), found.fields[i], chosen)
                return chosen
            return found.fields[index[1]]
        if isinstance(found, Places):
            return found.at(self, index)
        if isinstance(found, Bytes):
            return ("call", "std::mem::read_unsigned", (binary("+", found.at, index), n(1)))
        if isinstance(found, Place):
            what = found.type
            if what[0] in ("array", "dyn"):
                return found.sub(index if index[0] != "n" else index[1], what[1])
        raise Unknown(f"no elements of {found!r}")

    def eval_assign(self, ast, env):
        op, target, source = ast[1], ast[2], ast[3]
        found = self.eval(source, env)
        if found is None:
            return None
        if isinstance(found, Place) and found.type[0] in ("scalar", "enum"):
            found = self.load(found)
        if op != "=":
            found = binary(op[:-1], self.value(self.eval(target, env)), self.value(found))
        if target[0] == "name":
            where = env.find(target[1])
            if where and (not isinstance(where.vars[target[1]], Place) or isinstance(found, Places)):
                self.assign(where.vars, target[1], self.keep(found, target[1]))
                return found
        if target[0] == "member" and isinstance(self.eval(target[1], env), Context):
            if target[2] in self.fixed:
                return found
            name = self.context_value(target[2])[1]
            self.emit(Set(name, self.scope.localize(self.value(found))))
            return found
        place = self.eval(target, env)
        if isinstance(place, Place):
            if isinstance(found, (Place,)) and found.type[0] not in ("scalar", "enum", "optional"):
                return found
            if isinstance(found, Aggregate):
                return found
            self.store(place, self.value(found) if found is not None else UNSET)
            return found
        raise Unknown(f"cannot set {target}")

    def context_value(self, name):
        """What a description knows of the file around it is a variable of the pattern."""
        if name in self.fixed:
            return self.fixed[name]
        struct = self.lookup(self.sources.structs, "Context", self.space)
        member = struct.member(name)
        self.globals["file_" + name] = (self.resolve(member.type, struct.space, struct), member)
        return ("global", "file_" + name)

    # --- members and calls

    def eval_member(self, ast, env):
        found = self.eval(ast[1], env)
        return self.member(found, ast[2])

    def member(self, found, name):
        if isinstance(found, Place):
            found = self.dereference(found)
            what = found.type
            if what[0] == "fourcc" and name == "bytes":
                return found.sub("bytes", ("array", ("scalar", "char", 1), 4))
            if what[0] == "text" and name == "raw":
                return found
            if what[0] == "struct":
                struct = what[1]
                if struct.member(name):
                    return found.sub(name, self.member_type(what, name))
                if name in struct.constants:
                    return self.eval_constant(struct.constants[name], struct.space, struct)
            raise Unknown(f"{what[0]} {what[1].name if what[0] == 'struct' else what} has no {name}")
        if isinstance(found, Aggregate):
            return found.fields[name]
        if isinstance(found, Context):
            return self.context_value(name)
        if is_expression(found) and found[0] == "s" and name == "bytes":
            return found
        raise Unknown(f"no member {name} of {found!r}")

    def eval_call(self, ast, env):
        callee, args = ast[1], ast[2]
        try:
            if callee[0] == "member":
                return self.call_member(callee, args, env)
            if callee[0] == "name":
                return self.call_name(callee, args, env)
            found = self.eval(callee, env)
            return self.call_closure(found, [self.eval(arg, env) for arg in args])
        except Unknown as error:
            if not getattr(error, "placed", False):
                error.placed = True
                error.args = (f"line {ast[3]}: {error.args[0]}",)
            raise

    def call_member(self, callee, args, env):
        target = self.eval(callee[1], env)
        name = callee[2]
        if isinstance(target, Visitor):
            word = getattr(self, "visit_" + name, None)
            if word is None:
                raise Unknown(f"no word of descriptions: {name}")
            return word(args, env)
        if isinstance(target, Bytes):
            return self.call_bytes(target, name, [self.eval(arg, env) for arg in args])
        if isinstance(target, Places):
            if name == "size":
                return target.count
            raise Unknown(f"places: {name}")
        if isinstance(target, Aggregate):
            if name == "at":
                return self.element(target, self.value(self.eval(args[0], env)))
            if name == "size":
                inner = target.fields.get(0)
                return n(len(inner.fields) if len(target.fields) == 1 and isinstance(inner, Aggregate) else
                         len(target.fields))
            if name == "old":
                raise Unknown("a method of an aggregate")
        if isinstance(target, Context):
            struct = self.lookup(self.sources.structs, "Context", self.space)
            method = struct.methods[name]
            inner = Env(space=self.space)
            inner.vars = {m.name: self.context_value(m.name) for m in struct.members}
            return self.run_function(method, inner)
        if isinstance(target, Place):
            return self.call_place(target, name, args, env)
        if is_expression(target):
            if name in ("data", "text", "c_str"):
                return target
            if name == "size" and target == UNSET:
                return UNSET
        raise Unknown(f"no call of {name} on {target!r}")

    def call_bytes(self, view, name, args):
        if name == "size":
            return view.size
        if name == "empty":
            return binary("==", view.size, n(0))
        if name == "data":
            return Pointer(view.at)
        if name == "subspan":
            start = self.value(args[0])
            return Bytes(binary("+", view.at, start), binary("-", view.size, start))
        raise Unknown(f"bytes: {name}")

    def call_place(self, place, name, args, env):
        what = place.type
        if name in ("emplace", "emplace_back"):
            if what[0] == "optional":
                self.assign(self.bind, (place.root, (*place.path, "?")), n(1))
                return Place(place.root, place.path, what[1])
            if name == "emplace_back":
                return place.sub("+", what[1])
            return place
        if name in ("has_value",):
            return self.truth(place)
        if what[0] == "optional":
            place = self.dereference(place)
            what = place.type
        if name == "size":
            if what[0] == "array":
                return n(what[2])
            return self.bind.get((place.root, (*place.path, "#")), UNSET)
        if name == "empty":
            count = self.bind.get((place.root, (*place.path, "#")), UNSET)
            return UNSET if count == UNSET else binary("==", count, n(0))
        if name in ("resize", "assign"):
            self.assign(self.bind, (place.root, (*place.path, "#")), self.keep(self.value(self.eval(args[0], env)), "count"))
            return None
        if name in ("push_back", "clear", "reserve"):
            return None
        if name == "front":
            return place.sub(0, what[1])
        if name == "data" or name == "text":
            return place
        if name == "at":
            return self.element(place, self.value(self.eval(args[0], env)))
        if what[0] == "struct" and name in what[1].methods:
            method = what[1].methods[name]
            inner = Env(this=place, space=what[1].space)
            for (kind, param), arg in zip(method.params, args):
                inner.vars[param] = self.eval(arg, env)
            return self.run_function(method, inner)
        raise Unknown(f"no method {name} of {what[0]} {what[1].name if what[0] == 'struct' else ''}")

    def call_closure(self, closure, args):
        if not isinstance(closure, Closure):
            raise Unknown(f"cannot call {closure!r}")
        env = Env(outer=closure.env)
        for (what, name), value in zip(closure.params, args):
            if name:
                env.vars[name] = value
        return self.run(closure.body, env)

    def run_function(self, function, env):
        if self.depth > 40:
            raise Unknown(f"{function.name} runs too deep")
        self.depth += 1
        try:
            env.returns = function.returns
            return self.run(function.statements(), env)
        except Unknown as error:
            if not getattr(error, "where", False):
                error.where = True
                error.args = (f"{function.path}, {function.name}: {error.args[0]}",)
            raise
        finally:
            self.depth -= 1

    def run(self, body, env):
        found = self.execute(body, env)
        return found.value if found else None

    def call_name(self, callee, args, env):
        name, targs = callee[1], callee[2]
        found = env.find(name)
        if found:
            return self.call_closure(found.vars[name], [self.eval(arg, env) for arg in args])
        short = name.split("::")[-1]
        if short in self.decisions:
            return self.decisions[short](self, args, env)
        if short in self.tables:
            return self.table(short, self.eval(args[0], env))
        own = getattr(self, "call_" + short, None)
        if own and short in CALLS:
            return own(args, env, targs)
        if short == "FourCC":
            return self.eval(args[0], env) if args else ("s", "")
        if env.this is not None and env.this.type[0] == "struct" and short in env.this.type[1].methods:
            return self.call_place(env.this, short, args, env)
        if name in SCALARS:
            return self.eval(args[0], env)
        return self.call_function(name, targs, [self.argument(arg, env) for arg in args], env)

    def argument(self, ast, env):
        """A value, and the variable that holds it, if one does."""
        found = self.eval(ast, env)
        return found

    def describe_for(self, what, space):
        """The description of a structure."""
        for function in self.sources.functions.get("describe", []):
            if len(function.params) == 2 and function.params[0][0].name == "V":
                kind = function.params[1][0]
                if kind.name == "As":
                    resolved = self.resolve(kind, function.space)
                    if resolved[0] == "struct" and resolved[1] is what[1]:
                        return function
        return None

    def call_function(self, name, targs, args, env):
        short = name.split("::")[-1]
        if short == "describe" and len(args) == 2 and isinstance(args[1], Place):
            function = self.describe_for(self.dereference(args[1]).type, env.space)
            if function is None:
                raise Unknown(f"no description of {args[1].type[1].name}")
        else:
            candidates = [f for f in self.sources.functions.get(short, []) if len(f.params) == len(args)]
            spaces = [name.rsplit("::", 1)[0]] if "::" in name else []
            spaces += self.spaces(env.space)
            candidates = [f for s in spaces for f in candidates if f.space == s] or candidates
            if not candidates:
                raise Unknown(f"no function {name}")
            function = candidates[0]
        inner = Env(space=function.space)
        for (kind, param), value in zip(function.params, args):
            if not param:
                continue
            if is_expression(value):
                value = self.keep(value, param)
            inner.vars[param] = value
            self.bind_types(kind, value, inner)
        if targs:
            explicit = [t for t in function.template if t != "V" or True]
            for template, arg in zip(explicit, targs):
                if isinstance(arg, Type) and arg.name != "V":
                    known = env.type_of(arg.name)
                    inner.types[template] = known if known else TypeValue(self.resolve(arg, env.space))
        return self.run_function(function, inner)

    def bind_types(self, kind, value, env):
        if not isinstance(value, Place):
            return
        what = self.dereference(value).type
        if kind.name == "As" and len(kind.args) > 1 and isinstance(kind.args[1], Type):
            kind = kind.args[1]
        if kind.name in ("Array", "vector") and kind.args and what[0] == "dyn":
            env.types.setdefault(kind.args[0].name, TypeValue(what[1]))
        elif not kind.args:
            env.types.setdefault(kind.name, TypeValue(what))

    # --- statements

    def execute(self, statements, env):
        for i, statement in enumerate(statements):
            kind = statement[0]
            if kind == "if":
                found = self.if_(statement, statements[i + 1:], env)
                if found is not NOTHING:
                    return found[0]
                continue
            if kind == "block":
                return self.execute([*statement[1], *statements[i + 1:]], Env(env))
            if kind == "return":
                return Returned(self.named(self.eval(statement[1], env), env) if statement[1] is not None else None)
            if kind == "switch":
                return self.switch(statement, statements[i + 1:], env)
            follow = getattr(self, "do_" + kind, None)
            if follow is None:
                raise Unknown(f"a statement that is not followed: {kind}")
            found = follow(statement, env)
            if isinstance(found, Returned):
                return found
        return None

    def named(self, value, env):
        """A returned aggregate, by the names of what the function returns."""
        while env is not None and env.returns is None:
            env = env.outer
        return value if env is None else self.with_names(value, env.returns, env)

    def with_names(self, value, kind, env):
        if not isinstance(value, Aggregate) or not all(isinstance(k, int) for k in value.fields):
            return value
        if kind.name == "Columns":
            return Aggregate({"scalars": self.value(value.fields[0]), "kind": value.fields[1]})
        what = self.resolve(kind, env.space)
        if what[0] != "struct":
            return value
        struct = what[1]
        fields = {}
        for i, member in enumerate(struct.members):
            default = (self.eval_constant((member.type, member.init), struct.space, struct))
            fields[member.name] = value.fields.get(i, default)
        return Aggregate(fields)

    def fails(self, statements):
        return any(self.calls_member(s, "fail") for s in statements)

    def calls_member(self, statement, name):
        return (statement[0] == "expr" and statement[1][0] == "call" and statement[1][1][0] == "member"
                and statement[1][1][2] == name)

    def returns(self, statements):
        return any(s[0] in ("return", "switch") or (s[0] == "if" and (self.returns(s[2]) or self.returns(s[3])))
                   or (s[0] == "block" and self.returns(s[1])) for s in statements)

    def if_(self, statement, rest, env):
        _, cond, yes, no, _ = statement
        if not no and all(self.calls_member(s, "note") for s in yes):
            return NOTHING
        if self.fails(yes):
            return (self.execute([*no, *rest], Env(env)),) if no else NOTHING
        found = self.truth(self.eval(cond, env))
        if found == UNSET:
            raise Unknown(f"a condition that is not known: {cond}")
        if found[0] == "n":
            return (self.execute([*(yes if found[1] else no), *rest], Env(env)),)
        if self.fails(no):
            return (self.execute([*yes, *rest], Env(env)),)
        if self.returns(yes) or self.returns(no):  # what follows belongs to the branches that come to it
            return (self.branch(found, lambda: self.execute([*yes, *rest], Env(env)),
                                lambda: self.execute([*no, *rest], Env(env))),)
        self.branch(found, lambda: self.execute(yes, Env(env)), lambda: self.execute(no, Env(env)))
        return NOTHING

    def switch(self, statement, rest, env):
        value = self.value(self.eval(statement[1], env))

        def case(index):
            if index == len(statement[2]):
                return self.execute(rest, env)
            labels, body = statement[2][index]
            if labels == [None] or None in labels:
                return self.execute(body, Env(env))
            cond = n(0)
            for label in labels:
                cond = binary("||", cond, binary("==", value, self.value(self.eval(label, env))))
            return self.branch(cond, lambda: self.execute(body, Env(env)), lambda: case(index + 1))

        return case(0)

    def do_expr(self, statement, env):
        self.eval(statement[1], env)

    def do_all(self, statement, env):
        for one in statement[1]:
            self.do_declare(one, env)

    def do_struct(self, statement, env):
        env.types["struct " + statement[1]] = [
            statement[2][i].text for i in range(len(statement[2])) if i + 1 < len(statement[2])
            and statement[2][i + 1].text == ";"]

    def do_using(self, statement, env):
        what = self.type_by_text(statement[2], env)
        if what is None:
            what = self.resolve(Type("".join(statement[2]).replace("std::", "")), env.space)
        if not isinstance(what, TypeValue) and what[0] == "opaque":
            raise Unknown(f"unknown type {' '.join(statement[2])}")
        env.types[statement[1]] = what if isinstance(what, TypeValue) else TypeValue(what)

    def do_bind(self, statement, env):
        value = self.eval(statement[2], env)
        for i, name in enumerate(statement[1]):
            env.vars[name] = self.element(value, n(i))

    def do_declare(self, statement, env):
        _, what, name, init = statement
        if what.name == "string":  # of a message
            env.vars[name] = UNSET
            return
        if what.name in ("vector", "Array") and (init is None or init[0] == "init"):
            env.vars[name] = Place(object(), (), self.resolve(what, env.space)) if what.args else UNSET
            if what.args and self.resolve(what, env.space)[1][0] == "opaque":
                env.vars[name] = UNSET
            return
        if init is not None and init[0] == "cast":
            env.types[name] = self.resolve(init[1], env.space)
        elif what.name != "auto":
            env.types[name] = self.resolve(what, env.space)
        if init is None:
            env.vars[name] = UNSET
            if what.name not in SCALARS and env.types[name][0] in ("struct", "fourcc"):
                env.vars[name] = Place(object(), (), env.types[name])
            return
        value = self.eval(init, env)
        if isinstance(value, Aggregate) and what.name in SCALARS:
            value = value.fields[0]
        value = self.with_names(value, what, env)
        if isinstance(value, Place) and value.type[0] in ("scalar", "enum") and what.name != "auto":
            value = self.load(value)
        if is_expression(value) and value != UNSET:
            value = self.keep(value, name)
        env.vars[name] = value

    def do_for(self, statement, env):
        inner = Env(env)
        getattr(self, "do_" + statement[1][0])(statement[1], inner)
        for _ in range(1000):
            cond = self.truth(self.eval(statement[2], inner))
            if cond[0] != "n":
                raise Unknown(f"a loop whose end is not known: {statement[2]}")
            if not cond[1]:
                return
            skip = self.execute_loop(statement[4], inner)
            self.eval(statement[3], inner)
        raise Unknown("an endless loop")

    def do_each(self, statement, env):
        """Alternatives one after the other."""
        over = self.eval(statement[2], env)
        if not isinstance(over, Choices):
            raise Unknown("a loop over something that is not known")
        for i, (cond, value) in enumerate(over.rows):
            inner = Env(env)
            inner.vars[statement[1]] = value
            self.chosen = i
            self.branch(cond, lambda: self.execute(statement[3], inner), lambda: None)

    def execute_loop(self, body, env):
        inner = Env(env)
        for i, statement in enumerate(body):
            if statement[0] == "if" and statement[2] and statement[2][-1][0] == "continue":
                cond = self.truth(self.eval(statement[1], inner))
                self.branch(cond, lambda: None, lambda: self.execute(body[i + 1:], inner))
                return
            found = self.execute([statement], inner)
            if found:
                raise Unknown("a return in a loop")
