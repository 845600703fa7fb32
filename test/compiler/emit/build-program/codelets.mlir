// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A compiled codelet becomes a node, and a row with its ops as kernels.
// RUN: sluice-opt --emit-build-program %s | FileCheck %s

// CHECK-LABEL: exe.signature @straight_line
// CHECK: %[[X:.*]] = exe.node feed "x:0"
// CHECK: exe.codelet @codelet_0 : (tensor<?xf32>, tensor<f32>) -> (tensor<?xf32>, tensor<i32>) attributes {code = "sluice_codelet_5f1c", float_ops = 2 : i64} {
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<?xf32>, %[[B:.*]]: tensor<f32>):
// CHECK-NEXT: %[[HALF:.*]] = exe.constant {value = dense<5.000000e-01> : tensor<f32>}
// CHECK-NEXT: %[[M:.*]] = exe.member "layer/mul"(%[[A]], %[[HALF]]) {kernel = "sluice_kernel_nd_mul_f32", kernel_arguments = []} : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
// CHECK-NEXT: %[[T:.*]] = exe.member "layer/add"(%[[M]], %[[B]]) {kernel = "sluice_kernel_nd_add_f32"
// CHECK-NEXT: %[[S:.*]] = exe.member "layer/size"(%[[A]]) {kernel = "sluice_kernel_nd_size
// CHECK-NEXT: exe.yield %[[T]], %[[S]] : tensor<?xf32>, tensor<i32>
// CHECK: %[[Y:.*]]:2 = exe.node codelet "layer/add" in 0(%[[X]], %{{.*}}) {codelet = @codelet_0} : (tensor<?xf32>, tensor<f32>) -> (tensor<?xf32>, tensor<i32>)
// CHECK: exe.node fetch "y:0" in 0(%[[Y]]#0)
flow.graph @straight_line {
  %x = flow.feed {name = "x:0"} : () -> tensor<?xf32>
  %b = flow.feed {name = "b:0"} : () -> tensor<f32>
  %y, %s = flow.codelet (%x, %b) {codegen.symbol = "sluice_codelet_5f1c"} : (tensor<?xf32>, tensor<f32>) -> (tensor<?xf32>, tensor<i32>) {
  ^bb0(%a: tensor<?xf32>, %c: tensor<f32>):
    %half = nd.constant {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
    %m = nd.mul %a, %half : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32> loc("layer/mul")
    %t = nd.add %m, %c : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32> loc("layer/add")
    %n = nd.size %a {out_type = i32} : (tensor<?xf32>) -> tensor<i32> loc("layer/size")
    flow.yield %t, %n : (tensor<?xf32>, tensor<i32>) -> ()
  } loc("layer/add")
  flow.fetch %y {name = "y:0"} : (tensor<?xf32>) -> ()
}

// Where all shapes are known, the row says how much there is to do.
// CHECK-LABEL: exe.signature @static
// CHECK: exe.codelet {{.*}}work = 266240 : i64
flow.graph @static {
  %x = flow.feed {name = "x:0"} : () -> tensor<64x32xf32>
  %w = flow.feed {name = "w:0"} : () -> tensor<32x64xf32>
  %y = flow.codelet (%x, %w) {codegen.symbol = "sluice_codelet_11d0"} : (tensor<64x32xf32>, tensor<32x64xf32>) -> tensor<64x64xf32> {
  ^bb0(%a: tensor<64x32xf32>, %b: tensor<32x64xf32>):
    %m = nd.matmul %a, %b {transpose_lhs = false, transpose_rhs = false, adjoint_lhs = false, adjoint_rhs = false} : (tensor<64x32xf32>, tensor<32x64xf32>) -> tensor<64x64xf32>
    %r = nd.neg %m : (tensor<64x64xf32>) -> tensor<64x64xf32>
    flow.yield %r : (tensor<64x64xf32>) -> ()
  }
  flow.fetch %y {name = "y:0"} : (tensor<64x64xf32>) -> ()
}

// What was not compiled runs as kernels.
// CHECK-LABEL: exe.signature @no_code
// CHECK: exe.codelet @codelet_0 : (tensor<f32>) -> tensor<f32> attributes {float_ops = 1 : i64, work = 1 : i64} {
// CHECK: exe.member
flow.graph @no_code {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %y = flow.codelet (%x) : (tensor<f32>) -> tensor<f32> {
  ^bb0(%a: tensor<f32>):
    %n = nd.neg %a : (tensor<f32>) -> tensor<f32>
    flow.yield %n : (tensor<f32>) -> ()
  }
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// Of a card's codelet also its stream.
// CHECK-LABEL: exe.signature @on_card
// CHECK: exe.codelet @codelet_0 : {{.*}}stream = 2 : i64
flow.graph @on_card {
  %x = flow.feed {name = "x:0"} : () -> tensor<64xf32>
  %on = wire.copy %x : (tensor<64xf32>) -> tensor<64xf32, #wire.memory<0>>
  %y = flow.codelet (%on) {codegen.symbol = "sluice_codelet_c0de", codegen.stream = 2 : i64} : (tensor<64xf32, #wire.memory<0>>) -> tensor<64xf32, #wire.memory<0>> {
  ^bb0(%a: tensor<64xf32, #wire.memory<0>>):
    %n = nd.neg %a : (tensor<64xf32, #wire.memory<0>>) -> tensor<64xf32, #wire.memory<0>>
    flow.yield %n : (tensor<64xf32, #wire.memory<0>>) -> ()
  }
  %back = wire.copy %y : (tensor<64xf32, #wire.memory<0>>) -> tensor<64xf32>
  flow.fetch %back {name = "y:0"} : (tensor<64xf32>) -> ()
}

// With a loop inside, the ops cannot run one by one: the row says what the code's errors mean, in the
// order of all ops from outside to inside. The loop's ops count their firings themselves.
// CHECK-LABEL: exe.signature @loop
// CHECK: exe.codelet @codelet_0 : (tensor<i32>, tensor<f32>) -> tensor<f32>
// CHECK-SAME: code = "sluice_codelet_77aa"
// CHECK-SAME: error_members = ["neg", "loop", "loop/less", "", "loop/add", "loop/mul", "", ""]
// CHECK-SAME: error_reasons = ["Integer division by zero"
// CHECK-SAME: float_ops = 1 : i64} {
// CHECK-NEXT: }
// CHECK: exe.node codelet "loop" in 0
flow.graph @loop {
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %y = flow.codelet (%n, %x) {codegen.symbol = "sluice_codelet_77aa"} : (tensor<i32>, tensor<f32>) -> tensor<f32> {
  ^bb0(%limit: tensor<i32>, %first: tensor<f32>):
    %start = nd.neg %first : (tensor<f32>) -> tensor<f32> loc("neg")
    %i, %last = flow.while (%limit, %start) (%limit) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<f32>, tensor<i32>) -> (tensor<i32>, tensor<f32>) before {
    ^bb0(%k: tensor<i32>, %v: tensor<f32>, %l: tensor<i32>):
      %p = nd.less %k, %l : (tensor<i32>, tensor<i32>) -> tensor<i1> loc("loop/less")
      flow.condition %p (%k, %v) : (tensor<i1>, tensor<i32>, tensor<f32>) -> ()
    } body {
    ^bb0(%k: tensor<i32>, %v: tensor<f32>, %l: tensor<i32>):
      %next = nd.add %k, %l : (tensor<i32>, tensor<i32>) -> tensor<i32> loc("loop/add")
      %w = nd.mul %v, %v : (tensor<f32>, tensor<f32>) -> tensor<f32> loc("loop/mul")
      flow.yield %next, %w : (tensor<i32>, tensor<f32>) -> ()
    } loc("loop")
    flow.yield %last : (tensor<f32>) -> ()
  } loc("loop")
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}
