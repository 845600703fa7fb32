#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""While loops and TensorArrays of an example's graph, as TensorFlow 1 stores them."""

from graph_text import FLOAT, INT, enter, integers, node, number


class Loop:
    """A loop. Its variables are given as (name, first value, type), some with a device behind.

    First `loop["name"]` is what a variable is at the test. After `goes_on` it is what it is in the
    body, and after `ends` what the loop gives.
    """

    def __init__(self, name, variables):
        self.name, self.values, self.captured = name, {}, {}
        self.variables = [(*variable, None)[:4] for variable in variables]
        for variable, first, dtype, device in self.variables:
            entered = enter(f"{name}/{variable}/Enter", first, dtype, name, device=device)
            self.values[variable] = node(f"{name}/{variable}/Merge", "Merge",
                                         [entered, f"{name}/{variable}/NextIteration"],
                                         device=device, N="i: 2", T=dtype)

    def __getitem__(self, variable):
        return self.values[variable]

    @property
    def pivot(self):
        """Constants of the loop wait for it, so that they are of the loop."""
        return [self.values[self.variables[0][0]]]

    def capture(self, source, dtype=FLOAT, device=None):
        """A value of outside."""
        if source not in self.captured:
            name = f"{self.name}/{source.replace(':', '_')}/Enter"
            self.captured[source] = enter(name, source, dtype, self.name, constant=True,
                                          device=device)
        return self.captured[source]

    def constant(self, name, value):
        return number(f"{self.name}/{name}", value, after=self.pivot)

    def goes_on(self, test):
        node(f"{self.name}/LoopCond", "LoopCond", [test])
        for variable, _, dtype, device in self.variables:
            place = f"{self.name}/{variable}"
            node(f"{place}/Switch", "Switch", [self.values[variable], f"{self.name}/LoopCond"],
                 device=device, T=dtype, _class=f'list {{ s: "loc:@{place}/Merge" }}')
            self.values[variable] = node(f"{place}/Identity", "Identity", [f"{place}/Switch:1"],
                                         device=device, T=dtype)

    def ends(self, **following):
        """Says what each variable is in the next iteration; without a word it is what it was."""
        for variable, _, dtype, device in self.variables:
            place = f"{self.name}/{variable}"
            node(f"{place}/NextIteration", "NextIteration",
                 [following.get(variable, self.values[variable])], device=device, T=dtype)
            self.values[variable] = node(f"{place}/Exit", "Exit", [f"{place}/Switch"],
                                         device=device, T=dtype)


def array(name, size):
    """A TensorArray of floats: its handle and flow."""
    node(name, "TensorArrayV3", [size], dtype=FLOAT, clear_after_read="b: true",
         dynamic_size="b: false", element_shape="shape { unknown_rank: true }",
         tensor_array_name=f's: "{name}"')
    return name, f"{name}:1"


def filled_array(name, source, size, indices):
    """A TensorArray that holds the rows of a tensor."""
    handle, flow = array(name, size)
    return handle, node(f"{name}/fill", "TensorArrayScatterV3", [handle, indices, source, flow],
                        T=FLOAT)


def row_of(name, handle, index, flow):
    return node(name, "TensorArrayReadV3", [handle, index, flow], dtype=FLOAT)


def rows_of(name, handle, indices, flow):
    """All elements as the rows of one tensor."""
    return node(name, "TensorArrayGatherV3", [handle, indices, flow], dtype=FLOAT,
                element_shape="shape { unknown_rank: true }")


def all_indices(name, size):
    """0, 1, … below `size`."""
    first, step = number(f"{name}/first", 0), number(f"{name}/step", 1)
    return node(name, "Range", [first, size, step], Tidx=INT)


def length_of(name, source):
    """How many rows a tensor has."""
    node(f"{name}/shape", "Shape", [source], T=FLOAT, out_type=INT)
    return node(name, "StridedSlice",
                [f"{name}/shape", integers(f"{name}/begin", [0]), integers(f"{name}/end", [1]),
                 integers(f"{name}/strides", [1])],
                T=INT, Index=INT, shrink_axis_mask="i: 1", begin_mask="i: 0", end_mask="i: 0",
                ellipsis_mask="i: 0", new_axis_mask="i: 0")
