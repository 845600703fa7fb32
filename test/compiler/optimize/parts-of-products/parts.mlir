// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product of which a part is asked for becomes the part.
// RUN: sluice-opt %s --split-input-file --optimize-parts-of-products | FileCheck %s

// Columns of a product are columns of its right operand, which are rows if it is transposed.
// CHECK-LABEL: flow.graph @columns
// CHECK-DAG: %[[X:.*]] = flow.feed  {name = "x"}
// CHECK-DAG: %[[W:.*]] = flow.feed  {name = "w"}
// CHECK-DAG: %[[BEGIN:.*]] = nd.constant {value = dense<[3, 0]>
// CHECK-DAG: %[[SIZE:.*]] = nd.constant {value = dense<[2, 6]>
// CHECK: %[[PART:.*]] = nd.slice %[[W]], %[[BEGIN]], %[[SIZE]] : {{.*}} -> tensor<2x6xf32>
// CHECK: %[[Y:.*]] = nd.matmul %[[X]], %[[PART]] {{.*}}transpose_rhs = true} : (tensor<4x6xf32>, tensor<2x6xf32>) -> tensor<4x2xf32>
// CHECK: flow.fetch %[[Y]]
flow.graph @columns {
  %x = flow.feed {name = "x"} : () -> tensor<4x6xf32>
  %w = flow.feed {name = "w"} : () -> tensor<5x6xf32>
  %y = nd.matmul %x, %w {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = true} : (tensor<4x6xf32>, tensor<5x6xf32>) -> tensor<4x5xf32>
  %begin = nd.constant {value = dense<[0, 3]> : tensor<2xi64>} : () -> tensor<2xi64>
  %size = nd.constant {value = dense<[4, 2]> : tensor<2xi64>} : () -> tensor<2xi64>
  %part = nd.slice %y, %begin, %size : (tensor<4x5xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<4x2xf32>
  flow.fetch %part {name = "y"} : (tensor<4x2xf32>) -> ()
}

// -----

// Both at once, and a size that reaches to the end.
// CHECK-LABEL: flow.graph @box
// CHECK: %[[ROWS:.*]] = nd.slice {{.*}} -> tensor<6x2xf32>
// CHECK: %[[COLUMNS:.*]] = nd.slice {{.*}} -> tensor<6x4xf32>
// CHECK: nd.matmul %[[ROWS]], %[[COLUMNS]] {{.*}} -> tensor<2x4xf32>
flow.graph @box {
  %x = flow.feed {name = "x"} : () -> tensor<6x4xf32>
  %w = flow.feed {name = "w"} : () -> tensor<6x5xf32>
  %y = nd.matmul %x, %w {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = true, transpose_rhs = false} : (tensor<6x4xf32>, tensor<6x5xf32>) -> tensor<4x5xf32>
  %begin = nd.constant {value = dense<[2, 1]> : tensor<2xi64>} : () -> tensor<2xi64>
  %size = nd.constant {value = dense<[-1, 4]> : tensor<2xi64>} : () -> tensor<2xi64>
  %part = nd.slice %y, %begin, %size : (tensor<4x5xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x4xf32>
  flow.fetch %part {name = "y"} : (tensor<2x4xf32>) -> ()
}

// -----

// Somebody needs the whole.
// CHECK-LABEL: flow.graph @two_users
// CHECK: nd.matmul {{.*}} -> tensor<4x5xf32>
// CHECK: nd.slice {{.*}} -> tensor<4x2xf32>
flow.graph @two_users {
  %x = flow.feed {name = "x"} : () -> tensor<4x6xf32>
  %w = flow.feed {name = "w"} : () -> tensor<6x5xf32>
  %y = nd.matmul %x, %w {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<4x6xf32>, tensor<6x5xf32>) -> tensor<4x5xf32>
  %begin = nd.constant {value = dense<[0, 3]> : tensor<2xi64>} : () -> tensor<2xi64>
  %size = nd.constant {value = dense<[4, 2]> : tensor<2xi64>} : () -> tensor<2xi64>
  %part = nd.slice %y, %begin, %size : (tensor<4x5xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<4x2xf32>
  flow.fetch %part {name = "y"} : (tensor<4x2xf32>) -> ()
  flow.fetch %y {name = "z"} : (tensor<4x5xf32>) -> ()
}

// -----

// A place that is not known, and sizes that are not.
// CHECK-LABEL: flow.graph @unknown
// CHECK: nd.matmul {{.*}} -> tensor<4x5xf32>
// CHECK: nd.matmul {{.*}} -> tensor<?x5xf32>
flow.graph @unknown {
  %x = flow.feed {name = "x"} : () -> tensor<4x6xf32>
  %u = flow.feed {name = "u"} : () -> tensor<?x6xf32>
  %w = flow.feed {name = "w"} : () -> tensor<6x5xf32>
  %begin = flow.feed {name = "begin"} : () -> tensor<2xi64>
  %size = nd.constant {value = dense<[4, 2]> : tensor<2xi64>} : () -> tensor<2xi64>
  %y = nd.matmul %x, %w {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<4x6xf32>, tensor<6x5xf32>) -> tensor<4x5xf32>
  %part = nd.slice %y, %begin, %size : (tensor<4x5xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<4x2xf32>
  flow.fetch %part {name = "y"} : (tensor<4x2xf32>) -> ()
  %z = nd.matmul %u, %w {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<?x6xf32>, tensor<6x5xf32>) -> tensor<?x5xf32>
  %first = nd.constant {value = dense<[0, 3]> : tensor<2xi64>} : () -> tensor<2xi64>
  %other = nd.slice %z, %first, %size : (tensor<?x5xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<4x2xf32>
  flow.fetch %other {name = "z"} : (tensor<4x2xf32>) -> ()
}
