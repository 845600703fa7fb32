// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands and results of a call, tied to those of the ops that take its place.
#include "compiler/optimize/SpliceCall.h"

#include "compiler/optimize/Forwarding.h"
#include "dialects/flow/FrameAnalysis.h"
#include "dialects/interfaces/NodeName.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace sluice::optimize {

namespace {

class Splice {
public:
  Splice(flow::CallOp call, SpliceOptions options)
      : call_(call), isLate_(options.isLate), builder_(call) {
    llvm::SmallSetVector<Value, 8> waiting;
    for (Value value : call.getArguments())
      if (!flow::isConstantLike(value))
        waiting.insert(value);
    if (options.mayBeDead && !waiting.empty() && waiting.size() + call.getTokens().size() > 1)
      together_ = waiting.takeVector();
  }

  // Takes the function's ops, and returns them; what is left of it is of no use.
  SmallVector<Operation *> take(flow::FuncOp function) {
    Block &from = function.getBody().front();
    for (Operation &op : llvm::make_early_inc_range(from)) {
      if (auto argument = dyn_cast<flow::ArgumentOp>(op))
        replace(argument.getResult(), argumentAt(argument.getIndex()));
    }
    SmallVector<Value> returned(function.getReturn().getValues());
    function.getReturn().erase();
    SmallVector<Operation *> moved;
    for (Operation &op : llvm::make_early_inc_range(from)) {
      if (isa<flow::ArgumentOp>(op))
        continue;
      if (isa<flow::StartOp>(op) && isLate_ && token()) {
        op.getResult(0).replaceAllUsesWith(token());
        continue;
      }
      op.walk([&](Operation *inner) { inner->setLoc(locationOf(inner->getLoc())); });
      op.moveBefore(call_);
      moved.push_back(&op);
    }
    if (isLate_)
      for (Operation *op : moved) {
        builder_.setInsertionPoint(op);
        tie(op);
      }
    builder_.setInsertionPoint(call_);
    finish(returned);
    return moved;
  }

private:
  // A value of the function, which may be known better where it is called.
  static void replace(Value value, Value by) {
    refineType(value, by.getType());
    value.replaceAllUsesWith(by);
  }

  // "caller/node", where the node is in the file. The first callers of a long chain are enough.
  Location locationOf(Location inner) {
    StringRef caller = nodeNameOf(call_.getLoc()), node = nodeNameOf(inner);
    if (caller.empty() || node.empty())
      return inner;
    constexpr size_t kLongest = 80;
    auto named = dyn_cast<NameLoc>(inner);
    auto name = StringAttr::get(inner.getContext(), caller.take_front(kLongest) + "/" + node);
    return named ? NameLoc::get(name, named.getChildLoc()) : NameLoc::get(name);
  }

  Value argumentAt(uint64_t index) {
    Value value = call_.getArguments()[index];
    bool isAlone = together_.empty() || flow::isConstantLike(value);
    if (call_.getTokens().empty() && isAlone)
      return value;
    Value &gated = gated_[value];
    if (!gated)
      gated = flow::GateOp::create(builder_, call_.getLoc(), value.getType(), value,
                                   isAlone ? ValueRange(call_.getTokens()) : ValueRange(token()));
    return gated;
  }

  // What the call waits for: its tokens, or a value.
  Value token() {
    if (token_)
      return token_;
    Location loc = call_.getLoc();
    if (!together_.empty()) {
      SmallVector<Value> tokens(call_.getTokens());
      for (Value value : together_)
        tokens.push_back(flow::AfterOp::create(builder_, loc, tokenType(), value));
      return token_ = flow::JoinOp::create(builder_, loc, tokenType(), tokens).getToken();
    }
    if (ValueRange tokens = call_.getTokens(); !tokens.empty())
      return token_ = tokens.size() == 1
                          ? tokens.front()
                          : flow::JoinOp::create(builder_, loc, tokenType(), tokens).getToken();
    for (Value value : call_.getArguments())
      if (!flow::isConstantLike(value))
        return token_ = flow::AfterOp::create(builder_, loc, tokenType(), value).getToken();
    return {};
  }

  // Lets an op wait for the call if it waits for constants only. What a branch or loop captures
  // does not count: not all of it may need that, and it may turn out that nothing does.
  void tie(Operation *op) {
    auto isConstant = [](Value value) { return flow::isConstantLike(value); };
    unsigned first = 0, count = op->getNumOperands();
    if (isa<flow::CondOp>(op))
      count = 1;
    else if (auto loop = dyn_cast<flow::WhileOp>(op))
      count = static_cast<unsigned>(loop.getInits().size());
    if (op->hasTrait<IsConstant>() ||
        !llvm::all_of(op->getOperands().take_front(count), isConstant) || !token())
      return;
    bool isStructured = isa<flow::CondOp, flow::WhileOp>(op);
    if (!isStructured && op->hasTrait<HasEffect>())
      return op->insertOperands(op->getNumOperands(), token());
    if (!isStructured && count > 0)
      first = count - 1; // one operand is enough
    for (unsigned i = first; i < count; ++i)
      op->setOperand(i, gate(op->getOperand(i)));
  }

  Value gate(Value value) {
    return flow::GateOp::create(builder_, call_.getLoc(), value.getType(), value, token());
  }

  void finish(ArrayRef<Value> returned) {
    size_t count = call_.getValues().size();
    bool hasToken = returned.size() > count;
    SmallVector<Value> tokens;
    for (auto [result, value] : llvm::zip(call_.getValues(), returned)) {
      if (isLate_ && flow::isConstantLike(value) && token())
        replace(result, gate(value));
      else
        replace(result, value);
    }
    if (!call_.getDone().use_empty()) {
      for (Value value : returned.take_front(count))
        if (!flow::isConstantLike(value))
          tokens.push_back(flow::AfterOp::create(builder_, call_.getLoc(), tokenType(), value));
      if (hasToken)
        tokens.push_back(returned.back());
      if (tokens.empty())
        tokens.push_back(token() ? token()
                                 : flow::StartOp::create(builder_, call_.getLoc(), tokenType()));
      call_.getDone().replaceAllUsesWith(
          flow::JoinOp::create(builder_, call_.getLoc(), tokenType(), tokens).getToken());
    }
    call_.erase();
  }

  Type tokenType() { return builder_.getType<flow::TokenType>(); }

  flow::CallOp call_;
  bool isLate_;
  OpBuilder builder_;
  SmallVector<Value, 8> together_; // arguments of a call that is dead if one of them is
  Value token_;
  DenseMap<Value, Value> gated_;
};

} // namespace

SmallVector<Operation *> splice(flow::CallOp call, flow::FuncOp function, SpliceOptions options) {
  return Splice(call, options).take(function);
}

} // namespace sluice::optimize
