// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file of IR may say of a result what does not follow. Nobody checks that when a program runs, so no
// code may be made for it.
// RUN: sluice-opt --optimize-infer-shapes=forget-claims %s | FileCheck %s

// CHECK-LABEL: flow.graph @claimed
// CHECK: nd.neg {{.*}} -> tensor<*xf32>
// CHECK: nd.reshape {{.*}} -> tensor<?x?xf32>
// CHECK: nd.tanh {{.*}} -> tensor<?x?xf32>
flow.graph @claimed {
  %x = flow.feed {name = "x:0"} : () -> tensor<*xf32>
  %s = flow.feed {name = "s:0"} : () -> tensor<2xi32>
  %n = nd.neg %x : (tensor<*xf32>) -> tensor<3xf32>
  %r = nd.reshape %n, %s : (tensor<3xf32>, tensor<2xi32>) -> tensor<1000x1000xf32>
  %t = nd.tanh %r : (tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
  flow.fetch %t {name = "t:0"} : (tensor<1000x1000xf32>) -> ()
}

// What is merged, forwarded, read and popped.
// CHECK-LABEL: flow.graph @forwarded
// CHECK: flow.merge {{.*}} -> (tensor<?xf32>, tensor<i32>, !flow.token)
// CHECK: array.stack_pop {{.*}} -> (tensor<?xf32>, !flow.token)
flow.graph @forwarded {
  %x = flow.feed {name = "x:0"} : () -> tensor<?xf32>
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %i = flow.feed {name = "i:0"} : () -> tensor<i32>
  %f, %t, %k = flow.switch %x, %p : (tensor<?xf32>, tensor<i1>) -> (tensor<?xf32>, tensor<?xf32>, !flow.token)
  %m, %n, %mk = flow.merge %f, %t : (tensor<?xf32>, tensor<?xf32>) -> (tensor<2xf32>, tensor<i32>, !flow.token)
  %s, %st = array.stack_create %i {dtype = f32, name = "s"} : (tensor<i32>) -> (!array.stack<tensor<*xf32>>, !flow.token)
  %q, %qt = array.stack_push %s, %x {swap_memory = false} : (!array.stack<tensor<*xf32>>, tensor<?xf32>) -> (tensor<?xf32>, !flow.token)
  %v, %vt = array.stack_pop %s, %qt : (!array.stack<tensor<*xf32>>, !flow.token) -> (tensor<7xf32>, !flow.token)
  flow.fetch %m {name = "m:0"} : (tensor<2xf32>) -> ()
  flow.fetch %v {name = "v:0"} : (tensor<7xf32>) -> ()
}

state.variable @v {key = "v", type = tensor<2000xf32>}

// A reference or handle that does not speak of the variable as it was declared.
// CHECK-LABEL: flow.graph @variables
// CHECK: state.read {{.*}} -> (tensor<*xf32>, !flow.token)
// CHECK: state.read {{.*}} -> (tensor<*xf32>, !flow.token)
// CHECK: state.read {{.*}} -> (tensor<2000xf32>, !flow.token)
flow.graph @variables {
  %v, %t = state.reference {variable = @v} : () -> (!state.ref<tensor<2xf32>>, !flow.token)
  %r, %rt = state.read %v : (!state.ref<tensor<2xf32>>) -> (tensor<2xf32>, !flow.token)
  %h, %ht = state.handle {variable = @v} : () -> (!state.resource<tensor<3xf32>>, !flow.token)
  %s, %st = state.read %h : (!state.resource<tensor<3xf32>>) -> (tensor<3xf32>, !flow.token)
  %g, %gt = state.handle {variable = @v} : () -> (!state.resource<tensor<2000xf32>>, !flow.token)
  %u, %ut = state.read %g : (!state.resource<tensor<2000xf32>>) -> (tensor<*xf32>, !flow.token)
  flow.fetch %r {name = "r:0"} : (tensor<2xf32>) -> ()
  flow.fetch %s {name = "s:0"} : (tensor<3xf32>) -> ()
  flow.fetch %u {name = "u:0"} : (tensor<*xf32>) -> ()
}

// An op that fails gives nothing of any shape.
// CHECK-LABEL: flow.graph @fails
// CHECK: nd.add {{.*}} -> tensor<*xf32>
flow.graph @fails {
  %x = flow.feed {name = "x:0"} : () -> tensor<2xf32>
  %y = flow.feed {name = "y:0"} : () -> tensor<3xf32>
  %s = nd.add %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<9xf32>
  flow.fetch %s {name = "s:0"} : (tensor<9xf32>) -> ()
}

// Around regions types stay, because the regions' arguments repeat them.
// CHECK-LABEL: flow.graph @regions
// CHECK: nd.neg {{.*}} -> tensor<3xf32>
flow.graph @regions {
  %x = flow.feed {name = "x:0"} : () -> tensor<*xf32>
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %n = nd.neg %x : (tensor<*xf32>) -> tensor<3xf32>
  %r = flow.cond %p (%n) : (tensor<i1>, tensor<3xf32>) -> tensor<3xf32> on_true {
  ^bb0(%a: tensor<3xf32>):
    flow.yield %a : (tensor<3xf32>) -> ()
  } on_false {
  ^bb0(%a: tensor<3xf32>):
    flow.yield %a : (tensor<3xf32>) -> ()
  }
  flow.fetch %r {name = "r:0"} : (tensor<3xf32>) -> ()
}
