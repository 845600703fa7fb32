// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A scan: a TensorArray is filled from rows of x, and each round reads one of it and writes its state to
// another one. Raise makes values of both arrays.
//
//   s = 0; for (i = 0; i < 5; ++i) { s = sin(s * w + x[i]); out[i] = s; }
flow.graph @main {
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %five = nd.constant {value = dense<5> : tensor<i32>} : () -> tensor<i32>
  %rows = nd.constant {value = dense<[0, 1, 2, 3, 4]> : tensor<5xi32>} : () -> tensor<5xi32>
  %begin = nd.constant {value = dense<0.0> : tensor<2xf64>} : () -> tensor<2xf64>
  %x0 = flow.feed {name = "x"} : () -> tensor<5x2xf64>
  %x = flow.independent %x0 {name = "x"} : (tensor<5x2xf64>) -> tensor<5x2xf64>
  %w0 = flow.feed {name = "w"} : () -> tensor<2xf64>
  %w = flow.independent %w0 {name = "w"} : (tensor<2xf64>) -> tensor<2xf64>
  %in, %in_made, %t0 = array.create %five {dtype = f64, element_shape = tensor<2xf64>, dynamic_size = false, clear_after_read = true, identical_element_shapes = true, name = "in"} : (tensor<i32>) -> (!array.handle<tensor<2xf64>>, tensor<f32>, !flow.token)
  %in_full, %t1 = array.scatter %in, %rows, %x, %in_made : (!array.handle<tensor<2xf64>>, tensor<5xi32>, tensor<5x2xf64>, tensor<f32>) -> (tensor<f32>, !flow.token)
  %out, %out_made, %t2 = array.create %five {dtype = f64, element_shape = tensor<2xf64>, dynamic_size = false, clear_after_read = true, identical_element_shapes = true, name = "out"} : (tensor<i32>) -> (!array.handle<tensor<2xf64>>, tensor<f32>, !flow.token)
  %r:3 = flow.while (%zero, %begin, %out_made) (%w, %in, %in_full, %out) {frame = "scan", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<2xf64>, tensor<f32>, tensor<2xf64>, !array.handle<tensor<2xf64>>, tensor<f32>, !array.handle<tensor<2xf64>>) -> (tensor<i32>, tensor<2xf64>, tensor<f32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<2xf64>, %written: tensor<f32>, %v: tensor<2xf64>, %a: !array.handle<tensor<2xf64>>, %a_full: tensor<f32>, %b: !array.handle<tensor<2xf64>>):
    %most = nd.constant {value = dense<5> : tensor<i32>} : () -> tensor<i32>
    %more = nd.less %i, %most : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %more (%i, %s, %written) : (tensor<i1>, tensor<i32>, tensor<2xf64>, tensor<f32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<2xf64>, %written: tensor<f32>, %v: tensor<2xf64>, %a: !array.handle<tensor<2xf64>>, %a_full: tensor<f32>, %b: !array.handle<tensor<2xf64>>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %j = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %row, %t3 = array.read %a, %i, %a_full : (!array.handle<tensor<2xf64>>, tensor<i32>, tensor<f32>) -> (tensor<2xf64>, !flow.token)
    %m = nd.mul %s, %v : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
    %sum = nd.add %m, %row : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
    %next = nd.sin %sum : (tensor<2xf64>) -> tensor<2xf64>
    %more_written, %t4 = array.write %b, %i, %next, %written : (!array.handle<tensor<2xf64>>, tensor<i32>, tensor<2xf64>, tensor<f32>) -> (tensor<f32>, !flow.token)
    flow.yield %j, %next, %more_written : (tensor<i32>, tensor<2xf64>, tensor<f32>) -> ()
  }
  %y, %t5 = array.gather %out, %rows, %r#2 {element_shape = tensor<2xf64>} : (!array.handle<tensor<2xf64>>, tensor<5xi32>, tensor<f32>) -> (tensor<5x2xf64>, !flow.token)
  %dx, %dw = flow.gradient of %y seeds wrt %x, %w stops {name = "gradients"} : (tensor<5x2xf64>, tensor<5x2xf64>, tensor<2xf64>) -> (tensor<5x2xf64>, tensor<2xf64>)
}
