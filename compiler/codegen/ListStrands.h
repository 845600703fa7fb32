// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lists of a graph, and which of them can be arrays (ListArrays.h).
//
// Values of one list after the other are one *strand*, as in ListCells.cpp.
#pragma once

#include "compiler/codegen/TripBound.h"
#include "dialects/flow/Flow.h"
#include "dialects/list/List.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

#include <string>
#include <vector>

namespace sluice::codegen {

// Where a strand goes through a branch or loop: which init of a loop it is, or capture of a branch,
// and which result.
struct StrandPlace {
  std::optional<unsigned> in, result;
};

struct Strand {
  mlir::Value root;
  llvm::SmallVector<mlir::Value> values;
  llvm::SmallVector<mlir::Operation *> ops; // but branches, loops and ends of regions
  // By the first block of the branch or loop, which stays when that becomes another op.
  llvm::MapVector<mlir::Block *, StrandPlace> places;
  mlir::Operation *oddity = nullptr; // why it cannot be an array, if it cannot
  std::string reason;
  bool isSized = false; // it keeps its length (SizedLists.h); what follows is of others
  // Of one that can:
  list::MakeOp make;
  mlir::Block *loop = nullptr; // of the outermost loop that pushes
  std::optional<int64_t> rows; // at most, if that is known
  bool isExact = false;        // after that loop there are as many rows as it has iterations

  mlir::RankedTensorType row() const;
  template <typename Op> llvm::SmallVector<Op> all() const {
    llvm::SmallVector<Op> found;
    for (mlir::Operation *op : ops)
      if (auto one = mlir::dyn_cast<Op>(op))
        found.push_back(one);
    return found;
  }
  bool fail(mlir::Operation *op, std::string why);
};

// The loops around the op, from it outwards, of those that are in the block.
llvm::SmallVector<flow::WhileOp> loopsAround(mlir::Operation *op, mlir::Block *block);

// Loops with a number in `stay`, or without one, do not go to the card.
std::vector<Strand> findStrands(mlir::Operation *graph, const llvm::DenseSet<int64_t> &stay,
                                bool always);

} // namespace sluice::codegen
