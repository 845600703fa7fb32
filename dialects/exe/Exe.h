// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exe dialect: the program of one device.
#pragma once

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/exe/ExeDialect.h.inc"
#include "dialects/exe/ExeEnums.h.inc"
#define GET_OP_CLASSES
#include "dialects/exe/ExeOps.h.inc"
