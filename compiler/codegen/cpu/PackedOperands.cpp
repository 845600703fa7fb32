// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Right operands of products that are packed in front of the loop that uses them.
#include "compiler/codegen/cpu/MatrixOperand.h"
#include "compiler/codegen/elements/RuntimeCalls.h"
#include "compiler/codegen/elements/SmallFloats.h"
#include "dialects/interfaces/KernelOps.h"
#include "runtime/codelet/support.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace sluice::codegen {

// What the buffer is a part of, at places that are known.
static Value wholeOf(Value buffer) {
  while (auto part = buffer.getDefiningOp<memref::SubViewOp>()) {
    if (!part.getOffsets().empty() || !part.getSizes().empty() || !part.getStrides().empty())
      break;
    buffer = part.getSource();
  }
  return buffer;
}

// The same part of the whole, where the builder is.
static Value partAgain(OpBuilder &b, Value buffer, Value whole) {
  if (buffer == whole)
    return whole;
  auto part = buffer.getDefiningOp<memref::SubViewOp>();
  IRMapping sources;
  sources.map(part.getSource(), partAgain(b, part.getSource(), whole));
  return b.clone(*part, sources)->getResult(0);
}

// The outermost loop around the builder that the buffer is made in front of; null if none.
static Operation *loopThatKeeps(OpBuilder &b, Value buffer) {
  Operation *loop = nullptr;
  for (Operation *around = b.getInsertionBlock()->getParentOp();
       around && !around->isAncestor(buffer.getParentBlock()->getParentOp());
       around = around->getParentOp())
    if (isa<scf::WhileOp, scf::ForOp>(around))
      loop = around;
  return loop;
}

Value packedBeforeLoop(Emitter &emitter, const MatrixOperand &right, bool transposed,
                       Type element) {
  ImplicitLocOpBuilder &b = emitter.builder();
  auto type = cast<MemRefType>(right.buffer.getType());
  Value whole = wholeOf(right.buffer);
  Operation *loop = loopThatKeeps(b, whole);
  if (!loop || !type.hasStaticShape() || type.getRank() != 2)
    return nullptr;
  Value &packed = emitter.packedForm(right.buffer, transposed);
  if (packed)
    return packed;
  int64_t k = type.getDimSize(transposed ? 1 : 0), n = type.getDimSize(transposed ? 0 : 1);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(loop);
  Value room = emitter.allocateBytes(computeType(element).isF32() ? sluice_packed_bytes_f32(k, n)
                                                                  : sluice_packed_bytes_f64(k, n));
  Value matrix = partAgain(b, right.buffer, whole);
  auto i64 = [&](int64_t value) { return arith::ConstantIntOp::create(b, value, 64); };
  Value leading = i64(*getConstantIntValue(right.leading));
  Value isTransposed = arith::ConstantIntOp::create(b, right.transposed, 32);
  packed = callRuntime(b, ("sluice_keep_b_" + StringRef(rt::dtypeName(*dtypeOf(element)))).str(),
                       {i64(k), i64(n), emitter.pointerTo(matrix), leading, isTransposed, room},
                       room.getType());
  return packed;
}

} // namespace sluice::codegen
