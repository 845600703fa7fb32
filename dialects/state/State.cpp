// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registration and verifiers of the state dialect.
#include "dialects/state/State.h"

#include "dialects/flow/Compatible.h"
#include "dialects/nd/Verify.h"
#include "runtime/elements/updates.h"
#include "runtime/program/node_kind.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

#include "dialects/state/StateDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/state/StateTypes.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/state/StateOps.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/state/TableOps.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/state/QueueOps.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/state/CoordinationOps.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/state/StageOps.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/state/CheckpointOps.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/state/FileOps.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/state/ReaderOps.cpp.inc"

using namespace mlir;
using namespace sluice;
using namespace sluice::state;

void StateDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/state/StateTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/state/StateOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "dialects/state/TableOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "dialects/state/QueueOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "dialects/state/CoordinationOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "dialects/state/StageOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "dialects/state/CheckpointOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "dialects/state/FileOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "dialects/state/ReaderOps.cpp.inc"
      >();
}

LogicalResult VariableOp::verify() {
  if (!isa<TensorType, list::OfType>(getType()))
    return emitOpError("expected a tensor type or a list but got ") << getType(); // C1
  if (getKey().empty())
    return emitOpError("expected a key but got an empty one"); // C2
  std::optional<ElementsAttr> initial = getInitial();
  if (initial && !sluice::flow::mayBecome(initial->getType(), getType())) // C3
    return emitOpError("expected an initial value of type ")
           << getType() << " but got one of type " << initial->getType();
  return success();
}

LogicalResult GeneratorOp::verify() {
  if (getKey().empty())
    return emitOpError("expected a key but got an empty one"); // C1
  return success();
}

LogicalResult ObjectOp::verify() {
  if (getKey().empty())
    return emitOpError("expected a key but got an empty one"); // C1
  StringRef kind = getKind();
  auto known = rt::resourceKindOf({kind.data(), kind.size()});
  if (known && *known >= rt::ResourceKind::kTable) // C2
    return success();
  InFlightDiagnostic error = emitOpError("expected kind ");
  for (auto other = rt::ResourceKind::kTable; other <= rt::ResourceKind::kLast;
       other = static_cast<rt::ResourceKind>(static_cast<uint8_t>(other) + 1))
    error << (other > rt::ResourceKind::kTable ? ", " : "") << '"' << StringRef(rt::kindName(other))
          << '"';
  return error << " but got " << getKindAttr();
}

LogicalResult UpdatePointsOp::verify() { return nd::verifyHowToUpdate(*this, getHow()); } // C3

LogicalResult CheckNumbersOp::verify() {
  if (llvm::is_contained({"zero", "negative"}, getRefused()))
    return success();
  return emitOpError("expected refused \"zero\" or \"negative\" but got ")
         << getRefusedAttr(); // C2
}

// ---- Rows

namespace {
struct RuleOperands {
  StringRef name;
  size_t variables, scalars;
};
constexpr RuleOperands kRules[] = {
#define SLUICE_ROW_UPDATE(NAME, ...)                                                               \
  {#NAME, rt::element::__VA_ARGS__::kVariables, rt::element::__VA_ARGS__::kScalars},
#include "runtime/elements/row_updates.def"
#undef SLUICE_ROW_UPDATE
};
} // namespace

// How many of the operands from `first` on are variables; tokens come last.
static size_t numVariables(OperandRange operands) {
  return llvm::count_if(
      operands, [](Value operand) { return isa<RefType, ResourceType>(operand.getType()); });
}
static bool isScalar(Value runs) {
  auto type = dyn_cast<RankedTensorType>(runs.getType());
  return type && type.getRank() == 0;
}
static bool areTokens(ValueRange operands) {
  return llvm::all_of(operands.getTypes(), llvm::IsaPred<flow::TokenType>);
}

LogicalResult TakeOp::verify() {
  size_t variables = numVariables(getVariables());
  if (variables == 0 || variables != getValues().size() ||
      numVariables(getVariables().take_front(variables)) != variables ||
      !areTokens(getVariables().drop_front(variables))) // C1
    return emitOpError("expected a variable for each of the ")
           << getValues().size() << " values, and then tokens";
  for (auto [variable, value] : llvm::zip(getVariables(), getValues()))
    if (!flow::mayBecome(heldBy(variable), value.getType())) // C1
      return emitOpError("expected a value of the variable, ")
             << heldBy(variable) << ", got " << value.getType();
  if (!isScalar(getRuns())) // C2
    return emitOpError("expected a scalar that says whether the values are needed, got ")
           << getRuns().getType();
  return success();
}

LogicalResult GiveOp::verify() {
  size_t variables = numVariables(getNames());
  auto isValue = [](Value value) { return isa<TensorType>(value.getType()); };
  if (variables == 0 || getNames().size() < 2 * variables ||
      numVariables(getNames().take_front(variables)) != variables ||
      !llvm::all_of(getNames().slice(variables, variables), isValue) ||
      !areTokens(getNames().drop_front(2 * variables))) // C1
    return emitOpError("expected variables, as many values, and then tokens");
  if (!isScalar(getRuns())) // C2
    return emitOpError("expected a scalar that says whether there are values, got ")
           << getRuns().getType();
  return success();
}

LogicalResult UpdateRowsOp::verify() {
  auto rule = llvm::find_if(kRules, [&](const RuleOperands &r) { return r.name == getRule(); });
  if (rule == std::end(kRules))
    return emitOpError("expected the name of a rule but got ") << getRuleAttr(); // C1
  size_t tensors = rule->scalars + 2, count = rule->variables + tensors;
  bool fits = getOperands().size() >= count;
  for (auto [i, operand] : llvm::enumerate(getOperands())) {
    Type type = operand.getType();
    fits &= i < rule->variables ? isa<RefType, ResourceType>(type)
            : i < count         ? isa<TensorType>(type)
                                : isa<flow::TokenType>(type);
  }
  if (fits)
    return success();
  return emitOpError("expected ") << rule->variables << " variables, " << tensors
                                  << " tensors and tokens, as the rule " << getRuleAttr()
                                  << " has them"; // C2
}

// ---- Checkpoints

LogicalResult SaveTensorsOp::verify() {
  if (!llvm::is_contained({"bundle", "table"}, getForm()))
    return emitOpError("expected form \"bundle\" or \"table\" but got ") << getFormAttr(); // C2
  bool isToken = false;
  for (Value value : getTensors()) {
    bool wasToken = std::exchange(isToken, isa<flow::TokenType>(value.getType()));
    if ((wasToken && !isToken) || (!isToken && !isa<TensorType>(value.getType())))
      return emitOpError("expected tensors and, behind them, tokens but got ")
             << value.getType(); // C3
  }
  return success();
}

LogicalResult RestoreTensorsOp::verify() {
  if (!llvm::is_contained({"any", "table"}, getForm()))
    return emitOpError("expected form \"any\" or \"table\" but got ") << getFormAttr(); // C2
  return success();
}

// C1 and C2 of state.reference and state.handle.
template <typename OpT> static LogicalResult verifyVariable(OpT op, SymbolTableCollection &tables) {
  auto variable = tables.lookupNearestSymbolFrom<VariableOp>(op, op.getVariableAttr());
  if (!variable)
    return op.emitOpError("expected the name of a state.variable but got ") << op.getVariableAttr();
  Type declared = getElementTypeOrSelf(variable.getType());
  Type actual = getElementTypeOrSelf(op.getResult().getType().getValue());
  if (declared == actual)
    return success();
  InFlightDiagnostic error = op.emitOpError("expected the variable's element type ")
                             << declared << " but got " << actual;
  error.attachNote(variable.getLoc()) << "the variable is declared here";
  return error;
}

LogicalResult ReferenceOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyVariable(*this, tables);
}
LogicalResult HandleOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyVariable(*this, tables);
}

template <typename Op> static LogicalResult verifyGenerator(Op op, SymbolTableCollection &tables) {
  if (tables.lookupNearestSymbolFrom<GeneratorOp>(op, op.getGeneratorAttr())) // C1
    return success();
  return op.emitOpError("expected the name of a state.generator but got ") << op.getGeneratorAttr();
}
LogicalResult RandomUniformOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyGenerator(*this, tables);
}
LogicalResult RandomPositionOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyGenerator(*this, tables);
}
