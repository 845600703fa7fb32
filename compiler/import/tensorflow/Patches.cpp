// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows of images, side by side: `ExtractImagePatches` and `ExtractVolumePatches`.
#include "compiler/import/tensorflow/Arithmetic.h"
#include "compiler/import/tensorflow/Checks.h"
#include "compiler/import/tensorflow/Crops.h"

using namespace mlir;

namespace sluice::import {

namespace {

// Along one dim of the images: where each element of each window is, [windows, size].
struct Windows {
  Value count;    // a scalar of i32
  Value places;   // 0 for what is outside
  Value isInside; // the same
};

Windows windowsOf(Expansion &e, Checks &checks, Value given, int64_t size, int64_t stride,
                  int64_t rate) {
  const int64_t reach = (size - 1) * rate + 1;
  Value count, before = e.int32(0);
  if (e.stringAttr("padding") == "SAME") {
    count = e.like<nd::FloorDivOp>({add(e, given, e.int32(stride - 1)), e.int32(stride)});
    Value needed = add(e, mul(e, sub(e, count, e.int32(1)), e.int32(stride)), e.int32(reach));
    Value added = e.like<nd::MaximumOp>({sub(e, needed, given), e.int32(0)});
    before = e.like<nd::FloorDivOp>({added, e.int32(2)});
  } else {
    checks.require(e.compare<nd::GreaterOp>(given, e.int32(reach - 2 * stride)),
                   "windows must not be much larger than images", given);
    Value room = add(e, sub(e, given, e.int32(reach)), e.int32(stride));
    count = e.like<nd::MaximumOp>({e.like<nd::FloorDivOp>({room, e.int32(stride)}), e.int32(0)});
  }
  Value begins = sub(e, mul(e, numbersBelow(e, count), e.int32(stride)), before);
  SmallVector<int64_t> steps;
  for (int64_t i = 0; i < size; ++i)
    steps.push_back(i * rate);
  Value places = add(e, reshaped(e, begins, e.ints({-1, 1})), e.ints(steps));
  Value isInside = e.like<nd::LogicalAndOp>(
      {e.compare<nd::GreaterEqualOp>(places, e.int32(0)), e.compare<nd::LessOp>(places, given)});
  return {count, select(e, isInside, places, constantLike(e, places, 0)), isInside};
}

} // namespace

// Each window becomes one place, with all of its elements behind each other.
void extractPatches(Expansion &e) {
  SmallVector<int64_t> sizes = e.intsAttr("ksizes"), strides = e.intsAttr("strides");
  const auto rank = static_cast<int64_t>(sizes.size());
  SmallVector<int64_t> rates(sizes.size(), 1);
  if (e.attribute("rates"))
    rates = e.intsAttr("rates");
  for (ArrayRef<int64_t> all : {ArrayRef(sizes), ArrayRef(strides), ArrayRef(rates)})
    if (static_cast<int64_t>(all.size()) != rank || all.front() != 1 || all.back() != 1 ||
        llvm::any_of(all, [](int64_t x) { return x < 1; }))
      return e.unsupported("expected windows, strides and rates of spatial dims");
  Value images = e.afterAllInputs(e.inputs())[0];
  Checks checks(e);
  checks.require(e.compare<nd::EqualOp>(rankOf(e, images), e.int32(rank)),
                 "images must have a dim for each entry of ksizes", dimsOf(e, images));
  Value x = checks.checked(images), dims = dimsOf(e, x);
  SmallVector<Value> counts{part(e, dims, e.int32(0), e.int32(1))};
  int64_t elements = 1;
  SmallVector<int64_t> order{0}, inner;
  for (int64_t dim = 1; dim + 1 < rank; ++dim) {
    const int64_t axis = 2 * dim - 1; // each dim before it has become two
    Value given = single(e, part(e, dims, e.int32(dim), e.int32(1)));
    Windows windows = windowsOf(e, checks, given, sizes[dim], strides[dim], rates[dim]);
    Value all = gathered(e, x, windows.places, e.int32(axis));
    SmallVector<int64_t> mask(static_cast<size_t>(rank - dim + 1), 1);
    mask[0] = -1, mask[1] = sizes[dim];
    x = select(e, reshaped(e, windows.isInside, e.ints(mask)), all, constantLike(e, all, 0));
    counts.push_back(flat(e, windows.count));
    elements *= sizes[dim];
    order.push_back(axis);
    inner.push_back(axis + 1);
  }
  order.append(inner.begin(), inner.end());
  order.push_back(2 * rank - 3);
  Value channels = part(e, dims, e.int32(rank - 1), e.int32(1));
  counts.push_back(mul(e, channels, e.int32(elements)));
  e.result(0, reshaped(e, transposed(e, checks.checked(x), e.ints(order)), joined(e, counts)));
}

} // namespace sluice::import
