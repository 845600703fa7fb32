// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ops a card is for.
#include "compiler/codegen/CardWork.h"

#include "compiler/codegen/Eligibility.h"
#include "compiler/codegen/gpu/CardLowerings.h"
#include "dialects/flow/Flow.h"
#include "dialects/interfaces/Faces.h"
#include "dialects/nd/Nd.h"

using namespace mlir;

namespace sluice::codegen {

static constexpr int64_t kFewIntegers = 16;

bool canRunOnCard(Operation *op) {
  return op->hasTrait<Computes>() && !op->hasTrait<IsConstant>() && canCompile(op) &&
         cardOperands(op).has_value();
}

static bool isSmall(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape())
    return false;
  int64_t most = isa<IntegerType>(type.getElementType()) ? kFewIntegers : 1;
  return type.getNumElements() <= most;
}

bool isForHost(Operation *op, ArrayRef<unsigned> cardOperands) {
  // An array of single numbers is where they are.
  if (auto read = dyn_cast<nd::RowOp>(op))
    return isSmall(read.getResult());
  if (auto write = dyn_cast<nd::SetRowOp>(op))
    return isSmall(write.getRow());
  return llvm::all_of(op->getResults(), isSmall) &&
         llvm::all_of(cardOperands, [&](unsigned i) { return isSmall(op->getOperand(i)); });
}

} // namespace sluice::codegen
