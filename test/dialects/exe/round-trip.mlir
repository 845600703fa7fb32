// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every exe op as its record shows it: text, printed text and bytecode say the same.
// RUN: sluice-opt %s --allow-unregistered-dialect > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: sluice-opt %t.mlir --allow-unregistered-dialect | diff %t.mlir -
// RUN: sluice-opt %s --allow-unregistered-dialect --emit-bytecode | sluice-opt --allow-unregistered-dialect | diff %t.mlir -

// CHECK: exe.resource @w {key = "w", kind = "variable", type = tensor<2x3xf32>}
exe.resource @w {kind = "variable", key = "w", type = tensor<2x3xf32>}

// CHECK: exe.signature @m1 {
// CHECK-NEXT: exe.frame {id = 0 : i64, name = "", parent = 0 : i64, window = 1 : i64}
// CHECK-NEXT: exe.node feed "x:0" in 0() : () -> tensor<f32>
// CHECK-NEXT: exe.node fetch "x:0" in 0(%{{.*}}) : (tensor<f32>) -> ()
// CHECK-NEXT: }
exe.signature @m1 {
  exe.frame {parent = 0 : i64, name = "", window = 1 : i64, id = 0 : i64}
  %x = exe.node feed "x:0" in 0 () : () -> tensor<f32>
  exe.node fetch "x:0" in 0 (%x) : (tensor<f32>) -> ()
}

// CHECK: exe.frame {id = 0 : i64, name = "", parent = 0 : i64, window = 1 : i64}
// CHECK-NEXT: exe.frame {id = 1 : i64, name = "loop", parent = 0 : i64, window = 10 : i64}
// CHECK-NEXT: }
exe.signature @m2 {
  exe.frame {parent = 0 : i64, name = "", window = 1 : i64, id = 0 : i64}
  exe.frame {parent = 0 : i64, name = "loop", window = 10 : i64, id = 1 : i64}
}

// CHECK: exe.constant {value = dense<1> : tensor<i32>} : tensor<i32>
%c = exe.constant {value = dense<1> : tensor<i32>} : tensor<i32>

%v:4 = "test.value"() : () -> (tensor<f32>, tensor<f32>, !flow.token, !flow.token)
// CHECK: exe.node kernel "add" in 1(%{{.*}}, %{{.*}}) control(%{{.*}}) order(%{{.*}}) {kernel = "sluice_kernel_nd_add_f32", kernel_arguments = []} : (tensor<f32>, tensor<f32>, !flow.token, !flow.token) -> tensor<f32>
%z2 = exe.node kernel "add" in 1 (%v#0, %v#1) control(%v#2) order(%v#3) {kernel = "sluice_kernel_nd_add_f32", kernel_arguments = []} : (tensor<f32>, tensor<f32>, !flow.token, !flow.token) -> tensor<f32>

// CHECK: exe.codelet @codelet_0 : (tensor<16xf32>) -> tensor<16xf32> attributes {code = "sluice_codelet_5f1c", float_ops = 2 : i64} {
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<16xf32>):
// CHECK-NEXT: %[[M:.*]] = exe.member "layer/mul"(%[[A]], %[[A]]) {kernel = "sluice_kernel_nd_mul_f32", kernel_arguments = []} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
// CHECK-NEXT: %[[T:.*]] = exe.member "layer/tanh"(%[[M]])
// CHECK-NEXT: exe.yield %[[T]] : tensor<16xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[X:.*]] = exe.node feed
// CHECK-NEXT: exe.node codelet "layer/tanh" in 0(%[[X]]) {codelet = @codelet_0} : (tensor<16xf32>) -> tensor<16xf32>
exe.signature @m3 {
  exe.frame {parent = 0 : i64, name = "", window = 1 : i64, id = 0 : i64}
  exe.codelet @codelet_0 : (tensor<16xf32>) -> tensor<16xf32> attributes {code = "sluice_codelet_5f1c", float_ops = 2 : i64} {
  ^bb0(%a: tensor<16xf32>):
    %m = exe.member "layer/mul" (%a, %a) {kernel = "sluice_kernel_nd_mul_f32", kernel_arguments = []} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %t = exe.member "layer/tanh" (%m) {kernel = "sluice_kernel_nd_tanh_f32", kernel_arguments = []} : (tensor<16xf32>) -> tensor<16xf32>
    exe.yield %t : tensor<16xf32>
  }
  %x = exe.node feed "x:0" in 0 () : () -> tensor<16xf32>
  %y = exe.node codelet "layer/tanh" in 0 (%x) {codelet = @codelet_0} : (tensor<16xf32>) -> tensor<16xf32>
}

// CHECK: exe.codelet @codelet_0 : (tensor<f32>) -> tensor<f32> attributes {code = "sluice_codelet_5f1c", float_ops = 1 : i64} {
// CHECK: exe.member "neg"
exe.signature @m4 {
  exe.frame {parent = 0 : i64, name = "", window = 1 : i64, id = 0 : i64}
  exe.codelet @codelet_0 : (tensor<f32>) -> tensor<f32> attributes {code = "sluice_codelet_5f1c", float_ops = 1 : i64} {
  ^bb0(%a: tensor<f32>):
    %n = exe.member "neg" (%a) {kernel = "sluice_kernel_nd_neg_f32", kernel_arguments = []} : (tensor<f32>) -> tensor<f32>
    exe.yield %n : tensor<f32>
  }
}

// A codelet with loops has no members but a table of errors.
// CHECK: exe.codelet @codelet_0 : (tensor<f32>) -> tensor<f32> attributes {code = "sluice_codelet_77aa", error_members = ["loop/div"], error_reasons = ["Integer division by zero"], float_ops = 0 : i64} {
// CHECK-NEXT: }
exe.signature @m5 {
  exe.frame {parent = 0 : i64, name = "", window = 1 : i64, id = 0 : i64}
  exe.codelet @codelet_0 : (tensor<f32>) -> tensor<f32> attributes {code = "sluice_codelet_77aa", float_ops = 0 : i64, error_members = ["loop/div"], error_reasons = ["Integer division by zero"]} {
  }
}
