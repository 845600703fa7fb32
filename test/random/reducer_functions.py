# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The reducer's steps for functions: a call of one branch for a branch, the nodes of a function for
its call, and fewer arguments, results and effects."""

import re

import graph
import library
from graph import Node, node_of
from program import Program

CALLS = ("PartitionedCall", "StatefulPartitionedCall")
CHOICES = ("If", "StatelessIf", "Case", "StatelessCase")
LOOPS = ("While", "StatelessWhile")


def sites(program):
    """(number of the list of nodes, position in it, node) of all that call."""
    for number, nodes in enumerate(program.bodies()):
        for position, node in enumerate(nodes):
            if library.called(node, program.functions):
                yield number, position, node


def function_texts(node):
    """The functions that a node's attributes name, as texts of values."""
    found = []
    for key in sorted(node.attributes, reverse=True):  # then_branch before else_branch
        found += re.findall(r'func \{ name: ".*?"(?: attr \{ .*? \} \})? \}', node.attributes[key])
    return list(dict.fromkeys(found))


def simplify_calls(program):
    """A call of one of its functions for a branch or a loop."""
    for number, position, node in sites(program):
        if node.op not in CHOICES + LOOPS:
            continue
        for text in function_texts(node):
            def simplify(other, number=number, position=position, text=text):
                node = other.bodies()[number][position]
                types = node.attributes.get("T")
                attributes = {"f": text, "Tin": types or node.attributes["Tin"],
                              "Tout": types or node.attributes["Tout"]}
                drop = 1 if node.op in CHOICES else 0
                other.bodies()[number][position] = Node(
                    node.name, "StatefulPartitionedCall", node.inputs[drop:], attributes)
            yield (node.name, text), simplify


def inline_calls(program):
    """A function's nodes for a call."""
    for number, position, node in sites(program):
        names = library.called(node, program.functions)
        is_call = node.op in CALLS or node.op in program.functions
        if is_call and not calls_itself(program.functions[names[0]], program.functions):
            def inline(other, number=number, position=position, name=names[0]):
                splice(other, number, position, other.functions[name])
            yield (node.name, names[0]), inline


def calls_itself(function, functions):
    """Without another function between."""
    return any(function.name in library.called(node, functions) for node in function.nodes)


def splice(program, number, position, function):
    body = program.bodies()[number]
    call = body.pop(position)
    values = [ref for ref in call.inputs if ref[0] != "^"]
    waits = [ref for ref in call.inputs if ref[0] == "^"]
    arguments = {name: value for (name, _), value in zip(function.arguments, values)}
    types = {name: call.attributes.get(name, default)
             for name, default in function.attributes.items()}
    if call.op in CALLS:
        told = re.search(r'key: "(\w+)" value \{ (.*?) \}', call.attributes["f"])
        types |= {told[1]: told[2]} if told else {}
    taken = {node.name for node in program.all_nodes()} | {call.name}
    names = {node.name: fresh_name(f"{node.name}_{call.name}", taken) for node in function.nodes}

    def other(ref):
        name, mark = node_of(ref), "^" if ref[0] == "^" else ""
        if name in arguments:
            return None if mark else arguments[name]
        return mark + names.get(name, name) + ref.lstrip("^")[len(name):]
    copies = []
    for node in function.nodes:
        inputs = [ref for ref in map(other, node.inputs) if ref]
        if not any(ref[0] != "^" for ref in inputs):
            inputs += waits or [f"^{node_of(value)}" for value in values[:1]]
        attributes = {key: substituted(value, types) for key, value in node.attributes.items()}
        copies.append(Node(names[node.name], node.op, inputs, attributes))
        for ref, fact in [(ref, fact) for ref, fact in program.facts.items()
                          if node_of(ref) == node.name]:
            program.facts[names[node.name] + ref[len(node.name):]] = (*fact[:2], "")
    body[position:position] = copies
    for slot, (_, _, ref) in enumerate(function.results):
        program.replace_uses(f"{call.name}:{slot}" if slot else call.name, other(ref))
    program.replace_waits(call.name, [f"^{node.name}" for node in copies[-1:]])


def fresh_name(name, taken):
    name = name[:60]
    while name in taken:
        name += "x"
    taken.add(name)
    return name


def substituted(value, types):
    match = re.fullmatch(r'placeholder: "(\w+)"', value)
    return types[match[1]] if match else value


def drop_effects(program):
    """Nodes of functions, or their control outputs, that nobody needs for a value."""
    for function in program.functions.values():
        used = {node_of(ref) for node in function.nodes for ref in node.inputs if ref[0] != "^"}
        used |= {node_of(ref) for _, _, ref in function.results}
        for node in function.nodes:
            if node.name in used:
                continue

            def drop(other, function=function.name, name=node.name):
                body = other.functions[function]
                (gone,) = [node for node in body.nodes if node.name == name]
                body.nodes.remove(gone)
                body.waits = [wait for wait in body.waits if wait != name]
                other.replace_waits(name, [ref for ref in gone.inputs if ref[0] == "^"])
            yield (function.name, node.name), drop
        for wait in function.waits:
            def forget(other, function=function.name, wait=wait):
                other.functions[function].waits.remove(wait)
            yield (function.name, "wait", wait), forget


# Arguments and results

def interface(program, name):
    """The names of all functions that are called by the same nodes as one, and these nodes."""
    names, nodes, before = {name}, [], 0
    while len(names) != before:
        before = len(names)
        nodes = [node for _, _, node in sites(program)
                 if names & set(library.called(node, program.functions))]
        names |= {other for node in nodes for other in library.called(node, program.functions)}
    return names, nodes


def drop_ports(program):
    """An argument that no function of a group uses, a result of which nobody makes anything, and in
    loops both at once."""
    for function in program.functions.values():
        names, nodes = interface(program, function.name)
        ops = {node.op for node in nodes}
        is_loop = bool(ops & set(LOOPS))
        if ("For" in ops or (is_loop and ops - set(LOOPS))
                or any(program.functions[name].attributes for name in names)):
            continue
        used = {slot for name in names for slot in used_arguments(program.functions[name], is_loop)}
        given = {slot for node in nodes for slot in used_results(program, node.name)}
        for slot in set(range(len(function.arguments))) - used - (given if is_loop else set()):
            def argument(other, name=function.name, slot=slot, is_loop=is_loop):
                drop_port(other, name, slot, "arguments")
                if is_loop:
                    drop_port(other, name, slot, "results")
            yield (function.name, "argument", slot, len(function.arguments)), argument
        for slot in set(range(0 if is_loop else len(function.results))) - given:
            def result(other, name=function.name, slot=slot):
                drop_port(other, name, slot, "results")
            yield (function.name, "result", slot, len(function.results)), result


def used_arguments(function, is_loop):
    """By number. What a loop's body only hands on to the next iteration is not used."""
    refs = {ref for node in function.nodes for ref in node.inputs}
    refs |= {ref for slot, (_, _, ref) in enumerate(function.results)
             if not (is_loop and function.arguments[slot:slot + 1]
                     and function.arguments[slot][0] == ref)}
    return [slot for slot, (name, _) in enumerate(function.arguments) if name in refs]


def used_results(program, name):
    refs = {ref for node in program.all_nodes() for ref in node.inputs}
    refs |= {ref for function in program.functions.values() for _, _, ref in function.results}
    refs |= {ref for one in program.signatures for ref in one.fetches}
    return [int(ref.split(":")[1]) if ":" in ref else 0 for ref in refs
            if ref[0] != "^" and node_of(ref) == name]


def drop_port(program, name, slot, which):
    names, nodes = interface(program, name)
    for one in names:
        ports = getattr(program.functions[one], which)
        if not (which == "results" and len(ports) == 1 and is_condition(one, nodes)):
            del ports[slot]
    for node in nodes:
        if which == "arguments":
            del node.inputs[slot + (node.op in CHOICES)]
        else:
            renumber(program, node.name, slot)
        for key in ("Tin" if which == "arguments" else "Tout", "T" * (which == "arguments")):
            if node.attributes.get(key, "").startswith("list"):
                types = re.findall(r"type: DT_\w+", node.attributes[key])
                del types[slot]
                node.attributes[key] = f"list {{ {' '.join(types)} }}"


def is_condition(name, nodes):
    return any(node.op in LOOPS and f'"{name}"' in node.attributes["cond"] for node in nodes)


def renumber(program, name, slot):
    """A node has lost an output."""
    def other(ref):
        if ref[0] == "^" or node_of(ref) != name:
            return ref
        number = int(ref.split(":")[1]) if ":" in ref else 0
        number -= number > slot
        return f"{name}:{number}" if number else name
    program.rewrite(other)
