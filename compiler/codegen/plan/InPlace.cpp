// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which outputs of a codelet may take the memory of an input.
//
// A group of elementwise ops reads an element before it writes the one at the same place. So its
// output may overwrite an input that nothing else reads, when the group reads it element for
// element and nothing can make the codelet stop afterwards.
//
// A loop that writes rows of an array may do so where the input lies that it starts with, when
// nothing else reads that input. It may fail in the middle: unlike a bail, an error ends the call,
// so nobody asks for the input again. In a straight line, writes come when nothing can stop any
// more.
#include "compiler/codegen/plan/InPlace.h"

#include "compiler/codegen/elements/ElementCode.h"
#include "compiler/codegen/plan/Held.h"
#include "compiler/codegen/plan/RowUpdates.h"
#include "dialects/nd/Nd.h"
#include "dialects/wire/Memory.h"

using namespace mlir;

namespace sluice::codegen {

static bool mayStop(Operation *op) { return elementCanFail(op) || op->hasTrait<LooksAtIndices>(); }

// A box may hold what its input holds.
static bool goesIntoBox(BlockArgument input) {
  return llvm::any_of(input.getUsers(), [](Operation *user) { return user->hasTrait<UsesBox>(); });
}

static bool hasMemoryLike(Value output, BlockArgument input, const ShapeSymbols &shapes) {
  auto from = dyn_cast<RankedTensorType>(input.getType());
  auto to = dyn_cast<RankedTensorType>(output.getType());
  return from && to && input.getArgNumber() < 32 && !isInRegister(from) &&
         from.getElementType() == to.getElementType() && shapes.haveSameDims(input, output);
}

// Whether the group of elementwise ops that makes the output is all that reads the input.
static bool isReadByGroupOf(Value output, BlockArgument input, const ShapeSymbols &shapes,
                            const FusionPlan &fusion) {
  ArrayRef<Operation *> group = fusion.groupOf(output.getDefiningOp());
  return llvm::all_of(input.getUses(), [&](OpOperand &use) {
    return llvm::is_contained(group, use.getOwner()) &&
           shapes.haveSameDims(input, use.getOwner()->getResult(0));
  });
}

// Whether the output is what a loop makes of the input by writing rows, and nothing else reads it.
static bool isUpdateOf(Value output, BlockArgument input, const FusionPlan &fusion) {
  auto loop = output.getDefiningOp<flow::WhileOp>();
  if (!loop || !input.hasOneUse())
    return false;
  auto init = llvm::find(loop.getInits(), input);
  return init != loop.getInits().end() &&
         updatedResult(loop, init - loop.getInits().begin(), fusion) == output;
}

// Whether the output is a product that a card adds to the input, which nothing else reads. Each of
// its threads reads the elements that it writes, before it does.
static bool isSumOnCard(Value output, BlockArgument input) {
  auto product = output.getDefiningOp<nd::MatmulOntoOp>();
  return product && wire::cardOf(output) && product.getSum() == input && input.hasOneUse();
}

SmallVector<uint32_t> findInPlace(flow::CodeletOp codelet, const ShapeSymbols &shapes,
                                  const FusionPlan &fusion) {
  Block &block = codelet.getBody().front();
  SmallVector<uint32_t> masks(codelet.getNumResults(), 0);
  bool stops = llvm::any_of(block, [](Operation &op) { return mayStop(&op); });
  auto fits = [&](Value output, BlockArgument input) {
    Operation *op = output.getDefiningOp();
    if (!op || op->hasTrait<UsesBox>() || goesIntoBox(input) ||
        !hasMemoryLike(output, input, shapes))
      return false;
    return isUpdateOf(output, input, fusion) || updatedInput(output) == input ||
           (!stops && isSumOnCard(output, input)) ||
           (!stops && isBufferElementwise(op) && isReadByGroupOf(output, input, shapes, fusion));
  };
  ValueRange outputs = block.getTerminator()->getOperands();
  auto firstFor = [&](BlockArgument input, bool onlyIfNone) -> uint32_t * {
    for (auto [i, output] : llvm::enumerate(outputs)) {
      bool isFirst = llvm::find(outputs, output) == outputs.begin() + i;
      if (isFirst && !(onlyIfNone && masks[i]) && fits(output, input))
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
