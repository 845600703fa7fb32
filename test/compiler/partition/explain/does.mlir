// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of what is sent. Bytes are known as far as types say.
// RUN: sluice-opt %s --split-input-file --partition-split-by-device --partition-explain -o /dev/null | FileCheck %s --strict-whitespace --match-full-lines

//      CHECK:signature 'g'
// CHECK-NEXT:  in each                         from  to  messages   bytes  predicates
// CHECK-NEXT:  call                               0   1         2  4000+?           0
// CHECK-NEXT:  call                               1   0         1       4           0
// CHECK-NEXT:  iteration of 'a/outer'             0   1         2       1           1
// CHECK-NEXT:  iteration of 'a/outer > inner'     0   1         2       5           1
// CHECK-NEXT:  iteration of 'a/outer > inner'     1   0         1       ?           0
// CHECK-NEXT:  loop 'a/outer' on 0, 1, decided on 0
// CHECK-NEXT:  loop 'a/outer > inner' on 0, 1, decided on 0
// CHECK-NEXT:  loop 'alone' on 1
//      CHECK:8 edges, 5 of them in loops, 3 in nested loops
//  CHECK-NOT:{{.+}}
module attributes {wire.devices = [{name = "a", address = ""}, {name = "b", address = ""}]} {
  flow.graph @g {
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
    %x = flow.feed {name = "x", wire.device = 0 : i64} : () -> tensor<1000xf32>
    %y = flow.feed {name = "y", wire.device = 0 : i64} : () -> tensor<?xf32>
    %sum = nd.add %x, %x {wire.device = 1 : i64} : (tensor<1000xf32>, tensor<1000xf32>) -> tensor<1000xf32>
    %many = nd.add %y, %y {wire.device = 1 : i64} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %in = flow.enter %one {frame = "alone", constant = false, parallel_iterations = 10 : i64, wire.device = 1 : i64} : (tensor<i32>) -> tensor<i32>
    %out = flow.exit %in {wire.device = 1 : i64} : (tensor<i32>) -> tensor<i32>
    flow.fetch %out {name = "out", wire.device = 0 : i64} : (tensor<i32>) -> ()
    %ofirst = flow.enter %zero {frame = "a/outer", constant = false, parallel_iterations = 10 : i64, wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    %o, %oindex, %omerged = flow.merge %ofirst, %oagain {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %oless = nd.less %o, %two {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %ogo = flow.loop_cond %oless {wire.device = 0 : i64} : (tensor<i1>) -> tensor<i1>
    %oleave, %ostay, %oswitched = flow.switch %o, %ogo {wire.device = 0 : i64} : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %said = state.print %one {message = "round", first_n = -1 : i64, summarize = 3 : i64, wire.device = 1 : i64} : (tensor<i32>) -> !flow.token
    %each = flow.gate %one, %oswitched {wire.device = 1 : i64} : (tensor<i32>, !flow.token) -> tensor<i32>
    %first = flow.enter %ostay {frame = "inner", constant = false, parallel_iterations = 10 : i64, wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    %i, %index, %merged = flow.merge %first, %again {wire.device = 0 : i64} : (tensor<i32>, tensor<*xi32>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %less = nd.less %i, %two {wire.device = 0 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = flow.loop_cond %less {wire.device = 0 : i64} : (tensor<i1>) -> tensor<i1>
    %leave, %stay, %switched = flow.switch %i, %go {wire.device = 0 : i64} : (tensor<i32>, tensor<i1>) -> (tensor<i32>, tensor<i32>, !flow.token)
    %next = nd.add %stay, %one {wire.device = 1 : i64} : (tensor<i32>, tensor<i32>) -> tensor<*xi32>
    %again = flow.next_iteration %next {wire.device = 0 : i64} : (tensor<*xi32>) -> tensor<*xi32>
    %left = flow.exit %leave {wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
    %oagain = flow.next_iteration %left {wire.device = 0 : i64} : (tensor<i32>) -> tensor<i32>
  }
}
// -----
//      CHECK:signature 'one'
// CHECK-NEXT:  in each  from  to  messages  bytes  predicates
// CHECK-NEXT:  call        0   1         1      0           0
//      CHECK:signature 'two'
// CHECK-NEXT:  nothing is sent
//      CHECK:1 edges, 0 of them in loops, 0 in nested loops
//  CHECK-NOT:{{.+}}
module attributes {wire.devices = [{name = "a", address = ""}, {name = "b", address = ""}]} {
  flow.graph @one {
    %x = flow.feed {name = "x", wire.device = 0 : i64} : () -> tensor<*x!nd.string>
    %t = flow.after %x {wire.device = 0 : i64} : (tensor<*x!nd.string>) -> !flow.token
    flow.target %t {name = "t", wire.device = 1 : i64} : (!flow.token) -> ()
  }
  flow.graph @two {
  }
}
// -----
// Nothing to say.
flow.graph @whole {
}
