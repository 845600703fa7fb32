// What is read from an array or a stack has the shape of what is written to it, however far apart.
// RUN: sluice-opt --optimize-infer-shapes %s | FileCheck %s

// The handle goes into two loops: one pushes, the other pops.
// CHECK-LABEL: flow.graph @stack_across_loops
// CHECK: array.stack_push {{.*}} -> (tensor<2x3xf32>, !flow.token)
// CHECK: array.stack_pop {{.*}} -> (tensor<2x3xf32>, !flow.token)
// CHECK: nd.neg {{.*}} -> tensor<2x3xf32>
flow.graph @stack_across_loops {
  %x = flow.feed {name = "x:0"} : () -> tensor<2x3xf32>
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %s, %st = array.stack_create %n {dtype = f32, name = "s"} : (tensor<i32>) -> (!array.stack<tensor<*xf32>>, !flow.token)
  %es = flow.enter %s {frame = "forward", constant = true, parallel_iterations = 10 : i64} : (!array.stack<tensor<*xf32>>) -> !array.stack<tensor<*xf32>>
  %ex = flow.enter %x {frame = "forward", constant = true, parallel_iterations = 10 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %abs = nd.abs %ex : (tensor<2x3xf32>) -> tensor<*xf32>
  %pushed, %pt = array.stack_push %es, %abs {swap_memory = false} : (!array.stack<tensor<*xf32>>, tensor<*xf32>) -> (tensor<*xf32>, !flow.token)
  %bs = flow.enter %s {frame = "backward", constant = true, parallel_iterations = 10 : i64} : (!array.stack<tensor<*xf32>>) -> !array.stack<tensor<*xf32>>
  %popped, %ot = array.stack_pop %bs : (!array.stack<tensor<*xf32>>) -> (tensor<*xf32>, !flow.token)
  %neg = nd.neg %popped : (tensor<*xf32>) -> tensor<*xf32>
  %out = flow.exit %neg : (tensor<*xf32>) -> tensor<*xf32>
  flow.fetch %out {name = "out:0"} : (tensor<*xf32>) -> ()
}

// Rows of a scattered tensor are elements; the gradient array has elements of the same shape.
// CHECK-LABEL: flow.graph @array_and_gradient
// CHECK: array.read {{.*}} -> (tensor<3xf32>, !flow.token)
// CHECK: array.read {{.*}} -> (tensor<3xf32>, !flow.token)
// CHECK: array.gather {{.*}} -> (tensor<2x3xf32>, !flow.token)
// CHECK: array.concat {{.*}} -> (tensor<?xf32>, tensor<?xi64>, !flow.token)
flow.graph @array_and_gradient {
  %x = flow.feed {name = "x:0"} : () -> tensor<2x3xf32>
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %i = flow.feed {name = "i:0"} : () -> tensor<2xi32>
  %h, %f, %ht = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %f1, %t1 = array.scatter %h, %i, %x, %f : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<2x3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  %g, %f2, %t2 = array.grad %h, %f1 {source = "gradients"} : (!array.handle<tensor<*xf32>>, tensor<f32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %a, %ta = array.read %h, %n, %f1 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<*xf32>, !flow.token)
  %b, %tb = array.read %g, %n, %f2 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<*xf32>, !flow.token)
  %c, %tc = array.gather %g, %i, %f2 {element_shape = tensor<*xf32>} : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<f32>) -> (tensor<*xf32>, !flow.token)
  %d, %l, %td = array.concat %h, %f1 {element_shape_except0 = tensor<*xf32>} : (!array.handle<tensor<*xf32>>, tensor<f32>) -> (tensor<*xf32>, tensor<?xi64>, !flow.token)
  flow.fetch %a {name = "a:0"} : (tensor<*xf32>) -> ()
  flow.fetch %b {name = "b:0"} : (tensor<*xf32>) -> ()
  flow.fetch %c {name = "c:0"} : (tensor<*xf32>) -> ()
  flow.fetch %d {name = "d:0"} : (tensor<*xf32>) -> ()
}

// Values of two shapes: what they have in common.
// CHECK-LABEL: flow.graph @writes_disagree
// CHECK: array.stack_pop {{.*}} -> (tensor<2x?xf32>, !flow.token)
flow.graph @writes_disagree {
  %x = flow.feed {name = "x:0"} : () -> tensor<2x3xf32>
  %y = flow.feed {name = "y:0"} : () -> tensor<2x4xf32>
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %s, %st = array.stack_create %n {dtype = f32, name = "s"} : (tensor<i32>) -> (!array.stack<tensor<*xf32>>, !flow.token)
  %p, %pt = array.stack_push %s, %x {swap_memory = false} : (!array.stack<tensor<*xf32>>, tensor<2x3xf32>) -> (tensor<2x3xf32>, !flow.token)
  %q, %qt = array.stack_push %s, %y {swap_memory = false} : (!array.stack<tensor<*xf32>>, tensor<2x4xf32>) -> (tensor<2x4xf32>, !flow.token)
  %v, %vt = array.stack_pop %s, %pt, %qt : (!array.stack<tensor<*xf32>>, !flow.token, !flow.token) -> (tensor<*xf32>, !flow.token)
  flow.fetch %v {name = "out:0"} : (tensor<*xf32>) -> ()
}

// What is written further down may be what is read further up, in a later iteration say.
// CHECK-LABEL: flow.graph @read_above_writes
// CHECK: array.stack_pop {{.*}} -> (tensor<2x?xf32>, !flow.token)
// CHECK: nd.neg {{.*}} -> tensor<2x?xf32>
flow.graph @read_above_writes {
  %x = flow.feed {name = "x:0"} : () -> tensor<2x3xf32>
  %y = flow.feed {name = "y:0"} : () -> tensor<2x4xf32>
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %s, %st = array.stack_create %n {dtype = f32, name = "s"} : (tensor<i32>) -> (!array.stack<tensor<*xf32>>, !flow.token)
  %v, %vt = array.stack_pop %s : (!array.stack<tensor<*xf32>>) -> (tensor<*xf32>, !flow.token)
  %m = nd.neg %v : (tensor<*xf32>) -> tensor<*xf32>
  flow.fetch %m {name = "out:0"} : (tensor<*xf32>) -> ()
  %p, %pt = array.stack_push %s, %x {swap_memory = false} : (!array.stack<tensor<*xf32>>, tensor<2x3xf32>) -> (tensor<2x3xf32>, !flow.token)
  %q, %qt = array.stack_push %s, %y {swap_memory = false} : (!array.stack<tensor<*xf32>>, tensor<2x4xf32>) -> (tensor<2x4xf32>, !flow.token)
}

// An element that is read before it is written is zero, if the array knows its shape.
// CHECK-LABEL: flow.graph @zeros
// CHECK: array.read {{.*}} -> (tensor<?xf32>, !flow.token)
flow.graph @zeros {
  %x = flow.feed {name = "x:0"} : () -> tensor<3xf32>
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %h, %f, %ht = array.create %n {dtype = f32, element_shape = tensor<2xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %f1, %t1 = array.write %h, %n, %x, %f : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  %a, %ta = array.read %h, %n, %f1 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<*xf32>, !flow.token)
  flow.fetch %a {name = "a:0"} : (tensor<*xf32>) -> ()
}

// Others may write to a stack that lies on a stack, and to an array with longer elements.
// CHECK-LABEL: flow.graph @handles_out_of_sight
// CHECK: array.stack_pop {{.*}} -> (tensor<*xf32>, !flow.token)
// CHECK: array.read {{.*}} -> (tensor<*xf32>, !flow.token)
flow.graph @handles_out_of_sight {
  %x = flow.feed {name = "x:0"} : () -> tensor<3xf32>
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %l = flow.feed {name = "l:0"} : () -> tensor<?xi32>
  %s, %st = array.stack_create %n {dtype = f32, name = "s"} : (tensor<i32>) -> (!array.stack<tensor<*xf32>>, !flow.token)
  %o, %ot = array.stack_create %n {dtype = f32, name = "o"} : (tensor<i32>) -> (!array.stack<tensor<*xf32>>, !flow.token)
  %r, %rt = array.stack_push %o, %s {swap_memory = false} : (!array.stack<tensor<*xf32>>, !array.stack<tensor<*xf32>>) -> (!array.stack<tensor<*xf32>>, !flow.token)
  %p, %pt = array.stack_push %s, %x {swap_memory = false} : (!array.stack<tensor<*xf32>>, tensor<3xf32>) -> (tensor<3xf32>, !flow.token)
  %v, %vt = array.stack_pop %r, %pt : (!array.stack<tensor<*xf32>>, !flow.token) -> (tensor<*xf32>, !flow.token)
  flow.fetch %v {name = "v:0"} : (tensor<*xf32>) -> ()
  %h, %f, %ht = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %f1, %t1 = array.write %h, %n, %x, %f : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<3xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  %g, %f2, %t2 = array.grad_with_shape %h, %f1, %l {source = "gradients"} : (!array.handle<tensor<*xf32>>, tensor<f32>, tensor<?xi32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %b, %tb = array.read %g, %n, %f2 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<*xf32>, !flow.token)
  flow.fetch %b {name = "b:0"} : (tensor<*xf32>) -> ()
}

// Two stacks: what is written to one says nothing of the other.
// CHECK-LABEL: flow.graph @two_stacks
// CHECK: array.stack_pop {{.*}} -> (tensor<3xf32>, !flow.token)
// CHECK: array.stack_pop {{.*}} -> (tensor<4xf32>, !flow.token)
flow.graph @two_stacks {
  %x = flow.feed {name = "x:0"} : () -> tensor<3xf32>
  %y = flow.feed {name = "y:0"} : () -> tensor<4xf32>
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %s, %st = array.stack_create %n {dtype = f32, name = "s"} : (tensor<i32>) -> (!array.stack<tensor<*xf32>>, !flow.token)
  %r, %rt = array.stack_create %n {dtype = f32, name = "r"} : (tensor<i32>) -> (!array.stack<tensor<*xf32>>, !flow.token)
  %p, %pt = array.stack_push %s, %x {swap_memory = false} : (!array.stack<tensor<*xf32>>, tensor<3xf32>) -> (tensor<3xf32>, !flow.token)
  %q, %qt = array.stack_push %r, %y {swap_memory = false} : (!array.stack<tensor<*xf32>>, tensor<4xf32>) -> (tensor<4xf32>, !flow.token)
  %v, %vt = array.stack_pop %s, %pt : (!array.stack<tensor<*xf32>>, !flow.token) -> (tensor<*xf32>, !flow.token)
  %w, %wt = array.stack_pop %r, %qt : (!array.stack<tensor<*xf32>>, !flow.token) -> (tensor<*xf32>, !flow.token)
  flow.fetch %v {name = "v:0"} : (tensor<*xf32>) -> ()
  flow.fetch %w {name = "w:0"} : (tensor<*xf32>) -> ()
}

// Pieces that a tensor is split into differ in their first dim only. How many elements are gathered
// is known as far as the indices are; what an array of scalars has cannot be joined.
// CHECK-LABEL: flow.graph @split
// CHECK: array.read {{.*}} -> (tensor<?x3xf32>, !flow.token)
// CHECK: array.gather {{.*}} -> (tensor<?x?x3xf32>, !flow.token)
// CHECK: array.gather {{.*}} -> (tensor<?x?x3xf32>, !flow.token)
// CHECK: array.concat {{.*}} -> (tensor<?x3xf32>, tensor<?xi64>, !flow.token)
// CHECK: array.read {{.*}} -> (tensor<f32>, !flow.token)
// CHECK: array.read {{.*}} -> (tensor<*xf32>, !flow.token)
flow.graph @split {
  %x = flow.feed {name = "x:0"} : () -> tensor<4x3xf32>
  %v = flow.feed {name = "v:0"} : () -> tensor<2xf32>
  %s = flow.feed {name = "s:0"} : () -> tensor<f32>
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %i = flow.feed {name = "i:0"} : () -> tensor<?xi32>
  %j = flow.feed {name = "j:0"} : () -> tensor<*xi32>
  %i2 = flow.feed {name = "i2:0"} : () -> tensor<2xi32>
  %l = flow.feed {name = "l:0"} : () -> tensor<2xi64>
  %h, %f, %ht = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %f1, %t1 = array.split %h, %x, %l, %f : (!array.handle<tensor<*xf32>>, tensor<4x3xf32>, tensor<2xi64>, tensor<f32>) -> (tensor<f32>, !flow.token)
  %a, %ta = array.read %h, %n, %f1 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<*xf32>, !flow.token)
  %b, %tb = array.gather %h, %i, %f1 {element_shape = tensor<*xf32>} : (!array.handle<tensor<*xf32>>, tensor<?xi32>, tensor<f32>) -> (tensor<*xf32>, !flow.token)
  %c, %tc = array.gather %h, %j, %f1 {element_shape = tensor<*xf32>} : (!array.handle<tensor<*xf32>>, tensor<*xi32>, tensor<f32>) -> (tensor<*xf32>, !flow.token)
  %d, %dl, %td = array.concat %h, %f1 {element_shape_except0 = tensor<*xf32>} : (!array.handle<tensor<*xf32>>, tensor<f32>) -> (tensor<*xf32>, tensor<?xi64>, !flow.token)
  %k, %g, %kt = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %g1, %gt = array.scatter %k, %i2, %v, %g : (!array.handle<tensor<*xf32>>, tensor<2xi32>, tensor<2xf32>, tensor<f32>) -> (tensor<f32>, !flow.token)
  %e, %te = array.read %k, %n, %g1 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<*xf32>, !flow.token)
  %o, %p, %ot = array.create %n {dtype = f32, element_shape = tensor<*xf32>, dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"} : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token)
  %p1, %pt = array.split %o, %s, %l, %p : (!array.handle<tensor<*xf32>>, tensor<f32>, tensor<2xi64>, tensor<f32>) -> (tensor<f32>, !flow.token)
  %q, %tq = array.read %o, %n, %p1 : (!array.handle<tensor<*xf32>>, tensor<i32>, tensor<f32>) -> (tensor<*xf32>, !flow.token)
  flow.fetch %a {name = "a:0"} : (tensor<*xf32>) -> ()
  flow.fetch %b {name = "b:0"} : (tensor<*xf32>) -> ()
  flow.fetch %c {name = "c:0"} : (tensor<*xf32>) -> ()
  flow.fetch %d {name = "d:0"} : (tensor<*xf32>) -> ()
  flow.fetch %e {name = "e:0"} : (tensor<*xf32>) -> ()
  flow.fetch %q {name = "q:0"} : (tensor<*xf32>) -> ()
}
