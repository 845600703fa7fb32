// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The nd dialect: n-dimensional tensor math. Base classes and type constraints of its op families.
#ifndef SLUICE_ND_BASE
#define SLUICE_ND_BASE

include "dialects/interfaces/CodeOps.td"
include "dialects/interfaces/Differentiable.td"
include "dialects/interfaces/Faces.td"
include "dialects/interfaces/OpRecord.td"
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
    what shape inference found out, never instructions: an op computes its result's shape from its
    operands alone. A result type that the shape rule denies, given the operands' types and those
    operands that are small constants, is refused; a type that says more than the rule is a claim,
    which inference drops.
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

defvar ND_FloatTypes = [F16, BF16, F32, F64];
defvar ND_IntTypes = [I8, I16, I32, I64, UI8, UI16, UI32, UI64];
defvar ND_ComplexTypes = [Complex<F32>, Complex<F64>];
defvar ND_RealTypes = !listconcat(ND_FloatTypes, ND_IntTypes);
defvar ND_NumberTypes = !listconcat(ND_RealTypes, ND_ComplexTypes);

// A set of element types, and what constraints and diagnostics call it.
class ND_Tensor<list<Type> types, string what>
    : Type<TensorOf<types>.predicate, "tensor of " # what, "::mlir::TensorType"> {
  string elements = what;
}

def ND_Any : ND_Tensor<[AnyType], "any elements">;
def ND_Float : ND_Tensor<ND_FloatTypes, "floats">;
def ND_Int : ND_Tensor<ND_IntTypes, "integers">;
def ND_Bool : ND_Tensor<[I1], "i1">;
def ND_Text : ND_Tensor<[ND_String], "strings">;
def ND_Real : ND_Tensor<ND_RealTypes, "real numbers">;
def ND_Number : ND_Tensor<ND_NumberTypes, "numbers">;
def ND_FloatOrComplex
    : ND_Tensor<!listconcat(ND_FloatTypes, ND_ComplexTypes), "floats or complex numbers">;
def ND_NumberOrBool : ND_Tensor<!listconcat(ND_NumberTypes, [I1]), "numbers or i1">;
def ND_NumberOrString : ND_Tensor<!listconcat(ND_NumberTypes, [ND_String]), "numbers or strings">;
def ND_Comparable
    : ND_Tensor<!listconcat(ND_NumberTypes, [I1, ND_String]), "numbers, i1 or strings">;
// Sizes, axes and indices.
def ND_Index : ND_Tensor<[I8, I16, I32, I64, UI8, UI16], "integers (i8 to i64, ui8, ui16)">;
def ND_I32 : ND_Tensor<[I32], "i32">;
def ND_I64 : ND_Tensor<[I64], "i64">;

// What compiled code makes of an op. None can lack it: an op has code of some kind, or says why not.
class ND_Code<list<Trait> faces> {
  list<Trait> traits = faces;
}
// The positions of operands whose values code has to know.
class ND_CodeOperands<string face, string constants, string dims>
    : Sluice_Face<face, "::llvm::SmallVector<unsigned> getConstantOperands() { return " # constants
                        # "; }\nstd::optional<unsigned> getDimsOperand() { return " # dims # "; }">;
// A lowering of its own. `constants` are the positions of the operands whose values it has to know,
// as an initializer; `dims` is that of the operand that gives the result's dims, if there is one.
class ND_OwnCode<string constants, list<Trait> faces = [], string dims = "std::nullopt">
    : ND_Code<!listconcat([ND_CodeOperands<"HasCode", constants, dims>, CodeOpInterface], faces)>;
// What there is code for, a phrase after "only", and how to tell.
class ND_CodeLimit<string what, string holds>
    : Sluice_Face<"HasCodeLimit", "static ::llvm::StringRef getCodeLimit() { return \"" # what
                                  # "\"; }\nbool isWithinCodeLimit() { return " # holds # "; }">;
// One function of one element, in runtime/elements/elements.def.
def ND_OfElements : ND_OwnCode<"{}", [OfElements]>;
// In runtime/elements/reductions.def. The axes are operand 1.
def ND_OfReduction : ND_OwnCode<"{1}", [OfReduction]>;
class ND_MovesTrait<string data>
    : Sluice_Face<"MovesElements",
                  "::llvm::SmallVector<unsigned> getDataOperands() { return " # data # "; }">;
// Moves elements of the operands at the positions `data`.
class ND_Moves<string data, string constants, list<Trait> faces = [], string dims = "std::nullopt">
    : ND_OwnCode<constants, !listconcat([ND_MovesTrait<data>, MoveOpInterface], faces), dims>;
// The results lie in the first operand's memory.
class ND_Views<string constants, list<Trait> faces = [], string dims = "std::nullopt">
    : ND_Moves<"{0}", constants, !listconcat([ViewsOperand], faces), dims>;
class ND_NoCodeTrait<string reason>
    : Sluice_Face<"HasNoCode", "static constexpr ::llvm::StringLiteral getReasonAgainstCode() { return \""
                               # reason # "\"; }">;
// Fires as a kernel, alone. The reason is a clause after "because".
class ND_NoCode<string reason> : ND_Code<[ND_NoCodeTrait<reason>]>;
// The same on the host. A card has code, which has to know operands as in ND_OwnCode.
class ND_CardCode<string reason, string constants, string dims = "std::nullopt", list<Trait> faces = []>
    : ND_Code<!listconcat([ND_NoCodeTrait<reason>, ND_CodeOperands<"HasCardCode", constants, dims>,
                           CodeOpInterface], faces)>;

// Base of all nd ops. A definition gives `semantics`, `failures`, `constraints` and `example`.
class ND_Value<string mnemonic, ND_Code how, Sluice_Gradient gradient, list<Trait> traits = []>
    : Sluice_Op<ND_Dialect, mnemonic,
                !listconcat([Pure, Computes], how.traits, gradient.traits, traits)> {
  let fires = "when every operand has arrived.";
  let dead = "the results are dead when any operand is dead, and the kernel does not run.";
  let failures = "none.";
}
// Of all but constants.
class ND_Op<string mnemonic, ND_Code how, Sluice_Gradient gradient, list<Trait> traits = []>
    : ND_Value<mnemonic, how, gradient, !listconcat([HasKernel], traits)>;

// Reasons that several ops have.
def ND_NoGradientOfSteps : NoGradient<"its result is constant almost everywhere">;
def ND_NoGradientOfBools : NoGradient<"its result holds no numbers">;
def ND_NoGradientOfInts : NoGradient<"its result holds integers">;
def ND_NoCodeOfTexts : ND_NoCode<"compiled code has no strings">;

#endif
