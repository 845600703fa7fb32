# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops whose nodes ask for devices, as TensorFlow's front end writes them: constants of a body wait
for its counter, and what steers a loop variable asks for the device of the variable, unless the
graph is to ask for computing nodes only (`steering=False`).

All run `while (i < n)` on integers that wrap around; they are fed "n" and give "total". A graph
knows what that must be, and what is sent in an iteration if nothing goes where it need not."""

from cluster_graphs import WINDOW, device
from tf1_graph import INT, Graph, Loop


def wrapped(number):
    """What an int32 holds of it."""
    return (number + 2**31) % 2**32 - 2**31


class DeviceGraph:
    """`messages` are those of an iteration of `loop`, `inner` those of an iteration within; `total`
    gives the result for n."""

    def __init__(self, devices, messages, total, inner=0, steering=True):
        self.devices, self.messages, self.inner, self.total = devices, messages, inner, total
        self.graph, self.steering, self.exits = Graph(), steering, []
        self.graph.placeholder("n", INT, "")
        self.loop = Loop(self.graph, "while", WINDOW)

    def steered(self, rank):
        return device(rank) if self.steering else ""

    def variable(self, loop, suffix, first, rank):
        return loop.variable(suffix, first, INT, self.steered(rank))

    def close(self, loop, suffix, following, rank):
        return loop.close(suffix, following, INT, self.steered(rank))

    def zero(self, name):
        return self.graph.constant(name, INT, 0)

    def constant(self, loop, name, value):
        return self.graph.constant(f"{loop.name}/{name}", INT, value,
                                   after=[f"{loop.name}/Identity"])

    def op(self, loop, name, kind, inputs, rank):
        return self.graph.node(f"{loop.name}/{name}", kind, inputs, device(rank), T=INT)

    def text(self, after=()):
        self.loop.count_to("n", self.steered(0), after)
        self.graph.node("total", "AddN", self.exits, device(0), T=INT, N=f"i: {len(self.exits)}")
        return self.graph.text()


def star(workers, barrier=False, steering=True):
    """A counter on device 0; x += k on device k. With the barrier, the counter waits for all x. Each
    worker is told to go on, and tells the barrier. A counter that is free to be anywhere, and waits
    for nobody, is with one of the workers."""
    messages = workers * (1 + barrier) - (not steering and not barrier)
    g = DeviceGraph(workers + 1, messages,
                    lambda n: wrapped(n * workers * (workers + 1) // 2), steering=steering)
    sums = []
    for k in range(1, workers + 1):
        x = g.variable(g.loop, f"_{k}", g.zero(f"zero_{k}"), k)
        sums.append(g.op(g.loop, f"add_{k}", "AddV2", [x, g.constant(g.loop, f"add_{k}/y", k)], k))
        g.exits.append(g.close(g.loop, f"_{k}", sums[-1], k))
    after = []
    if barrier:
        after = [g.graph.node("while/join", "AddN", sums, device(0), T=INT, N=f"i: {workers}")]
    return g, g.text(after)


def layers(devices, steering=True):
    """A recurrent network with a layer on each device: h = 3 h + what comes from below, which is the
    counter for the first one. Each device is told to go on, and gets what comes from below."""
    def total(n):
        states = [0] * devices
        for i in range(n):
            below = i
            for k in range(devices):
                below = states[k] = wrapped(3 * states[k] + below)
        return wrapped(sum(states))
    g = DeviceGraph(devices, 2 * (devices - 1), total, steering=steering)
    below = "while/Identity"
    for k in range(devices):
        h = g.variable(g.loop, f"_{k}", g.zero(f"zero_{k}"), k)
        kept = g.op(g.loop, f"mul_{k}", "Mul", [h, g.constant(g.loop, f"mul_{k}/y", 3)], k)
        below = g.op(g.loop, f"add_{k}", "AddV2", [kept, below], k)
        g.exits.append(g.close(g.loop, f"_{k}", below, k))
    return g, g.text()


def nested(inner_counter, steering=True):
    """x = 3 x + 1 on device 1, three times in every iteration of a loop whose counter is on device 0;
    that of the inner loop asks to be on the given one. Device 1 is told to go on, and if it does not
    count itself, in the inner loop, too. Counters that are free to be anywhere are there as well."""
    def total(n):
        x = 0
        for _ in range(3 * n):
            x = wrapped(3 * x + 1)
        return x
    g = DeviceGraph(2, int(steering), total, inner=int(steering and inner_counter == 0),
                    steering=steering)
    x = g.variable(g.loop, "_x", g.zero("zero_x"), 1)
    inner = Loop(g.graph, "while/while", WINDOW)
    three = g.constant(g.loop, "three", 3)
    inner.count_to(three, g.steered(inner_counter), start_after=["while/Identity"])
    y = g.variable(inner, "_x", x, 1)
    product = g.op(inner, "mul", "Mul", [y, g.constant(inner, "mul/y", 3)], 1)
    added = g.op(inner, "add_x", "AddV2", [product, g.constant(inner, "add_x/y", 1)], 1)
    g.exits.append(g.close(g.loop, "_x", g.close(inner, "_x", added, 1), 1))
    return g, g.text()


def branch(steering=True):
    """x is on device 0; in even iterations device 1 computes 3 x, else device 2 x + 7. Both are told
    to go on, and both get x, dead or alive, and give a result, dead or alive."""
    def total(n):
        x = 1
        for i in range(n):
            x = wrapped(x + 7 if i % 2 else 3 * x)
        return x
    g = DeviceGraph(3, 6, total, steering=steering)
    x = g.variable(g.loop, "_x", g.graph.constant("one", INT, 1), 0)
    rest = g.op(g.loop, "mod", "FloorMod", ["while/Identity", g.constant(g.loop, "mod/y", 2)], 0)
    even = g.op(g.loop, "Equal", "Equal", [rest, g.constant(g.loop, "Equal/y", 0)], 0)
    ways = []
    for name, kind, output, value, rank in (("else", "AddV2", "", 7, 2), ("then", "Mul", ":1", 3, 1)):
        into = g.graph.node(f"while/cond/{name}/Switch", "Switch", [x, even], g.steered(0), T=INT)
        pivot = g.graph.node(f"while/cond/{name}/pivot", "Switch", [even, even], g.steered(0),
                             T="type: DT_BOOL")
        taken = g.graph.node(f"while/cond/{name}/taken", "Identity", [pivot + output],
                             g.steered(0), T="type: DT_BOOL")
        other = g.graph.constant(f"while/cond/{name}/y", INT, value, after=[taken])
        ways.append(g.op(g.loop, f"cond/{name}/result", kind, [into + output, other], rank))
    merged = g.graph.node("while/cond/Merge", "Merge", ways, g.steered(0), N="i: 2", T=INT)
    g.exits.append(g.close(g.loop, "_x", merged, 0))
    return g, g.text()


def all_graphs():
    for steering in (True, False):
        for kind, made in (("star", star(4, False, steering)),
                           ("star with a barrier", star(4, True, steering)),
                           ("wide star", star(16, False, steering)),
                           ("layers", layers(4, steering)),
                           ("nested loop on one device", nested(1, steering)),
                           ("nested loop on two devices", nested(0, steering)),
                           ("branches on two devices", branch(steering))):
            yield kind + ("" if steering else ", only computing nodes ask"), *made
