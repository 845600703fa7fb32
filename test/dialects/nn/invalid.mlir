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
