// A card runs a loop by itself where the host would have to ask it whether to go on; and every loop
// that it can, if it is to.
// RUN: sluice-opt --codegen-place-loops --split-input-file %s | FileCheck %s

// The counter is a scalar of the card's code, the largest element is read there, and both results
// leave on the card. Constants are known within.
// CHECK-LABEL: flow.graph @asks
// CHECK-DAG:     %[[X:.*]] = flow.feed {name = "x:0"}
// CHECK-DAG:     %[[LIMIT:.*]] = flow.feed {name = "limit:0"}
// CHECK-DAG:     %[[ONCARD:.*]] = wire.copy %[[X]] : (tensor<5x7xf32>) -> tensor<5x7xf32, #wire.memory<0>>
// CHECK:         %[[R:.*]]:2 = flow.codelet(%[[ONCARD]], %[[LIMIT]]) {{.*}} -> (tensor<i32, #wire.memory<0>>, tensor<5x7xf32, #wire.memory<0>>)
// CHECK:           %[[ZERO:.*]] = nd.constant
// CHECK:           flow.while(%[[ZERO]], %{{.*}}) (%{{.*}}) {codegen.collapse
// CHECK:             %[[MAX:.*]] = nd.reduce_max {{.*}} -> tensor<f32, #wire.memory<0>>
// CHECK:             %[[NUMBER:.*]] = wire.copy %[[MAX]] : (tensor<f32, #wire.memory<0>>) -> tensor<f32>
// CHECK:             nd.greater %[[NUMBER]], %{{.*}} : (tensor<f32>, tensor<f32>) -> tensor<i1>
// CHECK:             nd.mul %{{.*}}, %{{.*}} : (tensor<5x7xf32, #wire.memory<0>>, tensor<f32>) -> tensor<5x7xf32, #wire.memory<0>>
// CHECK:           wire.copy %{{.*}} : (tensor<i32>) -> tensor<i32, #wire.memory<0>>
// CHECK:         wire.copy %[[R]]#0
module attributes {codegen.has_card, codegen.card_loops = "auto"} {
flow.graph @asks {
  %x = flow.feed {name = "x:0"} : () -> tensor<5x7xf32>
  %limit = flow.feed {name = "limit:0"} : () -> tensor<f32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %r:2 = flow.while(%zero, %x) (%limit) {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<5x7xf32>, tensor<f32>) -> (tensor<i32>, tensor<5x7xf32>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<5x7xf32>, %l: tensor<f32>):
    %axes = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
    %m = nd.reduce_max %a, %axes {keep_dims = false} : (tensor<5x7xf32>, tensor<2xi32>) -> tensor<f32>
    %p = nd.greater %m, %l : (tensor<f32>, tensor<f32>) -> tensor<i1>
    flow.condition %p(%i, %a) : (tensor<i1>, tensor<i32>, tensor<5x7xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<5x7xf32>, %l: tensor<f32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %half = nd.constant {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %b = nd.mul %a, %half : (tensor<5x7xf32>, tensor<f32>) -> tensor<5x7xf32>
    flow.yield %next, %b : (tensor<i32>, tensor<5x7xf32>) -> ()
  }
  flow.fetch %r#0 {name = "i:0"} : (tensor<i32>) -> ()
  flow.fetch %r#1 {name = "r:0"} : (tensor<5x7xf32>) -> ()
}
}

// -----

// The host knows by itself how often, and is quicker with one kernel than a graph of the driver.
// CHECK-LABEL: flow.graph @counts
// CHECK-NOT:     flow.codelet
module attributes {codegen.has_card, codegen.card_loops = "auto"} {
flow.graph @counts {
  %x = flow.feed {name = "x:0"} : () -> tensor<5x7xf32>
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %r:2 = flow.while(%n, %x) () {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<5x7xf32>) -> (tensor<i32>, tensor<5x7xf32>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<5x7xf32>):
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %p = nd.greater %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %a) : (tensor<i1>, tensor<i32>, tensor<5x7xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<5x7xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.sub %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %b = nd.neg %a : (tensor<5x7xf32>) -> tensor<5x7xf32>
    flow.yield %next, %b : (tensor<i32>, tensor<5x7xf32>) -> ()
  }
  flow.fetch %r#1 {name = "r:0"} : (tensor<5x7xf32>) -> ()
}
}

// -----

// A constant that a kernel reads comes in from outside; one that is carried on is stored.
// CHECK-LABEL: flow.graph @constants
// CHECK:         %[[C:.*]] = nd.constant {{.*}} -> tensor<2x2xf32, #wire.memory<0>>
// CHECK:         flow.codelet({{.*}}%[[C]]
// CHECK:             %[[THREE:.*]] = nd.constant {value = dense<3.000000e+00>
// CHECK:             wire.copy %[[THREE]] : (tensor<f32>) -> tensor<f32, #wire.memory<0>>
module attributes {codegen.has_card, codegen.card_loops = "always"} {
flow.graph @constants {
  %x = flow.feed {name = "x:0"} : () -> tensor<2x2xf32>
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %s = flow.feed {name = "s:0"} : () -> tensor<f32>
  %r:3 = flow.while(%n, %x, %s) () {frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<2x2xf32>, tensor<f32>) -> (tensor<i32>, tensor<2x2xf32>, tensor<f32>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<2x2xf32>, %t: tensor<f32>):
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %p = nd.greater %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %a, %t) : (tensor<i1>, tensor<i32>, tensor<2x2xf32>, tensor<f32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<2x2xf32>, %t: tensor<f32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %c = nd.constant {value = dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
    %even = nd.equal %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %next = nd.sub %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %b = nd.add %a, %c : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %u = flow.cond %even(%b) : (tensor<i1>, tensor<2x2xf32>) -> tensor<f32> on_true {
    ^bb0(%d: tensor<2x2xf32>):
      %both = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
      %m = nd.reduce_max %d, %both {keep_dims = false} : (tensor<2x2xf32>, tensor<2xi32>) -> tensor<f32>
      flow.yield %m : (tensor<f32>) -> ()
    } on_false {
    ^bb0(%d: tensor<2x2xf32>):
      %three = nd.constant {value = dense<3.0> : tensor<f32>} : () -> tensor<f32>
      flow.yield %three : (tensor<f32>) -> ()
    }
    flow.yield %next, %b, %u : (tensor<i32>, tensor<2x2xf32>, tensor<f32>) -> ()
  }
  flow.fetch %r#1 {name = "r:0"} : (tensor<2x2xf32>) -> ()
  flow.fetch %r#2 {name = "s:1"} : (tensor<f32>) -> ()
}
}

// -----

// The outer loop is on the card with the inner one, whose test is: what the inner one begins with
// and what it gives stay there.
// CHECK-LABEL: flow.graph @nest
// CHECK:         flow.codelet
// CHECK:           flow.while({{.*}}) {codegen.collapse
// CHECK:             %[[R:.*]]:2 = flow.while(%{{.*}}, %[[A:.*]]) {{.*}} : (tensor<i32>, tensor<5x7xf32, #wire.memory<0>>, tensor<f32>) -> (tensor<i32>, tensor<5x7xf32, #wire.memory<0>>)
// CHECK:               nd.reduce_max {{.*}} -> tensor<f32, #wire.memory<0>>
// CHECK:             nd.neg %[[R]]#1 : (tensor<5x7xf32, #wire.memory<0>>) -> tensor<5x7xf32, #wire.memory<0>>
module attributes {codegen.has_card, codegen.card_loops = "auto"} {
flow.graph @nest {
  %x = flow.feed {name = "x:0"} : () -> tensor<5x7xf32>
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %limit = flow.feed {name = "limit:0"} : () -> tensor<f32>
  %r:2 = flow.while(%n, %x) (%limit) {frame = "outer", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<5x7xf32>, tensor<f32>) -> (tensor<i32>, tensor<5x7xf32>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<5x7xf32>, %l: tensor<f32>):
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %p = nd.greater %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %a) : (tensor<i1>, tensor<i32>, tensor<5x7xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<5x7xf32>, %l: tensor<f32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.sub %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %q:2 = flow.while(%i, %a) (%l) {frame = "inner", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<5x7xf32>, tensor<f32>) -> (tensor<i32>, tensor<5x7xf32>) before {
    ^bb0(%j: tensor<i32>, %b: tensor<5x7xf32>, %m: tensor<f32>):
      %axes = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
      %most = nd.reduce_max %b, %axes {keep_dims = false} : (tensor<5x7xf32>, tensor<2xi32>) -> tensor<f32>
      %p = nd.greater %most, %m : (tensor<f32>, tensor<f32>) -> tensor<i1>
      flow.condition %p(%j, %b) : (tensor<i1>, tensor<i32>, tensor<5x7xf32>) -> ()
    } body {
    ^bb0(%j: tensor<i32>, %b: tensor<5x7xf32>, %m: tensor<f32>):
      %half = nd.constant {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
      %c = nd.mul %b, %half : (tensor<5x7xf32>, tensor<f32>) -> tensor<5x7xf32>
      flow.yield %j, %c : (tensor<i32>, tensor<5x7xf32>) -> ()
    }
    %d = nd.neg %q#1 : (tensor<5x7xf32>) -> tensor<5x7xf32>
    flow.yield %next, %d : (tensor<i32>, tensor<5x7xf32>) -> ()
  }
  flow.fetch %r#1 {name = "r:0"} : (tensor<5x7xf32>) -> ()
}
}

// -----

// Where the test of a loop needs another one, an iteration begins with the test, and goes on if that holds.
// CHECK-LABEL: flow.graph @test_with_loop
// CHECK:         flow.codelet
// CHECK:           flow.while({{.*}}frame = "outer"
// CHECK-NEXT:      ^bb0(%[[GOES:[^:]*]]: tensor<i1>
// CHECK-NEXT:        flow.condition %[[GOES]](
// CHECK:             flow.while({{.*}}frame = "inner"
// CHECK:             nd.greater
// CHECK:             %[[A:.*]] = flow.cond
// CHECK:               nd.mul
// CHECK:             on_false
// CHECK:             flow.yield %{{.*}}, %[[A]] :
module attributes {codegen.has_card, codegen.card_loops = "always"} {
flow.graph @test_with_loop {
  %x = flow.feed {name = "x:0"} : () -> tensor<5x7xf32>
  %limit = flow.feed {name = "limit:0"} : () -> tensor<f32>
  %r = flow.while(%x) (%limit) {frame = "outer", parallel_iterations = 10 : i64} : (tensor<5x7xf32>, tensor<f32>) -> tensor<5x7xf32> before {
  ^bb0(%a: tensor<5x7xf32>, %l: tensor<f32>):
    %q = flow.while(%a) (%l) {frame = "inner", parallel_iterations = 10 : i64} : (tensor<5x7xf32>, tensor<f32>) -> tensor<5x7xf32> before {
    ^bb0(%b: tensor<5x7xf32>, %m: tensor<f32>):
      %axes = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
      %most = nd.reduce_max %b, %axes {keep_dims = false} : (tensor<5x7xf32>, tensor<2xi32>) -> tensor<f32>
      %p = nd.greater %most, %m : (tensor<f32>, tensor<f32>) -> tensor<i1>
      flow.condition %p(%b) : (tensor<i1>, tensor<5x7xf32>) -> ()
    } body {
    ^bb0(%b: tensor<5x7xf32>, %m: tensor<f32>):
      %half = nd.constant {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
      %c = nd.mul %b, %half : (tensor<5x7xf32>, tensor<f32>) -> tensor<5x7xf32>
      flow.yield %c : (tensor<5x7xf32>) -> ()
    }
    %axes = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
    %most = nd.reduce_max %q, %axes {keep_dims = false} : (tensor<5x7xf32>, tensor<2xi32>) -> tensor<f32>
    %p = nd.greater %most, %l : (tensor<f32>, tensor<f32>) -> tensor<i1>
    flow.condition %p(%a) : (tensor<i1>, tensor<5x7xf32>) -> ()
  } body {
  ^bb0(%a: tensor<5x7xf32>, %l: tensor<f32>):
    %half = nd.constant {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
    %c = nd.mul %a, %half : (tensor<5x7xf32>, tensor<f32>) -> tensor<5x7xf32>
    flow.yield %c : (tensor<5x7xf32>) -> ()
  }
  flow.fetch %r {name = "r:0"} : (tensor<5x7xf32>) -> ()
}
}

// -----

// But not where what the loop gives is computed by the test: there the host keeps the outer one.
// CHECK-LABEL: flow.graph @computed_by_test
// CHECK-NOT:     flow.codelet
// CHECK:         flow.while({{.*}}frame = "outer"
// CHECK:           flow.codelet
// CHECK:             frame = "inner"
module attributes {codegen.has_card, codegen.card_loops = "always"} {
flow.graph @computed_by_test {
  %x = flow.feed {name = "x:0"} : () -> tensor<5x7xf32>
  %limit = flow.feed {name = "limit:0"} : () -> tensor<f32>
  %r = flow.while(%x) (%limit) {frame = "outer", parallel_iterations = 10 : i64} : (tensor<5x7xf32>, tensor<f32>) -> tensor<5x7xf32> before {
  ^bb0(%a: tensor<5x7xf32>, %l: tensor<f32>):
    %q = flow.while(%a) (%l) {frame = "inner", parallel_iterations = 10 : i64} : (tensor<5x7xf32>, tensor<f32>) -> tensor<5x7xf32> before {
    ^bb0(%b: tensor<5x7xf32>, %m: tensor<f32>):
      %axes = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
      %most = nd.reduce_max %b, %axes {keep_dims = false} : (tensor<5x7xf32>, tensor<2xi32>) -> tensor<f32>
      %p = nd.greater %most, %m : (tensor<f32>, tensor<f32>) -> tensor<i1>
      flow.condition %p(%b) : (tensor<i1>, tensor<5x7xf32>) -> ()
    } body {
    ^bb0(%b: tensor<5x7xf32>, %m: tensor<f32>):
      %half = nd.constant {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
      %c = nd.mul %b, %half : (tensor<5x7xf32>, tensor<f32>) -> tensor<5x7xf32>
      flow.yield %c : (tensor<5x7xf32>) -> ()
    }
    %axes = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
    %most = nd.reduce_max %q, %axes {keep_dims = false} : (tensor<5x7xf32>, tensor<2xi32>) -> tensor<f32>
    %p = nd.greater %most, %l : (tensor<f32>, tensor<f32>) -> tensor<i1>
    flow.condition %p(%q) : (tensor<i1>, tensor<5x7xf32>) -> ()
  } body {
  ^bb0(%a: tensor<5x7xf32>, %l: tensor<f32>):
    %half = nd.constant {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
    %c = nd.mul %a, %half : (tensor<5x7xf32>, tensor<f32>) -> tensor<5x7xf32>
    flow.yield %c : (tensor<5x7xf32>) -> ()
  }
  flow.fetch %r {name = "r:0"} : (tensor<5x7xf32>) -> ()
}
}

// -----

// A number of a thread has no address from which it could be copied: the kernel is given it.
// CHECK-LABEL: flow.graph @joined_number
// CHECK:         flow.codelet
// CHECK:           nd.concat %{{.*}}, %{{.*}}, %{{.*}} : (tensor<1x1xf32>, tensor<1x8xf32, #wire.memory<0>>, tensor<i32>) -> tensor<1x9xf32, #wire.memory<0>>
module attributes {codegen.has_card, codegen.card_loops = "always"} {
flow.graph @joined_number {
  %x = flow.feed {name = "x:0"} : () -> tensor<1x8xf32>
  %y = flow.feed {name = "y:0"} : () -> tensor<1x1x1xf32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %r:2 = flow.while(%zero, %x) (%y) {frame = "while", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<1x8xf32>, tensor<1x1x1xf32>) -> (tensor<i32>, tensor<1x8xf32>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<1x8xf32>, %rows: tensor<1x1x1xf32>):
    %end = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %p = nd.less %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %a) : (tensor<i1>, tensor<i32>, tensor<1x8xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<1x8xf32>, %rows: tensor<1x1x1xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %row = nd.row %rows, %i : (tensor<1x1x1xf32>, tensor<i32>) -> tensor<1x1xf32>
    %both = nd.concat %row, %a, %one : (tensor<1x1xf32>, tensor<1x8xf32>, tensor<i32>) -> tensor<1x9xf32>
    %begin = nd.constant {value = dense<0> : tensor<2xi32>} : () -> tensor<2xi32>
    %size = nd.constant {value = dense<[1, 8]> : tensor<2xi32>} : () -> tensor<2xi32>
    %b = nd.slice %both, %begin, %size : (tensor<1x9xf32>, tensor<2xi32>, tensor<2xi32>) -> tensor<1x8xf32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    flow.yield %next, %b : (tensor<i32>, tensor<1x8xf32>) -> ()
  }
  flow.fetch %r#1 {name = "r:0"} : (tensor<1x8xf32>) -> ()
}
}

// -----

// A product goes through memory, even one of numbers, which a thread has none for.
// CHECK-LABEL: flow.graph @product_of_numbers
// CHECK-NOT:     flow.codelet
// CHECK:         codegen.on_host = "{{.*}}has no code for a card"
module attributes {codegen.has_card, codegen.card_loops = "always"} {
flow.graph @product_of_numbers {
  %x = flow.feed {name = "x:0"} : () -> tensor<1x8xf32>
  %y = flow.feed {name = "y:0"} : () -> tensor<1x1xf32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %r:2 = flow.while(%zero, %x) (%y) {frame = "while", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<1x8xf32>, tensor<1x1xf32>) -> (tensor<i32>, tensor<1x8xf32>) before {
  ^bb0(%i: tensor<i32>, %a: tensor<1x8xf32>, %b: tensor<1x1xf32>):
    %end = nd.constant {value = dense<3> : tensor<i32>} : () -> tensor<i32>
    %p = nd.less %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %a) : (tensor<i1>, tensor<i32>, tensor<1x8xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %a: tensor<1x8xf32>, %b: tensor<1x1xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %number = nd.matmul %b, %b {adjoint_lhs = false, adjoint_rhs = false, transpose_lhs = false, transpose_rhs = false} : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %c = nd.add %a, %number : (tensor<1x8xf32>, tensor<1x1xf32>) -> tensor<1x8xf32>
    flow.yield %next, %c : (tensor<i32>, tensor<1x8xf32>) -> ()
  }
  flow.fetch %r#1 {name = "r:0"} : (tensor<1x8xf32>) -> ()
}
}
