// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes of the differentiate phase.
#ifndef SLUICE_DIFFERENTIATE_PASSES
#define SLUICE_DIFFERENTIATE_PASSES

include "mlir/Pass/PassBase.td"

def DifferentiateBuildGradients : Pass<"differentiate-build-gradients", "::mlir::ModuleOp"> {
  let summary = "build the derivatives that are asked for";
  let description = [{
    Reverse mode on regions: a `flow.gradient` becomes ops which compute the derivatives from the values
    that the graph has computed already. A `flow.cond` gets a mirror on the same predicate. A `flow.while`
    counts its iterations, and its mirror runs as many, the last one first. What a mirror needs of an
    iteration or a way is pushed to a list when it is computed, one list for each such value, and
    popped in the mirror; constants, captures, counters and variables that stay as they are need not be,
    and others are computed again instead, as a minimum cut says, within what `memory` allows. Derivatives of what a loop captures are summed in the order in which the mirror runs; of products that an
    iteration gives, each goes on with the chains of the one before if `products` says so.

    Requests whose `ys` depend on the results of another one come after it, so that derivatives of
    derivatives are found. What is built for an op asks for the device that the op asks for (`wire.requested`,
    `wire.colocate`), and so do the pushes and pops of a value that is saved. At last `flow.independent` and `flow.known_as` give way to their operands.

    *Requires* branches and loops with regions. *Produces* a module without requests. An op that a
    derivative depends on and that has none, such as a loop that stayed primitive, is an error.
  }];
  let options = [
    Option<"memory", "memory", "std::string", "\"fast\"",
           "what may be computed again: fast (what moves elements), balanced (also what computes "
           "element by element), min (all), segments (whole iterations), or a number of bytes">,
    Option<"products", "products", "std::string", "\"joined\"",
           "how a loop's products for one matrix are summed: each, joined (one product)">,
  ];
  let dependentDialects = ["::sluice::flow::FlowDialect", "::sluice::list::ListDialect",
                           "::sluice::nd::NDDialect"];
  let statistics = [
    Statistic<"numSaved", "saved", "values of loops and branches that are saved for their mirrors">,
  ];
}

def DifferentiateJoinProducts : Pass<"differentiate-join-products"> {
  let summary = "let a loop's products that it adds to what it carries go on with the chains of the sum";
  let description = [{
    Where the body of a `flow.while` does nothing to a matrix of f32 or f64 that it carries but to add to it, an
    `nd.matmul` that is added and that nothing else uses becomes an `nd.matmul_onto`. So the products of all iterations
    are one, of all their rows and columns. This is what graphs do that bring the derivative of a loop along.

    *Requires* loops with regions. *Produces* sums that are rounded in another order: `--gradient-products=each`
    leaves the pass out.
  }];
  let dependentDialects = ["::sluice::nd::NDDialect"];
  let statistics = [
    Statistic<"numJoined", "joined", "products that became links of chains">,
  ];
}

#endif
