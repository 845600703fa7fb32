# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a failing program small.

It is given a program and a test, which says whether a program still fails in the same way, and
tries one step after the other: fewer calls, fewer fetches, a constant for a value with all that it
needs, a new list for a list (`reducer_lists.py`), an operand for a result, fewer control edges, smaller
constants; a function's nodes for a call, and functions with less (`reducer_functions.py`). A step that keeps the
failure is kept. Steps may make nonsense of a graph: the test must not be content with that.
"""

import copy
import time
from dataclasses import replace

import graph
import library
import reducer_functions
import reducer_lists
from graph import node_of
from program import Program, Signature


def reduce(program, fails, seconds):
    """The smallest program found within so many seconds; the one given, if nothing helps."""
    return Reduction(program, fails, time.monotonic() + seconds).run()


class Reduction:
    def __init__(self, program, fails, end):
        self.program, self.fails, self.end = program, fails, end

    def run(self):
        self.attempt(pruned(self.program))
        before = None
        while before != (size(self.program)) and time.monotonic() < self.end:
            before = size(self.program)
            for step in (drop_requests, drop_signatures, drop_fetches, drop_xs, use_constants,
                         use_new_lists, *FUNCTION_STEPS, use_operands, drop_waits,
                         simplify_constants):
                self.apply(step)
        return self.program

    def apply(self, step):
        """Goes through all that a step offers; what is kept changes what there is to offer."""
        tried = set()
        while time.monotonic() < self.end:
            offers = [(key, make) for key, make in step(self.program) if key not in tried]
            if not offers:
                return
            for key, make in offers:
                tried.add(key)
                if time.monotonic() >= self.end or self.attempt(make()):
                    break

    def attempt(self, candidate):
        if not candidate.signatures or size(candidate) >= size(self.program):
            return False
        if not self.fails(candidate):
            return False
        self.program = candidate
        return True


def size(program):
    """What is to become less."""
    nodes = program.all_nodes()
    return (len(nodes) + len(program.functions) + branches(nodes),
            sum(len(node.inputs) for node in nodes)
            + sum(len(one.arguments) + len(one.results) for one in program.functions.values()),
            sum(len(one.roots()) for one in program.signatures),
            len(program.requests), sum(len(graph.print_node(node)) for node in nodes)
            + sum(len(one.waits) for one in program.functions.values()))


def branches(nodes):
    """A call is less than a choice between calls."""
    return sum(node.op in reducer_functions.CHOICES + reducer_functions.LOOPS for node in nodes)


def pruned(program):
    """Without nodes and feeds that nothing needs."""
    roots = [root for one in program.signatures for root in one.roots()]
    nodes = graph.reachable(program.nodes, roots)
    functions = {name: replace(function, nodes=library.needed(function, program.functions))
                 for name, function in program.functions.items()}
    functions = library.reached(nodes, functions)
    names = {node.name for node in nodes}
    signatures = [Signature(one.name, [feed for feed in one.feeds if feed in names], one.fetches,
                            one.targets, one.gradients)
                  for one in program.signatures if one.fetches or one.targets]
    kept = {one.name: one for one in signatures}
    requests = [{**request, "inputs": {name: value for name, value in request["inputs"].items()
                                       if name in kept[request["signature"]].feeds}}
                for request in program.requests if request["signature"] in kept]
    return Program(nodes, signatures, requests, program.facts, functions)


def changed(program, change):
    """A copy to which something has been done."""
    other = Program(copy.deepcopy(program.nodes), copy.deepcopy(program.signatures),
                    list(program.requests), program.facts, copy.deepcopy(program.functions))
    change(other)
    return pruned(other)


# Steps: each gives pairs of a key, which names the attempt, and a function that makes the program.

def drop_requests(program):
    for number in range(len(program.requests)):
        def drop(other, number=number):
            del other.requests[number]
        yield (len(program.requests), number), lambda drop=drop: changed(program, drop)


def drop_signatures(program):
    for one in program.signatures:
        def drop(other, name=one.name):
            other.signatures = [one for one in other.signatures if one.name != name]
        yield one.name, lambda drop=drop: changed(program, drop)


def drop_fetches(program):
    for number, one in enumerate(program.signatures):
        for kind in ("fetches", "targets"):
            for item in getattr(one, kind):
                def drop(other, number=number, kind=kind, item=item):
                    getattr(other.signatures[number], kind).remove(item)
                yield (one.name, kind, item), lambda drop=drop: changed(program, drop)


def drop_xs(program):
    for number, one in enumerate(program.signatures):
        for request, (_, xs, _) in enumerate(one.gradients):
            for x in xs if len(xs) > 1 else []:
                def drop(other, number=number, request=request, x=x):
                    for refs in other.signatures[number].gradients[request][1:]:
                        refs[:] = [ref for ref in refs if ref != x]
                yield (one.name, request, x), lambda drop=drop: changed(program, drop)


def used_refs(program):
    """What is used as a value, the last first: what it needs goes with it."""
    nodes = program.all_nodes()
    places = {node.name: number for number, node in enumerate(nodes)}
    refs = {source for node in nodes for source in node.inputs if source[0] != "^"}
    refs |= {ref for function in program.functions.values() for _, _, ref in function.results}
    refs |= {fetch for one in program.signatures for fetch in one.fetches}
    return sorted(refs, key=lambda ref: (-places.get(node_of(ref), 0), ref))


def use_constants(program):
    homes = {node.name: (number, node.op) for number, nodes in enumerate(program.bodies())
             for node in nodes}
    homes |= {name: (number, "") for number, function in enumerate(program.functions.values(), 1)
              for name, _ in function.arguments}
    for ref in used_refs(program):
        fact = program.facts.get(ref)
        # A node that is gone is missed only when the program is compiled.
        home, op = homes.get(node_of(ref), (None, ""))
        if fact is None or fact[0] not in graph.DTYPES or home is None or op == "Const":
            continue
        for element in (0, 1) if fact[0] != "b" else (False, True):
            def constant(other, ref=ref, fact=fact, element=element, home=home):
                dtype, shape, pivot = fact
                name = f"fixed_{ref.replace(':', '_')}_{int(element)}"
                after = [pivot] if pivot else []
                other.bodies()[home].append(graph.constant(name, dtype, [element], shape, after))
                other.replace_uses(ref, name)
            yield (ref, element), lambda constant=constant: changed(program, constant)


def use_new_lists(program):
    for key, change in reducer_lists.use_new_lists(program, used_refs(program)):
        yield key, lambda change=change: changed(program, change)


def use_operands(program):
    refs = used_refs(program)
    for node in reversed(program.all_nodes()):
        outputs = {ref for ref in refs if node_of(ref) == node.name}
        for operand in dict.fromkeys(source.lstrip("^") for source in node.inputs):
            if not outputs or node_of(operand) == node.name:
                continue

            def bypass(other, outputs=frozenset(outputs), operand=operand):
                other.rewrite(lambda ref: operand if ref in outputs else ref)
            yield (node.name, operand), lambda bypass=bypass: changed(program, bypass)


def drop_waits(program):
    by_name = {node.name: node for node in program.all_nodes()}
    for number, node in enumerate(program.all_nodes()):
        for wait in [source for source in node.inputs if source[0] == "^"]:
            def drop(other, number=number, wait=wait):
                other.all_nodes()[number].inputs.remove(wait)
            yield (node.name, wait), lambda drop=drop: changed(program, drop)
            for source in dict.fromkeys(map(node_of, by_name[node_of(wait)].inputs)):
                def earlier(other, number=number, wait=wait, source=source):
                    inputs = other.all_nodes()[number].inputs
                    inputs[inputs.index(wait)] = f"^{source}"
                yield (node.name, wait, source), lambda earlier=earlier: changed(program, earlier)


def simplify_constants(program):
    for number, node in enumerate(program.all_nodes()):
        fact = program.facts.get(node.name)
        if node.op != "Const" or fact is None:
            continue
        for element in (0, 1) if fact[0] != "b" else (False, True):
            def simplify(other, number=number, fact=fact, element=element):
                value = graph.tensor_of(fact[0], [element], fact[1])
                other.all_nodes()[number].attributes["value"] = value
            yield (node.name, element), lambda simplify=simplify: changed(program, simplify)


def of_functions(step):
    """Those steps give pairs of a key and what changes a copy of the program."""
    return lambda program: ((key, lambda change=change: changed(program, change))
                            for key, change in step(program))


FUNCTION_STEPS = [of_functions(step) for step in (
    reducer_functions.simplify_calls, reducer_functions.inline_calls,
    reducer_functions.drop_effects, reducer_functions.drop_ports)]
