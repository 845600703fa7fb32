// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops of the state dialect.
#ifndef SLUICE_STATE_OPS
#define SLUICE_STATE_OPS

include "dialects/state/StateBase.td"

def State_VariableOp : State_Declaration<"variable"> {
  let summary = "a variable of the program";
  let semantics = [{A tensor, or a list, that lives as long as the process, shared by all graphs of the module. `key` is its name
for `--load`, `--save` and users, who see tensors only. At the start of the process it has the value `initial`; without one it has no value
until it is assigned or loaded.}];
  let constraints = [{C1. `type` is a tensor type or a list. C2. `key` is not empty. C3. `initial` has the element type of `type`, and a shape that it allows.}];
  let example = [{state.variable @w {key = "w", type = tensor<2x3xf32>}
state.variable @b {key = "b", type = tensor<2xf32>, initial = dense<[0.5, 1.0]> : tensor<2xf32>} }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$key, TypeAttr:$type,
    OptionalAttr<ElementsAttr>:$initial);
  let hasVerifier = 1;
}

def State_GeneratorOp : State_Declaration<"generator"> {
  let summary = "the position in the stream of one random op";
  let semantics = [{Counts how often its op has fired over the process, so that the stream goes on between calls.}];
  let constraints = [{C1. `key` is not empty.}];
  let example = [{state.generator @g {key = "dropout/uniform"} }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$key);
  let hasVerifier = 1;
}

def State_ReferenceOp : State_Op<"reference", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "reference to a variable";
  let semantics = [{The variable `variable` itself, not its value.}];
  let failures = "none.";
  let constraints = [{C1. `variable` names a `state.variable` of the module. C2. The element type of `result` is the variable's.}];
  let example = [{%v, %t = state.reference {variable = @w} : () -> (!state.ref<tensor<2xf32>>, !flow.token)}];
  let arguments = (ins FlatSymbolRefAttr:$variable, Variadic<Flow_Token>:$after);
  let results = (outs State_Ref:$result, Flow_Token:$done);
}

def State_HandleOp : State_Op<"handle", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "handle of a resource variable";
  let semantics = [{The variable `variable` itself, not its value.}];
  let failures = "none.";
  let constraints = [{C1. `variable` names a `state.variable` of the module. C2. The element type of `result` is the variable's.}];
  let example = [{%v, %t = state.handle {variable = @w} : () -> (!state.resource<tensor<2xf32>>, !flow.token)}];
  let arguments = (ins FlatSymbolRefAttr:$variable, Variadic<Flow_Token>:$after);
  let results = (outs State_Resource:$result, Flow_Token:$done);
}

def State_ReadOp : State_Op<"read", [OnlyReads]> {
  let summary = "value of a variable";
  let semantics = [{The value at the moment of firing. `triggers` are values that are waited for as well: a reader's other operands, so that it reads when it would compute.}];
  let failures = "FAILED_PRECONDITION when the variable has no value.";
  let constraints = [{C1. `variable` is a reference or a handle.}];
  let example = [{%x, %t = state.read %v : (!state.ref<tensor<2xf32>>) -> (tensor<2xf32>, !flow.token)}];
  let arguments = (ins State_Variable:$variable, Variadic<AnyType>:$triggers);
  let results = (outs State_Held:$value, Flow_Token:$done);
}

def State_AssignOp : State_Op<"assign"> {
  let summary = "set a variable";
  let semantics = [{Gives the variable the value `value`, whose shape must agree with the declared one; with `validate_shape` also with that of the present value.}];
  let failures = "INVALID_ARGUMENT when the shapes differ.";
  let constraints = [{C1. `variable` is a reference or a handle.}];
  let example = [{%t = state.assign %v, %x {validate_shape = true} : (!state.ref<tensor<2xf32>>, tensor<2xf32>) -> !flow.token}];
  let arguments = (ins State_Variable:$variable, State_Held:$value, BoolAttr:$validate_shape, Variadic<Flow_Token>:$after);
  let results = (outs Flow_Token:$done);
}

def State_TakeOp : State_Op<"take", [OnlyReads]> {
  let summary = "values of variables that nobody else uses until they are given back";
  let semantics = [{The values of `variables` at the moment of firing, in their order; whatever else uses one of them, also in other
calls, comes before that or after the `state.give` of the same variables. Where `runs` is false, zeros in place of values that are
not there. `variables` may end with tokens. This is for loops that carry variables.}];
  let failures = "FAILED_PRECONDITION when `runs` is true and a variable has no value.";
  let constraints = [{C1. `variables` are references or handles, and then tokens; there is one variable for each of `values`. C2. `runs` is a scalar of i1.}];
  let example = [{%x, %t = state.take %p, %v : (tensor<i1>, !state.ref<tensor<2xf32>>) -> (tensor<2xf32>, !flow.token)}];
  let arguments = (ins ND_Bool:$runs, Variadic<AnyType>:$variables);
  let results = (outs Variadic<State_Held>:$values, Flow_Token:$done);
  let hasVerifier = 1;
}

def State_GiveOp : State_Op<"give"> {
  let summary = "values for variables that were taken";
  let semantics = [{Gives variables that `state.take` has taken values of their declared shapes, unless `runs` is false, and lets others use them again.
`names` are the variables, then as many values, then tokens.}];
  let failures = "INVALID_ARGUMENT when the shapes differ.";
  let constraints = [{C1. `names` are references or handles, as many tensors, and then tokens. C2. `runs` is a scalar of i1.}];
  let example = [{%t = state.give %p, %v, %x : (tensor<i1>, !state.ref<tensor<2xf32>>, tensor<2xf32>) -> !flow.token}];
  let arguments = (ins ND_Bool:$runs, Variadic<AnyType>:$names);
  let results = (outs Flow_Token:$done);
  let hasVerifier = 1;
}

def State_AssignAddOp : State_Op<"assign_add"> {
  let summary = "add to a variable";
  let semantics = [{Adds `value` to the variable.}];
  let failures = "FAILED_PRECONDITION when the variable has no value, INVALID_ARGUMENT when the shapes differ.";
  let constraints = [{C1. `variable` is a reference or a handle. C2. `value` holds numbers.}];
  let example = [{%t = state.assign_add %v, %x : (!state.ref<tensor<2xf32>>, tensor<2xf32>) -> !flow.token}];
  let arguments = (ins State_Variable:$variable, ND_Number:$value, Variadic<Flow_Token>:$after);
  let results = (outs Flow_Token:$done);
}

def State_CountUpToOp : State_Op<"count_up_to"> {
  let summary = "the next number of a counter";
  let semantics = [{Gives the value of a scalar variable and adds 1 to the variable.}];
  let failures = "FAILED_PRECONDITION when the variable has no value, INVALID_ARGUMENT when it is no scalar, OUT_OF_RANGE when it has reached `limit`.";
  let constraints = [{C1. `variable` is a reference or a handle. C2. `result` holds i32 or i64.}];
  let example = [{%n, %t = state.count_up_to %v {limit = 3 : i64} : (!state.ref<tensor<i32>>) -> (tensor<i32>, !flow.token)}];
  let arguments = (ins State_Variable:$variable, I64Attr:$limit, Variadic<Flow_Token>:$after);
  let results = (outs ND_Tensor<[I32, I64], "i32 or i64">:$result, Flow_Token:$done);
}

def State_AssignSubOp : State_Op<"assign_sub"> {
  let summary = "subtract from a variable";
  let semantics = [{Subtracts `value` from the variable.}];
  let failures = "FAILED_PRECONDITION when the variable has no value, INVALID_ARGUMENT when the shapes differ.";
  let constraints = [{C1. `variable` is a reference or a handle. C2. `value` holds numbers.}];
  let example = [{%t = state.assign_sub %v, %x : (!state.ref<tensor<2xf32>>, tensor<2xf32>) -> !flow.token}];
  let arguments = (ins State_Variable:$variable, ND_Number:$value, Variadic<Flow_Token>:$after);
  let results = (outs Flow_Token:$done);
}

// Rows of a variable, one after the other.
class State_Scatter<string mnemonic, string what, string does, Type updates> : State_Op<mnemonic> {
  let summary = what;
  let semantics = does # ", in order.";
  let failures = "FAILED_PRECONDITION when the variable has no value, INVALID_ARGUMENT when an index is out of range or the shapes do not fit.";
  let constraints = "C1. `variable` is a reference or a handle. C2. `indices` holds integers.";
  let example = "%t = state." # mnemonic # " %v, %i, %u : (!state.ref<tensor<2xf32>>, tensor<1xi32>, tensor<1xf32>) -> !flow.token";
  let arguments = (ins State_Variable:$variable, ND_Index:$indices, updates:$updates, Variadic<Flow_Token>:$after);
  let results = (outs Flow_Token:$done);
}
def State_ScatterUpdateOp : State_Scatter<"scatter_update", "replace rows of a variable",
    "Replaces the rows at `indices` by the rows of `updates`", ND_Any>;
def State_ScatterAddOp : State_Scatter<"scatter_add", "add to rows of a variable",
    "Adds the rows of `updates` to the rows at `indices`", ND_Any>;
def State_ScatterSubOp : State_Scatter<"scatter_sub", "subtract from rows of a variable",
    "Subtracts the rows of `updates` from the rows at `indices`", ND_Any>;
def State_ScatterMulOp : State_Scatter<"scatter_mul", "multiply rows of a variable",
    "Multiplies the rows at `indices` by the rows of `updates`", ND_Any>;
def State_ScatterDivOp : State_Scatter<"scatter_div", "divide rows of a variable",
    "Divides the rows at `indices` by the rows of `updates`; integers are rounded toward zero, and a division by 0 is INVALID_ARGUMENT", ND_Any>;
def State_ScatterMaxOp : State_Scatter<"scatter_max", "maximum with rows of a variable",
    "Replaces each element of the rows at `indices` by the larger one of it and that of `updates`", ND_Any>;
def State_ScatterMinOp : State_Scatter<"scatter_min", "minimum with rows of a variable",
    "Replaces each element of the rows at `indices` by the smaller one of it and that of `updates`", ND_Any>;

def State_UpdatePointsOp : State_Op<"update_points"> {
  let summary = "change elements of a variable, or slices of it";
  let semantics = [{Changes what the vectors of `indices`, along its last dim, point to, one after the other, as `nd.update_points` does.}];
  let failures = "FAILED_PRECONDITION when the variable has no value, INVALID_ARGUMENT when a vector of indices is out of range and `ignore_bad_indices` is not set, or the shapes do not fit.";
  let constraints = [{C1. `variable` is a reference or a handle. C2. `indices` holds integers. C3. `how` is one of "update", "add", "sub", "max", "min".}];
  let example = [{%t = state.update_points %v, %i, %u {how = "add", ignore_bad_indices = false} : (!state.ref<tensor<2xf32>>, tensor<1x1xi32>, tensor<1xf32>) -> !flow.token}];
  let arguments = (ins State_Variable:$variable, ND_Index:$indices, ND_Any:$updates, StrAttr:$how, BoolAttr:$ignore_bad_indices, Variadic<Flow_Token>:$after);
  let results = (outs Flow_Token:$done);
  let hasVerifier = 1;
}

def State_IsInitializedOp : State_Op<"is_initialized", [OnlyReads]> {
  let summary = "whether a variable has a value";
  let semantics = [{Tells whether the variable has been given a value.}];
  let failures = "none.";
  let constraints = [{C1. `variable` is a reference or a handle. C2. `result` holds i1.}];
  let example = [{%b, %t = state.is_initialized %v : (!state.ref<tensor<2xf32>>) -> (tensor<i1>, !flow.token)}];
  let arguments = (ins State_Variable:$variable, Variadic<Flow_Token>:$after);
  let results = (outs ND_Bool:$result, Flow_Token:$done);
}

def State_VariableShapeOp : State_Op<"variable_shape", [OnlyReads]> {
  let summary = "dims of a variable's value";
  let semantics = [{The dims of the value as a vector.}];
  let failures = "FAILED_PRECONDITION when the variable has no value.";
  let constraints = [{C1. `variable` is a reference or a handle. C2. `result` holds integers.}];
  let example = [{%s, %t = state.variable_shape %v : (!state.ref<tensor<2xf32>>) -> (tensor<?xi32>, !flow.token)}];
  let arguments = (ins State_Variable:$variable, Variadic<Flow_Token>:$after);
  let results = (outs ND_Int:$result, Flow_Token:$done);
}

def State_ApplyGradientDescentOp : State_Op<"apply_gradient_descent"> {
  let summary = "one step of gradient descent";
  let semantics = [{variable -= alpha * delta.}];
  let failures = "FAILED_PRECONDITION when the variable has no value, INVALID_ARGUMENT when shapes differ.";
  let constraints = [{C1. `variable` is a reference or a handle.}];
  let example = [{%t = state.apply_gradient_descent %v, %a, %d : (!state.ref<tensor<2xf32>>, tensor<f32>, tensor<2xf32>) -> !flow.token}];
  let arguments = (ins State_Variable:$variable, ND_Any:$alpha, ND_Any:$delta, Variadic<Flow_Token>:$after);
  let results = (outs Flow_Token:$done);
}

def State_ApplyMomentumOp : State_Op<"apply_momentum"> {
  let summary = "one step with momentum";
  let semantics = [{accumulator = accumulator * momentum + gradient; variable -= rate * accumulator, or with `use_nesterov` variable -= rate * gradient + rate * momentum * accumulator.}];
  let failures = "FAILED_PRECONDITION when a variable has no value, INVALID_ARGUMENT when shapes differ.";
  let constraints = [{C1. `variable` and `accumulator` are references or handles.}];
  let example = [{%t = state.apply_momentum %v, %a, %r, %g, %m {use_nesterov = false} : (!state.ref<tensor<2xf32>>, !state.ref<tensor<2xf32>>, tensor<f32>, tensor<2xf32>, tensor<f32>) -> !flow.token}];
  let arguments = (ins State_Variable:$variable, State_Variable:$accumulator, ND_Any:$rate, ND_Any:$gradient, ND_Any:$momentum, BoolAttr:$use_nesterov, Variadic<Flow_Token>:$after);
  let results = (outs Flow_Token:$done);
}

def State_ApplyAdamOp : State_Op<"apply_adam"> {
  let summary = "one step of Adam";
  let semantics = [{m = beta1 * m + (1 - beta1) * gradient; v = beta2 * v + (1 - beta2) * gradient^2; variable -= rate * sqrt(1 - beta2_power) / (1 - beta1_power) * m / (sqrt(v) + epsilon); with `use_nesterov` m is replaced by beta1 * m + (1 - beta1) * gradient.}];
  let failures = "FAILED_PRECONDITION when a variable has no value, INVALID_ARGUMENT when shapes differ.";
  let constraints = [{C1. `variable`, `m` and `v` are references or handles.}];
  let example = [{%t = state.apply_adam %v, %m, %w, %s, %s, %s, %s, %s, %s, %g {use_nesterov = false} : (!state.ref<tensor<2xf32>>, !state.ref<tensor<2xf32>>, !state.ref<tensor<2xf32>>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<2xf32>) -> !flow.token}];
  let arguments = (ins State_Variable:$variable, State_Variable:$m, State_Variable:$v, ND_Any:$beta1_power, ND_Any:$beta2_power, ND_Any:$rate, ND_Any:$beta1, ND_Any:$beta2, ND_Any:$epsilon, ND_Any:$gradient, BoolAttr:$use_nesterov, Variadic<Flow_Token>:$after);
  let results = (outs Flow_Token:$done);
}

def State_UpdateRowsOp : State_Op<"update_rows"> {
  let summary = "one step of an optimizer for some rows";
  let semantics = [{Applies the update rule `rule` to the rows at `indices`, one after the other, so that a row that is named twice is updated twice. `operands` are the variables of the rule, the first of which is the one that is trained, then its scalars, the rows of the gradient, `indices`, and tokens. The rules are in `runtime/elements/updates.h`.}];
  let failures = "FAILED_PRECONDITION when a variable has no value, INVALID_ARGUMENT when shapes differ, an index is out of range, or a scalar is not what the rule asks for.";
  let constraints = [{C1. `rule` names a rule. C2. `operands` are as many variables as the rule has, as many tensors as it has scalars, two more for the gradient and the indices, and tokens.}];
  let example = [{%t = state.update_rows %v, %a, %rate, %g, %i {rule = "adagrad"} : (!state.ref<tensor<2xf32>>, !state.ref<tensor<2xf32>>, tensor<f32>, tensor<1xf32>, tensor<1xi32>) -> !flow.token}];
  let arguments = (ins Variadic<AnyType>:$operands, StrAttr:$rule);
  let results = (outs Flow_Token:$done);
  let hasVerifier = 1;
}

def State_ObjectOp : State_Declaration<"object"> {
  let summary = "an object of the program that calls share";
  let semantics = [{A table, a queue or another object of the host, as `kind` says. It lives as long as the process, shared by all
graphs of the module. What more is to be known of it is said by the op that gives its handle first.}];
  let constraints = [{C1. `key` is not empty. C2. `kind` is one of "table", "queue", "barrier", "accumulator", "stage", "mutex", "reader".}];
  let example = [{state.object @words {key = "words", kind = "table"} }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$key, StrAttr:$kind);
  let hasVerifier = 1;
}

def State_AssertOp : State_Op<"assert"> {
  let summary = "fail unless a condition holds";
  let semantics = [{Does nothing when `condition` holds. Else the call fails, and the message shows the first `summarize` elements of each of the `data`.}];
  let failures = "INVALID_ARGUMENT when the condition does not hold.";
  let constraints = [{C1. `condition` holds i1.}];
  let example = [{%t = state.assert %c, %x {summarize = 3 : i64} : (tensor<i1>, tensor<f32>) -> !flow.token}];
  let arguments = (ins ND_Bool:$condition, Variadic<AnyType>:$data, I64Attr:$summarize);
  let results = (outs Flow_Token:$done);
}

def State_CheckRangeOp : State_Op<"check_range"> {
  let summary = "fail unless indices are in range";
  let semantics = [{Does nothing when each of the `indices` is below the dim `dim` of `of`, and not below 0 unless `allows_negative` is set. Only the shape of `of` is looked at, so its elements may be on a card, where nobody could tell the host of a bad index.}];
  let failures = [{INVALID_ARGUMENT for the first one that is not; the message calls it `name`, and says that it `fails`, the words before the range.}];
  let constraints = [{C1. `indices` holds integers.}];
  let example = [{%t = state.check_range %i, %x {dim = 0 : i64, allows_negative = false, name = "indices", fails = "is not in"} : (tensor<3xi32>, tensor<5x2xf32>) -> !flow.token}];
  let arguments = (ins ND_Index:$indices, AnyType:$of, I64Attr:$dim, BoolAttr:$allows_negative, StrAttr:$name, StrAttr:$fails);
  let results = (outs Flow_Token:$done);
}

def State_CheckPointsOp : State_Op<"check_points"> {
  let summary = "fail unless index vectors are in range";
  let semantics = [{Does nothing when each of the vectors in the last dim of `indices` points into the shape of `of`, at which alone it looks. With `columns` a vector of indices is as many vectors of one index each.}];
  let failures = [{INVALID_ARGUMENT for the first one that does not; the message says that it `fails`, the words before the shape.}];
  let constraints = [{C1. `indices` holds integers.}];
  let example = [{%t = state.check_points %i, %x {columns = false, fails = "does not index into shape"} : (tensor<3x2xi32>, tensor<5x2xf32>) -> !flow.token}];
  let arguments = (ins ND_Index:$indices, AnyType:$of, BoolAttr:$columns, StrAttr:$fails);
  let results = (outs Flow_Token:$done);
}

def State_CheckNumbersOp : State_Op<"check_numbers"> {
  let summary = "fail where there are numbers that an op refuses";
  let semantics = [{Does nothing when none of the integers `numbers` is 0, where `refused` is "zero", or below 0, where it is "negative", or when `of`, at whose shape alone it looks, has no elements.}];
  let failures = [{INVALID_ARGUMENT as of a division by zero, or of a negative power.}];
  let constraints = [{C1. `numbers` holds integers. C2. `refused` is "zero" or "negative".}];
  let example = [{%t = state.check_numbers %y, %x {refused = "zero"} : (tensor<3xi32>, tensor<5x3xi32>) -> !flow.token}];
  let arguments = (ins ND_Int:$numbers, AnyType:$of, StrAttr:$refused);
  let results = (outs Flow_Token:$done);
  let hasVerifier = 1;
}

def State_PrintOp : State_Op<"print"> {
  let summary = "write values as text";
  let semantics = [{Writes one line: `message`, then the first `summarize` elements of each of the `data`; only the first `first_n` times if that is not negative.}];
  let failures = "none.";
  let constraints = [{none.}];
  let example = [{%t = state.print %x {message = "x: ", first_n = -1 : i64, summarize = 3 : i64} : (tensor<f32>) -> !flow.token}];
  let arguments = (ins Variadic<AnyType>:$data, StrAttr:$message, I64Attr:$first_n, I64Attr:$summarize);
  let results = (outs Flow_Token:$done);
}

def State_PrintTextOp : State_Op<"print_text"> {
  let summary = "write a text";
  let semantics = [{Writes `text`, a scalar, and `end`. Whatever takes the lines of `state.print` takes it as one of them, without the newline at its end.}];
  let failures = "INVALID_ARGUMENT when `text` is no scalar.";
  let constraints = [{C1. `text` holds strings.}];
  let example = [{%t = state.print_text %x {end = "\n"} : (tensor<!nd.string>) -> !flow.token}];
  let arguments = (ins ND_Text:$text, StrAttr:$end, Variadic<Flow_Token>:$after);
  let results = (outs Flow_Token:$done);
}

def State_RandomUniformOp : State_Op<"random_uniform", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "uniform random numbers";
  let semantics = [{Numbers in [0, 1) of the dims `shape`, from the Philox stream of `seed` and `seed2` at the position that `generator` counts. The numbers depend on earlier calls and on the iterations around the op, not on the schedule.}];
  let failures = "INVALID_ARGUMENT when a dim is negative.";
  let constraints = [{C1. `generator` names a `state.generator` of the module. C2. `result` holds floats. C3. `shape` holds integers.}];
  let example = [{%x, %t = state.random_uniform %s {generator = @g, seed = 1 : i64, seed2 = 2 : i64} : (tensor<1xi32>) -> (tensor<?xf32>, !flow.token)}];
  let arguments = (ins ND_Index:$shape, FlatSymbolRefAttr:$generator, I64Attr:$seed, I64Attr:$seed2, Variadic<Flow_Token>:$after);
  let results = (outs ND_Float:$result, Flow_Token:$done);
}

def State_RandomPositionOp : State_Op<"random_position", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "where the next random numbers are";
  let semantics = [{What `state.random_uniform` does but for the numbers: counts, and says where in the Philox streams they are. `nd.random_uniform`, which may run elsewhere, makes them of `position`: the key, the upper half of the counter, and the lower one.}];
  let failures = "INVALID_ARGUMENT when a dim is negative.";
  let constraints = [{C1. `generator` names a `state.generator` of the module. C2. `shape` holds integers.}];
  let example = [{%p, %t = state.random_position %s {generator = @g, seed = 1 : i64, seed2 = 2 : i64} : (tensor<1xi32>) -> (tensor<3xi64>, !flow.token)}];
  let arguments = (ins ND_Index:$shape, FlatSymbolRefAttr:$generator, I64Attr:$seed, I64Attr:$seed2, Variadic<Flow_Token>:$after);
  let results = (outs ND_I64:$position, Flow_Token:$done);
}

#endif
