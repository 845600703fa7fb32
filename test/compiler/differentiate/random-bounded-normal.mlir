// Samples between bounds move with the mean as it is, with the deviation as far as they are from the
// mean, and with a bound the more the nearer they are to it.
//
// RUN: sluice-opt --differentiate-build-gradients %s | FileCheck %s
flow.graph @main {
  %p = flow.feed {name = "p:0"} : () -> tensor<3xi64>
  %s = flow.feed {name = "s:0"} : () -> tensor<2xi32>
  %m = flow.feed {name = "m:0"} : () -> tensor<4xf32>
  %d = flow.feed {name = "d:0"} : () -> tensor<4xf32>
  %l = flow.feed {name = "l:0"} : () -> tensor<4xf32>
  %h = flow.feed {name = "h:0"} : () -> tensor<4xf32>
  %mean = flow.independent %m {name = "m:0"} : (tensor<4xf32>) -> tensor<4xf32>
  %deviation = flow.independent %d {name = "d:0"} : (tensor<4xf32>) -> tensor<4xf32>
  %low = flow.independent %l {name = "l:0"} : (tensor<4xf32>) -> tensor<4xf32>
  %y = sci.random_bounded_normal %p, %s, %mean, %deviation, %low, %h : (tensor<3xi64>, tensor<2xi32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  %g:3 = flow.gradient of %y seeds wrt %mean, %deviation, %low stops {name = "gradients"} : (tensor<3x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  // CHECK: %[[Y:.*]] = sci.random_bounded_normal {{.*}}, {{.*}}, %[[MEAN:.*]], %[[DEVIATION:.*]], %[[LOW:.*]], %[[HIGH:.*]] :
  // CHECK: %[[APART:.*]] = nd.sub %[[Y]], %[[MEAN]] :
  // CHECK: %[[SAMPLE:.*]] = nd.div %[[APART]], %[[DEVIATION]] :
  // CHECK: %[[OF_MEAN:.*]] = nd.reduce_sum {{.*}} -> tensor<4xf32>
  // CHECK: %[[OF_DEVIATION:.*]] = nd.reduce_sum {{.*}} -> tensor<4xf32>
  // CHECK: sci.erfc
  // CHECK: nd.log1p
  // CHECK: nd.exp
  // CHECK: %[[OF_LOW:.*]] = nd.reduce_sum {{.*}} -> tensor<4xf32>
  // CHECK: flow.fetch %[[OF_MEAN]] {name = "gradients/m:0"}
  flow.fetch %g#0 {name = "gradients/m:0"} : (tensor<4xf32>) -> ()
  // CHECK: flow.fetch %[[OF_DEVIATION]] {name = "gradients/d:0"}
  flow.fetch %g#1 {name = "gradients/d:0"} : (tensor<4xf32>) -> ()
  // CHECK: flow.fetch %[[OF_LOW]] {name = "gradients/l:0"}
  flow.fetch %g#2 {name = "gradients/l:0"} : (tensor<4xf32>) -> ()
}
