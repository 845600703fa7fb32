// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What follows a product and a library can do with it.
#include "compiler/codegen/gpu/CardEpilogues.h"

#include "compiler/codegen/plan/FusionPlan.h"
#include "dialects/nd/Nd.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace sluice::codegen {

// The other operand of an op of two, one of which is the value.
static Value otherThan(Operation *op, Value value) {
  return op->getOperand(op->getOperand(0) == value ? 1 : 0);
}

static bool isZero(Value value) {
  auto constant = value.getDefiningOp<nd::ConstantOp>();
  auto values = constant ? dyn_cast<DenseFPElementsAttr>(constant.getValue()) : nullptr;
  return values && values.isSplat() && values.getSplatValue<APFloat>().isZero();
}

// Whether nothing that has code stands between the product and the op.
static bool isNext(Operation *product, Operation *op, Emitter &emitter) {
  ArrayRef<Operation *> order = emitter.fusion().order(*product->getBlock());
  const auto *at = llvm::find(order, product);
  do
    ++at;
  while (at != order.end() && isa<nd::ConstantOp>(*at));
  return at != order.end() && *at == op;
}

Epilogue epilogueOf(Value product, Emitter &emitter) {
  auto type = cast<RankedTensorType>(product.getType());
  ArrayRef<AffineExpr> dims = emitter.shapes().dims(product);
  if (!product.hasOneUse() || dims.size() != 2 || type.getElementType().isF64())
    return {};
  auto sum = dyn_cast<nd::AddOp>(*product.user_begin());
  if (!sum || !isBufferElementwise(sum) || emitter.shapes().dims(sum) != dims ||
      !isNext(product.getDefiningOp(), sum, emitter))
    return {};
  Epilogue epilogue{emitter.fusion().groupOf(sum), otherThan(sum, product)};
  if (epilogue.members.front() != sum || epilogue.members.size() > 2)
    return {};
  if (epilogue.members.size() == 2) {
    auto clamp = dyn_cast<nd::MaximumOp>(epilogue.members[1]);
    if (!clamp || !sum->hasOneUse() || !isZero(otherThan(clamp, sum)))
      return {};
    epilogue.clamps = true;
  }
  ArrayRef<AffineExpr> of = emitter.shapes().dims(epilogue.bias);
  // Of a single row the result may lie where the bias does.
  bool isRow = dims[0] != 1 && !of.empty() && of.size() <= 2 && of.back() == dims[1] &&
               dims[1] != 1 && (of.size() == 1 || of[0] == 1) && emitter.isDefined(epilogue.bias) &&
               emitter.held(epilogue.bias).kind() == HeldKind::kBuffer;
  // Elementwise ops that need the result would have been one kernel with these.
  bool ends = llvm::all_of(epilogue.result().getUsers(), [](Operation *user) {
    return isa<nd::MatmulOp, nd::MatmulOntoOp>(user) || user->hasTrait<OpTrait::IsTerminator>();
  });
  return isRow && ends ? epilogue : Epilogue();
}

} // namespace sluice::codegen
