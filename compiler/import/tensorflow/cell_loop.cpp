// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "cell" that are all steps of a recurrent net, and their derivative:
// loops over the steps of what is one step in cell.cpp.
#include "compiler/import/tensorflow/Cells.h"
#include "compiler/import/tensorflow/Checks.h"
#include "compiler/import/tensorflow/FunctionCalls.h"

#include "dialects/list/List.h"

using namespace mlir;

namespace sluice::import {

namespace {

// ---- Lists, an element for each step

Type listOf(Type element) { return list::OfType::get(element.getContext(), element); }

// One whose elements are zeros of these dims.
Value zeros(Expansion &e, Value size, Type elementType, Value dims) {
  Type element = unrankedOf(elementType);
  Value list = e.make<list::MakeOp>(listOf(element), size,
                                    {e.type("element_shape", element), e.flag("identical", false)});
  return e.make<list::DeclareShapeOp>(list.getType(), ValueRange{list, dims});
}
Value steps(Expansion &e, Value x) {
  Type element = unrankedOf(e.elementOf(x));
  return e.make<list::UnstackOp>(listOf(element), x, e.type("element_shape", element));
}
Value at(Expansion &e, Value list, Value step, Value like) {
  Type element = unrankedOf(e.elementOf(like));
  return e.make<list::PeekOp>(element, ValueRange{list, step}, e.type("element_shape", element));
}
Value with(Expansion &e, Value list, Value step, Value value) {
  return e.make<list::SetOp>(list.getType(), ValueRange{list, step, value},
                             {e.flag("grow", false), e.flag("once", false)});
}
Value stacked(Expansion &e, Value list, Value like) {
  Type element = unrankedOf(e.elementOf(like));
  return e.make<list::StackOp>(element, list,
                               {e.type("element_shape", element), e.number("num_elements", -1)});
}
// Two tensors in one, the first of which is a step.
Value behind(Expansion &e, Value first, Value rest) {
  Value step = e.like<nd::ExpandDimsOp>({first, e.int32(0)});
  return e.like<nd::ConcatOp>({step, rest, e.int32(0)});
}

// ---- Loops

// Gives the carried values behind a step of all but its number.
using Step =
    llvm::function_ref<SmallVector<Value>(Value step, ValueRange carried, ValueRange captures)>;

// Steps from 0 on, or down to it, as long as `first` carries on.
SmallVector<Value> overSteps(Expansion &e, Value count, bool isBackwards, ArrayRef<Value> inits,
                             ArrayRef<Value> captures, Step step) {
  Value one = e.int32(1), none = sub(e, count, count);
  SmallVector<Value> carried{isBackwards ? sub(e, count, one) : none}, taken{count};
  llvm::append_range(carried, inits);
  llvm::append_range(taken, captures);
  SmallVector<Value> tokens = tokensOfCall(e);
  SmallVector<Type> carriedTypes;
  for (Value &value : carried) {
    carriedTypes.push_back(typeAsArgument(value.getType()));
    value = e.gated(value, tokens);
  }
  SmallVector<Type> types(carriedTypes);
  llvm::append_range(types, ValueRange(taken).getTypes());
  auto loop = flow::WhileOp::create(e.builder(), e.loc(), carriedTypes, carried, taken, e.name(),
                                    /*parallel_iterations=*/10);
  OpBuilder::InsertionGuard guard(e.builder());
  size_t size = carried.size();
  Block &before = beginRegion(e, loop.getBefore(), types);
  Value number = before.getArgument(0);
  Value goesOn = isBackwards ? e.compare<nd::GreaterEqualOp>(number, e.int32(0))
                             : e.compare<nd::LessOp>(number, before.getArgument(size));
  flow::ConditionOp::create(e.builder(), e.loc(), goesOn, before.getArguments().take_front(size));
  Block &body = beginRegion(e, loop.getBody(), types);
  ValueRange arguments = body.getArguments();
  number = arguments[0];
  SmallVector<Value> next =
      step(number, arguments.slice(1, size - 1), arguments.drop_front(size + 1));
  next.insert(next.begin(), add(e, number, e.int32(isBackwards ? -1 : 1)));
  flow::YieldOp::create(e.builder(), e.loc(), next);
  return SmallVector<Value>(loop.getResults().drop_front());
}

// ---- Long short-term memory: seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b

// TensorFlow refuses other ranks, and does not survive more steps than x has.
SmallVector<Value> checkedBlock(Expansion &e, ArrayRef<Value> inputs) {
  constexpr std::pair<llvm::StringLiteral, int64_t> kRanks[] = {
      {"seq_len_max", 0}, {"x", 3},   {"cs_prev", 2}, {"h_prev", 2}, {"w", 2},
      {"wci", 1},         {"wcf", 1}, {"wco", 1},     {"b", 1}};
  Checks checks(e);
  for (auto [i, input] : llvm::enumerate(kRanks))
    checks.require(e.compare<nd::EqualOp>(rankOf(e, inputs[i]), e.int32(input.second)),
                   input.first.str() + " must be rank " + std::to_string(input.second),
                   rankOf(e, inputs[i]));
  Type wide = e.builder().getI64Type();
  Value size = converted(e, part(e, dimsOf(e, inputs[1]), e.int32(0), e.int32(1)), wide);
  checks.require(e.compare<nd::LessEqualOp>(inputs[0], size),
                 "expected at most as many steps as x has", inputs[0]);
  checks.require(e.compare<nd::GreaterEqualOp>(inputs[0], e.scalar(wide, 0)),
                 "expected a number of steps that is not negative", inputs[0]);
  SmallVector<Value> checked(inputs);
  for (size_t i : {0, 1})
    checked[i] = checks.checked(checked[i]);
  checked[0] = converted(e, checked[0], e.builder().getI32Type());
  return checked;
}

LstmWeights weightsOf(Expansion &e, ArrayRef<Value> w, bool isNewFirst) {
  int64_t newAt = isNewFirst ? 1 : 2;
  return {w[0], w[1], w[2], w[3], w[4], e.boolAttr("use_peephole"), newAt, 3 - newAt};
}

// The state that is kept has the derivative of the one that was computed, whether it is clipped or
// not, and of the results only the states and the last ones have any.
template <bool kIsNewFirst> void lstm(Expansion &e) {
  auto in = checkedBlock(e, e.afterAllInputs(e.inputs()));
  double clip = e.floatAttr("cell_clip"), bias = kIsNewFirst ? e.floatAttr("forget_bias") : 0;
  auto keep = [&](Value state) {
    if (clip <= 0)
      return state;
    Value kept = e.like<nd::StopGradientOp>(clipped(e, state, clip));
    return add(e, kept, sub(e, state, e.like<nd::StopGradientOp>(state)));
  };
  Value size = single(e, part(e, dimsOf(e, in[1]), e.int32(0), e.int32(1)));
  SmallVector<Value> inits{in[2], in[3]};
  for (int i = 0; i < 7; ++i)
    inits.push_back(zeros(e, size, e.elementOf(in[2]), dimsOf(e, in[2])));
  SmallVector<Value> captures{steps(e, in[1])};
  llvm::append_range(captures, ArrayRef(in).drop_front(4));
  auto results =
      overSteps(e, in[0], /*isBackwards=*/false, inits, captures,
                [&](Value number, ValueRange carried, ValueRange taken) {
                  SmallVector<Value> weights(taken.drop_front());
                  LstmStep step =
                      lstmStep(e, weightsOf(e, weights, kIsNewFirst), bias,
                               at(e, taken[0], number, carried[0]), carried[0], carried[1], keep);
                  SmallVector<Value> next{step.cs, step.h};
                  Value made[] = {step.i, step.cs, step.f, step.o, step.ci, step.co, step.h};
                  for (auto [list, value] : llvm::zip_equal(carried.drop_front(2), made))
                    next.push_back(with(e, list, number, value));
                  return next;
                });
  for (uint32_t slot = 0; slot < 7; ++slot) {
    Value result = stacked(e, results[2 + slot], in[2]);
    bool hasDerivative = slot == 1 || slot == 6;
    e.result(slot, hasDerivative ? result : e.like<nd::StopGradientOp>(result));
  }
}

// …, i, cs, f, o, ci, co, h, cs_grad, h_grad
template <bool kIsNewFirst> void lstmGrad(Expansion &e) {
  auto in = checkedBlock(e, e.afterAllInputs(e.inputs()));
  Value inputs = part(e, dimsOf(e, in[1]), e.int32(2), e.int32(1)), width = widthOf(e, in[2]);
  bool hasPeepholes = e.boolAttr("use_peephole");
  auto none = [&](Value like) { return sub(e, like, like); };
  // of state and result, of w, wci, wcf, wco, b, and of x
  SmallVector<Value> inits{none(in[2]), none(in[3])};
  for (int i = 4; i < 9; ++i)
    inits.push_back(none(in[i]));
  Value size = single(e, part(e, dimsOf(e, in[1]), e.int32(0), e.int32(1)));
  inits.push_back(
      zeros(e, size, e.elementOf(in[1]), import::from(e, dimsOf(e, in[1]), e.int32(1))));
  SmallVector<Value> captures(ArrayRef(in).slice(4, 5));
  captures.append({inputs, width, steps(e, in[1]), steps(e, behind(e, in[2], in[10])),
                   steps(e, behind(e, in[3], in[15]))});
  for (int i : {9, 10, 11, 12, 13, 14, 16, 17}) // i, cs, f, o, ci, co, cs_grad, h_grad
    captures.push_back(steps(e, in[i]));
  auto results = overSteps(
      e, in[0], /*isBackwards=*/true, inits, captures,
      [&](Value number, ValueRange carried, ValueRange taken) {
        SmallVector<Value> w(taken.take_front(5)), now;
        for (Value list : taken.drop_front(7))
          now.push_back(at(e, list, number, carried[0]));
        LstmWeights weights = weightsOf(e, w, kIsNewFirst);
        LstmStep step{now[3], now[4], now[5], now[6], now[7], now[8], Value()};
        Value before = now[1];
        LstmSlopes slopes = lstmSlopes(e, weights, step, before, add(e, now[9], carried[0]),
                                       add(e, now[10], carried[1]));
        Value gates = slopes.gates(e, weights), joint = columns(e, {now[0], now[2]});
        Value ofJoint = matrixProduct(e, gates, weights.w, false, /*transposesB=*/true);
        Value ofX = e.like<nd::SliceOp>(
            {ofJoint, e.ints({0, 0}), import::joined(e, {e.ints({-1}), taken[5]})});
        Value ofResult = e.like<nd::SliceOp>({ofJoint, import::joined(e, {e.ints({0}), taken[5]}),
                                              import::joined(e, {e.ints({-1}), taken[6]})});
        auto peephole = [&](Value sum, Value slope, Value state) {
          return hasPeepholes ? add(e, sum, sumOfRows(e, mul(e, slope, state))) : sum;
        };
        return SmallVector<Value>{
            slopes.before,
            ofResult,
            add(e, carried[2], matrixProduct(e, joint, gates, /*transposesA=*/true)),
            peephole(carried[3], slopes.i, before),
            peephole(carried[4], slopes.f, before),
            peephole(carried[5], slopes.o, step.cs),
            add(e, carried[6], sumOfRows(e, gates)),
            with(e, carried[7], number, ofX)};
      });
  e.result(0, stacked(e, results[7], in[1]));
  for (uint32_t slot = 1; slot < 8; ++slot)
    e.result(slot, results[slot - 1]);
}

constexpr OpExpansion kOps[] = {
    {"BlockLSTM", lstm<true>, Style::kPure, "forget_bias cell_clip use_peephole"},
    {"BlockLSTMV2", lstm<false>, Style::kPure, "cell_clip use_peephole"},
    {"BlockLSTMGrad", lstmGrad<true>, Style::kPure, "use_peephole"},
    {"BlockLSTMGradV2", lstmGrad<false>, Style::kPure, "use_peephole"},
};

} // namespace

ArrayRef<OpExpansion> cellLoopOps() { return kOps; }

} // namespace sluice::import
