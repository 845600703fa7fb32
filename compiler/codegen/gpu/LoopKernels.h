// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of the steps of a loop on a card. Each takes the address of the loop's words.
#pragma once

#include "compiler/codegen/gpu/LoopSteps.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OwningOpRef.h"

#include <map>

namespace sluice::codegen {

class LoopKernels {
public:
  // Of a loop in the function, a codelet's body.
  LoopKernels(mlir::func::FuncOp function, mlir::scf::WhileOp loop, LoopWords &words);

  // Makes the kernels of steps that are done while `guards`, words, are 1. Into `table` go rows of
  // the steps (LoopTable.h).
  mlir::LogicalResult add(llvm::ArrayRef<LoopStep> steps, llvm::ArrayRef<unsigned> guards,
                          llvm::SmallVectorImpl<int32_t> &table);

  // One kernel of one block for all iterations, of the rows that `add` has made of the body; its
  // name. Nothing if an iteration is too much for a block.
  std::optional<std::string> fuse(llvm::ArrayRef<int32_t> table);

  // What kernels read that was there before the loop.
  llvm::ArrayRef<mlir::Value> given() const { return given_.getArrayRef(); }
  // The variables of the function that they use, which begin as 0.
  llvm::ArrayRef<mlir::LLVM::AllocaOp> variables() const { return variables_.getArrayRef(); }
  unsigned wordOf(mlir::LLVM::AllocaOp variable);

private:
  mlir::LogicalResult addScalars(const LoopStep &step, llvm::ArrayRef<unsigned> guards,
                                 llvm::SmallVectorImpl<int32_t> &table);
  mlir::LogicalResult addLaunch(mlir::gpu::LaunchFuncOp launch, llvm::ArrayRef<unsigned> guards,
                                llvm::SmallVectorImpl<int32_t> &table);
  mlir::gpu::GPUFuncOp changedKernel(mlir::gpu::LaunchFuncOp launch,
                                     llvm::ArrayRef<unsigned> guards);
  int32_t blocksOf(mlir::gpu::LaunchFuncOp launch);

  // At the builder, where `memory_` is the address of the words.
  mlir::LogicalResult emit(const LoopAction &action);
  mlir::LogicalResult emitOps(const LoopAction &action);
  void emitEnd(const LoopAction &action);
  void setWord(unsigned word, bool value);
  mlir::Value current(mlir::Value value);
  mlir::Value allOf(llvm::ArrayRef<unsigned> guards);
  bool isGiven(mlir::Value value) const;

  mlir::func::FuncOp function_;
  mlir::scf::WhileOp loop_;
  LoopWords &words_;
  mlir::ImplicitLocOpBuilder b_;
  mlir::Value memory_;
  llvm::SetVector<mlir::Value> given_;
  llvm::SetVector<mlir::LLVM::AllocaOp> variables_;
  llvm::DenseMap<mlir::Operation *, unsigned> variableWords_;
  llvm::DenseMap<mlir::Operation *, int32_t> blocks_; // by launch
  // By launch and guards: the number of the kernel that looks at them. And what it was made of, of
  // launches of a condition, which are there twice.
  std::map<std::pair<mlir::Operation *, std::vector<unsigned>>, int64_t> changed_;
  llvm::DenseMap<mlir::Operation *, mlir::OwningOpRef<mlir::gpu::GPUFuncOp>> unchanged_;
};

} // namespace sluice::codegen
