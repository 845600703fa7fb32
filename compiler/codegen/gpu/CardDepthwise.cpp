// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions on a card whose groups have one channel each, and what flows back through them: a
// thread for each element of the result, and the chain of nn_depthwise.cpp.
#include "compiler/codegen/elements/SmallFloats.h"
#include "compiler/codegen/gpu/CardConvolutions.h"
#include "compiler/codegen/gpu/FlatBuffers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace sluice::codegen {

namespace {

class Depthwise {
public:
  Depthwise(Operation *op, Emitter &emitter)
      : op_(op), emitter_(emitter), b_(emitter.builder()), parts_(partsOf(op)),
        channels_(*channelsOf(op)), images_(emitter.shapes().dims(parts_.images)),
        filter_(emitter.shapes().dims(parts_.filter)),
        results_(emitter.shapes().dims(parts_.results)),
        windows_(emitter, op, images_, filter_.drop_back(2), results_),
        element_(elementTypeOf(parts_.results)),
        compute_(registerElementType(computeType(element_))),
        imagesMemory_(memoryOf(parts_.images, withThreeDims(images_))),
        filterMemory_(memoryOf(parts_.filter, {tapCount(), filter_.back()})),
        resultsMemory_(memoryOf(parts_.results, withThreeDims(results_))), used_(windows_.used()) {
    used_.append({imagesMemory_, filterMemory_, resultsMemory_});
  }

  void convolve() {
    forEachElement(withThreeDims(results_), [&](ArrayRef<Value> at, IRMapping &kernel) {
      CardWindows windows = windows_.in(kernel);
      Value taps = kernel.lookup(taps_);
      Value sum = chain(taps, zero(), [&](Value tap, Value sum) {
        SmallVector<Value> tapAt = positionAt(b_, tap, windows.windows());
        SmallVector<CardPlace> places;
        for (size_t dim = 0; dim < CardWindows::kDims; ++dim)
          places.push_back(windows.placeOf(dim, at[dim + 1], tapAt[dim]));
        return onto(sum, areThere(b_, places), [&](Value sum) {
          Value x = loadNumber(b_, kernel.lookup(imagesMemory_),
                               inRow(at[0], places, channelOf(at[4])), element_);
          Value y = loadNumber(b_, kernel.lookup(filterMemory_), {tap, at[4]}, element_);
          return math::FmaOp::create(b_, x, y, sum).getResult();
        });
      });
      storeNumber(b_, sum, kernel.lookup(resultsMemory_), at, element_);
    });
  }

  void convolveInput() {
    forEachElement(withThreeDims(images_), [&](ArrayRef<Value> at, IRMapping &kernel) {
      CardWindows windows = windows_.in(kernel);
      Value outputs = number(channels_.outputs), taps = kernel.lookup(taps_);
      Value begin = arith::MulIOp::create(b_, at[4], outputs);
      Value sum = chain(taps, zero(), [&](Value tap, Value sum) {
        SmallVector<Value> tapAt = positionAt(b_, tap, windows.windows());
        SmallVector<CardPlace> places;
        for (size_t dim = 0; dim < CardWindows::kDims; ++dim)
          places.push_back(windows.windowOf(dim, at[dim + 1], tapAt[dim]));
        return onto(sum, areThere(b_, places), [&](Value sum) {
          return chain(outputs, sum, [&](Value i, Value sum) {
            Value output = arith::AddIOp::create(b_, begin, i);
            Value x = loadNumber(b_, kernel.lookup(resultsMemory_), inRow(at[0], places, output),
                                 element_);
            Value y = loadNumber(b_, kernel.lookup(filterMemory_), {tap, output}, element_);
            return math::FmaOp::create(b_, x, y, sum).getResult();
          });
        });
      });
      storeNumber(b_, sum, kernel.lookup(imagesMemory_), at, element_);
    });
  }

  // The chain goes over all windows.
  void convolveFilter() {
    Value all = emitter_.dim(productOf(results_.drop_back(), op_->getContext()));
    used_.push_back(all);
    forEachElement({tapCount(), filter_.back()}, [&](ArrayRef<Value> at, IRMapping &kernel) {
      CardWindows windows = windows_.in(kernel);
      SmallVector<Value> tapAt = positionAt(b_, at[0], windows.windows());
      auto [first, second, third] = windows.counts();
      Value sum = chain(kernel.lookup(all), zero(), [&](Value window, Value sum) {
        SmallVector<Value> which = positionAt(b_, window, {Value(), first, second, third});
        SmallVector<CardPlace> places;
        for (size_t dim = 0; dim < CardWindows::kDims; ++dim)
          places.push_back(windows.placeOf(dim, which[dim + 1], tapAt[dim]));
        SmallVector<Value> result(which);
        result.push_back(at[1]);
        return onto(sum, areThere(b_, places), [&](Value sum) {
          Value x = loadNumber(b_, kernel.lookup(imagesMemory_),
                               inRow(which[0], places, channelOf(at[1])), element_);
          Value y = loadNumber(b_, kernel.lookup(resultsMemory_), result, element_);
          return math::FmaOp::create(b_, x, y, sum).getResult();
        });
      });
      storeNumber(b_, sum, kernel.lookup(filterMemory_), at, element_);
    });
  }

private:
  Value number(int64_t value) { return arith::ConstantIndexOp::create(b_, value); }
  Value zero() { return arith::ConstantOp::create(b_, b_.getZeroAttr(compute_)); }
  AffineExpr tapCount() { return productOf(filter_.drop_back(2), op_->getContext()); }
  Value memoryOf(Value value, ArrayRef<AffineExpr> dims) {
    bool isResult = value == op_->getResult(0);
    return isResult ? flatResult(emitter_, value, dims) : flatOperand(emitter_, value, dims);
  }
  Value channelOf(Value output) {
    return arith::DivUIOp::create(b_, output, number(channels_.outputs));
  }
  static SmallVector<Value> inRow(Value image, ArrayRef<CardPlace> places, Value channel) {
    SmallVector<Value> position{image};
    for (const CardPlace &place : places)
      position.push_back(place.at);
    position.push_back(channel);
    return position;
  }

  void forEachElement(ArrayRef<AffineExpr> dims,
                      function_ref<void(ArrayRef<Value>, IRMapping &)> body) {
    taps_ = emitter_.dim(tapCount());
    used_.push_back(taps_);
    SmallVector<Value> sizes =
        llvm::map_to_vector(dims, [&](AffineExpr dim) { return emitter_.dim(dim); });
    forEachPositionOnCard(b_, sizes, used_, body);
  }

  // What `next` makes of the sum for each number below `count`.
  Value chain(Value count, Value first, function_ref<Value(Value, Value)> next) {
    auto loop = scf::ForOp::create(b_, number(0), count, number(1), first);
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(loop.getBody());
    scf::YieldOp::create(b_, next(loop.getInductionVar(), loop.getRegionIterArg(0)));
    return loop.getResult(0);
  }
  // What `more` makes of the sum, if `isThere`.
  Value onto(Value sum, Value isThere, function_ref<Value(Value)> more) {
    auto branch = scf::IfOp::create(b_, sum.getType(), isThere, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(b_, more(sum));
    b_.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b_, sum);
    return branch.getResult(0);
  }

  Operation *op_;
  Emitter &emitter_;
  ImplicitLocOpBuilder &b_;
  ConvolutionParts parts_;
  ConvolutionChannels channels_;
  ArrayRef<AffineExpr> images_, filter_, results_;
  CardWindows windows_;
  Type element_, compute_;
  Value imagesMemory_, filterMemory_, resultsMemory_, taps_;
  SmallVector<Value> used_;
};

} // namespace

void emitDepthwise(Operation *op, Emitter &emitter) {
  Depthwise code(op, emitter);
  llvm::TypeSwitch<Operation *>(op)
      .Case<nn::ConvolveOp>([&](auto) { code.convolve(); })
      .Case<nn::ConvolveInputOp>([&](auto) { code.convolveInput(); })
      .Case<nn::ConvolveFilterOp>([&](auto) { code.convolveFilter(); });
}

} // namespace sluice::codegen
