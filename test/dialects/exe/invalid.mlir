// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constraints of the exe ops, one case each; the comment above a case names op and constraint.
// RUN: sluice-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// exe.resource C1
// expected-error@below {{expected kind "variable" or "generator" but got "queue"}}
exe.resource @w {kind = "queue", key = "w", type = tensor<f32>}

// -----
// exe.resource C2
// expected-error@below {{expected a tensor type but got 'f32'}}
exe.resource @w {kind = "variable", key = "w", type = f32}

// -----
// exe.signature C1
// expected-error@below {{expected the root as the first frame}}
exe.signature @main {
  exe.frame {parent = 0 : i64, name = "", window = 2 : i64, id = 0 : i64}
}

// -----
// exe.signature C2
exe.signature @main {
  exe.frame {parent = 0 : i64, name = "", window = 1 : i64, id = 0 : i64}
  // expected-error@below {{expected a frame below 1 but got 1}}
  %x = exe.node feed "x" in 1 () : () -> tensor<f32>
}

// -----
// exe.frame C1
exe.signature @main {
  exe.frame {parent = 0 : i64, name = "", window = 1 : i64, id = 0 : i64}
  // expected-error@below {{expected a window of at least 1 but got 0}}
  exe.frame {parent = 0 : i64, name = "a", window = 0 : i64, id = 0 : i64}
}

// -----
// exe.frame C2
// expected-error@below {{expects parent op 'exe.signature'}}
exe.frame {parent = 0 : i64, name = "", window = 1 : i64, id = 0 : i64}

// -----
// exe.constant C1
// expected-error@below {{failed to verify that all of {value, result} have same type}}
%c = exe.constant {value = dense<1> : tensor<i32>} : tensor<i64>

// -----
// exe.node C1
// expected-error@below {{expected a kernel exactly for nodes of kind kernel}}
%x = exe.node feed "x" in 0 () {kernel = "sluice_kernel_nd_add_f32"} : () -> tensor<f32>

// -----
// exe.node C1
// expected-error@below {{expected a kernel exactly for nodes of kind kernel}}
%x = exe.node kernel "x" in 0 () : () -> tensor<f32>

// -----
// exe.node C2
// expected-error@below {{expected a child frame exactly for nodes of kind enter}}
%x = exe.node enter "x" in 0 () : () -> tensor<f32>

// -----
// exe.node C2
// expected-error@below {{expected a child frame exactly for nodes of kind enter}}
%x = exe.node exit "x" in 0 () {child = 1 : i64} : () -> tensor<f32>

// -----
// exe.node C3
// expected-error@below {{expected an edge and a peer exactly for nodes of kind send or recv}}
%x = exe.node recv "x" in 0 () {edge = 1 : i64} : () -> tensor<f32>

// -----
// exe.node C3
// expected-error@below {{expected an edge and a peer exactly for nodes of kind send or recv}}
%x = exe.node feed "x" in 0 () {edge = 1 : i64, peer = 1 : i64} : () -> tensor<f32>
