// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions on a card, and what flows back through them, as products of matrices that nobody
// writes down: a kernel of a product asks where the elements of its operands are.
//
// Sums are those of nn_convolve_products.cpp: chains over the same factors in the same order.
#include "compiler/codegen/gpu/CardConvolutions.h"

#include "compiler/codegen/cpu/BufferGenerics.h"
#include "compiler/codegen/elements/SmallFloats.h"
#include "compiler/codegen/gpu/CardLowerings.h"
#include "compiler/codegen/gpu/FlatBuffers.h"
#include "compiler/codegen/gpu/ProductLaunch.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <numeric>

using namespace mlir;

namespace sluice::codegen {

ConvolutionParts partsOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, ConvolutionParts>(op)
      .Case<nn::ConvolveOp>([](nn::ConvolveOp op) -> ConvolutionParts {
        return {op.getLhs(), op.getRhs(), op.getResult()};
      })
      .Case<nn::ConvolveInputOp>([](nn::ConvolveInputOp op) -> ConvolutionParts {
        return {op.getResult(), op.getLhs(), op.getRhs()};
      })
      .Case<nn::ConvolveFilterOp>([](nn::ConvolveFilterOp op) -> ConvolutionParts {
        return {op.getLhs(), op.getResult(), op.getRhs()};
      });
}

std::optional<ConvolutionChannels> channelsOf(Operation *op) {
  ConvolutionParts parts = partsOf(op);
  auto lastDims = [](Value value, int64_t fromEnd) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && type.getRank() > fromEnd ? type.getDimSize(type.getRank() - 1 - fromEnd)
                                            : ShapedType::kDynamic;
  };
  ConvolutionChannels channels;
  channels.all = lastDims(parts.images, 0);
  channels.inGroup = lastDims(parts.filter, 1);
  channels.allOutputs = lastDims(parts.filter, 0);
  if (channels.all <= 0 || channels.inGroup <= 0 || channels.allOutputs <= 0)
    return std::nullopt; // not known, or nothing to do
  channels.groups = channels.all / channels.inGroup;
  channels.outputs = channels.allOutputs / channels.groups;
  return channels;
}

namespace {

// Whether elements can be counted in 32 bits, beyond the last one as well, as tiles do.
bool isNarrow(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return type.hasStaticShape() && type.getNumElements() <= int64_t(1) << 30;
}

class Convolver {
public:
  Convolver(Operation *op, Emitter &emitter)
      : emitter_(emitter), b_(emitter.builder()), parts_(partsOf(op)), channels_(*channelsOf(op)),
        images_(emitter.shapes().dims(parts_.images)),
        filter_(emitter.shapes().dims(parts_.filter)),
        results_(emitter.shapes().dims(parts_.results)),
        windows_(emitter, op, images_, filter_.drop_back(2), results_),
        element_(elementTypeOf(parts_.results)),
        isNarrow_(isNarrow(parts_.images) && isNarrow(parts_.filter) && isNarrow(parts_.results)) {}

  // Rows are windows, columns outputs; the chain goes over taps and channels.
  void convolve() {
    ProductForm form = newForm();
    form.lhsPlace = [this](Value row, Value column, IRMapping &kernel) {
      return placeInWindow(row, column, kernel);
    };
    multiplyWindows(form, parts_.filter, parts_.results, sizeOf(results_.drop_back()),
                    multiply(tapCount(), number(channels_.inGroup)));
  }

  // Rows are taps and channels, columns outputs; the chain goes over windows.
  void convolveFilter() {
    ProductForm form = newForm();
    form.lhsTransposed = true;
    form.lhsPlace = [this](Value row, Value column, IRMapping &kernel) {
      return placeInWindow(column, row, kernel);
    };
    multiplyWindows(form, parts_.results, parts_.filter,
                    multiply(tapCount(), number(channels_.inGroup)), sizeOf(results_.drop_back()));
  }

  // Places with the same remainders by the strides have the same taps, and are rows of one product.
  // Columns are channels; the chain goes over taps, from the last one on, and outputs.
  void convolveInput() {
    gradient_ = operand(parts_.results);
    filterMemory_ = operand(parts_.filter);
    to_ = destination(parts_.images);
    forRemainders(0);
  }

private:
  Value number(int64_t value) { return arith::ConstantIndexOp::create(b_, value); }
  Value add(Value x, Value y) { return b_.createOrFold<arith::AddIOp>(x, y); }
  Value subtract(Value x, Value y) { return b_.createOrFold<arith::SubIOp>(x, y); }
  Value multiply(Value x, Value y) { return b_.createOrFold<arith::MulIOp>(x, y); }
  Value divide(Value x, Value y) { return b_.createOrFold<arith::DivUIOp>(x, y); }
  Value rest(Value x, Value y) { return b_.createOrFold<arith::RemUIOp>(x, y); }
  Value sizeOf(ArrayRef<AffineExpr> dims) { return emitter_.dim(productOf(dims, b_.getContext())); }
  Value tapCount() { return sizeOf(filter_.drop_back(2)); }
  Value at(Value memory, Value offset) {
    return elementAt(b_, memory, offset, memoryElementType(element_));
  }
  Value operand(Value value) {
    ArrayRef<AffineExpr> dims = emitter_.shapes().dims(value);
    return emitter_.pointerTo(flatOperand(emitter_, value, {productOf(dims, b_.getContext())}));
  }
  Value destination(Value value) {
    ArrayRef<AffineExpr> dims = emitter_.shapes().dims(value);
    return emitter_.pointerTo(flatResult(emitter_, value, {productOf(dims, b_.getContext())}));
  }

  ProductForm newForm() {
    ProductForm form;
    form.element = element_;
    form.sum = registerElementType(computeType(element_));
    form.used = windows_.used();
    return form;
  }
  bool areInGroups(int64_t some, int64_t all) const {
    return element_.isF32() && some % kGroup == 0 && all % kGroup == 0;
  }
  bool imagesInGroups() const { return areInGroups(channels_.inGroup, channels_.all); }
  bool outputsInGroups() const { return areInGroups(channels_.outputs, channels_.allOutputs); }

  // A kernel reads the first element of an operand where there is none; an operand without any is
  // not read at all.
  Value unlessEmpty(ArrayRef<AffineExpr> dims, Value depth) {
    Value elements = sizeOf(dims);
    if (std::optional<int64_t> known = getConstantIntValue(elements); known && *known > 0)
      return depth;
    Value isEmpty = arith::CmpIOp::create(b_, arith::CmpIPredicate::eq, elements, number(0));
    return b_.createOrFold<arith::SelectOp>(isEmpty, elements, depth);
  }

  void forEachGroup(function_ref<void(Value)> body) {
    if (channels_.groups == 1)
      return body(number(0));
    auto loop = scf::ForOp::create(b_, number(0), number(channels_.groups), number(1));
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(loop.getBody());
    body(loop.getInductionVar());
  }

  // Of images with an operand of all outputs.
  void multiplyWindows(ProductForm &form, Value with, Value result, Value rows, Value depth) {
    Value images = operand(parts_.images), factor = operand(with), to = destination(result);
    depth = unlessEmpty(images_, depth);
    form.resultPlace = [this](Value row, Value column, IRMapping &) {
      return ElementPlace{add(multiply(row, number(channels_.allOutputs)), column), {}};
    };
    form.lhsInGroups = imagesInGroups();
    form.rhsInGroups = form.resultInGroups = outputsInGroups();
    forEachGroup([&](Value group) {
      Value toOutputs = multiply(group, number(channels_.outputs));
      launch(form, at(images, multiply(group, number(channels_.inGroup))), at(factor, toOutputs),
             at(to, toOutputs), rows, number(channels_.outputs), depth);
    });
  }

  void launch(const ProductForm &form, Value lhs, Value rhs, Value result, Value m, Value n,
              Value k) {
    Value leading = number(channels_.allOutputs);
    launchChains(b_, form, {lhs, rhs, result, m, n, k, leading, leading});
  }

  // ---- Windows as rows -------------------------------------------------------------------------

  // The element of the images that is in a window at a tap and channel.
  ElementPlace placeInWindow(Value window, Value inWindow, IRMapping &kernel) {
    CardWindows windows = windows_.in(kernel);
    Value channels = number(channels_.inGroup);
    Value channel = rest(inWindow, channels);
    SmallVector<Value> tap = split(divide(inWindow, channels), windows.windows());
    auto [first, second, third] = windows.counts();
    SmallVector<Value> which = split(window, {Value(), first, second, third});
    SmallVector<CardPlace> places;
    for (size_t dim = 0; dim < CardWindows::kDims; ++dim)
      places.push_back(windows.placeOf(dim, which[dim + 1], tap[dim]));
    Value offset = inImages(windows, which[0], places[0].at, places[1].at, places[2].at, channel);
    return {offset, areThere(b_, places)};
  }
  // In 32 bits if these do: in a card's code a division of 64 bits is a branch, and one of each
  // width.
  SmallVector<Value> split(Value number, ArrayRef<Value> sizes) {
    if (!isNarrow_)
      return positionAt(b_, number, sizes);
    auto as = [&](Type type) {
      return [&, type](Value value) {
        return value ? b_.createOrFold<arith::IndexCastUIOp>(type, value) : value;
      };
    };
    auto narrow = as(b_.getI32Type());
    return llvm::map_to_vector(positionAt(b_, narrow(number), llvm::map_to_vector(sizes, narrow)),
                               as(b_.getIndexType()));
  }
  Value inImages(const CardWindows &windows, Value image, Value first, Value second, Value third,
                 Value channel) {
    auto [height, width, depth] = windows.sizes();
    return offsetOf(b_, {image, first, second, third, channel},
                    {Value(), height, width, depth, number(channels_.all)});
  }

  // ---- Places as rows --------------------------------------------------------------------------

  // Of a remainder along a dim: how many places have it, and its taps, from the last one on, each
  // `step` before the next; the last one is that of the window `shift` behind row 0's.
  struct Remainder {
    Value first, rows, taps, lastTap, shift;
    int64_t step, shiftStep;
  };

  void forRemainders(size_t dim) {
    if (dim == CardWindows::kDims)
      return launchRemainder();
    const CardAxis &axis = windows_.axis(dim);
    if (axis.stride == 1) {
      remainders_[dim] = remainderOf(axis, number(0));
      return forRemainders(dim + 1);
    }
    Value end = b_.createOrFold<arith::MinUIOp>(number(axis.stride), axis.size);
    auto loop = scf::ForOp::create(b_, number(0), end, number(1));
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(loop.getBody());
    remainders_[dim] = remainderOf(axis, loop.getInductionVar());
    forRemainders(dim + 1);
  }

  // first + before - tap * dilation, a multiple of the stride for the remainder's taps.
  Value distanceTo(const CardAxis &axis, Value first, Value tap) {
    return subtract(add(first, axis.before), multiply(tap, number(axis.dilation)));
  }

  Remainder remainderOf(const CardAxis &axis, Value first) {
    Remainder found;
    found.first = first;
    found.rows =
        divide(add(subtract(axis.size, first), number(axis.stride - 1)), number(axis.stride));
    int64_t common = std::gcd(axis.stride, axis.dilation);
    found.step = axis.stride / common;
    found.shiftStep = axis.dilation / common;
    Value lastTap = subtract(axis.window, number(1));
    if (axis.stride > 1)
      lastTap = lastTapOf(axis, first, lastTap, found.step);
    Value isNone = b_.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::slt, lastTap, number(0));
    Value some = add(divide(lastTap, number(found.step)), number(1));
    found.taps = b_.createOrFold<arith::SelectOp>(isNone, number(0), some);
    found.lastTap = lastTap;
    found.shift =
        b_.createOrFold<arith::DivSIOp>(distanceTo(axis, first, lastTap), number(axis.stride));
    return found;
  }

  // The last tap whose distance is a multiple of the stride, which is one of the last `step`; below
  // 0 if there is none.
  Value lastTapOf(const CardAxis &axis, Value first, Value last, int64_t step) {
    auto loop = scf::ForOp::create(b_, number(0), number(step), number(1), number(-1));
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(loop.getBody());
    Value tap = subtract(last, loop.getInductionVar());
    Value left = arith::RemSIOp::create(b_, distanceTo(axis, first, tap), number(axis.stride));
    Value fits = arith::CmpIOp::create(b_, arith::CmpIPredicate::eq, left, number(0));
    scf::YieldOp::create(
        b_, arith::SelectOp::create(b_, fits, tap, loop.getRegionIterArg(0)).getResult());
    return loop.getResult(0);
  }

  void launchRemainder() {
    Value rows = emitter_.dim(results_.front()), depth = number(channels_.outputs);
    ProductForm form = newForm();
    if (isNarrow_)
      form.mostRows = cast<RankedTensorType>(parts_.images.getType()).getNumElements() /
                      std::max<int64_t>(1, channels_.all);
    for (const Remainder &one : remainders_) {
      rows = multiply(rows, one.rows);
      depth = multiply(depth, one.taps);
      form.used.append({one.first, one.rows, one.taps, one.lastTap, one.shift});
    }
    form.rhsTransposed = true;
    form.lhsPlace = [this](Value row, Value column, IRMapping &kernel) {
      return placeInGradient(row, column, kernel);
    };
    form.rhsPlace = [this](Value row, Value column, IRMapping &kernel) {
      return placeInFilter(row, column, kernel);
    };
    form.resultPlace = [this](Value row, Value column, IRMapping &kernel) {
      return placeInImages(row, column, kernel);
    };
    form.lhsInGroups = form.rhsInGroups = outputsInGroups();
    form.resultInGroups = imagesInGroups();
    depth = unlessEmpty(results_, depth);
    forEachGroup([&](Value group) {
      Value toOutputs = multiply(group, number(channels_.outputs));
      launch(form, at(gradient_, toOutputs), at(filterMemory_, toOutputs),
             at(to_, multiply(group, number(channels_.inGroup))), rows, number(channels_.inGroup),
             depth);
    });
  }

  // An image and rows of the remainders.
  SmallVector<Value> rowOf(Value row, IRMapping &kernel) {
    SmallVector<Value> sizes{Value()};
    for (const Remainder &one : remainders_)
      sizes.push_back(kernel.lookup(one.rows));
    return split(row, sizes);
  }
  // Which of each remainder's taps, and the output behind them.
  SmallVector<Value> tapOf(Value inDepth, IRMapping &kernel) {
    SmallVector<Value> sizes;
    for (const Remainder &one : remainders_)
      sizes.push_back(kernel.lookup(one.taps));
    sizes.push_back(number(channels_.outputs));
    return split(inDepth, sizes);
  }

  ElementPlace placeInGradient(Value row, Value inDepth, IRMapping &kernel) {
    CardWindows windows = windows_.in(kernel);
    SmallVector<Value> at = rowOf(row, kernel), tap = tapOf(inDepth, kernel);
    SmallVector<Value> position{at[0]};
    SmallVector<CardPlace> places;
    for (auto [dim, one] : llvm::enumerate(remainders_)) {
      Value shift = add(kernel.lookup(one.shift), multiply(tap[dim], number(one.shiftStep)));
      Value window = add(at[dim + 1], shift);
      Value isThere =
          arith::CmpIOp::create(b_, arith::CmpIPredicate::ult, window, windows.axis(dim).count);
      places.push_back({window, isThere});
      position.push_back(window);
    }
    position.push_back(tap.back());
    auto [first, second, third] = windows.counts();
    Value offset =
        offsetOf(b_, position, {Value(), first, second, third, number(channels_.allOutputs)});
    return {offset, areThere(b_, places)};
  }

  ElementPlace placeInFilter(Value inDepth, Value channel, IRMapping &kernel) {
    CardWindows windows = windows_.in(kernel);
    SmallVector<Value> tap = tapOf(inDepth, kernel), position;
    for (auto [dim, one] : llvm::enumerate(remainders_))
      position.push_back(
          subtract(kernel.lookup(one.lastTap), multiply(tap[dim], number(one.step))));
    position.append({channel, tap.back()});
    auto [first, second, third] = windows.windows();
    return {
        offsetOf(b_, position,
                 {first, second, third, number(channels_.inGroup), number(channels_.allOutputs)}),
        {}};
  }

  ElementPlace placeInImages(Value row, Value channel, IRMapping &kernel) {
    SmallVector<Value> at = rowOf(row, kernel);
    for (auto [dim, one] : llvm::enumerate(remainders_))
      at[dim + 1] =
          add(kernel.lookup(one.first), multiply(at[dim + 1], number(windows_.axis(dim).stride)));
    return {inImages(windows_.in(kernel), at[0], at[1], at[2], at[3], channel), {}};
  }

  Emitter &emitter_;
  ImplicitLocOpBuilder &b_;
  ConvolutionParts parts_;
  ConvolutionChannels channels_;
  ArrayRef<AffineExpr> images_, filter_, results_;
  CardWindows windows_;
  Type element_;
  bool isNarrow_; // all operands
  std::array<Remainder, CardWindows::kDims> remainders_;
  Value gradient_, filterMemory_, to_;
};

} // namespace

LogicalResult lowerConvolutionOnCard(Operation *op, Emitter &emitter) {
  if (channelsOf(op)->isDepthwise()) {
    emitDepthwise(op, emitter);
    return success();
  }
  Convolver convolver(op, emitter);
  llvm::TypeSwitch<Operation *>(op)
      .Case<nn::ConvolveOp>([&](auto) { convolver.convolve(); })
      .Case<nn::ConvolveInputOp>([&](auto) { convolver.convolveInput(); })
      .Case<nn::ConvolveFilterOp>([&](auto) { convolver.convolveFilter(); });
  return success();
}

} // namespace sluice::codegen
