// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constraints of the nn ops, one case each; the comment above a case names op and constraint.
// RUN: sluice-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// nn.convolve C1
%v:2 = "test.value"() : () -> (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>)
// expected-error@below {{failed to verify that all of {lhs, rhs, result} have same element type}}
%r = nn.convolve %v#0, %v#1 {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, padding = "same", pads = array<i64>} : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x4x4x4xf64>

// -----
// nn.convolve C2
%v:2 = "test.value"() : () -> (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>)
// expected-error@below {{expected 'strides' to have one to three numbers but got 0}}
%r = nn.convolve %v#0, %v#1 {strides = array<i64>, dilations = array<i64: 1, 1>, padding = "same", pads = array<i64>} : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x4x4x4xf32>

// -----
// nn.convolve C2
%v:2 = "test.value"() : () -> (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>)
// expected-error@below {{expected 'strides' to have one to three numbers but got 4}}
%r = nn.convolve %v#0, %v#1 {strides = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, padding = "same", pads = array<i64>} : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x4x4x4xf32>

// -----
// nn.convolve C2
%v:2 = "test.value"() : () -> (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>)
// expected-error@below {{expected 'strides' to have numbers from 1 to 2147483647 but got 0}}
%r = nn.convolve %v#0, %v#1 {strides = array<i64: 2, 0>, dilations = array<i64: 1, 1>, padding = "same", pads = array<i64>} : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x4x4x4xf32>

// -----
// nn.convolve C3
%v:2 = "test.value"() : () -> (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>)
// expected-error@below {{expected 'dilations' to have 2 numbers but got 1}}
%r = nn.convolve %v#0, %v#1 {strides = array<i64: 2, 2>, dilations = array<i64: 1>, padding = "same", pads = array<i64>} : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x4x4x4xf32>

// -----
// nn.convolve C3
%v:2 = "test.value"() : () -> (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>)
// expected-error@below {{expected 'dilations' to have numbers from 1 to 2147483647 but got 2147483648}}
%r = nn.convolve %v#0, %v#1 {strides = array<i64: 2, 2>, dilations = array<i64: 1, 2147483648>, padding = "same", pads = array<i64>} : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x4x4x4xf32>

// -----
// nn.convolve C4
%v:2 = "test.value"() : () -> (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>)
// expected-error@below {{expected 'padding' to be one of 'same', 'valid', 'explicit' but got 'full'}}
%r = nn.convolve %v#0, %v#1 {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, padding = "full", pads = array<i64>} : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x4x4x4xf32>

// -----
// nn.convolve C5
%v:2 = "test.value"() : () -> (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>)
// expected-error@below {{expected 'pads' to have 4 numbers but got 0}}
%r = nn.convolve %v#0, %v#1 {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, padding = "explicit", pads = array<i64>} : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x4x4x4xf32>

// -----
// nn.convolve C5
%v:2 = "test.value"() : () -> (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>)
// expected-error@below {{expected 'pads' to have 0 numbers but got 1}}
%r = nn.convolve %v#0, %v#1 {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, padding = "same", pads = array<i64: 1>} : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x4x4x4xf32>

// -----
// nn.convolve C5
%v:2 = "test.value"() : () -> (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>)
// expected-error@below {{expected 'pads' to have numbers from 0 to 2147483647 but got -1}}
%r = nn.convolve %v#0, %v#1 {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, padding = "explicit", pads = array<i64: 0, 0, -1, 0>} : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x4x4x4xf32>

// -----
// nn.convolve_input C1
%v:3 = "test.value"() : () -> (tensor<4xi64>, tensor<3x3x3x4xf32>, tensor<1x4x4x4xf32>)
// expected-error@below {{failed to verify that all of {lhs, rhs, result} have same element type}}
%r = nn.convolve_input %v#0, %v#1, %v#2 {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, padding = "same", pads = array<i64>} : (tensor<4xi64>, tensor<3x3x3x4xf32>, tensor<1x4x4x4xf32>) -> tensor<?x?x?x?xf64>

// -----
// nn.convolve_input C2
%v:3 = "test.value"() : () -> (tensor<4xi64>, tensor<3x3x3x4xf32>, tensor<1x4x4x4xf32>)
// expected-error@below {{expected 'strides' to have one to three numbers but got 0}}
%r = nn.convolve_input %v#0, %v#1, %v#2 {strides = array<i64>, dilations = array<i64: 1, 1>, padding = "same", pads = array<i64>} : (tensor<4xi64>, tensor<3x3x3x4xf32>, tensor<1x4x4x4xf32>) -> tensor<?x?x?x?xf32>

// -----
// nn.convolve_input C2
%v:3 = "test.value"() : () -> (tensor<4xi64>, tensor<3x3x3x4xf32>, tensor<1x4x4x4xf32>)
// expected-error@below {{expected 'strides' to have one to three numbers but got 4}}
%r = nn.convolve_input %v#0, %v#1, %v#2 {strides = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, padding = "same", pads = array<i64>} : (tensor<4xi64>, tensor<3x3x3x4xf32>, tensor<1x4x4x4xf32>) -> tensor<?x?x?x?xf32>

// -----
// nn.convolve_input C2
%v:3 = "test.value"() : () -> (tensor<4xi64>, tensor<3x3x3x4xf32>, tensor<1x4x4x4xf32>)
// expected-error@below {{expected 'strides' to have numbers from 1 to 2147483647 but got 0}}
%r = nn.convolve_input %v#0, %v#1, %v#2 {strides = array<i64: 2, 0>, dilations = array<i64: 1, 1>, padding = "same", pads = array<i64>} : (tensor<4xi64>, tensor<3x3x3x4xf32>, tensor<1x4x4x4xf32>) -> tensor<?x?x?x?xf32>

// -----
// nn.convolve_input C3
%v:3 = "test.value"() : () -> (tensor<4xi64>, tensor<3x3x3x4xf32>, tensor<1x4x4x4xf32>)
// expected-error@below {{expected 'dilations' to have 2 numbers but got 1}}
%r = nn.convolve_input %v#0, %v#1, %v#2 {strides = array<i64: 2, 2>, dilations = array<i64: 1>, padding = "same", pads = array<i64>} : (tensor<4xi64>, tensor<3x3x3x4xf32>, tensor<1x4x4x4xf32>) -> tensor<?x?x?x?xf32>

// -----
// nn.convolve_input C3
%v:3 = "test.value"() : () -> (tensor<4xi64>, tensor<3x3x3x4xf32>, tensor<1x4x4x4xf32>)
// expected-error@below {{expected 'dilations' to have numbers from 1 to 2147483647 but got 2147483648}}
%r = nn.convolve_input %v#0, %v#1, %v#2 {strides = array<i64: 2, 2>, dilations = array<i64: 1, 2147483648>, padding = "same", pads = array<i64>} : (tensor<4xi64>, tensor<3x3x3x4xf32>, tensor<1x4x4x4xf32>) -> tensor<?x?x?x?xf32>

// -----
// nn.convolve_input C4
%v:3 = "test.value"() : () -> (tensor<4xi64>, tensor<3x3x3x4xf32>, tensor<1x4x4x4xf32>)
// expected-error@below {{expected 'padding' to be one of 'same', 'valid', 'explicit' but got 'full'}}
%r = nn.convolve_input %v#0, %v#1, %v#2 {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, padding = "full", pads = array<i64>} : (tensor<4xi64>, tensor<3x3x3x4xf32>, tensor<1x4x4x4xf32>) -> tensor<?x?x?x?xf32>

// -----
// nn.convolve_input C5
%v:3 = "test.value"() : () -> (tensor<4xi64>, tensor<3x3x3x4xf32>, tensor<1x4x4x4xf32>)
// expected-error@below {{expected 'pads' to have 4 numbers but got 0}}
%r = nn.convolve_input %v#0, %v#1, %v#2 {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, padding = "explicit", pads = array<i64>} : (tensor<4xi64>, tensor<3x3x3x4xf32>, tensor<1x4x4x4xf32>) -> tensor<?x?x?x?xf32>

// -----
// nn.convolve_input C5
%v:3 = "test.value"() : () -> (tensor<4xi64>, tensor<3x3x3x4xf32>, tensor<1x4x4x4xf32>)
// expected-error@below {{expected 'pads' to have 0 numbers but got 1}}
%r = nn.convolve_input %v#0, %v#1, %v#2 {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, padding = "same", pads = array<i64: 1>} : (tensor<4xi64>, tensor<3x3x3x4xf32>, tensor<1x4x4x4xf32>) -> tensor<?x?x?x?xf32>

// -----
// nn.convolve_input C5
%v:3 = "test.value"() : () -> (tensor<4xi64>, tensor<3x3x3x4xf32>, tensor<1x4x4x4xf32>)
// expected-error@below {{expected 'pads' to have numbers from 0 to 2147483647 but got -1}}
%r = nn.convolve_input %v#0, %v#1, %v#2 {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, padding = "explicit", pads = array<i64: 0, 0, -1, 0>} : (tensor<4xi64>, tensor<3x3x3x4xf32>, tensor<1x4x4x4xf32>) -> tensor<?x?x?x?xf32>

// -----
// nn.convolve_filter C1
%v:3 = "test.value"() : () -> (tensor<1x8x8x3xf32>, tensor<4xi64>, tensor<1x4x4x4xf32>)
// expected-error@below {{failed to verify that all of {lhs, rhs, result} have same element type}}
%r = nn.convolve_filter %v#0, %v#1, %v#2 {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, padding = "same", pads = array<i64>} : (tensor<1x8x8x3xf32>, tensor<4xi64>, tensor<1x4x4x4xf32>) -> tensor<?x?x?x?xf64>

// -----
// nn.convolve_filter C2
%v:3 = "test.value"() : () -> (tensor<1x8x8x3xf32>, tensor<4xi64>, tensor<1x4x4x4xf32>)
// expected-error@below {{expected 'strides' to have one to three numbers but got 0}}
%r = nn.convolve_filter %v#0, %v#1, %v#2 {strides = array<i64>, dilations = array<i64: 1, 1>, padding = "same", pads = array<i64>} : (tensor<1x8x8x3xf32>, tensor<4xi64>, tensor<1x4x4x4xf32>) -> tensor<?x?x?x?xf32>

// -----
// nn.convolve_filter C2
%v:3 = "test.value"() : () -> (tensor<1x8x8x3xf32>, tensor<4xi64>, tensor<1x4x4x4xf32>)
// expected-error@below {{expected 'strides' to have one to three numbers but got 4}}
%r = nn.convolve_filter %v#0, %v#1, %v#2 {strides = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, padding = "same", pads = array<i64>} : (tensor<1x8x8x3xf32>, tensor<4xi64>, tensor<1x4x4x4xf32>) -> tensor<?x?x?x?xf32>

// -----
// nn.convolve_filter C2
%v:3 = "test.value"() : () -> (tensor<1x8x8x3xf32>, tensor<4xi64>, tensor<1x4x4x4xf32>)
// expected-error@below {{expected 'strides' to have numbers from 1 to 2147483647 but got 0}}
%r = nn.convolve_filter %v#0, %v#1, %v#2 {strides = array<i64: 2, 0>, dilations = array<i64: 1, 1>, padding = "same", pads = array<i64>} : (tensor<1x8x8x3xf32>, tensor<4xi64>, tensor<1x4x4x4xf32>) -> tensor<?x?x?x?xf32>

// -----
// nn.convolve_filter C3
%v:3 = "test.value"() : () -> (tensor<1x8x8x3xf32>, tensor<4xi64>, tensor<1x4x4x4xf32>)
// expected-error@below {{expected 'dilations' to have 2 numbers but got 1}}
%r = nn.convolve_filter %v#0, %v#1, %v#2 {strides = array<i64: 2, 2>, dilations = array<i64: 1>, padding = "same", pads = array<i64>} : (tensor<1x8x8x3xf32>, tensor<4xi64>, tensor<1x4x4x4xf32>) -> tensor<?x?x?x?xf32>

// -----
// nn.convolve_filter C3
%v:3 = "test.value"() : () -> (tensor<1x8x8x3xf32>, tensor<4xi64>, tensor<1x4x4x4xf32>)
// expected-error@below {{expected 'dilations' to have numbers from 1 to 2147483647 but got 2147483648}}
%r = nn.convolve_filter %v#0, %v#1, %v#2 {strides = array<i64: 2, 2>, dilations = array<i64: 1, 2147483648>, padding = "same", pads = array<i64>} : (tensor<1x8x8x3xf32>, tensor<4xi64>, tensor<1x4x4x4xf32>) -> tensor<?x?x?x?xf32>

// -----
// nn.convolve_filter C4
%v:3 = "test.value"() : () -> (tensor<1x8x8x3xf32>, tensor<4xi64>, tensor<1x4x4x4xf32>)
// expected-error@below {{expected 'padding' to be one of 'same', 'valid', 'explicit' but got 'full'}}
%r = nn.convolve_filter %v#0, %v#1, %v#2 {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, padding = "full", pads = array<i64>} : (tensor<1x8x8x3xf32>, tensor<4xi64>, tensor<1x4x4x4xf32>) -> tensor<?x?x?x?xf32>

// -----
// nn.convolve_filter C5
%v:3 = "test.value"() : () -> (tensor<1x8x8x3xf32>, tensor<4xi64>, tensor<1x4x4x4xf32>)
// expected-error@below {{expected 'pads' to have 4 numbers but got 0}}
%r = nn.convolve_filter %v#0, %v#1, %v#2 {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, padding = "explicit", pads = array<i64>} : (tensor<1x8x8x3xf32>, tensor<4xi64>, tensor<1x4x4x4xf32>) -> tensor<?x?x?x?xf32>

// -----
// nn.convolve_filter C5
%v:3 = "test.value"() : () -> (tensor<1x8x8x3xf32>, tensor<4xi64>, tensor<1x4x4x4xf32>)
// expected-error@below {{expected 'pads' to have 0 numbers but got 1}}
%r = nn.convolve_filter %v#0, %v#1, %v#2 {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, padding = "same", pads = array<i64: 1>} : (tensor<1x8x8x3xf32>, tensor<4xi64>, tensor<1x4x4x4xf32>) -> tensor<?x?x?x?xf32>

// -----
// nn.convolve_filter C5
%v:3 = "test.value"() : () -> (tensor<1x8x8x3xf32>, tensor<4xi64>, tensor<1x4x4x4xf32>)
// expected-error@below {{expected 'pads' to have numbers from 0 to 2147483647 but got -1}}
%r = nn.convolve_filter %v#0, %v#1, %v#2 {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, padding = "explicit", pads = array<i64: 0, 0, -1, 0>} : (tensor<1x8x8x3xf32>, tensor<4xi64>, tensor<1x4x4x4xf32>) -> tensor<?x?x?x?xf32>

// -----
// nn.convolve_input C6
%v:3 = "test.value"() : () -> (tensor<4xf32>, tensor<3x3x3x4xf32>, tensor<1x4x4x4xf32>)
// expected-error@below {{operand #0 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = nn.convolve_input %v#0, %v#1, %v#2 {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, padding = "same", pads = array<i64>} : (tensor<4xf32>, tensor<3x3x3x4xf32>, tensor<1x4x4x4xf32>) -> tensor<?x?x?x?xf32>

// -----
// nn.convolve_filter C6
%v:3 = "test.value"() : () -> (tensor<1x8x8x3xf32>, tensor<4xf32>, tensor<1x4x4x4xf32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = nn.convolve_filter %v#0, %v#1, %v#2 {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, padding = "same", pads = array<i64>} : (tensor<1x8x8x3xf32>, tensor<4xf32>, tensor<1x4x4x4xf32>) -> tensor<?x?x?x?xf32>

// -----
// nn.average_pool C1
%v = "test.value"() : () -> tensor<1x8x8x3xf32>
// expected-error@below {{expected one element type but got}}
%r = nn.average_pool %v {windows = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = "valid", pads = array<i64>} : (tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xf64>

// -----
// nn.average_pool C2
%v = "test.value"() : () -> tensor<1x8x8x3xf32>
// expected-error@below {{expected 'windows' to have one to three numbers but got 0}}
%r = nn.average_pool %v {windows = array<i64>, strides = array<i64: 2, 2>, padding = "valid", pads = array<i64>} : (tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xf32>

// -----
// nn.average_pool C2
%v = "test.value"() : () -> tensor<1x8x8x3xf32>
// expected-error@below {{expected 'windows' to have numbers from 1 to 2147483647 but got 0}}
%r = nn.average_pool %v {windows = array<i64: 0, 2>, strides = array<i64: 2, 2>, padding = "valid", pads = array<i64>} : (tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xf32>

// -----
// nn.average_pool C3
%v = "test.value"() : () -> tensor<1x8x8x3xf32>
// expected-error@below {{expected 'strides' to have 2 numbers but got 3}}
%r = nn.average_pool %v {windows = array<i64: 2, 2>, strides = array<i64: 2, 2, 2>, padding = "valid", pads = array<i64>} : (tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xf32>

// -----
// nn.average_pool C3
%v = "test.value"() : () -> tensor<1x8x8x3xf32>
// expected-error@below {{expected 'strides' to have numbers from 1 to 2147483647 but got -1}}
%r = nn.average_pool %v {windows = array<i64: 2, 2>, strides = array<i64: 2, -1>, padding = "valid", pads = array<i64>} : (tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xf32>

// -----
// nn.average_pool C4
%v = "test.value"() : () -> tensor<1x8x8x3xf32>
// expected-error@below {{expected 'padding' to be one of 'same', 'valid', 'explicit' but got ''}}
%r = nn.average_pool %v {windows = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = "", pads = array<i64>} : (tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xf32>

// -----
// nn.average_pool C5
%v = "test.value"() : () -> tensor<1x8x8x3xf32>
// expected-error@below {{expected 'pads' to have 4 numbers but got 2}}
%r = nn.average_pool %v {windows = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = "explicit", pads = array<i64: 1, 1>} : (tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xf32>

// -----
// nn.average_pool C5
%v = "test.value"() : () -> tensor<1x8x8x3xf32>
// expected-error@below {{expected pads below the window 2 but got 2}}
%r = nn.average_pool %v {windows = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = "explicit", pads = array<i64: 1, 2, 0, 0>} : (tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xf32>

// -----
// nn.average_pool_input C1
%v:2 = "test.value"() : () -> (tensor<4xi64>, tensor<1x4x4x3xf32>)
// expected-error@below {{expected one element type but got}}
%r = nn.average_pool_input %v#0, %v#1 {windows = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = "valid", pads = array<i64>} : (tensor<4xi64>, tensor<1x4x4x3xf32>) -> tensor<?x?x?x?xf64>

// -----
// nn.average_pool_input C2
%v:2 = "test.value"() : () -> (tensor<4xi64>, tensor<1x4x4x3xf32>)
// expected-error@below {{expected 'windows' to have one to three numbers but got 0}}
%r = nn.average_pool_input %v#0, %v#1 {windows = array<i64>, strides = array<i64: 2, 2>, padding = "valid", pads = array<i64>} : (tensor<4xi64>, tensor<1x4x4x3xf32>) -> tensor<?x?x?x?xf32>

// -----
// nn.average_pool_input C2
%v:2 = "test.value"() : () -> (tensor<4xi64>, tensor<1x4x4x3xf32>)
// expected-error@below {{expected 'windows' to have numbers from 1 to 2147483647 but got 0}}
%r = nn.average_pool_input %v#0, %v#1 {windows = array<i64: 0, 2>, strides = array<i64: 2, 2>, padding = "valid", pads = array<i64>} : (tensor<4xi64>, tensor<1x4x4x3xf32>) -> tensor<?x?x?x?xf32>

// -----
// nn.average_pool_input C3
%v:2 = "test.value"() : () -> (tensor<4xi64>, tensor<1x4x4x3xf32>)
// expected-error@below {{expected 'strides' to have 2 numbers but got 3}}
%r = nn.average_pool_input %v#0, %v#1 {windows = array<i64: 2, 2>, strides = array<i64: 2, 2, 2>, padding = "valid", pads = array<i64>} : (tensor<4xi64>, tensor<1x4x4x3xf32>) -> tensor<?x?x?x?xf32>

// -----
// nn.average_pool_input C3
%v:2 = "test.value"() : () -> (tensor<4xi64>, tensor<1x4x4x3xf32>)
// expected-error@below {{expected 'strides' to have numbers from 1 to 2147483647 but got -1}}
%r = nn.average_pool_input %v#0, %v#1 {windows = array<i64: 2, 2>, strides = array<i64: 2, -1>, padding = "valid", pads = array<i64>} : (tensor<4xi64>, tensor<1x4x4x3xf32>) -> tensor<?x?x?x?xf32>

// -----
// nn.average_pool_input C4
%v:2 = "test.value"() : () -> (tensor<4xi64>, tensor<1x4x4x3xf32>)
// expected-error@below {{expected 'padding' to be one of 'same', 'valid', 'explicit' but got ''}}
%r = nn.average_pool_input %v#0, %v#1 {windows = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = "", pads = array<i64>} : (tensor<4xi64>, tensor<1x4x4x3xf32>) -> tensor<?x?x?x?xf32>

// -----
// nn.average_pool_input C5
%v:2 = "test.value"() : () -> (tensor<4xi64>, tensor<1x4x4x3xf32>)
// expected-error@below {{expected 'pads' to have 4 numbers but got 2}}
%r = nn.average_pool_input %v#0, %v#1 {windows = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = "explicit", pads = array<i64: 1, 1>} : (tensor<4xi64>, tensor<1x4x4x3xf32>) -> tensor<?x?x?x?xf32>

// -----
// nn.average_pool_input C5
%v:2 = "test.value"() : () -> (tensor<4xi64>, tensor<1x4x4x3xf32>)
// expected-error@below {{expected pads below the window 2 but got 2}}
%r = nn.average_pool_input %v#0, %v#1 {windows = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = "explicit", pads = array<i64: 1, 2, 0, 0>} : (tensor<4xi64>, tensor<1x4x4x3xf32>) -> tensor<?x?x?x?xf32>

// -----
// nn.max_pool C1
%v = "test.value"() : () -> tensor<1x8x8x3xf32>
// expected-error@below {{expected one element type but got}}
%r = nn.max_pool %v {windows = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = "valid", pads = array<i64>} : (tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xf64>

// -----
// nn.max_pool C2
%v = "test.value"() : () -> tensor<1x8x8x3xf32>
// expected-error@below {{expected 'windows' to have one to three numbers but got 0}}
%r = nn.max_pool %v {windows = array<i64>, strides = array<i64: 2, 2>, padding = "valid", pads = array<i64>} : (tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xf32>

// -----
// nn.max_pool C2
%v = "test.value"() : () -> tensor<1x8x8x3xf32>
// expected-error@below {{expected 'windows' to have numbers from 1 to 2147483647 but got 0}}
%r = nn.max_pool %v {windows = array<i64: 0, 2>, strides = array<i64: 2, 2>, padding = "valid", pads = array<i64>} : (tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xf32>

// -----
// nn.max_pool C3
%v = "test.value"() : () -> tensor<1x8x8x3xf32>
// expected-error@below {{expected 'strides' to have 2 numbers but got 3}}
%r = nn.max_pool %v {windows = array<i64: 2, 2>, strides = array<i64: 2, 2, 2>, padding = "valid", pads = array<i64>} : (tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xf32>

// -----
// nn.max_pool C3
%v = "test.value"() : () -> tensor<1x8x8x3xf32>
// expected-error@below {{expected 'strides' to have numbers from 1 to 2147483647 but got -1}}
%r = nn.max_pool %v {windows = array<i64: 2, 2>, strides = array<i64: 2, -1>, padding = "valid", pads = array<i64>} : (tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xf32>

// -----
// nn.max_pool C4
%v = "test.value"() : () -> tensor<1x8x8x3xf32>
// expected-error@below {{expected 'padding' to be one of 'same', 'valid', 'explicit' but got ''}}
%r = nn.max_pool %v {windows = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = "", pads = array<i64>} : (tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xf32>

// -----
// nn.max_pool C5
%v = "test.value"() : () -> tensor<1x8x8x3xf32>
// expected-error@below {{expected 'pads' to have 4 numbers but got 2}}
%r = nn.max_pool %v {windows = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = "explicit", pads = array<i64: 1, 1>} : (tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xf32>

// -----
// nn.max_pool C5
%v = "test.value"() : () -> tensor<1x8x8x3xf32>
// expected-error@below {{expected pads below the window 2 but got 2}}
%r = nn.max_pool %v {windows = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = "explicit", pads = array<i64: 1, 2, 0, 0>} : (tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xf32>

// -----
// nn.max_pool_index C2
%v = "test.value"() : () -> tensor<1x8x8x3xf32>
// expected-error@below {{expected 'windows' to have one to three numbers but got 0}}
%r = nn.max_pool_index %v {windows = array<i64>, strides = array<i64: 2, 2>, padding = "valid", pads = array<i64>} : (tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xi64>

// -----
// nn.max_pool_index C2
%v = "test.value"() : () -> tensor<1x8x8x3xf32>
// expected-error@below {{expected 'windows' to have numbers from 1 to 2147483647 but got 0}}
%r = nn.max_pool_index %v {windows = array<i64: 0, 2>, strides = array<i64: 2, 2>, padding = "valid", pads = array<i64>} : (tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xi64>

// -----
// nn.max_pool_index C3
%v = "test.value"() : () -> tensor<1x8x8x3xf32>
// expected-error@below {{expected 'strides' to have 2 numbers but got 3}}
%r = nn.max_pool_index %v {windows = array<i64: 2, 2>, strides = array<i64: 2, 2, 2>, padding = "valid", pads = array<i64>} : (tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xi64>

// -----
// nn.max_pool_index C3
%v = "test.value"() : () -> tensor<1x8x8x3xf32>
// expected-error@below {{expected 'strides' to have numbers from 1 to 2147483647 but got -1}}
%r = nn.max_pool_index %v {windows = array<i64: 2, 2>, strides = array<i64: 2, -1>, padding = "valid", pads = array<i64>} : (tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xi64>

// -----
// nn.max_pool_index C4
%v = "test.value"() : () -> tensor<1x8x8x3xf32>
// expected-error@below {{expected 'padding' to be one of 'same', 'valid', 'explicit' but got ''}}
%r = nn.max_pool_index %v {windows = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = "", pads = array<i64>} : (tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xi64>

// -----
// nn.max_pool_index C5
%v = "test.value"() : () -> tensor<1x8x8x3xf32>
// expected-error@below {{expected 'pads' to have 4 numbers but got 2}}
%r = nn.max_pool_index %v {windows = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = "explicit", pads = array<i64: 1, 1>} : (tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xi64>

// -----
// nn.max_pool_index C5
%v = "test.value"() : () -> tensor<1x8x8x3xf32>
// expected-error@below {{expected pads below the window 2 but got 2}}
%r = nn.max_pool_index %v {windows = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = "explicit", pads = array<i64: 1, 2, 0, 0>} : (tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xi64>

// -----
// nn.average_pool C6
%v = "test.value"() : () -> tensor<1x8x8x3xi32>
// expected-error@below {{operand #0 must be tensor of floats}}
%r = nn.average_pool %v {windows = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = "valid", pads = array<i64>} : (tensor<1x8x8x3xi32>) -> tensor<1x4x4x3xi32>

// -----
// nn.average_pool_input C6
%v:2 = "test.value"() : () -> (tensor<4xi64>, tensor<1x4x4x3xi32>)
// expected-error@below {{operand #1 must be tensor of floats}}
%r = nn.average_pool_input %v#0, %v#1 {windows = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = "valid", pads = array<i64>} : (tensor<4xi64>, tensor<1x4x4x3xi32>) -> tensor<?x?x?x?xi32>

// -----
// nn.average_pool_input C7
%v:2 = "test.value"() : () -> (tensor<4xf32>, tensor<1x4x4x3xf32>)
// expected-error@below {{operand #0 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = nn.average_pool_input %v#0, %v#1 {windows = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = "valid", pads = array<i64>} : (tensor<4xf32>, tensor<1x4x4x3xf32>) -> tensor<?x?x?x?xf32>

// -----
// nn.max_pool C6
%v = "test.value"() : () -> tensor<1x8x8x3xi1>
// expected-error@below {{operand #0 must be tensor of real numbers}}
%r = nn.max_pool %v {windows = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = "valid", pads = array<i64>} : (tensor<1x8x8x3xi1>) -> tensor<1x4x4x3xi1>

// -----
// nn.max_pool_index C1
%v = "test.value"() : () -> tensor<1x8x8x3xi1>
// expected-error@below {{operand #0 must be tensor of real numbers}}
%r = nn.max_pool_index %v {windows = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = "valid", pads = array<i64>} : (tensor<1x8x8x3xi1>) -> tensor<1x4x4x3xi64>

// -----
// nn.max_pool_index C6
%v = "test.value"() : () -> tensor<1x8x8x3xf32>
// expected-error@below {{result #0 must be tensor of i64}}
%r = nn.max_pool_index %v {windows = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = "valid", pads = array<i64>} : (tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xi32>

// -----
// nn.mirror_pad C1
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<2x2xi32>)
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = nn.mirror_pad %v#0, %v#1 {edge = true} : (tensor<2x3xf32>, tensor<2x2xi32>) -> tensor<?x?xf64>

// -----
// nn.mirror_pad C2
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<2x2xf32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = nn.mirror_pad %v#0, %v#1 {edge = true} : (tensor<2x3xf32>, tensor<2x2xf32>) -> tensor<?x?xf32>

// -----
// nn.mirror_pad_input C1
%v:2 = "test.value"() : () -> (tensor<4x5xf32>, tensor<2x2xi32>)
// expected-error@below {{failed to verify that all of {gradient, result} have same element type}}
%r = nn.mirror_pad_input %v#0, %v#1 {edge = true} : (tensor<4x5xf32>, tensor<2x2xi32>) -> tensor<?x?xf64>

// -----
// nn.mirror_pad_input C2
%v:2 = "test.value"() : () -> (tensor<4x5xf32>, tensor<2x2xf32>)
// expected-error@below {{operand #1 must be tensor of integers (i8 to i64, ui8, ui16)}}
%r = nn.mirror_pad_input %v#0, %v#1 {edge = true} : (tensor<4x5xf32>, tensor<2x2xf32>) -> tensor<?x?xf32>

// -----
// nn.suppress C1
%v:6 = "test.value"() : () -> (tensor<6x4xf32>, tensor<6xf64>, tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>)
// expected-error@below {{failed to verify that all of {boxes, scores, overlap, least, sigma, selected} have same element type}}
%r:3 = nn.suppress %v#0, %v#1, %v#2, %v#3, %v#4, %v#5 {given = false, padded = false} : (tensor<6x4xf32>, tensor<6xf64>, tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<?xi32>, tensor<?xf32>, tensor<i32>)

// -----
// nn.suppress C1
%v:6 = "test.value"() : () -> (tensor<6x4xi32>, tensor<6xi32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
// expected-error@below {{operand #0 must be tensor of floats}}
%r:3 = nn.suppress %v#0, %v#1, %v#2, %v#3, %v#4, %v#5 {given = false, padded = false} : (tensor<6x4xi32>, tensor<6xi32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<?xi32>, tensor<?xi32>, tensor<i32>)

// -----
// nn.suppress C2
%v:6 = "test.value"() : () -> (tensor<6x4xf32>, tensor<6xf32>, tensor<i64>, tensor<f32>, tensor<f32>, tensor<f32>)
// expected-error@below {{operand #2 must be tensor of i32}}
%r:3 = nn.suppress %v#0, %v#1, %v#2, %v#3, %v#4, %v#5 {given = false, padded = false} : (tensor<6x4xf32>, tensor<6xf32>, tensor<i64>, tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<?xi32>, tensor<?xf32>, tensor<i32>)

// -----
// nn.suppress C2
%v:6 = "test.value"() : () -> (tensor<6x4xf32>, tensor<6xf32>, tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>)
// expected-error@below {{result #0 must be tensor of i32}}
%r:3 = nn.suppress %v#0, %v#1, %v#2, %v#3, %v#4, %v#5 {given = false, padded = false} : (tensor<6x4xf32>, tensor<6xf32>, tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<?xi64>, tensor<?xf32>, tensor<i32>)

// -----
// nn.suppress C2
%v:6 = "test.value"() : () -> (tensor<6x4xf32>, tensor<6xf32>, tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>)
// expected-error@below {{result #2 must be tensor of i32}}
%r:3 = nn.suppress %v#0, %v#1, %v#2, %v#3, %v#4, %v#5 {given = false, padded = false} : (tensor<6x4xf32>, tensor<6xf32>, tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<?xi32>, tensor<?xf32>, tensor<i64>)

// -----
// nn.suppress_classes C1
%v:6 = "test.value"() : () -> (tensor<2x6x1x4xf64>, tensor<2x6x3xf32>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>)
// expected-error@below {{operand #0 must be tensor of f32}}
%r:4 = nn.suppress_classes %v#0, %v#1, %v#2, %v#3, %v#4, %v#5 {clipped = true, padded_by_class = false} : (tensor<2x6x1x4xf64>, tensor<2x6x3xf32>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>) -> (tensor<2x?x4xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2xi32>)

// -----
// nn.suppress_classes C1
%v:6 = "test.value"() : () -> (tensor<2x6x1x4xf32>, tensor<2x6x3xf64>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>)
// expected-error@below {{operand #1 must be tensor of f32}}
%r:4 = nn.suppress_classes %v#0, %v#1, %v#2, %v#3, %v#4, %v#5 {clipped = true, padded_by_class = false} : (tensor<2x6x1x4xf32>, tensor<2x6x3xf64>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>) -> (tensor<2x?x4xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2xi32>)

// -----
// nn.suppress_classes C1
%v:6 = "test.value"() : () -> (tensor<2x6x1x4xf32>, tensor<2x6x3xf32>, tensor<i32>, tensor<i32>, tensor<f64>, tensor<f32>)
// expected-error@below {{operand #4 must be tensor of f32}}
%r:4 = nn.suppress_classes %v#0, %v#1, %v#2, %v#3, %v#4, %v#5 {clipped = true, padded_by_class = false} : (tensor<2x6x1x4xf32>, tensor<2x6x3xf32>, tensor<i32>, tensor<i32>, tensor<f64>, tensor<f32>) -> (tensor<2x?x4xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2xi32>)

// -----
// nn.suppress_classes C1
%v:6 = "test.value"() : () -> (tensor<2x6x1x4xf32>, tensor<2x6x3xf32>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f64>)
// expected-error@below {{operand #5 must be tensor of f32}}
%r:4 = nn.suppress_classes %v#0, %v#1, %v#2, %v#3, %v#4, %v#5 {clipped = true, padded_by_class = false} : (tensor<2x6x1x4xf32>, tensor<2x6x3xf32>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f64>) -> (tensor<2x?x4xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2xi32>)

// -----
// nn.suppress_classes C1
%v:6 = "test.value"() : () -> (tensor<2x6x1x4xf32>, tensor<2x6x3xf32>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>)
// expected-error@below {{result #0 must be tensor of f32}}
%r:4 = nn.suppress_classes %v#0, %v#1, %v#2, %v#3, %v#4, %v#5 {clipped = true, padded_by_class = false} : (tensor<2x6x1x4xf32>, tensor<2x6x3xf32>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>) -> (tensor<2x?x4xf64>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2xi32>)

// -----
// nn.suppress_classes C1
%v:6 = "test.value"() : () -> (tensor<2x6x1x4xf32>, tensor<2x6x3xf32>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>)
// expected-error@below {{result #1 must be tensor of f32}}
%r:4 = nn.suppress_classes %v#0, %v#1, %v#2, %v#3, %v#4, %v#5 {clipped = true, padded_by_class = false} : (tensor<2x6x1x4xf32>, tensor<2x6x3xf32>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>) -> (tensor<2x?x4xf32>, tensor<2x?xf64>, tensor<2x?xf32>, tensor<2xi32>)

// -----
// nn.suppress_classes C1
%v:6 = "test.value"() : () -> (tensor<2x6x1x4xf32>, tensor<2x6x3xf32>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>)
// expected-error@below {{result #2 must be tensor of f32}}
%r:4 = nn.suppress_classes %v#0, %v#1, %v#2, %v#3, %v#4, %v#5 {clipped = true, padded_by_class = false} : (tensor<2x6x1x4xf32>, tensor<2x6x3xf32>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>) -> (tensor<2x?x4xf32>, tensor<2x?xf32>, tensor<2x?xf64>, tensor<2xi32>)

// -----
// nn.suppress_classes C2
%v:6 = "test.value"() : () -> (tensor<2x6x1x4xf32>, tensor<2x6x3xf32>, tensor<i64>, tensor<i32>, tensor<f32>, tensor<f32>)
// expected-error@below {{operand #2 must be tensor of i32}}
%r:4 = nn.suppress_classes %v#0, %v#1, %v#2, %v#3, %v#4, %v#5 {clipped = true, padded_by_class = false} : (tensor<2x6x1x4xf32>, tensor<2x6x3xf32>, tensor<i64>, tensor<i32>, tensor<f32>, tensor<f32>) -> (tensor<2x?x4xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2xi32>)

// -----
// nn.suppress_classes C2
%v:6 = "test.value"() : () -> (tensor<2x6x1x4xf32>, tensor<2x6x3xf32>, tensor<i32>, tensor<i64>, tensor<f32>, tensor<f32>)
// expected-error@below {{operand #3 must be tensor of i32}}
%r:4 = nn.suppress_classes %v#0, %v#1, %v#2, %v#3, %v#4, %v#5 {clipped = true, padded_by_class = false} : (tensor<2x6x1x4xf32>, tensor<2x6x3xf32>, tensor<i32>, tensor<i64>, tensor<f32>, tensor<f32>) -> (tensor<2x?x4xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2xi32>)

// -----
// nn.suppress_classes C2
%v:6 = "test.value"() : () -> (tensor<2x6x1x4xf32>, tensor<2x6x3xf32>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>)
// expected-error@below {{result #3 must be tensor of i32}}
%r:4 = nn.suppress_classes %v#0, %v#1, %v#2, %v#3, %v#4, %v#5 {clipped = true, padded_by_class = false} : (tensor<2x6x1x4xf32>, tensor<2x6x3xf32>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>) -> (tensor<2x?x4xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<2xi64>)

// -----
// nn.draw_boxes C1
%v:3 = "test.value"() : () -> (tensor<2x8x8x3xf32>, tensor<2x3x4xf32>, tensor<0x4xf32>)
// expected-error@below {{failed to verify that all of {images, result} have same element type}}
%r = nn.draw_boxes %v#0, %v#1, %v#2 : (tensor<2x8x8x3xf32>, tensor<2x3x4xf32>, tensor<0x4xf32>) -> tensor<2x8x8x3xf64>

// -----
// nn.draw_boxes C1
%v:3 = "test.value"() : () -> (tensor<2x8x8x3xi32>, tensor<2x3x4xf32>, tensor<0x4xf32>)
// expected-error@below {{operand #0 must be tensor of floats}}
%r = nn.draw_boxes %v#0, %v#1, %v#2 : (tensor<2x8x8x3xi32>, tensor<2x3x4xf32>, tensor<0x4xf32>) -> tensor<2x8x8x3xi32>

// -----
// nn.draw_boxes C2
%v:3 = "test.value"() : () -> (tensor<2x8x8x3xf32>, tensor<2x3x4xf64>, tensor<0x4xf32>)
// expected-error@below {{operand #1 must be tensor of f32}}
%r = nn.draw_boxes %v#0, %v#1, %v#2 : (tensor<2x8x8x3xf32>, tensor<2x3x4xf64>, tensor<0x4xf32>) -> tensor<2x8x8x3xf32>

// -----
// nn.draw_boxes C2
%v:3 = "test.value"() : () -> (tensor<2x8x8x3xf32>, tensor<2x3x4xf32>, tensor<0x4xf64>)
// expected-error@below {{operand #2 must be tensor of f32}}
%r = nn.draw_boxes %v#0, %v#1, %v#2 : (tensor<2x8x8x3xf32>, tensor<2x3x4xf32>, tensor<0x4xf64>) -> tensor<2x8x8x3xf32>

// -----
// nn.ctc_loss C1
%v:4 = "test.value"() : () -> (tensor<5x2x4xf32>, tensor<3x2xi64>, tensor<3xi32>, tensor<2xi32>)
// expected-error@below {{failed to verify that all of {logits, loss, gradient} have same element type}}
%r:2 = nn.ctc_loss %v#0, %v#1, %v#2, %v#3 {collapse_repeated = false, ignore_longer = false, merge_repeated = true} : (tensor<5x2x4xf32>, tensor<3x2xi64>, tensor<3xi32>, tensor<2xi32>) -> (tensor<2xf64>, tensor<5x2x4xf32>)

// -----
// nn.ctc_loss C1
%v:4 = "test.value"() : () -> (tensor<5x2x4xf16>, tensor<3x2xi64>, tensor<3xi32>, tensor<2xi32>)
// expected-error@below {{operand #0 must be tensor of f32 or f64}}
%r:2 = nn.ctc_loss %v#0, %v#1, %v#2, %v#3 {collapse_repeated = false, ignore_longer = false, merge_repeated = true} : (tensor<5x2x4xf16>, tensor<3x2xi64>, tensor<3xi32>, tensor<2xi32>) -> (tensor<2xf16>, tensor<5x2x4xf16>)

// -----
// nn.ctc_loss C2
%v:4 = "test.value"() : () -> (tensor<5x2x4xf32>, tensor<3x2xi32>, tensor<3xi32>, tensor<2xi32>)
// expected-error@below {{operand #1 must be tensor of i64}}
%r:2 = nn.ctc_loss %v#0, %v#1, %v#2, %v#3 {collapse_repeated = false, ignore_longer = false, merge_repeated = true} : (tensor<5x2x4xf32>, tensor<3x2xi32>, tensor<3xi32>, tensor<2xi32>) -> (tensor<2xf32>, tensor<5x2x4xf32>)

// -----
// nn.ctc_loss C3
%v:4 = "test.value"() : () -> (tensor<5x2x4xf32>, tensor<3x2xi64>, tensor<3xi64>, tensor<2xi32>)
// expected-error@below {{operand #2 must be tensor of i32}}
%r:2 = nn.ctc_loss %v#0, %v#1, %v#2, %v#3 {collapse_repeated = false, ignore_longer = false, merge_repeated = true} : (tensor<5x2x4xf32>, tensor<3x2xi64>, tensor<3xi64>, tensor<2xi32>) -> (tensor<2xf32>, tensor<5x2x4xf32>)

// -----
// nn.ctc_loss C3
%v:4 = "test.value"() : () -> (tensor<5x2x4xf32>, tensor<3x2xi64>, tensor<3xi32>, tensor<2xi64>)
// expected-error@below {{operand #3 must be tensor of i32}}
%r:2 = nn.ctc_loss %v#0, %v#1, %v#2, %v#3 {collapse_repeated = false, ignore_longer = false, merge_repeated = true} : (tensor<5x2x4xf32>, tensor<3x2xi64>, tensor<3xi32>, tensor<2xi64>) -> (tensor<2xf32>, tensor<5x2x4xf32>)

// -----
// nn.ctc_beam_search C1
%v:2 = "test.value"() : () -> (tensor<5x2x4xf32>, tensor<2xi32>)
// expected-error@below {{failed to verify that all of {logits, score} have same element type}}
%r:2 = nn.ctc_beam_search %v#0, %v#1 {merge_repeated = false, paths = 1 : i64, width = 10 : i64} : (tensor<5x2x4xf32>, tensor<2xi32>) -> (tensor<2x?xi64>, tensor<2x1xf64>)

// -----
// nn.ctc_beam_search C1
%v:2 = "test.value"() : () -> (tensor<5x2x4xf16>, tensor<2xi32>)
// expected-error@below {{operand #0 must be tensor of f32 or f64}}
%r:2 = nn.ctc_beam_search %v#0, %v#1 {merge_repeated = false, paths = 1 : i64, width = 10 : i64} : (tensor<5x2x4xf16>, tensor<2xi32>) -> (tensor<2x?xi64>, tensor<2x1xf16>)

// -----
// nn.ctc_beam_search C2
%v:2 = "test.value"() : () -> (tensor<5x2x4xf32>, tensor<2xi64>)
// expected-error@below {{operand #1 must be tensor of i32}}
%r:2 = nn.ctc_beam_search %v#0, %v#1 {merge_repeated = false, paths = 1 : i64, width = 10 : i64} : (tensor<5x2x4xf32>, tensor<2xi64>) -> (tensor<2x?xi64>, tensor<2x1xf32>)

// -----
// nn.ctc_beam_search C3
%v:2 = "test.value"() : () -> (tensor<5x2x4xf32>, tensor<2xi32>)
// expected-error@below {{result #0 must be tensor of i64}}
%r:2 = nn.ctc_beam_search %v#0, %v#1 {merge_repeated = false, paths = 1 : i64, width = 10 : i64} : (tensor<5x2x4xf32>, tensor<2xi32>) -> (tensor<2x?xi32>, tensor<2x1xf32>)

// -----
// nn.ctc_beam_search C4
%v:2 = "test.value"() : () -> (tensor<5x2x4xf32>, tensor<2xi32>)
// expected-error@below {{expected a width of at least 1 but got 0}}
%r:2 = nn.ctc_beam_search %v#0, %v#1 {merge_repeated = false, paths = 1 : i64, width = 0 : i64} : (tensor<5x2x4xf32>, tensor<2xi32>) -> (tensor<2x?xi64>, tensor<2x1xf32>)

// -----
// nn.ctc_beam_search C5
%v:2 = "test.value"() : () -> (tensor<5x2x4xf32>, tensor<2xi32>)
// expected-error@below {{expected from 1 to 10 paths but got 11}}
%r:2 = nn.ctc_beam_search %v#0, %v#1 {merge_repeated = false, paths = 11 : i64, width = 10 : i64} : (tensor<5x2x4xf32>, tensor<2xi32>) -> (tensor<2x?xi64>, tensor<2x1xf32>)

// -----
// nn.edit_distance C1
%v:5 = "test.value"() : () -> (tensor<5xi32>, tensor<5xi64>, tensor<4xi64>, tensor<4xi64>, tensor<i64>)
// expected-error@below {{operand #0 must be tensor of i64}}
%r = nn.edit_distance %v#0, %v#1, %v#2, %v#3, %v#4 {normalized = true} : (tensor<5xi32>, tensor<5xi64>, tensor<4xi64>, tensor<4xi64>, tensor<i64>) -> tensor<?xf32>

// -----
// nn.edit_distance C1
%v:5 = "test.value"() : () -> (tensor<5xi64>, tensor<5xi32>, tensor<4xi64>, tensor<4xi64>, tensor<i64>)
// expected-error@below {{operand #1 must be tensor of i64}}
%r = nn.edit_distance %v#0, %v#1, %v#2, %v#3, %v#4 {normalized = true} : (tensor<5xi64>, tensor<5xi32>, tensor<4xi64>, tensor<4xi64>, tensor<i64>) -> tensor<?xf32>

// -----
// nn.edit_distance C1
%v:5 = "test.value"() : () -> (tensor<5xi64>, tensor<5xi64>, tensor<4xi32>, tensor<4xi64>, tensor<i64>)
// expected-error@below {{operand #2 must be tensor of i64}}
%r = nn.edit_distance %v#0, %v#1, %v#2, %v#3, %v#4 {normalized = true} : (tensor<5xi64>, tensor<5xi64>, tensor<4xi32>, tensor<4xi64>, tensor<i64>) -> tensor<?xf32>

// -----
// nn.edit_distance C1
%v:5 = "test.value"() : () -> (tensor<5xi64>, tensor<5xi64>, tensor<4xi64>, tensor<4xi32>, tensor<i64>)
// expected-error@below {{operand #3 must be tensor of i64}}
%r = nn.edit_distance %v#0, %v#1, %v#2, %v#3, %v#4 {normalized = true} : (tensor<5xi64>, tensor<5xi64>, tensor<4xi64>, tensor<4xi32>, tensor<i64>) -> tensor<?xf32>

// -----
// nn.edit_distance C1
%v:5 = "test.value"() : () -> (tensor<5xi64>, tensor<5xi64>, tensor<4xi64>, tensor<4xi64>, tensor<i32>)
// expected-error@below {{operand #4 must be tensor of i64}}
%r = nn.edit_distance %v#0, %v#1, %v#2, %v#3, %v#4 {normalized = true} : (tensor<5xi64>, tensor<5xi64>, tensor<4xi64>, tensor<4xi64>, tensor<i32>) -> tensor<?xf32>

// -----
// nn.edit_distance C2
%v:5 = "test.value"() : () -> (tensor<5xi64>, tensor<5xi64>, tensor<4xi64>, tensor<4xi64>, tensor<i64>)
// expected-error@below {{result #0 must be tensor of f32}}
%r = nn.edit_distance %v#0, %v#1, %v#2, %v#3, %v#4 {normalized = true} : (tensor<5xi64>, tensor<5xi64>, tensor<4xi64>, tensor<4xi64>, tensor<i64>) -> tensor<?xf64>
