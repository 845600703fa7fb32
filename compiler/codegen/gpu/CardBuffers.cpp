// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows buffers to the pointers of the call, or into its arena.
#include "compiler/codegen/gpu/CardBuffers.h"

#include "compiler/codegen/cpu/CallLayout.h"
#include "compiler/codegen/cpu/EmitCodelet.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace sluice::codegen {

CardBuffers::CardBuffers(func::FuncOp body) {
  if (auto masks = body->getAttrOfType<DenseI32ArrayAttr>(kInPlaceAttr))
    inPlace_ = llvm::to_vector(masks.asArrayRef());
}

Value CardBuffers::rootOf(Value buffer) {
  while (Operation *op = buffer.getDefiningOp()) {
    if (auto metadata = dyn_cast<memref::ExtractStridedMetadataOp>(op))
      buffer = metadata.getSource();
    else if (auto view = dyn_cast<ViewLikeOpInterface>(op))
      buffer = view.getViewSource();
    else
      break;
  }
  return buffer;
}

// ---- Places -------------------------------------------------------------------------------------

// The pointer in the descriptor that was made a buffer.
static Value pointerOf(Value root) {
  auto cast = root.getDefiningOp<UnrealizedConversionCastOp>();
  Value descriptor = cast && cast.getNumOperands() == 1 ? cast.getOperand(0) : Value();
  while (auto insert =
             descriptor ? descriptor.getDefiningOp<LLVM::InsertValueOp>() : LLVM::InsertValueOp()) {
    if (insert.getPosition() == ArrayRef<int64_t>{1})
      return insert.getValue();
    descriptor = insert.getContainer();
  }
  return Value();
}

static std::optional<int64_t> knownIndex(LLVM::GEPOp op, unsigned position) {
  auto index = op.getIndices()[position];
  if (auto constant = dyn_cast<IntegerAttr>(index))
    return constant.getInt();
  llvm::APInt value;
  if (auto dynamic = dyn_cast<Value>(index);
      dynamic && matchPattern(dynamic, m_ConstantInt(&value)))
    return value.getSExtValue();
  return std::nullopt;
}

// The number of the call's field that was loaded.
static std::optional<int64_t> loadedField(Value value) {
  auto load = value.getDefiningOp<LLVM::LoadOp>();
  auto address = load ? load.getAddr().getDefiningOp<LLVM::GEPOp>() : LLVM::GEPOp();
  auto call = address ? dyn_cast<BlockArgument>(address.getBase()) : BlockArgument();
  if (!call || call.getArgNumber() != 0 || address.getIndices().size() != 2)
    return std::nullopt;
  return knownIndex(address, 1);
}

CardBuffers::Place CardBuffers::placeOf(Value root) const {
  Value pointer = pointerOf(root);
  if (!pointer)
    return {};
  if (auto inArena = pointer.getDefiningOp<LLVM::GEPOp>()) {
    std::optional<int64_t> offset =
        inArena.getIndices().size() == 1 ? knownIndex(inArena, 0) : std::nullopt;
    bool isByte = inArena.getElemType().isInteger(8);
    if (offset && isByte && loadedField(inArena.getBase()) == int64_t(CallField::kArena))
      return {Kind::kArena, *offset};
    return {};
  }
  auto load = pointer.getDefiningOp<LLVM::LoadOp>();
  auto address = load ? load.getAddr().getDefiningOp<LLVM::GEPOp>() : LLVM::GEPOp();
  if (!address || address.getIndices().size() != 2)
    return {};
  std::optional<int64_t> field = loadedField(address.getBase()), number = knownIndex(address, 0);
  if (number && field == int64_t(CallField::kInputs))
    return {Kind::kInput, *number};
  if (number && field == int64_t(CallField::kOutputs))
    return {Kind::kOutput, *number};
  return {};
}

bool CardBuffers::isOwn(Value buffer) const { return placeOf(rootOf(buffer)).kind == Kind::kArena; }

static std::optional<int64_t> bytesOf(Value root) {
  auto type = cast<MemRefType>(root.getType());
  if (!type.hasStaticShape())
    return std::nullopt;
  return type.getNumElements() * type.getElementTypeBitWidth() / 8;
}

Overlap CardBuffers::overlapOfRoots(Value a, Value b) const {
  Place x = placeOf(a), y = placeOf(b);
  if (x.kind == Kind::kUnknown || y.kind == Kind::kUnknown)
    return Overlap::kMaybe;
  if (x.kind != y.kind) {
    const Place *input = x.kind == Kind::kInput ? &x : y.kind == Kind::kInput ? &y : nullptr;
    const Place *output = x.kind == Kind::kOutput ? &x : y.kind == Kind::kOutput ? &y : nullptr;
    bool mayTake = input && output && static_cast<size_t>(output->number) < inPlace_.size() &&
                   input->number < 32 &&
                   (uint32_t(inPlace_[static_cast<size_t>(output->number)]) >> input->number & 1);
    return mayTake ? Overlap::kMaybe : Overlap::kNone;
  }
  if (x.kind != Kind::kArena) // two inputs may be one tensor
    return x.kind == Kind::kOutput && x.number != y.number ? Overlap::kNone : Overlap::kMaybe;
  std::optional<int64_t> sizeX = bytesOf(a), sizeY = bytesOf(b);
  bool apart = (sizeX && x.number + *sizeX <= y.number) || (sizeY && y.number + *sizeY <= x.number);
  return apart ? Overlap::kNone : Overlap::kMaybe;
}

// ---- Views --------------------------------------------------------------------------------------

static bool isSameView(Value a, Value b) {
  if (a == b)
    return true;
  auto x = a.getDefiningOp<memref::ReinterpretCastOp>();
  auto y = b.getDefiningOp<memref::ReinterpretCastOp>();
  return x && y && x.getType() == y.getType() && x.getMixedOffsets() == y.getMixedOffsets() &&
         x.getMixedSizes() == y.getMixedSizes() && x.getMixedStrides() == y.getMixedStrides();
}

// Of each dim of the root, from where to where the view goes; nothing if that is not known.
static std::optional<SmallVector<std::pair<int64_t, int64_t>>> boxOf(Value view, MemRefType root) {
  auto type = cast<MemRefType>(view.getType());
  auto [strides, offset] = type.getStridesAndOffset();
  if (!root.hasStaticShape() || !root.getLayout().isIdentity() || !type.hasStaticShape() ||
      ShapedType::isDynamic(offset) || llvm::any_of(strides, ShapedType::isDynamic))
    return std::nullopt;
  SmallVector<std::pair<int64_t, int64_t>> box;
  SmallVector<bool> used(strides.size());
  auto [rootStrides, rootOffset] = root.getStridesAndOffset();
  for (auto [size, stride] : llvm::zip(root.getShape(), rootStrides)) {
    int64_t begin = stride > 0 && size > 0 ? offset / stride % size : 0, extent = 1;
    for (auto [i, own] : llvm::enumerate(strides))
      if (size > 1 && own == stride && !used[i] && type.getDimSize(i) > 1) {
        extent = type.getDimSize(i);
        used[i] = true;
        break;
      }
    if (begin + extent > size)
      return std::nullopt;
    box.push_back({begin, begin + extent});
  }
  for (auto [i, isUsed] : llvm::enumerate(used))
    if (!isUsed && type.getDimSize(i) > 1) // steps over several dims, or stays where it is
      return std::nullopt;
  return box;
}

Overlap CardBuffers::overlap(Value a, Value b) const {
  Value rootA = rootOf(a), rootB = rootOf(b);
  if (rootA != rootB)
    return overlapOfRoots(rootA, rootB);
  if (isSameView(a, b))
    return Overlap::kSame;
  auto root = dyn_cast<MemRefType>(rootA.getType());
  if (!root)
    return Overlap::kMaybe;
  auto x = boxOf(a, root), y = boxOf(b, root);
  bool apart = x && y && llvm::any_of(llvm::zip(*x, *y), [](auto both) {
                 auto [one, other] = both;
                 return one.second <= other.first || other.second <= one.first;
               });
  return apart ? Overlap::kNone : Overlap::kMaybe;
}

} // namespace sluice::codegen
