// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of the IR with the operators that runtime/kernels/math_f32.h asks for: its functions are
// then builders of their own code.
#include "compiler/codegen/cpu/MathFunctions.h"

#include "dialects/nd/Nd.h"
#include "runtime/kernels/math_f32.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace sluice::codegen {

namespace {

// An f32, an i32 or an i1, or a vector of them.
struct Emitted {
  ImplicitLocOpBuilder *b;
  Value value;

  Type shapedLike(Type element) const {
    auto vector = dyn_cast<VectorType>(value.getType());
    return vector ? Type(vector.clone(element)) : element;
  }
  Emitted constant(Attribute element, Type type) const {
    TypedAttr attr = cast<TypedAttr>(element);
    if (auto vector = dyn_cast<VectorType>(type))
      attr = DenseElementsAttr::get(vector, element);
    return {b, arith::ConstantOp::create(*b, attr)};
  }
};
struct EmittedFloat : Emitted {};
struct EmittedBits : Emitted {};
struct EmittedBool : Emitted {};

EmittedFloat like(EmittedFloat x, float constant) {
  return {x.constant(x.b->getF32FloatAttr(constant), x.value.getType())};
}
EmittedBits like(EmittedBits x, uint32_t constant) {
  auto element = x.b->getI32IntegerAttr(static_cast<int32_t>(constant));
  return {x.constant(element, x.value.getType())};
}

template <typename Op, typename T, typename... Operands> T emit(T x, Operands... rest) {
  return {{x.b, Op::create(*x.b, x.value, rest.value...)}};
}
template <typename Op, typename To> To emitTo(Type element, Emitted x) {
  return {{x.b, Op::create(*x.b, x.shapedLike(element), x.value)}};
}

EmittedFloat operator+(EmittedFloat a, EmittedFloat b) { return emit<arith::AddFOp>(a, b); }
EmittedFloat operator-(EmittedFloat a, EmittedFloat b) { return emit<arith::SubFOp>(a, b); }
EmittedFloat operator*(EmittedFloat a, EmittedFloat b) { return emit<arith::MulFOp>(a, b); }
EmittedFloat operator/(EmittedFloat a, EmittedFloat b) { return emit<arith::DivFOp>(a, b); }
EmittedFloat fused(EmittedFloat a, EmittedFloat b, EmittedFloat c) {
  return emit<math::FmaOp>(a, b, c);
}
EmittedFloat magnitude(EmittedFloat x) { return emit<math::AbsFOp>(x); }
EmittedFloat withSign(EmittedFloat x, EmittedFloat sign) { return emit<math::CopySignOp>(x, sign); }
EmittedBool less(EmittedFloat a, EmittedFloat b) {
  return {{a.b, arith::CmpFOp::create(*a.b, arith::CmpFPredicate::OLT, a.value, b.value)}};
}
EmittedFloat select(EmittedBool condition, EmittedFloat a, EmittedFloat b) {
  return {{a.b, arith::SelectOp::create(*a.b, condition.value, a.value, b.value)}};
}

EmittedBits operator+(EmittedBits a, EmittedBits b) { return emit<arith::AddIOp>(a, b); }
EmittedBits operator-(EmittedBits a, EmittedBits b) { return emit<arith::SubIOp>(a, b); }
EmittedBits operator&(EmittedBits a, EmittedBits b) { return emit<arith::AndIOp>(a, b); }
EmittedBits operator<<(EmittedBits a, int count) {
  return emit<arith::ShLIOp>(a, like(a, static_cast<uint32_t>(count)));
}
EmittedBits operator>>(EmittedBits a, int count) {
  return emit<arith::ShRSIOp>(a, like(a, static_cast<uint32_t>(count)));
}
EmittedBits bitsOf(EmittedFloat x) {
  return emitTo<arith::BitcastOp, EmittedBits>(x.b->getI32Type(), x);
}
EmittedFloat floatOf(EmittedBits bits) {
  return emitTo<arith::BitcastOp, EmittedFloat>(bits.b->getF32Type(), bits);
}
EmittedFloat wholeNumber(EmittedBits bits) {
  return emitTo<arith::SIToFPOp, EmittedFloat>(bits.b->getF32Type(), bits);
}

} // namespace

Value emitMath(ImplicitLocOpBuilder &b, Operation *op, Value x) {
  if (!getElementTypeOrSelf(x.getType()).isF32())
    return {};
  const EmittedFloat operand{{&b, x}};
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](nd::ExpOp) { return rt::f32::exp(operand).value; })
      .Case([&](nd::LogOp) { return rt::f32::log(operand).value; })
      .Case([&](nd::TanhOp) { return rt::f32::tanh(operand).value; })
      .Case([&](nd::SigmoidOp) { return rt::f32::sigmoid(operand).value; })
      .Default(Value());
}

} // namespace sluice::codegen
