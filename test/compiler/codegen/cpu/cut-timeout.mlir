// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A codelet without loops of its own notices soon that its call is over: boxes that have not begun are
// left out. So the process lives on, and answers the next request; with one thread and with several.
// RUN: sluicec %s -o %t
// RUN: printf '{"inputs":{"x":{"dtype":"float32","shape":[],"b64":"AAAAPw=="}}}\n{"inputs":{"x":{"dtype":"float32","shape":[],"b64":"AACAPg=="}}}\n' > %t.calls
// RUN: not %t --calls %t.calls --timeout 0.2 --workers 0 2>&1 | FileCheck %s
// RUN: not %t --calls %t.calls --timeout 0.2 --workers 2 2>&1 | FileCheck %s

// CHECK: "error":{{.*}}"DEADLINE_EXCEEDED"
// CHECK: "error":{{.*}}"DEADLINE_EXCEEDED"
// CHECK: 2 of 2 calls failed
flow.graph @main {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %zero = nd.constant {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %one = nd.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %end = nd.constant {value = dense<4096.0> : tensor<f32>} : () -> tensor<f32>
  %dims = nd.constant {value = dense<[4096, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %both = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %range = nd.range %zero, %end, %one : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4096xf32>
  %row = nd.mul %range, %x : (tensor<4096xf32>, tensor<f32>) -> tensor<4096xf32>
  %column = nd.reshape %row, %dims : (tensor<4096xf32>, tensor<2xi32>) -> tensor<4096x1xf32>
  %y0 = nd.add %row, %column : (tensor<4096xf32>, tensor<4096x1xf32>) -> tensor<4096x4096xf32>
  %y1 = nd.sin %y0 : (tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %y2 = nd.sin %y1 : (tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %y3 = nd.sin %y2 : (tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %y4 = nd.sin %y3 : (tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %y5 = nd.sin %y4 : (tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %y6 = nd.sin %y5 : (tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %y7 = nd.sin %y6 : (tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %y8 = nd.sin %y7 : (tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %y9 = nd.sin %y8 : (tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %y10 = nd.sin %y9 : (tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %y11 = nd.sin %y10 : (tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %y12 = nd.sin %y11 : (tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %y13 = nd.sin %y12 : (tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %y14 = nd.sin %y13 : (tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %y15 = nd.sin %y14 : (tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %y16 = nd.sin %y15 : (tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %y17 = nd.sin %y16 : (tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %y18 = nd.sin %y17 : (tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %y19 = nd.sin %y18 : (tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %y20 = nd.sin %y19 : (tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %y21 = nd.sin %y20 : (tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %y22 = nd.sin %y21 : (tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %y23 = nd.sin %y22 : (tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %y24 = nd.sin %y23 : (tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %y25 = nd.sin %y24 : (tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %y26 = nd.sin %y25 : (tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %y27 = nd.sin %y26 : (tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %y28 = nd.sin %y27 : (tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %y29 = nd.sin %y28 : (tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %y30 = nd.sin %y29 : (tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %sum = nd.reduce_sum %y30, %both {keep_dims = false} : (tensor<4096x4096xf32>, tensor<2xi32>) -> tensor<f32>
  flow.fetch %sum {name = "sum:0"} : (tensor<f32>) -> ()
}
