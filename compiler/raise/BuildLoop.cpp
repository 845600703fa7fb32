// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a flow.while of a loop: enters that are not constant become initial values, constant ones
// captures. What the body takes from before the condition, through a switch or not, is forwarded;
// what an exit takes is forwarded as well and becomes a result. Tokens cannot be forwarded: a value
// that waits for the token is, and there is a token again once that value is there.
//
// What the condition depends on is there when the body begins. TensorFlow makes constants of a body
// wait for the counter; were that kept, each device would be told in each iteration that the
// counter is there, beside being told to go on.
//
// What the primitives ask of the place phase stays with the loop (dialects/wire/Steering.h).
#include "compiler/raise/BuildLoop.h"

#include "compiler/raise/RegionBuilder.h"
#include "dialects/wire/Steering.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace sluice::raise {

namespace {

class LoopBuilder {
public:
  LoopBuilder(const GraphFacts &facts, const Loop &loop)
      : loop_(loop), frame_(facts.frames.frames()[loop.frame]), pivot_(loop.pivot),
        beforeBlock_(new Block), bodyBlock_(new Block), before_(*beforeBlock_, pivot_.getLoc()),
        body_(*bodyBlock_, pivot_.getLoc()) {}

  void build() {
    findDeciding();
    addArguments();
    before_.resolveWith([this](Value value) { return resolveBefore(value); });
    body_.resolveWith([this](Value value) { return resolveInBody(value); });
    for (Operation *op : loop_.before)
      before_.copy(op);
    // The body asks for what it needs from before; then the block before can end.
    for (Operation *op : loop_.body)
      body_.copy(op);
    SmallVector<Value> next;
    for (flow::MergeOp header : loop_.headers)
      next.push_back(body_.get(backOf(header).getData()));
    flow::YieldOp::create(body_.builder(), pivot_.getLoc(), next);
    for (flow::ExitOp exit : loop_.exits)
      forward(leaving(exit));
    flow::WhileOp result = makeLoop();
    keepWishes(result);
    for (flow::ExitOp exit : loop_.exits)
      exit.getResult().replaceAllUsesWith(result.getResult(resultOf(exit)));
  }

private:
  void findDeciding() {
    DenseSet<Operation *> before(loop_.before.begin(), loop_.before.end());
    SmallVector<Value> open{pivot_.getPredicate()};
    while (!open.empty()) {
      Value value = open.pop_back_val();
      Operation *op = value.getDefiningOp();
      // A branch or loop does not wait for all of its operands.
      if (deciding_.insert(value).second && before.contains(op) && op->getNumRegions() == 0)
        open.append(op->operand_begin(), op->operand_end());
    }
  }

  void addArguments() {
    for (flow::MergeOp header : loop_.headers) {
      Type type = header.getValue().getType();
      before_.map(header.getValue(), beforeBlock_->addArgument(type, header.getLoc()));
    }
    for (flow::EnterOp enter : frame_.enters)
      if (isCapture(enter.getResult())) {
        captures_.push_back(enter);
        before_.map(enter.getResult(), beforeBlock_->addArgument(enter.getType(), enter.getLoc()));
      }
  }

  static bool isConstantEnter(Value value) {
    auto enter = value.getDefiningOp<flow::EnterOp>();
    return enter && enter.getConstant();
  }
  static bool isCapture(Value value) {
    return isConstantEnter(value) && !value.use_empty() &&
           !flow::isConstantLike(value.getDefiningOp()->getOperand(0));
  }
  // What goes in by a constant enter is a constant itself.
  static Value seenThrough(Value value) {
    return isConstantEnter(value) && !isCapture(value) ? value.getDefiningOp()->getOperand(0)
                                                       : value;
  }
  // A value from before the condition that the body or an exit takes, and what the switch asks for
  // through which it comes. Switches on different devices bring it to each of them.
  using Forwarded = std::pair<Value, Attribute>;

  static Forwarded through(flow::SwitchOp op) { return {op.getData(), wire::wishesOf(op)}; }
  Forwarded direct(Value value) {
    return {value, OpBuilder(value.getContext()).getDictionaryAttr({})};
  }
  static Forwarded leaving(flow::ExitOp exit) {
    return through(exit.getData().getDefiningOp<flow::SwitchOp>());
  }
  unsigned resultOf(flow::ExitOp exit) {
    return cast<BlockArgument>(forwarded_[leaving(exit)]).getArgNumber();
  }

  Value resolveBefore(Value value) {
    if (value.getDefiningOp() == pivot_)
      return before_.get(pivot_.getPredicate());
    Value constant = seenThrough(value);
    return constant == value ? Value() : before_.get(constant);
  }

  Value resolveInBody(Value value) {
    auto op = value.getDefiningOp<flow::SwitchOp>();
    Value origin = seenThrough(op ? op.getData() : value);
    if (flow::isConstantLike(origin))
      return origin == value ? Value() : body_.get(origin);
    if (isCapture(origin))
      return captureHere(origin);
    if (isa<flow::TokenType>(origin.getType()))
      return body_.after(forward(direct(waitingFor(origin))));
    return forward(op ? through(op) : direct(origin));
  }

  // Something to forward that is there when the token is.
  Value waitingFor(Value token) {
    Value predicate = before_.get(pivot_.getPredicate());
    Value gate = flow::GateOp::create(before_.builder(), pivot_.getLoc(), predicate.getType(),
                                      predicate, before_.get(token));
    before_.map(gate, gate);
    return gate;
  }

  // The block argument of the body for it.
  Value forward(Forwarded forwarded) {
    Value &argument = forwarded_[forwarded];
    if (!argument) {
      argument = bodyBlock_->addArgument(forwarded.first.getType(), forwarded.first.getLoc());
      if (deciding_.contains(forwarded.first))
        body_.beginsWith(argument);
    }
    return argument;
  }

  void keepWishes(flow::WhileOp result) {
    wire::Steering steering;
    for (flow::MergeOp header : loop_.headers) {
      steering.add(wire::kEnters, entryOf(header));
      steering.add(wire::kHeaders, header);
      steering.add(wire::kBacks, backOf(header));
    }
    for (flow::EnterOp enter : captures_)
      steering.add(wire::kInvariants, enter);
    SmallVector<DictionaryAttr> exits(forwarded_.size());
    for (flow::ExitOp exit : llvm::reverse(loop_.exits)) // of several, the first one counts
      exits[resultOf(exit)] = wire::wishesOf(exit);
    for (auto &[forwarded, argument] : forwarded_)
      steering.add(wire::kSwitches, cast<DictionaryAttr>(forwarded.second));
    for (DictionaryAttr exit : exits)
      steering.add(wire::kExits, exit);
    steering.add(wire::kPivot, pivot_);
    steering.attachTo(result);
  }

  flow::WhileOp makeLoop() {
    SmallVector<Value> forwarded, inits, captures;
    for (auto &[key, argument] : forwarded_)
      forwarded.push_back(before_.get(key.first));
    flow::ConditionOp::create(before_.builder(), pivot_.getLoc(),
                              before_.get(pivot_.getPredicate()), forwarded);
    for (flow::MergeOp header : loop_.headers)
      inits.push_back(entryOf(header).getData());
    for (flow::EnterOp enter : captures_)
      captures.push_back(enter.getData());
    placeCaptures();
    OpBuilder builder(pivot_);
    auto result = flow::WhileOp::create(builder, pivot_.getLoc(), ValueRange(forwarded).getTypes(),
                                        inits, captures, frame_.name, frame_.parallelIterations);
    result.getBefore().push_back(beforeBlock_.release());
    result.getBody().push_back(bodyBlock_.release());
    return result;
  }

  // The block argument of the body for a capture. Only at the end is it known which one that is.
  Value captureHere(Value value) {
    Value &argument = captured_[value];
    if (!argument)
      argument = bodyBlock_->addArgument(value.getType(), value.getLoc());
    return argument;
  }

  void placeCaptures() {
    SmallVector<Value> places;
    for (flow::EnterOp enter : captures_)
      places.push_back(captureHere(enter.getResult()));
    for (Value place : places)
      place.replaceAllUsesWith(bodyBlock_->addArgument(place.getType(), place.getLoc()));
    bodyBlock_->eraseArguments(
        [&](BlockArgument argument) { return llvm::is_contained(places, argument); });
  }

  const Loop &loop_;
  const flow::Frame &frame_;
  flow::LoopCondOp pivot_;
  std::unique_ptr<Block> beforeBlock_, bodyBlock_;
  RegionBuilder before_, body_;
  SmallVector<flow::EnterOp> captures_;
  DenseSet<Value> deciding_;                    // that the condition waits for
  llvm::MapVector<Forwarded, Value> forwarded_; // to block arguments of the body
  DenseMap<Value, Value> captured_;             // from values of the graph to the same
};

} // namespace

void buildLoop(const GraphFacts &facts, const Loop &loop) {
  LoopBuilder(facts, loop).build();
  SmallVector<Operation *> ops(loop.before.begin(), loop.before.end());
  ops.append(loop.body.begin(), loop.body.end());
  ops.append(loop.headers.begin(), loop.headers.end());
  ops.append(loop.switches.begin(), loop.switches.end());
  ops.append(loop.backs.begin(), loop.backs.end());
  ops.append(loop.exits.begin(), loop.exits.end());
  for (flow::EnterOp enter : facts.frames.frames()[loop.frame].enters)
    ops.push_back(enter);
  ops.push_back(loop.pivot);
  for (Operation *op : ops)
    op->dropAllReferences();
  for (Operation *op : ops)
    op->erase();
}

} // namespace sluice::raise
