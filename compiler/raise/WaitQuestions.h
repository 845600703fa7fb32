// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ops of a block wait for which others, asked for many at once.
#pragma once

#include "dialects/flow/Flow.h"

#include "llvm/ADT/MapVector.h"

#include <optional>
#include <vector>

namespace sluice::raise {

// All answers take one walk over a block for every 64 questions about it: a graph of n ops with m
// arrays takes n·m/64 steps, and those whose text has everything in order take none.
class WaitQuestions {
public:
  // Whether an op of `later` waits, in whatever way, for one of `first`; all are in this block.
  void ask(mlir::Block *block, llvm::ArrayRef<mlir::Operation *> first,
           llvm::ArrayRef<mlir::Operation *> later);
  // For each question: the position in `later` of one that does.
  std::vector<std::optional<unsigned>> answer() const;

private:
  struct Question {
    llvm::SmallVector<mlir::Operation *> first, later;
    unsigned number;
  };
  class Walk;

  unsigned numQuestions_ = 0;
  llvm::MapVector<mlir::Block *, std::vector<Question>> byBlock_;
};

} // namespace sluice::raise
