// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random numbers on a card: those of the host (runtime/base/philox.h), a thread for each group of
// four.
#include "compiler/codegen/elements/ElementCode.h"
#include "compiler/codegen/elements/ElementTypes.h"
#include "compiler/codegen/elements/SmallFloats.h"
#include "compiler/codegen/gpu/CardLowerings.h"
#include "compiler/codegen/gpu/FlatBuffers.h"
#include "compiler/codegen/gpu/PositionKernel.h"
#include "dialects/nd/Nd.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace sluice::codegen {

namespace {

class Philox {
public:
  explicit Philox(ImplicitLocOpBuilder &b) : b_(b) {}

  // The four numbers of the group that lies so far behind the position: a key, and the upper and
  // lower half of a counter, all i64.
  SmallVector<Value, 4> group(ValueRange position, Value distance) {
    Value lower = arith::AddIOp::create(b_, position[2], distance);
    Value carries = arith::CmpIOp::create(b_, arith::CmpIPredicate::ult, lower, distance);
    Value upper = arith::AddIOp::create(
        b_, position[1], arith::ExtUIOp::create(b_, b_.getI64Type(), carries).getResult());
    SmallVector<Value, 4> counter{half(lower, 0), half(lower, 1), half(upper, 0), half(upper, 1)};
    Value key0 = half(position[0], 0), key1 = half(position[0], 1);
    for (int round = 0; round < 10; ++round) {
      auto [lowA, highA] = wide(counter[0], 0xD2511F53);
      auto [lowB, highB] = wide(counter[2], 0xCD9E8D57);
      counter = {mixed(highB, counter[1], key0), lowB, mixed(highA, counter[3], key1), lowA};
      key0 = arith::AddIOp::create(b_, key0, word(0x9E3779B9));
      key1 = arith::AddIOp::create(b_, key1, word(0xBB67AE85));
    }
    return counter;
  }

private:
  Value word(uint32_t value) {
    return arith::ConstantIntOp::create(b_, static_cast<int32_t>(value), 32);
  }
  Value half(Value number, int which) {
    if (which)
      number =
          arith::ShRUIOp::create(b_, number, arith::ConstantIntOp::create(b_, 32, 64).getResult());
    return arith::TruncIOp::create(b_, b_.getI32Type(), number);
  }
  std::pair<Value, Value> wide(Value x, uint32_t factor) {
    Value by = arith::ConstantIntOp::create(b_, int64_t{factor}, 64);
    Value product =
        arith::MulIOp::create(b_, arith::ExtUIOp::create(b_, b_.getI64Type(), x).getResult(), by);
    return {half(product, 0), half(product, 1)};
  }
  Value mixed(Value x, Value y, Value z) {
    return arith::XOrIOp::create(b_, arith::XOrIOp::create(b_, x, y).getResult(), z);
  }

  ImplicitLocOpBuilder &b_;
};

// Random bits become the mantissa of a number in [1, 2); subtracting 1 is exact.
class Uniform {
public:
  Uniform(ImplicitLocOpBuilder &b, Type element) : b_(b), element_(element) {}

  unsigned wordsOfElement() const { return element_.isF64() ? 2 : 1; }

  Value of(ArrayRef<Value> words) {
    if (element_.isF64()) {
      Value high = masked(words[0], 0xfffff), wide = wider(high);
      wide = arith::ShLIOp::create(b_, wide, constant(32, 64));
      Value mantissa = arith::OrIOp::create(b_, wide, wider(words[1]));
      return lessOne(arith::OrIOp::create(b_, mantissa, constant(int64_t{1023} << 52, 64)),
                     b_.getF64Type());
    }
    if (element_.isF32())
      return lessOne(arith::OrIOp::create(b_, masked(words[0], 0x7fffff), constant(0x3f800000, 32)),
                     b_.getF32Type());
    bool isHalf = element_.isF16();
    Value bits = arith::OrIOp::create(b_, masked(words[0], isHalf ? 0x3ff : 0x7f),
                                      constant(isHalf ? 15 << 10 : 127 << 7, 32));
    Value stored = arith::TruncIOp::create(b_, b_.getI16Type(), bits);
    Value number = toComputeType(b_, stored, element_);
    return arith::SubFOp::create(b_, number, one(number.getType()));
  }

private:
  Value constant(int64_t value, unsigned width) {
    return arith::ConstantIntOp::create(b_, value, width);
  }
  Value one(Type type) { return arith::ConstantOp::create(b_, b_.getFloatAttr(type, 1)); }
  Value masked(Value word, int64_t mask) {
    return arith::AndIOp::create(b_, word, constant(mask, 32));
  }
  Value wider(Value word) { return arith::ExtUIOp::create(b_, b_.getI64Type(), word); }
  Value lessOne(Value bits, Type type) {
    return arith::SubFOp::create(b_, arith::BitcastOp::create(b_, type, bits).getResult(),
                                 one(type));
  }

  ImplicitLocOpBuilder &b_;
  Type element_;
};

} // namespace

LogicalResult lowerRandomOnCard(Operation *op, Emitter &emitter) {
  ImplicitLocOpBuilder &b = emitter.builder();
  auto random = cast<nd::RandomUniformOp>(op);
  Type element = elementTypeOf(random.getResult());
  Uniform uniform(b, element);
  int64_t each = 4 / uniform.wordsOfElement();
  Value numbers = emitter.inRegister(random.getPosition());
  SmallVector<Value, 3> position;
  for (int64_t i = 0; i < 3; ++i)
    position.push_back(vector::ExtractOp::create(b, numbers, i));
  AffineExpr count = productOf(emitter.shapes().dims(random.getResult()), op->getContext());
  Value to = flatResult(emitter, random.getResult(), {count});
  Value size = emitter.dim(count);
  SmallVector<Value> used{to, size};
  llvm::append_range(used, position);
  Value groups =
      b.createOrFold<arith::CeilDivUIOp>(size, arith::ConstantIndexOp::create(b, each).getResult());
  forEachPositionOnCard(b, {groups}, used, [&](ArrayRef<Value> group, IRMapping &inside) {
    SmallVector<Value> own =
        llvm::map_to_vector(position, [&](Value value) { return inside.lookup(value); });
    Value distance = arith::IndexCastOp::create(b, b.getI64Type(), group[0]);
    SmallVector<Value, 4> words = Philox(b).group(own, distance);
    Value first =
        arith::MulIOp::create(b, group[0], arith::ConstantIndexOp::create(b, each).getResult());
    for (int64_t i = 0; i < each; ++i) {
      Value at = arith::AddIOp::create(b, first, arith::ConstantIndexOp::create(b, i).getResult());
      Value isInside = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, at, inside.lookup(size));
      auto branch = scf::IfOp::create(b, isInside);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(branch.thenBlock());
      ArrayRef<Value> own =
          ArrayRef(words).drop_front(static_cast<size_t>(i) * uniform.wordsOfElement());
      storeNumber(b, uniform.of(own), inside.lookup(to), at, element);
    }
  });
  return success();
}

} // namespace sluice::codegen
