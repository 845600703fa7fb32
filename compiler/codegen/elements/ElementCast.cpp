// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions between element types, as runtime/kernels/cast.cpp makes them: integers wrap, floats
// to integers truncate and saturate with NaN as 0, and all but 0 is true. What becomes a 16-bit
// float is an f32 before, and is rounded twice if it was neither.
#include "compiler/codegen/elements/ElementCode.h"
#include "compiler/codegen/elements/ElementTypes.h"
#include "compiler/codegen/elements/EmittedNumbers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace sluice::codegen {

static Value isNotZero(ImplicitLocOpBuilder &b, Value x, bool isFloat) {
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(x.getType()));
  if (isFloat)
    return arith::CmpFOp::create(b, arith::CmpFPredicate::UNE, x, zero);
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, x, zero);
}

static Value intToInt(ImplicitLocOpBuilder &b, Value x, Type from, Type type) {
  unsigned before = from.getIntOrFloatBitWidth();
  unsigned after = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  if (before == after)
    return x;
  if (before > after)
    return arith::TruncIOp::create(b, type, x);
  return isUnsigned(from) ? Value(arith::ExtUIOp::create(b, type, x))
                          : arith::ExtSIOp::create(b, type, x);
}

static Value floatToInt(ImplicitLocOpBuilder &b, Value x, Type to, Type type) {
  // These saturate, and make 0 of a NaN.
  StringRef name = isUnsigned(to) ? "llvm.fptoui.sat" : "llvm.fptosi.sat";
  return LLVM::CallIntrinsicOp::create(b, type, b.getStringAttr(name), ValueRange{x}).getResult(0);
}

static Value floatToFloat(ImplicitLocOpBuilder &b, Value x, Type from, Type type) {
  unsigned before = from.getIntOrFloatBitWidth();
  unsigned after = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  if (before == after)
    return x;
  return before > after ? Value(arith::TruncFOp::create(b, type, x))
                        : arith::ExtFOp::create(b, type, x);
}

// Of compute types.
static Value castNumber(ImplicitLocOpBuilder &b, Value x, Type from, Type to) {
  Type type = withLanesOf(x, registerElementType(to));
  bool fromFloat = isa<FloatType>(from);
  if (to.isInteger(1))
    return from.isInteger(1) ? x : isNotZero(b, x, fromFloat);
  if (fromFloat)
    return isa<FloatType>(to) ? floatToFloat(b, x, from, type) : floatToInt(b, x, to, type);
  if (!isa<FloatType>(to))
    return intToInt(b, x, from, type);
  return isUnsigned(from) ? Value(arith::UIToFPOp::create(b, type, x))
                          : arith::SIToFPOp::create(b, type, x);
}

Value emitCast(ImplicitLocOpBuilder &b, Value x, Type from, Type to) {
  if (from == to)
    return x;
  Value number = castNumber(b, toComputeType(b, x, from), computeType(from), computeType(to));
  return fromComputeType(b, number, to);
}

} // namespace sluice::codegen
