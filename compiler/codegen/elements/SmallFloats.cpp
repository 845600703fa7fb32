// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code of conversions, of which runtime/base/float_bits.h has the text.
#include "compiler/codegen/elements/SmallFloats.h"

#include "compiler/codegen/elements/EmittedNumbers.h"
#include "runtime/base/float_bits.h"

using namespace mlir;

namespace sluice::codegen {

Type computeType(Type element) {
  return isSmallFloat(element) ? Float32Type::get(element.getContext()) : element;
}

Value toComputeType(ImplicitLocOpBuilder &b, Value x, Type element) {
  if (!isSmallFloat(element))
    return x;
  EmittedBits bits{&b, arith::ExtUIOp::create(b, withLanesOf(x, b.getI32Type()), x)};
  return (element.isF16() ? rt::floatOfHalf(bits) : rt::floatOfBFloat16(bits)).value;
}

Value fromComputeType(ImplicitLocOpBuilder &b, Value x, Type element) {
  if (!isSmallFloat(element))
    return x;
  EmittedF32 number{&b, x};
  EmittedBits bits = element.isF16() ? rt::halfOfFloat(number) : rt::bfloat16OfFloat(number);
  return arith::TruncIOp::create(b, withLanesOf(x, b.getI16Type()), bits.value);
}

} // namespace sluice::codegen
