// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which value counts where a merge could have several live ones.
// RUN: sluice-opt %s --import-settle-merges | FileCheck %s

// What depends on no branch is taken where the branch is not.
// CHECK-LABEL: flow.graph @one_way
// CHECK: %[[U:.*]] = nd.cast
// CHECK: %[[F:.*]], %[[T:.*]], %{{.*}} = flow.switch %[[U]], %{{.*}}
// CHECK: flow.merge %[[F]], %[[N:.*]] : (tensor<f32>, tensor<f32>)
// CHECK-NOT: flow.merge
flow.graph @one_way {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %c = nd.constant {value = dense<4> : tensor<i32>} : () -> tensor<i32>
  %u = nd.cast %c : (tensor<i32>) -> tensor<f32>
  %f, %t, %s = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %n = nd.neg %t : (tensor<f32>) -> tensor<f32>
  %y, %i, %m = flow.merge %u, %n : (tensor<f32>, tensor<f32>) -> (tensor<*xf32>, tensor<i32>, !flow.token)
  flow.fetch %y {name = "y:0"} : (tensor<*xf32>) -> ()
}

// Under two predicates there is a branch within a branch. The index is that of the graph's merge,
// and so are the tokens.
// CHECK-LABEL: flow.graph @two_ways
// CHECK: %[[U:.*]] = nd.neg
// CHECK: %[[NOTP:.*]], %[[P:.*]], %{{.*}} = flow.switch %[[U]], %[[PRED:.*]] :
// CHECK: %[[NOTQ:.*]], %{{.*}}, %{{.*}} = flow.switch %[[P]], %[[INNER:.*]] :
// CHECK: %[[IN:.*]], %{{.*}}, %{{.*}} = flow.merge %{{.*}}, %[[NOTQ]] :
// CHECK: %[[II:.*]], %{{.*}}, %{{.*}} = flow.merge
// CHECK: %[[OUT:.*]], %{{.*}}, %{{.*}} = flow.merge %[[IN]], %[[NOTP]] :
// CHECK: %[[TOKEN:.*]] = flow.trigger %[[WAIT:.*]] :
// CHECK: %[[Y:.*]] = flow.gate %[[OUT]], %[[TOKEN]]
// CHECK: flow.fetch %[[Y]]
flow.graph @two_ways {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %q = flow.feed {name = "q:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %u = nd.neg %x : (tensor<f32>) -> tensor<f32>
  %wait = flow.after %x : (tensor<f32>) -> !flow.token
  %f, %t, %s = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %qf, %qt, %qs = flow.switch %q, %p : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
  %g, %v, %vs = flow.switch %t, %qt : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %y, %i, %m = flow.merge %v, %u, %wait : (tensor<f32>, tensor<f32>, !flow.token) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
  flow.fetch %i {name = "y:1"} : (tensor<i32>) -> ()
}

// So it is with a constant, though a merge would take it last anyway.
// CHECK-LABEL: flow.graph @constant
// CHECK: %[[C:.*]] = nd.constant
// CHECK: flow.switch %[[C]], %
// CHECK-COUNT-2: flow.merge {{.*}} : (tensor<f32>, tensor<f32>)
// CHECK-NOT: flow.merge
flow.graph @constant {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %q = flow.feed {name = "q:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %c = nd.constant {value = dense<4.0> : tensor<f32>} : () -> tensor<f32>
  %f, %t, %s = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %g, %v, %vs = flow.switch %t, %q : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %y, %i, %m = flow.merge %v, %c : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// Of values that are live in the same cases the first one counts, also of twice the same.
// CHECK-LABEL: flow.graph @alike
// CHECK: %[[X:.*]] = flow.feed {name = "x:0"}
// CHECK-NOT: flow.merge
// CHECK: flow.fetch %[[X]]
flow.graph @alike {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %z = flow.feed {name = "z:0"} : () -> tensor<f32>
  %y, %i, %m = flow.merge %x, %z, %x : (tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// No predicate says when either of two others is live: a merge of constants does.
// CHECK-LABEL: flow.graph @several
// CHECK: %[[U:.*]] = nd.neg
// CHECK: %[[NONE:.*]], %{{.*}}, %{{.*}} = flow.merge %{{.*}}, %{{.*}}, %{{.*}} : (tensor<i1>, tensor<i1>, tensor<i1>)
// CHECK: %{{.*}}, %[[LAST:.*]], %{{.*}} = flow.switch %[[U]], %[[NONE]]
// CHECK: flow.merge %{{.*}}, %[[LAST]], %{{.*}} : (tensor<f32>, tensor<f32>, tensor<f32>)
flow.graph @several {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %q = flow.feed {name = "q:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %u = nd.neg %x : (tensor<f32>) -> tensor<f32>
  %f, %t, %s = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %g, %v, %vs = flow.switch %x, %q : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %y, %i, %m = flow.merge %t, %u, %v : (tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// What one merge has become is an input of the next, live where the first one was.
// CHECK-LABEL: flow.graph @merge_of_a_merge
// CHECK: flow.switch %{{.*}}, %[[P:.*]] :
// CHECK: %[[U:.*]] = nd.neg
// CHECK: %[[NOTQ:.*]], %{{.*}}, %{{.*}} = flow.switch %[[U]], %[[Q:.*]] :
// CHECK: %[[Y:.*]], %{{.*}}, %{{.*}} = flow.merge %[[NOTQ]], %{{.*}} :
// CHECK-NOT: flow.switch
// CHECK: flow.merge %[[Y]], %{{.*}} :
flow.graph @merge_of_a_merge {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %q = flow.feed {name = "q:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %f, %t, %s = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %u = nd.neg %t : (tensor<f32>) -> tensor<f32>
  %qf, %qt, %qs = flow.switch %q, %p : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>, !flow.token)
  %g, %v, %vs = flow.switch %t, %qt : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %y, %i, %m = flow.merge %u, %v : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  %z, %j, %k = flow.merge %y, %f : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.fetch %z {name = "z:0"} : (tensor<f32>) -> ()
}

// The order of values is that of the graph's merge, and so are their positions. Tokens that wait
// for the merge wait for what it has become.
// CHECK-LABEL: flow.graph @index_and_token
// CHECK: %[[U:.*]] = nd.neg
// CHECK: %[[F:.*]], %{{.*}}, %{{.*}} = flow.switch %[[U]], %[[P:.*]] :
// CHECK: %[[ONE:.*]] = nd.constant {value = dense<1> : tensor<i32>}
// CHECK: %[[AT:.*]] = flow.after %[[N:.*]] :
// CHECK: %[[I1:.*]] = flow.gate %[[ONE]], %[[AT]] :
// CHECK: %[[Y:.*]], %{{.*}}, %{{.*}} = flow.merge %[[F]], %[[N]] :
// CHECK: %[[ZERO:.*]] = nd.constant {value = dense<0> : tensor<i32>}
// CHECK: %[[AF:.*]] = flow.after %[[F]] :
// CHECK: %[[I0:.*]] = flow.gate %[[ZERO]], %[[AF]] :
// CHECK: %[[I:.*]], %{{.*}}, %{{.*}} = flow.merge %[[I0]], %[[I1]] :
// CHECK: %[[OUT:.*]], %{{.*}}, %{{.*}} = flow.merge %[[I]] :
// CHECK: %[[DONE:.*]] = flow.after %[[Y]] :
// CHECK: flow.fetch %[[Y]]
// CHECK: flow.fetch %[[OUT]]
// CHECK: flow.target %[[DONE]]
flow.graph @index_and_token {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %u = nd.neg %x : (tensor<f32>) -> tensor<f32>
  %f, %t, %s = flow.switch %x, %p : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token)
  %n = nd.neg %t : (tensor<f32>) -> tensor<f32>
  %y, %i, %m = flow.merge %u, %n : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
  flow.fetch %i {name = "y:1"} : (tensor<i32>) -> ()
  flow.target %m {name = "y"} : (!flow.token) -> ()
}

// Of two constants the first one counts; what is left of the merge still makes something arrive.
// CHECK-LABEL: flow.graph @constants
// CHECK: %[[A:.*]] = nd.constant {value = dense<1.0
// CHECK: flow.merge %[[A]] : (tensor<f32>)
flow.graph @constants {
  %a = nd.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %b = nd.constant {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
  %y, %i, %m = flow.merge %a, %b : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}

// One value that the merge may take as another type stays in a merge.
// CHECK-LABEL: flow.graph @types
// CHECK: flow.merge %{{[^,]*}} : (tensor<f32>) -> (tensor<*xf32>, tensor<i32>, !flow.token)
flow.graph @types {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %y, %i, %m = flow.merge %x, %x : (tensor<f32>, tensor<f32>) -> (tensor<*xf32>, tensor<i32>, !flow.token)
  flow.fetch %y {name = "y:0"} : (tensor<*xf32>) -> ()
}

// As many values as are compared with each other.
// CHECK-LABEL: flow.graph @many
// CHECK-NOT: flow.merge
// CHECK: flow.fetch
flow.graph @many {
  %x = flow.feed {name = "x:0"} : () -> tensor<f32>
  %y, %i, %m = flow.merge %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x : (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token)
  flow.fetch %y {name = "y:0"} : (tensor<f32>) -> ()
}
