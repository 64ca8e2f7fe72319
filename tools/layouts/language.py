"""The language that descriptions are written in: its expressions, calls and statements, as the compiler has them."""

import itertools

from clang.cindex import CursorKind as Kind
from clang.cindex import TypeKind

from ir import UNSET, Set, binary, is_expression, n, negate, unary
from source import (REFERENCES, Unknown, bare, cases, initial, literal, name_of, number, parts, place_of,
                    unary_operator)
from values import (NOTHING, Aggregate, Arguments, Bytes, Choices, Closure, Context, Env, Place, Places, Pointer,
                    Returned, Root, Variable, Visitor)

OPERATORS = {"Add": "+", "Sub": "-", "Mul": "*", "Div": "/", "Rem": "%", "Shl": "<<", "Shr": ">>", "And": "&",
             "Or": "|", "Xor": "^", "EQ": "==", "NE": "!=", "LT": "<", "GT": ">", "LE": "<=", "GE": ">=",
             "LAnd": "&&", "LOr": "||"}
PLAIN = ("scalar", "enum")
SILENT = {"note", "fail", "expect_at"}  # words about files that are not as they should be
HOLD_OTHERS = {Kind.IF_STMT, Kind.COMPOUND_STMT, Kind.UNEXPOSED_STMT}
DECLARATIONS = {Kind.TYPE_ALIAS_DECL, Kind.STRUCT_DECL, Kind.STATIC_ASSERT}


def statements(cursor):
    """What stands in a block, or the statement itself."""
    if cursor.kind == Kind.UNEXPOSED_STMT:  # with an attribute
        return statements(parts(cursor)[-1])
    return parts(cursor) if cursor.kind == Kind.COMPOUND_STMT else [cursor]


def calls_member(statement, name):
    call = bare(statement)
    return call.kind == Kind.CALL_EXPR and call.spelling == name and call.referenced.kind == Kind.CXX_METHOD


def returns(body):
    return any(s.kind in (Kind.RETURN_STMT, Kind.SWITCH_STMT) or (s.kind in HOLD_OTHERS and returns(parts(s)))
               for s in body)


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
        known = place.type and place.type[0] == "scalar" and isinstance(place.root, Root) and place.member
        return self.start(place.member) if known and place.member.init is not None else UNSET

    def start(self, member):
        """The first value of a member."""
        empty = member.init is None or (member.init.kind == Kind.INIT_LIST_EXPR and not parts(member.init))
        return n(0) if empty else self.value(self.eval(member.init, Env()))

    def array_element(self, place, cut, found, rest):
        """An element, or a member of one, of an array of plain data at an index that is not known."""
        array = place
        while len(array.path) > cut:
            array = array.outer
        whole = array.type[1]
        if len(rest) == 1:
            return ("elem", found, rest[0], self.size(whole), 0, self.size(whole), "")
        before = itertools.takewhile(lambda member: member.name != rest[1], whole[1].members)
        offset = sum(self.size(member.type) for member in before)
        return ("elem", found, rest[0], self.size(whole), offset, self.size(place.type), rest[1])

    def store(self, place, value):
        self.assign(self.bind, place.key, value)

    # --- expressions

    def placed(self, follow, cursor, *more):
        """Tells where something stands that is not followed."""
        try:
            return follow(cursor, *more)
        except Unknown as error:
            if not error.placed:
                error.args, error.placed = (f"{self.source.path(place_of(cursor))}: {error.args[0]}",), True
            raise

    def eval(self, cursor, env):
        return self.placed(self.expression, bare(cursor), env)

    def expression(self, cursor, env):
        follow = getattr(self, "eval_" + cursor.kind.name.lower(), None)
        if follow is not None:
            return follow(cursor, env)
        return self.constant(cursor)

    def constant(self, cursor):
        found = number(cursor)
        if found is None:
            raise Unknown(f"an expression that is not followed: {name_of(cursor.kind)} of {cursor.type.spelling}")
        return n(found)

    def eval_string_literal(self, cursor, env):
        return ("s", literal(cursor))

    def eval_lambda_expr(self, cursor, env):
        return Closure(cursor, env)

    def eval_cxx_this_expr(self, cursor, env):
        return env.this

    def eval_decl_ref_expr(self, cursor, env):
        name, declared = cursor.spelling, cursor.referenced
        if declared.kind == Kind.ENUM_CONSTANT_DECL:
            scalar = declared.semantic_parent.spelling == "ScalarKind"
            return ("s", name) if scalar else n(declared.enum_value)
        where = env.find(name)
        if where:
            return where.vars[name]
        found = number(cursor)
        if found is not None:
            return n(found)
        declared = declared.get_definition() or declared
        if declared.kind != Kind.VAR_DECL or initial(declared) is None:
            raise Unknown(f"{name} is not known")
        return self.eval(initial(declared), Env())

    def eval_member_ref_expr(self, cursor, env):
        if cursor.referenced.kind == Kind.VAR_DECL:
            return self.constant(cursor)
        return self.member(self.object_of(cursor, env), cursor.spelling)

    def object_of(self, cursor, env):
        """What a member belongs to."""
        inner = parts(cursor)
        return self.eval(inner[0], env) if inner else env.this

    def eval_cxx_static_cast_expr(self, cursor, env):
        found = self.eval(parts(cursor)[-1], env)
        if isinstance(found, Place) and found.type[0] in (*PLAIN, "optional"):
            return self.truth(found)
        return found

    eval_cxx_functional_cast_expr = eval_cxx_static_cast_expr
    eval_cxx_const_cast_expr = eval_cxx_static_cast_expr
    eval_cstyle_cast_expr = eval_cxx_static_cast_expr

    def eval_init_list_expr(self, cursor, env):
        what = self.source.type(cursor.type)
        found = [self.eval(part, env) for part in parts(cursor)]
        if what[0] in PLAIN:
            return self.value(found[0]) if found else n(0)
        if what[0] == "fourcc" and found:
            return found[0]
        if what[0] == "struct":
            members = what[1].members
            found += [self.start(member) for member in members[len(found):]]
            return Aggregate({member.name: value for member, value in zip(members, found)})
        return Aggregate(dict(enumerate(found)))

    def eval_conditional_operator(self, cursor, env):
        cond, yes, no = parts(cursor)
        cond = self.truth(self.eval(cond, env))
        if cond[0] == "n":
            return self.eval(yes if cond[1] else no, env)
        return self.merge(cond, self.plain_value(self.eval(yes, env)), self.plain_value(self.eval(no, env)))

    def truth(self, found):
        if isinstance(found, Place):
            if found.type[0] == "optional":
                return self.bind.get((found.root, (*found.path, "?")), n(0))
            return self.load(found)
        return n(0) if found is None else self.value(found)

    def eval_binary_operator(self, cursor, env):
        left, right = parts(cursor)
        name = cursor.binary_operator.name
        if name == "Assign":
            return self.set(left, self.eval(right, env), env)
        if name not in OPERATORS:
            raise Unknown(f"an operator that is not followed: {name}")
        return self.operate(OPERATORS[name], left, right, env)

    def operate(self, op, left, right, env):
        a = self.eval(left, env)
        if op in ("&&", "||"):
            a = self.truth(a)
            if a[0] == "n" and bool(a[1]) == (op == "||"):
                return n(int(op == "||"))
            return binary(op, a, self.truth(self.eval(right, env)))
        b = self.eval(right, env)
        if isinstance(a, Pointer) and op in ("+", "-"):
            return Pointer(binary(op, a.at, self.value(b)))
        return binary(op, self.value(a), self.value(b))

    def eval_compound_assignment_operator(self, cursor, env):
        left, right = parts(cursor)
        op = OPERATORS[cursor.binary_operator.name.removesuffix("Assign")]
        return self.set(left, self.operate(op, left, right, env), env)

    def eval_unary_operator(self, cursor, env):
        op, inner = unary_operator(cursor), parts(cursor)[0]
        found = self.eval(inner, env)
        if op == "*":
            return self.dereference(found)
        if op == "&":
            return found
        if op in ("++", "--"):
            return self.set(inner, binary(op[0], self.value(found), n(1)), env)
        return negate(self.truth(found)) if op == "!" else unary(op, self.value(found))

    def dereference(self, found):
        return found.inner() if isinstance(found, Place) and found.type[0] in ("optional", "boxed") else found

    def eval_array_subscript_expr(self, cursor, env):
        array, index = parts(cursor)
        return self.element(self.eval(array, env), self.value(self.eval(index, env)))

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

    def set(self, target, found, env):
        if found is None:
            return None
        target = bare(target)
        if isinstance(found, Place) and found.type[0] in PLAIN:
            found = self.load(found)
        if target.kind == Kind.DECL_REF_EXPR:
            where = env.find(target.spelling)
            if where and (not isinstance(where.vars[target.spelling], Place) or isinstance(found, Places)):
                self.assign(where.vars, target.spelling, self.keep(found, target.spelling))
                return found
        if target.kind == Kind.MEMBER_REF_EXPR and isinstance(self.object_of(target, env), Context):
            if target.spelling not in self.fixed:
                name = self.context_value(target.spelling)[1]
                self.emit(Set(name, self.scope.localize(self.value(found))))
            return found
        place = self.eval(target, env)
        if not isinstance(place, Place):
            raise Unknown(f"cannot set {target.spelling}")
        whole = isinstance(found, Aggregate) or (isinstance(found, Place) and found.type[0] not in (*PLAIN, "optional"))
        if not whole:
            self.store(place, self.value(found))
        return found

    def context_value(self, name):
        """What a description knows of the file around it is a variable of the pattern."""
        if name in self.fixed:
            return self.fixed[name]
        self.globals["file_" + name] = self.source.named_type("Context")[1].member(name)
        return ("global", "file_" + name)

    # --- members and calls

    def member(self, found, name):
        found = self.dereference(found)
        if isinstance(found, Place):
            what = found.type
            if what[0] == "fourcc" and name == "bytes":
                return found.sub("bytes", ("array", ("scalar", "char", 1), 4))
            if what[0] == "text" and name == "raw":
                return found
            member = what[1].member(name) if what[0] == "struct" else None
            if member:
                return found.sub(name, member.type, member)
            raise Unknown(f"{what[0]} {what[1].name if what[0] == 'struct' else what} has no {name}")
        if isinstance(found, Aggregate):
            return found.fields[name]
        if isinstance(found, Context):
            return self.context_value(name)
        if is_expression(found) and found[0] == "s" and name == "bytes":
            return found
        raise Unknown(f"no member {name} of {found!r}")

    def eval_call_expr(self, cursor, env):
        called, args = cursor.referenced, list(cursor.get_arguments())
        if called is None:
            raise Unknown("a call of what is not known")
        name = called.spelling
        if called.kind == Kind.CONSTRUCTOR:
            return self.construct(cursor, args, env)
        if called.kind == Kind.CONVERSION_FUNCTION:
            found = self.object_of(parts(cursor)[0], env)
            return self.truth(found) if name == "operator bool" else found
        if name.startswith("operator"):
            return self.call_operator(name.removeprefix("operator"), called, args, env)
        if called.kind == Kind.CXX_METHOD and bare(parts(cursor)[0]).kind == Kind.MEMBER_REF_EXPR:
            return self.call_member(self.object_of(bare(parts(cursor)[0]), env), called, args, env)
        given = Arguments(self, called, args, env)
        if name in self.decisions:
            return self.decisions[name](self, given)
        if name in self.tables:
            return self.table(name, given[0])
        own = getattr(self, "known_" + name, None)
        if own:
            return own(cursor, *given)
        return self.call_function(called, [self.eval(arg, env) for arg in args])

    def argument(self, cursor, param, env):
        """What a word or a decision is given: a text, a value, a place, or a variable that it sets."""
        target = bare(cursor)
        where = env.find(target.spelling) if target.kind == Kind.DECL_REF_EXPR else None
        found = self.eval(target, env)
        if param.type.kind in REFERENCES:
            variable = where and is_expression(found) and param.semantic_parent.kind == Kind.CXX_METHOD
            return Variable(where, target.spelling, self.source.type(target.type)) if variable else found
        if isinstance(found, Place) and found.type[0] in PLAIN:
            return self.load(found)
        text = is_expression(found) and found[0] == "s" and param.type.get_canonical().kind == TypeKind.POINTER
        return found[1] if text else found

    def construct(self, cursor, args, env):
        what = self.source.type(cursor.type)
        if what[0] == "fourcc" and not args:
            return ("s", "")
        if what[0] == "opaque" and "basic_string<" in what[1]:  # of a message
            return UNSET
        if what[0] == "dyn":
            if len(args) == 1 and self.source.type(args[0].type) == what:
                return self.eval(args[0], env)
            return UNSET if what[1][0] == "opaque" else Place(object(), (), what)
        if not args and what[0] in ("struct", "fourcc", "array", "text"):
            return Place(object(), (), what)
        if len(args) != 1:
            raise Unknown(f"cannot make {cursor.type.spelling}")
        return self.eval(args[0], env)

    def call_operator(self, op, called, args, env):
        if op == "()":
            closure = self.eval(args[0], env)
            return self.call_closure(closure, [self.eval(arg, env) for arg in args[1:]], called)
        if op == "=":
            return self.set(args[0], self.eval(args[1], env), env)
        if op == "[]":
            return self.element(self.eval(args[0], env), self.value(self.eval(args[1], env)))
        if op in ("*", "->"):
            return self.dereference(self.eval(args[0], env))
        if op not in OPERATORS.values():
            raise Unknown(f"an operator that is not followed: {op}")
        return self.operate(op, *args, env)

    def call_member(self, target, called, args, env):
        name = called.spelling
        if isinstance(target, Visitor):
            if name in SILENT:
                return None
            word = getattr(self, "visit_" + name, None)
            if word is None:
                raise Unknown(f"no word of descriptions: {name}")
            return word(*Arguments(self, called, args, env))
        if isinstance(target, Bytes):
            return self.call_bytes(target, name, [self.eval(arg, env) for arg in args])
        if isinstance(target, Places) and name == "size":
            return target.count
        if isinstance(target, Aggregate) and name == "at":
            return self.element(target, self.value(self.eval(args[0], env)))
        if isinstance(target, Aggregate) and name == "size":
            inner = target.fields.get(0)
            return n(len(inner.fields if len(target.fields) == 1 and isinstance(inner, Aggregate) else target.fields))
        if isinstance(target, Context):
            for member in self.source.named_type("Context")[1].members:
                self.context_value(member.name)
            return self.run_function(called, Env(this=target))
        if isinstance(target, Place):
            return self.call_place(target, called, args, env)
        if is_expression(target) and (name in ("data", "text", "c_str") or (name == "size" and target == UNSET)):
            return target
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

    def call_place(self, place, called, args, env):
        name, what = called.spelling, place.type
        if name in ("emplace", "emplace_back"):
            if what[0] == "optional":
                self.assign(self.bind, (place.root, (*place.path, "?")), n(1))
                return place.inner()
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
            count = self.keep(self.value(self.eval(args[0], env)), "count")
            self.assign(self.bind, (place.root, (*place.path, "#")), count)
            return None
        if name in ("push_back", "clear", "reserve"):
            return None
        if name == "front":
            return place.sub(0, what[1])
        if name == "data" or name == "text":
            return place
        if name == "at":
            return self.element(place, self.value(self.eval(args[0], env)))
        if what[0] == "struct":
            return self.call_function(called, [self.eval(arg, env) for arg in args], Env(this=place))
        raise Unknown(f"no method {name} of {what[0]}")

    def call_closure(self, closure, args, called=None):
        if not isinstance(closure, Closure):
            raise Unknown(f"cannot call {closure!r}")
        function = closure.cursor if called is None or called.kind != Kind.CXX_METHOD else called
        env = Env(outer=closure.env)
        for param, value in zip((c for c in function.get_children() if c.kind == Kind.PARM_DECL), args):
            env.vars[param.spelling] = value
        return self.run(function, env)

    def run_function(self, function, env):
        function = function.get_definition() or function
        if self.depth > 40:
            raise Unknown(f"{function.spelling} runs too deep")
        self.depth += 1
        try:
            return self.run(function, env)
        finally:
            self.depth -= 1

    def run(self, function, env):
        body = parts(function)
        if not body or body[-1].kind != Kind.COMPOUND_STMT:
            raise Unknown(f"{function.spelling} has no body here")
        found = self.execute(parts(body[-1]), env)
        return found.value if found else None

    def call_function(self, function, values, env=None):
        env = env or Env()
        for param, value in zip((function.get_definition() or function).get_arguments(), values):
            env.vars[param.spelling] = self.keep(value, param.spelling) if is_expression(value) else value
        return self.run_function(function, env)

    # --- statements

    def execute(self, body, env):
        for i, statement in enumerate(body):
            found = self.placed(self.statement, statement, body[i + 1:], env)
            if found is not NOTHING:
                return found
        return None

    def statement(self, statement, rest, env):
        """What is returned, also by what follows; or that it goes on."""
        kind = statement.kind
        if kind in (Kind.COMPOUND_STMT, Kind.UNEXPOSED_STMT):
            return self.execute([*statements(statement), *rest], Env(env))
        if kind == Kind.IF_STMT:
            return self.if_(statement, rest, env)
        if kind == Kind.SWITCH_STMT:
            return self.switch(statement, rest, env)
        if kind == Kind.RETURN_STMT:
            return Returned(self.eval(parts(statement)[0], env) if parts(statement) else None)
        if kind == Kind.DECL_STMT:
            for declared in parts(statement):
                self.declare(declared, env)
        elif kind == Kind.FOR_STMT:
            self.for_(statement, Env(env))
        elif kind == Kind.CXX_FOR_RANGE_STMT:
            self.each(statement, env)
        elif kind.is_expression():
            self.eval(statement, env)
        elif kind != Kind.NULL_STMT:
            raise Unknown(f"a statement that is not followed: {name_of(kind)}")
        return NOTHING

    def if_(self, statement, rest, env):
        cond, *branches = parts(statement)
        if cond.kind == Kind.DECL_STMT:  # if (declaration; condition)
            env = Env(env)
            self.declare(parts(cond)[0], env)
            cond, *branches = branches
        yes, *no = branches
        yes, no = statements(yes), statements(no[0]) if no else []
        if not no and yes and all(calls_member(s, "note") for s in yes):
            return NOTHING
        if any(calls_member(s, "fail") for s in yes):
            return self.execute([*no, *rest], Env(env)) if no else NOTHING
        found = self.truth(self.eval(cond, env))
        if found == UNSET:
            raise Unknown("a condition that is not known")
        if found[0] == "n":
            return self.execute([*(yes if found[1] else no), *rest], Env(env))
        if any(calls_member(s, "fail") for s in no):
            return self.execute([*yes, *rest], Env(env))
        if returns(yes) or returns(no):  # what follows belongs to the branches that come to it
            return self.branch(found, lambda: self.execute([*yes, *rest], Env(env)),
                               lambda: self.execute([*no, *rest], Env(env)))
        self.branch(found, lambda: self.execute(yes, Env(env)), lambda: self.execute(no, Env(env)))
        return NOTHING

    def switch(self, statement, rest, env):
        value = self.value(self.eval(parts(statement)[0], env))
        branches = cases(statement)

        def case(index):
            if index == len(branches):
                return self.execute(rest, env)
            labels, body = branches[index]
            if not labels:
                return self.execute(body, Env(env))
            cond = n(0)
            for label in labels:
                cond = binary("||", cond, binary("==", value, self.value(self.eval(label, env))))
            return self.branch(cond, lambda: self.execute(body, Env(env)), lambda: case(index + 1))

        return case(0)

    def declare(self, declared, env):
        if declared.kind in DECLARATIONS:
            return
        init, names = initial(declared), [c.spelling for c in parts(declared) if c.kind == Kind.UNEXPOSED_DECL]
        if names:
            value = self.eval(init, env)
            env.vars.update((name, self.element(value, n(i))) for i, name in enumerate(names))
            return
        value = UNSET if init is None else self.eval(init, env)
        if isinstance(value, Place) and value.type[0] in PLAIN and declared.type.kind not in REFERENCES:
            value = self.load(value)
        if is_expression(value) and value != UNSET:
            value = self.keep(value, declared.spelling)
        env.vars[declared.spelling] = value

    def for_(self, statement, env):
        first, cond, step, body = parts(statement)
        self.placed(self.statement, first, [], env)
        for _ in range(1000):
            found = self.truth(self.eval(cond, env))
            if found[0] != "n":
                raise Unknown("a loop whose end is not known")
            if not found[1]:
                return
            self.loop_body(statements(body), Env(env))
            self.eval(step, env)
        raise Unknown("an endless loop")

    def loop_body(self, body, env):
        for i, statement in enumerate(body):
            if statement.kind == Kind.IF_STMT and statements(parts(statement)[1])[-1:] and statements(
                    parts(statement)[1])[-1].kind == Kind.CONTINUE_STMT:
                cond = self.truth(self.eval(parts(statement)[0], env))
                self.branch(cond, lambda: None, lambda: self.execute(body[i + 1:], env))
                return
            if self.execute([statement], env):
                raise Unknown("a return in a loop")

    def each(self, statement, env):
        """Alternatives one after the other."""
        variable, over, body = parts(statement)
        over = self.eval(over, env)
        if not isinstance(over, Choices):
            raise Unknown("a loop over something that is not known")
        for i, (cond, value) in enumerate(over.rows):
            inner = Env(env)
            inner.vars[variable.spelling] = value
            self.chosen = i
            self.branch(cond, lambda: self.execute(statements(body), inner), lambda: None)
