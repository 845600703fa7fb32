// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "optimizer": steps of training.
//
// A step for whole variables reads them, computes what they become from the rule in
// runtime/elements/updates.h, and assigns it, so that the arithmetic merges with what is around it.
// Nothing is assigned before all has been computed, so a step that fails changes nothing. A step
// for rows is an op, since a row may be named more than once, and then each step sees what the one
// before has done. So are the three oldest rules.
#include "compiler/import/GraphBuilder.h"
#include "compiler/import/tensorflow/GraphNumber.h"

#include "runtime/elements/updates.h"

using namespace mlir;
namespace element = sluice::rt::element;

namespace sluice::import {

namespace {

// Variables of one element type, that of the node, which `isSupported`.
bool hasVariablesOfFloats(Expansion &e, size_t count, bool takesComplex) {
  if (!e.hasVariables(count))
    return false;
  Type expected = e.typeAttr("T");
  if (!expected)
    return false;
  if (!isa<FloatType>(expected) && !(takesComplex && isa<ComplexType>(expected))) {
    e.unsupported("op " + e.node().opName().str() + " is not supported for " +
                  typeName(e.dataTypeAttr("T")));
    return false;
  }
  for (size_t i = 0; i < count; ++i)
    if (e.valueType(e.input(i)).getElementType() != expected) {
      e.fail(ExitCode::kBadGraph, "input " + std::to_string(i) + ": expected a variable of " +
                                      typeName(e.dataTypeAttr("T")) + " but it holds another type");
      return false;
    }
  return true;
}

// ---- All of the variables

bool isConstantScalar(Value value) {
  auto constant = value.getDefiningOp<nd::ConstantOp>();
  return constant && constant.getValue().getShapedType().getRank() == 0;
}

// In the frame of the node, where ops of constants only are not.
Value inFrameOf(Value token, Expansion &e, Value value) {
  return value.getDefiningOp<nd::ConstantOp>() ? e.gated(value, token) : value;
}

Value withShapeOf(Expansion &e, Value value, Value reference) {
  return e.like<nd::MatchShapeOp>({value, reference});
}

// One step. Parts are called in the order in which they stand here.
class Step {
public:
  explicit Step(Expansion &e) : e_(e) {}

  // What the first inputs hold once all others are there.
  SmallVector<GraphNumber> read(size_t count) {
    SmallVector<Value> triggers;
    for (Value input : e_.inputs().drop_front(count))
      if (!input.getDefiningOp<nd::ConstantOp>())
        triggers.push_back(input);
    triggers.append(e_.tokens().begin(), e_.tokens().end());
    SmallVector<GraphNumber> numbers;
    for (size_t i = 0; i < count; ++i) {
      SmallVector<Value> operands{e_.input(i)};
      operands.append(triggers);
      auto read = e_.make<state::ReadOp>({e_.valueType(e_.input(i)), e_.tokenType()}, operands);
      whenRead_ = read.getDone();
      Value value = read.getValue();
      numbers.push_back({&e_, i == 0 ? value : withShapeOf(e_, value, numbers[0].value)});
    }
    return numbers;
  }

  GraphNumber gradient(size_t input, const GraphNumber &variable) {
    return {&e_, withShapeOf(e_, e_.input(input), variable.value)};
  }

  GraphNumber scalar(size_t input, const GraphNumber &variable, element::Require required) {
    Value value = e_.input(input);
    Type type = e_.elementOf(variable.value);
    bool isScalar = isConstantScalar(value);
    auto known = isScalar ? constantIn(value) : std::nullopt;
    value = inFrameOf(whenRead_, e_, value);
    if (!isScalar)
      value = withShapeOf(e_, value, e_.scalar(e_.elementOf(value), 0));
    if (e_.elementOf(value) != type)
      value = e_.tensor<nd::CastOp>(type, value);
    GraphNumber number{&e_, value, known};
    if (required != element::Require::kNothing)
      require(input, number, required);
    return number;
  }

  void assign(ArrayRef<GraphNumber> before, ArrayRef<GraphNumber> after) {
    SmallVector<Value> waits(checks_), done;
    for (auto [old, value] : llvm::zip_equal(before, after))
      if (value.value != old.value)
        waits.push_back(value.value);
    Value all = e_.graph().joined(waits, e_.loc());
    for (auto [i, value] : llvm::enumerate(after))
      if (value.value != before[i].value)
        done.push_back(e_.make<state::AssignOp>(e_.tokenType(), {e_.input(i), value.value, all},
                                                e_.flag("validate_shape", true))
                           .getDone());
    Value finished = e_.graph().joined(done, e_.loc());
    e_.done(finished);
    e_.forwardVariable(finished);
  }

private:
  // A constant is there before anything else is, so the check waits until variables are read.
  void require(size_t input, const GraphNumber &number, element::Require required) {
    using enum element::Require;
    GraphNumber zero = like(number, 0);
    GraphCondition holds = required == kPositive      ? less(zero, number)
                           : required == kNotNegative ? lessOrEqual(zero, number)
                                                      : lessOrEqual(number, zero);
    if (holds.known == true)
      return;
    std::string text = e_.node().op->inputs[input].name.str() + " must be " +
                       (required == kPositive      ? "above 0"
                        : required == kNotNegative ? "at least 0"
                                                   : "at most 0");
    auto textType = RankedTensorType::get({}, nd::StringType::get(e_.builder().getContext()));
    Value message = nd::ConstantOp::create(e_.builder(), e_.loc(), textType,
                                           DenseStringElementsAttr::get(textType, StringRef(text)));
    Value condition = holds.known ? e_.scalar(e_.builder().getI1Type(), 0) : holds.value;
    checks_.push_back(e_.make<state::AssertOp>(e_.tokenType(),
                                               {condition, message, number.value, whenRead_},
                                               e_.number("summarize", 1))
                          .getDone());
  }

  Expansion &e_;
  Value whenRead_;
  SmallVector<Value> checks_;
};

// Inputs are the variables, scalars, and the gradient behind `kBefore` of them.
template <typename Rule, int kBefore = Rule::kScalars> void apply(Expansion &e) {
  constexpr size_t variables = Rule::kVariables;
  if (!hasVariablesOfFloats(e, variables, Rule::kTakesComplex))
    return;
  Step step(e);
  SmallVector<GraphNumber> before = step.read(variables);
  GraphNumber gradient = step.gradient(variables + kBefore, before[0]);
  SmallVector<GraphNumber> scalars;
  for (size_t i = 0; i < Rule::kScalars; ++i)
    scalars.push_back(step.scalar(variables + i + (i >= kBefore), before[0], Rule::kOfAll[i]));
  SmallVector<GraphNumber> after = before;
  Rule::apply(after.data(), scalars.data(), gradient);
  step.assign(before, after);
}

// By an attribute that says whether there is more to the rule, or less.
constexpr llvm::StringLiteral kNesterov = "use_nesterov", kSlots = "update_slots",
                              kTimesRate = "multiply_linear_by_lr";
template <typename No, typename Yes, const llvm::StringLiteral &kFlag, int kBefore>
void applyEither(Expansion &e) {
  e.boolAttr(kFlag) ? apply<Yes, kBefore>(e) : apply<No, kBefore>(e);
}

// ---- Rows

template <typename Rule> std::string nameOfRule() {
#define SLUICE_ROW_UPDATE(NAME, ...)                                                               \
  if constexpr (std::is_same_v<Rule, element::__VA_ARGS__>)                                        \
    return #NAME;
#include "runtime/elements/row_updates.def"
#undef SLUICE_ROW_UPDATE
}

// The indices come right behind the gradient.
template <typename Rule, int kBefore = Rule::kScalars> void applyToRows(Expansion &e) {
  constexpr size_t variables = Rule::kVariables;
  if (!hasVariablesOfFloats(e, variables, Rule::kTakesComplex))
    return;
  SmallVector<Value> operands(e.inputs().take_front(variables));
  Type type = e.valueType(e.input(0)).getElementType();
  for (size_t i = 0; i < Rule::kScalars; ++i) {
    Value scalar = e.input(variables + i + (i >= kBefore ? 2 : 0));
    if (e.elementOf(scalar) != type)
      scalar = e.tensor<nd::CastOp>(
          type, inFrameOf(e.graph().joined(e.inputs().drop_front(variables), e.loc()), e, scalar));
    operands.push_back(scalar);
  }
  operands.push_back(e.input(variables + kBefore));
  operands.push_back(e.input(variables + kBefore + 1));
  auto op = e.effect<state::UpdateRowsOp>({}, operands, e.text("rule", nameOfRule<Rule>()));
  e.forwardVariable(op.getDone());
}

template <typename No, typename Yes, const llvm::StringLiteral &kFlag, int kBefore>
void applyToRowsEither(Expansion &e) {
  e.boolAttr(kFlag) ? applyToRows<Yes, kBefore>(e) : applyToRows<No, kBefore>(e);
}

// ---- Rules that are ops

template <typename OpT, size_t kVariables>
void update(Expansion &e, ArrayRef<NamedAttribute> attributes = {}) {
  if (hasVariablesOfFloats(e, kVariables, /*takesComplex=*/false))
    e.forwardVariable(e.effect<OpT>({}, e.inputs(), attributes).getDone());
}

void gradientDescent(Expansion &e) { update<state::ApplyGradientDescentOp, 1>(e); }
void momentum(Expansion &e) {
  update<state::ApplyMomentumOp, 2>(e, e.flag(kNesterov, e.boolAttr(kNesterov)));
}
void adam(Expansion &e) {
  update<state::ApplyAdamOp, 3>(e, e.flag(kNesterov, e.boolAttr(kNesterov)));
}

// ---- The table

using namespace element;

constexpr auto adagrad = applyEither<Adagrad<false>, Adagrad<true>, kSlots, 1>;
constexpr auto adagradV2 =
    applyEither<AdagradWithEpsilon<false>, AdagradWithEpsilon<true>, kSlots, 2>;
constexpr auto ftrl = applyEither<Ftrl<false, false>, Ftrl<true, false>, kTimesRate, 0>;
constexpr auto ftrlV2 = applyEither<Ftrl<false, true>, Ftrl<true, true>, kTimesRate, 0>;
constexpr auto kerasMomentum = applyEither<KerasMomentum<false>, KerasMomentum<true>, kNesterov, 1>;

constexpr auto adagradRows = applyToRowsEither<Adagrad<false>, Adagrad<true>, kSlots, 1>;
constexpr auto adagradV2Rows =
    applyToRowsEither<AdagradWithEpsilon<false>, AdagradWithEpsilon<true>, kSlots, 2>;
constexpr auto ftrlRows = applyToRowsEither<Ftrl<false, false>, Ftrl<true, false>, kTimesRate, 0>;
constexpr auto ftrlV2Rows = applyToRowsEither<Ftrl<false, true>, Ftrl<true, true>, kTimesRate, 0>;
constexpr auto momentumRows = applyToRowsEither<Momentum<false>, Momentum<true>, kNesterov, 1>;
constexpr auto kerasMomentumRows =
    applyToRowsEither<KerasMomentum<false>, KerasMomentum<true>, kNesterov, 1>;

constexpr OpExpansion kOps[] = {
    {"ApplyGradientDescent", gradientDescent, Style::kEffect},
    {"ResourceApplyGradientDescent", gradientDescent, Style::kEffect},
    {"ApplyMomentum", momentum, Style::kEffect, kNesterov},
    {"ResourceApplyMomentum", momentum, Style::kEffect, kNesterov},
    {"ApplyAdam", adam, Style::kEffect, kNesterov},
    {"ResourceApplyAdam", adam, Style::kEffect, kNesterov},
    {"ResourceApplyKerasMomentum", kerasMomentum, Style::kEffect, kNesterov},
    {"ApplyAdagrad", adagrad, Style::kEffect, kSlots},
    {"ResourceApplyAdagrad", adagrad, Style::kEffect, kSlots},
    {"ApplyAdagradV2", adagradV2, Style::kEffect, kSlots},
    {"ResourceApplyAdagradV2", adagradV2, Style::kEffect, kSlots},
    {"ApplyAdagradDA", apply<AdagradDual, 0>, Style::kEffect},
    {"ResourceApplyAdagradDA", apply<AdagradDual, 0>, Style::kEffect},
    {"ApplyAdadelta", apply<Adadelta>, Style::kEffect},
    {"ResourceApplyAdadelta", apply<Adadelta>, Style::kEffect},
    {"ApplyProximalGradientDescent", apply<ProximalGradientDescent>, Style::kEffect},
    {"ResourceApplyProximalGradientDescent", apply<ProximalGradientDescent>, Style::kEffect},
    {"ApplyProximalAdagrad", apply<ProximalAdagrad>, Style::kEffect},
    {"ResourceApplyProximalAdagrad", apply<ProximalAdagrad>, Style::kEffect},
    {"ApplyFtrl", ftrl, Style::kEffect, kTimesRate},
    {"ResourceApplyFtrl", ftrl, Style::kEffect, kTimesRate},
    {"ApplyFtrlV2", ftrlV2, Style::kEffect, kTimesRate},
    {"ResourceApplyFtrlV2", ftrlV2, Style::kEffect, kTimesRate},
    {"ApplyRMSProp", apply<RmsProp>, Style::kEffect},
    {"ResourceApplyRMSProp", apply<RmsProp>, Style::kEffect},
    {"ApplyCenteredRMSProp", apply<CenteredRmsProp>, Style::kEffect},
    {"ResourceApplyCenteredRMSProp", apply<CenteredRmsProp>, Style::kEffect},
    {"ApplyAdaMax", apply<AdaMax>, Style::kEffect},
    {"ResourceApplyAdaMax", apply<AdaMax>, Style::kEffect},
    {"ResourceApplyAdamWithAmsgrad", apply<AdamWithLargest>, Style::kEffect},
    {"ApplyAddSign", apply<AddSign>, Style::kEffect},
    {"ResourceApplyAddSign", apply<AddSign>, Style::kEffect},
    {"ApplyPowerSign", apply<PowerSign>, Style::kEffect},
    {"ResourceApplyPowerSign", apply<PowerSign>, Style::kEffect},
    {"SparseApplyMomentum", momentumRows, Style::kEffect, kNesterov},
    {"ResourceSparseApplyMomentum", momentumRows, Style::kEffect, kNesterov},
    {"ResourceSparseApplyKerasMomentum", kerasMomentumRows, Style::kEffect, kNesterov},
    {"SparseApplyAdagrad", adagradRows, Style::kEffect, kSlots},
    {"ResourceSparseApplyAdagrad", adagradRows, Style::kEffect, kSlots},
    {"SparseApplyAdagradV2", adagradV2Rows, Style::kEffect, kSlots},
    {"ResourceSparseApplyAdagradV2", adagradV2Rows, Style::kEffect, kSlots},
    {"SparseApplyAdagradDA", applyToRows<AdagradDual, 0>, Style::kEffect},
    {"ResourceSparseApplyAdagradDA", applyToRows<AdagradDual, 0>, Style::kEffect},
    {"SparseApplyAdadelta", applyToRows<Adadelta>, Style::kEffect},
    {"ResourceSparseApplyAdadelta", applyToRows<Adadelta>, Style::kEffect},
    {"SparseApplyProximalGradientDescent", applyToRows<ProximalGradientDescent>, Style::kEffect},
    {"ResourceSparseApplyProximalGradientDescent", applyToRows<ProximalGradientDescent>,
     Style::kEffect},
    {"SparseApplyProximalAdagrad", applyToRows<ProximalAdagrad>, Style::kEffect},
    {"ResourceSparseApplyProximalAdagrad", applyToRows<ProximalAdagrad>, Style::kEffect},
    {"SparseApplyFtrl", ftrlRows, Style::kEffect, kTimesRate},
    {"ResourceSparseApplyFtrl", ftrlRows, Style::kEffect, kTimesRate},
    {"SparseApplyFtrlV2", ftrlV2Rows, Style::kEffect, kTimesRate},
    {"ResourceSparseApplyFtrlV2", ftrlV2Rows, Style::kEffect, kTimesRate},
    {"SparseApplyRMSProp", applyToRows<RmsPropOfRows>, Style::kEffect},
    {"ResourceSparseApplyRMSProp", applyToRows<RmsPropOfRows>, Style::kEffect},
    {"SparseApplyCenteredRMSProp", applyToRows<CenteredRmsPropOfRows>, Style::kEffect},
    {"ResourceSparseApplyCenteredRMSProp", applyToRows<CenteredRmsPropOfRows>, Style::kEffect},
};

} // namespace

ArrayRef<OpExpansion> optimizerOps() { return kOps; }

} // namespace sluice::import
