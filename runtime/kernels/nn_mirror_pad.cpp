// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that put mirror images around a tensor, and add them up again.
#include "runtime/base/arithmetic.h"
#include "runtime/base/pieces.h"
#include "runtime/kernels/arguments.h"
#include "runtime/kernels/attributes/nn.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/layout_pad.h"
#include "runtime/kernels/movement.h"

#include <algorithm>
#include <vector>

namespace sluice::rt {

namespace {

using Attributes = attributes::SharedBy<attributes::nn::MirrorPad, attributes::nn::MirrorPadInput>;

// A dim with so many elements has at most so many to be mirrored.
int64_t mostMirrored(int64_t size, bool edge) { return edge || size == 0 ? size : size - 1; }

Status checkMirrored(const Tensor &paddings, const Shape &input, bool edge) {
  for (int i = 0; i < input.rank(); ++i)
    for (int side = 0; side < 2; ++side) {
      const int64_t size = input.dim(i), got = paddings.asInt(2 * i + side);
      if (size >= 0 && got > mostMirrored(size, edge))
        return invalidArgument(format("expected paddings of at most %lld for dim %d but got %lld",
                                      static_cast<long long>(mostMirrored(size, edge)), i,
                                      static_cast<long long>(got)));
    }
  return okStatus();
}

Status mirrorPadShape(ShapeCall &call) {
  SLUICE_RETURN_IF_ERROR(paddedShapeRule(call));
  if (!call.value(1) || !call.input(0).hasRank())
    return okStatus();
  return checkMirrored(*call.value(1), call.input(0), Attributes(call).edge());
}

// The size that padding by so many made into this; an error if there is none.
Status sizeBefore(const Tensor &paddings, int dim, int64_t size, bool edge, const Sizes &sizes,
                  int64_t &result) {
  const int64_t before = paddings.asInt(2 * dim), after = paddings.asInt(2 * dim + 1);
  int64_t both;
  if (before < 0 || after < 0 || __builtin_add_overflow(before, after, &both))
    return invalidArgument(format("Paddings must be non-negative: %lld %lld",
                                  static_cast<long long>(before), static_cast<long long>(after)));
  const int64_t least = std::max(before, after) + (both > 0 && !edge);
  result = sizes.subtract(size, both);
  if (Sizes::isKnown(size) && result < least)
    return invalidArgument(format("expected at least %lld elements along dim %d but got %lld",
                                  static_cast<long long>(both + least), dim,
                                  static_cast<long long>(size)));
  sizes.requireNotAbove(least, result);
  return okStatus();
}

Status mirrorPadInputShape(ShapeCall &call) {
  const Shape &gradient = call.input(0);
  SLUICE_RETURN_IF_ERROR(paddedShapeRule(call)); // of the operands
  if (!gradient.hasRank())
    return okStatus();
  Shape result = Shape::unknownDims(gradient.rank());
  const bool edge = Attributes(call).edge();
  for (int i = 0; call.value(1) && i < gradient.rank(); ++i) {
    int64_t size;
    SLUICE_RETURN_IF_ERROR(
        sizeBefore(*call.value(1), i, gradient.dim(i), edge, call.sizes(), size));
    result.setDim(i, size);
  }
  call.output(0) = result;
  return okStatus();
}

// A run of elements along a dim of the padded tensor, and where it is read.
struct Part {
  int64_t to, from, count, step;
};
std::vector<Part> partsOf(int64_t before, int64_t after, int64_t size, bool edge) {
  const int64_t skipped = edge ? 0 : 1;
  std::vector<Part> parts;
  if (before > 0)
    parts.push_back({0, before - 1 + skipped, before, -1});
  parts.push_back({before, 0, size, 1});
  if (after > 0)
    parts.push_back({before + size, size - 1 - skipped, after, -1});
  return parts;
}

// Calls visit(parts), an array of one part for each dim, for all their combinations.
template <typename Visit>
Status forBoxes(const std::vector<std::vector<Part>> &dims, const Visit &visit) {
  std::vector<size_t> at(dims.size());
  std::vector<Part> parts(dims.size());
  while (!Cancellation::requestedHere()) {
    for (size_t i = 0; i < dims.size(); ++i)
      parts[i] = dims[i][at[i]];
    SLUICE_RETURN_IF_ERROR(visit(parts));
    size_t dim = dims.size();
    while (dim > 0 && ++at[dim - 1] == dims[dim - 1].size())
      at[--dim] = 0;
    if (dim == 0)
      break;
  }
  return okStatus();
}

// Along each dim of the tensor that is padded.
std::vector<std::vector<Part>> partsOfDims(const Tensor &paddings, const Shape &shape, bool edge) {
  std::vector<std::vector<Part>> dims;
  for (int i = 0; i < shape.rank(); ++i)
    dims.push_back(partsOf(paddings.asInt(2 * i), paddings.asInt(2 * i + 1), shape.dim(i), edge));
  return dims;
}

Status mirrorPadRun(KernelCall &call) {
  const Tensor &input = call.input(0);
  Tensor &output = call.output(0);
  if (output.elements() == 0)
    return okStatus();
  const Strides from(input.shape()), to(output.shape());
  return forBoxes(partsOfDims(call.input(1), input.shape(), Attributes(call).edge()),
                  [&](const std::vector<Part> &parts) {
                    Movement movement;
                    int64_t fromStart = 0, toStart = 0;
                    for (size_t i = 0; i < parts.size(); ++i) {
                      const int dim = static_cast<int>(i);
                      fromStart += parts[i].from * from[dim];
                      toStart += parts[i].to * to[dim];
                      movement.addDim(parts[i].count, parts[i].step * from[dim], to[dim]);
                    }
                    movement.startAt(fromStart, toStart);
                    return movement.run(input, output);
                  });
}

// Where each element along a dim of the padded tensor was read.
std::vector<int64_t> sourcesOf(const std::vector<Part> &parts, int64_t stride) {
  std::vector<int64_t> sources;
  for (const Part &part : parts)
    for (int64_t i = 0; i < part.count; ++i)
      sources.push_back((part.from + i * part.step) * stride);
  return sources;
}

// In the order of the padded tensor's elements.
template <typename T> Status mirrorPadInputRun(KernelCall &call) {
  const Tensor &gradient = call.input(0);
  Tensor &output = call.output(0);
  clearElements(output);
  if (output.elements() == 0)
    return okStatus();
  const Strides strides(output.shape());
  const auto dims = partsOfDims(call.input(1), output.shape(), Attributes(call).edge());
  std::vector<std::vector<int64_t>> sources;
  for (size_t i = 0; i < dims.size(); ++i)
    sources.push_back(sourcesOf(dims[i], strides[static_cast<int>(i)]));
  std::vector<size_t> at(dims.size());
  TurnsOfCall turns(8);
  for (int64_t element = 0; element < gradient.elements() && !turns.end(); ++element) {
    int64_t place = 0;
    for (size_t i = 0; i < at.size(); ++i)
      place += sources[i][at[i]];
    T &sum = output.data<T>()[place];
    sum = T(wrapAdd<Compute<T>>(static_cast<Compute<T>>(sum),
                                static_cast<Compute<T>>(gradient.data<T>()[element])));
    for (size_t dim = at.size(); dim > 0 && ++at[dim - 1] == sources[dim - 1].size();)
      at[--dim] = 0;
  }
  return Cancellation::requestedHere() ? cancelledWork() : okStatus();
}

template <typename T> constexpr Kernel nn_mirror_pad_input_kernel() {
  return {mirrorPadInputShape, mirrorPadInputRun<T>};
}

} // namespace

SLUICE_DEFINE_KERNEL(nn_mirror_pad, {mirrorPadShape, mirrorPadRun})
SLUICE_DEFINE_KERNELS(nn_mirror_pad_input, NUMBER)

} // namespace sluice::rt
