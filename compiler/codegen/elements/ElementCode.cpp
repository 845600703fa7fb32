// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table from ops to the code of their element functions, which are those of the plain kernels.
#include "compiler/codegen/elements/ElementCode.h"

#include "compiler/codegen/elements/ElementTypes.h"
#include "compiler/codegen/elements/EmittedNumbers.h"
#include "compiler/codegen/elements/NumberKinds.h"
#include "dialects/nd/AllOps.h"
#include "dialects/sci/AllOps.h"
#include "dialects/wire/Memory.h"
#include "runtime/elements/arithmetic.h"
#include "runtime/elements/division.h"
#include "runtime/elements/functions.h"
#include "runtime/elements/special.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace sluice::codegen {

#define SLUICE_LIBRARY(OP, FUNCTION, OPERANDS)                                                     \
  template <> struct LibraryName<rt::element::FUNCTION> {                                          \
    static constexpr StringRef kName = #OP;                                                        \
  };
#include "runtime/elements/elements.def"

namespace {

Type elementOf(Operation *op) {
  return cast<ShapedType>(op->getOperand(0).getType()).getElementType();
}
Type resultElementOf(Operation *op) {
  return cast<ShapedType>(op->getResult(0).getType()).getElementType();
}
TypeSet setOf(Value value) {
  auto tensor = dyn_cast<TensorType>(value.getType());
  return tensor ? typeSetOf(tensor.getElementType()) : 0;
}

// ---- The table ----------------------------------------------------------------------------------

using EmitFn = Value (*)(ImplicitLocOpBuilder &, Operation *, ValueRange);

// Operands and results are converted around the function, which rounds nothing to 16 bits inside.
template <typename Function, TypeSet set, size_t... operands>
Value emitFunction(ImplicitLocOpBuilder &b, Operation *op, ValueRange x) {
  Type element = elementOf(op);
  Value result = withKind<set>(computeType(element), [&]<NumberKind kind>() {
    return Function::apply(Emitted<kind>{&b, toComputeType(b, x[operands], element)}...).value;
  });
  return fromComputeType(b, result, resultElementOf(op));
}
template <typename Function, TypeSet set> constexpr EmitFn kUnary = emitFunction<Function, set, 0>;
template <typename Function, TypeSet set>
constexpr EmitFn kBinary = emitFunction<Function, set, 0, 1>;

// What is asked of the second operand.
struct ConditionCode {
  bool (*applies)(Type element);
  bool (*isBrokenBy)(const APInt &y);
  Value (*emitBroken)(ImplicitLocOpBuilder &, Operation *, Value);
  FailureReason reason;
};

template <typename Condition> constexpr FailureReason kReason = FailureReason::kDivisionByZero;
template <>
constexpr FailureReason kReason<rt::element::NotNegative> = FailureReason::kNegativeExponent;

template <typename Condition>
Value emitBroken(ImplicitLocOpBuilder &b, Operation *op, Value second) {
  return withKind<type_sets::INT>(elementOf(op), [&]<NumberKind kind>() {
    return Condition::isBrokenBy(Emitted<kind>{&b, second}).value;
  });
}
template <typename Condition>
constexpr ConditionCode kCondition = {
    [](Type element) {
      return typeSetOf(element) == type_sets::INT &&
             (isUnsigned(element) ? Condition::template kApplies<uint64_t>
                                  : Condition::template kApplies<int64_t>);
    },
    [](const APInt &y) { return Condition::isBrokenBy(y.getSExtValue()); }, emitBroken<Condition>,
    kReason<Condition>};

struct ElementCode {
  TypeSet set = 0; // of the first operand
  EmitFn emit = nullptr;
  const ConditionCode *condition = nullptr;
};

Value emitCastOf(ImplicitLocOpBuilder &b, Operation *op, ValueRange x) {
  return emitCast(b, x[0], elementOf(op), resultElementOf(op));
}
Value emitSelect(ImplicitLocOpBuilder &b, Operation *, ValueRange x) {
  return arith::SelectOp::create(b, x[0], x[1], x[2]);
}

// Each op with the face is in the table, and no other.
template <typename Op> constexpr bool kIsListed = false;
template <> constexpr bool kIsListed<nd::CastOp> = true;
template <> constexpr bool kIsListed<nd::SelectOp> = true;
#define SLUICE_LISTED(OP, FUNCTION)                                                                \
  template <> constexpr bool kIsListed<nd::FUNCTION##Op> = kNameOf<nd::FUNCTION##Op> == "nd." #OP;
#define SLUICE_UNARY(OP, FUNCTION, SET) SLUICE_LISTED(OP, FUNCTION)
#define SLUICE_FUNCTION(OP, FUNCTION, SET) SLUICE_LISTED(OP, FUNCTION)
#define SLUICE_PREDICATE(OP, FUNCTION, SET) SLUICE_LISTED(OP, FUNCTION)
#define SLUICE_BINARY(OP, FUNCTION, SET) SLUICE_LISTED(OP, FUNCTION)
#define SLUICE_COMPARISON(OP, FUNCTION, SET) SLUICE_LISTED(OP, FUNCTION)
#define SLUICE_DIVISION(OP, FUNCTION, SET, CONDITION, WORK) SLUICE_LISTED(OP, FUNCTION)
#include "runtime/elements/elements.def"
#define SLUICE_LISTED_SPECIAL(OP, FUNCTION)                                                        \
  template <>                                                                                      \
  constexpr bool kIsListed<sci::FUNCTION##Op> = kNameOf<sci::FUNCTION##Op> == "sci." #OP;
#define SLUICE_SPECIAL(OP, FUNCTION) SLUICE_LISTED_SPECIAL(OP, FUNCTION)
#define SLUICE_SPECIAL_OF_TWO(OP, FUNCTION) SLUICE_LISTED_SPECIAL(OP, FUNCTION)
#include "runtime/elements/special.def"

template <typename... Ops> constexpr bool facesAreListed(OpTypes<Ops...>) {
  return ((kIsListed<Ops> == Ops::template hasTrait<OfElements>()) && ...);
}
static_assert(facesAreListed(nd::AllOps()),
              "expected ops with the face OfElements to be those of runtime/elements/elements.def");
static_assert(facesAreListed(sci::AllOps()),
              "expected ops with the face OfElements to be those of runtime/elements/special.def");

const llvm::StringMap<ElementCode> &table() {
  using namespace rt::element;
  using namespace type_sets;
  static const llvm::StringMap<ElementCode> all = {
#define SLUICE_UNARY(OP, FUNCTION, SET) {"nd." #OP, {SET, kUnary<FUNCTION, SET>}},
#define SLUICE_FUNCTION(OP, FUNCTION, SET) {"nd." #OP, {SET, kUnary<FUNCTION, SET>}},
#define SLUICE_PREDICATE(OP, FUNCTION, SET) {"nd." #OP, {SET, kUnary<FUNCTION, SET>}},
#define SLUICE_BINARY(OP, FUNCTION, SET) {"nd." #OP, {SET, kBinary<FUNCTION, SET>}},
#define SLUICE_COMPARISON(OP, FUNCTION, SET) {"nd." #OP, {SET, kBinary<FUNCTION, SET>}},
#define SLUICE_DIVISION(OP, FUNCTION, SET, CONDITION, WORK)                                        \
  {"nd." #OP, {SET, kBinary<FUNCTION, SET>, &kCondition<CONDITION>}},
#include "runtime/elements/elements.def"
#define SLUICE_SPECIAL(OP, FUNCTION) {"sci." #OP, {FLOAT, kUnary<FUNCTION, FLOAT>}},
#define SLUICE_SPECIAL_OF_TWO(OP, FUNCTION) {"sci." #OP, {FLOAT, kBinary<FUNCTION, FLOAT>}},
#include "runtime/elements/special.def"
      {nd::CastOp::getOperationName(), {ANY, emitCastOf}},
      {nd::SelectOp::getOperationName(), {ANY, emitSelect}}};
  return all;
}

const ElementCode &codeOf(Operation *op) {
  static const ElementCode none;
  auto found = table().find(op->getName().getStringRef());
  return found == table().end() ? none : found->second;
}

} // namespace

bool choosesRows(OpOperand &operand) {
  auto select = dyn_cast<nd::SelectOp>(operand.getOwner());
  auto type = cast<RankedTensorType>(operand.get().getType());
  return select && select.getLeading() && operand.getOperandNumber() == 0 && type.getRank() == 1;
}

bool canEmitElement(Operation *op) {
  auto hasCode = [](Value value) { return setOf(value) != 0; };
  return op->hasTrait<OfElements>() && (codeOf(op).set & setOf(op->getOperand(0))) &&
         llvm::all_of(op->getOperands(), hasCode) && llvm::all_of(op->getResults(), hasCode);
}

Value emitElement(ImplicitLocOpBuilder &b, Operation *op, ValueRange operands) {
  return codeOf(op).emit(b, op, operands);
}

bool mayRefuseElements(Operation *op) {
  const ConditionCode *condition = codeOf(op).condition;
  if (!condition || !condition->applies(elementOf(op)))
    return false;
  auto constant = op->getOperand(1).getDefiningOp<nd::ConstantOp>();
  auto values = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : nullptr;
  return !values || llvm::any_of(values.getValues<APInt>(), condition->isBrokenBy);
}

bool elementCanFail(Operation *op) {
  return mayRefuseElements(op) && !wire::cardOf(op->getResult(0));
}

Value elementFault(ImplicitLocOpBuilder &b, Operation *op, Value second) {
  return codeOf(op).condition->emitBroken(b, op, second);
}
FailureReason failureOf(Operation *op) { return codeOf(op).condition->reason; }

} // namespace sluice::codegen
