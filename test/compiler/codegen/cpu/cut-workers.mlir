// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results do not depend on how many threads share the boxes of a codelet, nor on whether its sizes are
// known. Sizes are such that the last box of a loop is shorter than others.
// RUN: sed 's/ROWS/1237/g; s/COLUMNS/1531/g; s/WIDTH/3062/g' %s > %t.known.mlir
// RUN: sed 's/ROWS/?/g; s/COLUMNS/?/g; s/WIDTH/?/g' %s > %t.unknown.mlir
// RUN: sluicec %t.known.mlir -o %t.known
// RUN: sluicec %t.unknown.mlir -o %t.unknown
// RUN: sluicec %t.known.mlir --no-codelets -o %t.kernels
// DEFINE: %{given} = --input x=rand --input b=rand --input c=rand --input n=i32=0 --input i=3xi32=0,0,0
// RUN: %t.known %{given} --output x_=@%t.x.npy --output b_=@%t.b.npy --output c_=@%t.c.npy > /dev/null
// DEFINE: %{from} = --input x=@%t.x.npy --input b=@%t.b.npy --input c=@%t.c.npy --input n=i32=3 --input i=3xi32=7,0,2
// DEFINE: %{to} =
// DEFINE: %{results} = --output fused=@%{to}[fused] --output turned=@%{to}[turned] --output wide=@%{to}[wide] --output hot=@%{to}[hot] --output all=@%{to}[all] --output rows=@%{to}[rows] --output columns=@%{to}[columns] --output last=@%{to}[last] --output half=@%{to}[half] --output picked=@%{to}[picked]
// REDEFINE: %{to} = %t.expected.npz
// RUN: %t.kernels %{from} %{results} --workers 1
// REDEFINE: %{to} = %t.results.npz
// RUN: rm -f %{to} && %t.known %{from} %{results} --workers 0 --stats-json 2>&1 | FileCheck %s
// RUN: cmp %{to} %t.expected.npz
// RUN: rm -f %{to} && %t.known %{from} %{results} --workers 1
// RUN: cmp %{to} %t.expected.npz
// RUN: rm -f %{to} && %t.known %{from} %{results} --workers 2
// RUN: cmp %{to} %t.expected.npz
// RUN: rm -f %{to} && %t.known %{from} %{results} --workers 7
// RUN: cmp %{to} %t.expected.npz
// RUN: rm -f %{to} && %t.unknown %{from} %{results} --workers 0 --stats-json 2>&1 | FileCheck %s
// RUN: cmp %{to} %t.expected.npz
// RUN: rm -f %{to} && %t.unknown %{from} %{results} --workers 1
// RUN: cmp %{to} %t.expected.npz
// RUN: rm -f %{to} && %t.unknown %{from} %{results} --workers 2
// RUN: cmp %{to} %t.expected.npz
// RUN: rm -f %{to} && %t.unknown %{from} %{results} --workers 7
// RUN: cmp %{to} %t.expected.npz

// CHECK: "codelet_bails":0
flow.graph @main {
  %x = flow.feed {name = "x:0"} : () -> tensor<ROWSxCOLUMNSxf32>
  %b = flow.feed {name = "b:0"} : () -> tensor<COLUMNSxf32>
  %c = flow.feed {name = "c:0"} : () -> tensor<ROWSx1xf32>
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %i = flow.feed {name = "i:0"} : () -> tensor<3xi32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %swap = nd.constant {value = dense<[1, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
  %first = nd.constant {value = dense<[0]> : tensor<1xi32>} : () -> tensor<1xi32>
  %second = nd.constant {value = dense<[1]> : tensor<1xi32>} : () -> tensor<1xi32>
  %both = nd.constant {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
  flow.fetch %x {name = "x_:0"} : (tensor<ROWSxCOLUMNSxf32>) -> ()
  flow.fetch %b {name = "b_:0"} : (tensor<COLUMNSxf32>) -> ()
  flow.fetch %c {name = "c_:0"} : (tensor<ROWSx1xf32>) -> ()
  // A row for all, a column for all, and functions.
  %s = nd.add %x, %b : (tensor<ROWSxCOLUMNSxf32>, tensor<COLUMNSxf32>) -> tensor<ROWSxCOLUMNSxf32>
  %m = nd.mul %s, %c : (tensor<ROWSxCOLUMNSxf32>, tensor<ROWSx1xf32>) -> tensor<ROWSxCOLUMNSxf32>
  %fused = nd.tanh %m : (tensor<ROWSxCOLUMNSxf32>) -> tensor<ROWSxCOLUMNSxf32>
  flow.fetch %fused {name = "fused:0"} : (tensor<ROWSxCOLUMNSxf32>) -> ()
  // Elements that are no neighbours.
  %view = nd.transpose %x, %swap {conjugate = false} : (tensor<ROWSxCOLUMNSxf32>, tensor<2xi32>) -> tensor<COLUMNSxROWSxf32>
  %turned = nd.exp %view : (tensor<COLUMNSxROWSxf32>) -> tensor<COLUMNSxROWSxf32>
  flow.fetch %turned {name = "turned:0"} : (tensor<COLUMNSxROWSxf32>) -> ()
  // Into parts of a result.
  %wide = nd.concat %fused, %x, %one : (tensor<ROWSxCOLUMNSxf32>, tensor<ROWSxCOLUMNSxf32>, tensor<i32>) -> tensor<ROWSxWIDTHxf32>
  flow.fetch %wide {name = "wide:0"} : (tensor<ROWSxWIDTHxf32>) -> ()
  // Of positions.
  %depth = nd.constant {value = dense<500000> : tensor<i32>} : () -> tensor<i32>
  %on = nd.constant {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
  %off = nd.constant {value = dense<-0.0> : tensor<f32>} : () -> tensor<f32>
  %hot = nd.one_hot %i, %depth, %on, %off {axis = -1} : (tensor<3xi32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<3x500000xf32>
  flow.fetch %hot {name = "hot:0"} : (tensor<3x500000xf32>) -> ()
  // Reductions.
  %all = nd.reduce_sum %x, %both {keep_dims = false} : (tensor<ROWSxCOLUMNSxf32>, tensor<2xi32>) -> tensor<f32>
  %rows = nd.reduce_mean %x, %second {keep_dims = false} : (tensor<ROWSxCOLUMNSxf32>, tensor<1xi32>) -> tensor<ROWSxf32>
  %columns = nd.reduce_sum %x, %first {keep_dims = false} : (tensor<ROWSxCOLUMNSxf32>, tensor<1xi32>) -> tensor<COLUMNSxf32>
  flow.fetch %all {name = "all:0"} : (tensor<f32>) -> ()
  flow.fetch %rows {name = "rows:0"} : (tensor<ROWSxf32>) -> ()
  flow.fetch %columns {name = "columns:0"} : (tensor<COLUMNSxf32>) -> ()
  // In a loop.
  %k, %last = flow.while (%zero, %x) (%fused, %n, %one) {frame = "loop", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<ROWSxCOLUMNSxf32>, tensor<ROWSxCOLUMNSxf32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<ROWSxCOLUMNSxf32>) before {
  ^bb0(%k0: tensor<i32>, %x0: tensor<ROWSxCOLUMNSxf32>, %f0: tensor<ROWSxCOLUMNSxf32>, %n0: tensor<i32>, %one0: tensor<i32>):
    %less = nd.less %k0, %n0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %less (%k0, %x0) : (tensor<i1>, tensor<i32>, tensor<ROWSxCOLUMNSxf32>) -> ()
  } body {
  ^bb0(%k1: tensor<i32>, %x1: tensor<ROWSxCOLUMNSxf32>, %f1: tensor<ROWSxCOLUMNSxf32>, %n1: tensor<i32>, %one1: tensor<i32>):
    %k2 = nd.add %k1, %one1 : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %y1 = nd.mul %x1, %f1 : (tensor<ROWSxCOLUMNSxf32>, tensor<ROWSxCOLUMNSxf32>) -> tensor<ROWSxCOLUMNSxf32>
    %x2 = nd.add %y1, %f1 : (tensor<ROWSxCOLUMNSxf32>, tensor<ROWSxCOLUMNSxf32>) -> tensor<ROWSxCOLUMNSxf32>
    flow.yield %k2, %x2 : (tensor<i32>, tensor<ROWSxCOLUMNSxf32>) -> ()
  }
  flow.fetch %last {name = "last:0"} : (tensor<ROWSxCOLUMNSxf32>) -> ()
  // Other types.
  %small = nd.cast %x : (tensor<ROWSxCOLUMNSxf32>) -> tensor<ROWSxCOLUMNSxf16>
  %half = nd.sigmoid %small : (tensor<ROWSxCOLUMNSxf16>) -> tensor<ROWSxCOLUMNSxf16>
  flow.fetch %half {name = "half:0"} : (tensor<ROWSxCOLUMNSxf16>) -> ()
  // By indices.
  %picked = nd.gather %fused, %i, %one {batch_dims = 0} : (tensor<ROWSxCOLUMNSxf32>, tensor<3xi32>, tensor<i32>) -> tensor<ROWSx3xf32>
  flow.fetch %picked {name = "picked:0"} : (tensor<ROWSx3xf32>) -> ()
}
