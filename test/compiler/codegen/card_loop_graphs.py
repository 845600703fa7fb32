# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs of loops for a card, in the text of the IR, for what no graph of TensorFlow has in that form."""

# steps = n; result = the sum of a' b, n times.
ADDED_PRODUCTS = """
flow.graph @main {
  %a = flow.feed {name = "a"} : () -> tensor<8x5xf32>
  %b = flow.feed {name = "b"} : () -> tensor<8x6xf32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %none = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0.0> : tensor<5x6xf32>} : () -> tensor<5x6xf32>
  %r:2 = flow.while(%none, %zero) (%n, %a, %b) {frame = "loop", parallel_iterations = 10 : i64} :
      (tensor<i32>, tensor<5x6xf32>, tensor<i32>, tensor<8x5xf32>, tensor<8x6xf32>) ->
      (tensor<i32>, tensor<5x6xf32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<5x6xf32>, %end: tensor<i32>, %x: tensor<8x5xf32>, %y: tensor<8x6xf32>):
    %p = nd.less %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %s) : (tensor<i1>, tensor<i32>, tensor<5x6xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<5x6xf32>, %end: tensor<i32>, %x: tensor<8x5xf32>, %y: tensor<8x6xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %sum = nd.matmul_onto %s, %x, %y {transpose_lhs = true, transpose_rhs = false} :
        (tensor<5x6xf32>, tensor<8x5xf32>, tensor<8x6xf32>) -> tensor<5x6xf32>
    flow.yield %next, %sum : (tensor<i32>, tensor<5x6xf32>) -> ()
  }
  flow.fetch %r#0 {name = "steps"} : (tensor<i32>) -> ()
  flow.fetch %r#1 {name = "result"} : (tensor<5x6xf32>) -> ()
}
"""

# steps = n; result: in each iteration a number moves in from the left, of what is the only row of an array up to
# iteration 64, and numbers are added.
JOINED_NUMBERS = """
flow.graph @main {
  %a = flow.feed {name = "a"} : () -> tensor<1x4xf32>
  %b = flow.feed {name = "b"} : () -> tensor<1x1xf32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %none = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %r:2 = flow.while(%none, %a) (%n, %b) {frame = "loop", parallel_iterations = 10 : i64} :
      (tensor<i32>, tensor<1x4xf32>, tensor<i32>, tensor<1x1xf32>) -> (tensor<i32>, tensor<1x4xf32>) before {
  ^bb0(%i: tensor<i32>, %s: tensor<1x4xf32>, %end: tensor<i32>, %y: tensor<1x1xf32>):
    %p = nd.less %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %s) : (tensor<i1>, tensor<i32>, tensor<1x4xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %s: tensor<1x4xf32>, %end: tensor<i32>, %y: tensor<1x1xf32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %count = nd.cast %i : (tensor<i32>) -> tensor<f32>
    %many = nd.constant {value = dense<64> : tensor<i32>} : () -> tensor<i32>
    %place = nd.floor_div %i, %many : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %old = nd.row %y, %place : (tensor<1x1xf32>, tensor<i32>) -> tensor<1xf32>
    %sum_ = nd.add %old, %count : (tensor<1xf32>, tensor<f32>) -> tensor<1xf32>
    %array = nd.set_row %y, %place, %sum_ : (tensor<1x1xf32>, tensor<i32>, tensor<1xf32>) -> tensor<1x1xf32>
    %number = nd.add %array, %y : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %both = nd.concat %number, %s, %one : (tensor<1x1xf32>, tensor<1x4xf32>, tensor<i32>) -> tensor<1x5xf32>
    %begin = nd.constant {value = dense<0> : tensor<2xi32>} : () -> tensor<2xi32>
    %size = nd.constant {value = dense<[1, 4]> : tensor<2xi32>} : () -> tensor<2xi32>
    %cut = nd.slice %both, %begin, %size : (tensor<1x5xf32>, tensor<2xi32>, tensor<2xi32>) -> tensor<1x4xf32>
    %half = nd.constant {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
    %axes = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
    %most = nd.reduce_max %s, %axes {keep_dims = false} : (tensor<1x4xf32>, tensor<2xi32>) -> tensor<f32>
    %row = nd.pack %count, %half, %most, %half {axis = 0 : i64} :
        (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
    %sum = nd.add %cut, %row : (tensor<1x4xf32>, tensor<4xf32>) -> tensor<1x4xf32>
    flow.yield %next, %sum : (tensor<i32>, tensor<1x4xf32>) -> ()
  }
  flow.fetch %r#0 {name = "steps"} : (tensor<i32>) -> ()
  flow.fetch %r#1 {name = "result"} : (tensor<1x4xf32>) -> ()
}
"""


def many_loops(count):
    """steps = n; result: a, multiplied n times by a number in each of so many loops, one after the other."""
    text = """flow.graph @main {
  %a = flow.feed {name = "a"} : () -> tensor<2x3xf32>
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %none = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
"""
    for k in range(count):
        before = f"%r{k}#1" if k else "%a"
        text += f"""  %r{k + 1}:2 = flow.while(%none, {before}) (%n) {{frame = "loop{k}", parallel_iterations = 10 : i64}} :
      (tensor<i32>, tensor<2x3xf32>, tensor<i32>) -> (tensor<i32>, tensor<2x3xf32>) before {{
  ^bb0(%i: tensor<i32>, %s: tensor<2x3xf32>, %end: tensor<i32>):
    %p = nd.less %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p(%i, %s) : (tensor<i1>, tensor<i32>, tensor<2x3xf32>) -> ()
  }} body {{
  ^bb0(%i: tensor<i32>, %s: tensor<2x3xf32>, %end: tensor<i32>):
    %one = nd.constant {{value = dense<1> : tensor<i32>}} : () -> tensor<i32>
    %by = nd.constant {{value = dense<{1 + k / 64}> : tensor<f32>}} : () -> tensor<f32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %y = nd.mul %s, %by : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
    flow.yield %next, %y : (tensor<i32>, tensor<2x3xf32>) -> ()
  }}
"""
    return text + f"""  flow.fetch %r{count}#0 {{name = "steps"}} : (tensor<i32>) -> ()
  flow.fetch %r{count}#1 {{name = "result"}} : (tensor<2x3xf32>) -> ()
}}
"""
