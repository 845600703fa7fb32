// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows as rows of indices.
#include "compiler/import/tensorflow/FedPool.h"

#include "compiler/import/tensorflow/Arithmetic.h"
#include "compiler/import/tensorflow/Checks.h"

#include <limits>

using namespace mlir;

namespace sluice::import {

namespace {

constexpr int64_t kRank = 4;

Value larger(Expansion &e, Value a, Value b) { return e.like<nd::MaximumOp>({a, b}); }
Value smaller(Expansion &e, Value a, Value b) { return e.like<nd::MinimumOp>({a, b}); }
Value wide(Expansion &e, int64_t value) {
  return e.scalar(e.builder().getI64Type(), static_cast<double>(value));
}
Value at(Expansion &e, Value vector, int64_t i) {
  return single(e, part(e, vector, e.int32(i), e.int32(1)));
}
Value asI64(Expansion &e, Value x) { return converted(e, x, e.builder().getI64Type()); }

Value isOne(Expansion &e, Value x) { return e.compare<nd::EqualOp>(x, wide(e, 1)); }

// Windows lie within images, or along the channels of single places, next to each other.
void requireWindows(Expansion &e, Checks &checks, Value windows, Value channels,
                    int64_t channelDim) {
  Value ofImages = at(e, windows, 0), ofChannels = at(e, windows, channelDim);
  checks.require(isOne(e, ofImages), "windows of several images are not supported", windows);
  Value others = product(e, windows);
  checks.require(
      e.like<nd::LogicalOrOp>({isOne(e, ofChannels), e.compare<nd::EqualOp>(others, ofChannels)}),
      "windows of channels must be of single places", windows);
  Value rest = e.like<nd::FloorModOp>({channels, checks.checked(ofChannels)});
  checks.require(e.compare<nd::EqualOp>(rest, wide(e, 0)),
                 "windows must evenly divide the channels", windows);
}

} // namespace

FedPool::FedPool(Expansion &e, Value images, Value windows, Value strides, int64_t channelDim,
                 bool isSame)
    : e_(e), isSame_(isSame) {
  Checks checks(e);
  checks.require(e.compare<nd::EqualOp>(rankOf(e, images), e.int32(kRank)),
                 "images must have 4 dims", dimsOf(e, images));
  for (Value *sizes : {&windows, &strides}) {
    Value four = e.ints({kRank}, e.builder().getI32Type());
    Value fits = e.compare<nd::EqualOp>(rankOf(e, *sizes), e.int32(1));
    checks.require(fits, "sizes of windows and strides must be vectors", *sizes);
    checks.require(e.compare<nd::EqualOp>(dimsOf(e, checks.checked(*sizes)), four),
                   "windows and strides must have a size for each dim", *sizes);
    *sizes = asI64(e, checks.checked(*sizes));
    checks.require(e.compare<nd::GreaterEqualOp>(*sizes, wide(e, 1)),
                   "sizes of windows and strides must be positive", *sizes);
    *sizes = checks.checked(*sizes);
  }
  images = checks.checked(images);
  Value channels = asI64(e, at(e, dimsOf(e, images), channelDim));
  requireWindows(e, checks, windows, channels, channelDim);
  // Where channels are pooled nothing else is, and their windows touch each other.
  Value ofChannels = at(e, windows, channelDim);
  SmallVector<Value> steps;
  for (int64_t dim = 0; dim < kRank; ++dim) {
    Value step = dim == channelDim
                     ? ofChannels
                     : select(e, isOne(e, ofChannels), at(e, strides, dim), wide(e, 1));
    steps.push_back(flat(e, step));
  }
  // As in other pools, what is no number is not greater than anything.
  images_ = checks.checked(images);
  if (isa<FloatType>(e.elementOf(images)))
    images_ = select(e, e.compare<nd::EqualOp>(images_, images_), images_,
                     constantLike(e, images, -std::numeric_limits<double>::infinity()));
  windows_ = checks.checked(windows);
  strides_ = checks.checked(joined(e, steps));
}

// A row for each window, with the positions that are in it. The last one that is within the images
// takes the place of those that are not, since it changes no maximum.
Value FedPool::rowsOf(int64_t dim) {
  Expansion &e = e_;
  Value size = asI64(e, at(e, dimsOf(e, images_), dim)), one = wide(e, 1), none = wide(e, 0);
  Value window = at(e, windows_, dim), stride = at(e, strides_, dim);
  Value reach = isSame_ ? sub(e, size, one) : sub(e, size, window);
  Value count = add(e, e.like<nd::FloorDivOp>({reach, stride}), one);
  Value before = none;
  if (isSame_) {
    Value all = add(e, mul(e, sub(e, count, one), stride), sub(e, window, size));
    before = e.like<nd::FloorDivOp>({larger(e, all, none), wide(e, 2)});
  } else {
    Checks checks(e);
    checks.require(e.compare<nd::GreaterEqualOp>(count, none),
                   "windows reach further than the images", windows_);
    count = checks.checked(count);
  }
  Value begins = sub(e, mul(e, numbersBelow(e, count), stride), before);
  Value ends = smaller(e, add(e, begins, window), size);
  Value columns = numbersBelow(e, smaller(e, window, size));
  Value column = e.ints({-1, 1});
  return smaller(e, add(e, reshaped(e, larger(e, begins, none), column), columns),
                 reshaped(e, sub(e, ends, one), column));
}

// The dim becomes two: windows, and what is in them.
Value FedPool::inWindows(Value elements, int64_t dim, Value rows) {
  return gathered(e_, elements, rows, e_.int32(dim));
}

Value FedPool::greatest() {
  Value found = images_;
  for (int64_t dim = kRank; dim-- > 0;)
    found = e_.like<nd::ReduceMaxOp>({inWindows(found, dim, rowsOf(dim)), e_.ints({dim + 1})},
                                     e_.flag("keep_dims", false));
  return found;
}

Value FedPool::places() {
  Expansion &e = e_;
  Value dims = dimsOf(e, images_), found = images_;
  Value places = reshaped(e, numbersBelow(e, asI64(e, product(e, dims))), dims);
  Value last = wide(e, int64_t{1} << 62);
  for (int64_t dim = kRank; dim-- > 0;) {
    Value rows = rowsOf(dim), axis = e.ints({dim + 1});
    Value elements = inWindows(found, dim, rows);
    Value greatest = e.like<nd::ReduceMaxOp>({elements, axis}, e.flag("keep_dims", true));
    Value isBelow = e.compare<nd::LessOp>(elements, greatest);
    places = e.like<nd::ReduceMinOp>({select(e, isBelow, last, inWindows(places, dim, rows)), axis},
                                     e.flag("keep_dims", false));
    found = e.like<nd::ReduceMaxOp>({elements, axis}, e.flag("keep_dims", false));
  }
  return places;
}

} // namespace sluice::import
