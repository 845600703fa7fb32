// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who waits for whom, where no circle forbids anything.
// RUN: sluice-opt --codegen-form-codelets --split-input-file %s | FileCheck %s

// The sum comes late, for it waits for a variable. What it alone uses may as well wait with it; what
// others use too may not.
// CHECK-LABEL: flow.graph @late
// CHECK: flow.codelet
// CHECK-NEXT: ^bb0
// CHECK-NEXT: nd.exp
// CHECK-NEXT: flow.yield
// CHECK: flow.codelet
// CHECK-NEXT: ^bb0
// CHECK-NEXT: nd.neg
// CHECK-NEXT: nd.add
// CHECK-NEXT: nd.mul
// CHECK-NEXT: flow.yield
state.variable @v {key = "v", type = tensor<16xf32>}
flow.graph @late {
  %x = flow.feed {name = "x"} : () -> tensor<16xf32>
  %h, %ht = state.handle {variable = @v} : () -> (!state.resource<tensor<16xf32>>, !flow.token)
  %r, %t = state.read %h : (!state.resource<tensor<16xf32>>) -> (tensor<16xf32>, !flow.token)
  %a = nd.exp %x : (tensor<16xf32>) -> tensor<16xf32>
  %b = nd.neg %x : (tensor<16xf32>) -> tensor<16xf32>
  %c = nd.add %b, %r : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  %d = nd.mul %c, %a : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  flow.fetch %a {name = "a"} : (tensor<16xf32>) -> ()
  flow.fetch %d {name = "d"} : (tensor<16xf32>) -> ()
}

// -----
// The counter of this loop does not wait for rank 1, so it can run ahead of what does, and rank 1
// gets work early. Its increment is used with what was received, but is no part of that codelet:
// whether that comes alive is not known here.
// CHECK-LABEL: module @rank0
// CHECK: nd.add
// CHECK: wire.recv
// CHECK: flow.codelet
// CHECK-NEXT: ^bb0
// CHECK-NEXT: nd.mul
// CHECK-NEXT: nd.mul
// CHECK-NEXT: flow.yield
// CHECK: nd.mul
// CHECK-LABEL: module @rank1
module @ranks {
  module @rank0 attributes {wire.rank = 0 : i64} {
    flow.graph @main {
      %n = flow.feed {name = "n"} : () -> tensor<f32>
      %zero = nd.constant {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
      %one = nd.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
      %nc = flow.enter %n {frame = "loop", constant = true, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
      %i0 = flow.enter %zero {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
      %s0 = flow.enter %zero {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
      %i, %ii, %it = flow.merge %i0, %i2 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
      %s, %si, %st = flow.merge %s0, %s2 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
      %p = nd.less %i, %nc : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %c = flow.loop_cond %p : (tensor<i1>) -> tensor<i1>
      %if, %ib, %ist = flow.switch %i, %c : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
      %sf, %sb, %sst = flow.switch %s, %c : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
      %i1 = nd.add %ib, %one : (tensor<f32>, tensor<f32>) -> tensor<f32>
      wire.send %i1 {edge = 0 : i64, to = 1 : i64} : (tensor<f32>) -> ()
      %r = wire.recv %it {edge = 1 : i64, from = 1 : i64} : (!flow.token) -> tensor<f32>
      %u = nd.mul %r, %i1 : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %v = nd.mul %u, %u : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %w = nd.mul %v, %sb : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %i2 = flow.next_iteration %i1 : (tensor<f32>) -> tensor<f32>
      %s2 = flow.next_iteration %w : (tensor<f32>) -> tensor<f32>
      %last = flow.exit %sf : (tensor<f32>) -> tensor<f32>
      flow.fetch %last {name = "last"} : (tensor<f32>) -> ()
    }
  }
  module @rank1 attributes {wire.rank = 1 : i64} {
    flow.graph @main {
    }
  }
}
