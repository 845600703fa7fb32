// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An op with regions that fires as one: a codelet, or a branch or loop that is to become part of
// one. Runs the ops inside one after another.
#pragma once

#include "compiler/interpret/KernelCall.h"
#include "compiler/interpret/ListCells.h"
#include "compiler/interpret/tape/Tape.h"
#include "dialects/flow/Flow.h"

namespace sluice::interpret {

class StrictOp {
public:
  static bool fits(mlir::Operation *op);
  static rt::Result<std::unique_ptr<StrictOp>> make(mlir::Operation *op,
                                                    const ResolveSymbol &resolve);

  // Counts the kernels that it runs.
  rt::Result<std::vector<rt::Tensor>> run(const std::vector<const rt::Tensor *> &inputs,
                                          rt::Environment &environment, uint64_t &kernels) const;
  // The same of a composite, with each op inside on the tape.
  rt::Result<std::vector<TapeValue>> runOnTape(const std::vector<TapeValue> &inputs,
                                               rt::Environment &environment, uint64_t &kernels,
                                               Tape &tape) const;

private:
  using Tensors = std::vector<rt::Tensor>;
  struct Call {
    rt::Environment &environment;
    uint64_t &kernels;
    ListCells cells{};
    llvm::DenseMap<uint64_t, rt::Tensor> boxes{};
  };

  // Recursive, as deep as regions nest.
  rt::Result<Tensors> runOp(mlir::Operation *op, const Tensors &inputs, Call &call) const;
  rt::Result<Tensors> runBoxOp(mlir::Operation *op, const Tensors &inputs, Call &call) const;
  rt::Result<Tensors> runBlock(mlir::Block &block, const Tensors &arguments, Call &call) const;
  rt::Result<Tensors> runLoop(flow::WhileOp loop, const Tensors &inputs, Call &call) const;
  rt::Status prepare(const ResolveSymbol &resolve);

  mlir::Operation *op_ = nullptr;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<KernelCall>> kernels_;
  llvm::DenseMap<mlir::Operation *, rt::Tensor> constants_;
};

// The value of a predicate, which has to be a scalar.
rt::Result<bool> truthOf(const rt::Tensor &predicate);

} // namespace sluice::interpret
