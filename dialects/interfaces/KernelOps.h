// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bridge between ops and their run-time faces: types to dtypes, attributes to kernel
// attributes, constants to tensors, ops to kernels. Generic: an op needs no code of its own here.
//
// The contract: a kernel op's non-token operands are the kernel's inputs, its non-token results the
// outputs, and its attributes the attributes, in the order of the table that kernels are compiled
// with (runtime/kernels/attribute_table.h).
#pragma once

#include "runtime/kernels/registry.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

#include <deque>
#include <functional>
#include <optional>

namespace sluice {

// kHandle for references, resources, arrays, stacks and lists; nothing for control tokens and
// unknown types.
std::optional<rt::DType> dtypeOf(mlir::Type type);
mlir::Type elementTypeOf(mlir::MLIRContext *context, rt::DType dtype);
// Unknown rank for unranked tensors; scalar for handles.
rt::Shape shapeOf(mlir::Type type);
mlir::TensorType tensorTypeOf(mlir::Type elementType, const rt::Shape &shape);

bool isToken(mlir::Value value);
// Has the face HasKernel: declarations, constants and the ops of flow have not.
bool isKernelOp(mlir::OperationName name);
bool isKernelOp(mlir::Operation *op);
llvm::SmallVector<mlir::Value> kernelInputs(mlir::Operation *op);
llvm::SmallVector<mlir::Value> kernelOutputs(mlir::Operation *op);
llvm::SmallVector<rt::DType> kernelOutputTypes(mlir::Operation *op);
// Null when no kernel exists for the op's element types.
const rt::KernelEntry *kernelOf(mlir::Operation *op);

// Position of a resource among the module's, for a symbol attribute.
using ResolveSymbol = std::function<int64_t(llvm::StringRef)>;

// Kernel attributes with the storage that they refer to.
class KernelAttrs {
public:
  KernelAttrs(mlir::Operation *op, const ResolveSymbol &resolve);
  KernelAttrs(llvm::ArrayRef<mlir::Attribute> attributes, const ResolveSymbol &resolve);
  rt::Attrs view() const { return attrs_; }

private:
  void add(mlir::Attribute attribute, const ResolveSymbol &resolve);
  std::vector<rt::Attr> attrs_;
  std::deque<std::vector<int64_t>> lists_;
};
// The attributes themselves, in kernel order; null for absent optional ones.
llvm::SmallVector<mlir::Attribute> kernelAttributes(mlir::Operation *op);

rt::Result<rt::Tensor> tensorOf(mlir::ElementsAttr value);
// The same, to be read only. Many elements stay in the attribute: they are there as long as its
// context is.
rt::Result<rt::Tensor> viewOf(mlir::ElementsAttr value);
// Elements above 4 KiB go into a resource blob, so that IR stays readable.
mlir::ElementsAttr attributeOf(mlir::MLIRContext *context, const rt::Tensor &tensor);

} // namespace sluice
