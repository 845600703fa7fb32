// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constraints of the exe ops, one case each; the comment above a case names op and constraint.
// RUN: sluice-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// exe.resource C1
// expected-error@below {{expected kind "variable", "generator" or that of a shared object but got "heap"}}
exe.resource @w {kind = "heap", key = "w", type = tensor<f32>}

// -----
// exe.resource C2
// expected-error@below {{expected a tensor type or a list but got 'f32'}}
exe.resource @w {kind = "variable", key = "w", type = f32}

// -----
// exe.resource C3
// expected-error@below {{expected an initial value of type 'tensor<2xf32>' but got one of type 'tensor<f32>'}}
exe.resource @w {kind = "variable", key = "w", type = tensor<2xf32>, initial = dense<0.0> : tensor<f32>}

// -----
// exe.resource C3
// expected-error@below {{expected an initial value of type 'none' but got one of type 'tensor<f32>'}}
exe.resource @g {kind = "generator", key = "g", type = none, initial = dense<0.0> : tensor<f32>}

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
  // expected-error@below {{expected a window of at least 1 but got -1}}
  exe.frame {parent = 0 : i64, name = "a", window = -1 : i64, id = 0 : i64}
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

// -----
// exe.node C4
// expected-error@below {{expected a codelet exactly for nodes of kind codelet}}
%x = exe.node codelet "x" in 0 () : () -> tensor<f32>

// -----
// exe.node C4
// expected-error@below {{expected a codelet exactly for nodes of kind codelet}}
%x = exe.node feed "x" in 0 () {codelet = @c} : () -> tensor<f32>

// -----
// exe.signature C3
exe.signature @main {
  exe.frame {parent = 0 : i64, name = "", window = 1 : i64, id = 0 : i64}
  // expected-error@below {{expected a codelet of the signature but got @c}}
  %x = exe.node codelet "x" in 0 () {codelet = @c} : () -> tensor<f32>
}

// -----
// exe.signature C3
exe.signature @main {
  exe.frame {parent = 0 : i64, name = "", window = 1 : i64, id = 0 : i64}
  // expected-note@below {{this one, of type '(tensor<f32>) -> tensor<f32>'}}
  exe.codelet @c : (tensor<f32>) -> tensor<f32> attributes {code = "sluice_codelet_5f1c", float_ops = 0 : i64} {}
  // expected-error@below {{expected inputs and outputs as those of its codelet}}
  %x = exe.node codelet "x" in 0 () {codelet = @c} : () -> tensor<f32>
}

// -----
// exe.codelet C1
// expected-error@below {{expects parent op 'exe.signature'}}
exe.codelet @c : (tensor<f32>) -> tensor<f32> attributes {code = "sluice_codelet_5f1c", float_ops = 0 : i64} {}

// -----
// exe.codelet C2
exe.signature @main {
  exe.frame {parent = 0 : i64, name = "", window = 1 : i64, id = 0 : i64}
  // expected-error@below {{expected a block that takes the inputs and yields the results of '(tensor<f32>) -> tensor<f32>'}}
  exe.codelet @c : (tensor<f32>) -> tensor<f32> attributes {code = "sluice_codelet_5f1c", float_ops = 0 : i64} {
  ^bb0(%a: tensor<i32>):
    exe.yield %a : tensor<i32>
  }
}

// -----
// exe.codelet C2
exe.signature @main {
  exe.frame {parent = 0 : i64, name = "", window = 1 : i64, id = 0 : i64}
  exe.codelet @c : (tensor<f32>) -> tensor<f32> attributes {code = "sluice_codelet_5f1c", float_ops = 0 : i64} {
  ^bb0(%a: tensor<f32>):
    // expected-error@below {{expected only members and constants in a codelet}}
    %b = "test.op"() : () -> tensor<f32>
    exe.yield %b : tensor<f32>
  }
}

// -----
// exe.codelet C3
exe.signature @main {
  exe.frame {parent = 0 : i64, name = "", window = 1 : i64, id = 0 : i64}
  // expected-error@below {{expected code or members}}
  exe.codelet @c : (tensor<f32>) -> tensor<f32> attributes {float_ops = 0 : i64} {}
}

// -----
// exe.member C1
// expected-error@below {{expects parent op 'exe.codelet'}}
%x = exe.member "x" () {kernel = "sluice_kernel_nd_fill_f32", kernel_arguments = []} : () -> tensor<f32>

// -----
// exe.yield C1
// expected-error@below {{expects parent op 'exe.codelet'}}
exe.yield

// -----
// exe.signature C1
// expected-error@below {{expected the root as the first frame}}
exe.signature @main {
}

// -----
// exe.signature C1
// expected-error@below {{expected the root as the first frame}}
exe.signature @main {
  exe.frame {parent = 1 : i64, name = "", window = 1 : i64, id = 0 : i64}
}

// -----
// exe.signature C2
exe.signature @main {
  exe.frame {parent = 0 : i64, name = "", window = 1 : i64, id = 0 : i64}
  exe.frame {parent = 0 : i64, name = "a", window = 1 : i64, id = 0 : i64}
  %x = exe.node feed "x" in 1 () : () -> tensor<f32>
  // expected-error@below {{expected a frame below 2 but got 2}}
  %y = exe.node feed "y" in 2 () : () -> tensor<f32>
}

// -----
// exe.node C3
%v = exe.node send "x" in 0 () {edge = 1 : i64, peer = 1 : i64} : () -> !flow.token
// expected-error@below {{expected an edge and a peer exactly for nodes of kind send or recv}}
%x = exe.node recv "x" in 0 () {peer = 1 : i64} : () -> tensor<f32>

// -----
// exe.node C3
// expected-error@below {{expected an edge and a peer exactly for nodes of kind send or recv}}
%x = exe.node send "x" in 0 () : () -> !flow.token

// -----
// exe.node C3
// expected-error@below {{expected an edge and a peer exactly for nodes of kind send or recv}}
%x = exe.node feed "x" in 0 () {peer = 1 : i64} : () -> tensor<f32>

// -----
// exe.signature C3
exe.signature @main {
  exe.frame {parent = 0 : i64, name = "", window = 1 : i64, id = 0 : i64}
  // expected-note@below {{this one, of type '(tensor<f32>) -> tensor<f32>'}}
  exe.codelet @c : (tensor<f32>) -> tensor<f32> attributes {code = "sluice_codelet_5f1c", float_ops = 0 : i64} {}
  %x = exe.node feed "x" in 0 () : () -> tensor<f32>
  // expected-error@below {{expected inputs and outputs as those of its codelet}}
  %y = exe.node codelet "y" in 0 (%x) {codelet = @c} : (tensor<f32>) -> tensor<i32>
}

// -----
// exe.codelet C2
exe.signature @main {
  exe.frame {parent = 0 : i64, name = "", window = 1 : i64, id = 0 : i64}
  // expected-error@below {{expected a block that takes the inputs and yields the results of '(tensor<f32>) -> tensor<f32>'}}
  exe.codelet @c : (tensor<f32>) -> tensor<f32> attributes {code = "sluice_codelet_5f1c", float_ops = 0 : i64} {
  ^bb0(%a: tensor<f32>):
    exe.yield
  }
}

// -----
// exe.codelet C2
exe.signature @main {
  exe.frame {parent = 0 : i64, name = "", window = 1 : i64, id = 0 : i64}
  // expected-error@below {{expected a block that takes the inputs and yields the results of '(tensor<f32>) -> tensor<f32>'}}
  exe.codelet @c : (tensor<f32>) -> tensor<f32> attributes {code = "sluice_codelet_5f1c", float_ops = 0 : i64} {
  ^bb0(%a: tensor<f32>):
    %b = "test.op"() : () -> tensor<f32>
  }
}

// -----
// exe.resource C2
// Only variables have types.
exe.resource @g {kind = "generator", key = "g", type = none}
// expected-error@below {{expected a tensor type or a list but got 'none'}}
exe.resource @v {kind = "variable", key = "v", type = none}

// -----
// exe.codelet C4
exe.signature @main {
  exe.frame {parent = 0 : i64, name = "", window = 1 : i64, id = 0 : i64}
  // expected-error@below {{expected a block of calls that yields nothing}}
  exe.codelet @c : (tensor<f32>) -> tensor<f32> attributes {boxes = 1 : i64, code = "sluice_codelet_5f1c", float_ops = 0 : i64, output_boxes = array<i64: 0>} {
  ^bb0(%a: tensor<f32>):
    exe.yield %a : tensor<f32>
  }
}

// -----
// exe.codelet C4
exe.signature @main {
  exe.frame {parent = 0 : i64, name = "", window = 1 : i64, id = 0 : i64}
  // expected-error@below {{expected a number of a box, or -1, for each result}}
  exe.codelet @c : (tensor<f32>) -> tensor<f32> attributes {boxes = 1 : i64, code = "sluice_codelet_5f1c", float_ops = 0 : i64, output_boxes = array<i64>} {
    exe.yield
  }
}

// -----
// exe.codelet C4
exe.signature @main {
  exe.frame {parent = 0 : i64, name = "", window = 1 : i64, id = 0 : i64}
  exe.codelet @c : (tensor<f32>) -> tensor<f32> attributes {boxes = 1 : i64, code = "sluice_codelet_5f1c", float_ops = 0 : i64, output_boxes = array<i64: 0>} {
    // expected-error@below {{expected only calls and constants in a codelet with boxes}}
    %b = "test.op"() : () -> tensor<f32>
    exe.yield
  }
}

// -----
// exe.call C1
exe.signature @main {
  exe.frame {parent = 0 : i64, name = "", window = 1 : i64, id = 0 : i64}
  // expected-error@below {{expects parent op 'exe.codelet'}}
  exe.call {inputs = array<i64>, kernel = "k", kernel_arguments = [], results = array<i64>, types = []}
}
