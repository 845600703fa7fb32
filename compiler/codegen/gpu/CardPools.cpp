// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pools on a card: a thread for each element of the result goes over a window's places in the
// image, or over the windows that a place is in, in the order of nn_pool.cpp.
#include "compiler/codegen/cpu/ElementPositions.h"
#include "compiler/codegen/elements/ElementTypes.h"
#include "compiler/codegen/elements/SmallFloats.h"
#include "compiler/codegen/gpu/CardLowerings.h"
#include "compiler/codegen/gpu/CardWindows.h"
#include "compiler/codegen/gpu/FlatBuffers.h"
#include "dialects/nn/Nn.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace sluice::codegen {

namespace {

// Numbers from begin to below end.
struct CardRange {
  Value begin, end;
};

class Pool {
public:
  // Images are an operand, or the result of what flows back to them.
  Pool(Operation *op, Emitter &emitter, Value images, Value results)
      : op_(op), emitter_(emitter), b_(emitter.builder()),
        images_(withThreeDims(emitter.shapes().dims(images))),
        results_(withThreeDims(emitter.shapes().dims(results))),
        windows_(emitter, op, emitter.shapes().dims(images), windowDims(op),
                 emitter.shapes().dims(results)),
        element_(elementTypeOf(images)), compute_(registerElementType(computeType(element_))),
        imagesMemory_(memoryOf(images, images_)), resultsMemory_(memoryOf(results, results_)),
        used_(windows_.used()) {
    used_.append({imagesMemory_, resultsMemory_});
  }

  void average() {
    forEachElement(results_, [&](ArrayRef<Value> at, IRMapping &kernel) {
      CardWindows windows = windows_.in(kernel);
      Value sum = overWindow(windows, at, zero(), [&](ArrayRef<Value> place, ValueRange sum) {
        return SmallVector<Value>{
            arith::AddFOp::create(b_, sum[0], load(kernel, imagesMemory_, place))};
      })[0];
      Value mean = arith::DivFOp::create(b_, sum, placesIn(windows, at.slice(1, 3)));
      storeNumber(b_, mean, kernel.lookup(resultsMemory_), at, element_);
    });
  }

  // Each place gets its share of the windows that have it.
  void averageInput() {
    forEachElement(images_, [&](ArrayRef<Value> at, IRMapping &kernel) {
      CardWindows windows = windows_.in(kernel);
      std::array<CardRange, 3> ranges;
      for (size_t dim = 0; dim < 3; ++dim)
        ranges[dim] = windowsAt(windows.axis(dim), at[dim + 1]);
      Value sum = over(ranges, at, zero(), [&](ArrayRef<Value> window, ValueRange sum) {
        Value share = arith::DivFOp::create(b_, load(kernel, resultsMemory_, window),
                                            placesIn(windows, window.slice(1, 3)));
        return SmallVector<Value>{arith::AddFOp::create(b_, sum[0], share)};
      })[0];
      storeNumber(b_, sum, kernel.lookup(imagesMemory_), at, element_);
    });
  }

  void max() {
    forEachElement(results_, [&](ArrayRef<Value> at, IRMapping &kernel) {
      Value most = overWindow(
          windows_.in(kernel), at, lowest(), [&](ArrayRef<Value> place, ValueRange most) {
            Value x = load(kernel, imagesMemory_, place);
            return SmallVector<Value>{arith::SelectOp::create(b_, isMore(x, most[0]), x, most[0])};
          })[0];
      storeNumber(b_, most, kernel.lookup(resultsMemory_), at, element_);
    });
  }

  // The first place of the greatest element.
  void maxIndex() {
    forEachElement(results_, [&](ArrayRef<Value> at, IRMapping &kernel) {
      CardWindows windows = windows_.in(kernel);
      auto [first, second, third] = windows.sizes();
      Value sizes[] = {Value(), first, second, third, kernel.lookup(channels_)};
      Value first1 = arith::ConstantIntOp::create(b_, 1, 1);
      SmallVector<Value> found = overWindow(
          windows, at, {lowest(), number(0), first1}, [&](ArrayRef<Value> place, ValueRange best) {
            Value x = load(kernel, imagesMemory_, place);
            Value better = arith::OrIOp::create(b_, best[2], isMore(x, best[0]));
            Value offset = offsetOf(b_, place, sizes);
            return SmallVector<Value>{arith::SelectOp::create(b_, better, x, best[0]),
                                      arith::SelectOp::create(b_, better, offset, best[1]),
                                      arith::ConstantIntOp::create(b_, 0, 1)};
          });
      Value index = arith::IndexCastOp::create(b_, b_.getI64Type(), found[1]);
      memref::StoreOp::create(b_, index, kernel.lookup(resultsMemory_), at);
    });
  }

private:
  using Step = function_ref<SmallVector<Value>(ArrayRef<Value> position, ValueRange carried)>;

  static SmallVector<AffineExpr> windowDims(Operation *op) {
    return llvm::map_to_vector(
        op->getAttrOfType<DenseI64ArrayAttr>("windows").asArrayRef(),
        [&](int64_t window) { return getAffineConstantExpr(window, op->getContext()); });
  }
  Value number(int64_t value) { return arith::ConstantIndexOp::create(b_, value); }
  Value add(Value x, Value y) { return b_.createOrFold<arith::AddIOp>(x, y); }
  Value subtract(Value x, Value y) { return b_.createOrFold<arith::SubIOp>(x, y); }
  Value zero() { return arith::ConstantOp::create(b_, b_.getZeroAttr(compute_)); }
  Value clamped(Value x, Value least, Value most) {
    return arith::MinSIOp::create(b_, arith::MaxSIOp::create(b_, x, least), most);
  }
  Value memoryOf(Value value, ArrayRef<AffineExpr> dims) {
    bool isResult = value == op_->getResult(0);
    return isResult ? flatResult(emitter_, value, dims) : flatOperand(emitter_, value, dims);
  }
  Value load(IRMapping &kernel, Value memory, ArrayRef<Value> position) {
    return loadNumber(b_, kernel.lookup(memory), position, element_);
  }

  Value lowest() {
    if (auto floats = dyn_cast<FloatType>(compute_))
      return arith::ConstantOp::create(
          b_, FloatAttr::get(floats,
                             llvm::APFloat::getInf(floats.getFloatSemantics(), /*Negative=*/true)));
    unsigned width = compute_.getIntOrFloatBitWidth();
    return arith::ConstantOp::create(
        b_,
        IntegerAttr::get(compute_, isUnsigned(element_) ? llvm::APInt::getMinValue(width)
                                                        : llvm::APInt::getSignedMinValue(width)));
  }
  // Never of what is not a number.
  Value isMore(Value x, Value y) {
    if (isa<FloatType>(compute_))
      return arith::CmpFOp::create(b_, arith::CmpFPredicate::OGT, x, y);
    return arith::CmpIOp::create(
        b_, isUnsigned(element_) ? arith::CmpIPredicate::ugt : arith::CmpIPredicate::sgt, x, y);
  }

  // ---- Ranges ---------------------------------------------------------------------------------

  // The places of a window that are in the image.
  CardRange placesOf(const CardAxis &axis, Value window) {
    Value first = subtract(arith::MulIOp::create(b_, window, number(axis.stride)), axis.before);
    Value begin = clamped(first, number(0), axis.size);
    return {begin, clamped(add(first, axis.window), begin, axis.size)};
  }
  // The windows that have a place.
  CardRange windowsAt(const CardAxis &axis, Value place) {
    Value last = add(place, axis.before), first = subtract(last, axis.window);
    Value isFirst = arith::CmpIOp::create(b_, arith::CmpIPredicate::slt, first, number(0));
    Value stride = number(axis.stride), one = number(1);
    Value behind = add(arith::DivSIOp::create(b_, first, stride), one);
    Value begin = arith::SelectOp::create(b_, isFirst, number(0), behind);
    return {begin, clamped(add(arith::DivUIOp::create(b_, last, stride), one), begin, axis.count)};
  }
  // How many places of a window are in the image, as a number of the computation.
  Value placesIn(const CardWindows &windows, ArrayRef<Value> window) {
    Value count = number(1);
    for (size_t dim = 0; dim < 3; ++dim) {
      CardRange range = placesOf(windows.axis(dim), window[dim]);
      count = arith::MulIOp::create(b_, count, subtract(range.end, range.begin));
    }
    return arith::SIToFPOp::create(b_, compute_,
                                   arith::IndexCastOp::create(b_, b_.getI64Type(), count));
  }

  SmallVector<Value> overWindow(const CardWindows &windows, ArrayRef<Value> at,
                                ArrayRef<Value> first, Step step) {
    std::array<CardRange, 3> ranges;
    for (size_t dim = 0; dim < 3; ++dim)
      ranges[dim] = placesOf(windows.axis(dim), at[dim + 1]);
    return over(ranges, at, first, step);
  }
  // Goes over the ranges with the batch and channel of `at`.
  SmallVector<Value> over(const std::array<CardRange, 3> &ranges, ArrayRef<Value> at,
                          ArrayRef<Value> first, Step step) {
    SmallVector<Value> position{at.front()};
    return loopOver(ranges, at.back(), position, first, step);
  }
  SmallVector<Value> loopOver(ArrayRef<CardRange> ranges, Value channel,
                              SmallVector<Value> &position, ValueRange carried, Step step) {
    if (ranges.empty()) {
      position.push_back(channel);
      SmallVector<Value> next = step(position, carried);
      position.pop_back();
      return next;
    }
    auto loop = scf::ForOp::create(b_, ranges[0].begin, ranges[0].end, number(1), carried);
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(loop.getBody());
    position.push_back(loop.getInductionVar());
    scf::YieldOp::create(
        b_, loopOver(ranges.drop_front(), channel, position, loop.getRegionIterArgs(), step));
    position.pop_back();
    return llvm::to_vector(ValueRange(loop.getResults()));
  }

  void forEachElement(ArrayRef<AffineExpr> dims,
                      function_ref<void(ArrayRef<Value>, IRMapping &)> body) {
    channels_ = emitter_.dim(images_.back());
    used_.push_back(channels_);
    SmallVector<Value> sizes =
        llvm::map_to_vector(dims, [&](AffineExpr dim) { return emitter_.dim(dim); });
    forEachPositionOnCard(b_, sizes, used_, body);
  }

  Operation *op_;
  Emitter &emitter_;
  ImplicitLocOpBuilder &b_;
  SmallVector<AffineExpr> images_, results_;
  CardWindows windows_;
  Type element_, compute_;
  Value imagesMemory_, resultsMemory_, channels_;
  SmallVector<Value> used_;
};

} // namespace

LogicalResult lowerPoolOnCard(Operation *op, Emitter &emitter) {
  Value result = op->getResult(0);
  llvm::TypeSwitch<Operation *>(op)
      .Case<nn::AveragePoolOp>(
          [&](auto pool) { Pool(op, emitter, pool.getInput(), result).average(); })
      .Case<nn::AveragePoolInputOp>(
          [&](auto pool) { Pool(op, emitter, result, pool.getGradient()).averageInput(); })
      .Case<nn::MaxPoolOp>([&](auto pool) { Pool(op, emitter, pool.getInput(), result).max(); })
      .Case<nn::MaxPoolIndexOp>(
          [&](auto pool) { Pool(op, emitter, pool.getInput(), result).maxIndex(); });
  return success();
}

} // namespace sluice::codegen
