// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dims of results of ops that only move elements: views, cuts, joins, repetitions.
#include "compiler/codegen/cpu/ConstantOperands.h"
#include "compiler/codegen/cpu/ShapeRules.h"
#include "compiler/codegen/cpu/SliceBounds.h"
#include "dialects/nd/Nd.h"

using namespace mlir;

namespace sluice::codegen {

namespace {

using Results = ShapeRuleResults;

Results sameRule(Operation *op, ShapeRuleContext &context) {
  return one(copyOf(context.dims(op->getOperand(0))));
}

// ---- Views --------------------------------------------------------------------------------------

Results transposeRule(Operation *op, ShapeRuleContext &context) {
  ArrayRef<AffineExpr> dims = context.dims(op->getOperand(0));
  auto permutation = constantInts(op->getOperand(1));
  if (!permutation || permutation->size() != dims.size() ||
      !constantAxisSet(op->getOperand(1), dims.size()))
    return failure();
  DimExprs result;
  for (int64_t given : *permutation)
    result.push_back(dims[*normalizedAxis(given, dims.size())]);
  return one(std::move(result));
}

Results reverseRule(Operation *op, ShapeRuleContext &context) {
  ArrayRef<AffineExpr> dims = context.dims(op->getOperand(0));
  if (!constantAxisSet(op->getOperand(1), dims.size()))
    return failure();
  return one(copyOf(dims));
}

Results expandDimsRule(Operation *op, ShapeRuleContext &context) {
  DimExprs dims = copyOf(context.dims(op->getOperand(0)));
  auto axis = constantAxis(op->getOperand(1), dims.size() + 1);
  if (!axis)
    return failure();
  dims.insert(dims.begin() + *axis, constantDim(op, 1));
  return one(std::move(dims));
}

Results squeezeRule(Operation *op, ShapeRuleContext &context) {
  ArrayRef<AffineExpr> dims = context.dims(op->getOperand(0));
  ArrayRef<int64_t> axes = cast<nd::SqueezeOp>(op).getAxes();
  SmallVector<bool> drops(dims.size(), false);
  for (int64_t given : axes) {
    auto axis = normalizedAxis(given, dims.size());
    if (!axis)
      return failure();
    drops[*axis] = true;
    context.requireEqual(dims[*axis], constantDim(op, 1));
  }
  DimExprs result;
  for (auto [dim, isDropped] : llvm::zip_equal(dims, drops)) {
    // Without axes the rank depends on unknown dims.
    if (axes.empty() && !isa<AffineConstantExpr>(dim))
      return failure();
    if (axes.empty() ? !isOne(dim) : !isDropped)
      result.push_back(dim);
  }
  return one(std::move(result));
}

// The size that -1 stands for: what is left of the input's dims when the others are taken out.
FailureOr<AffineExpr> inferredDim(Operation *op, SmallVector<AffineExpr> from,
                                  ArrayRef<AffineExpr> known, ShapeRuleContext &context) {
  AffineExpr rest = constantDim(op, 1), constant = rest;
  int64_t divisor = 1;
  for (AffineExpr dim : known) {
    if (auto size = dyn_cast<AffineConstantExpr>(dim)) {
      divisor *= size.getValue();
      continue;
    }
    auto found = llvm::find(from, dim);
    if (found == from.end())
      return failure();
    from.erase(found);
  }
  for (AffineExpr dim : from)
    (isa<AffineConstantExpr>(dim) ? constant : rest) =
        (isa<AffineConstantExpr>(dim) ? constant : rest) * dim;
  if (divisor <= 0)
    return failure();
  AffineExpr elements = rest * constant;
  context.requireEqual(elements % divisor, constantDim(op, 0));
  return elements.floorDiv(divisor);
}

Results reshapeRule(Operation *op, ShapeRuleContext &context) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  auto sizes = constantInts(op->getOperand(1));
  DimExprs result;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    result.push_back(sizes && (*sizes)[dim] != -1 ? constantDim(op, (*sizes)[dim])
                     : !type.isDynamicDim(dim)    ? constantDim(op, type.getDimSize(dim))
                                                  : AffineExpr());
  // What is left over would give the dim, but a shape that is computed may ask for another.
  if (llvm::count(result, AffineExpr()) > (sizes ? 1 : 0))
    return failure();
  SmallVector<AffineExpr> known;
  for (AffineExpr dim : result)
    if (dim)
      known.push_back(dim);
  auto from = llvm::to_vector(context.dims(op->getOperand(0)));
  FailureOr<AffineExpr> inferred = inferredDim(op, from, known, context);
  if (failed(inferred))
    return failure();
  bool isComplete = known.size() == result.size();
  if (isComplete)
    context.requireEqual(*inferred, constantDim(op, 1));
  else
    *llvm::find(result, AffineExpr()) = *inferred;
  return one(std::move(result));
}

Results sliceRule(Operation *op, ShapeRuleContext &context) {
  FailureOr<SliceBounds> bounds = sliceBounds(op, context.dims(op->getOperand(0)));
  if (failed(bounds))
    return failure();
  for (AffineExpr slack : bounds->notNegative)
    context.requireNotNegative(slack);
  return one(bounds->resultDims);
}

// ---- Cutting and joining ------------------------------------------------------------------------

Results concatRule(Operation *op, ShapeRuleContext &context) {
  ValueRange parts = op->getOperands().drop_back();
  DimExprs result = copyOf(context.dims(parts.front()));
  auto axis = constantAxis(op->getOperands().back(), result.size());
  if (!axis)
    return failure();
  for (Value part : parts.drop_front()) {
    ArrayRef<AffineExpr> dims = context.dims(part);
    for (size_t d = 0; d < result.size(); ++d)
      if (static_cast<int64_t>(d) == *axis)
        result[d] = result[d] + dims[d];
      else
        context.requireEqual(dims[d], result[d]);
  }
  return one(std::move(result));
}

Results packRule(Operation *op, ShapeRuleContext &context) {
  DimExprs result = copyOf(context.dims(op->getOperand(0)));
  for (Value part : op->getOperands().drop_front())
    requireSameDims(part, op->getOperand(0), context);
  auto axis = normalizedAxis(cast<nd::PackOp>(op).getAxis(), result.size() + 1);
  if (!axis)
    return failure();
  result.insert(result.begin() + *axis, constantDim(op, op->getNumOperands()));
  return one(std::move(result));
}

Results unpackRule(Operation *op, ShapeRuleContext &context) {
  DimExprs part = copyOf(context.dims(op->getOperand(0)));
  auto axis = normalizedAxis(cast<nd::UnpackOp>(op).getAxis(), part.size());
  if (!axis)
    return failure();
  context.requireEqual(part[*axis], constantDim(op, op->getNumResults()));
  part.erase(part.begin() + *axis);
  return SmallVector<DimExprs>(op->getNumResults(), part);
}

Results splitRule(Operation *op, ShapeRuleContext &context) {
  DimExprs part = copyOf(context.dims(op->getOperand(0)));
  auto axis = constantAxis(op->getOperands().back(), part.size());
  if (!axis)
    return failure();
  int64_t parts = op->getNumResults();
  context.requireEqual(part[*axis] % parts, constantDim(op, 0));
  part[*axis] = part[*axis].floorDiv(parts);
  return SmallVector<DimExprs>(op->getNumResults(), part);
}

Results splitVRule(Operation *op, ShapeRuleContext &context) {
  ArrayRef<AffineExpr> whole = context.dims(op->getOperand(0));
  auto axis = constantAxis(op->getOperands().back(), whole.size());
  auto sizes = constantInts(op->getOperand(1));
  if (!axis || !sizes || sizes->size() != op->getNumResults() || llvm::count(*sizes, -1) > 1 ||
      llvm::any_of(*sizes, [](int64_t size) { return size < -1; }))
    return failure();
  AffineExpr rest = whole[*axis];
  for (int64_t size : *sizes)
    if (size != -1)
      rest = rest - size;
  if (llvm::is_contained(*sizes, -1))
    context.requireNotNegative(rest);
  else
    context.requireEqual(rest, constantDim(op, 0));
  SmallVector<DimExprs> results(sizes->size(), copyOf(whole));
  for (auto [result, size] : llvm::zip_equal(results, *sizes))
    result[*axis] = size == -1 ? rest : constantDim(op, size);
  return results;
}

// What only a kernel can refuse.
bool hasNegative(ArrayRef<int64_t> numbers) {
  return llvm::any_of(numbers, [](int64_t number) { return number < 0; });
}

Results padRule(Operation *op, ShapeRuleContext &context) {
  auto paddings = constantInts(op->getOperand(1));
  DimExprs result = copyOf(context.dims(op->getOperand(0)));
  if (!paddings || paddings->size() != 2 * result.size() || hasNegative(*paddings))
    return failure();
  for (size_t d = 0; d < result.size(); ++d)
    result[d] = result[d] + (*paddings)[2 * d] + (*paddings)[2 * d + 1];
  return one(std::move(result));
}

Results tileRule(Operation *op, ShapeRuleContext &context) {
  auto multiples = constantInts(op->getOperand(1));
  DimExprs result = copyOf(context.dims(op->getOperand(0)));
  if (!multiples || multiples->size() != result.size() || hasNegative(*multiples))
    return failure();
  for (size_t d = 0; d < result.size(); ++d)
    result[d] = result[d] * (*multiples)[d];
  return one(std::move(result));
}

// The dims that the type of the result gives, where the operand broadcasts to them.
Results broadcastToRule(Operation *op, ShapeRuleContext &context) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (!type.hasStaticShape())
    return failure();
  DimExprs result;
  for (int64_t size : type.getShape())
    result.push_back(constantDim(op, size));
  ArrayRef<AffineExpr> from = context.dims(op->getOperand(0));
  for (auto [dim, size] : llvm::zip(from, ArrayRef(result).take_back(from.size())))
    if (!isOne(dim))
      context.requireEqual(dim, size);
  return one(std::move(result));
}

} // namespace

void addMoveShapeRules(ShapeRuleTable &table) {
  auto add = [&](ShapeRule rule, std::initializer_list<StringRef> names) {
    addShapeRule(table, rule, names);
  };
  add(sameRule, {"stop_gradient"});
  add(reverseRule, {"reverse"});
  add(transposeRule, {"transpose"});
  add(expandDimsRule, {"expand_dims"});
  add(squeezeRule, {"squeeze"});
  add(reshapeRule, {"reshape"});
  add(sliceRule, {"slice", "strided_slice"});
  add(concatRule, {"concat"});
  add(packRule, {"pack"});
  add(unpackRule, {"unpack"});
  add(splitRule, {"split"});
  add(splitVRule, {"split_v"});
  add(padRule, {"pad"});
  add(tileRule, {"tile"});
  add(broadcastToRule, {"broadcast_to"});
}

} // namespace sluice::codegen
