// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that put elements of buffers into new places: concat, pack, pad, tile.
#include "compiler/codegen/cpu/BufferGenerics.h"
#include "compiler/codegen/cpu/BufferViews.h"
#include "compiler/codegen/cpu/Lowerings.h"
#include "compiler/codegen/shapes/ConstantOperands.h"
#include "dialects/nd/Nd.h"
#include "dialects/wire/Memory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace sluice::codegen {

namespace {

// On a card a single number is written by a kernel that is given it: in a loop that the card runs
// by itself it is in nobody's memory, and else a copy would be needless.
void putPart(Emitter &emitter, Value part, Value whole, Value to) {
  ImplicitLocOpBuilder &b = emitter.builder();
  Held held = emitter.held(part);
  if (wire::cardOf(whole) && held.kind() == HeldKind::kScalar)
    fillBuffer(b, toMemoryForm(b, held.value()), to);
  else
    copyBuffer(b, emitter.buffer(part), to);
}

LogicalResult lowerConcat(Operation *op, Emitter &emitter) {
  Value result = op->getResult(0), whole = emitter.destination(result);
  int64_t axis = *constantAxis(op->getOperands().back(), emitter.shapes().dims(result).size());
  forSections(emitter, result, whole, op->getOperands().drop_back(), axis,
              [&](Value part, Value view) { putPart(emitter, part, result, view); });
  return success();
}

LogicalResult lowerPack(Operation *op, Emitter &emitter) {
  Value result = op->getResult(0), whole = emitter.destination(result);
  int64_t axis =
      *normalizedAxis(cast<nd::PackOp>(op).getAxis(), emitter.shapes().dims(result).size());
  forSlots(emitter, result, whole, op->getOperands(), axis,
           [&](Value part, Value view) { putPart(emitter, part, result, view); });
  return success();
}

LogicalResult lowerPad(Operation *op, Emitter &emitter) {
  ImplicitLocOpBuilder &b = emitter.builder();
  auto pad = cast<nd::PadOp>(op);
  auto paddings = constantInts(pad.getPaddings());
  Value whole = emitter.destination(pad.getResult());
  Value border = emitter.inRegister(pad.getValue());
  fillBuffer(b, toMemoryForm(b, border), whole);
  Box box;
  for (auto [d, dim] : llvm::enumerate(emitter.shapes().dims(pad.getInput()))) {
    box.addWhole(b, foldedDim(emitter, dim));
    box.offsets[d] = b.getIndexAttr((*paddings)[2 * d]);
  }
  Value inner = viewOf(b, whole, box);
  copyBuffer(b, emitter.buffer(pad.getInput()), inner);
  return success();
}

// The result is seen with two dims for each that repeats: which repetition, and where in it.
LogicalResult lowerTile(Operation *op, Emitter &emitter) {
  ImplicitLocOpBuilder &b = emitter.builder();
  auto multiples = constantInts(op->getOperand(1));
  Value input = op->getOperand(0), whole = emitter.destination(op->getResult(0));
  SmallVector<ReassociationIndices> groups;
  SmallVector<OpFoldResult> sizes;
  SmallVector<AffineExpr> from;
  for (auto [dim, times] : llvm::zip_equal(emitter.shapes().dims(input), *multiples)) {
    ReassociationIndices &group = groups.emplace_back();
    if (times != 1) {
      group.push_back(sizes.size());
      sizes.push_back(b.getIndexAttr(times));
    }
    group.push_back(sizes.size());
    from.push_back(b.getAffineDimExpr(sizes.size()));
    sizes.push_back(foldedDim(emitter, dim));
  }
  SmallVector<int64_t> shape = decomposeMixedValues(sizes).first;
  Value seen = memref::ExpandShapeOp::create(b, shape, whole, groups, sizes);
  unsigned loops = static_cast<unsigned>(sizes.size());
  buildGeneric(b, loops, {{emitter.buffer(input), AffineMap::get(loops, 0, from, b.getContext())}},
               {{seen, b.getMultiDimIdentityMap(loops)}},
               [](ValueRange elements) { return SmallVector<Value>(elements); });
  return success();
}

} // namespace

template <> LogicalResult lower(nd::ConcatOp op, Emitter &emitter) {
  return lowerConcat(op, emitter);
}
template <> LogicalResult lower(nd::PackOp op, Emitter &emitter) { return lowerPack(op, emitter); }
template <> LogicalResult lower(nd::PadOp op, Emitter &emitter) { return lowerPad(op, emitter); }
template <> LogicalResult lower(nd::TileOp op, Emitter &emitter) { return lowerTile(op, emitter); }

} // namespace sluice::codegen
