// An array whose accesses nobody could tell from those of a tensor becomes a tensor.
// RUN: sluice-opt %s -split-input-file -pass-pipeline='builtin.module(flow.graph(raise-arrays-to-values))' | FileCheck %s

// Each iteration reads the row of its number from one array, and writes that of another: the order of
// accesses (%f, %g) becomes the tensor.
// CHECK-LABEL: @map
flow.graph @map {
  %n = nd.constant {value = dense<5> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %indices = nd.constant {value = dense<[0, 1, 2, 3, 4]> : tensor<5xi32>} : () -> tensor<5xi32>
  // CHECK: %[[X:.*]] = flow.feed
  %x = flow.feed {name = "x:0"} : () -> tensor<5x3xf32>
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "in"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %f1, %t1 = array.scatter %h, %indices, %x, %f0 : (!array.handle<tensor<*xf32>>, tensor<5xi32>, tensor<5x3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  // CHECK: %[[EMPTY:.*]] = nd.fill
  // CHECK-SAME: -> tensor<5x3xf32>
  %k, %g0, %u = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "out"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  // The handles are captured no more, and what their enters asked for is gone with them.
  // CHECK: %[[LOOP:.*]]:2 = flow.while(%{{.*}}, %[[EMPTY]]) (%{{.*}}, %[[X]])
  // CHECK-SAME: invariants = [{wire.requested = "/task:0"}, {wire.requested = "/task:2"}]
  %last:2 = flow.while (%zero, %g0) (%n, %h, %f1, %k) {frame = "loop", parallel_iterations = 10 : i64, wire.steering = {invariants = [{wire.requested = "/task:0"}, {wire.requested = "/task:1"}, {wire.requested = "/task:2"}, {wire.requested = "/task:3"}]}} : (tensor<i32>, tensor<f32>, tensor<i32>, !array.handle<tensor<*xf32>>, tensor<f32>, !array.handle<tensor<*xf32>>) -> (tensor<i32>, tensor<f32>) before {
  ^bb0(%i: tensor<i32>, %g: tensor<f32>, %limit: tensor<i32>, %hh: !array.handle<tensor<*xf32>>, %ff: tensor<f32>, %kk: !array.handle<tensor<*xf32>>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %g) : (tensor<i1>, tensor<i32>, tensor<f32>) -> ()
  } body {
  // CHECK: ^bb0(%[[I:.*]]: tensor<i32>, %[[OUT:.*]]: tensor<5x3xf32>, %{{.*}}: tensor<i32>, %[[IN:.*]]: tensor<5x3xf32>):
  ^bb0(%i: tensor<i32>, %g: tensor<f32>, %limit: tensor<i32>, %hh: !array.handle<tensor<*xf32>>, %ff: tensor<f32>, %kk: !array.handle<tensor<*xf32>>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    // CHECK: %[[ROW:.*]] = nd.row %[[IN]], %[[I]]
    %v, %d = array.read %hh, %i, %ff : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<3xf32>, !flow.token)
    %w = nd.neg %v : (tensor<3xf32>) -> tensor<3xf32>
    // CHECK: %[[SET:.*]] = nd.set_row %[[OUT]], %[[I]]
    %g2, %e = array.write %kk, %i, %w, %g : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    // CHECK: flow.yield %{{.*}}, %[[SET]]
    flow.yield %next, %g2 : (tensor<i32>, tensor<f32>) -> ()
  }
  // CHECK: flow.fetch %[[LOOP]]#1
  %y, %dd = array.gather %k, %indices, %last#1 {element_shape = tensor<*xf32>} : (!array.handle<tensor<*xf32>>, tensor<5xi32>, tensor<f32>) -> (tensor<5x3xf32>, !flow.token)
  flow.fetch %y {name = "y"} : (tensor<5x3xf32>) -> ()
}

// -----

// Scattering fails if there is not one row for each element; a reshape does, too.
// CHECK-LABEL: @rows_unknown
flow.graph @rows_unknown {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  // CHECK: %[[X:.*]] = flow.feed
  %x = flow.feed {name = "x:0"} : () -> tensor<?x3xf32>
  %indices = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
  // CHECK: %[[SHAPE:.*]] = nd.constant {value = dense<[2, 3]> : tensor<2xi32>}
  // CHECK: %[[ROWS:.*]] = nd.reshape %[[X]], %[[SHAPE]] : (tensor<?x3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "in"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %f1, %t1 = array.scatter %h, %indices, %x, %f0 : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<?x3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  %y, %d = array.gather %h, %indices, %f1 {element_shape = tensor<*xf32>} : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<f32>) -> (tensor<2x3xf32>, !flow.token)
  // CHECK: flow.fetch %[[ROWS]]
  flow.fetch %y {name = "y"} : (tensor<2x3xf32>) -> ()
}

// -----

// The same in a frame that stays primitive: the shape has to be there in it.
// CHECK-LABEL: @rows_unknown_in_a_frame
flow.graph @rows_unknown_in_a_frame {
  %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %x = flow.feed {name = "x:0"} : () -> tensor<?x3xf32>
  // CHECK: %[[X:.*]] = flow.enter
  %inside = flow.enter %x {constant = false, frame = "f", parallel_iterations = 1 : i64} : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %t0 = flow.after %inside : (tensor<?x3xf32>) -> !flow.token
  %n = flow.gate %two, %t0 : (tensor<i32>, !flow.token) -> tensor<i32>
  %indices = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
  // CHECK: %[[SHAPE:.*]] = nd.constant {value = dense<[2, 3]> : tensor<2xi32>}
  // CHECK: nd.reshape %{{.*}}, %[[SHAPE]] : (tensor<?x3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "in"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %f1, %t1 = array.scatter %h, %indices, %inside, %f0 : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<?x3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  %y, %d = array.gather %h, %indices, %f1 {element_shape = tensor<*xf32>} : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<f32>) -> (tensor<2x3xf32>, !flow.token)
  %out = flow.exit %y : (tensor<2x3xf32>) -> tensor<2x3xf32>
  flow.fetch %out {name = "y"} : (tensor<2x3xf32>) -> ()
}

// -----

// Without elements any number of rows has the same shape for a reshape.
// CHECK-LABEL: @empty_rows_unknown
flow.graph @empty_rows_unknown {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %x = flow.feed {name = "x:0"} : () -> tensor<?x0xf32>
  %indices = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
  // CHECK: array.scatter
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "in"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %f1, %t1 = array.scatter %h, %indices, %x, %f0 : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<?x0xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  %y, %d = array.gather %h, %indices, %f1 {element_shape = tensor<*xf32>} : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<f32>) -> (tensor<2x0xf32>, !flow.token)
  flow.fetch %y {name = "y"} : (tensor<2x0xf32>) -> ()
}

// -----

// What the indices and the order of an access have waited for is waited for still: it may be an effect.
// CHECK-LABEL: @awaited
flow.graph @awaited {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  // CHECK: %[[X:.*]] = flow.feed
  %x = flow.feed {name = "x:0"} : () -> tensor<2x3xf32>
  %e = flow.feed {name = "e:0"} : () -> tensor<f32>
  %indices = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "in"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %effect = flow.after %e : (tensor<f32>) -> !flow.token
  // CHECK: %[[INDICES:.*]] = flow.gate
  %late = flow.gate %indices, %effect : (tensor<2xi32>, !flow.token) -> tensor<2xi32>
  // CHECK: %[[T:.*]] = flow.after %[[INDICES]]
  // CHECK: %[[ROWS:.*]] = flow.gate %[[X]], %[[T]]
  %f1, %t1 = array.scatter %h, %late, %x, %f0 : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<2x3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  // CHECK: %[[U:.*]] = flow.after %[[INDICES]]
  // CHECK: %[[Y:.*]] = flow.gate %[[ROWS]], %[[U]]
  %y, %d = array.gather %h, %late, %f1 {element_shape = tensor<*xf32>} : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<f32>) -> (tensor<2x3xf32>, !flow.token)
  // CHECK: flow.fetch %[[Y]]
  flow.fetch %y {name = "y"} : (tensor<2x3xf32>) -> ()
}

// -----

// Reading with indices that may be equal would fail for an array and not for a tensor.
// CHECK-LABEL: @indices_unknown
flow.graph @indices_unknown {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %x = flow.feed {name = "x:0"} : () -> tensor<2x3xf32>
  %i = flow.feed {name = "i:0"} : () -> tensor<2xi32>
  %indices = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
  // CHECK: array.create
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "in"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %f1, %t1 = array.scatter %h, %indices, %x, %f0 : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<2x3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  // CHECK: array.gather
  %y, %d = array.gather %h, %i, %f1 {element_shape = tensor<*xf32>} : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<f32>) -> (tensor<2x3xf32>, !flow.token)
  flow.fetch %y {name = "y"} : (tensor<2x3xf32>) -> ()
}

// -----

// If reading does not clear elements, any index may be read, and several times.
// CHECK-LABEL: @may_be_read_again
// CHECK-NOT: array.
flow.graph @may_be_read_again {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %x = flow.feed {name = "x:0"} : () -> tensor<2x3xf32>
  %i = flow.feed {name = "i:0"} : () -> tensor<i32>
  %indices = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = false, identical_element_shapes = false, name = "in"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %f1, %t1 = array.scatter %h, %indices, %x, %f0 : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<2x3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  // CHECK: nd.row
  %y, %d = array.read %h, %i, %f1 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<3xf32>, !flow.token)
  // CHECK: flow.after
  %order = flow.gate %f1, %d : (tensor<f32>, !flow.token) -> tensor<f32>
  // CHECK: nd.row
  %z, %e = array.read %h, %i, %order : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<3xf32>, !flow.token)
  flow.fetch %y {name = "y"} : (tensor<3xf32>) -> ()
  flow.fetch %z {name = "z"} : (tensor<3xf32>) -> ()
}

// -----

// Nobody wrote element 1, and its shape was not declared: reading it is an error that a tensor
// would not give.
// CHECK-LABEL: @not_written
flow.graph @not_written {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %x = flow.feed {name = "x:0"} : () -> tensor<3xf32>
  // CHECK: array.create
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "in"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  // CHECK: array.write
  %f1, %t1 = array.write %h, %zero, %x, %f0 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  // CHECK: array.read
  %y, %d = array.read %h, %one, %f1 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<3xf32>, !flow.token)
  flow.fetch %y {name = "y"} : (tensor<3xf32>) -> ()
}

// -----

// The size is known, but not there before the writes that might fail.
// CHECK-LABEL: @size_waits
flow.graph @size_waits {
  // CHECK: %[[N:.*]] = nd.constant
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %x = flow.feed {name = "x:0"} : () -> tensor<3xf32>
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  // CHECK: %[[SET:.*]] = nd.set_row
  %f1, %t1 = array.write %h, %zero, %x, %f0 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  // CHECK: %[[AFTER:.*]] = flow.after %[[SET]]
  // CHECK: flow.gate %[[N]], %[[AFTER]]
  %s, %d = array.size %h, %f1 : (!array.handle<tensor<*xf32>>, tensor<f32>) -> (tensor<i32>, !flow.token)
  flow.fetch %s {name = "s"} : (tensor<i32>) -> ()
}

// -----

// A size below 0 is an error, though a reshape would take -1 for whatever fits.
// CHECK-LABEL: @size_unknown
flow.graph @size_unknown {
  // CHECK: %[[N:.*]] = flow.feed {name = "n:0"}
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  // CHECK: %[[X:.*]] = flow.feed {name = "x:0"}
  %x = flow.feed {name = "x:0"} : () -> tensor<?x3xf32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %indices = nd.range %zero, %n, %one : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<?xi32>
  %h, %f0, %t = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "in"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  // CHECK: %[[EXCESS:.*]] = nd.minimum %[[N]], %{{.*}} : (tensor<i32>, tensor<i32>) -> tensor<i32>
  // CHECK: %[[ROWS:.*]] = nd.add %[[N]], %[[EXCESS]]
  // CHECK: %[[SHAPE:.*]] = nd.pack %[[ROWS]]
  // CHECK: nd.reshape %{{.*}}, %[[SHAPE]]
  %f1, %t1 = array.scatter %h, %indices, %x, %f0 : (!array.handle<tensor<*xf32>>, tensor<?xi32>, tensor<?x3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  %y, %d = array.gather %h, %indices, %f1 {element_shape = tensor<3xf32>} : (!array.handle<tensor<*xf32>>, tensor<?xi32>, tensor<f32>) -> (tensor<?x3xf32>, !flow.token)
  flow.fetch %y {name = "y"} : (tensor<?x3xf32>) -> ()
}

// -----

// All of these indices are all elements: up to the size that the array was made with, up to an equal
// constant, and up to the size that the array says it has.
// CHECK-LABEL: @all_elements
// CHECK-NOT: array.
flow.graph @all_elements {
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %x = flow.feed {name = "x:0"} : () -> tensor<?x3xf32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %two = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %equal = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %up = nd.range %zero, %two, %one : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<?xi32>
  %a, %a0, %at = array.create %equal {dtype = f32, element_shape = tensor<3xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %a1, %ad = array.scatter %a, %up, %x, %a0 : (!array.handle<tensor<*xf32>>, tensor<?xi32>, tensor<?x3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  %b, %b0, %bt = array.create %n {dtype = f32, element_shape = tensor<3xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "b"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %size, %sd = array.size %b, %b0 : (!array.handle<tensor<*xf32>>, tensor<f32>) -> (tensor<i32>, !flow.token)
  %own = nd.range %zero, %size, %one : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<?xi32>
  %b1, %bd = array.scatter %b, %own, %x, %b0 : (!array.handle<tensor<*xf32>>, tensor<?xi32>, tensor<?x3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  %y, %yd = array.gather %a, %up, %a1 {element_shape = tensor<3xf32>} : (!array.handle<tensor<*xf32>>, tensor<?xi32>, tensor<f32>) -> (tensor<?x3xf32>, !flow.token)
  %z, %zd = array.gather %b, %own, %b1 {element_shape = tensor<3xf32>} : (!array.handle<tensor<*xf32>>, tensor<?xi32>, tensor<f32>) -> (tensor<?x3xf32>, !flow.token)
  flow.fetch %y {name = "y"} : (tensor<?x3xf32>) -> ()
  flow.fetch %z {name = "z"} : (tensor<?x3xf32>) -> ()
}

// -----

// Loops that write every element: each term of their conditions is about a counter from 0 to the size,
// wherever its step stands.
// CHECK-LABEL: @none_left_out
// CHECK-NOT: array.
flow.graph @none_left_out {
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %m = flow.feed {name = "m:0"} : () -> tensor<i32>
  %q = flow.feed {name = "q:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<3xf32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %plain, %plain0, %plaint = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "plain"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %last_plain:2 = flow.while (%zero, %plain0) (%n, %m, %plain, %x, %q) {frame = "plain", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<f32>, tensor<i32>, tensor<i32>, !array.handle<tensor<*xf32>>, tensor<3xf32>, tensor<i1>) -> (tensor<i32>, tensor<f32>) before {
  ^bb0(%i: tensor<i32>, %g: tensor<f32>, %limit: tensor<i32>, %other: tensor<i32>, %h: !array.handle<tensor<*xf32>>, %y: tensor<3xf32>, %also: tensor<i1>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %g) : (tensor<i1>, tensor<i32>, tensor<f32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %g: tensor<f32>, %limit: tensor<i32>, %other: tensor<i32>, %h: !array.handle<tensor<*xf32>>, %y: tensor<3xf32>, %also: tensor<i1>):
    %step = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %step, %i : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %g1, %d = array.write %h, %i, %y, %g : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)
    flow.yield %next, %g1 : (tensor<i32>, tensor<f32>) -> ()
  }
  %v_plain, %v_plain_t = array.read %plain, %zero, %last_plain#1 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<3xf32>, !flow.token)
  flow.fetch %v_plain {name = "plain"} : (tensor<3xf32>) -> ()
  %both, %both0, %botht = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "both"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %last_both:2 = flow.while (%zero, %both0) (%n, %m, %both, %x, %q) {frame = "both", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<f32>, tensor<i32>, tensor<i32>, !array.handle<tensor<*xf32>>, tensor<3xf32>, tensor<i1>) -> (tensor<i32>, tensor<f32>) before {
  ^bb0(%i: tensor<i32>, %g: tensor<f32>, %limit: tensor<i32>, %other: tensor<i32>, %h: !array.handle<tensor<*xf32>>, %y: tensor<3xf32>, %also: tensor<i1>):
    %below = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %p = nd.logical_and %below, %below : (tensor<i1>, tensor<i1>) -> tensor<i1>
    flow.condition %p (%i, %g) : (tensor<i1>, tensor<i32>, tensor<f32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %g: tensor<f32>, %limit: tensor<i32>, %other: tensor<i32>, %h: !array.handle<tensor<*xf32>>, %y: tensor<3xf32>, %also: tensor<i1>):
    %step = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %step, %i : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %g1, %d = array.write %h, %i, %y, %g : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)
    flow.yield %next, %g1 : (tensor<i32>, tensor<f32>) -> ()
  }
  %v_both, %v_both_t = array.read %both, %zero, %last_both#1 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<3xf32>, !flow.token)
  flow.fetch %v_both {name = "both"} : (tensor<3xf32>) -> ()
}

// -----

// If elements that nobody has written are zeros, they may be left out: any counter will do.
// CHECK-LABEL: @zeros
// CHECK-NOT: array.
flow.graph @zeros {
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %m = flow.feed {name = "m:0"} : () -> tensor<i32>
  %q = flow.feed {name = "q:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<3xf32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %wide, %wide0, %widet = array.create %n {dtype = f32, element_shape = tensor<3xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "wide"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %last_wide:2 = flow.while (%m, %wide0) (%n, %m, %wide, %x, %q) {frame = "wide", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<f32>, tensor<i32>, tensor<i32>, !array.handle<tensor<*xf32>>, tensor<3xf32>, tensor<i1>) -> (tensor<i32>, tensor<f32>) before {
  ^bb0(%i: tensor<i32>, %g: tensor<f32>, %limit: tensor<i32>, %other: tensor<i32>, %h: !array.handle<tensor<*xf32>>, %y: tensor<3xf32>, %also: tensor<i1>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %g) : (tensor<i1>, tensor<i32>, tensor<f32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %g: tensor<f32>, %limit: tensor<i32>, %other: tensor<i32>, %h: !array.handle<tensor<*xf32>>, %y: tensor<3xf32>, %also: tensor<i1>):
    %step = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %step, %i : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %g1, %d = array.write %h, %i, %y, %g : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)
    flow.yield %next, %g1 : (tensor<i32>, tensor<f32>) -> ()
  }
  %v, %v_t = array.read %wide, %zero, %last_wide#1 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<3xf32>, !flow.token)
  flow.fetch %v {name = "v"} : (tensor<3xf32>) -> ()
}

// -----

// A branch writes to it. The handle is captured no more, and the wishes of the other captures stay.
// CHECK-LABEL: @in_branch
// CHECK-NOT: array.
// CHECK: flow.cond %{{.*}}(%{{.*}}, %{{.*}}, %{{.*}}) {wire.steering = {
// CHECK-SAME: on_false = [{wire.requested = "/task:1"}, {wire.requested = "/task:3"}, {wire.requested = "/task:4"}]
// CHECK-SAME: on_true = [{wire.requested = "/task:5"}, {wire.requested = "/task:7"}, {wire.requested = "/task:8"}]
// CHECK-NOT: array.
// CHECK: ^bb0(%[[F:.*]]: tensor<2x3xf32>, %[[Y:.*]]: tensor<3xf32>, %[[I:.*]]: tensor<i32>):
// CHECK-NEXT: nd.set_row %[[F]], %[[I]], %[[Y]]
// CHECK-NOT: array.
flow.graph @in_branch {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<3xf32>
  %a, %a0, %at = array.create %n {dtype = f32, element_shape = tensor<3xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %a1 = flow.cond %p (%a0, %a, %x, %zero) {wire.steering = {on_false = [{wire.requested = "/task:1"}, {wire.requested = "/task:2"}, {wire.requested = "/task:3"}, {wire.requested = "/task:4"}], on_true = [{wire.requested = "/task:5"}, {wire.requested = "/task:6"}, {wire.requested = "/task:7"}, {wire.requested = "/task:8"}]}} : (tensor<i1>, tensor<f32>, !array.handle<tensor<*xf32>>, tensor<3xf32>, tensor<i32>) -> tensor<f32> on_true {
  ^bb0(%f: tensor<f32>, %h: !array.handle<tensor<*xf32>>, %y: tensor<3xf32>, %i: tensor<i32>):
    %g, %d = array.write %h, %i, %y, %f : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)
    flow.yield %g : (tensor<f32>) -> ()
  } on_false {
  ^bb0(%f: tensor<f32>, %h: !array.handle<tensor<*xf32>>, %y: tensor<3xf32>, %i: tensor<i32>):
    flow.yield %f : (tensor<f32>) -> ()
  }
  %v, %v_t = array.read %a, %zero, %a1 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<3xf32>, !flow.token)
  flow.fetch %v {name = "v"} : (tensor<3xf32>) -> ()
}

// -----

// Some elements are read, in any order; one that is read may be declared with the bounds that it has.
// CHECK-LABEL: @some
// CHECK-NOT: array.
flow.graph @some {
  %n = nd.constant {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %x = flow.feed {name = "x:0"} : () -> tensor<2x3xf32>
  %in_order = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
  // CHECK: %[[X:.*]] = flow.feed {name = "x:0"}
  // CHECK: %[[I:.*]] = flow.feed {name = "i:0"}
  // CHECK: %[[ZERO:.*]] = nd.constant {value = dense<0> : tensor<i32>}
  // CHECK: nd.gather %[[X]], %[[I]], %[[ZERO]] {batch_dims = 0
  %i = flow.feed {name = "i:0"} : () -> tensor<1xi32>
  %a, %a0, %at = array.create %n {dtype = f32, element_shape = tensor<?xf32>, dynamic_size = false, clear_after_read = false, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %a1, %ad = array.scatter %a, %in_order, %x, %a0 : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<2x3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  %v, %d = array.gather %a, %i, %a1 {element_shape = tensor<?xf32>} : (!array.handle<tensor<*xf32>>, tensor<1xi32>, tensor<f32>) -> (tensor<1x3xf32>, !flow.token)
  flow.fetch %v {name = "v"} : (tensor<1x3xf32>) -> ()
}
