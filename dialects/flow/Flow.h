// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The flow dialect: graphs of tagged tokens.
#pragma once

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
#define GET_OP_CLASSES
#include "dialects/flow/FlowOps.h.inc"
