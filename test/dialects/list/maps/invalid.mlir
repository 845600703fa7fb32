// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For each constraint that a record of an op on maps states, a case that breaks it.
// RUN: sluice-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// list.map_make C1
%v = "test.value"() : () -> tensor<f32>
// expected-error@below {{operand #0 must be tensor of integers}}
%r = list.map_make %v : (tensor<f32>) -> !list.of<!list.any>

// -----
// list.map_make C2
%v = "test.value"() : () -> tensor<i32>
// expected-error@below {{expected a map, !list.of<!list.any>, but got '!list.of<tensor<4xf32>>'}}
%r = list.map_make %v : (tensor<i32>) -> !list.of<tensor<4xf32>>

// -----
// list.map_insert C1
%v:3 = "test.value"() : () -> (!list.of<!list.any>, !list.of<!list.any>, tensor<4xf32>)
// expected-error@below {{operand #1 must be}}
%r = list.map_insert %v#0, %v#1, %v#2 : (!list.of<!list.any>, !list.of<!list.any>, tensor<4xf32>) -> !list.of<!list.any>

// -----
// list.map_insert C2
%v:3 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<i32>, tensor<4xf32>)
// expected-error@below {{expected a map, !list.of<!list.any>, but got '!list.of<tensor<4xf32>>'}}
%r = list.map_insert %v#0, %v#1, %v#2 : (!list.of<tensor<4xf32>>, tensor<i32>, tensor<4xf32>) -> !list.of<tensor<4xf32>>

// -----
// list.map_lookup C1
%v:2 = "test.value"() : () -> (!list.of<!list.any>, !list.of<!list.any>)
// expected-error@below {{operand #1 must be}}
%r = list.map_lookup %v#0, %v#1 : (!list.of<!list.any>, !list.of<!list.any>) -> tensor<*xf32>

// -----
// list.map_lookup C2
%v:2 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<i32>)
// expected-error@below {{expected a map, !list.of<!list.any>, but got '!list.of<tensor<4xf32>>'}}
%r = list.map_lookup %v#0, %v#1 : (!list.of<tensor<4xf32>>, tensor<i32>) -> tensor<*xf32>

// -----
// list.map_lookup_or C1
%v:3 = "test.value"() : () -> (!list.of<!list.any>, !list.of<!list.any>, tensor<4xf32>)
// expected-error@below {{operand #1 must be}}
%r = list.map_lookup_or %v#0, %v#1, %v#2 : (!list.of<!list.any>, !list.of<!list.any>, tensor<4xf32>) -> tensor<*xf32>

// -----
// list.map_lookup_or C2
%v:3 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<i32>, tensor<4xf32>)
// expected-error@below {{expected a map, !list.of<!list.any>, but got '!list.of<tensor<4xf32>>'}}
%r = list.map_lookup_or %v#0, %v#1, %v#2 : (!list.of<tensor<4xf32>>, tensor<i32>, tensor<4xf32>) -> tensor<*xf32>

// -----
// list.map_erase C1
%v:2 = "test.value"() : () -> (!list.of<!list.any>, !list.of<!list.any>)
// expected-error@below {{operand #1 must be}}
%r = list.map_erase %v#0, %v#1 {required = true} : (!list.of<!list.any>, !list.of<!list.any>) -> !list.of<!list.any>

// -----
// list.map_erase C2
%v:2 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<i32>)
// expected-error@below {{expected a map, !list.of<!list.any>, but got '!list.of<tensor<4xf32>>'}}
%r = list.map_erase %v#0, %v#1 {required = true} : (!list.of<tensor<4xf32>>, tensor<i32>) -> !list.of<tensor<4xf32>>

// -----
// list.map_has_key C1
%v:2 = "test.value"() : () -> (!list.of<!list.any>, !list.of<!list.any>)
// expected-error@below {{operand #1 must be}}
%r = list.map_has_key %v#0, %v#1 : (!list.of<!list.any>, !list.of<!list.any>) -> tensor<i1>

// -----
// list.map_has_key C2
%v:2 = "test.value"() : () -> (!list.of<tensor<4xf32>>, tensor<i32>)
// expected-error@below {{expected a map, !list.of<!list.any>, but got '!list.of<tensor<4xf32>>'}}
%r = list.map_has_key %v#0, %v#1 : (!list.of<tensor<4xf32>>, tensor<i32>) -> tensor<i1>

// -----
// list.map_insert C1
%v:3 = "test.value"() : () -> (!list.of<!list.any>, tensor<i32>, !list.of<!list.any>)
// expected-error@below {{operand #2 must be}}
%r = list.map_insert %v#0, %v#1, %v#2 : (!list.of<!list.any>, tensor<i32>, !list.of<!list.any>) -> !list.of<!list.any>

// -----
// list.map_insert C3
%v:3 = "test.value"() : () -> (!list.of<!list.any>, tensor<i32>, tensor<4xf32>)
// expected-error@below {{expected a result of type '!list.of<!list.any>' but got '!list.of<tensor<4xf32>>'}}
%r = list.map_insert %v#0, %v#1, %v#2 : (!list.of<!list.any>, tensor<i32>, tensor<4xf32>) -> !list.of<tensor<4xf32>>

// -----
// list.map_lookup C1
%v:2 = "test.value"() : () -> (!list.of<!list.any>, tensor<i32>)
// expected-error@below {{result #0 must be}}
%r = list.map_lookup %v#0, %v#1 : (!list.of<!list.any>, tensor<i32>) -> !list.of<!list.any>

// -----
// list.map_lookup_or C3
%v:3 = "test.value"() : () -> (!list.of<!list.any>, tensor<i32>, tensor<4xf32>)
// expected-error@below {{expected a result that holds 'f32' but got 'f64'}}
%r = list.map_lookup_or %v#0, %v#1, %v#2 : (!list.of<!list.any>, tensor<i32>, tensor<4xf32>) -> tensor<*xf64>

// -----
// list.map_erase C3
%v:2 = "test.value"() : () -> (!list.of<!list.any>, tensor<i32>)
// expected-error@below {{expected a result of type '!list.of<!list.any>' but got '!list.of<tensor<4xf32>>'}}
%r = list.map_erase %v#0, %v#1 {required = true} : (!list.of<!list.any>, tensor<i32>) -> !list.of<tensor<4xf32>>

// -----
// list.map_has_key C3
%v:2 = "test.value"() : () -> (!list.of<!list.any>, tensor<i32>)
// expected-error@below {{result #0 must be}}
%r = list.map_has_key %v#0, %v#1 : (!list.of<!list.any>, tensor<i32>) -> tensor<i32>

// -----
// list.map_size C1
%v = "test.value"() : () -> !list.of<tensor<4xf32>>
// expected-error@below {{expected a map, !list.of<!list.any>, but got '!list.of<tensor<4xf32>>'}}
%r = list.map_size %v : (!list.of<tensor<4xf32>>) -> tensor<i32>

// -----
// list.map_size C2
%v = "test.value"() : () -> !list.of<!list.any>
// expected-error@below {{result #0 must be tensor of i32}}
%r = list.map_size %v : (!list.of<!list.any>) -> tensor<i64>

// -----
// list.map_keys C1
%v = "test.value"() : () -> !list.of<!list.any>
// expected-error@below {{result #0 must be}}
%r = list.map_keys %v : (!list.of<!list.any>) -> !list.of<!list.any>

// -----
// list.map_keys C2
%v = "test.value"() : () -> !list.of<tensor<4xf32>>
// expected-error@below {{expected a map, !list.of<!list.any>, but got '!list.of<tensor<4xf32>>'}}
%r = list.map_keys %v : (!list.of<tensor<4xf32>>) -> tensor<*xi32>
