// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of other lanes of a warp.
#include "compiler/codegen/gpu/Shuffles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;

namespace sluice::codegen {

static constexpr int32_t kWarp = 32;

static Value shuffledWord(ImplicitLocOpBuilder &b, Value word, int32_t distance) {
  return gpu::ShuffleOp::create(b, word, distance, kWarp, gpu::ShuffleMode::XOR).getShuffleResult();
}

Value shuffled(ImplicitLocOpBuilder &b, Value value, int32_t distance) {
  Type type = value.getType(), i32 = b.getI32Type();
  unsigned width = type.getIntOrFloatBitWidth();
  Type whole = b.getIntegerType(width);
  Value bits = isa<FloatType>(type) ? Value(arith::BitcastOp::create(b, whole, value)) : value;
  if (width < 32) {
    bits = shuffledWord(b, arith::ExtUIOp::create(b, i32, bits), distance);
    bits = arith::TruncIOp::create(b, whole, bits);
  } else if (width == 32) {
    bits = shuffledWord(b, bits, distance);
  } else {
    Value half = arith::ConstantIntOp::create(b, 32, 64);
    Value low = shuffledWord(b, arith::TruncIOp::create(b, i32, bits), distance);
    Value high = arith::TruncIOp::create(b, i32, arith::ShRUIOp::create(b, bits, half));
    high = shuffledWord(b, high, distance);
    bits = arith::OrIOp::create(
        b, arith::ShLIOp::create(b, arith::ExtUIOp::create(b, whole, high), half),
        arith::ExtUIOp::create(b, whole, low));
  }
  return isa<FloatType>(type) ? Value(arith::BitcastOp::create(b, type, bits)) : bits;
}

} // namespace sluice::codegen
