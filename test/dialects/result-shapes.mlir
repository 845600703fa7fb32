// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flow.graph C4
// A result type that the op's shape rule denies is refused, whatever the op; test/checks/
// result_type_check.py tries each op of the table.
// RUN: sluice-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

flow.graph @g {
  // The axis is a constant, and so decides.
  %v:2 = "test.value"() : () -> (tensor<2000xf32>, tensor<2000xf32>)
  %axis = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  // expected-error@below {{expected 'tensor<4000xf32>' as type of result #0, which follows from the operands, but got 'tensor<2xf32>'}}
  %r = nd.concat %v#0, %v#1, %axis : (tensor<2000xf32>, tensor<2000xf32>, tensor<i32>) -> tensor<2xf32>
}

// -----
flow.graph @g {
  %v = "test.value"() : () -> tensor<12xf32>
  %dims = nd.constant {value = dense<[3, -1]> : tensor<2xi32>} : () -> tensor<2xi32>
  // expected-error@below {{expected 'tensor<3x4xf32>' as type of result #0}}
  %r = nd.reshape %v, %dims : (tensor<12xf32>, tensor<2xi32>) -> tensor<10000x10000xf32>
}

// -----
flow.graph @g {
  %v = "test.value"() : () -> tensor<3xf32>
  // expected-error@below {{expected 'tensor<3xf32>' as type of result #0}}
  %r = nd.add %v, %v : (tensor<3xf32>, tensor<3xf32>) -> tensor<100x200xf32>
}

// -----
flow.graph @g {
  // Dims that are not known deny no size, but a rank is one.
  %v = "test.value"() : () -> tensor<?xf32>
  %r = nd.neg %v : (tensor<?xf32>) -> tensor<5xf32>
  // expected-error@below {{expected 'tensor<?xf32>' as type of result #0}}
  %s = nd.neg %v : (tensor<?xf32>) -> tensor<?x?xf32>
}

// -----
flow.graph @g {
  // The second of several results.
  %v:2 = "test.value"() : () -> (tensor<4x8xf32>, tensor<i32>)
  %k = nd.constant {value = dense<3> : tensor<i32>} : () -> tensor<i32>
  // expected-error@below {{expected 'tensor<4x3xi32>' as type of result #1}}
  %r:2 = nd.top_k %v#0, %k {sorted = true} : (tensor<4x8xf32>, tensor<i32>) -> (tensor<4x3xf32>, tensor<5xi32>)
}

// -----
flow.graph @g {
  // The rule fails: the graph is right as long as the op does not run, so any type will do.
  %v:2 = "test.value"() : () -> (tensor<2xf32>, tensor<3xf32>)
  %r = nd.add %v#0, %v#1 : (tensor<2xf32>, tensor<3xf32>) -> tensor<7x7xf32>
}

// -----
flow.graph @g {
  // Inside of regions as well.
  %v:2 = "test.value"() : () -> (tensor<i1>, tensor<2xf32>)
  %r = flow.cond %v#0 (%v#1) : (tensor<i1>, tensor<2xf32>) -> tensor<2xf32> on_true {
  ^bb0(%x: tensor<2xf32>):
    // expected-error@below {{expected 'tensor<2xf32>' as type of result #0}}
    %y = nd.neg %x : (tensor<2xf32>) -> tensor<9xf32>
    flow.yield %x : (tensor<2xf32>) -> ()
  } on_false {
  ^bb0(%x: tensor<2xf32>):
    flow.yield %x : (tensor<2xf32>) -> ()
  }
}

// -----
flow.graph @g {
  // Branches and loops give what their regions can give.
  %v:2 = "test.value"() : () -> (tensor<i1>, tensor<2000xf32>)
  %r = flow.cond %v#0 (%v#1) : (tensor<i1>, tensor<2000xf32>) -> tensor<2xf32> on_true {
  ^bb0(%x: tensor<2000xf32>):
    // expected-error@below {{expected values of the types ('tensor<2xf32>') but got ('tensor<2000xf32>')}}
    flow.yield %x : (tensor<2000xf32>) -> ()
  } on_false {
  ^bb0(%x: tensor<2000xf32>):
    flow.yield %x : (tensor<2000xf32>) -> ()
  }
}
