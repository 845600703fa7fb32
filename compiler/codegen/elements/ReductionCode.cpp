// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table from reductions to their code, which is that of the plain kernels.
#include "compiler/codegen/elements/ReductionCode.h"

#include "compiler/codegen/elements/ElementCode.h"
#include "compiler/codegen/elements/ElementTypes.h"
#include "compiler/codegen/elements/EmittedNumbers.h"
#include "compiler/codegen/elements/NumberKinds.h"
#include "dialects/nd/AllOps.h"
#include "runtime/elements/reductions.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;
using sluice::rt::element::Identity;

namespace sluice::codegen {

struct ReductionCode::Entry {
  Identity identity;
  bool widens;
  Value (*load)(ImplicitLocOpBuilder &, Type, Value);
  Value (*combine)(ImplicitLocOpBuilder &, Type, Value, Value);
  Value (*finish)(ImplicitLocOpBuilder &, Type, Value, int64_t);
  Value (*finishUnknown)(ImplicitLocOpBuilder &, Type, Value, Value);
};

namespace {

// `element` is the type of numbers, for 16-bit floats that of the accumulator.
template <typename Reduction, TypeSet set>
Value loadAs(ImplicitLocOpBuilder &b, Type element, Value x) {
  return withKind<set>(
      element, [&]<NumberKind kind>() { return Reduction::load(Emitted<kind>{&b, x}).value; });
}
template <typename Reduction, TypeSet set>
Value combineAs(ImplicitLocOpBuilder &b, Type element, Value x, Value y) {
  return withKind<set>(element, [&]<NumberKind kind>() {
    return Reduction::combine(Emitted<kind>{&b, x}, Emitted<kind>{&b, y}).value;
  });
}
template <typename Reduction, TypeSet set>
Value finishAs(ImplicitLocOpBuilder &b, Type element, Value accumulator, int64_t count) {
  return withKind<set>(element, [&]<NumberKind kind>() {
    return Reduction::finish(Emitted<kind>{&b, accumulator}, count).value;
  });
}
template <typename Reduction, TypeSet set>
Value finishUnknownAs(ImplicitLocOpBuilder &b, Type element, Value accumulator, Value count) {
  return withKind<set>(element, [&]<NumberKind kind>() {
    return Reduction::finish(Emitted<kind>{&b, accumulator}, EmittedCount{count}).value;
  });
}
template <typename Reduction, TypeSet set> ReductionCode::Entry entryOf() {
  return {Reduction::kIdentity,      Reduction::kWidens,       loadAs<Reduction, set>,
          combineAs<Reduction, set>, finishAs<Reduction, set>, finishUnknownAs<Reduction, set>};
}

// Each op with the face is in the table, and no other.
template <typename Op> constexpr bool kIsListed = false;
#define SLUICE_REDUCTION(OP, REDUCTION, SET)                                                       \
  template <>                                                                                      \
  constexpr bool kIsListed<nd::Reduce##REDUCTION##Op> =                                            \
      kNameOf<nd::Reduce##REDUCTION##Op> == "nd." #OP;
#include "runtime/elements/reductions.def"
template <typename... Ops> constexpr bool facesAreListed(OpTypes<Ops...>) {
  return ((kIsListed<Ops> == Ops::template hasTrait<OfReduction>()) && ...);
}
static_assert(facesAreListed(nd::AllOps()), "expected ops with the face OfReduction to be those of "
                                            "runtime/elements/reductions.def");

const llvm::StringMap<ReductionCode::Entry> &table() {
  using namespace rt::element;
  using namespace type_sets;
  static const llvm::StringMap<ReductionCode::Entry> all = {
#define SLUICE_REDUCTION(OP, REDUCTION, SET) {"nd." #OP, entryOf<REDUCTION, SET>()},
#include "runtime/elements/reductions.def"
      {nd::L2LossOp::getOperationName(), entryOf<HalfSumOfSquares, FLOAT>()}};
  return all;
}

APInt wholeIdentity(Identity identity, unsigned width, bool isUnsigned) {
  switch (identity) {
  case Identity::kZero:
    return APInt::getZero(width);
  case Identity::kOne:
    return APInt(width, 1);
  case Identity::kLowest:
    return isUnsigned ? APInt::getMinValue(width) : APInt::getSignedMinValue(width);
  case Identity::kHighest:
    return isUnsigned ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width);
  }
  llvm_unreachable("all identities have cases");
}
APFloat floatIdentity(Identity identity, const llvm::fltSemantics &type) {
  switch (identity) {
  case Identity::kZero:
    return APFloat::getZero(type);
  case Identity::kOne:
    return APFloat::getOne(type);
  case Identity::kLowest:
  case Identity::kHighest:
    return APFloat::getInf(type, /*Negative=*/identity == Identity::kLowest);
  }
  llvm_unreachable("all identities have cases");
}

} // namespace

ReductionCode::ReductionCode(Operation *op)
    : entry_(table().find(op->getName().getStringRef())->second),
      element_(cast<ShapedType>(op->getOperand(0).getType()).getElementType()) {
  accumulator_ = entry_.widens && isa<IntegerType>(element_)
                     ? IntegerType::get(op->getContext(), 64)
                     : registerElementType(computeType(element_));
}

TypedAttr ReductionCode::identity() const {
  if (auto floats = dyn_cast<FloatType>(accumulator_))
    return FloatAttr::get(floats, floatIdentity(entry_.identity, floats.getFloatSemantics()));
  unsigned width = accumulator_.getIntOrFloatBitWidth();
  return IntegerAttr::get(accumulator_,
                          wholeIdentity(entry_.identity, width, isUnsigned(element_)));
}

Value ReductionCode::load(ImplicitLocOpBuilder &b, Value element) const {
  return entry_.load(b, computeType(element_), emitCast(b, element, element_, accumulator_));
}
Value ReductionCode::combine(ImplicitLocOpBuilder &b, Value x, Value y) const {
  return entry_.combine(b, computeType(element_), x, y);
}
Value ReductionCode::finish(ImplicitLocOpBuilder &b, Value accumulator, int64_t count) const {
  Value result = entry_.finish(b, computeType(element_), accumulator, count);
  return emitCast(b, result, accumulator_, element_);
}
Value ReductionCode::finish(ImplicitLocOpBuilder &b, Value accumulator, Value count) const {
  Value result = entry_.finishUnknown(b, computeType(element_), accumulator, count);
  return emitCast(b, result, accumulator_, element_);
}

} // namespace sluice::codegen
