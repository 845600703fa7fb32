// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a partitioned module sends, for people and for tests.
#pragma once

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace sluice::partition {

// How many pairs of send and recv all signatures have together. An edge in a nested loop is also
// one in a loop.
struct PartitionSummary {
  unsigned edges = 0;
  unsigned edgesInLoops = 0;
  unsigned edgesInNestedLoops = 0;
};

// Of a module that passes partition-check-balance. All numbers are 0 for other modules.
PartitionSummary summarize(mlir::ModuleOp module);

// For each signature: the messages and bytes from rank to rank, of a call and of one iteration of
// each loop, and which ranks take part in the loops. Bytes are those of the elements, as far as
// types say.
std::string explainPartition(mlir::ModuleOp module);

} // namespace sluice::partition
