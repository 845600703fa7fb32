// An op whose result has as many elements as its operands' values say is computed where those are
// known: here the axes over which the gradient of a broadcast operand is summed.
// RUN: sluice-opt --optimize-infer-shapes %s | FileCheck %s

// CHECK-LABEL: flow.graph @known
// CHECK: nd.broadcast_gradient_args {{.*}} -> (tensor<0xi32>, tensor<1xi32>)
// CHECK: nd.reduce_sum {{.*}} -> tensor<2x3xf32>
// CHECK: nd.reduce_sum {{.*}} -> tensor<3xf32>
flow.graph @known {
  %x = flow.feed {name = "x:0"} : () -> tensor<2x3xf32>
  %y = flow.feed {name = "y:0"} : () -> tensor<3xf32>
  %xs = nd.shape %x : (tensor<2x3xf32>) -> tensor<*xi32>
  %ys = nd.shape %y : (tensor<3xf32>) -> tensor<*xi32>
  %xa, %ya = nd.broadcast_gradient_args %xs, %ys : (tensor<*xi32>, tensor<*xi32>) -> (tensor<*xi32>, tensor<*xi32>)
  %sum = nd.add %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %xg = nd.reduce_sum %sum, %xa {keep_dims = false} : (tensor<2x3xf32>, tensor<*xi32>) -> tensor<*xf32>
  %yg = nd.reduce_sum %sum, %ya {keep_dims = false} : (tensor<2x3xf32>, tensor<*xi32>) -> tensor<*xf32>
  flow.fetch %xg {name = "xg:0"} : (tensor<*xf32>) -> ()
  flow.fetch %yg {name = "yg:0"} : (tensor<*xf32>) -> ()
}

// One dim is not known, so neither are the axes.
// CHECK-LABEL: flow.graph @unknown
// CHECK: nd.broadcast_gradient_args {{.*}} -> (tensor<?xi32>, tensor<?xi32>)
// CHECK: nd.reduce_sum {{.*}} -> tensor<*xf32>
flow.graph @unknown {
  %x = flow.feed {name = "x:0"} : () -> tensor<2x?xf32>
  %y = flow.feed {name = "y:0"} : () -> tensor<3xf32>
  %xs = nd.shape %x : (tensor<2x?xf32>) -> tensor<*xi32>
  %ys = nd.shape %y : (tensor<3xf32>) -> tensor<*xi32>
  %xa, %ya = nd.broadcast_gradient_args %xs, %ys : (tensor<*xi32>, tensor<*xi32>) -> (tensor<*xi32>, tensor<*xi32>)
  %sum = nd.add %x, %y : (tensor<2x?xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %xg = nd.reduce_sum %sum, %xa {keep_dims = false} : (tensor<2x3xf32>, tensor<*xi32>) -> tensor<*xf32>
  flow.fetch %xg {name = "xg:0"} : (tensor<*xf32>) -> ()
}
