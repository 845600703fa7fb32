// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that only move elements, in registers: reshapes, slices, joins, transposes, ….
//
// Where each element goes is asked of the op's plain kernel: it moves the numbers 0, 1, 2, … in
// place of the elements, and what comes out is the mask of a shuffle. So all such ops share one
// lowering, which cannot disagree with the kernels. Operands that are no data must be constants.
#include "compiler/codegen/cpu/RegisterMoves.h"

#include "compiler/codegen/cpu/Lowerings.h"
#include "compiler/codegen/shapes/Moves.h"
#include "dialects/interfaces/KernelOps.h"
#include "dialects/nd/Nd.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace sluice::codegen {

// ---- Lanes --------------------------------------------------------------------------------------

static int64_t lanesOf(Value value) {
  auto vector = dyn_cast<VectorType>(value.getType());
  return vector ? vector.getNumElements() : 1;
}
static Value laneOf(ImplicitLocOpBuilder &b, Value value, int64_t lane) {
  if (!isa<VectorType>(value.getType()))
    return value;
  return vector::ExtractOp::create(b, value, lane);
}

Value moveLanes(ImplicitLocOpBuilder &b, Value source, ArrayRef<int64_t> positions) {
  auto vector = dyn_cast<VectorType>(source.getType());
  if (positions.size() == 1)
    return laneOf(b, source, positions[0]);
  auto type = VectorType::get({static_cast<int64_t>(positions.size())},
                              getElementTypeOrSelf(source.getType()));
  if (!vector)
    return vector::BroadcastOp::create(b, type, source);
  auto all = llvm::seq<int64_t>(0, vector.getNumElements());
  if (llvm::equal(positions, all))
    return source;
  return vector::ShuffleOp::create(b, source, source, positions);
}

Value moveLanes(ImplicitLocOpBuilder &b, ValueRange sources, ArrayRef<int64_t> positions) {
  if (sources.size() == 1)
    return moveLanes(b, sources[0], positions);
  if (positions.size() > 1 && sources.size() == 2 && isa<VectorType>(sources[0].getType()) &&
      sources[0].getType() == sources[1].getType())
    return vector::ShuffleOp::create(b, sources[0], sources[1], positions);
  SmallVector<Value> lanes;
  for (int64_t position : positions) {
    for (Value source : sources) {
      int64_t count = lanesOf(source);
      if (position < count) {
        lanes.push_back(laneOf(b, source, position));
        break;
      }
      position -= count;
    }
  }
  if (lanes.size() == 1)
    return lanes[0];
  auto type = VectorType::get({static_cast<int64_t>(lanes.size())}, lanes[0].getType());
  return vector::FromElementsOp::create(b, type, lanes);
}

// ---- Ops ----------------------------------------------------------------------------------------

LogicalResult lowerMoveInRegisters(Operation *op, Emitter &emitter) {
  auto moves = findMoves(op);
  if (failed(moves))
    return op->emitError("expected constant operands, and a shape that is known");
  SmallVector<Value> sources;
  for (unsigned position : cast<MoveOp>(op).getDataOperands())
    sources.push_back(emitter.inRegister(op->getOperand(position)));
  for (auto [result, positions] : llvm::zip(op->getResults(), *moves))
    emitter.define(result, moveLanes(emitter.builder(), sources, positions));
  return success();
}

} // namespace sluice::codegen
