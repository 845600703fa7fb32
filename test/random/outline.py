# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes functions of parts of what has been drawn: of pure nodes of one place between which no node
outside of the part lies. A call of such a function may take their place."""

from dataclasses import replace

from functions import function_text
from graph import Node, node_of, text, types_of
from library import OPS, Function, is_stateful

NEVER = {"Switch", "Merge", "Enter", "Exit", "NextIteration", "LoopCond", "NoOp", "ControlTrigger",
         "Placeholder", "_SwitchN", "DeviceIndex", "FakeParam"}
LARGEST = 8


def outline(draw):
    """Here and there, in the graph and in functions."""
    bodies = [draw.nodes, *(function.nodes for function in draw.all_functions().values())]
    owner = {node.name: body for body in bodies for node in body}
    kept = {value.node for place in draw.places for value in place.orders.values()}
    kept |= {place.pivot for place in draw.places} | set(draw.starts)
    kept |= {name for function in draw.all_functions().values() for name in function.waits}
    for place in draw.places:
        if place.nodes and draw.rng.random() < 0.3 and place.nodes[0] in owner:
            body = owner[place.nodes[0]]
            part, users = draw_part(draw, place, body, kept)
            if part:
                Outlined(draw, body, part, users).move()


def is_pure(node, functions):
    return (node.op in OPS and node.op not in NEVER and not is_stateful(node, functions)
            and not any("func {" in value or "DT_RESOURCE" in value or "placeholder" in value
                        for value in node.attributes.values()))


def draw_part(draw, place, body, kept):
    """Names of nodes that may move, and who needs each node."""
    by_name, functions = {node.name: node for node in body}, draw.all_functions()
    members = {name for name in place.nodes if name in by_name and name not in kept
               and is_pure(by_name[name], functions)}
    if not members:
        return set(), {}
    users = {}
    for node in body:
        for ref in node.inputs:
            if by_name.get(node_of(ref)) and by_name[node_of(ref)].op != "NextIteration":
                users.setdefault(node_of(ref), []).append(node.name)
    for entering, leaving in around_loops(body, by_name):
        users.setdefault(entering, []).append(leaving)
    part = {draw.rng.choice(sorted(members))}
    for _ in range(draw.rng.randint(0, LARGEST)):
        near = {node_of(ref) for name in part for ref in by_name[name].inputs}
        near |= {user for name in part for user in users.get(name, [])}
        near = sorted((near & members) - part)
        more = near if near and draw.rng.random() < 0.9 else sorted(members - part)
        if more:
            bigger = part | {draw.rng.choice(more)}
            part = bigger if is_convex(bigger, users) else part
    return part, users


def around_loops(body, by_name):
    """The Enters of each Exit's loop: in the end what leaves depends on all that enters."""
    frames = {}
    for node in body:
        if node.op == "Enter":
            frames.setdefault(node.attributes["frame_name"], []).append(node.name)
    for node in body:
        entered, seen, pending = set(), set(), [node.name] if node.op == "Exit" else []
        while pending:
            other = by_name.get(pending.pop())
            if other is None or other.name in seen or other.op == "NextIteration":
                continue
            seen.add(other.name)
            if other.op == "Enter":
                entered.add(other.attributes["frame_name"])
            else:
                pending += [node_of(ref) for ref in other.inputs]
        for frame in sorted(entered):
            yield from ((name, node.name) for name in frames[frame])


def following(part, users):
    """What outside of a part needs it."""
    pending = [user for name in part for user in users.get(name, []) if user not in part]
    seen = set(pending)
    while pending:
        more = [user for user in users.get(pending.pop(), []) if user not in seen]
        seen.update(more)
        pending += more
    return seen


def is_convex(part, users):
    """Whether no way leads out of the part and back into it."""
    return not following(part, users) & part


class Outlined:
    def __init__(self, draw, body, part, users):
        self.draw, self.body, self.part, self.users = draw, body, part, users
        self.function = Function(draw.new_name("outlined"))
        self.by_name = {node.name: node for node in body}
        self.arguments, self.waits, self.constants = {}, [], []  # arguments: ref outside → name

    def move(self):
        draw, function, facts = self.draw, self.function, self.draw.facts
        given = self.results()
        moved = [self.inner(node) for node in self.body if node.name in self.part]
        if any(ref not in facts for ref in [*given, *self.arguments]):
            return
        function.nodes = self.constants + moved
        for ref, name in self.arguments.items():
            facts[name] = (*facts[ref][:2], "")
            function.arguments.append((name, facts[ref][0]))
        name, renamed = draw.new_name("outline"), {}
        for number, ref in enumerate(given):
            renamed[ref] = f"{name}:{number}" if number else name
            facts[renamed[ref]] = facts[ref]
            function.results.append((draw.new_name("result"), facts[ref][0], ref))
        for ref in (ref for ref in facts if node_of(ref) in self.part):
            facts[ref] = (*facts[ref][:2], "")
        self.put(self.call(name, given))
        self.rename(name, renamed)
        draw.outlined[function.name] = function

    def results(self):
        """What others use or may fetch."""
        draw = self.draw
        seen = {ref for node in self.body if node.name not in self.part for ref in node.inputs}
        seen |= {ref for one in draw.all_functions().values() for _, _, ref in one.results}
        seen |= {value.ref for place in draw.places for value in place.values}
        return [ref for ref in sorted(seen) if node_of(ref) in self.part and ref[0] != "^"]

    def inner(self, node):
        inputs = []
        for ref in node.inputs:
            source = self.by_name.get(node_of(ref))
            if node_of(ref) in self.part:
                inputs.append(ref)
            elif ref[0] == "^":
                self.waits.append(ref)
            elif (source and source.op == "Const" and ref in self.draw.facts
                  and self.draw.rng.random() < 0.7):
                inputs.append(self.constant(source))
            else:
                if ref not in self.arguments:
                    self.arguments[ref] = self.draw.new_name("argument")
                inputs.append(self.arguments[ref])
        return Node(node.name, node.op, inputs, node.attributes)

    def constant(self, source):
        """A copy: a function's constants wait for nothing, but the call for what they did."""
        self.waits += source.inputs
        self.constants.append(Node(self.draw.new_name("const"), "Const", [],
                                   dict(source.attributes)))
        copy = self.constants[-1].name
        self.draw.facts[copy] = (*self.draw.facts[source.name][:2], "")
        return copy

    def call(self, name, given):
        facts, waits = self.draw.facts, list(dict.fromkeys(self.waits))
        if self.draw.rng.random() < 0.4:
            return Node(name, self.function.name, [*self.arguments, *waits])
        return Node(name, "PartitionedCall", [*self.arguments, *waits], {
            "f": function_text(self.function.name), "config_proto": text(""),
            "Tin": types_of([facts[ref][0] for ref in self.arguments]),
            "Tout": types_of([facts[ref][0] for ref in given]), "executor_type": text("")})

    def put(self, call):
        """In the place of the last node that moves; what needs one that was earlier comes after."""
        last = max(number for number, node in enumerate(self.body) if node.name in self.part)
        late = following(self.part, self.users)
        before = [node for node in self.body[:last] if node.name not in self.part]
        self.body[:] = [*(node for node in before if node.name not in late), call,
                        *(node for node in before if node.name in late), *self.body[last + 1:]]

    def rename(self, name, renamed):
        def other(refs):
            new = [f"^{name}" if ref[0] == "^" and node_of(ref) in self.part
                   else renamed.get(ref, ref) for ref in refs]
            return [ref for number, ref in enumerate(new)
                    if ref[0] != "^" or ref not in new[:number]]
        draw = self.draw
        for node in self.body:
            node.inputs = other(node.inputs)
        for function in draw.all_functions().values():
            function.results = [(one, kind, renamed.get(ref, ref))
                                for one, kind, ref in function.results]
        for place in draw.places:
            place.values = [replace(value, ref=renamed.get(value.ref, value.ref))
                            for value in place.values]
            place.nodes = [node for node in place.nodes if node not in self.part]
        draw.used |= {renamed[ref] for ref in draw.used if ref in renamed}
