// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of dims belongs to a codelet's text: code that trusts them is not code for another codelet.
// RUN: sluice-opt --allow-unregistered-dialect --codegen-emit-codelets %s | FileCheck %s

// CHECK-COUNT-2: func.func @{{.*}}_body
// CHECK-NOT: func.func @{{.*}}_body
%x0, %x1 = "test.inputs"() : () -> (tensor<?x4xf32>, tensor<?x4xf32>)
%r = flow.codelet (%x0, %x1) {codegen.same_dims = array<i64: 0, 0, 0, 1, 0, 0>} : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32> {
^bb0(%a0: tensor<?x4xf32>, %a1: tensor<?x4xf32>):
  %s = nd.add %a0, %a1 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  flow.yield %s : (tensor<?x4xf32>) -> ()
}
%q = flow.codelet (%x0, %x1) : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32> {
^bb0(%a0: tensor<?x4xf32>, %a1: tensor<?x4xf32>):
  %s = nd.add %a0, %a1 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  flow.yield %s : (tensor<?x4xf32>) -> ()
}
"test.use"(%r, %q) : (tensor<?x4xf32>, tensor<?x4xf32>) -> ()
