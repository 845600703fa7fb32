# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws a program from a seed.

Which features a program has, and how much of each, is drawn first ("swarm"): programs that have all
of everything look alike, and hide what happens when something is absent.
"""

import itertools
import math
import random
from dataclasses import replace

import control
import effects
import functional
import functions
import generic
import graph
import library
import list_loops
import list_looks
import lists
import outline
import pure_ops
import recursion
import reports
import walks
from graph import LIST, Node, Value
from kinds import stands_for
from places import Place
from program import Program, Signature, tensor

FEEDS = [("f", ()), ("i", ()), ("b", ()), ("f", (3,)), ("f", (16,)), ("f", (5, 7)), ("i", (3,)),
         ("i", (16,)), ("f", (0,)), ("f", (7, 5)), ("i", ()), ("d", ()), ("f", (1,)), ("f", (3, 1)),
         ("l", ()), ("d", (2,)), ("l", (4,)), ("b", (3,)), ("f", ()), ("f", (33, 17)), ("d", (70,))]
BLOCKS = [("pure", 10), ("branch", 1), ("loop", 1), ("effect", 1.5), ("reopen", 0.5), ("sync", 0.3),
          ("gather", 0.4)]
# Of programs with arrays and stacks.
CONTAINERS = [("effect", 4), ("rows", 1), ("nested", 0.6), ("gradient", 0.8), ("stacks", 0.8),
              ("bare", 0.3)]
# Of programs with functions.
CALLS = [("call", 1.5), ("functional_branch", 1.2), ("case", 0.7), ("functional_loop", 1),
         ("count", 0.5), ("generic", 0.7), ("recursion", 0.8), ("ways", 0.3), ("report", 1.2),
         ("effect", 2)]
# Of programs with lists.
LISTS = [("list", 6), ("map", 1.2), ("pushes", 1), ("lists_of_lists", 0.4)]
CHANCES = {"wait": 0.15, "carry": 0.4, "test": 0.4, "trigger": 0.3, "growing": 0.2, "odd": 0.3,
           "bare": 0.03, "wider": 0.5, "meet": 0.15, "half": 0.15}


class Draw:
    def __init__(self, seed):
        self.rng, self.odd = random.Random(seed), random.Random(f"odd {seed}")
        self.nodes, self.facts, self.names = [], {}, 0
        self.resources, self.branches, self.starts = [], [], []
        self.used = set()  # refs
        self.declared = {}  # feed → its sizes, -1 where they are not known
        self.places, self.functions, self.generics, self.outlined = [], [], [], {}
        # While a function is drawn: the functions around it, and calls that it may lead to and has.
        self.open, self.allowance, self.cost = [], functions.MOST, 0
        # Programs without functions are the same, whatever is drawn for those with.
        self.calls = random.Random(f"{seed} calls").random() < 0.4
        self.lists = random.Random(f"lists {seed}").random() < (0.5 if self.calls else 0.25)
        self.draw_features()
        self.root = Place(self)
        self.budget = self.size
        self.feeds = [self.feed(dtype, shape) for dtype, shape in FEEDS if self.rng.random() < 0.5]
        if not self.feeds:
            self.feeds = [self.feed("f", (3,))]
        for _ in range(self.variables):
            effects.create_variable(self, self.root)
        while self.budget > 0:
            self.block(self.root, 1)
        for resource in self.resources:
            if resource.owner is self.root and self.rng.random() < 0.8:
                effects.look_at(self, self.root, resource)
        for value in list(self.root.values):
            if value.dtype == LIST and value.ref not in self.used and self.rng.random() < 0.7:
                list_looks.look_at(self, self.root, value)
        if sum(value.dtype != LIST for value in self.root.values) == len(self.feeds):
            # Something must be left to fetch.
            pure_ops.fill(self, self.root)
        if self.calls and self.rng.random() < 0.5:
            outline.outline(self)
        self.settle_calls()

    def draw_features(self):
        rng = self.rng
        self.size = rng.choice([3, 8, 15, 25, 40, 60])
        self.contains = rng.random() < 0.45
        blocks = dict(BLOCKS + CONTAINERS * self.contains + CALLS * self.calls
                      + LISTS * self.lists)
        self.weights = {name: 0 if rng.random() < 0.3 else weight * rng.uniform(0.3, 2)
                        for name, weight in blocks.items()}
        self.weights["pure"] = max(self.weights["pure"], 1)
        self.ops = [weight * rng.choice([0, 0.5, 1, 1, 2]) for _, weight in pure_ops.WEIGHTED]
        self.ops[0] = max(self.ops[0], 4)
        self.chances = {name: 0 if rng.random() < 0.3 else chance * rng.uniform(0.3, 1.7)
                        for name, chance in CHANCES.items()}
        if self.contains and rng.random() < 0.5:  # tidy: more of its loops and arrays are raised
            self.chances = dict.fromkeys(self.chances, 0)
            self.weights["sync"] = self.weights["reopen"] = 0
        self.failure = rng.choice([0, 0, 0, 0.05, 0.3])
        self.variables = rng.choice([0, 1, 1, 2] if self.calls else [0, 0, 0, 1, 2])
        self.separate_start = rng.random() < 0.5

    def chance(self, name):
        return self.rng.random() < self.chances[name]

    def fails(self, factor=1.0):
        """Whether something that may fail at run time is drawn."""
        return self.rng.random() < self.failure * factor

    def is_odd(self, factor=1.0):
        """As `fails`, for what came later: programs without it stay what they were."""
        return self.odd.random() < self.failure * factor

    # What places need.

    def new_name(self, word):
        self.names += 1
        return f"{word.lower().lstrip('_')}_{self.names}"

    def add(self, node):
        self.nodes.append(node)
        self.used.update(node.inputs)
        return node

    def note(self, value, pivot):
        self.facts[value.ref] = (value.dtype, value.shape, pivot)
        return value

    def draw_waits(self, place):
        candidates = list(place.nodes)
        if place.kind == "branch":
            candidates += place.parent.nodes
        if not candidates or not self.chance("wait"):
            return []
        return [f"^{self.rng.choice(candidates[-30:])}"]

    # Values.

    def feed(self, dtype, shape):
        name = self.new_name("x")
        declared = [size if self.rng.random() < 0.6 else -1 for size in shape]
        unknown = self.rng.random() < 0.1
        self.add(Node(name, "Placeholder", [], {
            "dtype": graph.type_of(dtype),
            "shape": "shape { unknown_rank: true }" if unknown else graph.shape_of(declared)}))
        self.declared[name] = declared
        value = self.note(Value(name, dtype, shape), "")
        self.root.values.append(value)
        return value

    def number(self, dtype):
        if dtype == "b":
            return self.rng.random() < 0.5
        if dtype in "il":
            return self.rng.choice([0, 1, 2, 3, -1, 7])
        return self.rng.choice([0.0, -0.0, 1.0, 0.5, -2.25, 3.0, 1e-3])

    def constant(self, place, dtype, elements, shape=()):
        after = [place.pivot] if place.pivot else []
        node = self.add(graph.constant(self.new_name("const"), dtype, elements, shape, after))
        return self.note(Value(node.name, dtype, tuple(shape)), place.pivot)

    def pick(self, place, fits=lambda value: True):
        """A tensor that a place can see, rather a near one and a late one; None if none fits."""
        return self.pick_any(place, lambda value: value.dtype != LIST and fits(value))

    def pick_kind(self, place, dtype, shape):
        """A value of this kind: of a list no more is known."""
        value = self.pick_any(place, lambda value: stands_for(value, dtype, shape))
        return replace(value, shape=shape) if value and dtype == LIST else value

    def another(self, place, dtype, shape):
        """A new value."""
        if dtype == LIST:
            return replace(lists.another(self, place, shape), shape=shape)
        return self.constant(place, dtype, [self.number(dtype)], shape)

    def pick_any(self, place, fits=lambda value: True):
        """A tensor or a list."""
        owner, chosen = place, None
        while owner is not None:
            fitting = [value for value in owner.values if fits(value)]
            if fitting:
                chosen = owner, fitting
                if self.rng.random() < 0.6:
                    break
            owner = owner.parent
        if chosen is None:
            return None
        owner, fitting = chosen
        if self.rng.random() < 0.75:  # what nobody uses would be pruned
            fitting = [value for value in fitting if value.ref not in self.used] or fitting
        late = fitting[-8:] if self.rng.random() < 0.6 else fitting
        return place.bring(self.rng.choice(late), owner)

    def scalar(self, place, dtype):
        value = self.pick(place, lambda value: value.dtype == dtype and value.shape == ())
        if value is None or self.rng.random() < 0.15:
            return self.constant(place, dtype, [self.number(dtype)])
        return value

    def predicate(self, place):
        """A scalar, but for some of the programs that may fail."""
        odd = self.pick(place, lambda value: value.dtype == "b") if self.is_odd(0.2) else None
        if odd is not None:  # import refuses one of which it knows the rank
            return place.add("LogicalNot", [odd], [("b", odd.shape)])[0]
        if self.rng.random() < 0.5:
            return self.scalar(place, "b")
        left = self.scalar(place, self.rng.choice("fidl"))
        right = self.scalar(place, left.dtype)
        return place.add("Less", [left, right], [("b", ())], T=graph.type_of(left.dtype))[0]

    def range(self, place, count, rows):
        """0 to `count`, a value that will be `rows`."""
        first, step = self.constant(place, "i", [0]), self.constant(place, "i", [1])
        return place.add("Range", [first, count, step], [("i", (rows,))],
                         Tidx=graph.type_of("i"))[0]

    def size_of(self, place, value):
        """The number of rows, known or asked for."""
        if self.rng.random() < 0.5:
            return self.constant(place, "i", [value.shape[0]])
        shape = place.add("Shape", [value], [("i", (len(value.shape),))],
                          T=graph.type_of(value.dtype), out_type=graph.type_of("i"))[0]
        zero = self.constant(place, "i", [0])
        return place.add("GatherV2", [shape, zero, zero], [("i", ())], Tparams=graph.type_of("i"),
                         Tindices=graph.type_of("i"), Taxis=graph.type_of("i"),
                         batch_dims="i: 0")[0]

    @staticmethod
    def in_loop(place, owner):
        """Whether a place is repeated within its owner."""
        while place is not owner:
            if place.kind in ("body", "test"):
                return True
            place = place.parent
        return False

    # Blocks.

    def block(self, place, count, pure=False):
        for _ in range(count):
            if self.budget <= 0:
                return
            self.budget -= 1
            kind = self.rng.choices(list(self.weights), list(self.weights.values()))[0]
            if pure or kind == "pure" or place.kind == "test" and kind != "effect":
                self.rng.choices([op for op, _ in pure_ops.WEIGHTED], self.ops)[0](self, place)
            else:
                self.structure(kind, place)

    def structure(self, kind, place):
        if kind == "sync":
            name = self.add(Node(self.new_name("noop"), "NoOp",
                                 [f"^{node}" for node in self.some(place.nodes, 3)])).name
            if place.nodes:
                place.nodes.append(name)
        else:
            {"branch": control.branch, "loop": control.loop, "effect": effects.use,
             "rows": walks.array_loop, "nested": walks.nested_loop,
             "gradient": walks.gradient_loop, "stacks": walks.stack_loops,
             "bare": walks.bare_stack_loops,
             "reopen": control.reopen, "gather": control.gather_gradient,
             "call": functions.plain_call, "functional_branch": functional.functional_branch,
             "case": functional.functional_case, "functional_loop": functional.functional_loop,
             "count": functional.functional_count, "generic": generic.generic_call,
             "recursion": recursion.recursion, "ways": functional.ways,
             "report": reports.report, "list": list_looks.use, "map": list_loops.map_loop,
             "pushes": list_loops.push_loops,
             "lists_of_lists": list_loops.nested_loops}[kind](self, place)

    def all_functions(self):
        """By name."""
        found = [one.function for one in self.functions] + self.generics
        return {one.name: one for one in found} | self.outlined

    def settle_calls(self):
        """Lets some calls promise that there are no effects, and says which functions have any."""
        found = self.all_functions()
        library.mark_stateful(found)
        for nodes in [self.nodes, *(one.nodes for one in found.values())]:
            for node in nodes:
                quiet = not any(found[name].stateful for name in library.called(node, found))
                if node.op in library.QUIET and quiet and self.rng.random() < 0.6:
                    node.op = library.QUIET[node.op]

    def some(self, items, most):
        return self.rng.sample(items, min(len(items), self.rng.randint(1, most)))

    # The program.

    def program(self):
        rng, fed = self.rng, {value.ref for value in self.feeds}
        fetchable = [value.ref for value in self.root.values
                     if value.ref not in fed and value.dtype != LIST]
        for sides in self.branches:  # dead, perhaps
            if sides[0].parent is self.root and self.fails():
                fetchable.append(rng.choice([value.ref for value in rng.choice(sides).values
                                             if value.dtype != LIST]))
        signatures = [self.signature("main", fetchable)]
        if self.starts:
            signatures.insert(0, Signature("start", [], [], self.starts))
        if rng.random() < 0.2:
            signatures.append(self.signature("other", fetchable))
            signatures[-1].feeds += [ref for ref in self.some(fetchable, 2)
                                     if ref not in signatures[-1].fetches and self.chance("odd")]
        requests = [self.request(signature) for signature in signatures]
        again = signatures[1:] if self.starts else signatures
        requests += [self.request(rng.choice(again), rng.random() < 0.15)
                     for _ in range(rng.choice([0, 1, 1, 2]))]
        return Program(self.nodes, signatures, requests, self.facts,
                       library.reached(self.nodes, self.all_functions()))

    def signature(self, name, fetchable):
        targets = [order.node for resource, order in self.root.orders.items()
                   if resource.kind in ("variable", "reference") and self.rng.random() < 0.7]
        targets += [node.name for node in self.nodes
                    if node.op == "NoOp" and node.name in self.root.nodes and self.chance("odd")]
        unused = [ref for ref in fetchable if ref not in self.used]
        fetches = self.some(fetchable, 4) + (self.some(unused, 12) if unused else [])
        return Signature(name, [value.ref for value in self.feeds], list(dict.fromkeys(fetches)),
                         sorted(set(targets)))

    def request(self, signature, resized=False):
        values = {value.ref: value for value in self.feeds + self.root.values}
        for side in itertools.chain.from_iterable(self.branches):  # what may be dead can be fed, too
            values.update((value.ref, value) for value in side.values)
        inputs = {}
        for ref in signature.feeds:
            value = values[ref]
            shape = tuple(self.rng.choice([0, 1, 2, 5, 19]) if resized and size == -1 else drawn
                          for size, drawn in zip(self.declared.get(ref, value.shape), value.shape))
            elements = [self.element(value.dtype) for _ in range(math.prod(shape))]
            inputs[ref] = tensor(value.dtype, elements, shape)
        return {"signature": signature.name, "inputs": inputs}

    def element(self, dtype):
        rng, odd = self.rng, self.chances["odd"] and self.rng.random() < 0.04
        if dtype == "b":
            return rng.random() < 0.5
        if dtype in "il":
            largest = 2 ** (31 if dtype == "i" else 63)
            return rng.choice([largest - 1, -largest, -1]) if odd else rng.randint(-1, 4)
        return rng.choice([0.0, -0.0, math.inf, math.nan, 3e38]) if odd else rng.uniform(-3, 3)


def draw_program(seed):
    return Draw(seed).program()
