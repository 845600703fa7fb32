// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "functions": calls, branches that are made of functions, and the
// parts of functions. Loops are in function_loop.cpp.
#include "compiler/import/GraphBuilder.h"
#include "compiler/import/tensorflow/FunctionCalls.h"
#include "compiler/import/tensorflow/Lists.h"
#include "dialects/list/List.h"

using namespace mlir;

namespace sluice::import {

namespace {

// Whoever has a result knows that the effects have happened, also if it does not depend on them.
void setResultsAfter(Expansion &e, ValueRange values, Value done) {
  for (auto [slot, value] : llvm::enumerate(values))
    e.result(static_cast<uint32_t>(slot), e.gated(value, done));
}

void finishCall(Expansion &e, flow::CallOp op) {
  e.done(op.getDone());
  if (!anyEffects(e))
    return setResults(e, op.getValues());
  setResultsAfter(e, op.getValues(), op.getDone());
  e.graph().addEffect(op.getDone());
}

void buildCall(Expansion &e) {
  if (haveResults(e))
    finishCall(e, call(e, *e.graph().callees().front(), argumentsOfCall(e), e.tokens()));
}

Value zerosLike(Expansion &e, Value value) {
  Type element = cast<TensorType>(value.getType()).getElementType();
  Value shape = e.tensor<nd::ShapeOp>(e.builder().getI64Type(), value);
  return e.tensor<nd::FillOp>(element, {shape, e.scalar(element, 0)});
}

// The derivatives of what a function gives by what it is given: inputs are its arguments, and then
// derivatives of its results. A file may name a function that computes them, which is called then.
void buildSymbolicGradient(Expansion &e) {
  const Function &callee = *e.graph().callees().front();
  size_t count = callee.body->arguments.size();
  bool computesThem = callee.results.size() == e.node().outputTypes.size();
  if (count == e.inputs().size() && computesThem)
    return buildCall(e);
  if (!haveResults(e))
    return;
  auto isContinuous = [](Type type) {
    auto tensor = dyn_cast<TensorType>(type);
    return tensor && isa<FloatType, ComplexType>(tensor.getElementType());
  };
  bool givesAny = llvm::any_of(callee.results, isContinuous);
  SmallVector<Value> arguments, xs, ys, seeds;
  SmallVector<unsigned> slots;
  for (size_t i = 0; i < count; ++i) {
    Value argument = e.input(static_cast<unsigned>(i));
    auto type = dyn_cast<TensorType>(argument.getType());
    if (!type)
      return e.unsupported("differentiates function " + quoted(callee.body->name) +
                           " by an argument that is no tensor, which is not supported");
    if (givesAny && isContinuous(type)) {
      std::string name = e.node().name().str() + "/x:" + std::to_string(i);
      argument = flow::IndependentOp::create(e.builder(), e.loc(), type, argument,
                                             e.builder().getStringAttr(name));
      xs.push_back(argument);
      slots.push_back(static_cast<unsigned>(i));
    } else {
      e.result(static_cast<uint32_t>(i), zerosLike(e, argument));
    }
    arguments.push_back(argument);
  }
  flow::CallOp op = call(e, callee, arguments, e.tokens());
  e.done(op.getDone());
  if (anyEffects(e))
    e.graph().addEffect(op.getDone());
  for (auto [i, y] : llvm::enumerate(op.getValues()))
    if (isContinuous(y.getType())) {
      ys.push_back(y);
      seeds.push_back(e.input(static_cast<unsigned>(count + i)));
    }
  if (xs.empty())
    return;
  auto request =
      flow::GradientOp::create(e.builder(), e.loc(), ValueRange(xs).getTypes(), ys, seeds, xs,
                               ValueRange(), e.builder().getStringAttr(e.node().name()));
  for (auto [result, slot] : llvm::zip_equal(request.getResults(), slots))
    e.result(slot, result);
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
    Block &block = beginRegion(e, way ? op.getOnTrue() : op.getOnFalse(), captures.getTypes());
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
    if (op.getNumResults() == 0) // done in the frame, and as often, as it is asked for
      e.done(e.graph().joined(op.getOperands(), e.loc()));
    return e.graph().setDoneAfterAll(e.index());
  }
  Value done = op.getResults().back();
  setResultsAfter(e, op.getResults().drop_back(), done);
  e.graph().addEffect(done);
  SmallVector<Value> all(op.getResults());
  e.done(e.graph().isControlUsed(e.index()) ? e.graph().joined(all, e.loc()) : done);
}

bool isList(Type type) { return isa<list::OfType, list::UnknownType>(type); }

// What any of the functions gives; nothing, after a diagnostic, where they differ, as far as types
// tell. What lists hold is found out later.
std::optional<SmallVector<Type>> commonResults(Expansion &e) {
  ArrayRef<const Function *> callees = e.graph().callees();
  SmallVector<Type> common(callees.front()->results);
  for (const Function *callee : callees)
    for (auto [known, type] : llvm::zip_equal(common, callee->results)) {
      if (known == type)
        continue;
      if (!isList(known) || !isList(type)) {
        e.unsupported("functions " + quoted(callees.front()->body->name) + " and " +
                      quoted(callee->body->name) +
                      " give handles of different variables, arrays or stacks");
        return std::nullopt;
      }
      known = list::UnknownType::get(type.getContext());
    }
  return common;
}

void buildIf(Expansion &e) {
  auto results = haveResults(e) ? commonResults(e) : std::nullopt;
  if (!results)
    return;
  ArrayRef<const Function *> callees = e.graph().callees();
  bool hasEffects = anyEffects(e);
  Value predicate = e.gated(asPredicate(e, e.input(0)), tokensOfCall(e));
  auto op = branch(e, predicate, argumentsOfCall(e), {*results, hasEffects},
                   [&](bool way, ValueRange captures) {
                     return callResults(e, *callees[way ? 0 : 1], captures, hasEffects);
                   });
  finishBranch(e, op, hasEffects);
}

// A tree of branches: functions [first, last) are left.
SmallVector<Value> chooseCallee(Expansion &e, size_t first, size_t last, ValueRange captures,
                                Branch given) {
  ArrayRef<const Function *> callees = e.graph().callees();
  if (first + 1 == last)
    return callResults(e, *callees[first], captures.drop_front(), given.hasEffects);
  size_t middle = first + (last - first) / 2;
  Value predicate = e.compare<nd::LessOp>(captures[0], e.int32(static_cast<int64_t>(middle)));
  auto op = branch(e, predicate, captures, given, [&](bool way, ValueRange inner) {
    return way ? chooseCallee(e, first, middle, inner, given)
               : chooseCallee(e, middle, last, inner, given);
  });
  return llvm::to_vector_of<Value>(op.getResults());
}

// The number of a branch; any other number means the last one.
Value branchIndex(Expansion &e, Value index, size_t count) {
  Value last = e.int32(static_cast<int64_t>(count) - 1);
  Value isBelow = e.compare<nd::LessOp>(index, e.int32(0));
  return e.like<nd::MinimumOp>(
      {e.tensor<nd::SelectOp>(e.elementOf(index), {isBelow, last, index}, e.flag("leading", false)),
       last});
}

void buildCase(Expansion &e) {
  auto results = haveResults(e) ? commonResults(e) : std::nullopt;
  if (!results)
    return;
  size_t count = e.graph().callees().size();
  bool hasEffects = anyEffects(e);
  Branch given{*results, hasEffects};
  SmallVector<Value> captures{e.gated(branchIndex(e, e.input(0), count), tokensOfCall(e))};
  captures.append(argumentsOfCall(e));
  if (count == 1) { // no predicate lets it wait
    Value token = e.graph().joined(captures[0], e.loc());
    SmallVector<Value> arguments;
    for (Value capture : ArrayRef(captures).drop_front())
      arguments.push_back(e.gated(capture, token));
    return finishCall(e, call(e, *e.graph().callees().front(), arguments, token));
  }
  size_t middle = count / 2;
  Value predicate = e.compare<nd::LessOp>(captures[0], e.int32(static_cast<int64_t>(middle)));
  auto op = branch(e, predicate, captures, given, [&](bool way, ValueRange inner) {
    return way ? chooseCallee(e, 0, middle, inner, given)
               : chooseCallee(e, middle, count, inner, given);
  });
  finishBranch(e, op, hasEffects);
}

// ---- Parts of functions

bool isInFunction(Expansion &e) {
  if (!e.graph().isOfFunction())
    e.fail(ExitCode::kBadGraph, "expected it in a function but it is in the graph itself; feed it, "
                                "or fetch its input");
  return e.graph().isOfFunction();
}

void buildArgument(Expansion &e) {
  if (!isInFunction(e))
    return;
  e.result(0, e.graph().argument(static_cast<uint32_t>(e.intAttr("index"))));
}

void buildReturn(Expansion &e) {
  if (!isInFunction(e))
    return;
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
  // Of constants alone it would be there before the call is, and in no frame but the root.
  Value zero = e.gated(e.scalar(element, 0), e.tokens());
  e.result(0, e.like<nd::BroadcastToOp>({zero, e.ints(dims)}));
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
  Value done = e.make<flow::AfterOp>(e.tokenType(), index).getToken();
  e.done(done);   // live whichever way it goes
  if (count == 1) // no predicate lets it wait
    return e.result(0, e.gated(e.input(0), done));
  steer(e, e.input(0), index, 0, count);
}

constexpr llvm::StringLiteral kIf = "then_branch else_branch output_shapes";
constexpr llvm::StringLiteral kWhile = "cond body parallel_iterations output_shapes";
constexpr llvm::StringLiteral kCall = "f config config_proto executor_type";

constexpr OpExpansion kOps[] = {
    moving({"PartitionedCall", buildCall, Style::kEffect, kCall}),
    moving({"StatefulPartitionedCall", buildCall, Style::kEffect, kCall}),
    {"RemoteCall", buildCall, Style::kEffect, "f"},
    {"SymbolicGradient", buildSymbolicGradient, Style::kEffect, "f"},
    moving({"If", buildIf, Style::kEffect, kIf}),
    moving({"StatelessIf", buildIf, Style::kEffect, kIf}),
    {"Case", buildCase, Style::kEffect, "branches output_shapes"},
    {"StatelessCase", buildCase, Style::kEffect, "branches output_shapes"},
    moving({"While", buildWhile, Style::kEffect, kWhile}),
    moving({"StatelessWhile", buildWhile, Style::kEffect, kWhile}),
    {"For", buildFor, Style::kEffect, "body"},
    moving({"_Arg", buildArgument, Style::kOwn, "index"}),
    moving({"_Retval", buildReturn, Style::kOwn, "index"}),
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
