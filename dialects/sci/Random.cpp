// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of the sci ops of the family "random".
#include "dialects/sci/Sci.h"

#define GET_OP_CLASSES
#include "dialects/sci/Random.cpp.inc"

using namespace mlir;
using namespace sluice;

LogicalResult sci::RandomIndexShuffleOp::verify() {
  constexpr int64_t kLeast = 4;
  if (getRounds() < kLeast || getRounds() % 2 != 0)
    return emitOpError("expected an even number of 4 or more rounds but got ") << getRounds(); // C3
  return success();
}

LogicalResult sci::RandomCandidatesOp::verify() {
  if (!llvm::is_contained({"uniform", "log_uniform"}, getDistribution()))
    return emitOpError("expected 'uniform' or 'log_uniform' but got '")
           << getDistribution() << "'"; // C3
  if (getRange() <= 0 || getCount() <= 0)
    return emitOpError("expected a positive range and count but got ")
           << getRange() << " and " << getCount(); // C4
  return success();
}

void sluice::sci::registerRandomOps(SciDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "dialects/sci/Random.cpp.inc"
      >();
}
