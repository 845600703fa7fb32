// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interfaces of ops that there is code for.
#ifndef SLUICE_CODE_OPS
#define SLUICE_CODE_OPS

include "mlir/IR/OpBase.td"

def CodeOpInterface : OpInterface<"CodeOp"> {
  let cppNamespace = "::sluice";
  let description = [{An op with a lowering, and what that asks of the op's operands.}];
  let methods = [
    InterfaceMethod<"The positions of the operands whose values have to be constants.",
      "::llvm::SmallVector<unsigned>", "getConstantOperands">,
    InterfaceMethod<[{The operand whose value is the dims of the result, if there is one. Where they are
      known from elsewhere, nobody needs the value.}],
      "std::optional<unsigned>", "getDimsOperand">,
    StaticInterfaceMethod<[{What there is code for, after "only"; empty if it is for all that the op takes.}],
      "::llvm::StringRef", "getCodeLimit", (ins), "", "return {};">,
    InterfaceMethod<"Whether this op lies within that limit.",
      "bool", "isWithinCodeLimit", (ins), "", "return true;">];
}

def MoveOpInterface : OpInterface<"MoveOp"> {
  let cppNamespace = "::sluice";
  let description = [{
    An op each of whose result elements is an element of one of its data operands. Which one it is
    follows from the shapes and the other operands; it is asked of the op's kernel.
  }];
  let methods = [InterfaceMethod<
    "The positions of the operands whose elements the op moves, in rising order.",
    "::llvm::SmallVector<unsigned>", "getDataOperands">];
}

#endif
