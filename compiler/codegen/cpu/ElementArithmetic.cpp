// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arithmetic of elementwise ops, step by step that of the plain kernels (runtime/kernels/
// elementwise_*.cpp, comparison.cpp): a result has the same bits whether an op was compiled or not.
#include "compiler/codegen/cpu/ElementArithmetic.h"
#include "compiler/codegen/cpu/Lowerings.h"
#include "dialects/nd/Nd.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using FloatTest = arith::CmpFPredicate;
using IntTest = arith::CmpIPredicate;

namespace sluice::codegen {

static Type elementOf(Value tensor) { return cast<ShapedType>(tensor.getType()).getElementType(); }
static bool isFloat(Value x) { return isa<FloatType>(getElementTypeOrSelf(x.getType())); }

Value constantLike(ImplicitLocOpBuilder &b, Value x, double value) {
  Type element = getElementTypeOrSelf(x.getType());
  TypedAttr one = isa<FloatType>(element)
                      ? TypedAttr(b.getFloatAttr(element, value))
                      : TypedAttr(b.getIntegerAttr(element, static_cast<int64_t>(value)));
  if (auto vector = dyn_cast<VectorType>(x.getType()))
    one = DenseElementsAttr::get(vector, Attribute(one));
  return arith::ConstantOp::create(b, one);
}

static Value compareFloats(ImplicitLocOpBuilder &b, FloatTest test, Value x, Value y) {
  return arith::CmpFOp::create(b, test, x, y);
}
static Value compareInts(ImplicitLocOpBuilder &b, IntTest test, Value x, Value y) {
  return arith::CmpIOp::create(b, test, x, y);
}
static Value choose(ImplicitLocOpBuilder &b, Value condition, Value yes, Value no) {
  return arith::SelectOp::create(b, condition, yes, no);
}
static Value isNan(ImplicitLocOpBuilder &b, Value x) {
  return compareFloats(b, FloatTest::UNO, x, x);
}

// ---- Sums, products, extrema --------------------------------------------------------------------

template <typename FloatOp, typename IntOp>
static Value emitEither(ImplicitLocOpBuilder &b, Value x, Value y) {
  if (isFloat(x))
    return FloatOp::create(b, x, y);
  return IntOp::create(b, x, y);
}

// In this order, the two choices are few instructions.
Value emitExtremum(ImplicitLocOpBuilder &b, Value x, Value y, bool larger, bool isSigned) {
  if (isFloat(x)) {
    Value better = compareFloats(b, larger ? FloatTest::OGT : FloatTest::OLT, x, y);
    return choose(b, isNan(b, x), x, choose(b, better, x, y));
  }
  if (larger)
    return isSigned ? Value(arith::MaxSIOp::create(b, x, y)) : arith::MaxUIOp::create(b, x, y);
  return isSigned ? Value(arith::MinSIOp::create(b, x, y)) : arith::MinUIOp::create(b, x, y);
}

static Value emitCompare(ImplicitLocOpBuilder &b, FloatTest floats, IntTest ints,
                         IntTest unsignedInts, Value x, Value y, bool isSigned) {
  if (isFloat(x))
    return compareFloats(b, floats, x, y);
  return compareInts(b, isSigned ? ints : unsignedInts, x, y);
}

// ---- One operand --------------------------------------------------------------------------------

static Value emitNeg(ImplicitLocOpBuilder &b, Value x) {
  if (isFloat(x))
    return arith::NegFOp::create(b, x);
  return arith::SubIOp::create(b, constantLike(b, x, 0), x);
}

static Value emitAbs(ImplicitLocOpBuilder &b, Value x, bool isSigned) {
  if (isFloat(x))
    return math::AbsFOp::create(b, x);
  if (!isSigned)
    return x;
  Value below = compareInts(b, IntTest::slt, x, constantLike(b, x, 0));
  return choose(b, below, emitNeg(b, x), x);
}

// A NaN stays; both zeros give +0.
static Value emitSign(ImplicitLocOpBuilder &b, Value x, bool isSigned) {
  Value zero = constantLike(b, x, 0), one = constantLike(b, x, 1);
  Value above = emitCompare(b, FloatTest::OGT, IntTest::sgt, IntTest::ugt, x, zero, isSigned);
  Value result = choose(b, above, one, zero);
  if (!isFloat(x) && !isSigned)
    return result;
  Value below = emitCompare(b, FloatTest::OLT, IntTest::slt, IntTest::ult, x, zero, isSigned);
  result = choose(b, below, constantLike(b, x, -1), result);
  return isFloat(x) ? choose(b, isNan(b, x), x, result) : result;
}

static Value compareMagnitude(ImplicitLocOpBuilder &b, FloatTest test, Value x) {
  Value infinity = constantLike(b, x, std::numeric_limits<double>::infinity());
  return compareFloats(b, test, math::AbsFOp::create(b, x), infinity);
}

// ---- All ops ------------------------------------------------------------------------------------

static Value emitUnary(ImplicitLocOpBuilder &b, Operation *op, Value x, bool isSigned) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](nd::StopGradientOp) { return x; })
      .Case([&](nd::NegOp) { return emitNeg(b, x); })
      .Case([&](nd::AbsOp) { return emitAbs(b, x, isSigned); })
      .Case([&](nd::SignOp) { return emitSign(b, x, isSigned); })
      .Case([&](nd::SqrtOp) { return math::SqrtOp::create(b, x); })
      .Case([&](nd::RsqrtOp) {
        return arith::DivFOp::create(b, constantLike(b, x, 1), math::SqrtOp::create(b, x));
      })
      .Case([&](nd::FloorOp) { return math::FloorOp::create(b, x); })
      .Case([&](nd::CeilOp) { return math::CeilOp::create(b, x); })
      .Case([&](nd::RoundOp) { return math::RoundEvenOp::create(b, x); })
      .Case([&](nd::IsNanOp) { return isNan(b, x); })
      .Case([&](nd::IsInfOp) { return compareMagnitude(b, FloatTest::OEQ, x); })
      .Case([&](nd::IsFiniteOp) { return compareMagnitude(b, FloatTest::OLT, x); })
      .Case([&](nd::LogicalNotOp) { return arith::XOrIOp::create(b, x, constantLike(b, x, 1)); })
      .Case([&](nd::CastOp cast) {
        return emitCast(b, x, elementOf(cast.getInput()), elementOf(cast.getResult()));
      })
      .Default([&](Operation *) { return Value(); });
}

static Value emitComparison(ImplicitLocOpBuilder &b, Operation *op, Value x, Value y,
                            bool isSigned) {
  auto compare = [&](FloatTest floats, IntTest ints, IntTest unsignedInts) {
    return emitCompare(b, floats, ints, unsignedInts, x, y, isSigned);
  };
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](nd::LessOp) { return compare(FloatTest::OLT, IntTest::slt, IntTest::ult); })
      .Case([&](nd::LessEqualOp) { return compare(FloatTest::OLE, IntTest::sle, IntTest::ule); })
      .Case([&](nd::GreaterOp) { return compare(FloatTest::OGT, IntTest::sgt, IntTest::ugt); })
      .Case([&](nd::GreaterEqualOp) { return compare(FloatTest::OGE, IntTest::sge, IntTest::uge); })
      .Case([&](nd::EqualOp) { return compare(FloatTest::OEQ, IntTest::eq, IntTest::eq); })
      .Case([&](nd::NotEqualOp) { return compare(FloatTest::UNE, IntTest::ne, IntTest::ne); })
      .Default([&](Operation *) { return Value(); });
}

static Value emitBinary(ImplicitLocOpBuilder &b, Operation *op, Value x, Value y, bool isSigned) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](nd::AddOp) { return emitEither<arith::AddFOp, arith::AddIOp>(b, x, y); })
      .Case([&](nd::SubOp) { return emitEither<arith::SubFOp, arith::SubIOp>(b, x, y); })
      .Case([&](nd::MulOp) { return emitEither<arith::MulFOp, arith::MulIOp>(b, x, y); })
      .Case([&](nd::MaximumOp) { return emitExtremum(b, x, y, true, isSigned); })
      .Case([&](nd::MinimumOp) { return emitExtremum(b, x, y, false, isSigned); })
      .Case([&](nd::LogicalAndOp) { return arith::AndIOp::create(b, x, y); })
      .Case([&](nd::LogicalOrOp) { return arith::OrIOp::create(b, x, y); })
      .Case([&](nd::DivNoNanOp) {
        Value zero = constantLike(b, x, 0);
        return choose(b, compareFloats(b, FloatTest::OEQ, y, zero), zero,
                      arith::DivFOp::create(b, x, y));
      })
      .Default([&](Operation *) { return emitComparison(b, op, x, y, isSigned); });
}

Value emitElement(ImplicitLocOpBuilder &b, Operation *op, ValueRange operands) {
  if (isa<nd::SelectOp>(op))
    return choose(b, operands[0], operands[1], operands[2]);
  bool isSigned = !isUnsigned(elementOf(op->getOperand(0)));
  if (isMathFunction(op))
    return emitMathFunction(b, op, operands);
  if (isDivision(op))
    return emitDivision(b, op, operands[0], operands[1], isSigned);
  return operands.size() == 1 ? emitUnary(b, op, operands[0], isSigned)
                              : emitBinary(b, op, operands[0], operands[1], isSigned);
}

static bool isPlainElement(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return llvm::is_contained({1u, 8u, 16u, 32u, 64u}, integer.getWidth());
  return type.isF32() || type.isF64();
}

bool canEmitElement(Operation *op) {
  auto isPlain = [](Value value) {
    auto tensor = dyn_cast<TensorType>(value.getType());
    return tensor && isPlainElement(tensor.getElementType());
  };
  if (!llvm::all_of(op->getOperands(), isPlain) || !llvm::all_of(op->getResults(), isPlain))
    return false;
  if (isMathFunction(op))
    return canEmitMathFunction(op);
  return isDivision(op) ||
         isa<nd::StopGradientOp, nd::NegOp, nd::AbsOp, nd::SignOp, nd::SqrtOp, nd::RsqrtOp,
             nd::FloorOp, nd::CeilOp, nd::RoundOp, nd::IsNanOp, nd::IsInfOp, nd::IsFiniteOp,
             nd::LogicalNotOp, nd::CastOp, nd::AddOp, nd::SubOp, nd::MulOp, nd::MaximumOp,
             nd::MinimumOp, nd::LogicalAndOp, nd::LogicalOrOp, nd::DivNoNanOp, nd::LessOp,
             nd::LessEqualOp, nd::GreaterOp, nd::GreaterEqualOp, nd::EqualOp, nd::NotEqualOp,
             nd::SelectOp>(op);
}

} // namespace sluice::codegen
