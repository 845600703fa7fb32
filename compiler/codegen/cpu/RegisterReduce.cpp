// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions in registers, in the order of runtime/kernels/reduction.cpp: what lies behind each
// other in memory is folded into eight lanes, which are combined pairwise; rows are added to rows.
// Registers are too small for the kernel's partial results to ever be put aside.
#include "compiler/codegen/cpu/ConstantOperands.h"
#include "compiler/codegen/cpu/ElementArithmetic.h"
#include "compiler/codegen/cpu/Lowerings.h"
#include "compiler/codegen/cpu/RegisterMoves.h"
#include "dialects/nd/Nd.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace sluice::codegen {

static constexpr int64_t kLanes = 8; // of ReducerOf::foldRun

static Type elementOf(Operation *op) {
  return cast<ShapedType>(op->getOperand(0).getType()).getElementType();
}

// ---- Accumulators -------------------------------------------------------------------------------

// Elements have the accumulator's type from the start; for means of integers it has 64 bits.
static Type accumulatorOf(Operation *op) {
  Type element = registerElementType(elementOf(op));
  bool isWide = isa<nd::ReduceMeanOp>(op) && isa<IntegerType>(element);
  return isWide ? IntegerType::get(op->getContext(), 64) : element;
}

static Value convert(ImplicitLocOpBuilder &b, Operation *op, Value value, Type element) {
  auto vector = dyn_cast<VectorType>(value.getType());
  Type to = vector ? Type(vector.clone(element)) : element;
  if (value.getType() == to)
    return value;
  if (getElementTypeOrSelf(value).getIntOrFloatBitWidth() > element.getIntOrFloatBitWidth())
    return arith::TruncIOp::create(b, to, value);
  return isUnsigned(elementOf(op)) ? Value(arith::ExtUIOp::create(b, to, value))
                                   : arith::ExtSIOp::create(b, to, value);
}

static TypedAttr identityOf(OpBuilder &b, Operation *op) {
  Type type = elementOf(op), element = accumulatorOf(op);
  bool isMax = isa<nd::ReduceMaxOp>(op), isExtremum = isMax || isa<nd::ReduceMinOp>(op);
  if (auto floatType = dyn_cast<FloatType>(element)) {
    double one = isa<nd::ReduceProdOp>(op) ? 1 : 0;
    auto infinity = std::numeric_limits<double>::infinity();
    return b.getFloatAttr(floatType, isExtremum ? (isMax ? -infinity : infinity) : one);
  }
  unsigned width = element.getIntOrFloatBitWidth();
  APInt value(width, isa<nd::ReduceProdOp, nd::ReduceAllOp>(op) ? 1 : 0);
  if (isExtremum && isUnsigned(type))
    value = isMax ? APInt::getMinValue(width) : APInt::getMaxValue(width);
  else if (isExtremum)
    value = isMax ? APInt::getSignedMinValue(width) : APInt::getSignedMaxValue(width);
  return b.getIntegerAttr(element, value);
}

static Value identity(ImplicitLocOpBuilder &b, Operation *op, size_t lanes) {
  TypedAttr one = identityOf(b, op);
  if (lanes == 1)
    return arith::ConstantOp::create(b, one);
  auto type = VectorType::get({static_cast<int64_t>(lanes)}, one.getType());
  return arith::ConstantOp::create(b, DenseElementsAttr::get(type, Attribute(one)));
}

static Value combine(ImplicitLocOpBuilder &b, Operation *op, Value x, Value y) {
  bool isFloat = isa<FloatType>(elementOf(op)), isSigned = !isUnsigned(elementOf(op));
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](nd::ReduceMaxOp) { return emitExtremum(b, x, y, true, isSigned); })
      .Case([&](nd::ReduceMinOp) { return emitExtremum(b, x, y, false, isSigned); })
      .Case([&](nd::ReduceAllOp) { return arith::AndIOp::create(b, x, y); })
      .Case([&](nd::ReduceAnyOp) { return arith::OrIOp::create(b, x, y); })
      .Case([&](nd::ReduceProdOp) {
        return isFloat ? Value(arith::MulFOp::create(b, x, y)) : arith::MulIOp::create(b, x, y);
      })
      .Default([&](Operation *) {
        return isFloat ? Value(arith::AddFOp::create(b, x, y)) : arith::AddIOp::create(b, x, y);
      });
}

static Value finish(ImplicitLocOpBuilder &b, Operation *op, Value sum, int64_t count) {
  if (!isa<nd::ReduceMeanOp>(op))
    return sum;
  Value divisor = constantLike(b, sum, static_cast<double>(count));
  if (isa<FloatType>(elementOf(op)))
    return arith::DivFOp::create(b, sum, divisor);
  return isUnsigned(elementOf(op)) ? Value(arith::DivUIOp::create(b, sum, divisor))
                                   : arith::DivSIOp::create(b, sum, divisor);
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
static Value foldRun(ImplicitLocOpBuilder &b, Operation *op, Value acc, Value source,
                     ArrayRef<int64_t> run) {
  Value sum = identity(b, op, kLanes);
  for (; run.size() >= kLanes; run = run.drop_front(kLanes))
    sum = combine(b, op, sum, moveLanes(b, source, run.take_front(kLanes)));
  if (!run.empty()) {
    auto rest = static_cast<int64_t>(run.size());
    Value taken = combine(b, op, lanes(b, sum, 0, rest), moveLanes(b, source, run));
    SmallVector<int64_t> mixed = llvm::to_vector(llvm::seq<int64_t>(0, rest));
    llvm::append_range(mixed, llvm::seq(2 * rest, rest + kLanes));
    sum = moveLanes(b, {taken, sum}, mixed);
  }
  for (int64_t width = kLanes / 2; width > 0; width /= 2)
    sum = combine(b, op, lanes(b, sum, 0, width), lanes(b, sum, width, 2 * width));
  return combine(b, op, acc, sum);
}

static Value reduceRuns(ImplicitLocOpBuilder &b, Operation *op, Value source,
                        ArrayRef<SmallVector<int64_t>> sources, size_t run) {
  SmallVector<Value> results;
  for (ArrayRef<int64_t> from : sources) {
    Value acc = identity(b, op, 1);
    for (; !from.empty(); from = from.drop_front(run))
      acc = foldRun(b, op, acc, source, from.take_front(run));
    results.push_back(acc);
  }
  return moveLanes(b, results, llvm::to_vector(llvm::seq<int64_t>(0, results.size())));
}

static Value reduceRows(ImplicitLocOpBuilder &b, Operation *op, Value source,
                        ArrayRef<SmallVector<int64_t>> sources) {
  Value acc = identity(b, op, sources.size());
  for (size_t row = 0; row < sources.front().size(); ++row) {
    SmallVector<int64_t> from;
    for (ArrayRef<int64_t> all : sources)
      from.push_back(all[row]);
    acc = combine(b, op, acc, moveLanes(b, source, from));
  }
  return acc;
}

static LogicalResult lowerReduction(Operation *op, Emitter &emitter) {
  ImplicitLocOpBuilder &b = emitter.builder();
  auto type = cast<RankedTensorType>(op->getOperand(0).getType());
  auto reduced = constantAxisSet(op->getOperand(1), type.getRank());
  if (!reduced)
    return op->emitError("expected constant axes");
  Value source = convert(b, op, emitter.inRegister(op->getOperand(0)), accumulatorOf(op));
  auto sources = sourcesOf(type.getShape(), *reduced);
  int64_t group = innermostGroup(type.getShape(), *reduced);
  Value result = group > 0 ? reduceRuns(b, op, source, sources, static_cast<size_t>(group))
                           : reduceRows(b, op, source, sources);
  auto count = static_cast<int64_t>(sources.front().size());
  result = finish(b, op, result, count);
  emitter.define(op->getResult(0), convert(b, op, result, registerElementType(elementOf(op))));
  return success();
}

void addReductionLowerings(LoweringTable &registers) {
  addLowering<nd::ReduceSumOp, nd::ReduceMeanOp, nd::ReduceProdOp, nd::ReduceMaxOp, nd::ReduceMinOp,
              nd::ReduceAllOp, nd::ReduceAnyOp>(registers, lowerReduction);
}

} // namespace sluice::codegen
