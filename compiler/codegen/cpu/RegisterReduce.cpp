// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions in registers, in the order of runtime/kernels/reduction.cpp: what lies behind each
// other in memory is folded into eight lanes, which are combined pairwise; rows are added to rows.
// Registers are too small for the kernel's partial results to ever be put aside.
#include "compiler/codegen/cpu/Lowerings.h"
#include "compiler/codegen/cpu/RegisterMoves.h"
#include "compiler/codegen/elements/EmittedNumbers.h"
#include "compiler/codegen/elements/ReductionCode.h"
#include "compiler/codegen/shapes/ConstantOperands.h"

#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace sluice::codegen {

static constexpr int64_t kLanes = 8; // of ReducerOf::foldRun

static Value identity(ImplicitLocOpBuilder &b, const ReductionCode &code, size_t lanes) {
  Type type = code.accumulator();
  if (lanes > 1)
    type = VectorType::get({static_cast<int64_t>(lanes)}, type);
  return constantOf(b, type, code.identity());
}

// ---- Order --------------------------------------------------------------------------------------

// The elements of each result, in row-major order.
static SmallVector<SmallVector<int64_t>> sourcesOf(ArrayRef<int64_t> shape,
                                                   ArrayRef<bool> reduced) {
  int64_t count = 1;
  for (auto [size, isReduced] : llvm::zip(shape, reduced))
    count *= isReduced ? 1 : size;
  SmallVector<SmallVector<int64_t>> sources(static_cast<size_t>(count));
  for (int64_t i = 0, n = ShapedType::getNumElements(shape); i < n; ++i) {
    int64_t rest = i, result = 0, stride = 1;
    for (size_t d = shape.size(); d-- > 0; rest /= shape[d]) {
      if (reduced[d])
        continue;
      result += rest % shape[d] * stride;
      stride *= shape[d];
    }
    sources[static_cast<size_t>(result)].push_back(i);
  }
  return sources;
}

// The size of the innermost group of neighbouring dims that all are reduced, or all are kept;
// negative when they are kept.
static int64_t innermostGroup(ArrayRef<int64_t> shape, ArrayRef<bool> reduced) {
  int64_t size = 1;
  bool isReduced = true, any = false;
  for (size_t d = shape.size(); d-- > 0;) {
    if (shape[d] == 1)
      continue;
    if (any && reduced[d] != isReduced)
      break;
    any = true;
    isReduced = reduced[d];
    size *= shape[d];
  }
  return isReduced ? size : -size;
}

// Lanes begin … end of a vector of kLanes.
static Value lanes(ImplicitLocOpBuilder &b, Value vector, int64_t begin, int64_t end) {
  return moveLanes(b, vector, llvm::to_vector(llvm::seq(begin, end)));
}

// One run of neighbours, as `foldRun` does it.
static Value foldRun(ImplicitLocOpBuilder &b, const ReductionCode &code, Value acc, Value source,
                     ArrayRef<int64_t> run) {
  Value sum = identity(b, code, kLanes);
  for (; run.size() >= kLanes; run = run.drop_front(kLanes))
    sum = code.combine(b, sum, moveLanes(b, source, run.take_front(kLanes)));
  if (!run.empty()) {
    auto rest = static_cast<int64_t>(run.size());
    Value taken = code.combine(b, lanes(b, sum, 0, rest), moveLanes(b, source, run));
    SmallVector<int64_t> mixed = llvm::to_vector(llvm::seq<int64_t>(0, rest));
    llvm::append_range(mixed, llvm::seq(2 * rest, rest + kLanes));
    sum = moveLanes(b, {taken, sum}, mixed);
  }
  for (int64_t width = kLanes / 2; width > 0; width /= 2)
    sum = code.combine(b, lanes(b, sum, 0, width), lanes(b, sum, width, 2 * width));
  return code.combine(b, acc, sum);
}

static Value reduceRuns(ImplicitLocOpBuilder &b, const ReductionCode &code, Value source,
                        ArrayRef<SmallVector<int64_t>> sources, size_t run) {
  SmallVector<Value> results;
  for (ArrayRef<int64_t> from : sources) {
    Value acc = identity(b, code, 1);
    for (; !from.empty(); from = from.drop_front(run))
      acc = foldRun(b, code, acc, source, from.take_front(run));
    results.push_back(acc);
  }
  return moveLanes(b, results, llvm::to_vector(llvm::seq<int64_t>(0, results.size())));
}

static Value reduceRows(ImplicitLocOpBuilder &b, const ReductionCode &code, Value source,
                        ArrayRef<SmallVector<int64_t>> sources) {
  Value acc = identity(b, code, sources.size());
  for (size_t row = 0; row < sources.front().size(); ++row) {
    SmallVector<int64_t> from;
    for (ArrayRef<int64_t> all : sources)
      from.push_back(all[row]);
    acc = code.combine(b, acc, moveLanes(b, source, from));
  }
  return acc;
}

LogicalResult lowerReductionInRegisters(Operation *op, Emitter &emitter) {
  ImplicitLocOpBuilder &b = emitter.builder();
  auto type = cast<RankedTensorType>(op->getOperand(0).getType());
  auto reduced = constantAxisSet(op->getOperand(1), type.getRank());
  if (!reduced)
    return op->emitError("expected constant axes");
  ReductionCode code(op);
  Value source = code.load(b, emitter.inRegister(op->getOperand(0)));
  auto sources = sourcesOf(type.getShape(), *reduced);
  int64_t group = innermostGroup(type.getShape(), *reduced);
  Value result = group > 0 ? reduceRuns(b, code, source, sources, static_cast<size_t>(group))
                           : reduceRows(b, code, source, sources);
  auto count = static_cast<int64_t>(sources.front().size());
  emitter.define(op->getResult(0), code.finish(b, result, count));
  return success();
}

} // namespace sluice::codegen
