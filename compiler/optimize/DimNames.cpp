// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names are numbers below that of an unknown dim.
#include "compiler/optimize/DimNames.h"

#include "dialects/flow/Flow.h"

#include "mlir/IR/AffineExprVisitor.h"

using namespace mlir;

namespace sluice::optimize {

static constexpr int64_t kFirstName = rt::Shape::kUnknown - 1; // and from there downwards

int64_t DimNames::nameOf(Value value, unsigned dim) {
  auto [name, isNew] = own_.try_emplace({value, dim}, 0);
  if (isNew) {
    Operation *around = value.getParentRegion()->getParentOp();
    while (isa<flow::CondOp>(around))
      around = around->getParentOp();
    bool isOutside = isa<flow::TokenGraph>(around);
    AffineExpr symbol = getAffineSymbolExpr(static_cast<unsigned>(symbolsOfCall_.size()), context_);
    symbolsOfCall_.push_back(isOutside && !hasFrames_);
    name->second = sizeOf(symbol);
  }
  return name->second;
}

int64_t DimNames::sizeOf(AffineExpr dim) {
  if (auto constant = dyn_cast<AffineConstantExpr>(dim); constant && constant.getValue() >= 0)
    return constant.getValue();
  auto [name, isNew] = names_.try_emplace(dim, kFirstName - static_cast<int64_t>(named_.size()));
  if (isNew)
    named_.push_back(dim);
  return name->second;
}

AffineExpr DimNames::dimOf(int64_t size) const {
  assert(size != rt::Shape::kUnknown && "expected a number or a name");
  return size >= 0 ? getAffineConstantExpr(size, context_)
                   : named_[static_cast<size_t>(kFirstName - size)];
}

bool DimNames::isOfCall(AffineExpr dim) const {
  bool isOfCall = true;
  dim.walk([&](AffineExpr part) {
    if (auto symbol = dyn_cast<AffineSymbolExpr>(part))
      isOfCall &= symbolsOfCall_[symbol.getPosition()];
  });
  return isOfCall;
}

rt::Shape DimNames::ofCall(const rt::Shape &shape) const {
  rt::Shape result = shape;
  for (int i = 0; i < result.rank(); ++i)
    if (result.dim(i) < rt::Shape::kUnknown && !isOfCall(dimOf(result.dim(i))))
      result.setDim(i, rt::Shape::kUnknown);
  return result;
}

rt::Shape withoutNames(const rt::Shape &shape) {
  rt::Shape result = shape;
  for (int i = 0; i < result.rank(); ++i)
    if (result.dim(i) < 0)
      result.setDim(i, rt::Shape::kUnknown);
  return result;
}

} // namespace sluice::optimize
