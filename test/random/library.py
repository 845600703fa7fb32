# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of a graph, and their text form in a GraphDef.

Here nodes of functions name values as those of graphs do, `node:1`; files name them by the outputs of
ops, `node:output:1`. No two nodes of a program have the same name, also in different functions.
"""

import pathlib
import re
from dataclasses import dataclass, field

import graph
from graph import TYPES, node_of

DEFINITIONS = (pathlib.Path(__file__).resolve().parents[2] / "compiler" / "import" / "tensorflow"
               / "opdefs.tsv")


@dataclass
class Function:
    name: str
    arguments: list = field(default_factory=list)  # (name, dtype or name of an attribute)
    results: list = field(default_factory=list)  # (name, the same, ref)
    nodes: list = field(default_factory=list)
    waits: list = field(default_factory=list)  # nodes that are control outputs
    attributes: dict = field(default_factory=dict)  # name of a type attribute → its default, or ""
    stateful: bool = False


@dataclass(frozen=True)
class Op:
    outputs: tuple  # (name, type)
    stateful: bool


def read_definitions():
    ops = {}
    for line in DEFINITIONS.read_text().splitlines():
        if not line.startswith("#"):
            name, _, outputs, _, flags = line.split("\t")
            ops[name] = Op(tuple(tuple(one.split(": ", 1)) for one in outputs.split("; ") if one),
                           "IsStateful" in flags.split())
    return ops


OPS = read_definitions()


def called(node, functions):
    """The functions of these names that a node calls, in the order of its attributes."""
    names = [node.op] if node.op in functions else []
    for key in sorted(node.attributes):
        if "func {" in node.attributes[key]:
            names += re.findall(r'func \{ name: "(.*?)"', node.attributes[key])
    return [name for name in names if name in functions]


def is_stateful(node, functions):
    if node.op in functions:
        return functions[node.op].stateful
    return node.op in OPS and OPS[node.op].stateful


# Calls of functions without effects may be of another op.
QUIET = {"If": "StatelessIf", "Case": "StatelessCase", "While": "StatelessWhile",
         "StatefulPartitionedCall": "PartitionedCall"}


def mark_stateful(functions):
    """Says of each function whether it does anything but compute."""
    before = None
    while before != (before := sum(one.stateful for one in functions.values())):
        for one in functions.values():
            one.stateful = any(
                node.op not in QUIET and is_stateful(node, functions)
                or any(functions[name].stateful for name in called(node, functions))
                for node in one.nodes)


# Names of outputs

def outputs(node, functions):
    """What follows a node's name in a function: `sum:0`, …"""
    if node.op in functions:
        return [f"{name}:0" for name, _, _ in functions[node.op].results]
    names = []
    for name, kind in OPS[node.op].outputs:
        count, given = 1, node.attributes.get(kind, "")
        if " * " in kind:
            count = int(node.attributes[kind.split(" * ")[0]].split(": ")[1])
        elif given.startswith("list {"):
            count = given.count("DT_")
        names += [f"{name}:{number}" for number in range(count)]
    return names


def renamed(function, functions, rename):
    """A copy of a function whose refs are others: `rename` is told the node, None if it is an
    argument, and the ref."""
    by_name = {node.name: node for node in function.nodes}

    def other(ref):
        return ref if ref[0] == "^" else rename(by_name.get(node_of(ref)), ref)
    nodes = [graph.Node(node.name, node.op, [other(ref) for ref in node.inputs], node.attributes)
             for node in function.nodes]
    results = [(name, kind, other(ref)) for name, kind, ref in function.results]
    return Function(function.name, function.arguments, results, nodes, function.waits,
                    function.attributes, function.stateful)


def to_file(functions):
    def rename(node, ref):
        if node is None:
            return ref
        number, names = ref.split(":")[1] if ":" in ref else "0", outputs(node, functions)
        known = number.isdigit() and int(number) < len(names)
        return f"{node.name}:{names[int(number)] if known else number}"
    return [renamed(function, functions, rename) for function in functions.values()]


def from_file(functions):
    def rename(node, ref):
        if node is None:
            return ref
        number = outputs(node, functions).index(ref.split(":", 1)[1])
        return f"{node.name}:{number}" if number else node.name
    return [renamed(function, functions, rename) for function in functions.values()]


# Text

def kind_text(kind):
    return graph.type_of(kind) if kind in TYPES else f'type_attr: "{kind}"'


def print_function(function):
    lines = ["function {", "signature {", f'name: "{function.name}"']
    lines += [f'input_arg {{ name: "{name}" {kind_text(kind)} }}'
              for name, kind in function.arguments]
    lines += [f'output_arg {{ name: "{name}" {kind_text(kind)} }}'
              for name, kind, _ in function.results]
    lines += [f'control_output: "{name}"' for name in function.waits]
    lines += [f'attr {{ name: "{name}" type: "type" '
              + (f"default_value {{ {default} }} }}" if default else "}")
              for name, default in function.attributes.items()]
    lines += ["is_stateful: true"] if function.stateful else []
    lines += ["}"]
    lines += ["node_def" + graph.print_node(node)[len("node"):] for node in function.nodes]
    lines += [f'ret {{ key: "{name}" value: "{ref}" }}' for name, _, ref in function.results]
    lines += [f'control_ret {{ key: "{name}" value: "{name}" }}' for name in function.waits]
    return "\n".join(lines + ["}"])


def print_program(nodes, functions):
    """`functions` by name."""
    text = graph.print_graph(nodes)
    if functions:
        text += "\n".join(["library {", *map(print_function, to_file(functions)), "}"]) + "\n"
    return text


def kind_of(text):
    letters = {name: letter for letter, name in TYPES.items()}
    return letters[text[len("type: "):]] if text.startswith("type: ") else text.split('"')[1]


def parse_function(text):
    function = Function(re.search(r'^name: "(.*)"$', text, re.MULTILINE)[1])
    returned = dict(re.findall(r'^ret \{ key: "(.*?)" value: "(.*?)" \}$', text, re.MULTILINE))
    for which, name, kind in re.findall(r'^(in|out)put_arg \{ name: "(.*?)" (.*?) \}$', text,
                                        re.MULTILINE):
        if which == "in":
            function.arguments.append((name, kind_of(kind)))
        else:
            function.results.append((name, kind_of(kind), returned[name]))
    for name, default in re.findall(
            r'^attr \{ name: "(.*?)" type: "type" (?:default_value \{ (.*?) \} )?\}$', text,
            re.MULTILINE):
        function.attributes[name] = default
    function.waits = re.findall(r'^control_ret \{ key: "(.*?)"', text, re.MULTILINE)
    function.stateful = bool(re.search("^is_stateful: true$", text, re.MULTILINE))
    function.nodes = graph.parse_graph(text)
    return function


def parse_program(content):
    """(nodes, functions by name), as `print_program` has written them."""
    main, *texts = re.split(r"^function \{$", content, flags=re.MULTILINE)
    functions = {one.name: one for one in map(parse_function, texts)}
    return graph.parse_graph(main), {one.name: one for one in from_file(functions)}


def reached(nodes, functions):
    """Those functions, by name, that the nodes call or that these call."""
    found, pending = {}, [name for node in nodes for name in called(node, functions)]
    while pending:
        name = pending.pop()
        if name not in found:
            found[name] = functions[name]
            pending += [other for node in functions[name].nodes
                        for other in called(node, functions)]
    return {name: functions[name] for name in functions if name in found}


def needed(function, functions):
    """The nodes of a function that are run: what its results and its effects need."""
    roots = [ref for _, _, ref in function.results] + function.waits
    roots += [node.name for node in function.nodes if is_stateful(node, functions)]
    return graph.reachable(function.nodes, roots)
