// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Temporary memory is used again after the last look at a value: three values of 4000 bytes that
// follow each other take two slots of 4032.
// RUN: sluice-opt --allow-unregistered-dialect --codegen-emit-codelets %s | FileCheck %s

// CHECK: func.func @{{.*}}_body
// CHECK-SAME: codegen.arena_bytes = 8064
%x = "test.input"() : () -> tensor<10x100xf32>
%r = flow.codelet (%x) : (tensor<10x100xf32>) -> tensor<10x100xf32> {
^bb0(%a: tensor<10x100xf32>):
  %axes = nd.constant {value = dense<[1]> : tensor<1xi32>} : () -> tensor<1xi32>
  %p = nd.reverse %a, %axes : (tensor<10x100xf32>, tensor<1xi32>) -> tensor<10x100xf32>
  %q = nd.neg %p : (tensor<10x100xf32>) -> tensor<10x100xf32>
  %s = nd.reverse %q, %axes : (tensor<10x100xf32>, tensor<1xi32>) -> tensor<10x100xf32>
  %t = nd.abs %s : (tensor<10x100xf32>) -> tensor<10x100xf32>
  flow.yield %t : (tensor<10x100xf32>) -> ()
}
