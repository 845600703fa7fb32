// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The derivatives that TensorFlow has for names of which the language has no op.
//
// They are not those of the ops that compute the values (docs/rationale/composites.md), so who
// differentiates a flow.known_as asks here.
#pragma once

#include "dialects/flow/Flow.h"
#include "dialects/interfaces/Gradient.h"

namespace sluice::differentiate {

// Builds the derivatives with respect to the inputs of a flow.known_as, which is the gradient's op,
// and none with respect to its values. `parameters` are those of the op; null if it has none.
using NamedDerivative = void (*)(Gradient &, mlir::DictionaryAttr parameters);

// Null when the name, as "tf.Relu", is not known.
NamedDerivative findNamedDerivative(llvm::StringRef name);
// Whether the name is known for having none: to ask for it is an error.
bool isRefusedByName(llvm::StringRef name);

// ---- Tables, one for each family of names

struct NamedLine {
  llvm::StringLiteral name;
  NamedDerivative build;
  bool isRefusal = false; // all that is built is an error
};
llvm::ArrayRef<NamedLine> namedAngles();
llvm::ArrayRef<NamedLine> namedElementwise();
llvm::ArrayRef<NamedLine> namedParts();
llvm::ArrayRef<NamedLine> namedQuantize();
llvm::ArrayRef<NamedLine> namedRectifiers();
llvm::ArrayRef<NamedLine> namedSoftmax();

// What a builder of the tables sees of the op: inputs and results, as if it were the one of its
// name.
class NamedOp {
public:
  explicit NamedOp(Gradient &gradient)
      : gradient_(gradient), op_(mlir::cast<flow::KnownAsOp>(gradient.op())) {}

  mlir::Value input(unsigned i) { return op_.getInputs()[i]; }
  mlir::Value output(unsigned i = 0) { return op_.getResult(i); }
  bool wants(unsigned input) { return gradient_.wants(operandOf(input)); }
  void set(unsigned input, mlir::Value value) { gradient_.set(operandOf(input), value); }
  // For inputs that broadcast: hands over what `build` makes, which has the shape of the result, if
  // it is wanted.
  void setSummed(unsigned input, llvm::function_ref<mlir::Value()> build) {
    if (wants(input))
      set(input, gradient_.sumTo(build(), this->input(input)));
  }

private:
  unsigned operandOf(unsigned input) {
    return static_cast<unsigned>(op_.getValues().size()) + input;
  }

  Gradient &gradient_;
  flow::KnownAsOp op_;
};

} // namespace sluice::differentiate
