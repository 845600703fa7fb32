# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts requests for derivatives into a graph that is given as IR."""

import re

FEED = re.compile(r'^ *(%\w+) = flow\.feed +\{(?:.*, )?name = "([^"]*)".*\} : \(\) -> (.*)$')
LOCATION = re.compile(r' loc\((?:[^()"]|"[^"]*"|\((?:[^()"]|"[^"]*")*\))*\)')


def without_locations(text):
    lines = LOCATION.sub("", text).splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("#loc"))


def independent(lines, names):
    """The lines, in which these feeds are marked; and {name: (value, type)} of those."""
    marked, found = [], {}
    for line in lines:
        match = FEED.match(line)
        if not match or match[2] not in names:
            marked.append(line)
            continue
        value, name, kind = match.groups()
        fed = f"%fed_{value[1:]}"
        marked.append(line.replace(f"{value} =", f"{fed} =", 1))
        marked.append(f'{value} = flow.independent {fed} {{name = "{name}"}} '
                      f": ({kind}) -> {kind}")
        found[name] = value, kind
    return marked, found


def feed(name, kind):
    return [f'%{name}_fed = flow.feed {{name = "{name}"}} : () -> {kind}',
            f'%{name} = flow.independent %{name}_fed {{name = "{name}"}} : ({kind}) -> {kind}']


def gradient(name, ys, seeds, xs):
    """Lines of a request, with fetches `name0`, `name1`, …; all are pairs of a value and its type.
    The results as such pairs."""
    results = [(f"%{name}{i}", kind) for i, (_, kind) in enumerate(xs)]

    def values(pairs):
        return ", ".join(value for value, _ in pairs)

    def kinds(pairs):
        return ", ".join(kind for _, kind in pairs)
    lines = [f"{values(results)} = flow.gradient of {values(ys)} seeds {values(seeds)} "
             f'wrt {values(xs)} stops {{name = "{name}"}} '
             f": ({kinds([*ys, *seeds, *xs])}) -> ({kinds(results)})"]
    return lines + fetch(name, results), results


def fetch(name, values):
    return [f'flow.fetch {value} {{name = "{name}{i}"}} : ({kind}) -> ()'
            for i, (value, kind) in enumerate(values)]


def with_requests(lines, names, ys, kinds, twice=True):
    """A graph with first and second derivatives, or only the first.

    The first ones are those of the sum of products of `ys` and `seed0`, …, which have the types
    `kinds`; fetched as `first0`, …, one for each of `names`. The second ones are those of the sum
    of products of the first ones and `weight0`, …, by `names` and seeds; fetched as `second0`, ….
    """
    lines, found = independent(lines, names)
    xs, seeds, weights = [found[name] for name in names], [], []
    for i, kind in enumerate(kinds):
        lines += feed(f"seed{i}", kind)
        seeds.append((f"%seed{i}", kind))
    more, first = gradient("first", ys, seeds, xs)
    lines += more
    if not twice:
        return lines
    for i, (_, kind) in enumerate(xs):
        lines += feed(f"weight{i}", kind)
        weights.append((f"%weight{i}", kind))
    more, _ = gradient("second", first, weights, xs + seeds)
    return lines + more


def graph(name, lines):
    return "\n".join([f"flow.graph @{name} {{", *lines, "}"]) + "\n"
