// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which outputs of a codelet may take the memory of an input.
//
// A group of elementwise ops reads an element before it writes the one at the same place. So its
// output may overwrite an input that nothing else reads, when the group reads it element for
// element and nothing can make the codelet stop afterwards.
#include "compiler/codegen/cpu/InPlace.h"

#include "compiler/codegen/cpu/Held.h"
#include "compiler/codegen/cpu/Lowerings.h"
#include "dialects/nd/Nd.h"

using namespace mlir;

namespace sluice::codegen {

static bool mayStop(Operation *op) {
  return elementCanFail(op) || isa<nd::GatherOp, nd::RowOp, nd::SetRowOp>(op);
}

static bool fits(Value output, BlockArgument input, const ShapeSymbols &shapes,
                 const FusionPlan &fusion) {
  auto from = cast<RankedTensorType>(input.getType());
  auto to = cast<RankedTensorType>(output.getType());
  if (input.getArgNumber() >= 32 || isInRegister(from) ||
      from.getElementType() != to.getElementType() || !shapes.haveSameDims(input, output))
    return false;
  ArrayRef<Operation *> group = fusion.groupOf(output.getDefiningOp());
  return llvm::all_of(input.getUses(), [&](OpOperand &use) {
    return llvm::is_contained(group, use.getOwner()) &&
           shapes.haveSameDims(input, use.getOwner()->getResult(0));
  });
}

SmallVector<uint32_t> findInPlace(flow::CodeletOp codelet, const ShapeSymbols &shapes,
                                  const FusionPlan &fusion) {
  Block &block = codelet.getBody().front();
  SmallVector<uint32_t> masks(codelet.getNumResults(), 0);
  if (llvm::any_of(block, [](Operation &op) { return mayStop(&op); }))
    return masks;
  ValueRange outputs = block.getTerminator()->getOperands();
  auto firstFor = [&](BlockArgument input, bool onlyIfNone) -> uint32_t * {
    for (auto [i, output] : llvm::enumerate(outputs)) {
      Operation *op = output.getDefiningOp();
      bool isFirst = llvm::find(outputs, output) == outputs.begin() + i;
      if (op && isBufferElementwise(op) && isFirst && !(onlyIfNone && masks[i]) &&
          fits(output, input, shapes, fusion))
        return &masks[i];
    }
    return nullptr;
  };
  // Every output gets one if it can; then the first that can takes what is left.
  uint32_t offered = 0;
  for (bool onlyIfNone : {true, false})
    for (BlockArgument input : block.getArguments()) {
      uint32_t bit = input.getArgNumber() < 32 ? uint32_t(1) << input.getArgNumber() : 0;
      uint32_t *mask = offered & bit ? nullptr : firstFor(input, onlyIfNone);
      if (mask) {
        *mask |= bit;
        offered |= bit;
      }
    }
  return masks;
}

} // namespace sluice::codegen
