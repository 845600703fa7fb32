// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A branch becomes a switch for each capture that is used, and a merge for each result.
// RUN: sluice-opt --lower-control-flow %s | FileCheck %s

// CHECK-LABEL: flow.graph @values
// CHECK: %[[P:.*]] = flow.feed  {name = "p"}
// CHECK: %[[X:.*]] = flow.feed  {name = "x"}
// CHECK-NOT: flow.feed
// CHECK: %[[F:.*]], %[[T:.*]], %{{.*}} = flow.switch %[[X]], %[[P]]
// CHECK-NEXT: %[[N:.*]] = nd.neg %[[T]]
// CHECK-NEXT: %[[R:.*]], %{{.*}}, %{{.*}} = flow.merge %[[F]], %[[N]]
// CHECK-NEXT: flow.fetch %[[R]]
// CHECK-NEXT: {{^ *}$}}
flow.graph @values {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %r = flow.cond %p (%x) : (tensor<i1>, tensor<f32>) -> tensor<f32> on_true {
  ^bb0(%a: tensor<f32>):
    %n = nd.neg %a : (tensor<f32>) -> tensor<f32>
    flow.yield %n : (tensor<f32>) -> ()
  } on_false {
  ^bb0(%a: tensor<f32>):
    flow.yield %a : (tensor<f32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<f32>) -> ()
}

// What nobody uses goes nowhere: no switch for the capture, no merge for the result.
// CHECK-LABEL: flow.graph @unused
// CHECK-COUNT-1: flow.switch
// CHECK-NOT: flow.switch
// CHECK-COUNT-1: flow.merge
// CHECK-NOT: flow.merge
// CHECK: flow.fetch
flow.graph @unused {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %y = flow.feed {name = "y"} : () -> tensor<f32>
  %r:2 = flow.cond %p (%x, %y) : (tensor<i1>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>) on_true {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    flow.yield %a, %b : (tensor<f32>, tensor<f32>) -> ()
  } on_false {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    flow.yield %a, %b : (tensor<f32>, tensor<f32>) -> ()
  }
  flow.fetch %r#0 {name = "r"} : (tensor<f32>) -> ()
}

// Constants would always be there. One that is a result goes through a switch; an op that has
// nothing else gets a gate, once for each constant.
// CHECK-LABEL: flow.graph @constants
// CHECK-DAG: %[[ONE:.*]] = nd.constant {value = dense<1.0
// CHECK-DAG: %[[TWO:.*]] = nd.constant {value = dense<2.0
// CHECK-DAG: %{{.*}}, %[[T:.*]], %{{.*}} = flow.switch %[[P:.*]], %[[P]]
// CHECK-DAG: %[[S:.*]] = flow.after %[[T]]
// CHECK-DAG: %[[G:.*]] = flow.gate %[[TWO]], %[[S]]
// CHECK-DAG: %[[A:.*]] = nd.add %[[ONE]], %[[G]]
// CHECK-DAG: %[[B:.*]] = nd.mul %[[ONE]], %[[G]]
// CHECK-DAG: %[[C:.*]] = nd.sub %[[A]], %[[B]]
// CHECK-DAG: %[[F:.*]], %{{.*}}, %{{.*}} = flow.switch %[[ONE]], %[[P]]
// CHECK: flow.merge %[[F]], %[[C]]
flow.graph @constants {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %r = flow.cond %p () : (tensor<i1>) -> tensor<f32> on_true {
    %one = nd.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
    %two = nd.constant {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
    %a = nd.add %one, %two : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %b = nd.mul %one, %two : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %c = nd.sub %a, %b : (tensor<f32>, tensor<f32>) -> tensor<f32>
    flow.yield %c : (tensor<f32>) -> ()
  } on_false {
    %one = nd.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
    flow.yield %one : (tensor<f32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<f32>) -> ()
}

// Tokens are no values. The handle, which waits for nothing, waits for its branch.
state.variable @v {key = "v", type = tensor<f32>}
// CHECK-LABEL: flow.graph @tokens
// CHECK-DAG: %[[IN:.*]] = flow.after
// CHECK-DAG: %[[PF:.*]], %[[PT:.*]], %{{.*}} = flow.switch %[[P:.*]], %[[P]]
// CHECK-DAG: %[[ST:.*]] = flow.after %[[PT]]
// CHECK-DAG: %[[SF:.*]] = flow.after %[[PF]]
// CHECK-DAG: %[[JT:.*]] = flow.join %[[IN]], %[[ST]]
// CHECK-DAG: %[[H:.*]], %{{.*}} = state.handle %[[ST]]
// CHECK-DAG: %[[D:.*]] = state.assign %[[H]], %{{.*}}, %[[JT]]
// CHECK-DAG: %[[GT:.*]] = flow.gate %[[PT]], %[[D]]
// CHECK-DAG: %[[GF:.*]] = flow.gate %[[PF]], %[[SF]]
// CHECK: %{{.*}}, %{{.*}}, %[[OUT:.*]] = flow.merge %[[GF]], %[[GT]]
// CHECK: flow.target %[[OUT]]
flow.graph @tokens {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %t = flow.after %x : (tensor<f32>) -> !flow.token
  %r = flow.cond %p (%x, %t) : (tensor<i1>, tensor<f32>, !flow.token) -> !flow.token on_true {
  ^bb0(%a: tensor<f32>, %b: !flow.token):
    %h, %ht = state.handle {variable = @v} : () -> (!state.resource<tensor<f32>>, !flow.token)
    %done = state.assign %h, %a, %b {validate_shape = true} : (!state.resource<tensor<f32>>, tensor<f32>, !flow.token) -> !flow.token
    flow.yield %done : (!flow.token) -> ()
  } on_false {
  ^bb0(%a: tensor<f32>, %b: !flow.token):
    %s = flow.start : () -> !flow.token
    flow.yield %s : (!flow.token) -> ()
  }
  flow.target %r {name = "done"} : (!flow.token) -> ()
}

// A trigger is live whatever happened, so what waits for it alone waits for the branch as well.
// CHECK-LABEL: flow.graph @triggers
// CHECK-DAG: %{{.*}}, %[[PT:.*]], %{{.*}} = flow.switch %[[P:.*]], %[[P]]
// CHECK-DAG: %[[S:.*]] = flow.after %[[PT]]
// CHECK-DAG: %[[TR:.*]] = flow.trigger
// CHECK-DAG: state.handle %[[TR]], %[[S]]
flow.graph @triggers {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %r = flow.cond %p (%x) : (tensor<i1>, tensor<f32>) -> tensor<f32> on_true {
  ^bb0(%a: tensor<f32>):
    %t = flow.after %a : (tensor<f32>) -> !flow.token
    %tr = flow.trigger %t : (!flow.token) -> !flow.token
    %h, %ht = state.handle %tr {variable = @v} : (!flow.token) -> (!state.resource<tensor<f32>>, !flow.token)
    %y, %yt = state.read %h : (!state.resource<tensor<f32>>) -> (tensor<f32>, !flow.token)
    flow.yield %y : (tensor<f32>) -> ()
  } on_false {
  ^bb0(%a: tensor<f32>):
    flow.yield %a : (tensor<f32>) -> ()
  }
  flow.fetch %r {name = "r"} : (tensor<f32>) -> ()
}
