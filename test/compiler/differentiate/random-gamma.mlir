// Samples of gamma distributions move with the distributions' shapes, also those of 16 bits.
//
// RUN: sluice-opt --split-input-file --differentiate-build-gradients %s | FileCheck %s
flow.graph @main {
  %p = flow.feed {name = "p:0"} : () -> tensor<3xi64>
  %s = flow.feed {name = "s:0"} : () -> tensor<2xi32>
  %x = flow.feed {name = "x:0"} : () -> tensor<4xf32>
  %w = flow.independent %x {name = "x:0"} : (tensor<4xf32>) -> tensor<4xf32>
  %y = sci.random_gamma %p, %s, %w : (tensor<3xi64>, tensor<2xi32>, tensor<4xf32>) -> tensor<5x4xf32>
  %g = flow.gradient of %y seeds wrt %w stops {name = "gradients"} : (tensor<5x4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: %[[Y:.*]] = sci.random_gamma {{.*}}, {{.*}}, %[[X:.*]] :
  // CHECK: %[[SLOPE:.*]] = sci.random_gamma_grad %[[X]], %[[Y]] : (tensor<4xf32>, tensor<5x4xf32>) -> tensor<5x4xf32>
  // CHECK: %[[MOVED:.*]] = nd.mul %{{.*}}, %[[SLOPE]] :
  // CHECK: nd.reduce_sum %[[MOVED]], {{.*}} -> tensor<4xf32>
  flow.fetch %g {name = "gradients/x:0"} : (tensor<4xf32>) -> ()
}

// -----

flow.graph @main {
  %p = flow.feed {name = "p:0"} : () -> tensor<3xi64>
  %s = flow.feed {name = "s:0"} : () -> tensor<2xi32>
  %x = flow.feed {name = "x:0"} : () -> tensor<4xf16>
  %w = flow.independent %x {name = "x:0"} : (tensor<4xf16>) -> tensor<4xf16>
  %y = sci.random_gamma %p, %s, %w : (tensor<3xi64>, tensor<2xi32>, tensor<4xf16>) -> tensor<5x4xf16>
  %g = flow.gradient of %y seeds wrt %w stops {name = "gradients"} : (tensor<5x4xf16>, tensor<4xf16>) -> tensor<4xf16>
  // CHECK: %[[SLOPE:.*]] = sci.random_gamma_grad {{.*}} : (tensor<4xf32>, tensor<5x4xf32>) -> tensor<5x4xf32>
  // CHECK: nd.cast %[[SLOPE]] : (tensor<5x4xf32>) -> tensor<5x4xf16>
  flow.fetch %g {name = "gradients/x:0"} : (tensor<4xf16>) -> ()
}
