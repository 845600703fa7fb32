// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: sluice-opt --emit-build-program %s -split-input-file -verify-diagnostics

flow.graph @no_kernel {
  %p = flow.feed {name = "p:0"} : () -> tensor<2xi16>
  // expected-error @+1 {{has no kernel for these element types}}
  %q = nd.invert_permutation %p : (tensor<2xi16>) -> tensor<2xi16>
  flow.fetch %q {name = "q:0"} : (tensor<2xi16>) -> ()
}

// -----

flow.graph @frames {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  // expected-note @+1 {{this operand comes from frame 'l'}}
  %e = flow.enter %x {frame = "l", constant = false, parallel_iterations = 7 : i64} : (tensor<f32>) -> tensor<f32>
  // expected-error @+1 {{has inputs from different frames}}
  %y = nd.add %x, %e : (tensor<f32>, tensor<f32>) -> tensor<f32>
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// -----

flow.graph @loop_without_code {
  %x = flow.feed {name = "x:0"} : () -> tensor<i1>
  // expected-error @+1 {{expected 'codegen.symbol', since loops and branches run only as machine code}}
  %y = flow.codelet (%x) : (tensor<i1>) -> tensor<i1> {
  ^bb0(%a: tensor<i1>):
    %r = flow.while (%a) () {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i1>) -> tensor<i1> before {
    ^bb0(%p: tensor<i1>):
      flow.condition %p (%p) : (tensor<i1>, tensor<i1>) -> ()
    } body {
    ^bb0(%p: tensor<i1>):
      flow.yield %p : (tensor<i1>) -> ()
    }
    flow.yield %r : (tensor<i1>) -> ()
  }
  flow.fetch %y {name = "y:0"} : (tensor<i1>) -> ()
}
