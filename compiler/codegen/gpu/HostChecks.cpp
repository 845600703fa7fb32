// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the host has to see to for a card. The words are those of the kernels.
#include "compiler/codegen/gpu/HostChecks.h"

#include "compiler/codegen/elements/ElementCode.h"
#include "compiler/codegen/shapes/ConstantOperands.h"
#include "dialects/interfaces/Faces.h"
#include "dialects/nd/Nd.h"
#include "dialects/nn/Nn.h"
#include "dialects/state/State.h"
#include "dialects/wire/Memory.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace sluice::codegen {

// What a value is, however it is looked at and whatever it waits for.
static Value looksAt(Value value) {
  while (true) {
    if (auto reshape = value.getDefiningOp<nd::ReshapeOp>())
      value = reshape.getInput();
    else if (auto gate = value.getDefiningOp<flow::GateOp>())
      value = gate.getValue();
    else
      return value;
  }
}

// Whether ids are places that a pool has found, and segments are as many as places.
static bool arePlacesOfPool(Value ids, Value count) {
  auto pool = looksAt(ids).getDefiningOp<nn::MaxPoolIndexOp>();
  if (!pool)
    return false;
  count = looksAt(count);
  if (auto size = count.getDefiningOp<nd::SizeOp>())
    return looksAt(size.getInput()) == looksAt(pool.getInput());
  auto images = cast<RankedTensorType>(pool.getInput().getType());
  return images.hasStaticShape() && constantInt(count) == images.getNumElements();
}

Value checkedByHost(Operation *op) {
  if (op->hasTrait<OfElements>())
    return mayRefuseElements(op) ? op->getOperand(1) : Value();
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<nd::GatherOp, nd::GatherNdOp, nd::ScatterNdOp>([](auto by) { return by.getIndices(); })
      .Case<nd::UpdatePointsOp>([](nd::UpdatePointsOp update) {
        return update.getIgnoreBadIndices() ? Value() : update.getIndices();
      })
      .Case<nd::UnsortedSegmentSumOp, nd::UnsortedSegmentProdOp, nd::UnsortedSegmentMaxOp,
            nd::UnsortedSegmentMinOp>([](auto segments) {
        bool areSound = arePlacesOfPool(segments.getIds(), segments.getCount());
        return areSound ? Value() : segments.getIds();
      })
      .Default([](Operation *) { return Value(); });
}

static bool isPower(Operation *op) { return failureOf(op) == FailureReason::kNegativeExponent; }

Value toldByCard(OpBuilder &b, Operation *op) {
  Value checked = checkedByHost(op);
  auto type = cast<RankedTensorType>(checked.getType());
  if (!op->hasTrait<OfElements>() || type.getRank() == 0)
    return checked;
  auto onCard = [&](ArrayRef<int64_t> shape, Type element) {
    return wire::onCard(RankedTensorType::get(shape, element), *wire::cardOf(type));
  };
  SmallVector<int32_t> all = llvm::to_vector(llvm::seq<int32_t>(0, type.getRank()));
  DenseElementsAttr numbers = b.getI32TensorAttr(all);
  Value axes = nd::ConstantOp::create(b, op->getLoc(), numbers.getType(), numbers);
  if (isPower(op)) // the least says whether one is negative
    return nd::ReduceMinOp::create(b, op->getLoc(), onCard({}, type.getElementType()), checked,
                                   axes, b.getBoolAttr(false));
  Value areSound =
      nd::CastOp::create(b, op->getLoc(), onCard(type.getShape(), b.getI1Type()), checked);
  Value isSound = nd::ReduceAllOp::create(b, op->getLoc(), onCard({}, b.getI1Type()), areSound,
                                          axes, b.getBoolAttr(false));
  return nd::CastOp::create(b, op->getLoc(), onCard({}, b.getI32Type()), isSound);
}

void createHostCheck(OpBuilder &b, Operation *op, Value onHost) {
  Location at = op->getLoc();
  Type token = flow::TokenType::get(op->getContext());
  auto range = [&](Value of, int64_t dim, bool allowsNegative, StringRef name, StringRef fails) {
    state::CheckRangeOp::create(b, at, token, onHost, of, b.getI64IntegerAttr(dim),
                                b.getBoolAttr(allowsNegative), b.getStringAttr(name),
                                b.getStringAttr(fails));
  };
  auto points = [&](Value of, bool areColumns, StringRef fails) {
    state::CheckPointsOp::create(b, at, token, onHost, of, b.getBoolAttr(areColumns),
                                 b.getStringAttr(fails));
  };
  if (op->hasTrait<OfElements>()) {
    state::CheckNumbersOp::create(b, at, token, onHost, op->getResult(0),
                                  b.getStringAttr(isPower(op) ? "negative" : "zero"));
    return;
  }
  llvm::TypeSwitch<Operation *>(op)
      .Case<nd::GatherOp>([&](nd::GatherOp gather) {
        int64_t rank = cast<RankedTensorType>(gather.getParams().getType()).getRank();
        range(gather.getParams(), *constantAxis(gather.getAxis(), rank), false, "indices",
              "is not in");
      })
      .Case<nd::GatherNdOp>([&](nd::GatherNdOp gather) {
        points(gather.getParams(), false, "does not index into param shape");
      })
      .Case<nd::ScatterNdOp, nd::UpdatePointsOp>(
          [&](auto update) { points(update.getResult(), true, "does not index into shape"); })
      .Case<nd::UnsortedSegmentSumOp, nd::UnsortedSegmentProdOp, nd::UnsortedSegmentMaxOp,
            nd::UnsortedSegmentMinOp>([&](auto segments) {
        range(segments.getResult(), 0, true, "segment_ids", "is out of range");
      });
}

} // namespace sluice::codegen
