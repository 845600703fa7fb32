// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of lowerings: a row for each op of nd and sci, filled in by the op's faces.
#include "compiler/codegen/cpu/Lowerings.h"

#include "compiler/codegen/elements/ElementCode.h"
#include "compiler/codegen/elements/ReductionCode.h"
#include "compiler/codegen/shapes/Moves.h"
#include "dialects/nd/AllOps.h"
#include "dialects/sci/AllOps.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace sluice::codegen {

namespace {

struct Code {
  LowerFn inRegisters = nullptr, inMemory = nullptr;
};

template <typename Op> constexpr LowerFn inRegisters() {
  if constexpr (Op::template hasTrait<OfElements>())
    return lowerElementsInRegisters;
  else if constexpr (Op::template hasTrait<OfReduction>())
    return lowerReductionInRegisters;
  else if constexpr (Op::template hasTrait<MovesElements>())
    return lowerMoveInRegisters;
  else if constexpr (Op::template hasTrait<IsConstant>())
    return lowerConstantInRegister;
  else
    return nullptr;
}
template <typename Op> constexpr LowerFn inMemory() {
  if constexpr (Op::template hasTrait<OfElements>() || Op::template hasTrait<RepeatsElements>())
    return lowerElementsInMemory;
  else if constexpr (Op::template hasTrait<OfReduction>())
    return lowerReductionInMemory;
  else
    return [](Operation *op, Emitter &emitter) { return lower(cast<Op>(op), emitter); };
}
template <typename Op> Code codeOf() {
  if constexpr (Op::template hasTrait<HasCode>())
    return {inRegisters<Op>(), inMemory<Op>()};
  else
    return {};
}

template <typename... A, typename... B>
llvm::StringMap<Code> codeOfAll(OpTypes<A...>, OpTypes<B...>) {
  return {{A::getOperationName(), codeOf<A>()}..., {B::getOperationName(), codeOf<B>()}...};
}
Code codeOf(Operation *op) {
  static const llvm::StringMap<Code> table = codeOfAll(nd::AllOps(), sci::AllOps());
  return table.lookup(op->getName().getStringRef());
}

// Registers are shuffled by constant masks. What moves elements by numbers that are not known
// before does so in memory, and so does what fails by them.
bool movesAreConstant(Operation *op) {
  auto move = dyn_cast<MoveOp>(op);
  if (!move)
    return true;
  SmallVector<unsigned> data = move.getDataOperands();
  bool areConstant = llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    return llvm::is_contained(data, operand.getOperandNumber()) ||
           operand.get().getDefiningOp<nd::ConstantOp>();
  });
  return areConstant && (!op->hasTrait<LooksAtIndices>() || succeeded(findMoves(op)));
}

} // namespace

LowerFn findLowering(Operation *op) {
  Code code = codeOf(op);
  auto inRegister = [](Value value) { return isInRegister(value); };
  if (code.inRegisters && llvm::all_of(op->getOperands(), inRegister) &&
      llvm::all_of(op->getResults(), inRegister) && movesAreConstant(op))
    return code.inRegisters;
  return code.inMemory;
}

} // namespace sluice::codegen
