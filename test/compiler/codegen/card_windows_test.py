#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions, pools and what flows back through them on a simulated card: the bits of the host's kernels.

Usage: card_windows_test.py SLUICEC
"""

import math
import pathlib
import sys

sys.dont_write_bytecode = True
from card_programs import BYTE, DOUBLE, HALF, LONG, CardCase

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
from tf1_graph import FLOAT, INT, Graph  # noqa: E402

NAN, INF = math.nan, math.inf


def ints(values):
    return f"list {{ {' '.join(f'i: {value}' for value in values)} }}"


def numbers_node(graph, name, values):
    sizes = " ".join(f"int_val: {value}" for value in values)
    return graph.node(name, "Const", dtype=INT, value="tensor { dtype: DT_INT32 tensor_shape "
                      f"{{ dim {{ size: {len(values)} }} }} {sizes} }}")


class Windows:
    """Of images and how windows lie on them; all but the first two of spatial dims only."""

    def __init__(self, images, window, stride=1, dilation=1, padding="VALID", pads=None, outputs=None):
        self.images, self.window, self.padding, self.outputs = images, window, padding, outputs
        rank = len(images) - 2
        self.strides = [stride] * rank if isinstance(stride, int) else stride
        self.dilations = [dilation] * rank if isinstance(dilation, int) else dilation
        self.pads = pads or [0] * (2 * rank)
        if pads:
            self.padding = "EXPLICIT"

    def counts(self):
        for i, size in enumerate(self.images[1:-1]):
            reach = (self.window[i] - 1) * self.dilations[i] + 1
            if self.padding == "SAME":
                yield -(-size // self.strides[i])
            else:
                yield (size + sum(self.pads[2 * i:2 * i + 2]) - reach) // self.strides[i] + 1

    def result(self):
        return (self.images[0], *self.counts(), self.outputs or self.images[-1])

    def attributes(self):
        all_pads = [0, 0, *self.pads, 0, 0]
        explicit = {"explicit_paddings": ints(all_pads)} if self.padding == "EXPLICIT" else {}
        return {"strides": ints([1, *self.strides, 1]), "padding": f's: "{self.padding}"', **explicit}

    def __repr__(self):
        return f"{self.images} by {self.window}, {vars(self)}"


# Images, the filter's channels and outputs, and windows. There are tiles of all sizes among them.
CONVOLUTIONS = [
    (Windows((2, 7, 6, 3), (3, 2), outputs=5), 3),
    (Windows((1, 9, 9, 4), (3, 3), 2, padding="SAME", outputs=8), 4),
    (Windows((2, 8, 7, 4), (3, 3), (2, 3), padding="SAME", outputs=4), 4),
    (Windows((1, 6, 8, 2), (3, 3), 1, 2, "SAME", outputs=3), 2),
    (Windows((1, 9, 8, 2), (2, 3), 2, pads=[1, 0, 2, 1], outputs=3), 2),
    (Windows((1, 11, 12, 3), (3, 2), (2, 4), (3, 2), outputs=2), 3),
    (Windows((3, 5, 5, 6), (1, 1), outputs=4), 6),
    (Windows((2, 6, 6, 8), (3, 3), padding="SAME", outputs=12), 2),  # four groups
    (Windows((2, 6, 5, 4), (3, 3), (2, 2), padding="SAME", outputs=6), 2),  # two groups
    (Windows((1, 40, 40, 4), (3, 3), padding="SAME", outputs=36), 4),  # many tiles
]


class OnWindows(CardCase):
    def images(self, graph, name, shape, kind=FLOAT, known=True):
        values = None
        if kind in (HALF, BYTE, INT):
            least, most = {HALF: (0, 0x3c00), BYTE: (0, 255), INT: (-9, 9)}[kind]
            values = [self.drawn.randint(least, most) for _ in range(math.prod(shape))]
        self.feed(graph, name, shape, kind, values,
                  known if known is True else [*[-1] * (len(shape) - 1), shape[-1]])

    # ---- Convolutions ---------------------------------------------------------------------------

    def convolution(self, windows, channels, kind, known=True):
        graph = Graph()
        self.images(graph, "x", windows.images, kind, known)
        self.images(graph, "f", (*windows.window, channels, windows.outputs), kind)
        graph.node("y", "Conv2D", ["x", "f"], T=kind, dilations=ints([1, *windows.dilations, 1]),
                   **windows.attributes())
        return graph

    def test_convolutions(self):
        for windows, channels in CONVOLUTIONS:
            for kind, known in ((FLOAT, True), (FLOAT, False), (HALF, True), (DOUBLE, True)):
                with self.subTest(windows=windows, kind=kind, known=known):
                    self.compare(self.convolution(windows, channels, kind, known), ["x", "f"],
                                 {"y": kind})

    def test_places_around_are_zeros_also_for_what_is_not_finite(self):
        windows = Windows((1, 4, 4, 1), (3, 3), padding="SAME", outputs=2)
        graph = self.convolution(windows, 1, FLOAT)
        self.feed(Graph(), "f", (3, 3, 1, 2), FLOAT, [INF, NAN, -INF, *[1.0] * 15])
        self.compare(graph, ["x", "f"], {"y": FLOAT})

    def test_images_without_places(self):
        windows = Windows((2, 0, 3, 2), (2, 2), pads=[2, 2, 1, 1], outputs=3)
        self.compare(self.convolution(windows, 2, FLOAT, known=False), ["x", "f"], {"y": FLOAT})

    def test_what_flows_back_to_images(self):
        for windows, channels in CONVOLUTIONS:
            for kind in (FLOAT, HALF):
                with self.subTest(windows=windows, kind=kind):
                    graph = Graph()
                    numbers_node(graph, "sizes", windows.images)
                    self.images(graph, "f", (*windows.window, channels, windows.outputs), kind)
                    self.images(graph, "g", windows.result(), kind)
                    graph.node("y", "Conv2DBackpropInput", ["sizes", "f", "g"], T=kind,
                               dilations=ints([1, *windows.dilations, 1]), **windows.attributes())
                    self.compare(graph, ["f", "g"], {"y": kind})

    def test_what_flows_back_to_the_filter(self):
        for windows, channels in CONVOLUTIONS:
            for kind in (FLOAT, HALF):
                with self.subTest(windows=windows, kind=kind):
                    graph = Graph()
                    numbers_node(graph, "sizes", (*windows.window, channels, windows.outputs))
                    self.images(graph, "x", windows.images, kind)
                    self.images(graph, "g", windows.result(), kind)
                    graph.node("y", "Conv2DBackpropFilter", ["x", "sizes", "g"], T=kind,
                               dilations=ints([1, *windows.dilations, 1]), **windows.attributes())
                    self.compare(graph, ["x", "g"], {"y": kind})

    def test_three_dims(self):
        windows = Windows((2, 4, 5, 6, 2), (2, 3, 2), (1, 2, 2), padding="SAME", outputs=4)
        for known in (True, False):
            graph = Graph()
            self.images(graph, "x", windows.images, FLOAT, known)
            self.images(graph, "f", (*windows.window, 2, 4))
            graph.node("y", "Conv3D", ["x", "f"], T=FLOAT, dilations=ints([1] * 5), **windows.attributes())
            self.compare(graph, ["x", "f"], {"y": FLOAT})

    def test_groups_of_one_channel(self):
        for multiplier, stride, kind in ((1, 1, FLOAT), (3, 2, FLOAT), (2, 1, HALF)):
            windows = Windows((2, 7, 6, 3), (3, 3), stride, padding="SAME", outputs=3 * multiplier)
            shared = {"T": kind, "dilations": ints([1] * 4), **windows.attributes()}
            with self.subTest(windows=windows, kind=kind):
                graph = Graph()
                self.images(graph, "x", windows.images, kind)
                self.images(graph, "f", (3, 3, 3, multiplier), kind)
                self.images(graph, "g", windows.result(), kind)
                graph.node("y", "DepthwiseConv2dNative", ["x", "f"], **shared)
                numbers_node(graph, "images", windows.images)
                numbers_node(graph, "filter", (3, 3, 3, multiplier))
                graph.node("dx", "DepthwiseConv2dNativeBackpropInput", ["images", "f", "g"], **shared)
                graph.node("df", "DepthwiseConv2dNativeBackpropFilter", ["x", "filter", "g"], **shared)
                self.compare(graph, ["x", "f", "g"], {"y": kind, "dx": kind, "df": kind})

    # ---- Pools ----------------------------------------------------------------------------------

    POOLS = [Windows((2, 7, 6, 3), (2, 3), 2), Windows((2, 7, 6, 3), (3, 2), (1, 2), padding="SAME"),
             Windows((1, 5, 4, 5), (3, 3), 3, padding="SAME")]

    def test_pools(self):
        for windows in self.POOLS:
            for op, kind, known in (("MaxPool", FLOAT, True), ("MaxPool", FLOAT, False),
                                    ("MaxPool", BYTE, True), ("MaxPool", INT, False),
                                    ("MaxPool", HALF, True), ("AvgPool", FLOAT, True),
                                    ("AvgPool", HALF, False), ("AvgPool", DOUBLE, True)):
                with self.subTest(windows=windows, op=op, kind=kind, known=known):
                    graph = Graph()
                    self.images(graph, "x", windows.images, kind, known)
                    graph.node("y", op, ["x"], T=kind, ksize=ints([1, *windows.window, 1]),
                               **windows.attributes())
                    self.compare(graph, ["x"], {"y": kind})

    def test_nothing_is_greater_than_what_is_not_a_number(self):
        windows = self.POOLS[0]
        graph = Graph()
        self.feed(graph, "x", (1, 4, 3, 1), FLOAT, [NAN, 1, -INF, 2, NAN, 3, -0.0, 0.0, NAN, NAN, NAN, NAN])
        for op, more in (("MaxPool", {}), ("MaxPoolWithArgmax", {"Targmax": LONG})):
            graph.node(op, op, ["x"], T=FLOAT, ksize=ints([1, *windows.window, 1]),
                       **windows.attributes(), **more)
        self.compare(graph, ["x"], {"MaxPool": FLOAT, "MaxPoolWithArgmax:1": LONG})

    def test_what_flows_back_through_pools(self):
        for windows in self.POOLS:
            for kind in (FLOAT, HALF):
                with self.subTest(windows=windows, kind=kind):
                    shared = {"T": kind, "ksize": ints([1, *windows.window, 1]), **windows.attributes()}
                    graph = Graph()
                    self.images(graph, "x", windows.images, kind)
                    self.images(graph, "g", windows.result(), kind)
                    numbers_node(graph, "sizes", windows.images)
                    graph.node("average", "AvgPoolGrad", ["sizes", "g"], **shared)
                    graph.node("most", "MaxPool", ["x"], **shared)
                    graph.node("max", "MaxPoolGrad", ["x", "most", "g"], **shared)
                    self.compare(graph, ["x", "g"], {"average": kind, "max": kind})


if __name__ == "__main__":
    OnWindows.main()
