// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes of the raise phase.
#ifndef SLUICE_RAISE_PASSES
#define SLUICE_RAISE_PASSES

include "mlir/Pass/PassBase.td"

def RaiseControlFlow : Pass<"raise-control-flow"> {
  let summary = "find branches and loops among primitives, and give them regions";
  let description = [{
    Switches and merges of one predicate become a `flow.cond`; the frame of a loop whose values all go
    round under one condition becomes a `flow.while`. What contains another branch or loop does so
    after that one. `docs/rationale/structured-control-flow.md` says what is recognised, and why.

    *Requires* nothing. *Produces* `flow.cond` and `flow.while` ops. What does not fit stays
    primitive, means the same, and is not in any region; with `explain` each such branch and loop
    gives a remark.
  }];
  let dependentDialects = ["::sluice::nd::NDDialect"];
  let options = [
    Option<"explain", "explain", "bool", "false", "say what stays primitive, and why">,
  ];
  let statistics = [
    Statistic<"numBranches", "branches", "branches that became flow.cond">,
    Statistic<"numLoops", "loops", "loops that became flow.while">,
  ];
}

def RaiseArraysToValues : Pass<"raise-arrays-to-values"> {
  let summary = "turn arrays that nobody could tell from tensors into tensors";
  let description = [{
    An array whose accesses form one chain, of which no element is written or read twice and none is
    read before it is written, becomes a tensor with a row for each element: a write is
    `nd.set_row`, a read `nd.row`, and the scalar that carried the order of accesses becomes the
    tensor itself. Indices are known to differ if they are constants, or if a loop counts them up.
    Arrays that can grow, and those with a gradient array, stay.

    An access that may fail in a way in which ops on a tensor do not keeps its array an array.

    *Requires* that `raise-control-flow` has run. *Produces* a graph with fewer `array` ops; with
    `explain` each array that stays gives a remark. `docs/rationale/arrays.md` has the rules.
  }];
  let dependentDialects = ["::sluice::nd::NDDialect"];
  let options = [
    Option<"explain", "explain", "bool", "false", "say which arrays stay, and why">,
  ];
  let statistics = [
    Statistic<"numValues", "values", "arrays that became tensors">,
    Statistic<"numArrays", "arrays", "arrays that stay">,
  ];
}

def RaiseArraysToLists : Pass<"raise-arrays-to-lists"> {
  let summary = "turn arrays and stacks of which everything is in sight into lists";
  let description = [{
    An array or stack whose handle goes nowhere but to its accesses becomes a `list`, which is a value,
    and so does the gradient array of an array for each source. The list goes from access to access,
    through branches and round loops, in an order that the graph allows. Where the graph leaves the
    order of two accesses open, so that one run may differ from the next, this is one of the orders.

    A gradient array starts as zeros of the shapes that the array's elements have when somebody first
    asks for it; what is written to it is added.

    *Requires* that `raise-control-flow` has run. *Produces* `list` ops; with `explain` each array or
    stack that stays gives a remark. `docs/rationale/arrays.md` has the rules.
  }];
  let dependentDialects = ["::sluice::list::ListDialect", "::sluice::nd::NDDialect"];
  let options = [
    Option<"explain", "explain", "bool", "false", "say which arrays and stacks stay, and why">,
  ];
  let statistics = [
    Statistic<"numLists", "lists", "arrays, stacks and gradient arrays that became lists">,
    Statistic<"numContainers", "containers", "those that stay">,
  ];
}

#endif
