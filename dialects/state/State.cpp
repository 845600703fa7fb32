// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registration and verifiers of the state dialect.
#include "dialects/state/State.h"

#include "dialects/flow/Compatible.h"
#include "dialects/nd/Verify.h"
#include "runtime/elements/updates.h"

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
#include "dialects/state/CheckpointOps.cpp.inc"

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
#include "dialects/state/CheckpointOps.cpp.inc"
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

LogicalResult TableOp::verify() {
  if (getKey().empty())
    return emitOpError("expected a key but got an empty one"); // C1
  return success();
}

LogicalResult UpdatePointsOp::verify() { return nd::verifyHowToUpdate(*this, getHow()); } // C3

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

// ---- Tables

// C2 to C4 of state.table_handle, C1 to C3 of state.make_table.
template <typename OpT> static LogicalResult verifyTable(OpT op) {
  if (!llvm::is_contained({"static", "mutable", "dense"}, op.getKind()))
    return op.emitOpError("expected kind \"static\", \"mutable\" or \"dense\" but got ")
           << op.getKindAttr();
  if (!isa<TensorType>(op.getValueShape()))
    return op.emitOpError("expected a tensor type as value_shape but got ") << op.getValueShape();
  auto isTensor = [](Value operand) { return isa<TensorType>(operand.getType()); };
  auto isToken = [](Value operand) { return isa<flow::TokenType>(operand.getType()); };
  size_t tensors = op.getKind() == "dense" ? 3 : 0;
  OperandRange operands = op.getOperands();
  if (operands.size() >= tensors && llvm::all_of(operands.take_front(tensors), isTensor) &&
      llvm::all_of(operands.drop_front(tensors), isToken))
    return success();
  return op.emitOpError("expected ")
         << tensors << " tensors and tokens as operands of a " << op.getKind() << " table";
}

LogicalResult TableHandleOp::verify() { return verifyTable(*this); }
LogicalResult MakeTableOp::verify() { return verifyTable(*this); }

LogicalResult TableHandleOp::verifySymbolUses(SymbolTableCollection &tables) {
  if (tables.lookupNearestSymbolFrom<TableOp>(*this, getTableAttr())) // C1
    return success();
  return emitOpError("expected the name of a state.table but got ") << getTableAttr();
}

LogicalResult TableLoadOp::verify() {
  if (!isa<nd::StringType>(getElementTypeOrSelf(getFilename()))) // C2
    return emitOpError("expected filename to hold strings but got ") << getFilename().getType();
  if (getDelimiter().size() != 1) // C3
    return emitOpError("expected one byte as delimiter but got ") << getDelimiterAttr();
  return success();
}

LogicalResult TableFindOp::verify() {
  return nd::verifySameElementType(*this, {getDefaultValue(), getValues()}); // C2
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

LogicalResult RandomUniformOp::verifySymbolUses(SymbolTableCollection &tables) {
  if (tables.lookupNearestSymbolFrom<GeneratorOp>(*this, getGeneratorAttr())) // C1
    return success();
  return emitOpError("expected the name of a state.generator but got ") << getGeneratorAttr();
}
