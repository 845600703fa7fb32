// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops of the flow dialect: functions, what they are given and give, and calls.
#ifndef SLUICE_FLOW_FUNCTION_OPS
#define SLUICE_FLOW_FUNCTION_OPS

include "dialects/flow/FlowBase.td"

def Flow_FuncOp : Flow_Op<"func", [IsolatedFromAbove, Symbol, SingleBlock, NoTerminator,
    RegionKindInterface, HasOnlyGraphRegion, Flow_TokenGraph]> {
  let summary = "a function: a graph that others call";
  let semantics = [{A graph that is instantiated by each call of it. `flow.argument` ops are what it is given, and its
one `flow.return` names what it gives, in the order of the results of its calls, and the token that says that
all of its effects have happened. Calls are replaced by the function's ops, unless the function
calls itself or the program would grow too much. `function_type` is what calls see; arguments and
returned values may be known better inside.}];
  let fires = "as a whole, once for each call.";
  let dead = "does not apply: a call that is dead does not happen.";
  let constraints = [{C1. Arguments are numbered from 0, each once, and can be what `function_type` says. C2. There is one `flow.return`, of values that can be the results, and it belongs to the root frame. C3. What holds for the ops of a `flow.graph` holds here.}];
  let example = [{flow.func @twice : (tensor<f32>) -> tensor<f32> {
  %x = flow.argument {index = 0 : i64} : () -> tensor<f32>
  %y = nd.add %x, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.return %y : (tensor<f32>) -> ()
} }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name `:` $function_type attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    // In the order of their numbers.
    ::llvm::SmallVector<ArgumentOp> getArguments();
    ReturnOp getReturn();
  }];
}

def Flow_ArgumentOp : Flow_Op<"argument", [HasParent<"FuncOp">]> {
  let summary = "what a function is given";
  let semantics = [{Operand `index` of the call.}];
  let fires = "when the call does.";
  let dead = "always live.";
  let constraints = [{C1. `index` is at least 0. C2. It stands in a `flow.func`.}];
  let example = [{flow.func @f : (tensor<2x?xf32>) -> tensor<2x?xf32> {
  %x = flow.argument {index = 0 : i64} : () -> tensor<2x?xf32>
  flow.return %x : (tensor<2x?xf32>) -> ()
} }];
  let arguments = (ins I64Attr:$index);
  let results = (outs Flow_Value:$result);
  let hasVerifier = 1;
}

def Flow_ReturnOp : Flow_Op<"return", [HasParent<"FuncOp">]> {
  let summary = "what a function gives";
  let semantics = [{The results of the call; a token at the end is there when all effects of the function have happened.}];
  let dead = "the call gives no result.";
  let failures = "INVALID_ARGUMENT for a dead value: there is nothing to give.";
  let constraints = [{C1. At most the last operand is a token. C2. It stands in a `flow.func`.}];
  let example = [{flow.func @f : (tensor<f32>) -> tensor<f32> {
  %x = flow.argument {index = 0 : i64} : () -> tensor<f32>
  flow.return %x : (tensor<f32>) -> ()
} }];
  let arguments = (ins Variadic<AnyType>:$values);
  let hasVerifier = 1;
}

def Flow_CallOp : Sluice_Op<Flow_Dialect, "call",
    [HasEffect, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "run a function";
  let semantics = [{Instantiates the function `callee`: operands that are values are its arguments, and tokens, which come
last, are waited for as well. The results are what the function gives, and then a token, which is there
when all results are and all effects of the function have happened. Random numbers are those that the
function's ops would give in place of the call. A call by which a function calls itself has a number,
`recursion`, which makes them others. `effects` says that the function changes something that others may see.}];
  let fires = "when every operand has arrived.";
  let dead = "the results are dead when any operand is dead, and nothing is run.";
  let failures = "those of the ops in the function; RESOURCE_EXHAUSTED when calls within calls go deeper than the program's limit.";
  let constraints = [{C1. `callee` names a `flow.func` of the module. C2. Operands and results can be what the function takes and gives. C3. Tokens are the last operands, and the last result is one.}];
  let example = [{flow.func @twice : (tensor<f32>) -> tensor<f32> {
  %x = flow.argument {index = 0 : i64} : () -> tensor<f32>
  %y = nd.add %x, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.return %y : (tensor<f32>) -> ()
}
flow.graph @main {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %y, %t = flow.call @twice (%x) : (tensor<f32>) -> (tensor<f32>, !flow.token)
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
} }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$operands_,
    UnitAttr:$effects, OptionalAttr<I64Attr>:$recursion);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    $callee `(` $operands_ `)` attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    // Operands that are values; the rest are control tokens.
    ::mlir::OperandRange getArguments();
    ::mlir::OperandRange getTokens();
    // Without the token, which is `getDone`.
    ::mlir::ResultRange getValues();
    ::mlir::Value getDone();
  }];
}

#endif
