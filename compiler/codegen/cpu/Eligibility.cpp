// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ops can be part of compiled code.
#include "compiler/codegen/Eligibility.h"

#include "compiler/codegen/cpu/Lowerings.h"
#include "compiler/codegen/elements/ElementCode.h"
#include "compiler/codegen/elements/SmallFloats.h"
#include "compiler/codegen/plan/FusionPlan.h"
#include "compiler/codegen/shapes/Moves.h"
#include "compiler/codegen/shapes/ShapeSymbols.h"
#include "dialects/interfaces/ResultShapes.h"
#include "dialects/nd/Nd.h"
#include "dialects/wire/Memory.h"
#include "runtime/codelet/abi.h"

using namespace mlir;

namespace sluice::codegen {

namespace {

// Constants above are inputs of codelets: they lie in the program once, whoever uses them.
constexpr int64_t kMostConstantBytes = 4096;

// More of them keep more registers and addresses alive at once than compilers handle well; kernels
// read them one after the other.
constexpr unsigned kMostOperands = 256;

// Gives every dim that is not known a symbol of its own.
class FreeDims final : public ShapeRuleContext {
public:
  explicit FreeDims(Operation *op) {
    unsigned symbols = 0;
    MLIRContext *context = op->getContext();
    SmallVector<Value> values(op->getOperands());
    if (Value like = filledLike(op))
      values.push_back(like);
    for (Value operand : values) {
      DimExprs &dims = dims_[operand];
      if (!dims.empty())
        continue;
      for (int64_t size : cast<RankedTensorType>(operand.getType()).getShape())
        dims.push_back(ShapedType::isDynamic(size) ? getAffineSymbolExpr(symbols++, context)
                                                   : getAffineConstantExpr(size, context));
    }
  }
  ArrayRef<AffineExpr> dims(Value value) const override { return dims_.find(value)->second; }
  void requireEqual(AffineExpr a, AffineExpr b) override {
    require(a - b, [](int64_t value) { return value == 0; });
  }
  void requireNotNegative(AffineExpr value) override {
    require(value, [](int64_t constant) { return constant >= 0; });
  }
  bool hasGuards() const { return hasGuards_; }
  // Whether the known sizes rule out what the op needs of them. Then it is for its kernel to fail.
  bool areContradicted() const { return areContradicted_; }

private:
  void require(AffineExpr value, bool (*holds)(int64_t)) {
    auto constant = dyn_cast<AffineConstantExpr>(value);
    hasGuards_ |= !constant;
    areContradicted_ |= constant && !holds(constant.getValue());
  }
  llvm::DenseMap<Value, DimExprs> dims_;
  bool hasGuards_ = false, areContradicted_ = false;
};

// Whether a type has the dims that the op's rule says, as far as both know them.
bool agrees(RankedTensorType type, ArrayRef<AffineExpr> dims) {
  if (static_cast<size_t>(type.getRank()) != dims.size())
    return false;
  return llvm::all_of(llvm::zip_equal(type.getShape(), dims), [](auto pair) {
    auto [size, dim] = pair;
    return ShapedType::isDynamic(size) || !isa<AffineConstantExpr>(dim) || dim == size;
  });
}

bool hasCodeFor(Operation *op) {
  if (auto constant = dyn_cast<nd::ConstantOp>(op)) {
    auto type = cast<RankedTensorType>(constant.getType());
    return type.getNumElements() * bytesOf(type.getElementType()) <= kMostConstantBytes;
  }
  if (op->hasTrait<OfElements>())
    return canEmitElement(op);
  return cast<CodeOp>(op).isWithinCodeLimit();
}

enum class Support { kNone, kWithGuards, kAnywhere };

Support supportOf(Operation *op, bool onCard = false) {
  bool hasLowering = findLowering(op) || (onCard && op->hasTrait<HasCardCode>());
  if (op->getNumOperands() > kMostOperands || !llvm::all_of(op->getOperandTypes(), canHold) ||
      !llvm::all_of(op->getResultTypes(), canHold) || !hasLowering || !hasCodeFor(op))
    return Support::kNone;
  if (!shapesByRule(op).ok()) // fails if it runs, and its kernel says how
    return Support::kNone;
  FreeDims dims(op);
  FailureOr<SmallVector<DimExprs>> results = inferDims(op, dims);
  if (failed(results) || dims.areContradicted())
    return Support::kNone;
  for (auto [result, inferred] : llvm::zip_equal(op->getResults(), *results))
    if (!agrees(cast<RankedTensorType>(result.getType()), inferred))
      return Support::kNone;
  return dims.hasGuards() ? Support::kWithGuards : Support::kAnywhere;
}

} // namespace

bool canHold(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || tensor.getRank() > kSluiceMaxRank)
    return false;
  Type element = computeType(tensor.getElementType());
  return element.isF32() || element.isF64() || isa<IntegerType>(element);
}

bool canCompile(Operation *op) { return supportOf(op) != Support::kNone && !filledLike(op); }
bool canCompileOnCard(Operation *op) {
  return supportOf(op, /*onCard=*/true) != Support::kNone && !filledLike(op);
}
// On a card nobody could tell of a bad index there.
static bool mayBeInRegion(Operation *op) {
  return !op->hasTrait<NeedsStraightLine>() ||
         llvm::none_of(op->getOperands(), [](Value value) { return wire::cardOf(value); });
}
bool canCompileInRegion(Operation *op) {
  return mayBeInRegion(op) && supportOf(op) == Support::kAnywhere;
}
bool canCompileIfDimsFit(Operation *op) {
  return mayBeInRegion(op) && supportOf(op) != Support::kNone;
}

} // namespace sluice::codegen
