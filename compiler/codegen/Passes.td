// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes of the codegen phase that work on graphs.
#ifndef SLUICE_CODEGEN_PASSES
#define SLUICE_CODEGEN_PASSES

include "mlir/Pass/PassBase.td"

def CodegenCaptureConstants : Pass<"codegen-capture-constants"> {
  let summary = "bring large constants into branches and loops from outside";
  let description = [{
    A constant in a region that is too large to be copied into code moves into the graph, and the
    branches and loops around it capture it.

    *Requires* raised graphs. *Produces* regions without large constants.
  }];
  let statistics = [
    Statistic<"numConstants", "constants", "constants that moved out of regions">,
  ];
}

def CodegenEmitCodelets : Pass<"codegen-emit-codelets", "::mlir::ModuleOp"> {
  let summary = "show the code of codelets before it becomes LLVM's";
  let description = [{
    Replaces a module by what `compileCodelets` makes of its codelets first: for each that is
    different a function `<symbol>_body`, one `<symbol>_sizes` where dims are not known, and the
    table `<symbol>` of the two. To look at; the phases call `compileCodelets` instead.

    *Requires* flow.codelet ops of ops that `canCompile` accepts; a codelet that cannot be compiled
    is left out. *Produces* func, arith, math, vector, scf, memref, linalg and llvm ops.
  }];
  let options = [
    Option<"march", "march", "std::string", "\"x86-64-v3\"", "the CPU or level to make code for">,
  ];
  let statistics = [
    Statistic<"numCodelets", "codelets", "different codelets that got code">,
  ];
}

def CodegenCarryVariables : Pass<"codegen-carry-variables"> {
  let summary = "let a loop that trains carry the variables that it writes";
  let description = [{
    A `flow.while` that reads and writes variables carries their values instead, if it can be collapsed then: a
    `state.take` before the loop gives them, once all operands of the loop are there, and a `state.give` after it has the last ones, before anything sees a
    result of the loop (`docs/rationale/control-edges-and-effects.md`). Branches and loops within hand the values on.
    All that the loop does to such a variable has to be reading, assigning, updating by a rule of arithmetic, and replacing one row at a
    time, which is written where the value is; and it has to read before it writes, unless the variable has a value at any time. Writes elsewhere that the graph leaves unordered with the loop wait for it. Where the body may not run at
    all, reads and assignments are in a `flow.cond` on the loop's first condition.

    *Requires* raised graphs, with or without ranks. *Produces* loops that write no variables.
  }];
  let dependentDialects = ["::sluice::flow::FlowDialect", "::sluice::nd::NDDialect", "::sluice::state::StateDialect"];
  let statistics = [
    Statistic<"numVariables", "variables", "variables that a loop carries">,
    Statistic<"numLoops", "loops", "loops that no longer write a variable">,
  ];
}

def CodegenHoistReads : Pass<"codegen-hoist-reads"> {
  let summary = "read variables before a loop instead of in it";
  let description = [{
    A `flow.while` that captures variables and does no more with them than reading them captures
    their values instead, if it can be collapsed then. The reads take place before it, once all
    operands of the loop are there (`docs/rationale/control-edges-and-effects.md`): no op in the loop
    may write these variables, each of them has to be read if the loop's body runs or to have a value at any time, and how long the
    loop runs must not depend on writes that race with it. Where the body may not run at all, the
    reads are in a `flow.cond` on the loop's first condition. Writes that the graph leaves unordered
    with the loop wait for the reads. Which ones these are takes walks over the graph, for each loop;
    of very many loops in a large graph the last ones have their reads moved only where it is safe
    whatever the order.

    *Requires* raised graphs, with or without ranks. *Produces* loops with fewer captures of
    variables. `sluicec --explain-loops` tells what keeps a read in its loop.
  }];
  let dependentDialects = ["::sluice::flow::FlowDialect"];
  let statistics = [
    Statistic<"numReads", "reads", "variables read before a loop">,
    Statistic<"numLoops", "loops", "loops that no longer read a variable">,
  ];
}

def CodegenHoistProducts : Pass<"codegen-hoist-products"> {
  let summary = "multiply all rows of an array at once in front of the loop that goes through them";
  let description = [{
    In the body of a `flow.while` whose counters count from 0 by 1 and alone say how long it runs, an `nd.matmul` of f32
    or f64 whose left operand is the `nd.row`, at the number of the iteration, of a captured array becomes the
    `nd.row` of a product that is computed in front of the loop, of as many rows of the array as there are
    iterations; so does the `list.peek` of a `list.unstack` of one. If the left operand is joined of such a row and
    more, what is left is an `nd.matmul_onto` with the rest of the weights. Weights are captured, and of known size;
    products that would take more than eight times the memory of the array stay.

    *Requires* raised graphs; knows more after `codegen-hoist-reads`. *Produces* the same bits, since an element of a
    product is one chain of its row and its column.
  }];
  let dependentDialects = ["::sluice::flow::FlowDialect", "::sluice::nd::NDDialect"];
  let statistics = [
    Statistic<"numHoisted", "hoisted", "products that are computed for all iterations at once">,
  ];
}

def CodegenChooseLoops : Pass<"codegen-choose-loops", "::mlir::ModuleOp"> {
  let summary = "choose the branches and loops that are compiled as a whole";
  let description = [{
    A `flow.while` or `flow.cond` is collapsed into code if everything in it can be compiled without
    guards, no token goes in or out, of each list there is one at a time, and all sizes follow from
    those of its operands and stay the same from iteration to iteration. Of nested ones the outermost that can be is taken. Tokens
    inside vanish: code runs in order.

    *Requires* raised graphs. *Produces* the attribute `codegen.collapse` on what is collapsed;
    `lower-control-flow` turns the rest into primitives. `sluicec --explain-loops` tells what
    keeps a loop out.
  }];
  let statistics = [
    Statistic<"numCollapsed", "collapsed", "branches and loops that become code">,
    Statistic<"numLeft", "left", "branches and loops that stay in the executor">,
  ];
}

def CodegenPlaceLoops : Pass<"codegen-place-loops", "::mlir::ModuleOp"> {
  let summary = "let a rank's card run loops by itself";
  let description = [{
    A `flow.while` that is not collapsed, of a rank whose module has `codegen.has_card`, becomes a codelet of the card with the
    loop in it if the card has code for all of it, and this is quicker
    than to have the host enqueue each iteration: because the host would have to read a number on the card to know whether to
    go on, or because kernels are many and short. With `codegen.card_loops` "always" it need not be quicker. All that is not a
    single number is in the card's memory within; numbers are computed there too. Lists to which such loops only push, and of
    which they only pop, become tensors with as many rows as there may be, if that is known when the loop begins.

    *Requires* loops that `codegen-choose-loops` has left. *Produces* `flow.codelet` ops with `wire.copy` in front of
    them and behind, which `codegen-place-on-cards` removes where values are on the card anyway.
  }];
  let statistics = [
    Statistic<"numLoops", "loops", "loops that the card runs by itself">,
    Statistic<"numLists", "lists", "lists that became tensors">,
  ];
}

def CodegenPlaceVariables : Pass<"codegen-place-variables", "::mlir::ModuleOp"> {
  let summary = "let variables live in the memory of a rank's card";
  let description = [{
    A variable of a rank whose module has `codegen.has_card` gets a type in the card's memory if its size is known, if an op
    that runs on the card reads it, and if nothing is done to it but to read it, to assign to it, and to update it by a rule
    of arithmetic. Such updates become reads, `nd` ops and assignments, with the same bits. Variables that an update works
    with side by side, as a weight and its momentum, go together. Single numbers stay on the host.

    *Requires* control flow as primitives. *Produces* `state.variable`, references and handles with `#wire.memory` in their types;
    `codegen-place-on-cards` goes on from there.
  }];
  let statistics = [
    Statistic<"numVariables", "variables", "variables that live on the card">,
  ];
}

def CodegenPlaceOnCards : Pass<"codegen-place-on-cards", "::mlir::ModuleOp"> {
  let summary = "put the values of a rank into the memory of its card";
  let description = [{
    Of the ops of a rank whose module has `codegen.has_card`, those that a card has code for get results whose types say so
    (`#wire.memory`), but for single numbers and the few integers of shapes, which stay on the host
    unless they are computed of what is on the card. Whatever hands values on leaves them where they
    are. Where an op needs a value in the other memory there is a `wire.copy`, one for all of its users;
    constants are in both. With `codegen.card_seed` lots are drawn.

    *Requires* control flow as primitives. *Produces* tensor types with
    `#wire.memory` and `wire.copy`; functions that are called stay on the host.
  }];
  let statistics = [
    Statistic<"numOps", "ops", "ops that run on the card">,
    Statistic<"numCopies", "copies", "values that travel between memories">,
  ];
}

def CodegenFormCodelets : Pass<"codegen-form-codelets", "::mlir::ModuleOp"> {
  let summary = "group ops that are compiled together";
  let description = [{
    Neighbouring ops that can be compiled become one `flow.codelet` if they are on one rank, in one
    frame, live under the same condition, and if no codelets can come to wait for each other in a
    circle, also by way of other ranks (`docs/rationale/codelets.md`). Gates, joins and afters between
    ops of one codelet vanish; a token from outside gates an input. Small constants are copied into
    the codelet, larger ones are inputs. A single op of scalars stays as it is, and so does one that
    only gives a tensor another shape.

    *Requires* the module of all ranks, without `flow.cond` and `flow.while` but those with
    `codegen.collapse`. *Produces* `flow.codelet`; nodes keep their names as locations of the ops
    inside.
  }];
  let dependentDialects = ["::sluice::flow::FlowDialect"];
  let options = [
    Option<"maxOps", "max-ops", "unsigned", "200", "ops of a codelet">,
    Option<"maxConstantBytes", "max-constant-bytes", "unsigned", "4096",
           "size of a constant that is copied">,
    Option<"keepUnused", "keep-unused", "bool", "false",
           "compute what nobody needs, as it may fail">,
  ];
  let statistics = [
    Statistic<"numCodelets", "codelets", "codelets formed">,
    Statistic<"numOps", "ops", "ops that became part of a codelet">,
  ];
}

def CodegenPlaceBoxes : Pass<"codegen-place-boxes", "::mlir::ModuleOp"> {
  let summary = "give the values that code does not hold places";
  let description = [{
    In codelets with a branch or loop that has `codegen.boxed_operands`: values of unknown rank, of sizes that
    are not known or change from iteration to iteration, and lists of which there may be two at a time or
    whose rows may differ, go into boxes; ops on them, and ops that have no code in a loop, become
    `flow.box_run`, which calls their kernels. `docs/rationale/boxes.md` has the rules.

    *Requires* codelets whose branches and loops `codegen-choose-loops` has chosen. *Produces*
    `flow.box_…` ops in codelets, whose regions carry no such values any more.
  }];
  let dependentDialects = ["::sluice::flow::FlowDialect"];
  let statistics = [
    Statistic<"numCalls", "calls", "ops that are run by their kernels">,
  ];
}

def CodegenPlaceLists : Pass<"codegen-place-lists", "::mlir::ModuleOp"> {
  let summary = "give the lists of codelets places";
  let description = [{
    Each list of a `flow.codelet`, with all that ops make of it one after the other, becomes a cell:
    `list.push` becomes `list.cell_push`, and neither regions nor loops carry lists any more. Lists that
    come in or leave are opened and closed at the codelet's begin and end.

    *Requires* codelets in which there is one of each list at a time, as `codegen-choose-loops` has
    checked. *Produces* `list.cell_…` ops in codelets.
  }];
  let dependentDialects = ["::sluice::list::ListDialect"];
  let statistics = [
    Statistic<"numCells", "cells", "lists that became cells">,
  ];
}

def CodegenMultiplyAhead : Pass<"codegen-multiply-ahead", "::mlir::ModuleOp"> {
  let summary = "multiply for several iterations of a loop at once";
  let description = [{
    In a loop of a codelet that counts down, products of a captured matrix and what is known of
    iterations before they run, which is made of captures, the counter and what is popped of lists,
    are computed for a block of iterations: their rows are joined in one matrix, so the captured one
    is read once. A loop of whole blocks comes in front of the loop, and in it the iterations of a
    block. An element of a product depends on its row alone, so no bit changes.

    *Requires* codelets whose lists are cells. *Produces* loops of blocks; memory for the rows and
    products of one block, of 256 rows at most.
  }];
  let dependentDialects = ["::sluice::flow::FlowDialect", "::sluice::nd::NDDialect"];
  let statistics = [
    Statistic<"numLoops", "loops", "loops with blocks of iterations">,
    Statistic<"numProducts", "products", "products that are computed for a block">,
  ];
}

def CodegenAssignStreams : Pass<"codegen-assign-streams", "::mlir::ModuleOp"> {
  let summary = "spread codelets that do not depend on each other over a card's streams";
  let description = [{
    Of each graph of a rank whose module has `codegen.has_card`, chains of the card's codelets that do not wait for each
    other get different streams, up to four. All that is in one loop stays on one, and so does what is short: a chain has a
    stream of its own only with a loop, four codelets or as much work. `docs/rationale/gpu.md` has the reasons.

    *Requires* codelets and control flow as primitives. *Produces* the attribute `codegen.stream` of codelets
    that are not on stream 0.
  }];
  let statistics = [
    Statistic<"numStreams", "streams", "streams beside the first one of each graph">,
  ];
}

#endif
