// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "block": blocks of images that become other images of the batch, or
// channels. Each is a reshape that gives the places within a block dims of their own, a transpose,
// and a reshape.
#include "compiler/import/tensorflow/Arithmetic.h"
#include "compiler/import/tensorflow/SizeVectors.h"

using namespace mlir;

namespace sluice::import {

namespace {

Value i32Of(Expansion &e, Value x) { return converted(e, x, e.builder().getI32Type()); }
Value divide(Expansion &e, Value a, Value b) { return e.like<nd::FloorDivOp>({a, b}); }

// start, start + step, …; so many.
Value numbers(Expansion &e, Value start, Value count, int64_t step = 1) {
  Value limit = add(e, start, mul(e, count, e.int32(step)));
  return e.like<nd::RangeOp>({start, limit, e.int32(step)});
}

// a0, b0, a1, b1, …
Value interleaved(Expansion &e, Value a, Value b) {
  return flat(e, e.like<nd::PackOp>({a, b}, e.number("axis", 1)));
}

// A column of the pairs, with zeros for the dims before and behind those that they are about.
Value columnForAll(Expansion &e, Value pairs, int64_t column, Value count, Value rank) {
  Value found = flat(e, e.like<nd::SliceOp>({pairs, e.ints({0, column}), e.ints({-1, 1})}));
  Value others = e.like<nd::SubOp>({rank, add(e, count, e.int32(1))});
  return joined(e, {e.ints({0}), found, filled(e, flat(e, others), e.int32(0))});
}

// ---- Blocks that become images

Value spaceToBatch(Expansion &e, Value x, Value block, Value paddings) {
  Value count = sizeOf(e, block), rank = rankOf(e, x);
  Value borders = e.like<nd::PackOp>(
      {columnForAll(e, paddings, 0, count, rank), columnForAll(e, paddings, 1, count, rank)},
      e.number("axis", 1));
  Value padded = e.like<nd::PadOp>({x, borders, e.scalar(e.elementOf(x), 0)});
  Value dims = dimsOf(e, padded), one = e.int32(1);
  Value batch = part(e, dims, e.int32(0), one), rest = from(e, dims, add(e, count, one));
  Value outer = divide(e, part(e, dims, one, count), block);
  Value split = reshaped(e, padded, joined(e, {batch, interleaved(e, outer, block), rest}));
  Value twice = mul(e, count, e.int32(2));
  Value restCount = e.like<nd::SubOp>({rank, add(e, count, one)});
  Value order = joined(e, {numbers(e, e.int32(2), count, 2), e.ints({0}), numbers(e, one, count, 2),
                           numbers(e, add(e, twice, one), restCount)});
  Value images = mul(e, batch, flat(e, product(e, block)));
  return reshaped(e, transposed(e, split, order), joined(e, {images, outer, rest}));
}

Value batchToSpace(Expansion &e, Value x, Value block, Value crops) {
  Value count = sizeOf(e, block), rank = rankOf(e, x), dims = dimsOf(e, x), one = e.int32(1);
  Value images = part(e, dims, e.int32(0), one), spatial = part(e, dims, one, count);
  Value rest = from(e, dims, add(e, count, one));
  Value batch = divide(e, images, flat(e, product(e, block)));
  Value split = reshaped(e, x, joined(e, {block, batch, spatial, rest}));
  Value behind = add(e, count, one), restCount = e.like<nd::SubOp>({rank, behind});
  Value order = joined(e, {flat(e, count),
                           interleaved(e, numbers(e, behind, count), numbers(e, e.int32(0), count)),
                           numbers(e, add(e, behind, count), restCount)});
  Value whole =
      reshaped(e, transposed(e, split, order), joined(e, {batch, mul(e, spatial, block), rest}));
  Value begin = columnForAll(e, crops, 0, count, rank);
  Value both = add(e, begin, columnForAll(e, crops, 1, count, rank));
  return e.like<nd::SliceOp>({whole, begin, e.like<nd::SubOp>({dimsOf(e, whole), both})});
}

void spaceToBatchNd(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  e.result(0, spaceToBatch(e, inputs[0], i32Of(e, inputs[1]), i32Of(e, inputs[2])));
}
void batchToSpaceNd(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  e.result(0, batchToSpace(e, inputs[0], i32Of(e, inputs[1]), i32Of(e, inputs[2])));
}

// Two equal sizes, where the images are.
Value squareBlock(Expansion &e, Value images) {
  int64_t size = e.intAttr("block_size");
  Value zeros = e.like<nd::SubOp>({rankOf(e, images), rankOf(e, images)});
  return add(e, zeros, e.ints({size, size}));
}
void spaceToBatchV1(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  e.result(0, spaceToBatch(e, inputs[0], squareBlock(e, inputs[0]), i32Of(e, inputs[1])));
}
void batchToSpaceV1(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  e.result(0, batchToSpace(e, inputs[0], squareBlock(e, inputs[0]), i32Of(e, inputs[1])));
}

// ---- Blocks that become channels

bool hasChannelsLast(Expansion &e) {
  std::string format = e.stringAttr("data_format");
  if (format == "NHWC")
    return true;
  e.unsupported("attribute 'data_format': " + quoted(format) + " is not supported");
  return false;
}

// The dims of images: how many, height, width, channels.
std::array<Value, 4> imageDims(Expansion &e) {
  Value dims = dimsOf(e, e.input(0));
  std::array<Value, 4> found;
  for (int64_t i = 0; i < 4; ++i)
    found[static_cast<size_t>(i)] = e.like<nd::SliceOp>({dims, e.ints({i}), e.ints({1})});
  return found;
}

void spaceToDepth(Expansion &e) {
  if (!hasChannelsLast(e))
    return;
  auto [batch, height, width, channels] = imageDims(e);
  Value size = e.ints({e.intAttr("block_size")});
  Value rows = divide(e, height, size), columns = divide(e, width, size);
  Value split = reshaped(e, e.input(0), joined(e, {batch, rows, size, columns, size, channels}));
  Value more = mul(e, mul(e, channels, size), size);
  e.result(0, reshaped(e, transposed(e, split, e.ints({0, 1, 3, 2, 4, 5})),
                       joined(e, {batch, rows, columns, more})));
}

void depthToSpace(Expansion &e) {
  if (!hasChannelsLast(e))
    return;
  auto [batch, rows, columns, channels] = imageDims(e);
  Value size = e.ints({e.intAttr("block_size")});
  Value fewer = divide(e, divide(e, channels, size), size);
  Value split = reshaped(e, e.input(0), joined(e, {batch, rows, columns, size, size, fewer}));
  e.result(0, reshaped(e, transposed(e, split, e.ints({0, 1, 3, 2, 4, 5})),
                       joined(e, {batch, mul(e, rows, size), mul(e, columns, size), fewer})));
}

constexpr OpExpansion kOps[] = {
    {"SpaceToBatchND", spaceToBatchNd},
    {"BatchToSpaceND", batchToSpaceNd},
    {"SpaceToBatch", spaceToBatchV1, Style::kPure, "block_size"},
    {"BatchToSpace", batchToSpaceV1, Style::kPure, "block_size"},
    {"SpaceToDepth", spaceToDepth, Style::kPure, "block_size data_format"},
    {"DepthToSpace", depthToSpace, Style::kPure, "block_size data_format"},
};

} // namespace

ArrayRef<OpExpansion> blockOps() { return kOps; }

} // namespace sluice::import
