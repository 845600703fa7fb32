// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The nd dialect: n-dimensional tensor math.
#pragma once

#include "dialects/interfaces/Faces.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/nd/NdDialect.h.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/nd/NdTypes.h.inc"

#define GET_OP_CLASSES
#include "dialects/nd/Elementwise.h.inc"
#define GET_OP_CLASSES
#include "dialects/nd/Index.h.inc"
#define GET_OP_CLASSES
#include "dialects/nd/Layout.h.inc"
#define GET_OP_CLASSES
#include "dialects/nd/Matmul.h.inc"
#define GET_OP_CLASSES
#include "dialects/nd/Reduce.h.inc"
#define GET_OP_CLASSES
#include "dialects/nd/ShapeOps.h.inc"

namespace sluice::nd {
// One for each family, defined beside its ops.
void registerElementwiseOps(NDDialect &dialect);
void registerIndexOps(NDDialect &dialect);
void registerLayoutOps(NDDialect &dialect);
void registerMatmulOps(NDDialect &dialect);
void registerRecordsOps(NDDialect &dialect);
void registerReduceOps(NDDialect &dialect);
void registerShapeOps(NDDialect &dialect);
void registerTextOps(NDDialect &dialect);
} // namespace sluice::nd
