// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types and constants of graph files as MLIR types and attributes.
#pragma once

#include "compiler/import/DataTypes.h"
#include "compiler/import/TensorValue.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace sluice::import {

// Null for types that cannot be computed with.
mlir::Type elementTypeOf(mlir::MLIRContext *context, DataType type);
// The same of what TensorArrays hold, whose variants are strings: of ragged and sparse tensors.
mlir::Type storedTypeOf(mlir::MLIRContext *context, DataType type);
// Unknown rank and unknown dims stay unknown.
mlir::TensorType tensorTypeOf(mlir::Type elementType, const graphdef::TensorShapeProto &shape);
mlir::TensorType unrankedOf(mlir::Type elementType);
// What a resource variable holds. A tensor of variants is a list of lists, and what these hold only
// a run tells. Null for types that cannot be computed with.
mlir::Type heldTypeOf(mlir::MLIRContext *context, DataType type,
                      const graphdef::TensorShapeProto &shape);
// All that either says of the shape; null when they contradict each other.
mlir::TensorType intersectionOf(mlir::TensorType a, mlir::TensorType b);
std::string textOf(mlir::Type type);
// Elements above 4 KiB go into a resource blob.
mlir::ElementsAttr attributeOf(mlir::MLIRContext *context, const TensorValue &value);

} // namespace sluice::import
