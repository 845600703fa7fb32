# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops on many devices, as GraphDefs. All run `while (i < n)`; the counter is on device 0. They
are fed "n" and give "total", a sum over loop variables that start as 0."""

from tf1_graph import FLOAT, INT, Graph, Loop

WINDOW = 10
VECTOR = "dim { size: 16 }"


def device(rank):
    return f"/job:worker/task:{rank}/device:CPU:0"


class DeviceLoop:
    """A loop with float variables on several devices."""

    def __init__(self, shape=""):
        self.graph, self.shape, self.exits = Graph(), shape, []
        self.graph.placeholder("n", INT, "")
        self.loop = Loop(self.graph, "while", WINDOW)

    def same(self, name, value, rank):
        """A value that is the same in every iteration."""
        constant = self.graph.constant(f"{name}/value", FLOAT, value, self.shape)
        return self.loop.enter(name, constant, FLOAT, constant=True, device=device(rank))

    def variable(self, suffix, rank):
        zero = self.graph.constant(f"zero{suffix}", FLOAT, 0, self.shape)
        return self.loop.variable(suffix, zero, FLOAT, device(rank))

    def close(self, suffix, following, rank):
        self.exits.append(self.loop.close(suffix, following, FLOAT, device(rank)))

    def op(self, name, kind, inputs, rank):
        return self.graph.node(name, kind, inputs, device(rank), T=FLOAT)

    def sum(self, name, inputs, rank):
        return self.graph.node(name, "AddN", inputs, device(rank), T=FLOAT, N=f"i: {len(inputs)}")

    def text(self, after=()):
        self.loop.count_to("n", device(0), after)
        self.sum("total", self.exits, 0)
        return self.graph.text()


# The largest number up to which f32 holds every whole number, and so every sum of them.
LARGEST = 2**24


def trivial(devices, barrier):
    """x = (x - 1) + 2 on every device. With the barrier, the next iteration waits for all x."""
    g = DeviceLoop()
    results = []
    for rank in range(devices):
        x = g.variable(f"_x{rank}", rank)
        less = g.op(f"sub{rank}", "Sub", [x, g.same(f"a{rank}", 1, rank)], rank)
        results.append(g.op(f"add{rank}", "Add", [less, g.same(f"b{rank}", 2, rank)], rank))
        g.close(f"_x{rank}", results[-1], rank)
    return g.text([g.sum("barrier", results, 0)] if barrier else [])


def round_trip():
    """x, an f32[16], goes from device 0 to device 1 and back in every iteration."""
    g = DeviceLoop(VECTOR)
    there = g.op("there", "Sub", [g.variable("_x", 0), g.same("a", 1, 0)], 0)
    g.close("_x", g.op("back", "Add", [there, g.same("b", 2, 1)], 1), 0)
    return g.text()


def stream(tokens):
    """Device 0 makes so many scalars in each iteration, device 1 adds them up: y = sum - y, which
    depends on the sum of every iteration, and grows no faster than they do."""
    g = DeviceLoop()
    x = g.variable("_x", 0)
    g.close("_x", g.op("add", "Add", [x, g.same("one", 1, 0)], 0), 0)
    made = [g.op(f"more{i}", "Add", [x, g.same(f"a{i}", i + 1, 0)], 0) for i in range(tokens)]
    g.close("_y", g.op("keep", "Sub", [g.sum("sum", made, 1), g.variable("_y", 1)], 1), 1)
    return g.text()


def total_of_stream(tokens, n):
    """What `stream` must give after n iterations."""
    y, of_first = 0, tokens * (tokens + 1) // 2
    for x in range(n):
        y = tokens * x + of_first - y
    return n + y
