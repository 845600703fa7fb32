// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes of the partition phase.
#ifndef SLUICE_PARTITION_PASSES
#define SLUICE_PARTITION_PASSES

include "mlir/Pass/PassBase.td"

def PartitionSettleWaits : Pass<"partition-settle-waits", "::mlir::ModuleOp"> {
  let summary = "let every rank wait by itself, and for what comes there anyway";
  let description = [{
    A constant that waits for tokens, and is used on several ranks, gets a gate on each of them: the
    tokens cross, not the constant.

    Where an op waits for a value that a loop's switch lets go on, and the value is on another rank,
    a token would cross in each iteration. If the loop's pivot depends on the value, the token says
    what the pivot says, and no sooner; and the pivot is sent to every rank of a frame that is split.
    So the op waits for a switch of the pivot instead, on its own rank.

    *Requires* a placed module (`wire.device`); others are left alone. *Produces* one with the same
    results, in which no more is sent.
  }];
  let dependentDialects = ["::sluice::wire::WireDialect"];
  let statistics = [
    Statistic<"numGates", "gates", "gates of constants that were split">,
    Statistic<"numTokens", "tokens", "tokens of values that are no longer sent as such">,
  ];
}

def PartitionSettleLoopPorts : Pass<"partition-settle-loop-ports", "::mlir::ModuleOp"> {
  let summary = "let every rank enter frames and iterations by itself";
  let description = [{
    The result of a `flow.enter` is a token of iteration 0 only, that of a `flow.next_iteration` one of
    later iterations only, whereas a `wire.recv` in a frame awaits a message in each iteration. So these
    results must not be cut. Every rank that uses one gets a copy of the op; what then crosses is its
    operand: for an enter once for each run of the loop, for a constant one as well, and for a
    next_iteration in every iteration. A `flow.exit` moves to where its operand is made, and its result
    crosses once.

    *Requires* a placed module (`wire.device`); others are left alone. *Produces* one in which each
    enter and next_iteration is on one rank with all users of its result.
  }];
  let dependentDialects = ["::sluice::wire::WireDialect"];
  let statistics = [
    Statistic<"numCopies", "copies", "copies of enters and next_iterations for further ranks">,
  ];
}

def PartitionSplitByDevice : Pass<"partition-split-by-device", "::mlir::ModuleOp"> {
  let summary = "give each device a program of its own";
  let description = [{
    Splits every `flow.graph` by the ranks of its ops. A value that is used on another rank gets one
    `wire.send` and one `wire.recv` for each such rank, whatever the number of its users there;
    where they only wait for it, a token crosses instead. Constants and `flow.start` are on every
    rank that uses them; a `flow.after` is wherever its value is.

    A frame that is split gets a *control loop* on its ranks, which goes round as often as the
    frame's pivot says and arms the recvs once an iteration. The pivot's rank has none if it
    receives nothing in the frame. `docs/rationale/partitioning.md` explains why.

    *Requires* a module with `wire.devices`, and `wire.device` on every op and declaration except
    constants, `flow.start` and `flow.after`; other modules are left alone. *Produces* a module with
    one nested module for each rank, `@rank0` and on, with the declarations of that rank and one
    graph for each signature, perhaps an empty one. Fails where an edge is cut that cannot be:
    references, handles and stacks, values that are not there in every iteration, and loops without
    a `flow.loop_cond`; and for feeds and fetches on a rank other than 0.
  }];
  let dependentDialects = ["::sluice::wire::WireDialect", "::sluice::nd::NDDialect"];
  let statistics = [
    Statistic<"numEdges", "edges", "pairs of send and recv">,
    Statistic<"numControlLoops", "control-loops", "control loops of all ranks">,
  ];
}

def PartitionCheckBalance : Pass<"partition-check-balance", "::mlir::ModuleOp"> {
  let summary = "prove that every message has a recv and every recv a message";
  let description = [{
    Takes the graphs of all ranks together and checks the rules from which it follows that each edge
    carries one message for each tag that its recv waits for: one send and one recv with matching
    ranks, types and frames; recvs gated by control loops, whose chain of merge, switch and pivot is
    whole up to the root; one window for each frame; values that are sent in every iteration, live
    or dead; loops that stop on every rank when their pivot says so; no circle of waiting ranks.
    That nothing but tensors and control tokens is sent, the verifiers of the ops see to.

    *Requires* a module as `partition-split-by-device` makes it; other modules are left alone.
    *Produces* no changes. Fails with the edge and the rule that does not hold. It is sufficient,
    not necessary: a loop whose tokens go round by another way than a switch on its pivot is
    refused.
  }];
  let statistics = [
    Statistic<"numProven", "proven", "edges that balance">,
  ];
}

def PartitionExplain : Pass<"partition-explain", "::mlir::ModuleOp"> {
  let summary = "print what devices send to each other";
  let description = [{
    Prints a table to standard output: messages and bytes from rank to rank, of a call and of one
    iteration of each loop. Bytes are those of the elements where types say how many there are, and
    `?` stands for the rest. Then the ranks that take part in each loop, and last how many edges
    there are.

    *Requires* a module that passes `partition-check-balance`; prints nothing for other modules.
    *Produces* no changes.
  }];
}

#endif
