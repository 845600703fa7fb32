// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop in a loop, one of whose first values is what the outer loop captures. That is live in the outer
// loop's last iteration as well, where nothing else enters, so the inner loop does not run.
// RUN: sluice-opt %s --raise-control-flow | FileCheck %s

// while (i < n) { for (j = i, k = n; j < n; j += j) k += j; i = k }
// CHECK-LABEL: flow.graph @captured
// CHECK: flow.while(%{{.*}}) (%{{.*}}) {frame = "outer"
// CHECK: } body {
// CHECK-NEXT: ^bb0(%[[I:.*]]: tensor<f32>, %[[N:.*]]: tensor<f32>):
// CHECK-NEXT: %[[J:.*]]:2 = flow.while(%[[I]], %[[N]]) (%[[N]]) {frame = "inner"
// CHECK-NOT: flow.enter
// CHECK: flow.fetch
flow.graph @captured {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %n = flow.feed {name = "n:0"} : () -> tensor<f32>
  %i0 = flow.enter %x {frame = "outer", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %on = flow.enter %n {frame = "outer", constant = true, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %i, %ii, %im = flow.merge %i0, %i1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %ip = nd.less %i, %on : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %igo = flow.loop_cond %ip : (tensor<i1>) -> tensor<i1>
  %if, %it, %is = flow.switch %i, %igo : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %j0 = flow.enter %it {frame = "inner", constant = false, parallel_iterations = 1 : i64} : (tensor<f32>) -> tensor<f32>
  %k0 = flow.enter %on {frame = "inner", constant = false, parallel_iterations = 1 : i64} : (tensor<f32>) -> tensor<f32>
  %jn = flow.enter %on {frame = "inner", constant = true, parallel_iterations = 1 : i64} : (tensor<f32>) -> tensor<f32>
  %j, %ji, %jm = flow.merge %j0, %j1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %k, %ki, %km = flow.merge %k0, %k1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %jp = nd.less %j, %jn : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %jgo = flow.loop_cond %jp : (tensor<i1>) -> tensor<i1>
  %jf, %jt, %js = flow.switch %j, %jgo : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %kf, %kt, %ks = flow.switch %k, %jgo : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %twice = nd.add %jt, %jt : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %sum = nd.add %kt, %jt : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %j1 = flow.next_iteration %twice : (tensor<f32>) -> tensor<f32>
  %k1 = flow.next_iteration %sum : (tensor<f32>) -> tensor<f32>
  %left = flow.exit %kf : (tensor<f32>) -> tensor<f32>
  %i1 = flow.next_iteration %left : (tensor<f32>) -> tensor<f32>
  %y = flow.exit %if : (tensor<f32>) -> tensor<f32>
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// What is printed of it alone is printed in the last iteration too, so the loop stays as it is.
// CHECK-LABEL: flow.graph @printed
// CHECK-NOT: flow.while
// CHECK: flow.fetch
flow.graph @printed {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %n = flow.feed {name = "n:0"} : () -> tensor<f32>
  %i0 = flow.enter %x {frame = "outer", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %on = flow.enter %n {frame = "outer", constant = true, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %i, %ii, %im = flow.merge %i0, %i1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %ip = nd.less %i, %on : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %igo = flow.loop_cond %ip : (tensor<i1>) -> tensor<i1>
  %if, %it, %is = flow.switch %i, %igo : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %j0 = flow.enter %it {frame = "inner", constant = false, parallel_iterations = 1 : i64} : (tensor<f32>) -> tensor<f32>
  %k0 = flow.enter %on {frame = "inner", constant = false, parallel_iterations = 1 : i64} : (tensor<f32>) -> tensor<f32>
  %jn = flow.enter %on {frame = "inner", constant = true, parallel_iterations = 1 : i64} : (tensor<f32>) -> tensor<f32>
  %j, %ji, %jm = flow.merge %j0, %j1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %k, %ki, %km = flow.merge %k0, %k1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %m = nd.neg %k : (tensor<f32>) -> tensor<f32>
  %d = state.print %m {message = "k", first_n = -1 : i64, summarize = 3 : i64} : (tensor<f32>) -> !flow.token
  %jp = nd.less %j, %jn : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %jgo = flow.loop_cond %jp : (tensor<i1>) -> tensor<i1>
  %jf, %jt, %js = flow.switch %j, %jgo : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %kf, %kt, %ks = flow.switch %k, %jgo : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %twice = nd.add %jt, %jt : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %sum = nd.add %kt, %jt : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %j1 = flow.next_iteration %twice : (tensor<f32>) -> tensor<f32>
  %k1 = flow.next_iteration %sum : (tensor<f32>) -> tensor<f32>
  %left = flow.exit %kf : (tensor<f32>) -> tensor<f32>
  %i1 = flow.next_iteration %left : (tensor<f32>) -> tensor<f32>
  %y = flow.exit %if : (tensor<f32>) -> tensor<f32>
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// It may also fail there.
// CHECK-LABEL: flow.graph @computed
// CHECK-NOT: flow.while
// CHECK: flow.fetch
flow.graph @computed {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %n = flow.feed {name = "n:0"} : () -> tensor<f32>
  %i0 = flow.enter %x {frame = "outer", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %on = flow.enter %n {frame = "outer", constant = true, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %i, %ii, %im = flow.merge %i0, %i1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %ip = nd.less %i, %on : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %igo = flow.loop_cond %ip : (tensor<i1>) -> tensor<i1>
  %if, %it, %is = flow.switch %i, %igo : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %j0 = flow.enter %it {frame = "inner", constant = false, parallel_iterations = 1 : i64} : (tensor<f32>) -> tensor<f32>
  %k0 = flow.enter %on {frame = "inner", constant = false, parallel_iterations = 1 : i64} : (tensor<f32>) -> tensor<f32>
  %jn = flow.enter %on {frame = "inner", constant = true, parallel_iterations = 1 : i64} : (tensor<f32>) -> tensor<f32>
  %j, %ji, %jm = flow.merge %j0, %j1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %k, %ki, %km = flow.merge %k0, %k1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %m = nd.neg %k : (tensor<f32>) -> tensor<f32>
  %jp = nd.less %j, %jn : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %jgo = flow.loop_cond %jp : (tensor<i1>) -> tensor<i1>
  %jf, %jt, %js = flow.switch %j, %jgo : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %kf, %kt, %ks = flow.switch %k, %jgo : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %twice = nd.add %jt, %jt : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %sum = nd.add %kt, %jt : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %j1 = flow.next_iteration %twice : (tensor<f32>) -> tensor<f32>
  %k1 = flow.next_iteration %sum : (tensor<f32>) -> tensor<f32>
  %left = flow.exit %kf : (tensor<f32>) -> tensor<f32>
  %i1 = flow.next_iteration %left : (tensor<f32>) -> tensor<f32>
  %y = flow.exit %if : (tensor<f32>) -> tensor<f32>
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// What is printed of the other value is not.
// CHECK-LABEL: flow.graph @other
// CHECK: flow.while
// CHECK: state.print
// CHECK-NOT: flow.enter
// CHECK: flow.fetch
flow.graph @other {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %n = flow.feed {name = "n:0"} : () -> tensor<f32>
  %i0 = flow.enter %x {frame = "outer", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %on = flow.enter %n {frame = "outer", constant = true, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %i, %ii, %im = flow.merge %i0, %i1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %ip = nd.less %i, %on : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %igo = flow.loop_cond %ip : (tensor<i1>) -> tensor<i1>
  %if, %it, %is = flow.switch %i, %igo : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %j0 = flow.enter %it {frame = "inner", constant = false, parallel_iterations = 1 : i64} : (tensor<f32>) -> tensor<f32>
  %k0 = flow.enter %on {frame = "inner", constant = false, parallel_iterations = 1 : i64} : (tensor<f32>) -> tensor<f32>
  %jn = flow.enter %on {frame = "inner", constant = true, parallel_iterations = 1 : i64} : (tensor<f32>) -> tensor<f32>
  %j, %ji, %jm = flow.merge %j0, %j1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %k, %ki, %km = flow.merge %k0, %k1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %m = nd.neg %j : (tensor<f32>) -> tensor<f32>
  %d = state.print %m {message = "j", first_n = -1 : i64, summarize = 3 : i64} : (tensor<f32>) -> !flow.token
  %jp = nd.less %j, %jn : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %jgo = flow.loop_cond %jp : (tensor<i1>) -> tensor<i1>
  %jf, %jt, %js = flow.switch %j, %jgo : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %kf, %kt, %ks = flow.switch %k, %jgo : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %twice = nd.add %jt, %jt : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %sum = nd.add %kt, %jt : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %j1 = flow.next_iteration %twice : (tensor<f32>) -> tensor<f32>
  %k1 = flow.next_iteration %sum : (tensor<f32>) -> tensor<f32>
  %left = flow.exit %kf : (tensor<f32>) -> tensor<f32>
  %i1 = flow.next_iteration %left : (tensor<f32>) -> tensor<f32>
  %y = flow.exit %if : (tensor<f32>) -> tensor<f32>
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// What waits for both is not computed.
// CHECK-LABEL: flow.graph @both
// CHECK: flow.while
// CHECK: state.print
// CHECK-NOT: flow.enter
// CHECK: flow.fetch
flow.graph @both {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %n = flow.feed {name = "n:0"} : () -> tensor<f32>
  %i0 = flow.enter %x {frame = "outer", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %on = flow.enter %n {frame = "outer", constant = true, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %i, %ii, %im = flow.merge %i0, %i1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %ip = nd.less %i, %on : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %igo = flow.loop_cond %ip : (tensor<i1>) -> tensor<i1>
  %if, %it, %is = flow.switch %i, %igo : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %j0 = flow.enter %it {frame = "inner", constant = false, parallel_iterations = 1 : i64} : (tensor<f32>) -> tensor<f32>
  %k0 = flow.enter %on {frame = "inner", constant = false, parallel_iterations = 1 : i64} : (tensor<f32>) -> tensor<f32>
  %jn = flow.enter %on {frame = "inner", constant = true, parallel_iterations = 1 : i64} : (tensor<f32>) -> tensor<f32>
  %j, %ji, %jm = flow.merge %j0, %j1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %k, %ki, %km = flow.merge %k0, %k1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %m = nd.add %k, %j : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %d = state.print %m {message = "j", first_n = -1 : i64, summarize = 3 : i64} : (tensor<f32>) -> !flow.token
  %jp = nd.less %j, %jn : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %jgo = flow.loop_cond %jp : (tensor<i1>) -> tensor<i1>
  %jf, %jt, %js = flow.switch %j, %jgo : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %kf, %kt, %ks = flow.switch %k, %jgo : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %twice = nd.add %jt, %jt : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %sum = nd.add %kt, %jt : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %j1 = flow.next_iteration %twice : (tensor<f32>) -> tensor<f32>
  %k1 = flow.next_iteration %sum : (tensor<f32>) -> tensor<f32>
  %left = flow.exit %kf : (tensor<f32>) -> tensor<f32>
  %i1 = flow.next_iteration %left : (tensor<f32>) -> tensor<f32>
  %y = flow.exit %if : (tensor<f32>) -> tensor<f32>
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// The outer loop has another value, which ends earlier; the loops beside it and in it do not suffer.
// CHECK-LABEL: flow.graph @irregular
// CHECK-DAG: flow.while{{.*}}frame = "inner"
// CHECK-DAG: flow.while{{.*}}frame = "beside"
// CHECK: flow.enter {{.*}}frame = "outer"
flow.graph @irregular {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %n = flow.feed {name = "n:0"} : () -> tensor<f32>
  %i0 = flow.enter %x {frame = "outer", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %on = flow.enter %n {frame = "outer", constant = true, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %i, %ii, %im = flow.merge %i0, %i1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %ip = nd.less %i, %on : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %igo = flow.loop_cond %ip : (tensor<i1>) -> tensor<i1>
  %if, %it, %is = flow.switch %i, %igo : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %j0 = flow.enter %it {frame = "inner", constant = false, parallel_iterations = 1 : i64} : (tensor<f32>) -> tensor<f32>
  %k0 = flow.enter %on {frame = "inner", constant = false, parallel_iterations = 1 : i64} : (tensor<f32>) -> tensor<f32>
  %jn = flow.enter %on {frame = "inner", constant = true, parallel_iterations = 1 : i64} : (tensor<f32>) -> tensor<f32>
  %j, %ji, %jm = flow.merge %j0, %j1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %k, %ki, %km = flow.merge %k0, %k1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %jp = nd.less %j, %jn : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %jgo = flow.loop_cond %jp : (tensor<i1>) -> tensor<i1>
  %jf, %jt, %js = flow.switch %j, %jgo : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %kf, %kt, %ks = flow.switch %k, %jgo : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %twice = nd.add %jt, %jt : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %sum = nd.add %kt, %jt : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %j1 = flow.next_iteration %twice : (tensor<f32>) -> tensor<f32>
  %k1 = flow.next_iteration %sum : (tensor<f32>) -> tensor<f32>
  %left = flow.exit %kf : (tensor<f32>) -> tensor<f32>
  %i1 = flow.next_iteration %left : (tensor<f32>) -> tensor<f32>
  %y = flow.exit %if : (tensor<f32>) -> tensor<f32>
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()

  %ti0 = flow.enter %x {frame = "beside", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %ten = nd.constant {value = dense<5.0> : tensor<f32>} : () -> tensor<f32>
  %one = nd.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %ti, %tii, %tim = flow.merge %ti0, %ti1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %tp = nd.less %ti, %ten : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %tgo = flow.loop_cond %tp : (tensor<i1>) -> tensor<i1>
  %tif, %tit, %tis = flow.switch %ti, %tgo : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %ti2 = nd.add %tit, %one : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %ti1 = flow.next_iteration %ti2 : (tensor<f32>) -> tensor<f32>
  %te = flow.exit %tif : (tensor<f32>) -> tensor<f32>
  flow.fetch %te {name = "t"} : (tensor<f32>) -> ()

  %v0 = flow.enter %x {frame = "outer", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32>
  %v, %vi, %vm = flow.merge %v0, %v1 : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %vf, %vt, %vs = flow.switch %v, %igo : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %r = nd.less %it, %vt : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %wf, %wt, %ws = flow.switch %vt, %r : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %v1 = flow.next_iteration %wt : (tensor<f32>) -> tensor<f32>
  %ve = flow.exit %vf : (tensor<f32>) -> tensor<f32>
  %minus = nd.constant {value = dense<-7.0> : tensor<f32>} : () -> tensor<f32>
  %z, %zi, %zm = flow.merge %ve, %minus : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.fetch %z {name = "z"} : (tensor<f32>) -> ()
}
