// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Questions to the faces of ops.
#include "compiler/optimize/Recomputation.h"

#include "dialects/interfaces/Faces.h"
#include "dialects/interfaces/ResultShapes.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

namespace sluice::optimize {

static bool isKnown(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape();
}

// Axes, positions and the like: all that the op takes besides the elements that it works on.
static bool hasConstantParameters(Operation *op) {
  auto code = cast<CodeOp>(op);
  SmallVector<unsigned> parameters = code.getConstantOperands();
  if (std::optional<unsigned> dims = code.getDimsOperand())
    parameters.push_back(*dims);
  if (auto move = dyn_cast<MoveOp>(op)) {
    SmallVector<unsigned> data = move.getDataOperands();
    for (unsigned i = 0; i < op->getNumOperands(); ++i)
      if (!llvm::is_contained(data, i))
        parameters.push_back(i);
  }
  return llvm::all_of(parameters, [&](unsigned i) {
    Operation *producer = op->getOperand(i).getDefiningOp();
    return producer && producer->hasTrait<IsConstant>();
  });
}

// Divisions of integers and the like look at each element. The others have an entry for scalars,
// which could not report an error.
static bool refusesNoElement(Operation *op) {
  const rt::KernelEntry *entry = kernelOf(op);
  return entry && (!op->hasTrait<OfElements>() || entry->kernel->scalar);
}

bool cannotFail(Operation *op) {
  if (!op->hasTrait<Computes>() || !op->hasTrait<HasCode>() || op->hasTrait<IsConstant>() ||
      op->hasTrait<LooksAtIndices>() || !llvm::all_of(op->getOperandTypes(), isKnown) ||
      !llvm::all_of(op->getResultTypes(), isKnown) || !hasConstantParameters(op) ||
      !refusesNoElement(op))
    return false;
  auto shapes = shapesByRule(op);
  return shapes.ok() && llvm::all_of(llvm::zip_equal(op->getResults(), *shapes), [](auto pair) {
           auto [result, shape] = pair;
           return shape.isComplete() && shape == shapeOf(result.getType());
         });
}

bool worksInMemory(Operation *op) {
  return op->hasTrait<HasCode>() && !op->hasTrait<IsConstant>() && !op->hasTrait<OfElements>() &&
         !op->hasTrait<RepeatsElements>() && !op->hasTrait<MovesElements>() &&
         !op->hasTrait<AsksShape>() && !op->hasTrait<LooksAtIndices>();
}

} // namespace sluice::optimize
