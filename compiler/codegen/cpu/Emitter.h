// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the body of one codelet as a function of arith, math, vector, scf, memref, linalg and llvm
// ops.
//
// The emitter walks the codelet's region in order and hands each op to its lowering (Lowerings.h).
// A lowering asks for operands in the class it can use (`inRegister`, `buffer`), and either defines
// the result as a register or writes it to the memory that `destination` gives. The value of a
// constant is there like every other value.
//
//   straight line    a guard that fails leaves the function with kSluiceBail: the runtime then runs
//                    the plain kernels, which find the right result or the right message
//   loops, branches  nobody can leave and nothing can be repeated: an op that may fail calls
//                    `failIf`, goes on with harmless operands, and the loops end
#pragma once

#include "compiler/codegen/cpu/Arena.h"
#include "compiler/codegen/cpu/Cells.h"
#include "compiler/codegen/cpu/EntryDims.h"
#include "compiler/codegen/cpu/ProductSums.h"
#include "compiler/codegen/cpu/TargetOptions.h"
#include "compiler/codegen/elements/Failures.h"
#include "compiler/codegen/plan/FusionPlan.h"
#include "compiler/codegen/plan/Held.h"
#include "compiler/codegen/plan/SlotLifetimes.h"
#include "dialects/flow/Flow.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/DenseMap.h"

namespace sluice::codegen {

class Emitter;
// Emits one op at the builder, and defines all of its results. Fails only for ops that `canCompile`
// (Eligibility.h) refuses.
using LowerFn = mlir::LogicalResult (*)(mlir::Operation *op, Emitter &emitter);
// From an op to what emits it; null for ops without code.
using FindLowering = LowerFn (*)(mlir::Operation *op);

class Emitter {
public:
  // `call` is the SluiceCodeletCall. The builder stands in the function's entry block.
  Emitter(mlir::ImplicitLocOpBuilder &builder, flow::CodeletOp codelet, const ShapeSymbols &shapes,
          mlir::Value call, const TargetOptions &options, FindLowering findLowering);

  mlir::ImplicitLocOpBuilder &builder() { return builder_; }
  const TargetOptions &options() const { return options_; }
  flow::CodeletOp codelet() const { return codelet_; }
  mlir::Value call() const { return call_; }

  // ---- Values -------------------------------------------------------------------------------
  // As it is held; inputs are loaded, constants are made where they are first asked for.
  Held held(mlir::Value value);
  void define(mlir::Value value, Held held);
  // `inRegister` becomes the value of `result`, whose class must not be kBuffer.
  void define(mlir::Value result, mlir::Value inRegister);
  bool isDefined(mlir::Value value) const { return values_.contains(value); }

  // Scalar or flat vector; the value's class must not be kBuffer.
  mlir::Value inRegister(mlir::Value value);
  // A memref with the elements of the value: a register is stored to a slot of the arena.
  // On a card all slots are; there a kernel does that.
  mlir::Value buffer(mlir::Value value);
  // Dims as index values that may be used anywhere in the function; known ones are constants.
  llvm::SmallVector<mlir::Value> dims(mlir::Value value);
  mlir::Value dim(mlir::AffineExpr dim) { return dims_->get(dim); }
  const ShapeSymbols &shapes() const { return dims_->shapes(); }
  // Which elementwise ops become one loop.
  const FusionPlan &fusion() const { return fusion_; }
  // The value of an operand that is a constant.
  mlir::ElementsAttr constant(mlir::Value value) const;

  // ---- Memory -------------------------------------------------------------------------------
  // A memref with identity layout into which the op writes `result`, and which then is defined as
  // its buffer. That is an output's memory when the codelet yields the result, the other buffer of
  // a loop-carried value when a loop's body does, else a slot of the arena.
  mlir::Value destination(mlir::Value result);
  // A slot of the arena for elements and dims like those of `value`, for as long as its memory is
  // looked at. A fresh one was not used before (Arena.h).
  mlir::Value allocate(mlir::Value value, bool fresh = false);
  // A copy of an array, for rows of it to be written, which lies where `result` has to. None where
  // the array is already there: an input that the output took over, or one made there.
  mlir::Value copyForUpdates(mlir::Value init, mlir::Value result);
  // Memory that nothing else uses during the call, as `!llvm.ptr`.
  mlir::Value allocateBytes(int64_t bytes);
  mlir::Value allocateBytes(mlir::AffineExpr bytes);
  // The address of a matrix packed for products, by its buffer and whether it is transposed; null
  // until somebody sets it.
  mlir::Value &packedForm(mlir::Value buffer, bool transposed) {
    return packed_[{buffer, transposed}];
  }
  // Where a product onto a sum is kept until later (ProductSums.h); null if it is added at once.
  mlir::Value keptFor(mlir::Operation *product) const { return sums_.keptFor(product); }
  const Arena &arena() const { return *arena_; }
  // Memory at a `!llvm.ptr` as memref with identity layout; an index value for each dim, of which
  // those of static dims may be null.
  mlir::Value memrefAt(mlir::Value pointer, mlir::MemRefType type, mlir::ValueRange dims);
  // The address of a memref's first element as `!llvm.ptr`, for calls of the runtime.
  mlir::Value pointerTo(mlir::Value memref);

  // ---- Failures -----------------------------------------------------------------------------
  // Leaves with kSluiceBail unless `ok`. Only where `mayBail` holds.
  void bailUnless(mlir::Value ok);
  // Whether the codelet is a straight line: all guards are possible.
  bool mayBail() const { return !hasRegions_; }
  // In a straight line bails; else remembers reason and member, the first that fails. The caller
  // replaces the operands that `bad` is about by harmless ones, since the code goes on.
  void failIf(mlir::Value bad, FailureReason reason, mlir::Operation *member);

  // Goes on like that where a call of the runtime gives a status that is not 0.
  void failOn(mlir::Value status, mlir::Operation *member);

  // A variable of the function that starts as 0.
  mlir::Value local(mlir::Type type);
  // Of an op that calls a kernel, among them.
  unsigned positionOf(flow::BoxRunOp run) const { return calls_.lookup(run); }
  // A name in the module that nothing else has, for data of this function.
  std::string newDataName();

  // ---- The codelet and its regions ------------------------------------------------------------
  // All of the function's body.
  mlir::LogicalResult emitBody();
  // Emits the ops of a block but its terminator, in the order of the fusion plan, and counts them.
  mlir::LogicalResult emitBlock(mlir::Block &block);

private:
  mlir::LogicalResult emitOp(mlir::Operation *op);
  void defineInputs();
  void storeOutputs();
  void storeStatus();
  void fail(mlir::Value bad, mlir::Value status, mlir::Operation *member);
  // The output that a value is or becomes (RowUpdates.h); null if none, the first if several.
  mlir::OpOperand *outputOf(mlir::Value result);
  mlir::Value outputMemory(unsigned position, mlir::Value value);
  void loadResults(mlir::Operation *op);
  // Branches and loops, in Regions.cpp.
  friend class RegionScope;
  struct Carried;
  mlir::LogicalResult emitCond(flow::CondOp op);
  mlir::LogicalResult emitBranch(flow::CondOp op, mlir::Block &branch, mlir::Block *block,
                                 llvm::ArrayRef<mlir::Value> memory, bool shared);
  mlir::LogicalResult emitWhile(flow::WhileOp op);
  mlir::LogicalResult emitBefore(flow::WhileOp op, mlir::scf::WhileOp loop);
  mlir::LogicalResult emitAfter(flow::WhileOp op, mlir::scf::WhileOp loop);
  void defineAll(mlir::ValueRange values, mlir::ValueRange code);
  void defineCaptures(flow::WhileOp op, mlir::Block &region);
  mlir::Value asCarried(mlir::Value value, mlir::Type like);
  void settle(mlir::Value value, mlir::Value memory);
  mlir::Value hasFailed();
  void addLoopOps(mlir::Block &block);

  mlir::ImplicitLocOpBuilder &builder_;
  flow::CodeletOp codelet_;
  mlir::Value call_, inputs_, outputs_;
  const TargetOptions &options_;
  FindLowering findLowering_;
  FusionPlan fusion_;
  SlotLifetimes lifetimes_;
  std::optional<EntryDims> dims_;
  std::optional<Arena> arena_;
  llvm::DenseMap<mlir::Value, Held> values_;
  // Where inputs that were loaded into registers lie.
  llvm::DenseMap<mlir::Value, mlir::Value> inputData_;
  // Registers that were also stored to memory, as memrefs.
  llvm::DenseMap<mlir::Value, mlir::Value> stored_;
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, mlir::Value> packed_;
  // Memory in which a value has to end, given by the loop around its op.
  llvm::DenseMap<mlir::Value, mlir::Value> destinations_;
  llvm::DenseMap<unsigned, mlir::Value> givenOutputs_; // memory given to ops as destinations
  Cells cells_;
  ProductSums sums_;
  llvm::SmallVector<mlir::Operation *> members_;
  llvm::DenseMap<mlir::Operation *, unsigned> calls_;
  // Local variables, which LLVM turns into registers: the status and member of the first failure,
  // and what loopOps grows by. Null when the codelet does not need them.
  mlir::Value status_, failedMember_, loopOps_;
  mlir::Value cancel_; // the word that ends loops; null without loops
  mlir::Block *bailBlock_ = nullptr;
  unsigned numData_ = 0;
  unsigned depth_ = 0; // of regions around the builder
  bool isOnCard_ = false;
  bool hasRegions_ = false;
};

// Whether the code writes an output of the codelet: what leaves in a cell or box is there already.
bool isWritten(mlir::Value output);

// The opposite of an i1.
mlir::Value negated(mlir::ImplicitLocOpBuilder &b, mlir::Value condition);

// Loads and stores of registers at a `!llvm.ptr`, with the memory form of bools.
mlir::Value loadRegister(mlir::ImplicitLocOpBuilder &b, mlir::RankedTensorType type,
                         mlir::Value pointer);
void storeRegister(mlir::ImplicitLocOpBuilder &b, mlir::RankedTensorType type, mlir::Value value,
                   mlir::Value pointer);

} // namespace sluice::codegen
