// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From linalg.generic on buffers to loops over vectors.
//
// The outer loops stay loops; the innermost runs in steps of whole vectors, then in one smaller
// step, then element by element. Each step is a copy of the body, with as many lanes as the step
// is wide: body and tail do the same arithmetic for an element. What does not depend on the
// innermost loop is loaded before it, because LLVM could not know that no output overlaps it.
#include "compiler/codegen/cpu/VectorizeGenerics.h"
#include "compiler/codegen/cpu/VectorBody.h"
#include "compiler/codegen/plan/IterationSpace.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace sluice::codegen {

namespace {

// A body of more ops is long enough to keep the processor busy with one vector at a time.
constexpr size_t kLongBody = 24;

// Bodies with calls and accesses by element have no use for more elements a step.
bool isWorthUnrolling(Block &body, const IterationSpace &space) {
  if (body.getOperations().size() > kLongBody)
    return false;
  auto isVector = [](Operation &op) {
    return isa<arith::ConstantOp, linalg::IndexOp>(op) ||
           OpTrait::hasElementwiseMappableTraits(&op);
  };
  auto isVectorAccess = [&](const Access &access) {
    int64_t innermost = space.rank() - 1;
    return !access.isBuffer() || !access.uses(innermost) || access.isContiguousAlong(innermost);
  };
  return llvm::all_of(body.without_terminator(), isVector) &&
         llvm::all_of(space.inputs(), isVectorAccess) &&
         llvm::all_of(space.outputs(), isVectorAccess);
}

class LoopNest {
public:
  LoopNest(ImplicitLocOpBuilder &b, linalg::GenericOp op, const IterationSpace &space,
           VectorShape shape)
      : b_(b), body_(*op.getBody()), space_(space), zero_(index(0)),
        position_(space.rank(), zero_) {
    lanes_ = std::max<int64_t>(1, shape.bits / widestElement());
    step_ = lanes_ > 1 && isWorthUnrolling(body_, space) ? lanes_ * shape.unroll : lanes_;
  }

  void emit() { emitLoop(0); }

private:
  Value index(int64_t value) { return arith::ConstantIndexOp::create(b_, value); }

  // In bits, of all that the body computes.
  unsigned widestElement() {
    unsigned widest = 8;
    auto look = [&](Type type) {
      if (type.isIntOrFloat())
        widest = std::max(widest, type.getIntOrFloatBitWidth());
      else if (type.isIndex())
        widest = std::max(widest, 64u);
    };
    for (Type type : body_.getArgumentTypes())
      look(type);
    for (Operation &op : body_)
      llvm::for_each(op.getResultTypes(), look);
    return widest;
  }

  void emitLoop(int64_t loop) {
    if (space_.rank() == 0)
      return emitStep(zero_, 1);
    if (loop + 1 == space_.rank())
      return emitInnermost();
    if (space_.staticSize(loop) == 1)
      return emitLoop(loop + 1);
    auto forOp = scf::ForOp::create(b_, zero_, space_.size(b_, loop), index(1));
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(forOp.getBody());
    position_[loop] = forOp.getInductionVar();
    emitLoop(loop + 1);
    position_[loop] = zero_;
  }

  void emitInnermost() {
    loadInvariants();
    int64_t size = space_.staticSize(space_.rank() - 1);
    if (ShapedType::isDynamic(size))
      emitDynamicSteps(space_.size(b_, space_.rank() - 1));
    else
      emitStaticSteps(size);
  }

  // Whole steps, then the largest power of 2 that fits, and so on.
  void emitStaticSteps(int64_t size) {
    int64_t whole = size - size % step_;
    if (whole > step_)
      emitSteps(zero_, index(whole), step_);
    else if (whole == step_)
      emitStep(zero_, step_);
    int64_t begin = whole;
    for (int64_t lanes = step_ / 2; lanes >= 1; lanes /= 2)
      if (size - begin >= lanes) {
        emitStep(index(begin), lanes);
        begin += lanes;
      }
  }

  void emitDynamicSteps(Value size) {
    Value begin = zero_;
    for (int64_t lanes : {step_, lanes_})
      if (lanes > 1 && (lanes == step_ || step_ != lanes_)) {
        Value left = arith::SubIOp::create(b_, size, begin);
        Value rest = arith::RemUIOp::create(b_, left, index(lanes));
        Value end = arith::SubIOp::create(b_, size, rest);
        emitSteps(begin, end, lanes);
        begin = end;
      }
    emitSteps(begin, size, 1);
  }

  void emitSteps(Value begin, Value end, int64_t lanes) {
    auto forOp = scf::ForOp::create(b_, begin, end, index(lanes));
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(forOp.getBody());
    emitStep(forOp.getInductionVar(), lanes);
  }

  SmallVector<Value> indicesOf(const Access &access) {
    return llvm::map_to_vector(access.dims,
                               [&](int64_t loop) { return loop < 0 ? zero_ : position_[loop]; });
  }

  void loadInvariants() {
    invariants_.assign(space_.inputs().size(), Value());
    for (auto [invariant, access] : llvm::zip_equal(invariants_, space_.inputs()))
      if (!access.isBuffer())
        invariant = access.buffer;
      else if (!access.uses(space_.rank() - 1))
        invariant = memref::LoadOp::create(b_, access.buffer, indicesOf(access));
  }

  // The elements of `lanes` neighbours along the innermost loop.
  void emitStep(Value begin, int64_t lanes) {
    if (space_.rank() == 0)
      loadInvariants();
    else
      position_.back() = begin;
    SmallVector<Value> arguments;
    for (auto [invariant, access] : llvm::zip_equal(invariants_, space_.inputs()))
      arguments.push_back(invariant ? spread(invariant, lanes) : load(access, lanes));
    // An output's block argument is what is there; elementwise bodies do not look at it.
    for (auto [access, argument] :
         llvm::zip_equal(space_.outputs(), body_.getArguments().take_back(space_.outputs().size())))
      arguments.push_back(argument.use_empty() ? nullptr : load(access, lanes));
    SmallVector<Value> results = emitLanes(b_, body_, arguments, position_, lanes);
    for (auto [access, result] : llvm::zip_equal(space_.outputs(), results))
      store(access, result, lanes);
  }

  Value spread(Value scalar, int64_t lanes) {
    if (lanes == 1)
      return scalar;
    return vector::BroadcastOp::create(b_, lanesOf(scalar.getType(), lanes), scalar);
  }

  // Indices of one lane, for buffers whose elements are not neighbours.
  SmallVector<Value> laneIndices(const Access &access, int64_t lane) {
    Value first = position_.back();
    if (lane)
      position_.back() = arith::AddIOp::create(b_, first, index(lane));
    SmallVector<Value> indices = indicesOf(access);
    position_.back() = first;
    return indices;
  }

  Value load(const Access &access, int64_t lanes) {
    Type element = cast<MemRefType>(access.buffer.getType()).getElementType();
    if (lanes == 1)
      return memref::LoadOp::create(b_, access.buffer, indicesOf(access));
    auto type = cast<VectorType>(lanesOf(element, lanes));
    if (access.isContiguousAlong(space_.rank() - 1))
      return vector::LoadOp::create(b_, type, access.buffer, indicesOf(access));
    SmallVector<Value> all;
    for (int64_t lane = 0; lane < lanes; ++lane)
      all.push_back(memref::LoadOp::create(b_, access.buffer, laneIndices(access, lane)));
    return vector::FromElementsOp::create(b_, type, all);
  }

  void store(const Access &access, Value value, int64_t lanes) {
    if (lanes == 1) {
      memref::StoreOp::create(b_, value, access.buffer, indicesOf(access));
      return;
    }
    if (access.isContiguousAlong(space_.rank() - 1)) {
      vector::StoreOp::create(b_, value, access.buffer, indicesOf(access));
      return;
    }
    for (int64_t lane = 0; lane < lanes; ++lane)
      memref::StoreOp::create(b_, vector::ExtractOp::create(b_, value, lane), access.buffer,
                              laneIndices(access, lane));
  }

  ImplicitLocOpBuilder &b_;
  Block &body_;
  const IterationSpace &space_;
  Value zero_;
  SmallVector<Value> position_;   // of each loop
  SmallVector<Value> invariants_; // inputs that the innermost loop does not move
  int64_t lanes_ = 1, step_ = 1;
};

} // namespace

LogicalResult vectorizeGeneric(linalg::GenericOp op, RewriterBase &rewriter, VectorShape shape) {
  FailureOr<IterationSpace> space = IterationSpace::of(op);
  if (failed(space))
    return failure();
  ImplicitLocOpBuilder b(op.getLoc(), rewriter);
  b.setInsertionPoint(op);
  // Joined loops no longer say where in the buffers they are.
  if (op.getBody()->getOps<linalg::IndexOp>().empty())
    space->collapse(b);
  LoopNest(b, op, *space, shape).emit();
  rewriter.eraseOp(op);
  return success();
}

} // namespace sluice::codegen
