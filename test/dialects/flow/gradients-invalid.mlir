// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constraints of requests for derivatives, one case each; the comment above a case names op and constraint.
// RUN: sluice-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// flow.independent C1
%x = "test.value"() : () -> tensor<f32>
// expected-error@below {{failed to verify that all of {value, result} have same type}}
%y = flow.independent %x {name = "x:0"} : (tensor<f32>) -> tensor<f64>

// -----
// flow.independent C2
%x = "test.value"() : () -> tensor<f32>
// expected-error@below {{expected a name but got an empty one}}
%y = flow.independent %x {name = ""} : (tensor<f32>) -> tensor<f32>

// -----
// flow.gradient C1
%x = "test.value"() : () -> tensor<f32>
// expected-error@below {{expected something to differentiate, and by what}}
%g = flow.gradient of seeds wrt %x stops {name = "gradients"} : (tensor<f32>) -> tensor<f32>

// -----
// flow.gradient C1
%y = "test.value"() : () -> tensor<f32>
// expected-error@below {{expected something to differentiate, and by what}}
flow.gradient of %y seeds wrt stops {name = "gradients"} : (tensor<f32>) -> ()

// -----
// flow.gradient C2
%x = "test.value"() : () -> tensor<f32>
// expected-error@below {{expected a seed for each of 2 values but got 1}}
%g = flow.gradient of %x, %x seeds %x wrt %x stops {name = "gradients"} : (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<f32>

// -----
// flow.gradient C2
%l = "test.value"() : () -> !list.of<tensor<f32>>
%x = "test.value"() : () -> tensor<f32>
// expected-error@below {{expected a seed for what is no tensor but got none for '!list.of<tensor<f32>>'}}
%g = flow.gradient of %l seeds wrt %x stops {name = "gradients"} : (!list.of<tensor<f32>>, tensor<f32>) -> tensor<f32>

// -----
// flow.gradient C2
%s = "test.value"() : () -> tensor<f64>
%x = "test.value"() : () -> tensor<f32>
// expected-error@below {{expected a seed like 'tensor<f32>' but got 'tensor<f64>'}}
%g = flow.gradient of %x seeds %s wrt %x stops {name = "gradients"} : (tensor<f32>, tensor<f64>, tensor<f32>) -> tensor<f32>

// -----
// flow.gradient C2
%l = "test.value"() : () -> !list.of<tensor<f32>>
%x = "test.value"() : () -> tensor<f32>
// expected-error@below {{expected a seed like '!list.of<tensor<f32>>' but got 'tensor<f32>'}}
%g = flow.gradient of %l seeds %x wrt %x stops {name = "gradients"} : (!list.of<tensor<f32>>, tensor<f32>, tensor<f32>) -> tensor<f32>

// -----
// flow.gradient C3
%x = "test.value"() : () -> tensor<f32>
// expected-error@below {{expected a result for each of 2 values but got 1}}
%g = flow.gradient of %x seeds wrt %x, %x stops {name = "gradients"} : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<f32>

// -----
// flow.gradient C3
%x = "test.value"() : () -> tensor<f32>
// expected-error@below {{expected a result of type 'tensor<f32>' but got 'tensor<f64>'}}
%g = flow.gradient of %x seeds wrt %x stops {name = "gradients"} : (tensor<f32>, tensor<f32>) -> tensor<f64>

// -----
// flow.gradient C3
%x = "test.value"() : () -> tensor<2x?xf32>
// expected-error@below {{expected a result of type 'tensor<2x?xf32>' but got 'tensor<2xf32>'}}
%g = flow.gradient of %x seeds wrt %x stops {name = "gradients"} : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2xf32>

// -----
// flow.gradient C4
%y = "test.value"() : () -> tensor<i32>
%x = "test.value"() : () -> tensor<f32>
// expected-error@below {{expected floats or complex numbers but got 'tensor<i32>'}}
%g = flow.gradient of %y seeds wrt %x stops {name = "gradients"} : (tensor<i32>, tensor<f32>) -> tensor<f32>

// -----
// flow.gradient C4
%y = "test.value"() : () -> tensor<f32>
%x = "test.value"() : () -> tensor<ui8>
// expected-error@below {{expected floats or complex numbers but got 'tensor<ui8>'}}
%g = flow.gradient of %y seeds wrt %x stops {name = "gradients"} : (tensor<f32>, tensor<ui8>) -> tensor<ui8>

// -----
// flow.gradient C5
%x = "test.value"() : () -> tensor<f32>
// expected-error@below {{expected a name but got an empty one}}
%g = flow.gradient of %x seeds wrt %x stops {name = ""} : (tensor<f32>, tensor<f32>) -> tensor<f32>

// -----
// flow.known_as C1
%x = "test.value"() : () -> tensor<f32>
// expected-error@below {{expected a name but got an empty one}}
%y = flow.known_as "" %x of %x : (tensor<f32>, tensor<f32>) -> tensor<f32>

// -----
// flow.known_as C2
%x:2 = "test.value"() : () -> (tensor<f32>, tensor<f64>)
// expected-error@below {{expected results of the types ('tensor<f32>') but got ('tensor<f64>')}}
%y = flow.known_as "tf.Relu" %x#0 of %x#1 : (tensor<f32>, tensor<f64>) -> tensor<f64>
