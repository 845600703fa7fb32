// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the value in a box is needed for the last time. A kernel that takes it there may work where
// it lies; else it is dropped, so that its memory is free.
//
// Boxes are read and written by number, so this is liveness of variables in a structured program.
// From the inside out each region says which boxes it may read before it writes them, and which it
// writes in any case; from the outside in each op then knows what is needed behind it. Every op is
// looked at twice, with the bits of all boxes, of which there are not many more than ops in a loop.
#include "compiler/codegen/Boxes.h"

#include "llvm/ADT/BitVector.h"

using namespace mlir;

namespace sluice::codegen {

namespace {

// To keep what is not larger costs less than to drop it.
constexpr int64_t kSmallBytes = 256;

bool isSmall(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() || !tensor.getElementType().isIntOrFloat())
    return false;
  int64_t most = kSmallBytes * 8 / std::max(8u, tensor.getElementTypeBitWidth());
  return llvm::all_of(tensor.getShape(), [&](int64_t size) {
    most /= std::max<int64_t>(size, 1);
    return most > 0;
  });
}

void visitReads(Operation *op, function_ref<void(int64_t)> visit) {
  if (auto get = dyn_cast<flow::BoxGetOp>(op))
    visit(static_cast<int64_t>(get.getBox()));
  else if (auto move = dyn_cast<flow::BoxMoveOp>(op))
    visit(static_cast<int64_t>(move.getFrom()));
  else if (auto run = dyn_cast<flow::BoxRunOp>(op))
    llvm::for_each(run.getInputs(), visit);
}

// With the type of what goes there, if it is known.
void visitWrites(Operation *op, function_ref<void(int64_t, Type)> visit) {
  if (auto put = dyn_cast<flow::BoxPutOp>(op))
    visit(static_cast<int64_t>(put.getBox()), put.getValue().getType());
  else if (auto move = dyn_cast<flow::BoxMoveOp>(op))
    visit(static_cast<int64_t>(move.getTo()), Type());
  else if (auto run = dyn_cast<flow::BoxRunOp>(op))
    for (auto [box, type] : llvm::zip_equal(run.getResults(), run.getOp()->getResultTypes()))
      visit(box, type);
}

using Bits = llvm::BitVector;

class Liveness {
public:
  Liveness(flow::CodeletOp codelet, unsigned numBoxes)
      : codelet_(codelet), none_(numBoxes), small_(numBoxes, true) {}

  void run() {
    Block &body = codelet_.getBody().front();
    summarize(body);
    Bits outputs = none_;
    for (auto get : body.getOps<flow::BoxGetOp>())
      if (isBoxedOutput(get))
        outputs.set(static_cast<unsigned>(get.getBox()));
    mark(body, outputs);
  }

private:
  // Of a region: the boxes that it may read before it writes them, and those that it always writes.
  struct Effect {
    Bits reads, writes;
  };

  static Bits without(Bits bits, const Bits &others) { return bits.reset(others); }
  static Bits both(Bits bits, const Bits &others) { return bits |= others; }

  // ---- What regions read and write --------------------------------------------------------------

  const Effect &summarize(Block &block) {
    Effect effect{none_, none_};
    for (Operation &op : block) {
      Effect own{none_, none_};
      if (auto loop = dyn_cast<flow::WhileOp>(op)) {
        own = summarize(loop.getBefore().front());
        Bits inBody = summarize(loop.getBody().front()).reads;
        own.reads |= without(inBody, own.writes);
      } else if (auto branch = dyn_cast<flow::CondOp>(op)) {
        own = summarize(branch.getOnTrue().front());
        Effect other = summarize(branch.getOnFalse().front());
        own.reads |= other.reads;
        own.writes &= other.writes;
      } else {
        visitReads(&op, [&](int64_t box) { own.reads.set(static_cast<unsigned>(box)); });
        visitWrites(&op, [&](int64_t box, Type type) {
          own.writes.set(static_cast<unsigned>(box));
          if (!type || !isSmall(type))
            small_.reset(static_cast<unsigned>(box));
        });
      }
      effect.reads |= without(own.reads, effect.writes);
      effect.writes |= own.writes;
    }
    return effects_[&block] = std::move(effect);
  }

  // ---- What is needed behind ops ----------------------------------------------------------------

  // Takes what is needed at the end of the block, and gives what is needed where it begins.
  Bits mark(Block &block, Bits needed) {
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
      if (auto loop = dyn_cast<flow::WhileOp>(op))
        needed = markLoop(loop, needed);
      else if (auto branch = dyn_cast<flow::CondOp>(op))
        needed = markBranch(branch, needed);
      else
        markOp(&op, needed);
    }
    return needed;
  }

  Bits markBranch(flow::CondOp branch, const Bits &needed) {
    Block &onTrue = branch.getOnTrue().front(), &onFalse = branch.getOnFalse().front();
    Bits first = mark(onTrue, needed), second = mark(onFalse, needed);
    Bits before = both(first, second);
    drop(&onTrue.front(), without(before, first));
    drop(&onFalse.front(), without(before, second));
    return before;
  }

  Bits markLoop(flow::WhileOp loop, const Bits &needed) {
    Block &before = loop.getBefore().front(), &body = loop.getBody().front();
    const Effect &condition = effects_[&before], &turn = effects_[&body];
    Bits atCondition = both(condition.reads, without(both(needed, turn.reads), condition.writes));
    Bits inBody = both(turn.reads, without(atCondition, turn.writes));
    Bits behindCondition = both(needed, inBody);
    mark(before, behindCondition);
    mark(body, atCondition);
    drop(&body.front(), without(behindCondition, inBody));
    drop(loop->getNextNode(), without(behindCondition, needed));
    return atCondition;
  }

  void markOp(Operation *op, Bits &needed) {
    if (!op->hasTrait<UsesBox>())
      return;
    Bits after = needed, touched = none_;
    visitWrites(op, [&](int64_t box, Type) {
      touched.set(static_cast<unsigned>(box));
      needed.reset(static_cast<unsigned>(box));
    });
    Bits mayKeep = needed; // of what was there before the op
    visitReads(op, [&](int64_t box) {
      touched.set(static_cast<unsigned>(box));
      needed.set(static_cast<unsigned>(box));
    });
    auto isLast = [&](int64_t box) { return !mayKeep.test(static_cast<unsigned>(box)); };
    Bits dead = without(touched, after);
    if (auto move = dyn_cast<flow::BoxMoveOp>(op)) {
      move.setLast(isLast(static_cast<int64_t>(move.getFrom())));
      dead.reset(static_cast<unsigned>(move.getFrom()));
    } else if (auto run = dyn_cast<flow::BoxRunOp>(op)) {
      SmallVector<int64_t> last;
      for (OpOperand &operand : run.getOp()->getOpOperands()) {
        auto argument = dyn_cast<BlockArgument>(operand.get());
        if (!argument || !argument.hasOneUse() || operand.getOperandNumber() >= kMostLast)
          continue;
        int64_t box = run.getInputs()[argument.getArgNumber()];
        if (!isLast(box))
          continue;
        last.push_back(operand.getOperandNumber());
        dead.reset(static_cast<unsigned>(box));
      }
      run.setLast(last);
    } else if (auto put = dyn_cast<flow::BoxPutOp>(op)) {
      auto input = dyn_cast<BlockArgument>(put.getValue());
      put.setLast(input && input.hasOneUse() && input.getOwner() == op->getBlock() &&
                  op->getParentOp() == codelet_);
    }
    drop(op->getNextNode(), dead);
  }

  void drop(Operation *before, Bits boxes) {
    if (boxes.reset(small_).none())
      return;
    OpBuilder b(before);
    SmallVector<int64_t> numbers(boxes.set_bits_begin(), boxes.set_bits_end());
    flow::BoxDropOp::create(b, before->getLoc(), numbers);
  }

  flow::CodeletOp codelet_;
  Bits none_, small_; // small: all that is ever put there
  DenseMap<Block *, Effect> effects_;
};

} // namespace

void dropBoxes(flow::CodeletOp codelet, unsigned numBoxes) { Liveness(codelet, numBoxes).run(); }

} // namespace sluice::codegen
