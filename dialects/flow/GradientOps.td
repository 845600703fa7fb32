// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops of the flow dialect: requests for derivatives, and what they have to know of a graph.
//
// Import makes them, when names are known; the differentiate phase leaves none.
#ifndef SLUICE_FLOW_GRADIENT_OPS
#define SLUICE_FLOW_GRADIENT_OPS

include "dialects/flow/FlowBase.td"

def Flow_IndependentOp : Flow_Op<"independent", [Pure, AllTypesMatch<["value", "result"]>]> {
  let summary = "a value that derivatives are asked for";
  let semantics = [{The value, with a name by which others differentiate. Nothing looks through it, so that the value
stays what it is in the graph file, also where it is known or equal to another one. Derivatives go on through it to
`value`, unless it is among the `stops` of a request.}];
  let constraints = [{C1. `value` and `result` have the same type. C2. `name` is not empty.}];
  let example = [{%y = flow.independent %x {name = "x:0"} : (tensor<2xf32>) -> tensor<2xf32>}];
  let arguments = (ins Flow_Value:$value, StrAttr:$name);
  let results = (outs Flow_Value:$result);
  let hasVerifier = 1;
}

def Flow_GradientOp : Flow_Op<"gradient", [AttrSizedOperandSegments]> {
  let summary = "derivatives, to be found";
  let semantics = [{Result i is the derivative of the sum of all elements of `ys` with respect to `xs[i]`, of whose type it is: a vector
times the Jacobian, where the vector is one of ones, or `seeds`, one for each of `ys` and of its shape. An x is the result
of a `flow.independent`, or a variable: then the derivative is with respect to what is read of it, and has the type of what it
holds. `stops` are taken for constants. What nothing of `ys` depends on has a derivative of zeros.}];
  let failures = "those of the ops that compute it.";
  let constraints = [{C1. There is at least one of `ys` and one of `xs`. C2. There are no `seeds`, where all `ys` are tensors, or as many as `ys`, each of the same elements. C3. There are as many results as `xs`; that of a tensor has its elements, and no other shape. C4. Tensors among `ys`, `seeds` and `xs` hold floats or complex numbers. C5. `name` is not empty.}];
  let example = [{%x = flow.independent %w {name = "w:0"} : (tensor<2xf32>) -> tensor<2xf32>
%y = nd.tanh %x : (tensor<2xf32>) -> tensor<2xf32>
%g = flow.gradient of %y seeds wrt %x stops {name = "gradients"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>}];
  let arguments = (ins Variadic<Flow_Value>:$ys, Variadic<Flow_Value>:$seeds,
    Variadic<Flow_Value>:$xs, Variadic<Flow_Value>:$stops, StrAttr:$name);
  let results = (outs Variadic<Flow_Value>:$results);
  let assemblyFormat = [{
    `of` $ys `seeds` ($seeds^)? `wrt` $xs `stops` ($stops^)? attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Flow_KnownAsOp : Flow_Op<"known_as", [Pure, AttrSizedOperandSegments]> {
  let summary = "values that are those of an op of the graph file, by its name";
  let semantics = [{The `values`, which are the results of the op `name` on `inputs`, with `parameters` as those of a
`flow.composite`. Who differentiates asks for the name and does not look at what computes the values. It is what
optimize leaves of a composite where derivatives are wanted.}];
  let constraints = [{C1. `name` is not empty. C2. The results have the types of `values`.}];
  let example = [{%r = flow.known_as "tf.Relu" %m of %x : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>}];
  let arguments = (ins StrAttr:$name, OptionalAttr<DictionaryAttr>:$parameters,
    Variadic<Flow_Value>:$values, Variadic<Flow_Value>:$inputs);
  let results = (outs Variadic<Flow_Value>:$results);
  let assemblyFormat = [{
    $name (`with` $parameters^)? $values `of` $inputs attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

#endif
