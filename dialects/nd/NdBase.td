// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The nd dialect: n-dimensional tensor math. Base classes and type constraints of its op families.
#ifndef SLUICE_ND_BASE
#define SLUICE_ND_BASE

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def ND_Dialect : Dialect {
  let name = "nd";
  let cppNamespace = "::sluice::nd";
  let summary = "n-dimensional tensor math";
  let description = [{
    A small set of pure ops, closed under composition: what a front end can express by other ops
    has no op of its own. Every op except `nd.constant` has one shape rule and one plain kernel
    in the runtime (`runtime/kernels`), under the op's own name.

    The ops take no control tokens, so they fold, merge and fuse freely. Where a control edge must
    gate one of them, `flow.gate` gates an operand.

    Tensors are ranked or unranked; dims that are not known are `?`. Shapes in result types are
    promises that shape inference made, never instructions: an op computes its result's shape from
    its operands alone.
  }];
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 0;
  let extraClassDeclaration = [{
    // Lets each op family register itself in its own translation unit.
    template <typename... Ops> void addFamily() { addOperations<Ops...>(); }
  }];
}

def ND_StringType : TypeDef<ND_Dialect, "String"> {
  let mnemonic = "string";
  let summary = "a byte string; only as an element type, only in host memory";
}

def ND_String : Type<CPred<"::llvm::isa<::sluice::nd::StringType>($_self)">, "string">;
def ND_F16OrWider : AnyTypeOf<[F16, BF16, F32, F64]>;

defvar ND_FloatTypes = [F16, BF16, F32, F64];
defvar ND_IntTypes = [I8, I16, I32, I64, UI8, UI16, UI32, UI64];
defvar ND_ComplexTypes = [Complex<F32>, Complex<F64>];

def ND_Any : TensorOf<[AnyType]>;
def ND_Float : TensorOf<ND_FloatTypes>;
def ND_Int : TensorOf<ND_IntTypes>;
def ND_Bool : TensorOf<[I1]>;
def ND_Real : TensorOf<!listconcat(ND_FloatTypes, ND_IntTypes)>;
def ND_Number : TensorOf<!listconcat(ND_FloatTypes, ND_IntTypes, ND_ComplexTypes)>;
def ND_FloatOrComplex : TensorOf<!listconcat(ND_FloatTypes, ND_ComplexTypes)>;
def ND_NumberOrBool : TensorOf<!listconcat(ND_FloatTypes, ND_IntTypes, ND_ComplexTypes, [I1])>;
def ND_NumberOrString
    : TensorOf<!listconcat(ND_FloatTypes, ND_IntTypes, ND_ComplexTypes, [ND_String])>;
def ND_Comparable
    : TensorOf<!listconcat(ND_FloatTypes, ND_IntTypes, ND_ComplexTypes, [I1, ND_String])>;
// Sizes, axes and indices.
def ND_Index : TensorOf<[I8, I16, I32, I64, UI8, UI16]>;
def ND_I32 : TensorOf<[I32]>;

// Base of all nd ops. A definition gives `semantics`, `constraints` (numbered C1…) and `example`;
// the record is put together here so that no part can be forgotten.
class ND_Op<string mnemonic, list<Trait> traits = []>
    : Op<ND_Dialect, mnemonic, !listconcat([Pure], traits)> {
  string semantics = ?;
  string constraints = ?;
  string example = ?;
  string failures = "cannot fail once its operand shapes agree.";
  let description = semantics # [{

**Fires** when every operand has arrived; **dead** when any operand is dead, and then the kernel
does not run.

**Run-time errors**: }] # failures # [{

**Constraints**

}] # constraints # [{

**Example**

```mlir
}] # example # [{
```
}];
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

#endif
