// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes of the import phase.
#ifndef SLUICE_IMPORT_PASSES
#define SLUICE_IMPORT_PASSES

include "mlir/Pass/PassBase.td"

def ImportSettleMerges : Pass<"import-settle-merges"> {
  let summary = "decide which value a merge takes where a graph gives it several live ones";
  let description = [{
    A value of a merge that is live whenever another one is gives way to it: it goes through a switch
    on the predicate that the other one depends on, so that it is what the merge takes when the
    other one is dead. Of values that are live in exactly the same cases the first one counts. So
    which value is taken depends neither on schedules nor on what is folded or placed where.
    Gradients of branches come with such merges: what depends on no branch, such as the shape of
    what is gathered from, meets what does.

    Merges with a value from `flow.next_iteration`, and such of more than 32 values, are left alone,
    and so are constants beside one branch, which a merge itself takes last. Values of which neither
    is live whenever the other one is stay as they are: if both are live in a call, it fails.

    *Requires* what import builds. *Produces* branches that raise recognises where the predicates
    are known, and else a merge of constants that says whether a value has to give way.
  }];
  let dependentDialects = ["::sluice::flow::FlowDialect", "::sluice::nd::NDDialect"];
  let statistics = [
    Statistic<"numSettled", "settled", "merges that could have had several live values">,
  ];
}

def ImportResolveLists : Pass<"import-resolve-lists", "::mlir::ModuleOp"> {
  let summary = "find out what elements lists have";
  let description = [{
    A graph file says of a TensorList that it is a variant. What elements it has is said by ops that know,
    by what is put there and by what is taken from there; and all values that are one list after the other,
    round loops and out of branches, have elements of one type. Lists within lists are found so as well. A
    list of which nobody says anything has elements of f32, which changes nothing. Where different types are
    put into one list it is a `!list.of<!list.any>`, and its elements are checked when they are read.

    *Requires* what import builds, with all functions in their places. *Produces* no `!list.unknown`.
  }];
  let dependentDialects = ["::sluice::list::ListDialect"];
  let statistics = [
    Statistic<"numResolved", "resolved", "lists of which more is known">,
  ];
}

def ImportOrderEffects : Pass<"import-order-effects"> {
  let summary = "order reads and writes of one variable where the graph leaves a race";
  let description = [{
    Where a graph leaves reads and writes of one variable unordered within a frame, the order of ops
    in the block decides: a write waits for the reads since the write before it, or for that write
    itself; a read waits for the last write. The edges go through `flow.trigger`, so an access that
    is dead orders the others without killing them. References and handles are traced through all
    ops that forward them. An access that waits for another already gets no edge, as far as
    a bounded search finds out.

    *Requires* ops in topological order, edges out of `flow.next_iteration` aside, and fails
    otherwise if there are such accesses; import builds graphs so, with ties broken by the order of the
    file. *Produces* the same ops, with triggers and
    order edges. Between frames and between iterations only the graph's own edges order.
  }];
  let dependentDialects = ["::sluice::flow::FlowDialect"];
  let statistics = [
    Statistic<"numEdges", "order-edges", "order edges added between accesses of one variable">,
  ];
}

#endif
