// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transposes, slices and splits are other looks at the same memory, which the loops behind them read;
// joins are copied to their place in the result.
// RUN: sluice-opt --allow-unregistered-dialect --codegen-emit-codelets --split-input-file %s | FileCheck %s

// CHECK-LABEL: func.func @{{.*}}_body
// CHECK:         %[[VIEW:.*]] = memref.transpose
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%[[VIEW]] :
// CHECK:           arith.negf
// CHECK-NOT:     linalg.generic
%x = "test.input"() : () -> tensor<20x30xf32>
%r = flow.codelet (%x) : (tensor<20x30xf32>) -> tensor<30x20xf32> {
^bb0(%a: tensor<20x30xf32>):
  %order = nd.constant {value = dense<[1, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
  %t = nd.transpose %a, %order {conjugate = false} : (tensor<20x30xf32>, tensor<2xi32>) -> tensor<30x20xf32>
  %n = nd.neg %t : (tensor<30x20xf32>) -> tensor<30x20xf32>
  flow.yield %n : (tensor<30x20xf32>) -> ()
}

// -----

// CHECK-LABEL: func.func @{{.*}}_body
// CHECK:         memref.reinterpret_cast {{.*}} offset: [0], sizes: [8, 100], strides: [200, 1]
// CHECK:         memref.reinterpret_cast {{.*}} offset: [100], sizes: [8, 100], strides: [200, 1]
// CHECK:         linalg.generic
// CHECK:           arith.mulf
// CHECK-NOT:     linalg.generic
%x = "test.input"() : () -> tensor<8x200xf32>
%r = flow.codelet (%x) : (tensor<8x200xf32>) -> tensor<8x100xf32> {
^bb0(%a: tensor<8x200xf32>):
  %axis = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %p, %q = nd.split %a, %axis : (tensor<8x200xf32>, tensor<i32>) -> (tensor<8x100xf32>, tensor<8x100xf32>)
  %m = nd.mul %p, %q : (tensor<8x100xf32>, tensor<8x100xf32>) -> tensor<8x100xf32>
  flow.yield %m : (tensor<8x100xf32>) -> ()
}

// -----

// CHECK-LABEL: func.func @{{.*}}_body
// CHECK:         memref.reinterpret_cast {{.*}} offset: [0], sizes: [8, 60], strides: [100, 1]
// CHECK:         linalg.generic
// CHECK:         memref.reinterpret_cast {{.*}} offset: [60], sizes: [8, 40], strides: [100, 1]
// CHECK:         linalg.generic
// CHECK-NOT:     linalg.generic
%x, %y = "test.inputs"() : () -> (tensor<8x60xf32>, tensor<8x40xf32>)
%r = flow.codelet (%x, %y) : (tensor<8x60xf32>, tensor<8x40xf32>) -> tensor<8x100xf32> {
^bb0(%a: tensor<8x60xf32>, %b: tensor<8x40xf32>):
  %axis = nd.constant {value = dense<-1> : tensor<i32>} : () -> tensor<i32>
  %c = nd.concat %a, %b, %axis : (tensor<8x60xf32>, tensor<8x40xf32>, tensor<i32>) -> tensor<8x100xf32>
  flow.yield %c : (tensor<8x100xf32>) -> ()
}
