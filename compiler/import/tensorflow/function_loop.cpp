// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow's loops that are made of functions: While and For.
#include "compiler/import/tensorflow/FunctionCalls.h"

#include <functional>

using namespace mlir;

namespace sluice::import {

namespace {

// A loop's values: what it carries, and what is the same in every iteration.
struct LoopValues {
  explicit LoopValues(Expansion &e) : tokens(tokensOfCall(e)) {}

  SmallVector<Value> tokens; // what the loop waits for
  SmallVector<Value> inits, captures;
  SmallVector<std::pair<bool, unsigned>> places; // of each argument: carried or not, and where

  void carry(Value init) {
    places.push_back({true, static_cast<unsigned>(inits.size())});
    inits.push_back(init);
  }
  void capture(Value value) {
    places.push_back({false, static_cast<unsigned>(captures.size())});
    captures.push_back(value);
  }
  // The arguments within a region whose block has carried values first.
  SmallVector<Value> inOrder(ValueRange block, size_t carried) const {
    SmallVector<Value> values;
    for (auto [isCarried, position] : places)
      values.push_back(block[isCarried ? position : carried + position]);
    return values;
  }
};

// Builds `flow.while` from two regions. `condition` gives the predicate, `body` the values to carry
// on; what is carried waits for `tokens`, and for the effects of an iteration.
struct LoopRegions {
  std::function<Value(ValueRange carried, ValueRange captures)> condition;
  std::function<SmallVector<Value>(ValueRange carried, ValueRange captures)> body;
};
flow::WhileOp loop(Expansion &e, LoopValues &values, const LoopRegions &regions) {
  SmallVector<Type> carried;
  for (Value &init : values.inits) {
    carried.push_back(typeAsArgument(init.getType()));
    init = e.gated(init, values.tokens);
  }
  SmallVector<Type> types(carried);
  llvm::append_range(types, ValueRange(values.captures).getTypes());
  int64_t window = e.attribute("parallel_iterations") ? e.intAttr("parallel_iterations") : 10;
  auto op = flow::WhileOp::create(e.builder(), e.loc(), carried, values.inits, values.captures,
                                  e.name(), std::max<int64_t>(window, 1));
  OpBuilder::InsertionGuard guard(e.builder());
  Block &before = beginRegion(e, op.getBefore(), types);
  ValueRange now = before.getArguments().take_front(carried.size());
  Value predicate = regions.condition(now, before.getArguments().drop_front(carried.size()));
  flow::ConditionOp::create(e.builder(), e.loc(), predicate, now);
  Block &body = beginRegion(e, op.getBody(), types);
  SmallVector<Value> next = regions.body(body.getArguments().take_front(carried.size()),
                                         body.getArguments().drop_front(carried.size()));
  flow::YieldOp::create(e.builder(), e.loc(), next);
  return op;
}

// The token of a loop that has been run.
Value doneAfter(Expansion &e, flow::WhileOp op, bool hasEffects) {
  SmallVector<Value> all(op.getResults());
  Value done = e.graph().joined(all, e.loc());
  e.done(done);
  if (hasEffects)
    e.graph().addEffect(done);
  return done;
}

// The places from `first` on are the node's results. What the loop only hands on is what it was,
// but nobody has it before what the loop waits for has happened, and what the loop does.
void setLoopResults(Expansion &e, const LoopValues &values, flow::WhileOp op, size_t first,
                    ValueRange before) {
  size_t inputs = e.inputs().size() - (values.places.size() - first);
  for (auto [index, place] : llvm::enumerate(ArrayRef(values.places).drop_front(first)))
    e.result(static_cast<uint32_t>(index), place.first ? Value(op.getResult(place.second))
                                                       : e.gated(e.input(index + inputs), before));
}

// The iterations of a loop that changes nothing but variables follow each other by this.
Value clock(Expansion &e) { return e.int32(0); }

} // namespace

void buildWhile(Expansion &e) {
  if (!haveResults(e))
    return;
  const Function &condition = *e.graph().callees()[0], &body = *e.graph().callees()[1];
  LoopValues values(e);
  for (auto [index, input] : llvm::enumerate(e.inputs()))
    if (body.body->forwards[index] == index)
      values.capture(input);
    else
      values.carry(input);
  if (values.inits.empty())
    values.inits.push_back(clock(e)); // behind the places of arguments
  size_t carried = values.inits.size();
  auto regionArguments = [&](ValueRange now, ValueRange captures) {
    SmallVector<Value> all(now.begin(), now.end());
    llvm::append_range(all, captures);
    return values.inOrder(all, carried);
  };
  auto after = [&](SmallVector<Value> given, flow::CallOp op, const Function &callee) {
    if (callee.hasEffects)
      for (Value &value : given)
        value = e.gated(value, op.getDone());
    return given;
  };
  LoopRegions regions{[&](ValueRange now, ValueRange captures) {
                        auto op = call(e, condition, regionArguments(now, captures));
                        return asPredicate(e, after({op.getValues()[0]}, op, condition)[0]);
                      },
                      [&](ValueRange now, ValueRange captures) {
                        auto op = call(e, body, regionArguments(now, captures));
                        SmallVector<Value> next;
                        for (auto [index, value] : llvm::enumerate(op.getValues()))
                          if (values.places[index].first)
                            next.push_back(value);
                        if (next.empty())
                          next.push_back(now[0]);
                        return after(next, op, body);
                      }};
  auto op = loop(e, values, regions);
  SmallVector<Value> before(values.tokens);
  if (anyEffects(e) || e.graph().isControlUsed(e.index())) {
    Value done = doneAfter(e, op, anyEffects(e));
    if (anyEffects(e))
      before = {done};
  }
  setLoopResults(e, values, op, 0, before);
}

// `for (i = start; i < limit; i += delta)`, or with `>` if delta is below 0.
void buildFor(Expansion &e) {
  if (!haveResults(e))
    return;
  const Function &body = *e.graph().callees()[0];
  Value start = e.input(0), limit = e.input(1), delta = e.input(2), zero = e.int32(0);
  auto rises = [&](Value by) { return e.compare<nd::GreaterOp>(by, zero); };
  auto either = [&](Value way, Value a, Value b) {
    return e.tensor<nd::SelectOp>(e.builder().getI1Type(), {way, a, b}, e.flag("leading", false));
  };
  // There is a last iteration, or none at all.
  Value ends =
      either(rises(delta), e.compare<nd::LessEqualOp>(start, limit),
             either(e.compare<nd::LessOp>(delta, zero), e.compare<nd::GreaterEqualOp>(start, limit),
                    e.compare<nd::EqualOp>(start, limit)));
  SmallVector<Value> checked{ends, start, limit, delta};
  checked.append(e.tokens().begin(), e.tokens().end());
  auto check = state::AssertOp::create(e.builder(), e.loc(), e.tokenType(), checked,
                                       e.number("summarize", 3));
  LoopValues values(e);
  values.carry(e.gated(start, check.getDone()));
  for (auto [index, input] : llvm::enumerate(e.inputs().drop_front(3)))
    if (body.body->forwards[index] == index + 1)
      values.capture(input);
    else
      values.carry(input);
  size_t carried = values.inits.size(), numOwn = values.captures.size();
  llvm::append_range(values.captures, SmallVector<Value>{limit, delta});
  LoopRegions regions{[&](ValueRange now, ValueRange captures) {
                        Value last = captures[numOwn], by = captures[numOwn + 1];
                        zero = e.int32(0); // regions see nothing of each other
                        return either(rises(by), e.compare<nd::LessOp>(now[0], last),
                                      e.compare<nd::GreaterOp>(now[0], last));
                      },
                      [&](ValueRange now, ValueRange captures) {
                        SmallVector<Value> all(now.begin(), now.end());
                        llvm::append_range(all, captures);
                        auto op = call(e, body, values.inOrder(all, carried));
                        SmallVector<Value> next{e.like<nd::AddOp>({now[0], captures[numOwn + 1]})};
                        for (auto [index, value] : llvm::enumerate(op.getValues()))
                          if (values.places[index + 1].first)
                            next.push_back(value);
                        if (body.hasEffects)
                          for (Value &value : next)
                            value = e.gated(value, op.getDone());
                        return next;
                      }};
  auto op = loop(e, values, regions);
  Value done = doneAfter(e, op, /*hasEffects=*/true);
  SmallVector<Value> before(values.tokens);
  before.push_back(body.hasEffects ? done : check.getDone());
  setLoopResults(e, values, op, 1, before);
}

} // namespace sluice::import
