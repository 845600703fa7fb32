// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ops a card is for.
#include "compiler/codegen/CardWork.h"

#include "compiler/codegen/Eligibility.h"
#include "compiler/codegen/gpu/CardConvolutions.h"
#include "compiler/codegen/gpu/CardLowerings.h"
#include "dialects/flow/Flow.h"
#include "dialects/interfaces/Faces.h"
#include "dialects/interfaces/NodeName.h"
#include "dialects/nd/Nd.h"
#include "dialects/wire/Memory.h"
#include "dialects/wire/Wire.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace sluice::codegen {

static constexpr int64_t kFewIntegers = 16;

void visitProgramsWithCard(ModuleOp module, llvm::function_ref<void(ModuleOp program)> visit) {
  if (module->hasAttr(kHasCardAttr))
    visit(module);
  for (auto rank : module.getOps<ModuleOp>())
    if (rank->hasAttr(kHasCardAttr))
      visit(rank);
}

bool canRunOnCard(Operation *op) {
  return op->hasTrait<Computes>() && !op->hasTrait<IsConstant>() && canCompileOnCard(op) &&
         cardOperands(op).has_value();
}

bool isFewNumbers(RankedTensorType type) {
  if (!type.hasStaticShape())
    return false;
  int64_t most = isa<IntegerType>(type.getElementType()) ? kFewIntegers : 1;
  return type.getNumElements() <= most;
}

static bool isSmall(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && isFewNumbers(type);
}

static std::optional<int64_t> elementsOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() ? std::optional(type.getNumElements()) : std::nullopt;
}

std::optional<int64_t> workOf(Operation *op) {
  constexpr uint64_t kProductsInElement = 16;
  if (auto read = dyn_cast<nd::RowOp>(op)) // an array is where its rows are used
    return elementsOf(read.getResult());
  if (auto write = dyn_cast<nd::SetRowOp>(op))
    return elementsOf(write.getRow());
  int64_t most = 0;
  for (ValueRange values : {ValueRange(op->getOperands()), ValueRange(op->getResults())})
    for (Value value : values) {
      if (!isa<TensorType>(value.getType()))
        continue;
      std::optional<int64_t> elements = elementsOf(value);
      if (!elements)
        return std::nullopt;
      most = std::max(most, *elements);
    }
  if (isa<nn::ConvolveOp, nn::ConvolveInputOp, nn::ConvolveFilterOp>(op)) {
    ConvolutionParts parts = partsOf(op);
    std::optional<ConvolutionChannels> channels = channelsOf(op);
    if (!channels)
      return most;
    uint64_t inWindow = uint64_t(*elementsOf(parts.filter)) / uint64_t(channels->allOutputs);
    uint64_t products = llvm::SaturatingMultiply(uint64_t(*elementsOf(parts.results)), inWindow);
    return std::max(most, int64_t(std::min<uint64_t>(products / kProductsInElement, INT64_MAX)));
  }
  if (!isa<nd::MatmulOp, nd::MatmulOntoOp>(op))
    return most;
  Value lhs = op->getOperand(isa<nd::MatmulOntoOp>(op) ? 1 : 0);
  auto result = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  uint64_t columns = result && result.getRank() > 0 ? uint64_t(result.getShape().back()) : 1;
  uint64_t products = llvm::SaturatingMultiply(uint64_t(*elementsOf(lhs)), columns);
  return std::max(most, int64_t(products / kProductsInElement));
}

static int64_t leastWork(Operation *op) {
  auto program = op->getParentOfType<ModuleOp>();
  auto least = program ? program->getAttrOfType<IntegerAttr>(kLeastCardWorkAttr) : IntegerAttr();
  return least ? least.getInt() : 0;
}

unsigned cardsOf(ModuleOp program) {
  auto cards = program->getAttrOfType<IntegerAttr>(kCardsAttr);
  return cards ? static_cast<unsigned>(cards.getInt()) : 1;
}

CardWishes::CardWishes(ModuleOp program) {
  if (!program->hasAttr(kCardsAttr))
    return;
  for (; program && !wishes_; program = program->getParentOfType<ModuleOp>())
    wishes_ = program->getAttrOfType<DictionaryAttr>(kCardWishesAttr);
}

std::optional<int64_t> CardWishes::of(Location location) const {
  StringRef node = wishes_ ? nodeNameOf(location) : StringRef();
  auto wish = node.empty() ? IntegerAttr() : wishes_.getAs<IntegerAttr>(node);
  return wish ? std::optional(wish.getInt()) : std::nullopt;
}

CardLots::CardLots(ModuleOp program) : cards_(cardsOf(program)) {
  if (auto seed = program->getAttrOfType<IntegerAttr>(kCardSeedAttr))
    lots_.emplace(seed.getValue().getZExtValue());
}

static ElementsAttr withType(ElementsAttr value, RankedTensorType type) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
    return DenseResourceElementsAttr::get(type, resource.getRawHandle());
  return cast<DenseElementsAttr>(value).reshape(type);
}

Value inMemoryOfCard(OpBuilder &b, Value onHost, unsigned card) {
  RankedTensorType type = wire::onCard(cast<RankedTensorType>(onHost.getType()), card);
  if (auto constant = onHost.getDefiningOp<nd::ConstantOp>())
    return nd::ConstantOp::create(b, onHost.getLoc(), type, withType(constant.getValue(), type));
  return wire::CopyOp::create(b, onHost.getLoc(), type, onHost);
}

bool isForHostAnyhow(Operation *op, ArrayRef<unsigned> cardOperands) {
  // An array of single numbers is where they are.
  if (auto read = dyn_cast<nd::RowOp>(op); read && isSmall(read.getResult()))
    return true;
  if (auto write = dyn_cast<nd::SetRowOp>(op); write && isSmall(write.getRow()))
    return true;
  return !isa<nd::RowOp, nd::SetRowOp>(op) && llvm::all_of(op->getResults(), isSmall) &&
         llvm::all_of(cardOperands, [&](unsigned i) { return isSmall(op->getOperand(i)); });
}

bool isForHost(Operation *op, ArrayRef<unsigned> cardOperands) {
  if (isForHostAnyhow(op, cardOperands))
    return true;
  int64_t least = leastWork(op);
  std::optional<int64_t> work = least ? workOf(op) : std::nullopt;
  return work && *work < least;
}

} // namespace sluice::codegen
