# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a failing program small.

It is given a program and a test, which says whether a program still fails in the same way, and
tries one step after the other: fewer calls, fewer fetches, a constant for a value with all that it
needs, an operand for a result, fewer control edges, smaller constants. A step that keeps the
failure is kept. Steps may make nonsense of a graph: the test must not be content with that.
"""

import copy
import time

import graph
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
            for step in (drop_requests, drop_signatures, drop_fetches, use_constants, use_operands,
                         drop_waits, simplify_constants):
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
    return (len(program.nodes), sum(len(node.inputs) for node in program.nodes),
            sum(len(one.fetches) + len(one.targets) for one in program.signatures),
            len(program.requests), sum(len(graph.print_node(node)) for node in program.nodes))


def pruned(program):
    """Without nodes and feeds that nothing needs."""
    roots = [root for one in program.signatures for root in one.fetches + one.targets]
    nodes = graph.reachable(program.nodes, roots)
    names = {node.name for node in nodes}
    signatures = [Signature(one.name, [feed for feed in one.feeds if feed in names], one.fetches,
                            one.targets)
                  for one in program.signatures if one.fetches or one.targets]
    kept = {one.name: one for one in signatures}
    requests = [{**request, "inputs": {name: value for name, value in request["inputs"].items()
                                       if name in kept[request["signature"]].feeds}}
                for request in program.requests if request["signature"] in kept]
    return Program(nodes, signatures, requests, program.facts)


def changed(program, change):
    """A copy to which something has been done."""
    other = Program(copy.deepcopy(program.nodes), copy.deepcopy(program.signatures),
                    list(program.requests), program.facts)
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


def replace_uses(program, ref, by):
    for node in program.nodes:
        node.inputs = [by if source == ref else source for source in node.inputs]
    for one in program.signatures:
        one.fetches = [by if fetch == ref else fetch for fetch in one.fetches]


def used_refs(program):
    """What is used as a value, the last first: what it needs goes with it."""
    places = {node.name: number for number, node in enumerate(program.nodes)}
    refs = {source for node in program.nodes for source in node.inputs if source[0] != "^"}
    refs |= {fetch for one in program.signatures for fetch in one.fetches}
    return sorted(refs, key=lambda ref: (-places.get(node_of(ref), 0), ref))


def use_constants(program):
    by_name = {node.name: node for node in program.nodes}
    for ref in used_refs(program):
        fact = program.facts.get(ref)
        # A node that is gone is missed only when the program is compiled.
        source = by_name.get(node_of(ref))
        if fact is None or fact[0] not in graph.DTYPES or not source or source.op == "Const":
            continue
        dtype, shape, pivot = fact
        for element in (0, 1) if dtype != "b" else (False, True):
            def constant(other, ref=ref, dtype=dtype, shape=shape, pivot=pivot, element=element):
                name = f"fixed_{ref.replace(':', '_')}_{int(element)}"
                after = [pivot] if pivot else []
                other.nodes.append(graph.constant(name, dtype, [element], shape, after))
                replace_uses(other, ref, name)
            yield (ref, element), lambda constant=constant: changed(program, constant)


def use_operands(program):
    for node in reversed(program.nodes):
        outputs = {source for other in program.nodes for source in other.inputs
                   if source[0] != "^" and node_of(source) == node.name}
        outputs |= {fetch for one in program.signatures for fetch in one.fetches
                    if node_of(fetch) == node.name}
        for operand in dict.fromkeys(source.lstrip("^") for source in node.inputs):
            if not outputs or node_of(operand) == node.name:
                continue

            def bypass(other, outputs=frozenset(outputs), operand=operand):
                for output in outputs:
                    replace_uses(other, output, operand)
            yield (node.name, operand), lambda bypass=bypass: changed(program, bypass)


def drop_waits(program):
    by_name = {node.name: node for node in program.nodes}
    for number, node in enumerate(program.nodes):
        for wait in [source for source in node.inputs if source[0] == "^"]:
            def drop(other, number=number, wait=wait):
                other.nodes[number].inputs.remove(wait)
            yield (node.name, wait), lambda drop=drop: changed(program, drop)
            for source in dict.fromkeys(map(node_of, by_name[node_of(wait)].inputs)):
                def earlier(other, number=number, wait=wait, source=source):
                    inputs = other.nodes[number].inputs
                    inputs[inputs.index(wait)] = f"^{source}"
                yield (node.name, wait, source), lambda earlier=earlier: changed(program, earlier)


def simplify_constants(program):
    for number, node in enumerate(program.nodes):
        fact = program.facts.get(node.name)
        if node.op != "Const" or fact is None:
            continue
        for element in (0, 1) if fact[0] != "b" else (False, True):
            def simplify(other, number=number, fact=fact, element=element):
                value = graph.tensor_of(fact[0], [element], fact[1])
                other.nodes[number].attributes["value"] = value
            yield (node.name, element), lambda simplify=simplify: changed(program, simplify)
