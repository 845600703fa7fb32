// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The record that every op of every dialect has. The description is put together here, so that no
// part can be forgotten: a definition that lacks one does not compile or fails the record check
// (test/checks/op_record_check.py).
#ifndef SLUICE_OP_RECORD
#define SLUICE_OP_RECORD

include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/OpBase.td"

class Sluice_Op<Dialect dialect, string mnemonic, list<Trait> traits>
    : Op<dialect, mnemonic, traits> {
  string semantics = ?;   // what the op means
  string fires = ?;       // when it fires; a clause that follows "Fires"
  string dead = ?;        // what a dead operand does; a clause that follows "Dead operands"
  string failures = ?;    // run-time errors: code and condition
  string constraints = ?; // "C1. … C2. …"; each number recurs in a negative test. "none." without any
  string example = ?;     // parses; operands that it does not define may come from anywhere
  let description = semantics # [{

**Fires** }] # fires # [{

**Dead operands**: }] # dead # [{

**Run-time errors**: }] # failures # [{

**Constraints**: }] # constraints # [{

**Example**

```mlir
}] # example # [{
```
}];
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

// Types as attributes, by what kernels read of them (kernel_attributes.py).
class Sluice_TypeAttr<string what> : TypeAttrBase<"::mlir::Type", what> {
  let constBuilderCall = TypeAttr.constBuilderCall;
}
def Sluice_ElementTypeAttr : Sluice_TypeAttr<"a type of elements">;
def Sluice_ElementShapeAttr
    : Sluice_TypeAttr<"what is known of an element's shape, as its type">;

#endif
