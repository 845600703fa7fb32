// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of what a card has code for.
#include "compiler/codegen/gpu/CardLowerings.h"

#include "compiler/codegen/cpu/BufferGenerics.h"
#include "compiler/codegen/cpu/Lowerings.h"
#include "compiler/codegen/elements/ElementCode.h"
#include "compiler/codegen/elements/EmittedNumbers.h"
#include "compiler/codegen/elements/SmallFloats.h"
#include "compiler/codegen/gpu/CardConvolutions.h"
#include "compiler/codegen/plan/FusionPlan.h"
#include "dialects/interfaces/Faces.h"
#include "dialects/nd/Nd.h"
#include "dialects/wire/Memory.h"
#include "dialects/wire/Wire.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace sluice::codegen {

namespace {

using Operands = std::optional<SmallVector<unsigned>>;

bool isSplat(Operation *op) {
  auto constant = dyn_cast<nd::ConstantOp>(op);
  auto dense = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : nullptr;
  return dense && dense.isSplat();
}

// Whether the code of an element calls the C library, which cards do not have. Which does depends
// on types; so it is made, and looked at.
bool callsLibrary(Operation *op) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(op->getLoc());
  ImplicitLocOpBuilder b(op->getLoc(), op->getContext());
  b.setInsertionPointToEnd(module->getBody());
  SmallVector<Type> types = llvm::map_to_vector(op->getOperandTypes(), [](Type type) {
    return registerElementType(cast<ShapedType>(type).getElementType());
  });
  auto function = func::FuncOp::create(b, "element", b.getFunctionType(types, {}));
  b.setInsertionPointToEnd(function.addEntryBlock());
  emitElement(b, op, function.getArguments());
  return function.walk([](LLVM::CallOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

Operands allBut(Operation *op, unsigned dropped) {
  return llvm::to_vector(llvm::seq(op->getNumOperands() - dropped));
}

// How many dims index vectors index has to be known, as must be what an update does to elements.
Operands operandsOfPoints(Operation *op) {
  auto update = dyn_cast<nd::UpdatePointsOp>(op);
  Value indices = op->getOperand(update ? 1 : 0);
  auto type = cast<RankedTensorType>(indices.getType());
  if (type.getRank() > 1 && ShapedType::isDynamic(type.getShape().back()))
    return std::nullopt;
  if (!update)
    return SmallVector<unsigned>{0, 1};
  bool orders = update.getHow() == "max" || update.getHow() == "min";
  if (orders && cast<ShapedType>(update.getInput().getType()).getElementType().isInteger(1))
    return std::nullopt;
  return allBut(op, 0);
}

} // namespace

Operands cardOperands(Operation *op) {
  if (isSplat(op))
    return SmallVector<unsigned>{};
  if (op->hasTrait<OfElements>())
    return canEmitElement(op) && !callsLibrary(op) ? allBut(op, 0) : std::nullopt;
  if (op->hasTrait<RepeatsElements>())
    return elementOperands(op);
  if (op->hasTrait<OfReduction>())
    return SmallVector<unsigned>{0};
  if (isa<nd::L2LossOp>(op)) { // that of a single number is the host's
    auto type = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
    return type && type.getRank() > 0 ? Operands(SmallVector<unsigned>{0}) : std::nullopt;
  }
  return llvm::TypeSwitch<Operation *, Operands>(op)
      .Case<nd::RandomUniformOp>([](Operation *) { return SmallVector<unsigned>{}; })
      .Case<nd::MatmulOp, nd::MatmulOntoOp>([](Operation *product) { return allBut(product, 0); })
      .Case<nd::GatherOp, nd::GatherNdOp, nd::UnsortedSegmentSumOp, nd::UnsortedSegmentProdOp,
            nd::UnsortedSegmentMaxOp, nd::UnsortedSegmentMinOp>(
          [](Operation *) { return SmallVector<unsigned>{0, 1}; })
      .Case<nd::ScatterNdOp, nd::UpdatePointsOp>(operandsOfPoints)
      .Case<nn::ConvolveOp, nn::ConvolveInputOp, nn::ConvolveFilterOp>([](Operation *convolution) {
        SmallVector<unsigned> floats;
        for (OpOperand &operand : convolution->getOpOperands())
          if (isa<FloatType>(getElementTypeOrSelf(operand.get())))
            floats.push_back(operand.getOperandNumber());
        return channelsOf(convolution) ? Operands(floats) : std::nullopt;
      })
      .Case<nn::AveragePoolOp, nn::MaxPoolOp, nn::MaxPoolIndexOp>(
          [](Operation *) { return SmallVector<unsigned>{0}; })
      .Case<nn::AveragePoolInputOp>([](Operation *) { return SmallVector<unsigned>{1}; })
      .Case<nd::ConcatOp>([](Operation *join) { return allBut(join, 1); })
      .Case<nd::PackOp>([](Operation *join) { return allBut(join, 0); })
      .Case<nd::SetRowOp>([](nd::SetRowOp write) {
        return SmallVector<unsigned>{write.getRowsMutable().getOperandNumber(),
                                     write.getRowMutable().getOperandNumber()};
      })
      .Case<nd::ReshapeOp, nd::ExpandDimsOp, nd::SqueezeOp, nd::StopGradientOp, nd::MatchShapeOp,
            nd::AssumeShapeOp, nd::TransposeOp, nd::SliceOp, nd::StridedSliceOp, nd::ReverseOp,
            nd::SplitOp, nd::SplitVOp, nd::UnpackOp, nd::PadOp, nd::TileOp, nd::RowOp, nd::ArgMaxOp,
            nd::ArgMinOp, nd::CumsumOp, nd::CumprodOp, nd::TopKOp>(
          [](Operation *) { return SmallVector<unsigned>{0}; })
      .Default([](Operation *) { return std::nullopt; });
}

bool canRunInKernel(Operation *op) {
  if (isa<nd::MatmulOp, nd::MatmulOntoOp>(op)) // even one of numbers goes through memory
    return false;
  return !op->hasTrait<OfElements>() || (canEmitElement(op) && !callsLibrary(op));
}

LowerFn findCardLowering(Operation *op) {
  if (isa<wire::CopyOp>(op))
    return lowerCopyOnCard;
  if (!llvm::any_of(op->getResultTypes(), [](Type type) { return wire::cardOf(type); }))
    return findLowering(op);
  if (isa<nd::ConstantOp>(op))
    return isSplat(op) ? lowerConstantOnCard : nullptr;
  if (!cardOperands(op))
    return nullptr;
  if (op->hasTrait<OfReduction>() || isa<nd::L2LossOp>(op))
    return lowerReductionOnCard;
  return llvm::TypeSwitch<Operation *, LowerFn>(op)
      .Case<nd::MatmulOp, nd::MatmulOntoOp>([](Operation *) { return lowerProductOnCard; })
      .Case<nd::GatherOp>([](Operation *) { return lowerGatherOnCard; })
      .Case<nd::GatherNdOp>([](Operation *) { return lowerPointsOnCard; })
      .Case<nd::ScatterNdOp, nd::UpdatePointsOp>([](Operation *) { return lowerUpdatesOnCard; })
      .Case<nd::UnsortedSegmentSumOp, nd::UnsortedSegmentProdOp, nd::UnsortedSegmentMaxOp,
            nd::UnsortedSegmentMinOp>([](Operation *) { return lowerSegmentsOnCard; })
      .Case<nd::ArgMaxOp, nd::ArgMinOp>([](Operation *) { return lowerArgOnCard; })
      .Case<nd::CumsumOp, nd::CumprodOp>([](Operation *) { return lowerScanOnCard; })
      .Case<nd::TopKOp>([](Operation *) { return lowerTopKOnCard; })
      .Case<nd::RandomUniformOp>([](Operation *) { return lowerRandomOnCard; })
      .Case<nn::ConvolveOp, nn::ConvolveInputOp, nn::ConvolveFilterOp>(
          [](Operation *) { return lowerConvolutionOnCard; })
      .Case<nn::AveragePoolOp, nn::AveragePoolInputOp, nn::MaxPoolOp, nn::MaxPoolIndexOp>(
          [](Operation *) { return lowerPoolOnCard; })
      .Default([](Operation *other) { return findLowering(other); });
}

LogicalResult lowerCopyOnCard(Operation *op, Emitter &emitter) {
  ImplicitLocOpBuilder &b = emitter.builder();
  auto copy = cast<wire::CopyOp>(op);
  auto type = cast<RankedTensorType>(copy.getResult().getType());
  if (wire::cardOf(type)) {
    Value number = emitter.inRegister(copy.getValue());
    fillBuffer(b, toMemoryForm(b, number), emitter.destination(copy.getResult()));
    return success();
  }
  Value memory = emitter.buffer(copy.getValue());
  SmallVector<Value> first(static_cast<size_t>(type.getRank()),
                           arith::ConstantIndexOp::create(b, 0));
  Value stored = memref::LoadOp::create(b, memory, first);
  emitter.define(copy.getResult(), toRegisterForm(b, stored, type.getElementType()));
  return success();
}

LogicalResult lowerConstantOnCard(Operation *op, Emitter &emitter) {
  ImplicitLocOpBuilder &b = emitter.builder();
  auto values = cast<DenseElementsAttr>(cast<nd::ConstantOp>(op).getValue());
  Value memory = emitter.destination(op->getResult(0));
  auto splat = cast<TypedAttr>(values.getSplatValue<Attribute>());
  Type element = registerElementType(values.getElementType());
  if (isSmallFloat(values.getElementType())) // which are bits
    splat = b.getIntegerAttr(element, cast<FloatAttr>(splat).getValue().bitcastToAPInt());
  Value scalar = constantOf(b, element, splat);
  fillBuffer(b, toMemoryForm(b, scalar), memory);
  return success();
}

} // namespace sluice::codegen
