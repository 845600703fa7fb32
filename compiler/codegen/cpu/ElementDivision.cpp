// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quotients, and remainders and powers of integers, as runtime/kernels/elementwise_division.cpp has
// them.
#include "compiler/codegen/cpu/ElementArithmetic.h"
#include "compiler/codegen/cpu/Lowerings.h"
#include "dialects/nd/Nd.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using IntTest = arith::CmpIPredicate;

namespace sluice::codegen {

static Type elementOf(Operation *op) {
  return cast<ShapedType>(op->getOperand(0).getType()).getElementType();
}
static bool isInt(Operation *op) { return isa<IntegerType>(elementOf(op)); }

bool isDivision(Operation *op) {
  return isa<nd::DivOp, nd::FloorDivOp>(op) ||
         (isa<nd::FloorModOp, nd::TruncModOp, nd::PowOp>(op) && isInt(op));
}

// ---- Failing ------------------------------------------------------------------------------------

static bool isBad(Operation *op, const APInt &y) {
  return isa<nd::PowOp>(op) ? y.isNegative() : y.isZero();
}

bool elementCanFail(Operation *op) {
  if (!isDivision(op) || !isInt(op) || (isa<nd::PowOp>(op) && isUnsigned(elementOf(op))))
    return false;
  auto constant = op->getOperand(1).getDefiningOp<nd::ConstantOp>();
  auto values = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : nullptr;
  return !values ||
         llvm::any_of(values.getValues<APInt>(), [&](const APInt &y) { return isBad(op, y); });
}

Value elementFault(ImplicitLocOpBuilder &b, Operation *op, ValueRange operands) {
  IntTest test = isa<nd::PowOp>(op) ? IntTest::slt : IntTest::eq;
  return arith::CmpIOp::create(b, test, operands[1], constantLike(b, operands[1], 0));
}

// ---- Integers -----------------------------------------------------------------------------------

static Value equals(ImplicitLocOpBuilder &b, Value x, double value) {
  return arith::CmpIOp::create(b, IntTest::eq, x, constantLike(b, x, value));
}
static Value isBelowZero(ImplicitLocOpBuilder &b, Value x) {
  return arith::CmpIOp::create(b, IntTest::slt, x, constantLike(b, x, 0));
}

// Where a divisor would trap (0, and -1 for the lowest integer) it is 1.
static Value harmlessDivisor(ImplicitLocOpBuilder &b, Value y, bool isSigned) {
  Value traps = equals(b, y, 0);
  if (isSigned)
    traps = arith::OrIOp::create(b, traps, equals(b, y, -1));
  return arith::SelectOp::create(b, traps, constantLike(b, y, 1), y);
}

// Truncates; the lowest integer divided by -1 is itself.
static Value intQuotient(ImplicitLocOpBuilder &b, Value x, Value y, bool isSigned) {
  Value divisor = harmlessDivisor(b, y, isSigned);
  if (!isSigned)
    return arith::DivUIOp::create(b, x, divisor);
  Value negated = arith::SubIOp::create(b, constantLike(b, x, 0), x);
  Value quotient = arith::DivSIOp::create(b, x, divisor);
  return arith::SelectOp::create(b, equals(b, y, -1), negated, quotient);
}
static Value intRemainder(ImplicitLocOpBuilder &b, Value x, Value y, bool isSigned) {
  Value divisor = harmlessDivisor(b, y, isSigned);
  return isSigned ? Value(arith::RemSIOp::create(b, x, divisor))
                  : arith::RemUIOp::create(b, x, divisor);
}

// Whether `remainder` is not 0 and the signs of the two others differ.
static Value rounds(ImplicitLocOpBuilder &b, Value remainder, Value x, Value y) {
  Value some = arith::CmpIOp::create(b, IntTest::ne, remainder, constantLike(b, remainder, 0));
  Value differ = arith::XOrIOp::create(b, isBelowZero(b, x), isBelowZero(b, y));
  return arith::AndIOp::create(b, some, differ);
}

static Value intFloorDiv(ImplicitLocOpBuilder &b, Value x, Value y, bool isSigned) {
  Value quotient = intQuotient(b, x, y, isSigned);
  if (!isSigned)
    return quotient;
  Value below = rounds(b, intRemainder(b, x, y, isSigned), x, y);
  Value lower = arith::SubIOp::create(b, quotient, constantLike(b, x, 1));
  return arith::SelectOp::create(b, below, lower, quotient);
}
static Value intFloorMod(ImplicitLocOpBuilder &b, Value x, Value y, bool isSigned) {
  Value remainder = intRemainder(b, x, y, isSigned);
  if (!isSigned)
    return remainder;
  Value moved = arith::AddIOp::create(b, remainder, y);
  return arith::SelectOp::create(b, rounds(b, remainder, remainder, y), moved, remainder);
}

// Squares and multiplies, once for each bit; LLVM drops what a constant exponent does not need.
static Value intPow(ImplicitLocOpBuilder &b, Value x, Value y) {
  Value result = constantLike(b, x, 1), zero = constantLike(b, x, 0), one = result, square = x;
  unsigned width = getElementTypeOrSelf(x).getIntOrFloatBitWidth();
  for (unsigned bit = 0; bit < width; ++bit) {
    Value rest = arith::ShRUIOp::create(b, y, constantLike(b, y, bit));
    Value taken = arith::CmpIOp::create(b, IntTest::ne, arith::AndIOp::create(b, rest, one), zero);
    Value product = arith::MulIOp::create(b, result, square);
    result = arith::SelectOp::create(b, taken, product, result);
    square = arith::MulIOp::create(b, square, square);
  }
  return result;
}

static Value emitIntDivision(ImplicitLocOpBuilder &b, Operation *op, Value x, Value y,
                             bool isSigned) {
  if (isa<nd::PowOp>(op))
    return intPow(b, x, y);
  if (isa<nd::DivOp>(op))
    return intQuotient(b, x, y, isSigned);
  if (isa<nd::FloorDivOp>(op))
    return intFloorDiv(b, x, y, isSigned);
  return isa<nd::FloorModOp>(op) ? intFloorMod(b, x, y, isSigned) : intRemainder(b, x, y, isSigned);
}

Value emitDivision(ImplicitLocOpBuilder &b, Operation *op, Value x, Value y, bool isSigned) {
  if (isInt(op))
    return emitIntDivision(b, op, x, y, isSigned);
  Value quotient = arith::DivFOp::create(b, x, y);
  return isa<nd::FloorDivOp>(op) ? Value(math::FloorOp::create(b, quotient)) : quotient;
}

} // namespace sluice::codegen
