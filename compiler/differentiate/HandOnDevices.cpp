// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marks what was there, and looks at all without a mark.
#include "compiler/differentiate/HandOnDevices.h"

#include "dialects/flow/Flow.h"
#include "dialects/nd/Nd.h"
#include "dialects/wire/Wire.h"

using namespace mlir;

namespace sluice::differentiate {

// Addresses of ops are used again, so a set of them would not do.
static constexpr StringLiteral kForward = "forward";

HandOnDevices::HandOnDevices(ModuleOp module) : module_(module) {
  module.walk([&](Operation *op) {
    Attribute requested = op->getDiscardableAttr(wire::kRequested);
    Attribute colocate = op->getDiscardableAttr(wire::kColocate);
    if (requested || colocate)
      wishes_.try_emplace(op->getLoc(), Wish{requested, colocate});
  });
  if (!wishes_.empty())
    module.walk(
        [&](Operation *op) { op->setDiscardableAttr(kForward, UnitAttr::get(op->getContext())); });
}

// Whether the op is work that can be anywhere. What uses a variable is where that is, and branches
// and loops are wherever their parts are.
static bool hasChoice(Operation *op) {
  auto isValue = [](Type type) { return wire::isSendable(type) || isa<flow::TokenType>(type); };
  return op->getNumRegions() == 0 && !op->hasTrait<OpTrait::IsTerminator>() &&
         !isa<nd::ConstantOp, flow::StartOp>(op) && llvm::all_of(op->getOperandTypes(), isValue) &&
         llvm::all_of(op->getResultTypes(), isValue);
}

void HandOnDevices::finish() {
  if (wishes_.empty())
    return;
  module_.walk([&](Operation *op) {
    if (op->removeDiscardableAttr(kForward) || !hasChoice(op))
      return;
    Wish wish = wishes_.lookup(op->getLoc());
    if (wish.requested && !op->hasAttr(wire::kRequested))
      op->setDiscardableAttr(wire::kRequested, wish.requested);
    if (wish.colocate && !op->hasAttr(wire::kColocate))
      op->setDiscardableAttr(wire::kColocate, wish.colocate);
  });
}

} // namespace sluice::differentiate
