// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an op builds its derivative with.
//
// Reverse mode: of d(ys)/d(results), which other ops have given, the op makes d(ys)/d(operands).
// All derivatives have the type of what they belong to: tensors for tensors, lists for lists. The
// ops are built where the derivative is wanted, which may be in another region than the op itself:
// they may use the op's operands and results all the same, and whoever differentiates brings these
// there.
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace sluice {

// A constant of equal elements; complex numbers get the value as their real part.
mlir::DenseElementsAttr splatOf(mlir::RankedTensorType type, double value);

class Gradient {
public:
  // `ofResults` has an entry for each result, null where nothing depends on it; `wanted` one for
  // each operand.
  Gradient(mlir::OpBuilder &builder, mlir::Operation *op, llvm::ArrayRef<mlir::Value> ofResults,
           llvm::ArrayRef<bool> wanted)
      : builder_(builder), op_(op), ofResults_(ofResults), wanted_(wanted),
        ofOperands_(wanted.size()) {}

  mlir::OpBuilder &builder() { return builder_; }
  mlir::Location loc() const { return op_->getLoc(); }
  mlir::Operation *op() const { return op_; }
  mlir::Value operand(unsigned i) const { return op_->getOperand(i); }

  // d(ys)/d(result i); null where nothing depends on it.
  mlir::Value ofResult(unsigned i = 0) const { return ofResults_[i]; }
  // Whether anybody asks for d(ys)/d(operand i).
  bool wants(unsigned i) const { return wanted_[i]; }
  // Hands over d(ys)/d(operand i), at most once for each. Without it, it is zero.
  void set(unsigned i, mlir::Value value) { ofOperands_[i] = value; }
  llvm::ArrayRef<mlir::Value> ofOperands() const { return ofOperands_; }

  // An op with the result types that its shape rule gives; `elementTypes` are those of its results.
  // A list among them is given as its type.
  mlir::Operation *make(llvm::StringRef name, mlir::TypeRange elementTypes,
                        mlir::ValueRange operands,
                        llvm::ArrayRef<mlir::NamedAttribute> attributes = {});
  template <typename OpT>
  OpT make(mlir::TypeRange elementTypes, mlir::ValueRange operands,
           llvm::ArrayRef<mlir::NamedAttribute> attributes = {}) {
    return mlir::cast<OpT>(make(OpT::getOperationName(), elementTypes, operands, attributes));
  }
  // The same of one result.
  template <typename OpT>
  mlir::Value one(mlir::Type elementType, mlir::ValueRange operands,
                  llvm::ArrayRef<mlir::NamedAttribute> attributes = {}) {
    return make<OpT>(mlir::TypeRange(elementType), operands, attributes)->getResult(0);
  }
  // … whose elements, or list, are of the type of the first operand's.
  template <typename OpT>
  mlir::Value like(mlir::ValueRange operands,
                   llvm::ArrayRef<mlir::NamedAttribute> attributes = {}) {
    return one<OpT>(elementOf(operands.front()), operands, attributes);
  }
  // The element type of a tensor; the type itself of a list.
  static mlir::Type elementOf(mlir::Value value);

  mlir::NamedAttribute flag(llvm::StringRef name, bool value);
  mlir::NamedAttribute number(llvm::StringRef name, int64_t value);
  // A constant.
  mlir::Value constant(mlir::ElementsAttr value);
  // A scalar constant with this value in the element type; complex numbers get it as real part.
  mlir::Value scalar(mlir::Type elementType, double value);
  // A vector of i64, and a scalar.
  mlir::Value ints(llvm::ArrayRef<int64_t> values);
  mlir::Value int64(int64_t value);
  // The dims of a tensor as a vector of i64: a constant where the type knows them.
  mlir::Value shapeOf(mlir::Value tensor);
  // Zeros of the type and shape of a tensor or a list.
  mlir::Value zerosLike(mlir::Value value);
  // Undoes a broadcast: sums `value` over those dims along which `operand` was repeated to get the
  // shape of `value`, so that it has the shape of `operand`.
  mlir::Value sumTo(mlir::Value value, mlir::Value operand);
  // `value`, which has as many elements, under the dims of `like`.
  mlir::Value reshapedLike(mlir::Value value, mlir::Value like);

private:
  mlir::OpBuilder &builder_;
  mlir::Operation *op_;
  llvm::ArrayRef<mlir::Value> ofResults_;
  llvm::ArrayRef<bool> wanted_;
  llvm::SmallVector<mlir::Value> ofOperands_;
};

} // namespace sluice
