// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nobody looks through names that stand for derivatives: values keep their names, whatever is known of
// them. Their shapes are no secret.
// RUN: sluice-opt %s --optimize-infer-shapes | FileCheck %s --check-prefix=SHAPES
// RUN: sluice-opt %s --pass-pipeline='builtin.module(flow.graph(optimize-infer-regions))' | FileCheck %s --check-prefix=REGIONS
// RUN: sluice-opt %s --pass-pipeline='builtin.module(flow.graph(optimize-fold-constants,optimize-merge-duplicates,optimize-prune-graph))' | FileCheck %s --check-prefix=VALUES

// SHAPES-LABEL: flow.graph @values
// SHAPES: flow.independent %{{.*}} {name = "x"} : (tensor<3xf32>) -> tensor<3xf32>
// SHAPES: %[[M:.*]] = nd.maximum {{.*}} -> tensor<3xf32>
// SHAPES: flow.known_as "tf.Relu" %[[M]] of %{{.*}} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
// Of a shape that is a value behind a name only the rank is known.
// SHAPES: nd.reshape {{.*}} -> tensor<?x?xf32>
// SHAPES: nd.reshape {{.*}} -> tensor<1x3xf32>
// VALUES-LABEL: flow.graph @values
// VALUES: %[[C:.*]] = nd.constant {value = dense<2.0
// VALUES: %[[A:.*]] = flow.independent %[[C]] {name = "a"}
// VALUES: %[[B:.*]] = flow.independent %[[C]] {name = "b"}
// VALUES: %[[N:.*]] = nd.neg %[[A]]
// VALUES: %[[S:.*]] = flow.known_as "tf.Sin" %{{.*}} of %[[C]]
// VALUES: %[[E:.*]] = nd.exp %[[S]]
// VALUES: flow.gradient of %[[N]], %[[E]] seeds wrt %[[A]], %[[B]] stops
flow.graph @values {
  %0 = flow.feed {name = "x"} : () -> tensor<3xf32>
  %x = flow.independent %0 {name = "x"} : (tensor<3xf32>) -> tensor<3xf32>
  %zero = nd.constant {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %m = nd.maximum %x, %zero : (tensor<3xf32>, tensor<f32>) -> tensor<*xf32>
  %relu = flow.known_as "tf.Relu" %m of %x : (tensor<*xf32>, tensor<3xf32>) -> tensor<*xf32>
  %dims = nd.constant {value = dense<[1, 3]> : tensor<2xi32>} : () -> tensor<2xi32>
  %named = flow.known_as "tf.Dims" %dims of %dims : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %u = nd.reshape %relu, %named : (tensor<*xf32>, tensor<2xi32>) -> tensor<*xf32>
  %v = nd.reshape %relu, %dims : (tensor<*xf32>, tensor<2xi32>) -> tensor<*xf32>
  %c = nd.constant {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
  %a = flow.independent %c {name = "a"} : (tensor<f32>) -> tensor<f32>
  %b = flow.independent %c {name = "b"} : (tensor<f32>) -> tensor<f32>
  %n = nd.neg %a : (tensor<f32>) -> tensor<f32>
  %sin = nd.sin %c : (tensor<f32>) -> tensor<f32>
  %s = flow.known_as "tf.Sin" %sin of %c : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %e = nd.exp %s : (tensor<f32>) -> tensor<f32>
  %g:2 = flow.gradient of %n, %e seeds wrt %a, %b stops {name = "gradients"} : (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  flow.fetch %u {name = "u"} : (tensor<*xf32>) -> ()
  flow.fetch %v {name = "v"} : (tensor<*xf32>) -> ()
  flow.fetch %g#0 {name = "da"} : (tensor<f32>) -> ()
  flow.fetch %g#1 {name = "db"} : (tensor<f32>) -> ()
}

// In a region, and what a more precise type tells of what is behind a name.
// REGIONS-LABEL: flow.graph @regions
// REGIONS: flow.cond
// REGIONS: %[[S:.*]] = nd.sin %{{.*}} : (tensor<3xf32>) -> tensor<3xf32>
// REGIONS: flow.known_as "tf.Sin" %[[S]] of %{{.*}} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
// REGIONS: flow.fetch %{{.*}} : (tensor<3xf32>)
flow.graph @regions {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %0 = flow.feed {name = "x"} : () -> tensor<3xf32>
  %x = flow.independent %0 {name = "x"} : (tensor<3xf32>) -> tensor<3xf32>
  %y = flow.cond %p (%x) : (tensor<i1>, tensor<3xf32>) -> tensor<*xf32> on_true {
  ^bb0(%a: tensor<3xf32>):
    %s = nd.sin %a : (tensor<3xf32>) -> tensor<*xf32>
    %k = flow.known_as "tf.Sin" %s of %a : (tensor<*xf32>, tensor<3xf32>) -> tensor<*xf32>
    flow.yield %k : (tensor<*xf32>) -> ()
  } on_false {
  ^bb0(%a: tensor<3xf32>):
    %n = nd.neg %a : (tensor<3xf32>) -> tensor<*xf32>
    flow.yield %n : (tensor<*xf32>) -> ()
  }
  flow.fetch %y {name = "y"} : (tensor<*xf32>) -> ()
}
