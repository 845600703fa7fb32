// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What fails in a large loop fails as in a small one: before the loop, with the name of the op.
// RUN: sluicec %s -o %t
// RUN: not %t --input x=zeros --input y=zeros --workers 2 2>&1 | FileCheck %s

// CHECK: error: INVALID_ARGUMENT: node 'quotient': Integer division by zero
flow.graph @main {
  %x = flow.feed {name = "x:0"} : () -> tensor<3000x1000xi32>
  %y = flow.feed {name = "y:0"} : () -> tensor<1000xi32>
  %d = nd.mul %x, %y : (tensor<3000x1000xi32>, tensor<1000xi32>) -> tensor<3000x1000xi32>
  %q = nd.div %x, %d : (tensor<3000x1000xi32>, tensor<3000x1000xi32>) -> tensor<3000x1000xi32> loc("quotient")
  flow.fetch %q {name = "q:0"} : (tensor<3000x1000xi32>) -> ()
}
