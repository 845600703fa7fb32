// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of the IR as numbers of element functions (runtime/elements/vocabulary.h): each operation
// emits an op, so a function that is called with such numbers builds its own code, with the bits of
// the kernels that are made of the same function.
#pragma once

#include "compiler/codegen/elements/NumberKinds.h"
#include "compiler/codegen/elements/RuntimeCalls.h"
#include "runtime/elements/vocabulary.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

namespace sluice::codegen {

// A scalar or a vector, in its register form.
template <NumberKind kind> struct Emitted {
  mlir::ImplicitLocOpBuilder *b;
  mlir::Value value;
};
using EmittedBool = Emitted<NumberKind::kBool>;
using EmittedF32 = Emitted<NumberKind::kF32>;
using EmittedF64 = Emitted<NumberKind::kF64>;
// Of an f32, as an integer.
struct EmittedBits {
  mlir::ImplicitLocOpBuilder *b;
  mlir::Value value;
};

// ---- Building -----------------------------------------------------------------------------------

// A constant in all lanes of a type.
inline mlir::Value constantOf(mlir::ImplicitLocOpBuilder &b, mlir::Type type, mlir::TypedAttr one) {
  if (auto vector = llvm::dyn_cast<mlir::VectorType>(type))
    one = mlir::DenseElementsAttr::get(vector, mlir::Attribute(one));
  return mlir::arith::ConstantOp::create(b, one);
}
inline mlir::Type withLanesOf(mlir::Value x, mlir::Type element) {
  auto vector = llvm::dyn_cast<mlir::VectorType>(x.getType());
  return vector ? mlir::Type(vector.clone(element)) : element;
}
template <typename Op, typename N, typename... More> N emit(N x, More... more) {
  return {x.b, Op::create(*x.b, x.value, more.value...)};
}
template <typename FloatOp, typename IntOp, NumberKind kind>
Emitted<kind> emitEither(Emitted<kind> x, Emitted<kind> y) {
  if constexpr (isFloat(kind))
    return emit<FloatOp>(x, y);
  else
    return emit<IntOp>(x, y);
}
template <NumberKind kind>
EmittedBool compare(mlir::arith::CmpFPredicate floats, mlir::arith::CmpIPredicate ints,
                    mlir::arith::CmpIPredicate unsignedInts, Emitted<kind> x, Emitted<kind> y) {
  if constexpr (isFloat(kind))
    return {x.b, mlir::arith::CmpFOp::create(*x.b, floats, x.value, y.value)};
  else
    return {x.b, mlir::arith::CmpIOp::create(
                     *x.b, kind == NumberKind::kSigned ? ints : unsignedInts, x.value, y.value)};
}

// ---- The vocabulary -----------------------------------------------------------------------------

template <NumberKind kind, typename C> Emitted<kind> like(Emitted<kind> x, C constant) {
  mlir::Type element = mlir::getElementTypeOrSelf(x.value.getType());
  if constexpr (isFloat(kind))
    return {x.b, constantOf(*x.b, x.value.getType(),
                            x.b->getFloatAttr(element, static_cast<double>(constant)))};
  else
    return {x.b, constantOf(*x.b, x.value.getType(),
                            x.b->getIntegerAttr(element, static_cast<int64_t>(constant)))};
}

// A number of elements that is known when the code runs, as an i64.
struct EmittedCount {
  mlir::Value value;
};
template <NumberKind kind> Emitted<kind> like(Emitted<kind> x, EmittedCount count) {
  mlir::Type type = x.value.getType();
  if constexpr (isFloat(kind))
    return {x.b, mlir::arith::SIToFPOp::create(*x.b, type, count.value)};
  else
    return {x.b, type == count.value.getType()
                     ? count.value
                     : mlir::Value(mlir::arith::TruncIOp::create(*x.b, type, count.value))};
}

template <NumberKind kind>
Emitted<kind> select(EmittedBool condition, Emitted<kind> yes, Emitted<kind> no) {
  return {yes.b, mlir::arith::SelectOp::create(*yes.b, condition.value, yes.value, no.value)};
}
template <NumberKind kind> EmittedBool equals(Emitted<kind> x, Emitted<kind> y) {
  using mlir::arith::CmpIPredicate;
  return compare(mlir::arith::CmpFPredicate::OEQ, CmpIPredicate::eq, CmpIPredicate::eq, x, y);
}
template <NumberKind kind> EmittedBool differs(Emitted<kind> x, Emitted<kind> y) {
  using mlir::arith::CmpIPredicate;
  return compare(mlir::arith::CmpFPredicate::UNE, CmpIPredicate::ne, CmpIPredicate::ne, x, y);
}
template <NumberKind kind> EmittedBool less(Emitted<kind> x, Emitted<kind> y) {
  using mlir::arith::CmpIPredicate;
  return compare(mlir::arith::CmpFPredicate::OLT, CmpIPredicate::slt, CmpIPredicate::ult, x, y);
}
template <NumberKind kind> EmittedBool lessOrEqual(Emitted<kind> x, Emitted<kind> y) {
  using mlir::arith::CmpIPredicate;
  return compare(mlir::arith::CmpFPredicate::OLE, CmpIPredicate::sle, CmpIPredicate::ule, x, y);
}
inline EmittedBool both(EmittedBool x, EmittedBool y) { return emit<mlir::arith::AndIOp>(x, y); }
inline EmittedBool either(EmittedBool x, EmittedBool y) { return emit<mlir::arith::OrIOp>(x, y); }
inline EmittedBool oneOf(EmittedBool x, EmittedBool y) { return emit<mlir::arith::XOrIOp>(x, y); }
inline EmittedBool opposite(EmittedBool x) { return oneOf(x, like(x, 1)); }

template <NumberKind kind> Emitted<kind> wrapAdd(Emitted<kind> x, Emitted<kind> y) {
  return emitEither<mlir::arith::AddFOp, mlir::arith::AddIOp>(x, y);
}
template <NumberKind kind> Emitted<kind> wrapSub(Emitted<kind> x, Emitted<kind> y) {
  return emitEither<mlir::arith::SubFOp, mlir::arith::SubIOp>(x, y);
}
template <NumberKind kind> Emitted<kind> wrapMul(Emitted<kind> x, Emitted<kind> y) {
  return emitEither<mlir::arith::MulFOp, mlir::arith::MulIOp>(x, y);
}
template <NumberKind kind> Emitted<kind> wrapNeg(Emitted<kind> x) {
  if constexpr (isFloat(kind))
    return emit<mlir::arith::NegFOp>(x);
  else
    return wrapSub(like(x, 0), x);
}

template <NumberKind kind> Emitted<kind> over(Emitted<kind> x, Emitted<kind> y) {
  return emit<mlir::arith::DivFOp>(x, y);
}
template <NumberKind kind> Emitted<kind> squareRoot(Emitted<kind> x) {
  return emit<mlir::math::SqrtOp>(x);
}
template <NumberKind kind> Emitted<kind> magnitude(Emitted<kind> x) {
  return emit<mlir::math::AbsFOp>(x);
}
template <NumberKind kind> Emitted<kind> withSign(Emitted<kind> x, Emitted<kind> sign) {
  return emit<mlir::math::CopySignOp>(x, sign);
}
template <NumberKind kind> Emitted<kind> roundedDown(Emitted<kind> x) {
  return emit<mlir::math::FloorOp>(x);
}
template <NumberKind kind> Emitted<kind> roundedUp(Emitted<kind> x) {
  return emit<mlir::math::CeilOp>(x);
}
template <NumberKind kind> Emitted<kind> roundedToEven(Emitted<kind> x) {
  return emit<mlir::math::RoundEvenOp>(x);
}

// The name in the nd dialect of what calls the C library.
template <typename Function> struct LibraryName;
template <typename Op, typename Function, NumberKind kind, typename... More>
Emitted<kind> library(const Function &, Emitted<kind> x, More... more) {
  return {x.b, callElementFunction(*x.b, LibraryName<Op>::kName, {x.value, more.value...})};
}

// Where a divisor would trap (0, and -1 for the lowest integer) it is 1.
template <NumberKind kind> Emitted<kind> harmlessDivisor(Emitted<kind> y) {
  EmittedBool traps = equals(y, like(y, 0));
  if constexpr (kind == NumberKind::kSigned)
    traps = either(traps, equals(y, like(y, -1)));
  return select(traps, like(y, 1), y);
}
template <NumberKind kind> Emitted<kind> truncatedQuotient(Emitted<kind> x, Emitted<kind> y) {
  if constexpr (kind == NumberKind::kUnsigned)
    return emit<mlir::arith::DivUIOp>(x, harmlessDivisor(y));
  else
    return select(equals(y, like(y, -1)), wrapNeg(x),
                  emit<mlir::arith::DivSIOp>(x, harmlessDivisor(y)));
}
template <NumberKind kind> Emitted<kind> truncatedRemainder(Emitted<kind> x, Emitted<kind> y) {
  if constexpr (kind == NumberKind::kUnsigned)
    return emit<mlir::arith::RemUIOp>(x, harmlessDivisor(y));
  else
    return emit<mlir::arith::RemSIOp>(x, harmlessDivisor(y));
}
template <NumberKind kind> Emitted<kind> halved(Emitted<kind> x) {
  return emit<mlir::arith::ShRUIOp>(x, like(x, 1));
}
template <NumberKind kind> EmittedBool isOdd(Emitted<kind> x) {
  return differs(emit<mlir::arith::AndIOp>(x, like(x, 1)), like(x, 0));
}
template <NumberKind kind> bool isUsedUp(Emitted<kind> x, int times) {
  mlir::Type element = mlir::getElementTypeOrSelf(x.value.getType());
  return times == static_cast<int>(element.getIntOrFloatBitWidth());
}

// ---- What functions of floats need --------------------------------------------------------------

template <NumberKind kind>
  requires(isFloat(kind))
Emitted<kind> operator+(Emitted<kind> x, Emitted<kind> y) {
  return wrapAdd(x, y);
}
template <NumberKind kind>
  requires(isFloat(kind))
Emitted<kind> operator-(Emitted<kind> x, Emitted<kind> y) {
  return wrapSub(x, y);
}
template <NumberKind kind>
  requires(isFloat(kind))
Emitted<kind> operator*(Emitted<kind> x, Emitted<kind> y) {
  return wrapMul(x, y);
}
template <NumberKind kind>
  requires(isFloat(kind))
Emitted<kind> operator/(Emitted<kind> x, Emitted<kind> y) {
  return over(x, y);
}
template <NumberKind kind>
  requires(isFloat(kind))
Emitted<kind> fused(Emitted<kind> x, Emitted<kind> y, Emitted<kind> z) {
  return emit<mlir::math::FmaOp>(x, y, z);
}

// ---- Bits of f32 --------------------------------------------------------------------------------

inline EmittedBits like(EmittedBits x, uint32_t constant) {
  auto element = x.b->getI32IntegerAttr(static_cast<int32_t>(constant));
  return {x.b, constantOf(*x.b, x.value.getType(), element)};
}
inline EmittedBits operator+(EmittedBits x, EmittedBits y) {
  return emit<mlir::arith::AddIOp>(x, y);
}
inline EmittedBits operator-(EmittedBits x, EmittedBits y) {
  return emit<mlir::arith::SubIOp>(x, y);
}
inline EmittedBits operator&(EmittedBits x, EmittedBits y) {
  return emit<mlir::arith::AndIOp>(x, y);
}
inline EmittedBits operator|(EmittedBits x, EmittedBits y) {
  return emit<mlir::arith::OrIOp>(x, y);
}
inline EmittedBits operator<<(EmittedBits x, int count) {
  return emit<mlir::arith::ShLIOp>(x, like(x, static_cast<uint32_t>(count)));
}
inline EmittedBits operator>>(EmittedBits x, int count) {
  return emit<mlir::arith::ShRSIOp>(x, like(x, static_cast<uint32_t>(count)));
}
inline EmittedBits operator*(EmittedBits x, EmittedBits y) {
  return emit<mlir::arith::MulIOp>(x, y);
}
inline EmittedBits highProduct(EmittedBits x, EmittedBits y) {
  return {x.b, mlir::arith::MulUIExtendedOp::create(*x.b, x.value, y.value).getHigh()};
}
inline EmittedBits shiftedLeft(EmittedBits x, EmittedBits places) {
  return emit<mlir::arith::ShLIOp>(x, places);
}
inline EmittedBits shiftedRight(EmittedBits x, EmittedBits places) {
  return emit<mlir::arith::ShRUIOp>(x, places);
}
inline EmittedBool equals(EmittedBits x, EmittedBits y) {
  using mlir::arith::CmpIPredicate;
  return {x.b, mlir::arith::CmpIOp::create(*x.b, CmpIPredicate::eq, x.value, y.value)};
}
inline EmittedBool less(EmittedBits x, EmittedBits y) {
  using mlir::arith::CmpIPredicate;
  return {x.b, mlir::arith::CmpIOp::create(*x.b, CmpIPredicate::slt, x.value, y.value)};
}
inline EmittedBits select(EmittedBool condition, EmittedBits yes, EmittedBits no) {
  return {yes.b, mlir::arith::SelectOp::create(*yes.b, condition.value, yes.value, no.value)};
}
inline EmittedBits bitsOf(EmittedF32 x) {
  mlir::Type type = withLanesOf(x.value, x.b->getI32Type());
  return {x.b, mlir::arith::BitcastOp::create(*x.b, type, x.value)};
}
inline EmittedF32 floatOf(EmittedBits x) {
  mlir::Type type = withLanesOf(x.value, x.b->getF32Type());
  return {x.b, mlir::arith::BitcastOp::create(*x.b, type, x.value)};
}
inline EmittedF32 wholeNumber(EmittedBits x) {
  mlir::Type type = withLanesOf(x.value, x.b->getF32Type());
  return {x.b, mlir::arith::SIToFPOp::create(*x.b, type, x.value)};
}

// ---- Bits of f64 (runtime/elements/long_bits.h) ------------------------------------------------

// Of an f64, as an integer.
struct EmittedLongBits {
  mlir::ImplicitLocOpBuilder *b = nullptr;
  mlir::Value value;
};
template <typename C> EmittedLongBits like(EmittedLongBits x, C constant) {
  auto element = x.b->getI64IntegerAttr(static_cast<int64_t>(constant));
  return {x.b, constantOf(*x.b, x.value.getType(), element)};
}
inline EmittedLongBits operator+(EmittedLongBits x, EmittedLongBits y) {
  return emit<mlir::arith::AddIOp>(x, y);
}
inline EmittedLongBits operator-(EmittedLongBits x, EmittedLongBits y) {
  return emit<mlir::arith::SubIOp>(x, y);
}
inline EmittedLongBits operator*(EmittedLongBits x, EmittedLongBits y) {
  return emit<mlir::arith::MulIOp>(x, y);
}
inline EmittedLongBits operator&(EmittedLongBits x, EmittedLongBits y) {
  return emit<mlir::arith::AndIOp>(x, y);
}
inline EmittedLongBits operator|(EmittedLongBits x, EmittedLongBits y) {
  return emit<mlir::arith::OrIOp>(x, y);
}
inline EmittedLongBits shiftedLeft(EmittedLongBits x, EmittedLongBits places) {
  return emit<mlir::arith::ShLIOp>(x, places);
}
inline EmittedLongBits shiftedRight(EmittedLongBits x, EmittedLongBits places) {
  return emit<mlir::arith::ShRUIOp>(x, places);
}
inline EmittedLongBits operator<<(EmittedLongBits x, int count) {
  return shiftedLeft(x, like(x, static_cast<uint64_t>(count)));
}
inline EmittedLongBits operator>>(EmittedLongBits x, int count) {
  return shiftedRight(x, like(x, static_cast<uint64_t>(count)));
}
inline EmittedLongBits highProduct(EmittedLongBits x, EmittedLongBits y) {
  return {x.b, mlir::arith::MulUIExtendedOp::create(*x.b, x.value, y.value).getHigh()};
}
inline EmittedBool equals(EmittedLongBits x, EmittedLongBits y) {
  using mlir::arith::CmpIPredicate;
  return {x.b, mlir::arith::CmpIOp::create(*x.b, CmpIPredicate::eq, x.value, y.value)};
}
inline EmittedLongBits select(EmittedBool condition, EmittedLongBits yes, EmittedLongBits no) {
  return {yes.b, mlir::arith::SelectOp::create(*yes.b, condition.value, yes.value, no.value)};
}
inline EmittedLongBits bitsOf(EmittedF64 x) {
  mlir::Type type = withLanesOf(x.value, x.b->getI64Type());
  return {x.b, mlir::arith::BitcastOp::create(*x.b, type, x.value)};
}
inline EmittedF64 floatOf(EmittedLongBits x) {
  mlir::Type type = withLanesOf(x.value, x.b->getF64Type());
  return {x.b, mlir::arith::BitcastOp::create(*x.b, type, x.value)};
}
inline EmittedF64 signedNumber(EmittedLongBits x) {
  mlir::Type type = withLanesOf(x.value, x.b->getF64Type());
  return {x.b, mlir::arith::SIToFPOp::create(*x.b, type, x.value)};
}

} // namespace sluice::codegen

// How element functions tell numbers apart.
namespace sluice::rt {
template <codegen::NumberKind kind>
inline constexpr bool kIsFloat<codegen::Emitted<kind>> = codegen::isFloat(kind);
template <codegen::NumberKind kind>
inline constexpr bool kIsInt<codegen::Emitted<kind>> = codegen::isInt(kind);
namespace element {
template <codegen::NumberKind kind>
inline constexpr bool kIsSigned<codegen::Emitted<kind>> = kind == codegen::NumberKind::kSigned;
template <> inline constexpr bool kIsF32<codegen::EmittedF32> = true;
template <> inline constexpr bool kIsF64<codegen::EmittedF64> = true;
} // namespace element
} // namespace sluice::rt
