// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where things are in the structures of runtime/codelet/abi.h, as loads and stores of a codelet.
#pragma once

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace sluice::codegen {

// The fields of a SluiceCodeletCall.
enum class CallField {
  kInputs,
  kOutputs,
  kArena,
  kArenaBytes,
  kLoopOps,
  kFailedMember,
  kLists,
  kBoxes,
  kCancel
};

mlir::Value loadCallField(mlir::ImplicitLocOpBuilder &b, mlir::Value call, CallField field);
void storeCallField(mlir::ImplicitLocOpBuilder &b, mlir::Value call, CallField field,
                    mlir::Value value);

// Whether somebody has cancelled the call, by the field kCancel.
mlir::Value isCancelled(mlir::ImplicitLocOpBuilder &b, mlir::Value cancel);

// `tensors` is the array of SluiceTensorRef or SluiceOutputRef, which look alike.
mlir::Value loadData(mlir::ImplicitLocOpBuilder &b, mlir::Value tensors, unsigned position);
// One dim as an index value.
mlir::Value loadDim(mlir::ImplicitLocOpBuilder &b, mlir::Value tensors, unsigned position,
                    unsigned dim);
void storeDim(mlir::ImplicitLocOpBuilder &b, mlir::Value outputs, unsigned position, unsigned dim,
              mlir::Value size);

// The fields of a SluiceList (runtime/state/list_rows.h).
enum class ListField {
  kRows,
  kStates,
  kLength,
  kCapacity,
  kRowBytes,
  kEmptyIsZeros,
  kDims,
  kOwner
};

mlir::Value listAt(mlir::ImplicitLocOpBuilder &b, mlir::Value lists, unsigned position);
// A dim of a row.
void storeRowDim(mlir::ImplicitLocOpBuilder &b, mlir::Value list, unsigned dim, mlir::Value size);
mlir::Value loadListField(mlir::ImplicitLocOpBuilder &b, mlir::Value list, ListField field);
void storeListField(mlir::ImplicitLocOpBuilder &b, mlir::Value list, ListField field,
                    mlir::Value value);

} // namespace sluice::codegen
