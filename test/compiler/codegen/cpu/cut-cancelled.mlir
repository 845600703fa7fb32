// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A codelet that may have left out boxes says that it was cancelled, whatever it would say else.
// RUN: sluice-opt --allow-unregistered-dialect --codegen-emit-codelets --split-input-file %s \
// RUN:   | sluice-opt --codegen-cut-generics --canonicalize --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @{{.*}}_body
// CHECK-DAG:     %[[CANCELLED:.*]] = arith.constant -4 : i32
// CHECK-DAG:     %[[BAIL:.*]] = arith.constant -1 : i32
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK:         llvm.call @sluice_run_boxes
// CHECK:         %[[AT:.*]] = llvm.getelementptr inbounds %arg0[0, 8]
// CHECK:         %[[WORD:.*]] = llvm.load %[[AT]] : !llvm.ptr -> !llvm.ptr
// CHECK:         %[[NOW:.*]] = llvm.load %[[WORD]] atomic monotonic
// CHECK:         %[[IS:.*]] = arith.cmpi ne, %[[NOW]], %[[ZERO]]
// CHECK:         %[[STATUS:.*]] = arith.select %[[IS]], %[[CANCELLED]], %[[ZERO]]
// CHECK:         return %[[STATUS]]
// CHECK:         arith.select %{{.*}}, %[[CANCELLED]], %[[BAIL]]
%x, %d = "test.inputs"() : () -> (tensor<3000x1000xi32>, tensor<3000x1000xi32>)
%r = flow.codelet (%x, %d) : (tensor<3000x1000xi32>, tensor<3000x1000xi32>) -> tensor<3000x1000xi32> {
^bb0(%a: tensor<3000x1000xi32>, %b: tensor<3000x1000xi32>):
  %q = nd.div %a, %b : (tensor<3000x1000xi32>, tensor<3000x1000xi32>) -> tensor<3000x1000xi32>
  flow.yield %q : (tensor<3000x1000xi32>) -> ()
}

// -----

// Of what is small there is nothing to say.
// CHECK-LABEL: func.func @{{.*}}_body
// CHECK-NOT:     arith.constant -4
// CHECK:         return
%x = "test.input"() : () -> tensor<1000xf32>
%r = flow.codelet (%x) : (tensor<1000xf32>) -> tensor<1000xf32> {
^bb0(%a: tensor<1000xf32>):
  %n = nd.neg %a : (tensor<1000xf32>) -> tensor<1000xf32>
  flow.yield %n : (tensor<1000xf32>) -> ()
}
