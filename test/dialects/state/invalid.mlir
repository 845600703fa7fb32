// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constraints of the state ops, one case each; the comment above a case names op and constraint.
// RUN: sluice-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// state.variable C1
// expected-error@below {{expected a tensor type but got 'f32'}}
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
