// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "functions": calls, and the branches and loops that are made of
// functions. A region calls the function whose ops will take the call's place.
#include "compiler/import/GraphBuilder.h"
#include "compiler/import/functions/CallRules.h"
#include "compiler/import/tensorflow/Expansion.h"
#include "compiler/import/tensorflow/Lists.h"

#include <functional>

using namespace mlir;

namespace sluice::import {

namespace {

// The inputs that the node's functions are given.
SmallVector<Value> arguments(Expansion &e) {
  SmallVector<Value> values;
  for (unsigned input : argumentsOf(e.node()))
    values.push_back(e.input(input));
  return values;
}

// False, after a diagnostic, when it is not known what the functions give.
bool haveResults(Expansion &e) {
  for (const Function *callee : e.graph().callees())
    if (llvm::is_contained(callee->results, Type())) {
      e.unsupported("calls " + quoted(callee->body->name) +
                    ", which calls itself and gives a handle: that is not supported");
      return false;
    }
  return true;
}

flow::CallOp call(Expansion &e, const Function &callee, ValueRange arguments,
                  ValueRange tokens = {}) {
  SmallVector<Type> types(callee.results);
  types.push_back(e.tokenType());
  SmallVector<Value> operands(arguments.begin(), arguments.end());
  operands.append(tokens.begin(), tokens.end());
  return flow::CallOp::create(e.builder(), e.loc(), types, callee.symbol, operands,
                              callee.hasEffects ? e.builder().getUnitAttr() : UnitAttr(),
                              /*recursion=*/IntegerAttr());
}

void setResults(Expansion &e, ValueRange values) {
  for (auto [slot, value] : llvm::enumerate(values))
    e.result(static_cast<uint32_t>(slot), value);
}

void buildCall(Expansion &e) {
  if (!haveResults(e))
    return;
  const Function &callee = *e.graph().callees().front();
  auto op = call(e, callee, arguments(e), e.tokens());
  setResults(e, op.getValues());
  e.done(op.getDone());
  if (callee.hasEffects)
    e.graph().addEffect(op.getDone());
}

// ---- Predicates

// What TensorFlow takes for true: numbers that are not 0, texts and tensors that are not empty.
Value asPredicate(Expansion &e, Value value) {
  auto type = cast<TensorType>(value.getType());
  Type element = type.getElementType();
  if (type.hasRank() && type.getRank() > 0)
    return e.compare<nd::GreaterOp>(e.tensor<nd::SizeOp>(e.builder().getI32Type(), value),
                                    e.int32(0));
  if (element.isInteger(1))
    return value;
  return e.compare<nd::NotEqualOp>(value, e.scalar(element, 0));
}

// ---- Regions

// Adds a block to the region, with an argument for each type, and leaves the builder in it.
Block &beginRegion(Expansion &e, Region &region, TypeRange arguments) {
  Block &block = region.emplaceBlock();
  for (Type type : arguments)
    block.addArgument(type, e.loc());
  e.builder().setInsertionPointToEnd(&block);
  return block;
}

Value startOfRegion(Expansion &e) { return e.make<flow::StartOp>(e.tokenType(), {}).getToken(); }

// A flow.cond whose regions are built by `build` from the captures. They give `results`, and then a
// token if `hasEffects`.
struct Branch {
  TypeRange results;
  bool hasEffects;
};
flow::CondOp branch(Expansion &e, Value predicate, ValueRange captures, Branch branch,
                    llvm::function_ref<SmallVector<Value>(bool way, ValueRange)> build) {
  SmallVector<Type> types(branch.results);
  if (branch.hasEffects)
    types.push_back(e.tokenType());
  auto op = flow::CondOp::create(e.builder(), e.loc(), types, predicate, captures);
  OpBuilder::InsertionGuard guard(e.builder());
  for (bool way : {true, false}) {
    Block &block =
        beginRegion(e, way ? op.getOnTrue() : op.getOnFalse(), captures.getTypes());
    SmallVector<Value> values = build(way, block.getArguments());
    flow::YieldOp::create(e.builder(), e.loc(), values);
  }
  return op;
}

// What a region that calls the function gives.
SmallVector<Value> callResults(Expansion &e, const Function &callee, ValueRange arguments,
                               bool hasEffects) {
  auto op = call(e, callee, arguments);
  SmallVector<Value> values(op.getValues());
  if (hasEffects)
    values.push_back(callee.hasEffects ? op.getDone() : startOfRegion(e));
  return values;
}

// The results of a branch become those of the node.
void finishBranch(Expansion &e, flow::CondOp op, bool hasEffects) {
  if (!hasEffects) {
    setResults(e, op.getResults());
    return e.graph().setDoneAfterAll(e.index());
  }
  setResults(e, op.getResults().drop_back());
  Value done = op.getResults().back();
  e.graph().addEffect(done);
  SmallVector<Value> all(op.getResults());
  e.done(e.graph().isControlUsed(e.index()) ? e.graph().joined(all, e.loc()) : done);
}

// Whether the functions give the same, as far as types tell; else there is a diagnostic.
bool agree(Expansion &e) {
  ArrayRef<const Function *> callees = e.graph().callees();
  for (const Function *callee : callees)
    if (callee->results != callees.front()->results) {
      e.unsupported("functions " + quoted(callees.front()->body->name) + " and " +
                    quoted(callee->body->name) +
                    " give handles of different variables, arrays or stacks");
      return false;
    }
  return true;
}

bool anyEffects(Expansion &e) {
  return llvm::any_of(e.graph().callees(), [](const Function *f) { return f->hasEffects; });
}

void buildIf(Expansion &e) {
  if (!haveResults(e) || !agree(e))
    return;
  ArrayRef<const Function *> callees = e.graph().callees();
  bool hasEffects = anyEffects(e);
  Value predicate = e.gated(asPredicate(e, e.input(0)), e.tokens());
  auto op = branch(e, predicate, arguments(e), {callees[0]->results, hasEffects},
                   [&](bool way, ValueRange captures) {
                     return callResults(e, *callees[way ? 0 : 1], captures, hasEffects);
                   });
  finishBranch(e, op, hasEffects);
}

// A tree of branches: functions [first, last) are left.
SmallVector<Value> chooseCallee(Expansion &e, size_t first, size_t last, ValueRange captures,
                                bool hasEffects) {
  ArrayRef<const Function *> callees = e.graph().callees();
  if (first + 1 == last)
    return callResults(e, *callees[first], captures.drop_front(), hasEffects);
  size_t middle = first + (last - first) / 2;
  Value predicate =
      e.compare<nd::LessOp>(captures[0], e.int32(static_cast<int64_t>(middle)));
  auto op = branch(e, predicate, captures, {callees[0]->results, hasEffects},
                   [&](bool way, ValueRange inner) {
                     return way ? chooseCallee(e, first, middle, inner, hasEffects)
                                : chooseCallee(e, middle, last, inner, hasEffects);
                   });
  return llvm::to_vector_of<Value>(op.getResults());
}

// The number of a branch; any other number means the last one.
Value branchIndex(Expansion &e, Value index, size_t count) {
  Value last = e.int32(static_cast<int64_t>(count) - 1);
  Value isBelow = e.compare<nd::LessOp>(index, e.int32(0));
  return e.like<nd::MinimumOp>({e.tensor<nd::SelectOp>(e.elementOf(index), {isBelow, last, index}), last});
}

void buildCase(Expansion &e) {
  if (!haveResults(e) || !agree(e))
    return;
  size_t count = e.graph().callees().size();
  bool hasEffects = anyEffects(e);
  SmallVector<Value> captures{
      e.gated(branchIndex(e, e.input(0), count), e.tokens())};
  captures.append(arguments(e));
  if (count == 1) { // no predicate lets it wait
    for (Value &capture : captures)
      capture = e.gated(capture, e.tokens());
    auto op = call(e, *e.graph().callees().front(), ValueRange(captures).drop_front(), e.tokens());
    setResults(e, op.getValues());
    e.done(op.getDone());
    if (hasEffects)
      e.graph().addEffect(op.getDone());
    return;
  }
  size_t middle = count / 2;
  Value predicate = e.compare<nd::LessOp>(captures[0], e.int32(static_cast<int64_t>(middle)));
  auto op = branch(e, predicate, captures, {e.graph().callees()[0]->results, hasEffects},
                   [&](bool way, ValueRange inner) {
                     return way ? chooseCallee(e, 0, middle, inner, hasEffects)
                                : chooseCallee(e, middle, count, inner, hasEffects);
                   });
  finishBranch(e, op, hasEffects);
}

// ---- Loops

// A loop's values: what it carries, and what is the same in every iteration.
struct LoopValues {
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
    init = e.gated(init, e.tokens());
  }
  SmallVector<Type> types(carried);
  llvm::append_range(types, ValueRange(values.captures).getTypes());
  int64_t window = e.attribute("parallel_iterations") ? e.intAttr("parallel_iterations") : 10;
  auto op = flow::WhileOp::create(e.builder(), e.loc(), carried, values.inits, values.captures,
                                  e.name(), std::max<int64_t>(window, 1));
  OpBuilder::InsertionGuard guard(e.builder());
  Block &before = beginRegion(e, op.getBefore(), types);
  ValueRange now = before.getArguments().take_front(carried.size());
  Value predicate =
      regions.condition(now, before.getArguments().drop_front(carried.size()));
  flow::ConditionOp::create(e.builder(), e.loc(), predicate, now);
  Block &body = beginRegion(e, op.getBody(), types);
  SmallVector<Value> next =
      regions.body(body.getArguments().take_front(carried.size()),
                   body.getArguments().drop_front(carried.size()));
  flow::YieldOp::create(e.builder(), e.loc(), next);
  return op;
}

// The iterations of a loop that changes nothing but variables follow each other by this.
Value clock(Expansion &e) { return e.int32(0); }

void buildWhile(Expansion &e) {
  if (!haveResults(e))
    return;
  const Function &condition = *e.graph().callees()[0], &body = *e.graph().callees()[1];
  LoopValues values;
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
  LoopRegions regions{
      [&](ValueRange now, ValueRange captures) {
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
  for (auto [index, place] : llvm::enumerate(values.places))
    e.result(static_cast<uint32_t>(index),
             place.first ? Value(op.getResult(place.second)) : e.input(index));
  if (anyEffects(e) || e.graph().isControlUsed(e.index())) {
    SmallVector<Value> all(op.getResults());
    Value done = e.graph().joined(all, e.loc());
    e.done(done);
    if (anyEffects(e))
      e.graph().addEffect(done);
  }
}

// `for (i = start; i < limit; i += delta)`, or with `>` if delta is below 0.
void buildFor(Expansion &e) {
  if (!haveResults(e))
    return;
  const Function &body = *e.graph().callees()[0];
  Value start = e.input(0), limit = e.input(1), delta = e.input(2), zero = e.int32(0);
  auto rises = [&](Value by) { return e.compare<nd::GreaterOp>(by, zero); };
  auto either = [&](Value way, Value a, Value b) {
    return e.tensor<nd::SelectOp>(e.builder().getI1Type(), {way, a, b});
  };
  // There is a last iteration, or none at all.
  Value ends = either(rises(delta), e.compare<nd::LessEqualOp>(start, limit),
                      either(e.compare<nd::LessOp>(delta, zero),
                             e.compare<nd::GreaterEqualOp>(start, limit),
                             e.compare<nd::EqualOp>(start, limit)));
  SmallVector<Value> checked{ends, start, limit, delta};
  checked.append(e.tokens().begin(), e.tokens().end());
  auto check = state::AssertOp::create(e.builder(), e.loc(), e.tokenType(), checked,
                                       e.number("summarize", 3));
  LoopValues values;
  values.carry(e.gated(start, check.getDone()));
  for (auto [index, input] : llvm::enumerate(e.inputs().drop_front(3)))
    if (body.body->forwards[index] == index + 1)
      values.capture(input);
    else
      values.carry(input);
  size_t carried = values.inits.size(), numOwn = values.captures.size();
  llvm::append_range(values.captures, SmallVector<Value>{limit, delta});
  LoopRegions regions{
      [&](ValueRange now, ValueRange captures) {
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
  for (auto [index, place] : llvm::enumerate(ArrayRef(values.places).drop_front()))
    e.result(static_cast<uint32_t>(index),
             place.first ? Value(op.getResult(place.second)) : e.input(index + 3));
  SmallVector<Value> all(op.getResults());
  Value done = e.graph().joined(all, e.loc());
  e.done(done);
  e.graph().addEffect(done);
}

// ---- Parts of functions

void buildArgument(Expansion &e) {
  e.result(0, e.graph().argument(static_cast<uint32_t>(e.intAttr("index"))));
}

void buildReturn(Expansion &e) {
  e.graph().setReturn(static_cast<uint32_t>(e.intAttr("index")), e.input(0));
  e.done(e.graph().startToken());
}

// Stands for what nobody looks at.
void buildFake(Expansion &e) {
  if (e.node().outputTypes[0].type == graphdef::DT_VARIANT)
    return e.result(0, emptyList(e));
  Type element = e.resultElement(0);
  if (e.failed())
    return;
  SmallVector<int64_t> dims;
  for (const auto &dim : e.attribute("shape")->shape().dim())
    dims.push_back(std::max<int64_t>(dim.size(), 0));
  Value fake = e.like<nd::BroadcastToOp>({e.scalar(element, 0), e.ints(dims)});
  e.result(0, e.gated(fake, e.tokens()));
}

// All devices are of one type here.
void buildDeviceIndex(Expansion &e) {
  const auto &names = e.attribute("device_names")->list().s();
  int64_t index = llvm::find(names, "CPU") - names.begin();
  e.result(0, e.gated(e.int32(index), e.tokens()));
}

void buildToBool(Expansion &e) { e.result(0, asPredicate(e, e.input(0))); }

void buildForwardAll(Expansion &e) {
  for (auto [slot, value] : llvm::enumerate(e.afterAllInputs(e.inputs())))
    e.result(static_cast<uint32_t>(slot), e.gated(value, e.tokens()));
}

// Output i is alive if the index is i; any other index means the last one.
void steer(Expansion &e, Value data, Value index, size_t first, size_t last) {
  if (first + 1 == last)
    return e.result(static_cast<uint32_t>(first), data);
  size_t middle = first + (last - first) / 2;
  Value isBelow = e.compare<nd::LessOp>(index, e.int32(static_cast<int64_t>(middle)));
  auto split = [&](Value value) {
    return e.make<flow::SwitchOp>({value.getType(), value.getType(), e.tokenType()},
                                  {value, isBelow});
  };
  auto values = split(data), indices = split(index);
  steer(e, values.getOnTrue(), indices.getOnTrue(), first, middle);
  steer(e, values.getOnFalse(), indices.getOnFalse(), middle, last);
}

void buildSwitchN(Expansion &e) {
  auto count = static_cast<size_t>(e.intAttr("num_outs"));
  Value index = e.gated(branchIndex(e, e.input(1), count), e.tokens());
  e.done(e.make<flow::AfterOp>(e.tokenType(), index).getToken()); // live whichever way it goes
  steer(e, e.input(0), index, 0, count);
}

constexpr llvm::StringLiteral kIf = "then_branch else_branch output_shapes";
constexpr llvm::StringLiteral kWhile = "cond body parallel_iterations output_shapes";
constexpr llvm::StringLiteral kCall = "f config config_proto executor_type";

constexpr OpExpansion kOps[] = {
    {"PartitionedCall", buildCall, Style::kEffect, kCall},
    {"StatefulPartitionedCall", buildCall, Style::kEffect, kCall},
    {"RemoteCall", buildCall, Style::kEffect, "f"},
    {"SymbolicGradient", buildCall, Style::kEffect, "f"},
    {"If", buildIf, Style::kEffect, kIf},
    {"StatelessIf", buildIf, Style::kEffect, kIf},
    {"Case", buildCase, Style::kEffect, "branches output_shapes"},
    {"StatelessCase", buildCase, Style::kEffect, "branches output_shapes"},
    {"While", buildWhile, Style::kEffect, kWhile},
    {"StatelessWhile", buildWhile, Style::kEffect, kWhile},
    {"For", buildFor, Style::kEffect, "body"},
    {"_Arg", buildArgument, Style::kOwn, "index"},
    {"_Retval", buildReturn, Style::kOwn, "index"},
    {"_SwitchN", buildSwitchN, Style::kEffect, "num_outs"},
    {"FakeParam", buildFake, Style::kOwn, "shape"},
    {"DeviceIndex", buildDeviceIndex, Style::kOwn, "device_names"},
    {"ToBool", buildToBool, Style::kPure},
    {"_ListToArray", buildForwardAll, Style::kEffect},
    {"_ArrayToList", buildForwardAll, Style::kEffect},
};

} // namespace

ArrayRef<OpExpansion> functionOps() { return kOps; }

} // namespace sluice::import
