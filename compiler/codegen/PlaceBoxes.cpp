// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// codegen-place-boxes: from values that code does not hold to boxes.
//
// Each value has a box of its own; but a capture is its value, and what a loop forwards is in one
// box as its body's argument and its result. The ends of regions move what is theirs to where the
// next region looks.
#include "compiler/codegen/Boxes.h"
#include "compiler/codegen/Passes.h"
#include "compiler/codegen/shapes/ShapeSymbols.h"
#include "dialects/list/List.h"
#include "dialects/nd/Nd.h"
#include "dialects/wire/Restructure.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace sluice::codegen {

#define GEN_PASS_DEF_CODEGENPLACEBOXES
#include "compiler/codegen/Passes.h.inc"

namespace {

bool isStructured(Operation *op) { return isa<flow::WhileOp, flow::CondOp>(op); }

class BoxPlacement {
public:
  BoxPlacement(flow::CodeletOp codelet, const BoxPlan &plan) : codelet_(codelet), plan_(plan) {}

  void run() {
    codelet_.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) { ops_.push_back(op); });
    Block &body = codelet_.getBody().front();
    OpBuilder b = OpBuilder::atBlockBegin(&body);
    for (BlockArgument input : body.getArguments())
      if (isBoxed(input))
        put(b, input, boxOf(input));
    for (Operation *op : ops_)
      if (plan_.called.contains(op))
        replace(op);
      else if (isStructured(op))
        enter(op);
    for (Operation *op : ops_)
      if (op->hasTrait<OpTrait::IsTerminator>() && op->getParentOp() != codelet_)
        leave(op);
    giveOutputs();
    narrow();
    for (Operation *op : ops_)
      if (plan_.called.contains(op))
        op->dropAllUses();
    for (Operation *op : llvm::reverse(ops_))
      if (plan_.called.contains(op))
        op->erase();
    dropBoxes(codelet_, static_cast<unsigned>(next_));
  }

private:
  bool isBoxed(Value value) const { return plan_.boxed.contains(value); }

  // ---- Numbers ----------------------------------------------------------------------------------

  // The value outside of a region that it takes in as this argument; null for all else.
  static Value capturedBy(Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument)
      return nullptr;
    unsigned position = argument.getArgNumber();
    if (auto loop = dyn_cast<flow::WhileOp>(argument.getOwner()->getParentOp())) {
      bool isBefore = argument.getOwner() == &loop.getBefore().front();
      unsigned own = isBefore ? loop.getInits().size() : loop.getNumResults();
      return position < own ? Value() : loop.getCaptures()[position - own];
    }
    auto branch = dyn_cast<flow::CondOp>(argument.getOwner()->getParentOp());
    return branch ? branch.getCaptures()[position] : Value();
  }
  // What a block argument is another name for; else the value itself.
  static Value captured(Value value) {
    while (Value outer = capturedBy(value))
      value = outer;
    return value;
  }

  // The argument of a loop's body that the result is.
  static Value representative(Value value) {
    value = captured(value);
    if (auto loop = value.getDefiningOp<flow::WhileOp>())
      return loop.getBody().getArgument(cast<OpResult>(value).getResultNumber());
    return value;
  }

  int64_t boxOf(Value value) {
    auto [box, isNew] = boxes_.try_emplace(representative(value), next_);
    next_ += isNew;
    return box->second;
  }

  // ---- Ops --------------------------------------------------------------------------------------

  static void put(OpBuilder &b, Value value, int64_t box) {
    flow::BoxPutOp::create(b, value.getLoc(), value, box, /*last=*/false);
  }

  // The box for what code holds. An input goes there as it is. Else it is filled before the op, but
  // outside of loops that only take the value in: so nothing is copied once more for an iteration,
  // or for a branch that is not taken.
  int64_t boxForHeld(Value value, Operation *user) {
    Value origin = captured(value);
    auto [box, isNew] = held_.try_emplace(origin, next_);
    next_ += isNew;
    Operation *place = user, *around = user;
    Value here = value;
    for (Value outer = value; (outer = capturedBy(outer));) {
      around = around->getParentOp();
      if (isa<flow::WhileOp>(around)) {
        place = around;
        here = outer;
      }
    }
    if (Block &body = codelet_.getBody().front();
        origin.getParentBlock() == &body && isa<BlockArgument>(origin)) {
      place = &body.front();
      here = origin;
    }
    // Ops come in textual order, so what was put in this block or one around it was put before.
    DenseSet<Block *> &filled = filledIn_[origin];
    for (Operation *at = place; at != codelet_; at = at->getParentOp())
      if (filled.contains(at->getBlock()))
        return box->second;
    filled.insert(place->getBlock());
    OpBuilder b(place);
    put(b, here, box->second);
    return box->second;
  }

  void replace(Operation *op) {
    OpBuilder b(op);
    SmallVector<int64_t> inputs, results;
    auto run =
        flow::BoxRunOp::create(b, op->getLoc(), inputs, /*last=*/ArrayRef<int64_t>(), results);
    Block &block = run.getBody().emplaceBlock();
    auto in = OpBuilder::atBlockBegin(&block);
    IRMapping inside;
    DenseMap<int64_t, Value> given; // a value may have several names, which share its box
    for (Value value : op->getOperands()) {
      if (inside.contains(value))
        continue;
      if (auto constant = value.getDefiningOp<nd::ConstantOp>()) {
        in.clone(*constant, inside);
        continue;
      }
      int64_t box = isBoxed(value) ? boxOf(value) : boxForHeld(value, run);
      Value &argument = given[box];
      if (!argument) {
        inputs.push_back(box);
        argument = block.addArgument(value.getType(), value.getLoc());
      }
      inside.map(value, argument);
    }
    Operation *copy = in.clone(*op, inside);
    flow::YieldOp::create(in, op->getLoc(), copy->getResults());
    SmallVector<std::pair<Value, int64_t>> read;
    for (Value result : op->getResults()) {
      results.push_back(isBoxed(result) ? boxOf(result) : next_++);
      if (!isBoxed(result))
        read.push_back({result, results.back()});
    }
    run.setInputs(inputs);
    run.setResults(results);
    for (auto [result, box] : read)
      if (!result.use_empty()) {
        Value value = flow::BoxGetOp::create(b, op->getLoc(), result.getType(), box);
        result.replaceAllUsesWith(value);
        held_[value] = box;
        filledIn_[value].insert(run->getBlock());
      }
  }

  // ---- Branches and loops -----------------------------------------------------------------------

  struct Move {
    Value from; // in a box or not
    int64_t to;
  };

  // Nothing is overwritten that is still to be moved: the boxes of a loop's variables, of what it
  // forwards, and of what its body makes are different ones.
  void emit(OpBuilder &b, Location loc, ArrayRef<Move> moves) {
    for (const Move &move : moves)
      if (isBoxed(move.from))
        flow::BoxMoveOp::create(b, loc, boxOf(move.from), move.to, /*last=*/false);
      else
        put(b, move.from, move.to);
  }

  void readPredicate(OpOperand &predicate) {
    if (!isBoxed(predicate.get()))
      return;
    OpBuilder b(predicate.getOwner());
    predicate.set(flow::BoxGetOp::create(b, predicate.getOwner()->getLoc(),
                                         RankedTensorType::get({}, b.getI1Type()),
                                         boxOf(predicate.get())));
  }

  void enter(Operation *op) {
    auto loop = dyn_cast<flow::WhileOp>(op);
    if (!loop)
      return readPredicate(op->getOpOperand(0));
    SmallVector<Move> moves;
    Block &before = loop.getBefore().front();
    for (OpOperand &init : loop.getInitsMutable())
      if (Value argument = before.getArgument(init.getOperandNumber()); isBoxed(argument))
        moves.push_back({init.get(), boxOf(argument)});
    OpBuilder b(op);
    emit(b, op->getLoc(), moves);
  }

  void leave(Operation *end) {
    Operation *around = end->getParentOp();
    if (isa<flow::ConditionOp>(end))
      readPredicate(end->getOpOperand(0));
    if (isa<flow::BoxRunOp>(around))
      return;
    unsigned first = isa<flow::ConditionOp>(end);
    auto targetOf = [&](unsigned position) -> Value {
      auto loop = dyn_cast<flow::WhileOp>(around);
      if (!loop)
        return around->getResult(position);
      return first ? loop.getBody().front().getArgument(position)
                   : loop.getBefore().front().getArgument(position);
    };
    SmallVector<Move> moves;
    for (OpOperand &value : end->getOpOperands().drop_front(first)) {
      Value target = targetOf(value.getOperandNumber() - first);
      if (isBoxed(target))
        moves.push_back({value.get(), boxOf(target)});
    }
    OpBuilder b(end);
    emit(b, end->getLoc(), moves);
  }

  void giveOutputs() {
    Operation *yield = codelet_.getBody().front().getTerminator();
    OpBuilder b(yield);
    for (OpOperand &output : yield->getOpOperands())
      if (isBoxed(output.get()))
        output.set(flow::BoxGetOp::create(b, yield->getLoc(), output.get().getType(),
                                          boxOf(output.get())));
  }

  // What is in boxes goes no other way any more.
  void narrow() {
    SmallVector<wire::Kept> kept;
    SmallVector<Operation *> structured;
    for (Operation *op : ops_) {
      if (!isStructured(op))
        continue;
      structured.push_back(op);
      wire::Kept &one = kept.emplace_back(op);
      auto loop = dyn_cast<flow::WhileOp>(op);
      ValueRange carried, captures;
      if (loop) {
        carried = loop.getBefore().front().getArguments().take_front(loop.getInits().size());
        captures = loop.getCaptures();
      } else {
        captures = cast<flow::CondOp>(op).getCaptures();
      }
      for (auto [values, bits] :
           {std::pair(carried, &one.inits), std::pair(captures, &one.captures),
            std::pair(ValueRange(op->getResults()), &one.results)})
        for (auto [i, value] : llvm::enumerate(values))
          (*bits)[static_cast<unsigned>(i)] = !isBoxed(value);
    }
    for (auto [op, one] : llvm::zip(structured, kept))
      wire::keepOnly(op, one);
  }

  flow::CodeletOp codelet_;
  const BoxPlan &plan_;
  std::vector<Operation *> ops_; // as they were
  DenseMap<Value, int64_t> boxes_, held_;
  DenseMap<Value, DenseSet<Block *>> filledIn_; // of what is in `held_`
  int64_t next_ = 0;
};

// The inputs that are lists whose rows may differ, which was seen when the loop was chosen.
SmallVector<BlockArgument> foreignInputs(flow::CodeletOp codelet) {
  SmallVector<BlockArgument> inputs;
  for (Operation &op : codelet.getBody().front())
    if (auto positions = op.getAttrOfType<DenseI64ArrayAttr>(kBoxedOperandsAttr))
      for (int64_t position : positions.asArrayRef())
        if (auto input = dyn_cast<BlockArgument>(op.getOperand(static_cast<unsigned>(position))))
          inputs.push_back(input);
  return inputs;
}

// A list that is made here may get no rows of a known size here, which its loop could not know.
bool mayNeedBoxes(Operation &op) {
  return hasBoxes(&op) || llvm::any_of(op.getResults(), [](Value result) {
           auto list = dyn_cast<list::OfType>(result.getType());
           auto row = list ? dyn_cast<TensorType>(list.getElement()) : TensorType();
           return list && !(row && row.hasStaticShape());
         });
}

struct PlaceBoxes : impl::CodegenPlaceBoxesBase<PlaceBoxes> {
  void runOnOperation() override {
    getOperation()->walk([&](flow::CodeletOp codelet) {
      if (!codelet->hasAttr(kSameDimsAttr) &&
          llvm::none_of(codelet.getBody().front(), mayNeedBoxes))
        return;
      auto plan = planBoxes(codelet, foreignInputs(codelet));
      if (auto *obstacle = std::get_if<Obstacle>(&plan)) {
        obstacle->op->emitError("expected what can be in a box, but this ") << obstacle->reason;
        return signalPassFailure();
      }
      placeBoxes(codelet, std::get<BoxPlan>(plan));
      numCalls += callsOf(codelet).size();
    });
  }
};

} // namespace

void placeBoxes(flow::CodeletOp codelet, const BoxPlan &plan) {
  if (!plan.isEmpty())
    BoxPlacement(codelet, plan).run();
}

} // namespace sluice::codegen
