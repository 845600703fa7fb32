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
  let semantics = [{A variable (with its type, and the value that it has at start if there is one), a random generator, or an
object that calls share, of whose kind `kind` is. Nodes refer to it by its position among the resources of the module.}];
  let constraints = [{C1. `kind` is "variable", "generator" or a kind of `state.object`. C2. A variable has a tensor type or is a list. C3. Only a variable has an `initial` value, which fits its type.}];
  let example = [{exe.resource @w {kind = "variable", key = "w", type = tensor<2x3xf32>} }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$kind, StrAttr:$key, TypeAttr:$type,
    OptionalAttr<ElementsAttr>:$initial);
  let assemblyFormat = "$sym_name attr-dict";
  let hasVerifier = 1;
}

def Exe_SignatureOp : Exe_Op<"signature", [Symbol, SymbolTable, IsolatedFromAbove, SingleBlock,
    NoTerminator, RegionKindInterface, HasOnlyGraphRegion]> {
  let summary = "the nodes of one signature";
  let semantics = [{Frames first, numbered in their order (the root is number 0), then codelets, constants and nodes.
`initializes` is that of its `flow.graph`.}];
  let constraints = [{C1. The first frame is the root: its own parent, with a window of 1. C2. Every node's frame exists. C3. The codelet of a node is one of the signature, and takes and gives what the node does.}];
  let example = [{exe.signature @main {
  exe.frame {parent = 0 : i64, name = "", window = 1 : i64, id = 0 : i64}
  %x = exe.node feed "x:0" in 0 () : () -> tensor<f32>
  exe.node fetch "x:0" in 0 (%x) : (tensor<f32>) -> ()
} }];
  let arguments = (ins SymbolNameAttr:$sym_name, UnitAttr:$initializes);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
}

def Exe_FrameOp : Exe_Op<"frame", [HasParent<"SignatureOp">]> {
  let summary = "a static frame";
  let semantics = [{A frame name under its parent. At most `window` iterations of an instance are live at once. `id`
is the frame's number in the whole signature, which all ranks agree on; 0 is the root. One that is a `function`
is entered by calls, from any frame, and all of its tokens stay on one rank.}];
  let constraints = [{C1. `window` is at least 1. C2. It stands in an `exe.signature`.}];
  let example = [{exe.signature @main {
  exe.frame {parent = 0 : i64, name = "", window = 1 : i64, id = 0 : i64}
  exe.frame {parent = 0 : i64, name = "loop", window = 10 : i64, id = 1 : i64}
} }];
  let arguments = (ins I64Attr:$parent, StrAttr:$name, I64Attr:$window, I64Attr:$id,
    UnitAttr:$function);
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
    I32EnumAttrCase<"Recv", 12, "recv">, I32EnumAttrCase<"Codelet", 13, "codelet">,
    I32EnumAttrCase<"Call", 14, "call">, I32EnumAttrCase<"Argument", 15, "argument">,
    I32EnumAttrCase<"Return", 16, "return">, I32EnumAttrCase<"Copy", 17, "copy">]> {
  let cppNamespace = "::sluice::exe";
}

def Exe_NodeOp : Exe_Op<"node", [AttrSizedOperandSegments]> {
  let summary = "one row of the node table";
  let semantics = [{What happens at one place of the graph for each tag. `name` is the graph node's, or the tensor's
for feeds and fetches. A kernel node names its kernel's symbol and the attributes in the order the
kernel expects. A codelet node names a codelet of the signature. An enter names its child frame, and
whether it is `constant`; a call names the frame of its function, and what its random numbers differ by. The
arguments of a function are in the order in which calls give them. A send or recv names its wire `edge` and the rank at the other end, its
`peer`.}];
  let fires = "for each tag, once all `inputs` (constants aside), `controls` and `orders` of it have arrived.";
  let dead = "a dead input or control makes the node dead; a dead order does not.";
  let failures = "those of the kernel, or of the codelet's members.";
  let constraints = [{C1. Kernel nodes, and no others, have `kernel`. C2. Enter and call nodes, and no others, have `child`. C3. Send and recv nodes, and no others, have `edge` and `peer`. C4. Codelet nodes, and no others, have `codelet`.}];
  let example = [{%z = exe.node kernel "add" in 1 (%x, %y) control(%t) order(%o) {kernel = "sluice_kernel_nd_add_f32", kernel_arguments = []} : (tensor<f32>, tensor<f32>, !flow.token, !flow.token) -> tensor<f32>}];
  let arguments = (ins Exe_Kind:$kind, StrAttr:$name, I64Attr:$frame,
    Variadic<AnyType>:$inputs, Variadic<AnyType>:$controls, Variadic<AnyType>:$orders,
    OptionalAttr<StrAttr>:$kernel, OptionalAttr<ArrayAttr>:$kernel_arguments,
    OptionalAttr<I64Attr>:$child, UnitAttr:$constant, OptionalAttr<I64Attr>:$edge,
    OptionalAttr<I64Attr>:$peer, OptionalAttr<FlatSymbolRefAttr>:$codelet,
    OptionalAttr<I64Attr>:$recursion);
  let results = (outs Variadic<AnyType>:$outputs);
  let assemblyFormat = [{
    $kind $name `in` $frame `(` $inputs `)` (`control` `(` $controls^ `)`)? (`order` `(` $orders^ `)`)?
    attr-dict `:` functional-type(operands, $outputs)
  }];
  let hasVerifier = 1;
}

def Exe_CodeletOp : Exe_Op<"codelet", [Symbol, IsolatedFromAbove, HasParent<"SignatureOp">]> {
  let summary = "a group of ops that was compiled to one function";
  let semantics = [{`code` is the symbol of the machine code; if there is none, the members run always. `float_ops` is the number of ops with
a float result that run once in it, so not those in loops; `work` estimates the elementary operations
of a firing, where shapes are known; `stream` is the one of its card that kernels are enqueued on, counted from that
where the call begins, 0 if it is not there. The region lists the ops as kernels, which
run one after another when the code finds that what it was compiled for does not hold. Code with loops or
branches cannot be replaced like that; then `error_members` and `error_reasons`
are what the numbers mean by which the code says who failed and why. Such code may call kernels: the region
lists the `exe.call`s, `boxes` is how many boxes there are for their values, and `output_boxes` says for each
result in which it is in the end, with -1 for those that the code writes itself.}];
  let constraints = [{C1. It stands in an `exe.signature`. C2. The region is empty, or a block of constants and members that takes the inputs and ends in an `exe.yield` of the results. C3. It has code or members. C4. With `boxes` the region is a block of constants and calls that ends in an `exe.yield` of nothing, and `output_boxes` has a number for each result.}];
  let example = [{exe.signature @main {
  exe.frame {parent = 0 : i64, name = "", window = 1 : i64, id = 0 : i64}
  exe.codelet @codelet_0 : (tensor<16xf32>) -> tensor<16xf32> attributes {code = "sluice_codelet_5f1c", float_ops = 2 : i64} {
  ^bb0(%a: tensor<16xf32>):
    %m = exe.member "layer/mul" (%a, %a) {kernel = "sluice_kernel_nd_mul_f32", kernel_arguments = []} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %t = exe.member "layer/tanh" (%m) {kernel = "sluice_kernel_nd_tanh_f32", kernel_arguments = []} : (tensor<16xf32>) -> tensor<16xf32>
    exe.yield %t : tensor<16xf32>
  }
  %x = exe.node feed "x:0" in 0 () : () -> tensor<16xf32>
  %y = exe.node codelet "layer/tanh" in 0 (%x) {codelet = @codelet_0} : (tensor<16xf32>) -> tensor<16xf32>
} }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
    OptionalAttr<StrAttr>:$code, I64Attr:$float_ops, OptionalAttr<I64Attr>:$work,
    OptionalAttr<StrArrayAttr>:$error_members,
    OptionalAttr<StrArrayAttr>:$error_reasons, OptionalAttr<I64Attr>:$boxes,
    OptionalAttr<DenseI64ArrayAttr>:$output_boxes, OptionalAttr<I64Attr>:$stream);
  let regions = (region AnyRegion:$body);
  let assemblyFormat = "$sym_name `:` $function_type attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
}

def Exe_MemberOp : Exe_Op<"member", [HasParent<"CodeletOp">]> {
  let summary = "one op of a codelet, as a kernel";
  let semantics = [{Named like the graph node, because errors of the kernel are this node's. Kernel and attributes are
given as for nodes.}];
  let constraints = [{C1. It stands in an `exe.codelet`.}];
  let example = [{exe.signature @main {
  exe.frame {parent = 0 : i64, name = "", window = 1 : i64, id = 0 : i64}
  exe.codelet @codelet_0 : (tensor<f32>) -> tensor<f32> attributes {code = "sluice_codelet_5f1c", float_ops = 1 : i64} {
  ^bb0(%a: tensor<f32>):
    %n = exe.member "neg" (%a) {kernel = "sluice_kernel_nd_neg_f32", kernel_arguments = []} : (tensor<f32>) -> tensor<f32>
    exe.yield %n : tensor<f32>
  }
} }];
  let arguments = (ins StrAttr:$name, Variadic<AnyType>:$inputs, StrAttr:$kernel,
    ArrayAttr:$kernel_arguments);
  let results = (outs Variadic<AnyType>:$outputs);
  let assemblyFormat = "$name `(` $inputs `)` attr-dict `:` functional-type($inputs, $outputs)";
}

def Exe_CallOp : Exe_Op<"call", [HasParent<"CodeletOp">]> {
  let summary = "a kernel that the code of a codelet calls";
  let semantics = [{The code refers to calls by their positions. `inputs` are the numbers of the boxes that the kernel
works on, with -1 for the next of `constants`; `results` are the boxes for what it gives, of the element types
`types`. Kernel and attributes are given as for nodes.}];
  let constraints = [{C1. It stands in an `exe.codelet`.}];
  let example = [{exe.signature @main {
  exe.frame {parent = 0 : i64, name = "", window = 1 : i64, id = 0 : i64}
  exe.codelet @codelet_0 : (tensor<*xf32>) -> tensor<*xf32> attributes {boxes = 2 : i64, code = "sluice_codelet_5f1c", float_ops = 1 : i64, output_boxes = array<i64: 1>} {
    exe.call {inputs = array<i64: 0>, kernel = "sluice_kernel_nd_neg_f32", kernel_arguments = [], results = array<i64: 1>, types = [tensor<*xf32>]}
    exe.yield
  }
} }];
  let arguments = (ins Variadic<AnyType>:$constants, DenseI64ArrayAttr:$inputs, StrAttr:$kernel,
    ArrayAttr:$kernel_arguments, DenseI64ArrayAttr:$results, TypeArrayAttr:$types);
  let assemblyFormat = "($constants^ `:` type($constants))? attr-dict";
}

def Exe_YieldOp : Exe_Op<"yield", [Pure, Terminator, HasParent<"CodeletOp">]> {
  let summary = "the results of a codelet's members";
  let semantics = [{Names what the codelet gives, in the order of its results.}];
  let constraints = [{C1. It stands in an `exe.codelet`.}];
  let example = [{exe.signature @main {
  exe.frame {parent = 0 : i64, name = "", window = 1 : i64, id = 0 : i64}
  exe.codelet @codelet_0 : (tensor<f32>) -> tensor<f32> attributes {code = "sluice_codelet_5f1c", float_ops = 0 : i64} {
  ^bb0(%a: tensor<f32>):
    exe.yield %a : tensor<f32>
  }
} }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

#endif
