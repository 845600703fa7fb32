// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops of the exe dialect.
#ifndef SLUICE_EXE_OPS
#define SLUICE_EXE_OPS

include "dialects/exe/ExeBase.td"

class Exe_Op<string mnemonic, list<Trait> traits = []>
    : Sluice_Op<Exe_Dialect, mnemonic, traits> {
  let fires = "never: it is a declaration.";
  let dead = "does not apply.";
  let failures = "none.";
}

def Exe_ResourceOp : Exe_Op<"resource", [Symbol]> {
  let summary = "an object that lives on between calls";
  let semantics = [{A variable (with its type) or a random generator. Nodes refer to it by its position among the
resources of the module.}];
  let constraints = [{C1. `kind` is "variable" or "generator". C2. A variable has a tensor type.}];
  let example = [{exe.resource @w {kind = "variable", key = "w", type = tensor<2x3xf32>} }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$kind, StrAttr:$key, TypeAttr:$type);
  let assemblyFormat = "$sym_name attr-dict";
  let hasVerifier = 1;
}

def Exe_SignatureOp : Exe_Op<"signature", [Symbol, IsolatedFromAbove, SingleBlock, NoTerminator,
    RegionKindInterface, HasOnlyGraphRegion]> {
  let summary = "the nodes of one signature";
  let semantics = [{Frames first, numbered in their order (the root is number 0), then constants and nodes.}];
  let constraints = [{C1. The first frame is the root: its own parent, with a window of 1. C2. Every node's frame exists.}];
  let example = [{exe.signature @main {
  exe.frame {parent = 0 : i64, name = "", window = 1 : i64, id = 0 : i64}
  %x = exe.node feed "x:0" in 0 () : () -> tensor<f32>
  exe.node fetch "x:0" in 0 (%x) : (tensor<f32>) -> ()
} }];
  let arguments = (ins SymbolNameAttr:$sym_name);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
}

def Exe_FrameOp : Exe_Op<"frame", [HasParent<"SignatureOp">]> {
  let summary = "a static frame";
  let semantics = [{A frame name under its parent. At most `window` iterations of an instance are live at once. `id`
is the frame's number in the whole signature, which all ranks agree on; 0 is the root.}];
  let constraints = [{C1. `window` is at least 1. C2. It stands in an `exe.signature`.}];
  let example = [{exe.signature @main {
  exe.frame {parent = 0 : i64, name = "", window = 1 : i64, id = 0 : i64}
  exe.frame {parent = 0 : i64, name = "loop", window = 10 : i64, id = 1 : i64}
} }];
  let arguments = (ins I64Attr:$parent, StrAttr:$name, I64Attr:$window, I64Attr:$id);
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def Exe_ConstantOp : Exe_Op<"constant", [Pure, AllTypesMatch<["value", "result"]>]> {
  let summary = "a constant of the program's image";
  let semantics = [{Always there; an operand that is a constant is not waited for.}];
  let constraints = [{C1. `value` has the type of `result`.}];
  let example = [{%c = exe.constant {value = dense<1> : tensor<i32>} : tensor<i32>}];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs AnyType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Exe_Kind : I32EnumAttr<"NodeKind", "what a node does when it fires", [
    I32EnumAttrCase<"Kernel", 0, "kernel">, I32EnumAttrCase<"Forward", 1, "forward">,
    I32EnumAttrCase<"Switch", 2, "switch">, I32EnumAttrCase<"Merge", 3, "merge">,
    I32EnumAttrCase<"Enter", 4, "enter">, I32EnumAttrCase<"Exit", 5, "exit">,
    I32EnumAttrCase<"NextIteration", 6, "next_iteration">, I32EnumAttrCase<"Join", 7, "join">,
    I32EnumAttrCase<"Feed", 8, "feed">, I32EnumAttrCase<"Fetch", 9, "fetch">,
    I32EnumAttrCase<"Target", 10, "target">, I32EnumAttrCase<"Send", 11, "send">,
    I32EnumAttrCase<"Recv", 12, "recv">]> {
  let cppNamespace = "::sluice::exe";
}

def Exe_NodeOp : Exe_Op<"node", [AttrSizedOperandSegments]> {
  let summary = "one row of the node table";
  let semantics = [{What happens at one place of the graph for each tag. `name` is the graph node's, or the tensor's
for feeds and fetches. A kernel node names its kernel's symbol and the attributes in the order the
kernel expects. An enter names its child frame, and whether it is `constant`. A send or recv names its
wire `edge` and the rank at the other end, its `peer`.}];
  let fires = "for each tag, once all `inputs` (constants aside), `controls` and `orders` of it have arrived.";
  let dead = "a dead input or control makes the node dead; a dead order does not.";
  let failures = "those of the kernel.";
  let constraints = [{C1. Kernel nodes, and no others, have `kernel`. C2. Enter nodes, and no others, have `child`. C3. Send and recv nodes, and no others, have `edge` and `peer`.}];
  let example = [{%z = exe.node kernel "add" in 1 (%x, %y) control(%t) order(%o) {kernel = "sluice_kernel_nd_add_f32", kernel_arguments = []} : (tensor<f32>, tensor<f32>, !flow.token, !flow.token) -> tensor<f32>}];
  let arguments = (ins Exe_Kind:$kind, StrAttr:$name, I64Attr:$frame,
    Variadic<AnyType>:$inputs, Variadic<AnyType>:$controls, Variadic<AnyType>:$orders,
    OptionalAttr<StrAttr>:$kernel, OptionalAttr<ArrayAttr>:$kernel_arguments,
    OptionalAttr<I64Attr>:$child, UnitAttr:$constant, OptionalAttr<I64Attr>:$edge,
    OptionalAttr<I64Attr>:$peer);
  let results = (outs Variadic<AnyType>:$outputs);
  let assemblyFormat = [{
    $kind $name `in` $frame `(` $inputs `)` (`control` `(` $controls^ `)`)? (`order` `(` $orders^ `)`)?
    attr-dict `:` functional-type(operands, $outputs)
  }];
  let hasVerifier = 1;
}

#endif
