// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes of the optimize phase.
#ifndef SLUICE_OPTIMIZE_PASSES
#define SLUICE_OPTIMIZE_PASSES

include "mlir/Pass/PassBase.td"

def OptimizeExpandComposites : Pass<"optimize-expand-composites"> {
  let summary = "replace composites by the ops that compute them";
  let description = [{
    The ops in each `flow.composite` take its place. They ask to be on the devices that it asks for;
    constants, which are everywhere, ask for none. With `keep-names` a `flow.known_as` stays behind, for
    whoever differentiates.

    *Requires* that nobody asks any more for the names of composites (`docs/rationale/composites.md`), or
    `keep-names`. *Produces* graphs without composites.
  }];
  let options = [
    Option<"keepNames", "keep-names", "bool", "false", "keep names for derivatives">,
  ];
  let dependentDialects = ["::sluice::flow::FlowDialect"];
  let statistics = [
    Statistic<"numExpanded", "expanded", "composites that became ops">,
  ];
}

def OptimizeInlineCalls : Pass<"optimize-inline-calls", "::mlir::ModuleOp"> {
  let summary = "put the ops of functions in the place of their calls";
  let description = [{
    The ops of a `flow.func` take the place of each `flow.call` of it. In regions they make the branch or
    loop that the function was written for. Copies of a function have random streams and frames of
    their own, and its nodes are named after the caller's.

    Calls stay of functions that call themselves, of functions with primitives where the call is in a
    region, and of the largest ones where the program would become more than four times as large, and by
    more than 100,000 ops.

    *Requires* nothing. *Produces* a module in which all functions that are left are called.
  }];
  let options = [
    Option<"mostDepth", "most-depth", "unsigned", "100",
           "how many branches and loops may be inside each other; more are an error">,
  ];
  let statistics = [
    Statistic<"numInlined", "inlined", "calls that became ops">,
  ];
  let dependentDialects = ["::sluice::flow::FlowDialect"];
}

def OptimizePruneGraph : Pass<"optimize-prune-graph"> {
  let summary = "remove what no fetch and no target needs";
  let description = [{
    Walks backwards from `flow.fetch` and `flow.target` ops through all operands, tokens and the
    back edges of loops included, and removes the ops that are not reached, cycles and effects as
    well. `flow.feed` ops stay even when nothing reads them: they are the signature's interface.
    What is not computed does not fail.

    *Requires* nothing. *Produces* a graph in which every op but feeds leads to a fetch or target.
    Declarations of variables stay in the module.
  }];
  let statistics = [
    Statistic<"numRemoved", "removed", "ops that led to no fetch and no target">,
  ];
}

def OptimizePruneRegions : Pass<"optimize-prune-regions"> {
  let summary = "remove what branches and loops compute and carry for nobody";
  let description = [{
    As `optimize-prune-graph`, but through the regions of `flow.cond` and `flow.while`: what leads to no
    effect, fetch or target is removed from them, captures, results and variables of loops included.

    *Requires* nothing. *Produces* branches and loops without such values.
  }];
  let statistics = [
    Statistic<"numOps", "ops", "ops that were removed">,
    Statistic<"numValues", "values", "inits, captures and results that were removed">,
  ];
}

def OptimizeDropWaits : Pass<"optimize-drop-waits"> {
  let summary = "drop what waits for values only, in branches and loops without effects";
  let description = [{
    In a `flow.cond` or `flow.while` of a graph that takes no token, and has no op with an effect or a token of its own
    in it, gates no longer wait for values that others need as well: nothing has to be ordered there. What is only waited
    for stays, as it may fail.

    *Requires* that what nobody needs was removed (`optimize-prune-regions`). *Produces* the same values with fewer tokens.
  }];
  let statistics = [
    Statistic<"numDropped", "dropped", "waits that were dropped">,
  ];
}

def OptimizeFoldRegions : Pass<"optimize-fold-regions"> {
  let summary = "compute what depends on constants only, in branches and loops";
  let description = [{
    As `optimize-fold-constants`, in the regions of `flow.cond` and `flow.while`. Which elements a list
    has may be known there for the first time.

    *Requires* nothing. *Produces* regions with more constants. What a constant was gated by still gates
    what is made of it. What `optimize-fold-constants` has left of its budget is there for all regions
    of the graph together.
  }];
  let dependentDialects = ["::sluice::nd::NDDialect"];
  let statistics = [
    Statistic<"numFolded", "folded", "ops that became constants">,
  ];
}

def OptimizeSettleRegions : Pass<"optimize-settle-regions"> {
  let summary = "find out constants and shapes in branches and loops, until nothing is new";
  let description = [{
    Runs `optimize-fold-regions`, `optimize-simplify-lists` and `optimize-infer-regions` one after the other,
    again and again: a shape that is known makes a size a constant, which tells the next shape. At most 12 times.

    *Requires* nothing. *Produces* regions with more constants and more specific types.
  }];
  let dependentDialects = ["::sluice::flow::FlowDialect", "::sluice::list::ListDialect",
                           "::sluice::nd::NDDialect"];
  let options = [
    Option<"fold", "fold", "bool", "true", "compute what depends on constants only">,
    Option<"infer", "infer", "bool", "true", "find out shapes">,
  ];
  let statistics = [
    Statistic<"numRounds", "rounds", "how often the passes ran">,
  ];
}

def OptimizeVersionDims : Pass<"optimize-version-dims", "::mlir::ModuleOp"> {
  let summary = "a second version of a graph for feeds with equal dims";
  let description = [{
    Where dims of two feeds are not known, as the batches of an input and of its lengths, nothing says that they are
    equal, and what loops compute of both has sizes that nobody knows. If shape rules of ops in loops would say more
    if such dims were equal, and nothing else is missing, the graph becomes a branch that asks whether they are. On its
    false side is the graph as it was, and on the true one a copy in which they are one dim.

    *Requires* branches and loops with regions. A graph with primitives or calls stays, one that writes anything, and one
    whose loops multiply no matrices.
    *Produces* no ops but shapes, comparisons and reshapes of feeds, and the branch.
  }];
  let dependentDialects = ["::sluice::flow::FlowDialect", "::sluice::nd::NDDialect"];
  let statistics = [
    Statistic<"numVersioned", "versioned", "graphs of which there are two versions">,
  ];
}

def OptimizeInferRegions : Pass<"optimize-infer-regions"> {
  let summary = "find out shapes in branches and loops";
  let description = [{
    Refines the types of values in the regions of `flow.cond` and `flow.while`, of their results, and of
    what is computed from those, by the kernels' own shape rules. A list has elements of what is put there. A variable of a loop has the dims that
    it starts with as far as the loop's body keeps them; a result of a branch has what both sides have in
    common. Takes time in proportion to the ops, times their dims, for loops within loops as well.

    Dims that are not known have names, which are equal where dims are, and so have the elements of shapes
    that are computed of them. So it is known which dims `nd.fill` of a packed shape gives; and in regions, what
    `nd.broadcast_gradient_args` says of equal shapes, comparisons of sizes, and a reshape to the shape that there is, are
    replaced by what they give. There, other ops get a form for which there is code whatever the dims are: a reshape to
    dims that are computed, of which one is what is left or all but those of 1 stay; the derivative of a slice that
    surely fits, an `nd.pad`; and a slice at one index, an `nd.row` (of another dim than the first, of what a loop
    takes in, an `nd.row` of an `nd.transpose`). So they do around regions, if no switch can kill values there; only
    what is asserted becomes a constant there.

    *Requires* nothing. *Produces* types at least as precise as they were, the same values, and the same codes of errors.
  }];
  let dependentDialects = ["::sluice::nd::NDDialect", "::sluice::flow::FlowDialect"];
  let statistics = [
    Statistic<"numRefined", "refined", "types that became more precise">,
    Statistic<"numSimplified", "simplified", "results that became constants, or operands">,
  ];
}

def OptimizeSimplifyLists : Pass<"optimize-simplify-lists"> {
  let summary = "let ops on lists say what is known";
  let description = [{
    A shape that is declared of a list's elements, or asked for where an element may be empty, becomes an attribute
    where it is constant, and goes where nothing is empty or the list says as much. A limit below 0 goes. What a list
    says of its elements becomes a constant where all lists that may be there say the same. The sum of a list and one in
    which one element is set, which is how gradients of reads are added, becomes `list.accumulate`.

    *Requires* nothing; knows more after constants have been folded. *Produces* the same values and the same codes of
    errors.
  }];
  let dependentDialects = ["::sluice::list::ListDialect", "::sluice::nd::NDDialect"];
  let statistics = [
    Statistic<"numSimplified", "simplified", "changes of ops on lists">,
  ];
}

def OptimizeSlicesToRows : Pass<"optimize-slices-to-rows"> {
  let summary = "see that a slice is one row";
  let description = [{
    An `nd.slice` of size 1 along the first dim, and of all of the others, that begins at an `nd.pack` of
    an index and zeros becomes an `nd.row` and an `nd.expand_dims`. The input has as many dims, and the
    index is a scalar; else the slice may fail where a row would not.

    *Requires* nothing; knows more after `optimize-infer-shapes`. *Produces* the same elements, and the
    same code for an index that is out of range.
  }];
  let statistics = [
    Statistic<"numRows", "rows", "slices that became rows">,
  ];
}

def OptimizePartsOfProducts : Pass<"optimize-parts-of-products"> {
  let summary = "compute no more of a product than is asked for";
  let description = [{
    An `nd.slice` of an `nd.matmul` that nothing else uses becomes the product of slices of the operands. That is for
    single matrices of floats with known sizes, and slices at constant places that are known to fit.

    *Requires* nothing; knows more after constants have been folded. *Produces* the same bits, since an element of a
    product depends on its row and its column only.
  }];
  let dependentDialects = ["::sluice::nd::NDDialect"];
  let statistics = [
    Statistic<"numParts", "parts", "products of which a part was asked for">,
  ];
}

def OptimizeInferShapes : Pass<"optimize-infer-shapes", "::mlir::ModuleOp"> {
  let summary = "find out shapes through merges and loops";
  let description = [{
    Runs the kernels' own shape rules to a fixpoint over each `flow.graph`, together with the values
    of small integer tensors, on which shapes depend. The start is optimistic: what has not been
    reached yet restrains no `flow.merge`, so a loop-carried shape is known unless the loop changes
    it.

    *Requires* nothing. *Produces* result types at least as precise as they were; or, with
    `forget-claims`, types that say no more than what follows from feeds, constants and declared
    variables, so that no code is made for sizes that a file of IR merely claims. Where a graph has
    ops with regions, whose arguments have types of their own, claims are kept.

    The value of a variable has its declared shape if that is static, every reference says so, and
    every assignment in the module to a variable of that type validates shapes; hence the pass looks
    at all graphs of the module at once.

    A slice that begins at an `nd.pack` of which an element is a constant zero has the input's dim
    there, if it reaches to the end: as in `x[i]`, where only the first element is not known.

    A shape rule that fails gives a warning, and nothing is said about the op's results: the graph
    is right as long as the op does not run.

    What is read from an array or popped from a stack has a shape that was written to it, as far as
    all of its handles are in the graph. An array that is never written and whose elements have no
    known shape says nothing.
  }];
  let options = [
    Option<"forgetClaims", "forget-claims", "bool", "false",
           "forget what result types say without a reason">,
  ];
  let statistics = [
    Statistic<"numRefined", "refined", "results whose types became more precise">,
    Statistic<"numDropped", "dropped", "results whose types claimed what does not follow">,
    Statistic<"numMismatches", "mismatches", "ops that fail if they run">,
  ];
}

def OptimizeFoldConstants : Pass<"optimize-fold-constants"> {
  let summary = "compute what depends on constants only";
  let description = [{
    Runs the plain kernels of `nd` ops whose operands are constants, or gated constants: then the
    result is gated by the tokens of all of them. `nd.shape`, `nd.rank` and `nd.size` of an operand
    whose type says enough become constants gated by a `flow.after` of the operand, so that they are
    there when they were and dead when they were. Tokens that are always there, such as those of
    `flow.start`, disappear from ops that wait for something else too, or fire at the start of a
    call anyway. So does a `state.assert` of what is so: what waited for it waits for its operands.

    *Requires* nothing; knows more after `optimize-infer-shapes`. *Produces* `nd.constant` ops, and
    types made more precise where constants flow on. Ops whose kernel fails stay, and fail if they
    run. The outputs of a `flow.switch` on a constant are not touched.

    What is stored and computed has a budget, and what exceeds it stays: a result is no larger than
    1 MiB or its operands, each counted once and a splat as one element; all results together take
    32 MiB more than the graph's own constants; and the work is 2^28 elementary operations, and 4 for
    each byte of these constants. Steps on the way to other constants are given back. Where more than
    a little was spent, `optimize.folded` at the graph tells later passes: bytes and operations.
  }];
  let statistics = [
    Statistic<"numFolded", "folded", "ops replaced by constants">,
    Statistic<"numShapes", "shapes", "questions about shapes answered from types">,
    Statistic<"numTokens", "tokens", "waits for tokens that are always there">,
  ];
}

def OptimizeMergeDuplicates : Pass<"optimize-merge-duplicates"> {
  let summary = "compute once what is computed twice";
  let description = [{
    One walk, operands before users, keeps the first of all ops with equal name, attributes,
    operands and result types. These are `nd` ops, constants (by value, also those in resource
    blobs), and the ops of `flow` that only forward: `start`, `join`, `trigger`, `gate`, `after`,
    `switch` and `enter`.

    *Requires* nothing. *Produces* a graph without two such ops. Ops with effects, feeds, fetches
    and targets stay apart, as do merges: equal loops are not recognised.
  }];
  let statistics = [
    Statistic<"numMerged", "merged", "ops that an earlier one stands for">,
  ];
}

def OptimizeMergeRegions : Pass<"optimize-merge-regions"> {
  let summary = "compute once what is computed twice in branches and loops";
  let description = [{
    As `optimize-merge-duplicates`, within each region of a `flow.cond` or `flow.while`; two captures of
    one value, for which nobody asks anything, count as equal. What is computed again in the block
    around the branch or loop comes in as a capture instead, if it is a product, a reduction or the
    like: others are cheaper to compute than to keep. Ops on the way to it need not be captured. The
    op outside runs, and fails, whatever the branch does.

    *Requires* that what nobody needs is gone, as after `optimize-prune-regions`, or else an op may be
    kept that would not have run. *Produces* regions without two equal ops. Ops on lists stay apart, of
    which codelets have one at a time. One pass over all ops, each hashed at most three times.
  }];
  let statistics = [
    Statistic<"numMerged", "merged", "ops that an earlier one of their region stands for">,
    Statistic<"numCaptured", "captured", "ops that one around their region stands for">,
  ];
}

def OptimizeInvariantStacks : Pass<"optimize-invariant-stacks"> {
  let summary = "pop what is pushed in every iteration without the stack";
  let description = [{
    One loop pushes on a list in each iteration, and a later one pops from it in each: if it is always the
    same value, a capture or a constant, the second loop captures it, and the list goes round unchanged; so
    does one that nobody pops. Loops that TensorFlow has differentiated have such stacks for weights.

    The list is made empty, and what it says of elements is true of the value's type. Another stack of the
    two loops, with the same limit, has to stay: it fails where this one would have. Neither loop has an
    effect but reading, and nothing waits for what is popped.

    *Requires* nothing; knows more when variables are read before loops. *Produces* the same values and the
    same codes of errors; `optimize-prune-regions` removes what is left of the lists.
  }];
  let statistics = [
    Statistic<"numStacks", "stacks", "stacks that are filled no more">,
  ];
}

def OptimizeHoistInvariants : Pass<"optimize-hoist-invariants"> {
  let summary = "compute before a loop what is the same in every iteration";
  let description = [{
    Products, reductions and the like that depend on captures and constants only move out of a
    `flow.while`, and the loop captures the results; so does what is computed element by element for
    one of them that stays. Other ops go along if one of these needs them, and stay as well if the loop
    does: code makes what they give in registers while it reads their operands, and in a buffer it
    would have to be written and read. Inner loops come first.

    An op moves only if it cannot fail for operands of its types, whose dims are all known, and if it
    would have run: those of `before` run once at least, those of `body` if the first condition is true
    and follows from constants. What the condition forwards of a capture, the body captures. In a graph
    with `flow.switch` ops a capture must also be dead when the loop is. What an op asks for, as its
    device, goes along, and so does the name of its node.

    *Requires* nothing; knows more after `optimize-infer-regions`. *Produces* the same results; each
    value that was hoisted is in memory as long as the loop runs. Takes time in proportion to the ops,
    for each loop around them.
  }];
  let dependentDialects = ["::sluice::nd::NDDialect"];
  let statistics = [
    Statistic<"numHoisted", "hoisted", "ops whose results loops capture instead">,
  ];
}

#endif
