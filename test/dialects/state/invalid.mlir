// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constraints of the state ops, one case each; the comment above a case names op and constraint.
// RUN: sluice-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// state.variable C1
// expected-error@below {{expected a tensor type or a list but got 'f32'}}
state.variable @w {key = "w", type = f32}

// -----
// state.variable C2
// expected-error@below {{expected a key but got an empty one}}
state.variable @w {key = "", type = tensor<f32>}

// -----
// state.variable C3
// expected-error@below {{expected an initial value of type 'tensor<2xf32>' but got one of type 'tensor<3xf32>'}}
state.variable @w {key = "w", type = tensor<2xf32>, initial = dense<0.0> : tensor<3xf32>}

// -----
// state.variable C3
// expected-error@below {{expected an initial value of type 'tensor<*xf32>' but got one of type 'tensor<i32>'}}
state.variable @w {key = "w", type = tensor<*xf32>, initial = dense<0> : tensor<i32>}

// -----
// state.generator C1
// expected-error@below {{expected a key but got an empty one}}
state.generator @g {key = ""}

// -----
// state.reference C1
// expected-error@below {{expected the name of a state.variable but got @w}}
%r:2 = state.reference {variable = @w} : () -> (!state.ref<tensor<f32>>, !flow.token)

// -----
// state.reference C2
// expected-note@below {{the variable is declared here}}
state.variable @w {key = "w", type = tensor<2xf32>}
// expected-error@below {{expected the variable's element type 'f32' but got 'i32'}}
%r:2 = state.reference {variable = @w} : () -> (!state.ref<tensor<2xi32>>, !flow.token)

// -----
// state.handle C1
// expected-error@below {{expected the name of a state.variable but got @w}}
%r:2 = state.handle {variable = @w} : () -> (!state.resource<tensor<f32>>, !flow.token)

// -----
// state.handle C2
// expected-note@below {{the variable is declared here}}
state.variable @w {key = "w", type = tensor<2xf32>}
// expected-error@below {{expected the variable's element type 'f32' but got 'i32'}}
%r:2 = state.handle {variable = @w} : () -> (!state.resource<tensor<2xi32>>, !flow.token)

// -----
// state.read C1
%v = "test.value"() : () -> tensor<f32>
// expected-error@below {{operand #0 must be variable reference or variable handle}}
%r:2 = state.read %v : (tensor<f32>) -> (tensor<2xf32>, !flow.token)

// -----
// state.assign C1
%v:2 = "test.value"() : () -> (tensor<f32>, tensor<2xf32>)
// expected-error@below {{operand #0 must be variable reference or variable handle}}
%r = state.assign %v#0, %v#1 {validate_shape = true} : (tensor<f32>, tensor<2xf32>) -> !flow.token

// -----
// state.assign_add C1
%v:2 = "test.value"() : () -> (tensor<f32>, tensor<2xf32>)
// expected-error@below {{operand #0 must be variable reference or variable handle}}
%r = state.assign_add %v#0, %v#1 : (tensor<f32>, tensor<2xf32>) -> !flow.token

// -----
// state.assign_add C2
%v:2 = "test.value"() : () -> (!state.ref<tensor<2xf32>>, tensor<2xi1>)
// expected-error@below {{operand #1 must be tensor of numbers}}
%r = state.assign_add %v#0, %v#1 : (!state.ref<tensor<2xf32>>, tensor<2xi1>) -> !flow.token

// -----
// state.assign_sub C1
%v:2 = "test.value"() : () -> (tensor<f32>, tensor<2xf32>)
// expected-error@below {{operand #0 must be variable reference or variable handle}}
%r = state.assign_sub %v#0, %v#1 : (tensor<f32>, tensor<2xf32>) -> !flow.token

// -----
// state.assign_sub C2
%v:2 = "test.value"() : () -> (!state.ref<tensor<2xf32>>, tensor<2xi1>)
// expected-error@below {{operand #1 must be tensor of numbers}}
%r = state.assign_sub %v#0, %v#1 : (!state.ref<tensor<2xf32>>, tensor<2xi1>) -> !flow.token

// -----
// state.scatter_update C1
%v:3 = "test.value"() : () -> (tensor<f32>, tensor<1xi32>, tensor<1xf32>)
// expected-error@below {{operand #0 must be variable reference or variable handle}}
%r = state.scatter_update %v#0, %v#1, %v#2 : (tensor<f32>, tensor<1xi32>, tensor<1xf32>) -> !flow.token

// -----
// state.scatter_update C2
%v:3 = "test.value"() : () -> (!state.ref<tensor<2xf32>>, tensor<1xf32>, tensor<1xf32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = state.scatter_update %v#0, %v#1, %v#2 : (!state.ref<tensor<2xf32>>, tensor<1xf32>, tensor<1xf32>) -> !flow.token

// -----
// state.scatter_add C1
%v:3 = "test.value"() : () -> (tensor<f32>, tensor<1xi32>, tensor<1xf32>)
// expected-error@below {{operand #0 must be variable reference or variable handle}}
%r = state.scatter_add %v#0, %v#1, %v#2 : (tensor<f32>, tensor<1xi32>, tensor<1xf32>) -> !flow.token

// -----
// state.scatter_add C2
%v:3 = "test.value"() : () -> (!state.ref<tensor<2xf32>>, tensor<1xf32>, tensor<1xf32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = state.scatter_add %v#0, %v#1, %v#2 : (!state.ref<tensor<2xf32>>, tensor<1xf32>, tensor<1xf32>) -> !flow.token

// -----
// state.scatter_sub C1
%v:3 = "test.value"() : () -> (tensor<f32>, tensor<1xi32>, tensor<1xf32>)
// expected-error@below {{operand #0 must be variable reference or variable handle}}
%r = state.scatter_sub %v#0, %v#1, %v#2 : (tensor<f32>, tensor<1xi32>, tensor<1xf32>) -> !flow.token

// -----
// state.scatter_sub C2
%v:3 = "test.value"() : () -> (!state.ref<tensor<2xf32>>, tensor<1xf32>, tensor<1xf32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = state.scatter_sub %v#0, %v#1, %v#2 : (!state.ref<tensor<2xf32>>, tensor<1xf32>, tensor<1xf32>) -> !flow.token

// -----
// state.take C1
%v:2 = "test.value"() : () -> (tensor<i1>, !state.ref<tensor<2xf32>>)
// expected-error@below {{expected a variable for each of the 2 values, and then tokens}}
%r:3 = state.take %v#0, %v#1 : (tensor<i1>, !state.ref<tensor<2xf32>>) -> (tensor<2xf32>, tensor<2xf32>, !flow.token)

// -----
// state.take C1
%v:3 = "test.value"() : () -> (tensor<i1>, !flow.token, !state.ref<tensor<2xf32>>)
// expected-error@below {{expected a variable for each of the 1 values, and then tokens}}
%r:2 = state.take %v#0, %v#1, %v#2 : (tensor<i1>, !flow.token, !state.ref<tensor<2xf32>>) -> (tensor<2xf32>, !flow.token)

// -----
// state.take C1
%v:2 = "test.value"() : () -> (tensor<i1>, !state.ref<tensor<2xf32>>)
// expected-error@below {{expected a value of the variable, 'tensor<2xf32>', got 'tensor<3xf32>'}}
%r:2 = state.take %v#0, %v#1 : (tensor<i1>, !state.ref<tensor<2xf32>>) -> (tensor<3xf32>, !flow.token)

// -----
// state.take C2
%v:2 = "test.value"() : () -> (tensor<1xi1>, !state.ref<tensor<2xf32>>)
// expected-error@below {{expected a scalar that says whether the values are needed, got 'tensor<1xi1>'}}
%r:2 = state.take %v#0, %v#1 : (tensor<1xi1>, !state.ref<tensor<2xf32>>) -> (tensor<2xf32>, !flow.token)

// -----
// state.give C1
%v:2 = "test.value"() : () -> (tensor<i1>, !state.ref<tensor<2xf32>>)
// expected-error@below {{expected variables, as many values, and then tokens}}
%r = state.give %v#0, %v#1 : (tensor<i1>, !state.ref<tensor<2xf32>>) -> !flow.token

// -----
// state.give C1
%v:3 = "test.value"() : () -> (tensor<i1>, !state.ref<tensor<2xf32>>, !flow.token)
// expected-error@below {{expected variables, as many values, and then tokens}}
%r = state.give %v#0, %v#1, %v#2 : (tensor<i1>, !state.ref<tensor<2xf32>>, !flow.token) -> !flow.token

// -----
// state.give C2
%v:3 = "test.value"() : () -> (tensor<2xi1>, !state.ref<tensor<2xf32>>, tensor<2xf32>)
// expected-error@below {{expected a scalar that says whether there are values, got 'tensor<2xi1>'}}
%r = state.give %v#0, %v#1, %v#2 : (tensor<2xi1>, !state.ref<tensor<2xf32>>, tensor<2xf32>) -> !flow.token

// -----
// state.is_initialized C1
%v = "test.value"() : () -> tensor<f32>
// expected-error@below {{operand #0 must be variable reference or variable handle}}
%r:2 = state.is_initialized %v : (tensor<f32>) -> (tensor<i1>, !flow.token)

// -----
// state.is_initialized C2
%v = "test.value"() : () -> !state.ref<tensor<2xf32>>
// expected-error@below {{result #0 must be tensor of i1}}
%r:2 = state.is_initialized %v : (!state.ref<tensor<2xf32>>) -> (tensor<i32>, !flow.token)

// -----
// state.variable_shape C1
%v = "test.value"() : () -> tensor<f32>
// expected-error@below {{operand #0 must be variable reference or variable handle}}
%r:2 = state.variable_shape %v : (tensor<f32>) -> (tensor<?xi32>, !flow.token)

// -----
// state.variable_shape C2
%v = "test.value"() : () -> !state.ref<tensor<2xf32>>
// expected-error@below {{result #0 must be tensor of integers}}
%r:2 = state.variable_shape %v : (!state.ref<tensor<2xf32>>) -> (tensor<?xf32>, !flow.token)

// -----
// state.apply_gradient_descent C1
%v:3 = "test.value"() : () -> (tensor<f32>, tensor<f32>, tensor<2xf32>)
// expected-error@below {{operand #0 must be variable reference or variable handle}}
%r = state.apply_gradient_descent %v#0, %v#1, %v#2 : (tensor<f32>, tensor<f32>, tensor<2xf32>) -> !flow.token

// -----
// state.apply_momentum C1
%v:5 = "test.value"() : () -> (tensor<f32>, !state.ref<tensor<2xf32>>, tensor<f32>, tensor<2xf32>, tensor<f32>)
// expected-error@below {{operand #0 must be variable reference or variable handle}}
%r = state.apply_momentum %v#0, %v#1, %v#2, %v#3, %v#4 {use_nesterov = false} : (tensor<f32>, !state.ref<tensor<2xf32>>, tensor<f32>, tensor<2xf32>, tensor<f32>) -> !flow.token

// -----
// state.apply_momentum C1
%v:5 = "test.value"() : () -> (!state.ref<tensor<2xf32>>, tensor<f32>, tensor<f32>, tensor<2xf32>, tensor<f32>)
// expected-error@below {{operand #1 must be variable reference or variable handle}}
%r = state.apply_momentum %v#0, %v#1, %v#2, %v#3, %v#4 {use_nesterov = false} : (!state.ref<tensor<2xf32>>, tensor<f32>, tensor<f32>, tensor<2xf32>, tensor<f32>) -> !flow.token

// -----
// state.apply_adam C1
%v:10 = "test.value"() : () -> (tensor<f32>, !state.ref<tensor<2xf32>>, !state.ref<tensor<2xf32>>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<2xf32>)
// expected-error@below {{operand #0 must be variable reference or variable handle}}
%r = state.apply_adam %v#0, %v#1, %v#2, %v#3, %v#4, %v#5, %v#6, %v#7, %v#8, %v#9 {use_nesterov = false} : (tensor<f32>, !state.ref<tensor<2xf32>>, !state.ref<tensor<2xf32>>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<2xf32>) -> !flow.token

// -----
// state.apply_adam C1
%v:10 = "test.value"() : () -> (!state.ref<tensor<2xf32>>, tensor<f32>, !state.ref<tensor<2xf32>>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<2xf32>)
// expected-error@below {{operand #1 must be variable reference or variable handle}}
%r = state.apply_adam %v#0, %v#1, %v#2, %v#3, %v#4, %v#5, %v#6, %v#7, %v#8, %v#9 {use_nesterov = false} : (!state.ref<tensor<2xf32>>, tensor<f32>, !state.ref<tensor<2xf32>>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<2xf32>) -> !flow.token

// -----
// state.apply_adam C1
%v:10 = "test.value"() : () -> (!state.ref<tensor<2xf32>>, !state.ref<tensor<2xf32>>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<2xf32>)
// expected-error@below {{operand #2 must be variable reference or variable handle}}
%r = state.apply_adam %v#0, %v#1, %v#2, %v#3, %v#4, %v#5, %v#6, %v#7, %v#8, %v#9 {use_nesterov = false} : (!state.ref<tensor<2xf32>>, !state.ref<tensor<2xf32>>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<2xf32>) -> !flow.token

// -----
// state.assert C1
%v:2 = "test.value"() : () -> (tensor<i32>, tensor<f32>)
// expected-error@below {{operand #0 must be tensor of i1}}
%r = state.assert %v#0, %v#1 {summarize = 3 : i64} : (tensor<i32>, tensor<f32>) -> !flow.token

// -----
// state.check_numbers C1
%v:2 = "test.value"() : () -> (tensor<3xf32>, tensor<3xf32>)
// expected-error@below {{operand #0 must be tensor of integers}}
%r = state.check_numbers %v#0, %v#1 {refused = "zero"} : (tensor<3xf32>, tensor<3xf32>) -> !flow.token

// -----
// state.check_numbers C2
%v:2 = "test.value"() : () -> (tensor<3xi32>, tensor<3xi32>)
// expected-error@below {{expected refused "zero" or "negative" but got "even"}}
%r = state.check_numbers %v#0, %v#1 {refused = "even"} : (tensor<3xi32>, tensor<3xi32>) -> !flow.token

// -----
// state.check_points C1
%v:2 = "test.value"() : () -> (tensor<3x2xf32>, tensor<5x2xf32>)
// expected-error@below {{operand #0 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = state.check_points %v#0, %v#1 {columns = false, fails = "does not index into shape"} : (tensor<3x2xf32>, tensor<5x2xf32>) -> !flow.token

// -----
// state.check_range C1
%v:2 = "test.value"() : () -> (tensor<3xf32>, tensor<5x2xf32>)
// expected-error@below {{operand #0 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = state.check_range %v#0, %v#1 {dim = 0 : i64, allows_negative = false, name = "indices", fails = "is not in"} : (tensor<3xf32>, tensor<5x2xf32>) -> !flow.token

// -----
// state.random_position C1
%v = "test.value"() : () -> tensor<1xi32>
// expected-error@below {{expected the name of a state.generator but got @g}}
%r:2 = state.random_position %v {generator = @g, seed = 1 : i64, seed2 = 2 : i64} : (tensor<1xi32>) -> (tensor<3xi64>, !flow.token)

// -----
// state.random_position C2
state.generator @g {key = "g"}
%v = "test.value"() : () -> tensor<1xf32>
// expected-error@below {{operand #0 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r:2 = state.random_position %v {generator = @g, seed = 1 : i64, seed2 = 2 : i64} : (tensor<1xf32>) -> (tensor<3xi64>, !flow.token)

// -----
// state.random_uniform C1
%v = "test.value"() : () -> tensor<1xi32>
// expected-error@below {{expected the name of a state.generator but got @g}}
%r:2 = state.random_uniform %v {generator = @g, seed = 1 : i64, seed2 = 2 : i64} : (tensor<1xi32>) -> (tensor<?xf32>, !flow.token)

// -----
// state.random_uniform C2
state.generator @g {key = "g"}
%v = "test.value"() : () -> tensor<1xi32>
// expected-error@below {{result #0 must be tensor of floats}}
%r:2 = state.random_uniform %v {generator = @g, seed = 1 : i64, seed2 = 2 : i64} : (tensor<1xi32>) -> (tensor<?xi32>, !flow.token)

// -----
// state.random_uniform C3
state.generator @g {key = "g"}
%v = "test.value"() : () -> tensor<1xf32>
// expected-error@below {{operand #0 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r:2 = state.random_uniform %v {generator = @g, seed = 1 : i64, seed2 = 2 : i64} : (tensor<1xf32>) -> (tensor<?xf32>, !flow.token)

// -----
// state.scatter_mul C1
%v:3 = "test.value"() : () -> (tensor<f32>, tensor<1xi32>, tensor<1xf32>)
// expected-error@below {{operand #0 must be variable reference or variable handle}}
%r = state.scatter_mul %v#0, %v#1, %v#2 : (tensor<f32>, tensor<1xi32>, tensor<1xf32>) -> !flow.token

// -----
// state.scatter_mul C2
%v:3 = "test.value"() : () -> (!state.ref<tensor<2xf32>>, tensor<1xf32>, tensor<1xf32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = state.scatter_mul %v#0, %v#1, %v#2 : (!state.ref<tensor<2xf32>>, tensor<1xf32>, tensor<1xf32>) -> !flow.token

// -----
// state.scatter_div C1
%v:3 = "test.value"() : () -> (tensor<f32>, tensor<1xi32>, tensor<1xf32>)
// expected-error@below {{operand #0 must be variable reference or variable handle}}
%r = state.scatter_div %v#0, %v#1, %v#2 : (tensor<f32>, tensor<1xi32>, tensor<1xf32>) -> !flow.token

// -----
// state.scatter_div C2
%v:3 = "test.value"() : () -> (!state.ref<tensor<2xf32>>, tensor<1xf32>, tensor<1xf32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = state.scatter_div %v#0, %v#1, %v#2 : (!state.ref<tensor<2xf32>>, tensor<1xf32>, tensor<1xf32>) -> !flow.token

// -----
// state.scatter_max C1
%v:3 = "test.value"() : () -> (tensor<f32>, tensor<1xi32>, tensor<1xf32>)
// expected-error@below {{operand #0 must be variable reference or variable handle}}
%r = state.scatter_max %v#0, %v#1, %v#2 : (tensor<f32>, tensor<1xi32>, tensor<1xf32>) -> !flow.token

// -----
// state.scatter_max C2
%v:3 = "test.value"() : () -> (!state.ref<tensor<2xf32>>, tensor<1xf32>, tensor<1xf32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = state.scatter_max %v#0, %v#1, %v#2 : (!state.ref<tensor<2xf32>>, tensor<1xf32>, tensor<1xf32>) -> !flow.token

// -----
// state.scatter_min C1
%v:3 = "test.value"() : () -> (tensor<f32>, tensor<1xi32>, tensor<1xf32>)
// expected-error@below {{operand #0 must be variable reference or variable handle}}
%r = state.scatter_min %v#0, %v#1, %v#2 : (tensor<f32>, tensor<1xi32>, tensor<1xf32>) -> !flow.token

// -----
// state.scatter_min C2
%v:3 = "test.value"() : () -> (!state.ref<tensor<2xf32>>, tensor<1xf32>, tensor<1xf32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = state.scatter_min %v#0, %v#1, %v#2 : (!state.ref<tensor<2xf32>>, tensor<1xf32>, tensor<1xf32>) -> !flow.token

// -----
// state.update_points C1
%v:3 = "test.value"() : () -> (tensor<f32>, tensor<1x1xi32>, tensor<1xf32>)
// expected-error@below {{operand #0 must be variable reference or variable handle}}
%r = state.update_points %v#0, %v#1, %v#2 {how = "add", ignore_bad_indices = false} : (tensor<f32>, tensor<1x1xi32>, tensor<1xf32>) -> !flow.token

// -----
// state.update_points C2
%v:3 = "test.value"() : () -> (!state.ref<tensor<2xf32>>, tensor<1x1xf32>, tensor<1xf32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = state.update_points %v#0, %v#1, %v#2 {how = "add", ignore_bad_indices = false} : (!state.ref<tensor<2xf32>>, tensor<1x1xf32>, tensor<1xf32>) -> !flow.token

// -----
// state.update_points C3
%v:3 = "test.value"() : () -> (!state.ref<tensor<2xf32>>, tensor<1x1xi32>, tensor<1xf32>)
// expected-error@below {{expected 'how' to be one of 'update', 'add', 'sub', 'max', 'min' but got 'mul'}}
%r = state.update_points %v#0, %v#1, %v#2 {how = "mul", ignore_bad_indices = false} : (!state.ref<tensor<2xf32>>, tensor<1x1xi32>, tensor<1xf32>) -> !flow.token

// -----
// state.update_rows C1
%v:5 = "test.value"() : () -> (!state.ref<tensor<2xf32>>, !state.ref<tensor<2xf32>>, tensor<f32>, tensor<1xf32>, tensor<1xi32>)
// expected-error@below {{expected the name of a rule but got "luck"}}
%r = state.update_rows %v#0, %v#1, %v#2, %v#3, %v#4 {rule = "luck"} : (!state.ref<tensor<2xf32>>, !state.ref<tensor<2xf32>>, tensor<f32>, tensor<1xf32>, tensor<1xi32>) -> !flow.token

// -----
// state.update_rows C2
%v:4 = "test.value"() : () -> (!state.ref<tensor<2xf32>>, tensor<f32>, tensor<1xf32>, tensor<1xi32>)
// expected-error@below {{expected 2 variables, 3 tensors and tokens, as the rule "adagrad" has them}}
%r = state.update_rows %v#0, %v#1, %v#2, %v#3 {rule = "adagrad"} : (!state.ref<tensor<2xf32>>, tensor<f32>, tensor<1xf32>, tensor<1xi32>) -> !flow.token

// -----
// state.update_rows C2
%v:6 = "test.value"() : () -> (!state.ref<tensor<2xf32>>, !state.ref<tensor<2xf32>>, tensor<f32>, tensor<1xf32>, tensor<1xi32>, tensor<f32>)
// expected-error@below {{expected 2 variables, 3 tensors and tokens, as the rule "adagrad" has them}}
%r = state.update_rows %v#0, %v#1, %v#2, %v#3, %v#4, %v#5 {rule = "adagrad"} : (!state.ref<tensor<2xf32>>, !state.ref<tensor<2xf32>>, tensor<f32>, tensor<1xf32>, tensor<1xi32>, tensor<f32>) -> !flow.token

// -----
// state.count_up_to C1
%v = "test.value"() : () -> tensor<i32>
// expected-error@below {{operand #0 must be variable reference or variable handle}}
%r:2 = state.count_up_to %v {limit = 3 : i64} : (tensor<i32>) -> (tensor<i32>, !flow.token)

// -----
// state.count_up_to C2
%v = "test.value"() : () -> !state.ref<tensor<i32>>
// expected-error@below {{result #0 must be tensor of i32 or i64}}
%r:2 = state.count_up_to %v {limit = 3 : i64} : (!state.ref<tensor<i32>>) -> (tensor<f32>, !flow.token)

// -----
// state.object C1
// expected-error@below {{expected a key but got an empty one}}
state.object @t {key = "", kind = "table"}

// -----
// state.table_handle C1
// expected-error@below {{expected the name of a state.object of kind "table" but got @t}}
%r:2 = state.table_handle  {buckets = 0 : i64, key_dtype = !nd.string, kind = "static", name = "t", object = @t, value_dtype = i64, value_shape = tensor<i64>} : () -> (!state.object<"table">, !flow.token)

// -----
// state.table_handle C2
state.object @t {key = "t", kind = "table"}
// expected-error@below {{expected kind "static", "mutable" or "dense" but got "lazy"}}
%r:2 = state.table_handle  {buckets = 0 : i64, key_dtype = !nd.string, kind = "lazy", name = "t", object = @t, value_dtype = i64, value_shape = tensor<i64>} : () -> (!state.object<"table">, !flow.token)

// -----
// state.table_handle C3
state.object @t {key = "t", kind = "table"}
// expected-error@below {{expected a tensor type as value_shape but got 'i64'}}
%r:2 = state.table_handle  {buckets = 0 : i64, key_dtype = !nd.string, kind = "static", name = "t", object = @t, value_dtype = i64, value_shape = i64} : () -> (!state.object<"table">, !flow.token)

// -----
// state.table_handle C4
state.object @t {key = "t", kind = "table"}
%v = "test.value"() : () -> tensor<!nd.string>
// expected-error@below {{expected 3 tensors and tokens as operands of a dense table}}
%r:2 = state.table_handle %v {buckets = 0 : i64, key_dtype = !nd.string, kind = "dense", name = "t", object = @t, value_dtype = i64, value_shape = tensor<i64>} : (tensor<!nd.string>) -> (!state.object<"table">, !flow.token)

// -----
// state.table_handle C4
state.object @t {key = "t", kind = "table"}
%v = "test.value"() : () -> tensor<!nd.string>
// expected-error@below {{expected 0 tensors and tokens as operands of a static table}}
%r:2 = state.table_handle %v {buckets = 0 : i64, key_dtype = !nd.string, kind = "static", name = "t", object = @t, value_dtype = i64, value_shape = tensor<i64>} : (tensor<!nd.string>) -> (!state.object<"table">, !flow.token)

// -----
// state.make_table C1
// expected-error@below {{expected kind "static", "mutable" or "dense" but got "lazy"}}
%r:2 = state.make_table  {buckets = 0 : i64, key_dtype = !nd.string, kind = "lazy", name = "t", value_dtype = i64, value_shape = tensor<i64>} : () -> (!state.object<"table">, !flow.token)

// -----
// state.make_table C2
// expected-error@below {{expected a tensor type as value_shape but got 'i64'}}
%r:2 = state.make_table  {buckets = 0 : i64, key_dtype = !nd.string, kind = "static", name = "t", value_dtype = i64, value_shape = i64} : () -> (!state.object<"table">, !flow.token)

// -----
// state.make_table C3
%v = "test.value"() : () -> tensor<!nd.string>
// expected-error@below {{expected 0 tensors and tokens as operands of a mutable table}}
%r:2 = state.make_table %v {buckets = 0 : i64, key_dtype = !nd.string, kind = "mutable", name = "t", value_dtype = i64, value_shape = tensor<i64>} : (tensor<!nd.string>) -> (!state.object<"table">, !flow.token)

// -----
// state.table_import C1
%v:3 = "test.value"() : () -> (tensor<i64>, tensor<2x!nd.string>, tensor<2xi64>)
// expected-error@below {{operand #0 must be table handle}}
%r = state.table_import %v#0, %v#1, %v#2 {initializes = false} : (tensor<i64>, tensor<2x!nd.string>, tensor<2xi64>) -> !flow.token

// -----
// state.table_load C1
%v:2 = "test.value"() : () -> (tensor<i64>, tensor<!nd.string>)
// expected-error@below {{operand #0 must be table handle}}
%r = state.table_load %v#0, %v#1 {key_index = -2 : i64, value_index = -1 : i64, vocab_size = -1 : i64, delimiter = " ", offset = 0 : i64} : (tensor<i64>, tensor<!nd.string>) -> !flow.token

// -----
// state.table_load C2
%v:2 = "test.value"() : () -> (!state.object<"table">, tensor<i64>)
// expected-error@below {{expected filename to hold strings but got 'tensor<i64>'}}
%r = state.table_load %v#0, %v#1 {key_index = -2 : i64, value_index = -1 : i64, vocab_size = -1 : i64, delimiter = " ", offset = 0 : i64} : (!state.object<"table">, tensor<i64>) -> !flow.token

// -----
// state.table_load C3
%v:2 = "test.value"() : () -> (!state.object<"table">, tensor<!nd.string>)
// expected-error@below {{expected one byte as delimiter but got ", "}}
%r = state.table_load %v#0, %v#1 {key_index = -2 : i64, value_index = -1 : i64, vocab_size = -1 : i64, delimiter = ", ", offset = 0 : i64} : (!state.object<"table">, tensor<!nd.string>) -> !flow.token

// -----
// state.table_insert C1
%v:3 = "test.value"() : () -> (tensor<i64>, tensor<2x!nd.string>, tensor<2xi64>)
// expected-error@below {{operand #0 must be table handle}}
%r = state.table_insert %v#0, %v#1, %v#2 : (tensor<i64>, tensor<2x!nd.string>, tensor<2xi64>) -> !flow.token

// -----
// state.table_remove C1
%v:2 = "test.value"() : () -> (tensor<i64>, tensor<2x!nd.string>)
// expected-error@below {{operand #0 must be table handle}}
%r = state.table_remove %v#0, %v#1 : (tensor<i64>, tensor<2x!nd.string>) -> !flow.token

// -----
// state.table_find C1
%v:3 = "test.value"() : () -> (tensor<i64>, tensor<2x!nd.string>, tensor<i64>)
// expected-error@below {{operand #0 must be table handle}}
%r:2 = state.table_find %v#0, %v#1, %v#2 : (tensor<i64>, tensor<2x!nd.string>, tensor<i64>) -> (tensor<2xi64>, !flow.token)

// -----
// state.table_size C1
%v = "test.value"() : () -> tensor<i64>
// expected-error@below {{operand #0 must be table handle}}
%r:2 = state.table_size %v : (tensor<i64>) -> (tensor<i64>, !flow.token)

// -----
// state.table_export C1
%v = "test.value"() : () -> tensor<i64>
// expected-error@below {{operand #0 must be table handle}}
%r:3 = state.table_export %v : (tensor<i64>) -> (tensor<?x!nd.string>, tensor<?xi64>, !flow.token)

// -----
// state.table_find C2
%v:3 = "test.value"() : () -> (!state.object<"table">, tensor<2x!nd.string>, tensor<f32>)
// expected-error@below {{expected one element type but got 'f32' and 'i64'}}
%r:2 = state.table_find %v#0, %v#1, %v#2 : (!state.object<"table">, tensor<2x!nd.string>, tensor<f32>) -> (tensor<2xi64>, !flow.token)

// -----
// state.table_size C2
%v = "test.value"() : () -> !state.object<"table">
// expected-error@below {{result #0 must be tensor of i64}}
%r:2 = state.table_size %v : (!state.object<"table">) -> (tensor<i32>, !flow.token)

// -----
// state.save_tensors C1
%v:4 = "test.value"() : () -> (tensor<i64>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<2xf32>)
// expected-error@below {{operand #0 must be tensor of strings}}
%r = state.save_tensors %v#0, %v#1, %v#2, %v#3 {form = "bundle"} : (tensor<i64>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<2xf32>) -> !flow.token

// -----
// state.save_tensors C2
%v:4 = "test.value"() : () -> (tensor<!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<2xf32>)
// expected-error@below {{expected form "bundle" or "table" but got "any"}}
%r = state.save_tensors %v#0, %v#1, %v#2, %v#3 {form = "any"} : (tensor<!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<2xf32>) -> !flow.token

// -----
// state.save_tensors C3
%v:5 = "test.value"() : () -> (tensor<!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, !flow.token, tensor<2xf32>)
// expected-error@below {{expected tensors and, behind them, tokens but got 'tensor<2xf32>'}}
%r = state.save_tensors %v#0, %v#1, %v#2, %v#3, %v#4 {form = "bundle"} : (tensor<!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, !flow.token, tensor<2xf32>) -> !flow.token

// -----
// state.restore_tensors C1
%v:3 = "test.value"() : () -> (tensor<!nd.string>, tensor<1xi64>, tensor<1x!nd.string>)
// expected-error@below {{operand #1 must be tensor of strings}}
%r:2 = state.restore_tensors %v#0, %v#1, %v#2 {form = "any"} : (tensor<!nd.string>, tensor<1xi64>, tensor<1x!nd.string>) -> (tensor<*xf32>, !flow.token)

// -----
// state.restore_tensors C2
%v:3 = "test.value"() : () -> (tensor<!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>)
// expected-error@below {{expected form "any" or "table" but got "bundle"}}
%r:2 = state.restore_tensors %v#0, %v#1, %v#2 {form = "bundle"} : (tensor<!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>) -> (tensor<*xf32>, !flow.token)

// -----
// state.merge_checkpoints C1
%v:2 = "test.value"() : () -> (tensor<2x!nd.string>, tensor<i64>)
// expected-error@below {{operand #1 must be tensor of strings}}
%r = state.merge_checkpoints %v#0, %v#1 {allow_missing_files = false, delete_old_folders = true} : (tensor<2x!nd.string>, tensor<i64>) -> !flow.token

// -----
// state.print_text C1
%v = "test.value"() : () -> tensor<i32>
// expected-error@below {{operand #0 must be tensor of strings}}
%t = state.print_text %v {end = ""} : (tensor<i32>) -> !flow.token
