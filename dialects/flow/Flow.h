// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The flow dialect: graphs of tagged tokens.
#pragma once

#include "dialects/interfaces/Faces.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/flow/FlowDialect.h.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/flow/FlowTypes.h.inc"
#include "dialects/flow/TokenGraph.h.inc"
#define GET_OP_CLASSES
#include "dialects/flow/FlowOps.h.inc"

namespace sluice::flow {

// What holds for the ops of every graph of tokens. For verifiers: after the ops, on whose own
// constraints it relies.
mlir::LogicalResult verifyTokenGraph(TokenGraph graph);

// Of an op that asks a predicate.
mlir::LogicalResult verifyPredicate(mlir::Operation *op, mlir::Value predicate);

// Unit attribute of a flow.cond or flow.while that fires as one, because it becomes part of a
// codelet: strict, and left alone when control flow is lowered.
inline constexpr llvm::StringLiteral kCollapseAttr = "codegen.collapse";
inline bool isCollapsed(mlir::Operation *op) { return op->hasAttr(kCollapseAttr); }

} // namespace sluice::flow
