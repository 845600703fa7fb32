// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows of images in code for a card.
#include "compiler/codegen/gpu/CardWindows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace sluice::codegen {

namespace {

// Of index values, which may be below 0 on their way.
class Arithmetic {
public:
  explicit Arithmetic(ImplicitLocOpBuilder &b) : b_(b) {}
  Value number(int64_t value) { return arith::ConstantIndexOp::create(b_, value); }
  Value add(Value x, Value y) { return b_.createOrFold<arith::AddIOp>(x, y); }
  Value subtract(Value x, Value y) { return b_.createOrFold<arith::SubIOp>(x, y); }
  Value multiply(Value x, int64_t by) { return b_.createOrFold<arith::MulIOp>(x, number(by)); }

private:
  ImplicitLocOpBuilder &b_;
};

// nn_windows.cpp says the same of numbers.
Value placesBefore(ImplicitLocOpBuilder &b, const CardAxis &axis, StringRef padding, int64_t pad) {
  Arithmetic a(b);
  if (padding != "same")
    return a.number(pad);
  Value one = a.number(1);
  Value reach = a.add(a.multiply(a.subtract(axis.window, one), axis.dilation), one);
  Value begins = a.multiply(a.subtract(axis.count, one), axis.stride);
  Value missing = a.subtract(reach, a.subtract(axis.size, begins));
  Value least = b.createOrFold<arith::MaxSIOp>(missing, a.number(0));
  return b.createOrFold<arith::DivUIOp>(least, a.number(2));
}

} // namespace

CardWindows::CardWindows(Emitter &emitter, Operation *op, ArrayRef<AffineExpr> images,
                         ArrayRef<AffineExpr> windows, ArrayRef<AffineExpr> results)
    : b_(&emitter.builder()) {
  auto numbers = [&](StringRef name) {
    auto given = op->getAttrOfType<DenseI64ArrayAttr>(name);
    return given ? given.asArrayRef() : ArrayRef<int64_t>();
  };
  ArrayRef<int64_t> strides = numbers("strides"), dilations = numbers("dilations");
  ArrayRef<int64_t> pads = numbers("pads");
  StringRef padding = op->getAttrOfType<StringAttr>("padding").getValue();
  Arithmetic a(*b_);
  for (CardAxis &axis : axes_) {
    axis.size = axis.window = axis.count = a.number(1);
    axis.before = a.number(0);
  }
  for (auto [dim, stride] : llvm::enumerate(strides)) {
    CardAxis &axis = axes_[kDims - strides.size() + dim];
    axis.size = emitter.dim(images[dim + 1]);
    axis.window = emitter.dim(windows[dim]);
    axis.count = emitter.dim(results[dim + 1]);
    axis.stride = stride;
    axis.dilation = dilations.empty() ? 1 : dilations[dim];
    axis.before = placesBefore(*b_, axis, padding, pads.empty() ? 0 : pads[2 * dim]);
  }
}

std::array<Value, CardWindows::kDims> CardWindows::sizes() const {
  return {axes_[0].size, axes_[1].size, axes_[2].size};
}
std::array<Value, CardWindows::kDims> CardWindows::windows() const {
  return {axes_[0].window, axes_[1].window, axes_[2].window};
}
std::array<Value, CardWindows::kDims> CardWindows::counts() const {
  return {axes_[0].count, axes_[1].count, axes_[2].count};
}

SmallVector<Value> CardWindows::used() const {
  SmallVector<Value> used;
  for (const CardAxis &axis : axes_)
    used.append({axis.size, axis.window, axis.count, axis.before});
  return used;
}

CardWindows CardWindows::in(const IRMapping &kernel) const {
  CardWindows there = *this;
  for (CardAxis &axis : there.axes_)
    for (Value *value : {&axis.size, &axis.window, &axis.count, &axis.before})
      *value = kernel.lookup(*value);
  return there;
}

// What is below 0 is a very large number without sign.
CardPlace CardWindows::placeOf(size_t dim, Value window, Value tap) const {
  Arithmetic a(*b_);
  const CardAxis &axis = axes_[dim];
  Value begin = a.subtract(a.multiply(window, axis.stride), axis.before);
  Value at = a.add(begin, a.multiply(tap, axis.dilation));
  return {at, arith::CmpIOp::create(*b_, arith::CmpIPredicate::ult, at, axis.size)};
}

CardPlace CardWindows::windowOf(size_t dim, Value place, Value tap) const {
  Arithmetic a(*b_);
  const CardAxis &axis = axes_[dim];
  Value distance = a.subtract(a.add(place, axis.before), a.multiply(tap, axis.dilation));
  Value stride = a.number(axis.stride);
  Value at = b_->createOrFold<arith::DivUIOp>(distance, stride);
  Value isBelow = arith::CmpIOp::create(*b_, arith::CmpIPredicate::ult, at, axis.count);
  Value rest = b_->createOrFold<arith::RemUIOp>(distance, stride);
  Value begins = arith::CmpIOp::create(*b_, arith::CmpIPredicate::eq, rest, a.number(0));
  return {at, arith::AndIOp::create(*b_, isBelow, begins)};
}

SmallVector<AffineExpr> withThreeDims(ArrayRef<AffineExpr> images) {
  SmallVector<AffineExpr> dims(images);
  while (dims.size() < CardWindows::kDims + 2)
    dims.insert(dims.begin() + 1, getAffineConstantExpr(1, images[0].getContext()));
  return dims;
}

Value offsetOf(ImplicitLocOpBuilder &b, ArrayRef<Value> position, ArrayRef<Value> sizes) {
  Value offset = position.front();
  for (auto [place, size] : llvm::zip_equal(position.drop_front(), sizes.drop_front()))
    offset = b.createOrFold<arith::AddIOp>(b.createOrFold<arith::MulIOp>(offset, size), place);
  return offset;
}

Value areThere(ImplicitLocOpBuilder &b, ArrayRef<CardPlace> places) {
  Value all = places.front().isThere;
  for (const CardPlace &place : places.drop_front())
    all = arith::AndIOp::create(b, all, place.isThere);
  return all;
}

} // namespace sluice::codegen
