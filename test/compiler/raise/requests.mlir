// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What primitives ask of the place phase stays with the branch or loop, and comes back with them.
// RUN: sluice-opt --split-input-file --raise-control-flow %s | FileCheck %s
// RUN: sluice-opt --split-input-file --raise-control-flow %s | sluice-opt --split-input-file --lower-control-flow | FileCheck %s --check-prefix=BACK --implicit-check-not=wire.steering

// CHECK-LABEL: flow.graph @loop
// CHECK: flow.while{{.*}} {frame = "loop", parallel_iterations = 10 : i64, wire.steering = {
// CHECK-SAME: backs = [{wire.requested = "/task:3"}]
// CHECK-SAME: enters = [{wire.requested = "/task:1"}]
// CHECK-SAME: exits = [{wire.requested = "/task:7"}]
// CHECK-SAME: headers = [{wire.colocate = "i", wire.requested = "/task:2"}]
// CHECK-SAME: invariants = [{wire.requested = "/task:4"}]
// CHECK-SAME: pivot = [{wire.requested = "/task:5"}]
// CHECK-SAME: switches = [{wire.colocate = "i", wire.requested = "/task:6"}]
// BACK-LABEL: flow.graph @loop
// BACK-DAG: flow.enter {{.*}}constant = true, {{.*}}wire.requested = "/task:4"
// BACK-DAG: flow.enter {{.*}}constant = false, {{.*}}wire.requested = "/task:1"
// BACK-DAG: flow.merge {{.*}}{wire.colocate = "i", wire.requested = "/task:2"}
// BACK-DAG: nd.less {{.*}}{wire.requested = "/task:9"}
// BACK-DAG: flow.loop_cond {{.*}}{wire.requested = "/task:5"}
// BACK-DAG: flow.switch {{.*}}{wire.colocate = "i", wire.requested = "/task:6"}
// BACK-DAG: nd.add {{.*}}{wire.requested = "/task:8"}
// BACK-DAG: flow.next_iteration {{.*}}{wire.requested = "/task:3"}
// BACK-DAG: flow.exit {{.*}}{wire.requested = "/task:7"}
flow.graph @loop {
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %first = flow.enter %zero {frame = "loop", constant = false, parallel_iterations = 10 : i64, wire.requested = "/task:1"} : (tensor<i32>) -> tensor<i32>
  %limit = flow.enter %n {frame = "loop", constant = true, parallel_iterations = 10 : i64, wire.requested = "/task:4"} : (tensor<i32>) -> tensor<i32>
  %i, %x, %m = flow.merge %first, %again {wire.requested = "/task:2", wire.colocate = "i"} : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %p = nd.less %i, %limit {wire.requested = "/task:9"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %go = flow.loop_cond %p {wire.requested = "/task:5"} : (tensor<i1>) -> tensor<i1>
  %leave, %stay, %s = flow.switch %i, %go {wire.requested = "/task:6", wire.colocate = "i"} : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %next = nd.add %stay, %one {wire.requested = "/task:8"} : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %again = flow.next_iteration %next {wire.requested = "/task:3"} : (tensor<i32>) -> tensor<i32>
  %last = flow.exit %leave {wire.requested = "/task:7"} : (tensor<i32>) -> tensor<i32>
  flow.fetch %last {name = "last"} : (tensor<i32>) -> ()
}

// -----

// Each variable has its own; a value that two switches bring to two devices is forwarded twice.
// CHECK-LABEL: flow.graph @variables
// CHECK: enters = [{}, {wire.requested = "/task:1"}]
// CHECK-SAME: headers = [{}, {wire.requested = "/task:1"}]
// CHECK-SAME: switches = [{}, {wire.requested = "/task:1"}, {wire.requested = "/task:2"}]
// BACK-LABEL: flow.graph @variables
// BACK: %[[X:.*]], %{{.*}}, %{{.*}} = flow.merge {{.*}}{wire.requested = "/task:1"}
// BACK-DAG: flow.switch %[[X]], {{.*}}{wire.requested = "/task:1"}
// BACK-DAG: flow.switch %[[X]], {{.*}}{wire.requested = "/task:2"}
flow.graph @variables {
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %y = flow.feed {name = "y"} : () -> tensor<f32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %limit = flow.enter %n {frame = "loop", constant = true, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
  %ifirst = flow.enter %zero {frame = "loop", constant = false, parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32>
  %xfirst = flow.enter %y {frame = "loop", constant = false, parallel_iterations = 10 : i64, wire.requested = "/task:1"} : (tensor<f32>) -> tensor<f32>
  %i, %iindex, %im = flow.merge %ifirst, %iagain : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %x, %xindex, %xm = flow.merge %xfirst, %xagain {wire.requested = "/task:1"} : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %go = flow.loop_cond %p : (tensor<i1>) -> tensor<i1>
  %ileave, %istay, %is = flow.switch %i, %go : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
  %xleave, %xstay, %xs = flow.switch %x, %go {wire.requested = "/task:1"} : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %tleave, %there, %ts = flow.switch %x, %go {wire.requested = "/task:2"} : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %inext = nd.add %istay, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %xnext = nd.add %xstay, %there : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %iagain = flow.next_iteration %inext : (tensor<i32>) -> tensor<i32>
  %xagain = flow.next_iteration %xnext : (tensor<f32>) -> tensor<f32>
  %last = flow.exit %xleave : (tensor<f32>) -> tensor<f32>
  flow.fetch %last {name = "last"} : (tensor<f32>) -> ()
}

// -----

// CHECK-LABEL: flow.graph @branch
// CHECK: flow.cond {{.*}} {wire.steering = {merges = [{wire.requested = "/task:3"}],
// CHECK-SAME: on_false = [{wire.requested = "/task:2"}], on_true = [{wire.colocate = "x", wire.requested = "/task:1"}]}}
// BACK-LABEL: flow.graph @branch
// BACK-DAG: %{{.*}}, %[[T:.*]], %{{.*}} = flow.switch {{.*}}{wire.colocate = "x", wire.requested = "/task:1"}
// BACK-DAG: %[[F:.*]], %{{.*}}, %{{.*}} = flow.switch {{.*}}{wire.requested = "/task:2"}
// BACK-DAG: nd.neg %[[T]]
// BACK-DAG: nd.abs %[[F]]
// BACK-DAG: flow.merge {{.*}}{wire.requested = "/task:3"}
flow.graph @branch {
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %f0, %t0, %s0 = flow.switch %x, %p {wire.requested = "/task:1", wire.colocate = "x"} : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %f1, %t1, %s1 = flow.switch %x, %p {wire.requested = "/task:2"} : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %a = nd.neg %t0 : (tensor<f32>) -> tensor<f32>
  %b = nd.abs %f1 : (tensor<f32>) -> tensor<f32>
  %y, %index, %m = flow.merge %b, %a {wire.requested = "/task:3"} : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.fetch %y {name = "y"} : (tensor<f32>) -> ()
}

// -----

// Who asks for nothing leaves nothing behind.
// CHECK-LABEL: flow.graph @nobody
// CHECK: flow.cond
// CHECK-NOT: wire.
// CHECK: flow.fetch
// BACK-LABEL: flow.graph @nobody
flow.graph @nobody {
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %f, %t, %s = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %a = nd.neg %t : (tensor<f32>) -> tensor<f32>
  %y, %index, %m = flow.merge %f, %a : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.fetch %y {name = "y"} : (tensor<f32>) -> ()
}
