// What flows back through a CTC loss is its second result, by sequence; through that nothing does.
//
// RUN: sluice-opt --split-input-file --differentiate-build-gradients --verify-diagnostics %s | FileCheck %s
flow.graph @main {
  %x = flow.feed {name = "x:0"} : () -> tensor<5x2x4xf32>
  %i = flow.feed {name = "i:0"} : () -> tensor<3x2xi64>
  %v = flow.feed {name = "v:0"} : () -> tensor<3xi32>
  %n = flow.feed {name = "n:0"} : () -> tensor<2xi32>
  %w = flow.independent %x {name = "x:0"} : (tensor<5x2x4xf32>) -> tensor<5x2x4xf32>
  %y:2 = nn.ctc_loss %w, %i, %v, %n {collapse_repeated = false, ignore_longer = false, merge_repeated = true} : (tensor<5x2x4xf32>, tensor<3x2xi64>, tensor<3xi32>, tensor<2xi32>) -> (tensor<2xf32>, tensor<5x2x4xf32>)
  %g = flow.gradient of %y#0 seeds wrt %w stops {name = "gradients"} : (tensor<2xf32>, tensor<5x2x4xf32>) -> tensor<5x2x4xf32>
  // CHECK: %[[LOSS:.*]], %[[BACK:.*]] = nn.ctc_loss
  // CHECK: %[[ROWS:.*]] = nd.expand_dims {{.*}} -> tensor<2x1xf32>
  // CHECK: nd.mul %[[ROWS]], %[[BACK]] : (tensor<2x1xf32>, tensor<5x2x4xf32>) -> tensor<5x2x4xf32>
  flow.fetch %g {name = "gradients/x:0"} : (tensor<5x2x4xf32>) -> ()
}

// -----

flow.graph @main {
  %x = flow.feed {name = "x:0"} : () -> tensor<5x2x4xf32>
  %i = flow.feed {name = "i:0"} : () -> tensor<3x2xi64>
  %v = flow.feed {name = "v:0"} : () -> tensor<3xi32>
  %n = flow.feed {name = "n:0"} : () -> tensor<2xi32>
  %w = flow.independent %x {name = "x:0"} : (tensor<5x2x4xf32>) -> tensor<5x2x4xf32>
  // expected-error@below {{expected that no derivative goes through the gradient of a CTC loss, which has none, but one is asked for}}
  %y:2 = nn.ctc_loss %w, %i, %v, %n {collapse_repeated = false, ignore_longer = false, merge_repeated = true} : (tensor<5x2x4xf32>, tensor<3x2xi64>, tensor<3xi32>, tensor<2xi32>) -> (tensor<2xf32>, tensor<5x2x4xf32>)
  %g = flow.gradient of %y#1 seeds wrt %w stops {name = "gradients"} : (tensor<5x2x4xf32>, tensor<5x2x4xf32>) -> tensor<5x2x4xf32>
  flow.fetch %g {name = "gradients/x:0"} : (tensor<5x2x4xf32>) -> ()
}
