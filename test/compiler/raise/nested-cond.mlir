// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A branch within a branch: the inner one first, then the one around it.
// RUN: sluice-opt %s --raise-control-flow | FileCheck %s

// CHECK-LABEL: flow.graph @nested
flow.graph @nested {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %q = flow.feed {name = "q:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  // CHECK: flow.cond %{{[0-9]+}}(%{{.*}}) : (tensor<i1>, tensor<i1>, tensor<f32>) -> tensor<f32> on_true {
  // CHECK-NEXT: ^bb0(%[[Q:.*]]: tensor<i1>, %[[X:.*]]: tensor<f32>):
  // CHECK-NEXT:   %[[Y:.*]] = flow.cond %[[Q]](%[[X]]) {{.*}} on_true {
  // CHECK:          nd.neg
  // CHECK:        } on_false {
  // CHECK:          nd.exp
  // CHECK:        }
  // CHECK-NEXT:   flow.yield %[[Y]]
  // CHECK-NEXT: } on_false {
  // CHECK-NEXT: ^bb0(%{{.*}}: tensor<i1>, %[[X:.*]]: tensor<f32>):
  // CHECK-NEXT:   flow.yield %[[X]]
  // CHECK-NOT: flow.switch
  %qf, %qt, %qs = flow.switch %q, %p : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
  %f, %t, %s = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %tf, %tt, %ts = flow.switch %t, %qt : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %a = nd.neg %tt : (tensor<f32>) -> tensor<f32>
  %b = nd.exp %tf : (tensor<f32>) -> tensor<f32>
  %c, %ci, %cm = flow.merge %b, %a : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %y, %i, %m = flow.merge %f, %c : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// A predicate that is known outside, but asked inside a branch only: the index of that merge depends
// on nothing but the predicate, and must be dead where the branch is.
// CHECK-LABEL: flow.graph @index_within
flow.graph @index_within {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %q = nd.constant {value = dense<true> : tensor<i1>} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %k = flow.feed {name = "k:0"} : () -> tensor<i32>
  // CHECK: flow.cond {{.*}} -> tensor<i32> on_true {
  // CHECK:   flow.cond {{.*}} -> tensor<i32> on_true {
  // CHECK: } on_false {
  // CHECK: flow.fetch
  // CHECK-NOT: flow.merge
  %pf, %pt, %ps = flow.switch %p, %p : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
  %taken = flow.after %pt : (tensor<i1>) -> !flow.token
  %inner = flow.gate %q, %taken : (tensor<i1>, !flow.token) -> tensor<i1>
  %f, %t, %s = flow.switch %x, %inner : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %m, %i, %mm = flow.merge %f, %t : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %kf, %kt, %ks = flow.switch %k, %p : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %y, %yi, %ym = flow.merge %kf, %i : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
  flow.fetch %y {name = "y:0"} : (tensor<i32>) -> ()
}

// The same where only the value of the merge tells that the branch around it was taken.
// CHECK-LABEL: flow.graph @index_of_a_value_within
flow.graph @index_of_a_value_within {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %q = flow.feed {name = "q:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %k = flow.feed {name = "k:0"} : () -> tensor<i32>
  // CHECK: flow.cond
  // CHECK: ^bb0(%[[X:.*]]: tensor<f32>):
  // CHECK: %[[ONE:.*]] = nd.constant {value = dense<1> : tensor<i32>}
  // CHECK: %[[AFTER:.*]] = flow.after %[[X]]
  // CHECK: flow.gate %[[ONE]], %[[AFTER]]
  // CHECK: } on_false {
  // CHECK: flow.gate
  %xf, %xt, %xs = flow.switch %x, %q : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %f, %t, %s = flow.switch %xt, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %m, %i, %mm = flow.merge %f, %t : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %kf, %kt, %ks = flow.switch %k, %q : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %y, %yi, %ym = flow.merge %kf, %i : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
  flow.fetch %y {name = "y:0"} : (tensor<i32>) -> ()
}
