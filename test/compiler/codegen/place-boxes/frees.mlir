// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a box holds is freed when nobody needs it again, wherever that is; and what code holds goes into a
// box where it is needed, and no more often.
// RUN: sluice-opt %s --allow-unregistered-dialect -split-input-file --codegen-place-boxes | FileCheck %s

// An operand that comes twice, a result that nobody takes, and values that only one side of a branch
// needs. A scalar is not worth it. What a kernel has given is in its box already.
// CHECK-LABEL: flow.graph @branch
// CHECK: flow.box_put %{{.*}} {box = [[X:[0-9]+]] : i64, last = true}
// CHECK: flow.box_run {{.*}}inputs = array<i64: [[X]]>, last = array<i64>, results = array<i64: [[A:[0-9]+]]>}
// CHECK: nd.mul
// CHECK: flow.box_drop {{.*}}boxes = array<i64: [[X]]>}
// CHECK-NEXT: flow.box_run {{.*}}inputs = array<i64: [[A]]>, last = array<i64>, results = array<i64: [[S:[0-9]+]]>}
// CHECK: nd.size
// CHECK-NOT: flow.box_put
// CHECK: flow.box_run {{.*}}inputs = array<i64: [[A]], [[S]]>, last = array<i64: 1>, results = array<i64: [[V:[0-9]+]], [[I:[0-9]+]]>}
// CHECK: nd.top_k
// CHECK: flow.box_drop {{.*}}boxes = array<i64: [[I]]>}
// CHECK-NEXT: flow.cond
// CHECK: flow.box_drop {{.*}}boxes = array<i64: [[V]]>}
// CHECK-NEXT: flow.box_run {{.*}}inputs = array<i64: [[A]]>, last = array<i64: 0>, results = array<i64: [[N:[0-9]+]]>}
// CHECK: flow.box_move {{.*}}from = [[N]] : i64, last = true, to = [[R:[0-9]+]] : i64}
// CHECK: on_false
// CHECK: flow.box_drop {{.*}}boxes = array<i64: [[A]]>}
// CHECK-NEXT: flow.box_move {{.*}}from = [[V]] : i64, last = true, to = [[R]] : i64}
// CHECK: flow.box_move {{.*}}from = [[R]] : i64, last = true, to = [[Q:[0-9]+]] : i64}
// CHECK: flow.box_get {{.*}}box = [[Q]] : i64}
flow.graph @branch {
  %p = "test.value"() : () -> tensor<i1>
  %x = "test.value"() : () -> tensor<*xf32>
  %r = flow.codelet (%p, %x) : (tensor<i1>, tensor<*xf32>) -> tensor<*xf32> {
  ^bb0(%p0: tensor<i1>, %x0: tensor<*xf32>):
    %c = flow.cond %p0 (%p0, %x0) {codegen.boxed_operands = array<i64>, codegen.boxed_results = array<i64: 0>} : (tensor<i1>, tensor<i1>, tensor<*xf32>) -> tensor<*xf32> on_true {
    ^bb0(%q: tensor<i1>, %x1: tensor<*xf32>):
      %k = nd.constant {value = dense<3> : tensor<i32>} : () -> tensor<i32>
      %a = nd.mul %x1, %x1 : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
      %s = nd.size %a : (tensor<*xf32>) -> tensor<i32>
      %v, %i = nd.top_k %a, %s : (tensor<*xf32>, tensor<i32>) -> (tensor<*xf32>, tensor<*xi32>)
      %d = flow.cond %q (%a, %v) : (tensor<i1>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32> on_true {
      ^bb0(%a1: tensor<*xf32>, %v1: tensor<*xf32>):
        %n = nd.neg %a1 : (tensor<*xf32>) -> tensor<*xf32>
        flow.yield %n : (tensor<*xf32>) -> ()
      } on_false {
      ^bb0(%a1: tensor<*xf32>, %v1: tensor<*xf32>):
        flow.yield %v1 : (tensor<*xf32>) -> ()
      }
      flow.yield %d : (tensor<*xf32>) -> ()
    } on_false {
    ^bb0(%q: tensor<i1>, %x1: tensor<*xf32>):
      flow.yield %x1 : (tensor<*xf32>) -> ()
    }
    flow.yield %c : (tensor<*xf32>) -> ()
  }
}

// -----

// A loop's last value that is not asked for goes when the loop ends, and what only goes out of the loop is
// gone in its body. `%t` is made by code: it goes into a box in the branch that needs it; `%m`, which a
// loop takes in, before the loop.
// CHECK-LABEL: flow.graph @loop
// CHECK: %[[NEG:.*]] = nd.neg
// CHECK: flow.box_put %[[NEG]] {box = [[M:[0-9]+]] : i64, last = false} : (tensor<100xf32>)
// CHECK-NEXT: flow.while
// CHECK: flow.box_move {{.*}}from = [[L:[0-9]+]] : i64, last = false, to = [[OUT:[0-9]+]] : i64}
// CHECK-NEXT: flow.box_move {{.*}}from = [[L]] : i64, last = true, to = [[IN:[0-9]+]] : i64}
// CHECK: } body {
// CHECK-NEXT: ^bb0
// CHECK-NEXT: flow.box_drop {{.*}}boxes = array<i64: [[OUT]]>}
// CHECK: flow.box_run {{.*}}inputs = array<i64: [[IN]], [[M]]>, last = array<i64: 0>
// CHECK: %[[T:.*]] = nd.add
// CHECK-NOT: flow.box_put
// CHECK: flow.cond
// CHECK-NEXT: ^bb0(%[[T1:.*]]: tensor<100xf32>,
// CHECK: flow.box_put %[[T1]]
// CHECK: nd.l2_loss
// CHECK: on_false
// CHECK: flow.box_drop {{.*}}boxes = array<i64: [[IN]], [[M]]>}
// CHECK-NEXT: flow.box_get {{.*}}box = [[OUT]] : i64}
flow.graph @loop {
  %n = "test.value"() : () -> tensor<i32>
  %x = "test.value"() : () -> tensor<*xf32>
  %u = "test.value"() : () -> tensor<100xf32>
  %r = flow.codelet (%n, %x, %u) : (tensor<i32>, tensor<*xf32>, tensor<100xf32>) -> tensor<*xf32> {
  ^bb0(%n0: tensor<i32>, %x0: tensor<*xf32>, %u0: tensor<100xf32>):
    %m = nd.neg %u0 : (tensor<100xf32>) -> tensor<100xf32>
    %l:4 = flow.while (%x0, %n0, %u0) (%m) {codegen.boxed_operands = array<i64>, codegen.boxed_results = array<i64: 0>, frame = "f", parallel_iterations = 1 : i64} : (tensor<*xf32>, tensor<i32>, tensor<100xf32>, tensor<100xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<i32>, tensor<100xf32>) before {
    ^bb0(%x1: tensor<*xf32>, %n1: tensor<i32>, %t1: tensor<100xf32>, %m1: tensor<100xf32>):
      %z = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
      %p = nd.less %z, %n1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      flow.condition %p (%x1, %x1, %n1, %t1) : (tensor<i1>, tensor<*xf32>, tensor<*xf32>, tensor<i32>, tensor<100xf32>) -> ()
    } body {
    ^bb0(%x2: tensor<*xf32>, %x3: tensor<*xf32>, %n2: tensor<i32>, %t2: tensor<100xf32>, %m2: tensor<100xf32>):
      %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
      %y = nd.add %x3, %m2 : (tensor<*xf32>, tensor<100xf32>) -> tensor<*xf32>
      %n3 = nd.sub %n2, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %t = nd.add %t2, %t2 : (tensor<100xf32>, tensor<100xf32>) -> tensor<100xf32>
      %p = nd.less %one, %n3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %w = flow.cond %p (%t, %n3) : (tensor<i1>, tensor<100xf32>, tensor<i32>) -> tensor<f32> on_true {
      ^bb0(%t3: tensor<100xf32>, %n4: tensor<i32>):
        %g = nd.l2_loss %t3 : (tensor<100xf32>) -> tensor<f32>
        flow.yield %g : (tensor<f32>) -> ()
      } on_false {
      ^bb0(%t3: tensor<100xf32>, %n4: tensor<i32>):
        %h = nd.constant {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
        flow.yield %h : (tensor<f32>) -> ()
      }
      %v = nd.mul %t, %w : (tensor<100xf32>, tensor<f32>) -> tensor<100xf32>
      flow.yield %y, %n3, %v : (tensor<*xf32>, tensor<i32>, tensor<100xf32>) -> ()
    }
    flow.yield %l#0 : (tensor<*xf32>) -> ()
  }
}

// -----

// Two captures are one value, which is in one box: it is not taken away for the first of them.
// CHECK-LABEL: flow.graph @twice
// CHECK: flow.box_put %{{.*}} {box = [[X:[0-9]+]] : i64, last = true}
// CHECK: flow.box_run {{.*}}inputs = array<i64: [[X]]>, last = array<i64>, results
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<*xf32>):
// CHECK: nd.add %[[A]], %[[A]]
// CHECK: flow.box_drop {{.*}}boxes = array<i64: [[X]]>
flow.graph @twice {
  %p = "test.value"() : () -> tensor<i1>
  %x = "test.value"() : () -> tensor<*xf32>
  %r = flow.codelet (%p, %x) : (tensor<i1>, tensor<*xf32>) -> tensor<*xf32> {
  ^bb0(%p0: tensor<i1>, %x0: tensor<*xf32>):
    %c = flow.cond %p0 (%x0, %x0) {codegen.boxed_operands = array<i64>, codegen.boxed_results = array<i64: 0>} : (tensor<i1>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32> on_true {
    ^bb0(%x1: tensor<*xf32>, %x2: tensor<*xf32>):
      %a = nd.add %x1, %x2 : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
      flow.yield %a : (tensor<*xf32>) -> ()
    } on_false {
    ^bb0(%x1: tensor<*xf32>, %x2: tensor<*xf32>):
      %a = nd.neg %x1 : (tensor<*xf32>) -> tensor<*xf32>
      flow.yield %a : (tensor<*xf32>) -> ()
    }
    flow.yield %c : (tensor<*xf32>) -> ()
  }
}
