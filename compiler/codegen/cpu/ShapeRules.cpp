// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dims of results of ops that compute, and the table of all rules.
#include "compiler/codegen/cpu/ShapeRules.h"

#include "compiler/codegen/cpu/ConstantOperands.h"
#include "dialects/nd/Nd.h"

using namespace mlir;

namespace sluice::codegen {

namespace {

using Results = ShapeRuleResults;

// ---- Elementwise --------------------------------------------------------------------------------

// A dim of operands that are aligned at their last dims; a size that is known and not 1 wins.
AffineExpr broadcastDim(ArrayRef<AffineExpr> sizes) {
  AffineExpr result = sizes.front();
  for (AffineExpr size : sizes) {
    bool isBetter = isOne(result) || (isa<AffineConstantExpr>(size) && !isOne(size));
    if (isBetter && !isOne(size))
      result = size;
  }
  return result;
}

DimExprs broadcastDims(ArrayRef<ArrayRef<AffineExpr>> shapes, ShapeRuleContext &context) {
  size_t rank = 0;
  for (ArrayRef<AffineExpr> dims : shapes)
    rank = std::max(rank, dims.size());
  DimExprs result(rank);
  for (size_t back = 1; back <= rank; ++back) {
    SmallVector<AffineExpr> sizes;
    for (ArrayRef<AffineExpr> dims : shapes)
      if (back <= dims.size())
        sizes.push_back(dims[dims.size() - back]);
    AffineExpr dim = broadcastDim(sizes);
    for (AffineExpr size : sizes)
      if (!isOne(size))
        context.requireEqual(size, dim);
    result[rank - back] = dim;
  }
  return result;
}

Results elementwiseRule(Operation *op, ShapeRuleContext &context) {
  SmallVector<ArrayRef<AffineExpr>> shapes;
  for (Value operand : op->getOperands())
    shapes.push_back(context.dims(operand));
  return one(broadcastDims(shapes, context));
}

Results selectRule(Operation *op, ShapeRuleContext &context) {
  auto select = cast<nd::SelectOp>(op);
  if (!select.getLeading())
    return elementwiseRule(op, context);
  ArrayRef<AffineExpr> dims = context.dims(select.getOnTrue());
  requireSameDims(select.getOnTrue(), select.getOnFalse(), context);
  for (auto [size, dim] : llvm::zip(context.dims(select.getCondition()), dims))
    context.requireEqual(size, dim);
  return one(copyOf(dims));
}

// ---- Reductions and products --------------------------------------------------------------------

Results reduceRule(Operation *op, ShapeRuleContext &context) {
  ArrayRef<AffineExpr> dims = context.dims(op->getOperand(0));
  auto axes = constantAxisSet(op->getOperand(1), dims.size());
  if (!axes)
    return failure();
  bool keepsDims = op->getAttrOfType<BoolAttr>("keep_dims").getValue();
  DimExprs result;
  for (auto [dim, isReduced] : llvm::zip_equal(dims, *axes))
    if (!isReduced)
      result.push_back(dim);
    else if (keepsDims)
      result.push_back(constantDim(op, 1));
  return one(std::move(result));
}

Results matmulRule(Operation *op, ShapeRuleContext &context) {
  auto matmul = cast<nd::MatmulOp>(op);
  ArrayRef<AffineExpr> a = context.dims(matmul.getLhs()), b = context.dims(matmul.getRhs());
  if (a.size() < 2 || b.size() < 2)
    return failure();
  bool swapsA = matmul.getTransposeLhs() || matmul.getAdjointLhs();
  bool swapsB = matmul.getTransposeRhs() || matmul.getAdjointRhs();
  DimExprs result = broadcastDims({a.drop_back(2), b.drop_back(2)}, context);
  auto of = [](ArrayRef<AffineExpr> dims, bool isLast) { return dims[dims.size() - 2 + isLast]; };
  context.requireEqual(of(a, !swapsA), of(b, swapsB));
  result.push_back(of(a, swapsA));
  result.push_back(of(b, !swapsB));
  return one(std::move(result));
}

// ---- Indices and shapes -------------------------------------------------------------------------

Results gatherRule(Operation *op, ShapeRuleContext &context) {
  ArrayRef<AffineExpr> params = context.dims(op->getOperand(0));
  ArrayRef<AffineExpr> indices = context.dims(op->getOperand(1));
  auto axis = constantAxis(op->getOperand(2), params.size());
  if (!axis || cast<nd::GatherOp>(op).getBatchDims() != 0)
    return failure();
  DimExprs result = copyOf(params.take_front(*axis));
  llvm::append_range(result, indices);
  llvm::append_range(result, params.drop_front(*axis + 1));
  return one(std::move(result));
}

Results rowRule(Operation *op, ShapeRuleContext &context) {
  ArrayRef<AffineExpr> rows = context.dims(op->getOperand(0));
  if (rows.empty())
    return failure();
  return one(copyOf(rows.drop_front()));
}

Results setRowRule(Operation *op, ShapeRuleContext &context) {
  ArrayRef<AffineExpr> rows = context.dims(op->getOperand(0));
  ArrayRef<AffineExpr> row = context.dims(op->getOperand(2));
  if (rows.size() != row.size() + 1)
    return failure();
  for (auto [dim, size] : llvm::zip_equal(row, rows.drop_front()))
    context.requireEqual(dim, size);
  return one(copyOf(rows));
}

Results oneHotRule(Operation *op, ShapeRuleContext &context) {
  DimExprs dims = copyOf(context.dims(op->getOperand(0)));
  auto depth = constantInt(op->getOperand(1));
  int64_t axis = cast<nd::OneHotOp>(op).getAxis();
  axis = axis == -1 ? static_cast<int64_t>(dims.size()) : axis;
  if (!depth || axis < 0 || axis > static_cast<int64_t>(dims.size()))
    return failure();
  dims.insert(dims.begin() + axis, constantDim(op, *depth));
  return one(std::move(dims));
}

// Ops whose results have a known shape, and which ask nothing of their operands' dims.
Results staticRule(Operation *op, ShapeRuleContext &) {
  SmallVector<DimExprs> all;
  for (Type type : op->getResultTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !tensor.hasStaticShape())
      return failure();
    DimExprs &dims = all.emplace_back();
    for (int64_t size : tensor.getShape())
      dims.push_back(constantDim(op, size));
  }
  return all;
}

ShapeRuleTable makeRules() {
  ShapeRuleTable table;
  addMoveShapeRules(table);
  auto add = [&](ShapeRule rule, std::initializer_list<StringRef> names) {
    addShapeRule(table, rule, names);
  };
  add(elementwiseRule,
      {"neg",           "abs",         "sign",       "sqrt",      "rsqrt",       "exp",
       "expm1",         "log",         "log1p",      "tanh",      "sigmoid",     "sin",
       "cos",           "floor",       "ceil",       "round",     "logical_not", "is_nan",
       "is_inf",        "is_finite",   "add",        "sub",       "mul",         "div",
       "div_no_nan",    "floor_div",   "floor_mod",  "trunc_mod", "pow",         "maximum",
       "minimum",       "logical_and", "logical_or", "less",      "less_equal",  "greater",
       "greater_equal", "equal",       "not_equal",  "cast"});
  add(selectRule, {"select"});
  add(reduceRule, {"reduce_sum", "reduce_mean", "reduce_prod", "reduce_max", "reduce_min",
                   "reduce_all", "reduce_any"});
  add(matmulRule, {"matmul"});
  add(gatherRule, {"gather"});
  add(oneHotRule, {"one_hot"});
  add(rowRule, {"row"});
  add(setRowRule, {"set_row"});
  add(staticRule, {"constant", "shape", "rank", "size", "fill"});
  return table;
}

} // namespace

FailureOr<SmallVector<DimExprs>> inferDims(Operation *op, ShapeRuleContext &context) {
  static const ShapeRuleTable rules = makeRules();
  ShapeRule rule = rules.lookup(op->getName().getStringRef());
  return rule ? rule(op, context) : Results(failure());
}

} // namespace sluice::codegen
