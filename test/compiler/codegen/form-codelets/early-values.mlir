// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Codelets that hold back what others wait for are split.
// RUN: sluice-opt --codegen-form-codelets --split-input-file %s | FileCheck %s

// A value that is sent, and much work that is not for it.
// CHECK-LABEL: module @rank0
// CHECK: %[[SENT:.*]] = flow.codelet
// CHECK-NEXT: ^bb0
// CHECK-NEXT: nd.neg
// CHECK-NEXT: nd.exp
// CHECK-NEXT: flow.yield
// CHECK: flow.codelet
// CHECK-NEXT: ^bb0
// CHECK-NEXT: nd.mul
// CHECK-NEXT: nd.sin
// CHECK-NEXT: flow.yield
// CHECK: wire.send %[[SENT]]
module @sent {
  module @rank0 attributes {wire.rank = 0 : i64} {
    flow.graph @main {
      %x = flow.feed {name = "x"} : () -> tensor<1000x1000xf32>
      %a = nd.neg %x : (tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
      %b = nd.exp %a : (tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
      %c = nd.mul %b, %x : (tensor<1000x1000xf32>, tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
      %d = nd.sin %c : (tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
      wire.send %b {edge = 0 : i64, to = 1 : i64} : (tensor<1000x1000xf32>) -> ()
      flow.fetch %d {name = "d"} : (tensor<1000x1000xf32>) -> ()
    }
  }
}

// -----

// The same with little work: one codelet.
// CHECK-LABEL: module @rank0
// CHECK: flow.codelet
// CHECK-NEXT: ^bb0
// CHECK-NEXT: nd.neg
// CHECK-NEXT: nd.exp
// CHECK-NEXT: nd.mul
// CHECK-NEXT: nd.sin
// CHECK-NEXT: flow.yield
module @sent_soon {
  module @rank0 attributes {wire.rank = 0 : i64} {
    flow.graph @main {
      %x = flow.feed {name = "x"} : () -> tensor<100xf32>
      %a = nd.neg %x : (tensor<100xf32>) -> tensor<100xf32>
      %b = nd.exp %a : (tensor<100xf32>) -> tensor<100xf32>
      %c = nd.mul %b, %x : (tensor<100xf32>, tensor<100xf32>) -> tensor<100xf32>
      %d = nd.sin %c : (tensor<100xf32>) -> tensor<100xf32>
      wire.send %b {edge = 0 : i64, to = 1 : i64} : (tensor<100xf32>) -> ()
      flow.fetch %d {name = "d"} : (tensor<100xf32>) -> ()
    }
  }
}

// -----

// Two values are sent, the second one long after the first one: each as soon as it is there. All that is left
// depends on both.
// CHECK-LABEL: module @rank0
// CHECK: flow.codelet
// CHECK-NEXT: ^bb0
// CHECK-NEXT: nd.neg
// CHECK-NEXT: flow.yield
// CHECK: flow.codelet
// CHECK-NEXT: ^bb0
// CHECK-NEXT: nd.exp
// CHECK-NEXT: flow.yield
// CHECK: flow.codelet
// CHECK-NEXT: ^bb0
// CHECK-NEXT: nd.sin
// CHECK-NEXT: flow.yield
module @sent_one_by_one {
  module @rank0 attributes {wire.rank = 0 : i64} {
    flow.graph @main {
      %x = flow.feed {name = "x"} : () -> tensor<1000x1000xf32>
      %a = nd.neg %x : (tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
      wire.send %a {edge = 0 : i64, to = 1 : i64} : (tensor<1000x1000xf32>) -> ()
      %b = nd.exp %a : (tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
      wire.send %b {edge = 1 : i64, to = 1 : i64} : (tensor<1000x1000xf32>) -> ()
      %c = nd.sin %b : (tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
      flow.fetch %c {name = "c"} : (tensor<1000x1000xf32>) -> ()
    }
  }
}

// -----

// What is sent comes of all of the work: nothing is held back.
// CHECK-LABEL: module @rank0
// CHECK: flow.codelet
// CHECK-NEXT: ^bb0
// CHECK-NEXT: nd.neg
// CHECK-NEXT: nd.exp
// CHECK-NEXT: nd.sin
// CHECK-NEXT: flow.yield
module @sent_last {
  module @rank0 attributes {wire.rank = 0 : i64} {
    flow.graph @main {
      %x = flow.feed {name = "x"} : () -> tensor<1000x1000xf32>
      %a = nd.neg %x : (tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
      %b = nd.exp %a : (tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
      %c = nd.sin %b : (tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
      wire.send %c {edge = 0 : i64, to = 1 : i64} : (tensor<1000x1000xf32>) -> ()
      flow.fetch %b {name = "b"} : (tensor<1000x1000xf32>) -> ()
    }
  }
}

// -----

// A long product is alone: a worker has it, and what does not need it goes on. Its operand is not held back
// either, and neither are the sizes that nobody knows taken for nothing.
// CHECK-LABEL: flow.graph @product
// CHECK: flow.codelet
// CHECK-NEXT: ^bb0
// CHECK-NEXT: nd.neg
// CHECK-NEXT: flow.yield
// CHECK: flow.codelet
// CHECK-NEXT: ^bb0
// CHECK-NEXT: nd.exp
// CHECK-NEXT: nd.sin
// CHECK-NEXT: flow.yield
// CHECK: flow.codelet
// CHECK-NEXT: ^bb0
// CHECK-NEXT: nd.matmul
// CHECK-NEXT: flow.yield
flow.graph @product {
  %x = flow.feed {name = "x"} : () -> tensor<?x1000xf32>
  %w = flow.feed {name = "w"} : () -> tensor<1000x1000xf32>
  %a = nd.neg %w : (tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
  %b = nd.exp %a : (tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
  %c = nd.sin %b : (tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
  %p = nd.matmul %x, %a {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<?x1000xf32>, tensor<1000x1000xf32>) -> tensor<?x1000xf32>
  flow.fetch %p {name = "p"} : (tensor<?x1000xf32>) -> ()
  flow.fetch %c {name = "c"} : (tensor<1000x1000xf32>) -> ()
}

// -----

// A short product is an op like others.
// CHECK-LABEL: flow.graph @short_product
// CHECK: flow.codelet
// CHECK-NEXT: ^bb0
// CHECK-NEXT: nd.neg
// CHECK-NEXT: nd.matmul
// CHECK-NEXT: nd.exp
// CHECK-NEXT: flow.yield
flow.graph @short_product {
  %x = flow.feed {name = "x"} : () -> tensor<4x100xf32>
  %w = flow.feed {name = "w"} : () -> tensor<100x100xf32>
  %a = nd.neg %x : (tensor<4x100xf32>) -> tensor<4x100xf32>
  %p = nd.matmul %a, %w {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<4x100xf32>, tensor<100x100xf32>) -> tensor<4x100xf32>
  %c = nd.exp %p : (tensor<4x100xf32>) -> tensor<4x100xf32>
  flow.fetch %c {name = "c"} : (tensor<4x100xf32>) -> ()
}

// -----

// What a loop gives is sent; the loop behind it, which nobody knows how long it runs, does not hold it back.
// CHECK-LABEL: module @rank0
// CHECK: %[[FIRST:.*]] = flow.codelet
// CHECK: flow.while
// CHECK: "first"
// CHECK-NOT: flow.while
// CHECK: wire.send %[[FIRST]]
// CHECK: flow.codelet
// CHECK: flow.while
// CHECK: "second"
module @loops {
  module @rank0 attributes {wire.rank = 0 : i64} {
    flow.graph @main {
      %x = flow.feed {name = "x"} : () -> tensor<f32>
      %a = flow.while (%x) () {codegen.collapse, frame = "first", parallel_iterations = 1 : i64} : (tensor<f32>) -> tensor<f32> before {
      ^bb0(%s: tensor<f32>):
        %limit = nd.constant {value = dense<9.0> : tensor<f32>} : () -> tensor<f32>
        %p = nd.less %s, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
        flow.condition %p (%s) : (tensor<i1>, tensor<f32>) -> ()
      } body {
      ^bb0(%s: tensor<f32>):
        %t = nd.add %s, %s : (tensor<f32>, tensor<f32>) -> tensor<f32>
        flow.yield %t : (tensor<f32>) -> ()
      }
      wire.send %a {edge = 0 : i64, to = 1 : i64} : (tensor<f32>) -> ()
      %b = flow.while (%a) () {codegen.collapse, frame = "second", parallel_iterations = 1 : i64} : (tensor<f32>) -> tensor<f32> before {
      ^bb0(%s: tensor<f32>):
        %limit = nd.constant {value = dense<9.0> : tensor<f32>} : () -> tensor<f32>
        %p = nd.less %s, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
        flow.condition %p (%s) : (tensor<i1>, tensor<f32>) -> ()
      } body {
      ^bb0(%s: tensor<f32>):
        %t = nd.add %s, %s : (tensor<f32>, tensor<f32>) -> tensor<f32>
        flow.yield %t : (tensor<f32>) -> ()
      }
      flow.fetch %b {name = "b"} : (tensor<f32>) -> ()
    }
  }
}

// -----

// Much work for what is sent, and little that is not: one codelet.
// CHECK-LABEL: module @rank0
// CHECK: flow.codelet
// CHECK-NEXT: ^bb0
// CHECK: nd.exp
// CHECK: nd.slice
// CHECK: nd.neg
// CHECK-NEXT: flow.yield
// CHECK-NOT: flow.codelet
// CHECK: wire.send
module @little_beside {
  module @rank0 attributes {wire.rank = 0 : i64} {
    flow.graph @main {
      %x = flow.feed {name = "x"} : () -> tensor<1000x1000xf32>
      %from = nd.constant {value = dense<[0, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
      %size = nd.constant {value = dense<[10, 10]> : tensor<2xi32>} : () -> tensor<2xi32>
      %a = nd.exp %x : (tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
      %b = nd.slice %a, %from, %size : (tensor<1000x1000xf32>, tensor<2xi32>, tensor<2xi32>) -> tensor<10x10xf32>
      %c = nd.neg %b : (tensor<10x10xf32>) -> tensor<10x10xf32>
      wire.send %a {edge = 0 : i64, to = 1 : i64} : (tensor<1000x1000xf32>) -> ()
      flow.fetch %c {name = "y"} : (tensor<10x10xf32>) -> ()
    }
  }
}

// -----

// Little work for what is sent, and much that is not.
// CHECK-LABEL: module @rank0
// CHECK: %[[SENT:.*]] = flow.codelet
// CHECK: nd.slice
// CHECK: flow.yield
// CHECK: flow.codelet
// CHECK: nd.exp
// CHECK: wire.send %[[SENT]]
module @much_beside {
  module @rank0 attributes {wire.rank = 0 : i64} {
    flow.graph @main {
      %x = flow.feed {name = "x"} : () -> tensor<1000x1000xf32>
      %from = nd.constant {value = dense<[0, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
      %size = nd.constant {value = dense<[10, 10]> : tensor<2xi32>} : () -> tensor<2xi32>
      %b = nd.slice %x, %from, %size : (tensor<1000x1000xf32>, tensor<2xi32>, tensor<2xi32>) -> tensor<10x10xf32>
      %c = nd.neg %b : (tensor<10x10xf32>) -> tensor<10x10xf32>
      %axes = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
      %one = nd.reduce_sum %c, %axes {keep_dims = false} : (tensor<10x10xf32>, tensor<2xi32>) -> tensor<f32>
      %d = nd.add %x, %one : (tensor<1000x1000xf32>, tensor<f32>) -> tensor<1000x1000xf32>
      %e = nd.exp %d : (tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
      wire.send %c {edge = 0 : i64, to = 1 : i64} : (tensor<10x10xf32>) -> ()
      flow.fetch %e {name = "y"} : (tensor<1000x1000xf32>) -> ()
    }
  }
}
