// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What nodes that call functions have in common: calls, predicates and regions. A region calls the
// function whose ops will take the call's place.
#pragma once

#include "compiler/import/GraphBuilder.h"
#include "compiler/import/functions/CallRules.h"
#include "compiler/import/tensorflow/Expansion.h"

namespace sluice::import {

// The inputs that the node's functions are given.
llvm::SmallVector<Value> argumentsOfCall(Expansion &e);
// False, after a diagnostic, when it is not known what the functions give.
bool haveResults(Expansion &e);
bool anyEffects(Expansion &e);
// What branches and loops wait for: as of a call, nothing of them takes place if an input is dead.
llvm::SmallVector<Value> tokensOfCall(Expansion &e);
flow::CallOp call(Expansion &e, const Function &callee, ValueRange arguments,
                  ValueRange tokens = {});
void setResults(Expansion &e, ValueRange values);
// What TensorFlow takes for true: numbers that are not 0, texts and tensors that are not empty.
Value asPredicate(Expansion &e, Value value);
// Adds a block to the region, with an argument for each type, and leaves the builder in it.
mlir::Block &beginRegion(Expansion &e, mlir::Region &region, TypeRange arguments);

// Of `While` and `For`.
void buildWhile(Expansion &e);
void buildFor(Expansion &e);

} // namespace sluice::import
