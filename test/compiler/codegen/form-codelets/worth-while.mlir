// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What becomes a codelet by itself, what does not, and how large codelets get.
// RUN: sluice-opt --codegen-form-codelets %s | FileCheck %s
// RUN: sluice-opt --codegen-form-codelets=max-ops=2 %s | FileCheck %s --check-prefix=SMALL
// RUN: sluice-opt --codegen-form-codelets=max-constant-bytes=63 %s | FileCheck %s --check-prefix=LARGE
// RUN: sluice-opt --codegen-form-codelets=max-constant-bytes=64 %s | FileCheck %s --check-prefix=FITS
// RUN: sluice-opt --codegen-form-codelets=keep-unused %s | FileCheck %s --check-prefix=KEPT

// A single op of scalars is as fast without, and so is what only gives a tensor another shape.
// CHECK-LABEL: flow.graph @single
// CHECK-NOT: flow.codelet
// CHECK: nd.neg
// CHECK-NOT: flow.codelet
// CHECK: nd.reshape
// CHECK: flow.codelet
// CHECK-NEXT: ^bb0
// CHECK-NEXT: nd.exp
flow.graph @single {
  %x = flow.feed {name = "x"} : () -> tensor<f32>
  %y = flow.feed {name = "y"} : () -> tensor<16xf32>
  %z = flow.feed {name = "z"} : () -> tensor<16xf32>
  %shape = nd.constant {value = dense<4> : tensor<2xi32>} : () -> tensor<2xi32>
  %a = nd.neg %x : (tensor<f32>) -> tensor<f32>
  %b = nd.reshape %y, %shape : (tensor<16xf32>, tensor<2xi32>) -> tensor<4x4xf32>
  %c = nd.exp %z : (tensor<16xf32>) -> tensor<16xf32>
  flow.fetch %a {name = "a"} : (tensor<f32>) -> ()
  flow.fetch %b {name = "b"} : (tensor<4x4xf32>) -> ()
  flow.fetch %c {name = "c"} : (tensor<16xf32>) -> ()
}

// A collapsed loop is one by itself. It stays alone: should the code of the others give up because
// of what it finds in their operands, their kernels can be run instead, but nobody could run a loop.
// CHECK-LABEL: flow.graph @loop
// CHECK: flow.codelet
// CHECK-NEXT: ^bb0
// CHECK: flow.while
// CHECK: nd.add
// CHECK: flow.yield
// CHECK: flow.yield
// CHECK: nd.neg
flow.graph @loop {
  %n = flow.feed {name = "n"} : () -> tensor<i32>
  %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %last = flow.while (%zero) (%n) {codegen.collapse, frame = "loop", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<i32>) -> tensor<i32> before {
  ^bb0(%i: tensor<i32>, %limit: tensor<i32>):
    %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i) : (tensor<i1>, tensor<i32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %limit: tensor<i32>):
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    flow.yield %next : (tensor<i32>) -> ()
  }
  %r = nd.neg %last : (tensor<i32>) -> tensor<i32>
  flow.fetch %r {name = "r"} : (tensor<i32>) -> ()
}

// CHECK-LABEL: flow.graph @chain
// CHECK-COUNT-1: flow.codelet
// CHECK-NOT: flow.codelet
// CHECK: flow.fetch
// SMALL-LABEL: flow.graph @chain
// SMALL: flow.codelet
// SMALL-NEXT: ^bb0
// SMALL-NEXT: nd.exp
// SMALL-NEXT: nd.neg
// SMALL-NEXT: flow.yield
// SMALL: flow.codelet
// SMALL-NEXT: ^bb0
// SMALL-NEXT: nd.tanh
// SMALL-NEXT: nd.abs
// SMALL-NEXT: flow.yield
// SMALL: flow.fetch
flow.graph @chain {
  %x = flow.feed {name = "x"} : () -> tensor<16xf32>
  %a = nd.exp %x : (tensor<16xf32>) -> tensor<16xf32>
  %b = nd.neg %a : (tensor<16xf32>) -> tensor<16xf32>
  %c = nd.tanh %b : (tensor<16xf32>) -> tensor<16xf32>
  %d = nd.abs %c : (tensor<16xf32>) -> tensor<16xf32>
  flow.fetch %d {name = "d"} : (tensor<16xf32>) -> ()
}

// Neither has any of these; what makes a tensor of scalars, or a scalar of a tensor, is worth it.
// CHECK-LABEL: flow.graph @others
// CHECK-NOT: flow.codelet
// CHECK: nd.expand_dims
// CHECK-NOT: flow.codelet
// CHECK: nd.squeeze
// CHECK-NOT: flow.codelet
// CHECK: nd.stop_gradient
// CHECK-NOT: flow.codelet
// CHECK: nd.mul %{{.*}} : (tensor<1xf32>, tensor<f32>) -> tensor<1xf32>
// CHECK: flow.codelet
// CHECK-NEXT: ^bb0
// CHECK-NEXT: nd.pack
// CHECK: flow.codelet
// CHECK-NEXT: ^bb0
// CHECK-NEXT: nd.row
// CHECK: flow.codelet
// CHECK-NEXT: ^bb0
// CHECK-NEXT: nd.neg
flow.graph @others {
  %x = flow.feed {name = "x"} : () -> tensor<1x16xf32>
  %s = flow.feed {name = "s"} : () -> tensor<f32>
  %o = flow.feed {name = "o"} : () -> tensor<1xf32>
  %i = flow.feed {name = "i"} : () -> tensor<i32>
  %v = flow.feed {name = "v"} : () -> tensor<16xf32>
  %u = flow.feed {name = "u"} : () -> tensor<?xf32>
  %axis = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %a = nd.expand_dims %x, %axis : (tensor<1x16xf32>, tensor<i32>) -> tensor<1x1x16xf32>
  %b = nd.squeeze %x {axes = array<i64: 0>} : (tensor<1x16xf32>) -> tensor<16xf32>
  %c = nd.stop_gradient %x : (tensor<1x16xf32>) -> tensor<1x16xf32>
  %d = nd.mul %o, %s : (tensor<1xf32>, tensor<f32>) -> tensor<1xf32>
  %e = nd.pack %s, %s {axis = 0 : i64} : (tensor<f32>, tensor<f32>) -> tensor<2xf32>
  %f = nd.row %v, %i : (tensor<16xf32>, tensor<i32>) -> tensor<f32>
  %g = nd.neg %u : (tensor<?xf32>) -> tensor<?xf32>
  flow.fetch %a {name = "a"} : (tensor<1x1x16xf32>) -> ()
  flow.fetch %b {name = "b"} : (tensor<16xf32>) -> ()
  flow.fetch %c {name = "c"} : (tensor<1x16xf32>) -> ()
  flow.fetch %d {name = "d"} : (tensor<1xf32>) -> ()
  flow.fetch %e {name = "e"} : (tensor<2xf32>) -> ()
  flow.fetch %f {name = "f"} : (tensor<f32>) -> ()
  flow.fetch %g {name = "g"} : (tensor<?xf32>) -> ()
}

// Constants are copied up to a size. A bool takes a byte.
// CHECK-LABEL: flow.graph @constants
// CHECK: flow.codelet(%{{[a-z0-9]*}}) :
// LARGE-LABEL: flow.graph @constants
// LARGE: %[[C:.*]] = nd.constant {value = dense<2.0
// LARGE: flow.codelet(%{{.*}}, %[[C]]) :
// LARGE: %[[B:.*]] = nd.constant {value = dense<true
// LARGE: flow.codelet(%{{.*}}, %[[B]]) :
// FITS-LABEL: flow.graph @constants
// FITS: flow.codelet(%{{[a-z0-9]*}}) :
// FITS: flow.codelet(%{{[a-z0-9]*}}) :
flow.graph @constants {
  %x = flow.feed {name = "x"} : () -> tensor<16xf32>
  %two = nd.constant {value = dense<2.0> : tensor<16xf32>} : () -> tensor<16xf32>
  %a = nd.mul %x, %two : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  %q = flow.feed {name = "q"} : () -> tensor<64xi1>
  %true = nd.constant {value = dense<true> : tensor<64xi1>} : () -> tensor<64xi1>
  %b = nd.logical_and %q, %true : (tensor<64xi1>, tensor<64xi1>) -> tensor<64xi1>
  flow.fetch %a {name = "a"} : (tensor<16xf32>) -> ()
  flow.fetch %b {name = "b"} : (tensor<64xi1>) -> ()
}

// The size is 4096 bytes.
// CHECK-LABEL: flow.graph @large_constants
// CHECK: %[[C:.*]] = nd.constant {{.*}} tensor<1025xf32>
// CHECK: flow.codelet(%{{[a-z0-9]*}}) : (tensor<1024xf32>)
// CHECK: flow.codelet(%{{[a-z0-9]*}}, %[[C]]) : (tensor<1025xf32>, tensor<1025xf32>)
flow.graph @large_constants {
  %x = flow.feed {name = "x"} : () -> tensor<1024xf32>
  %y = flow.feed {name = "y"} : () -> tensor<1025xf32>
  %c = nd.constant {value = dense<2.0> : tensor<1024xf32>} : () -> tensor<1024xf32>
  %d = nd.constant {value = dense<2.0> : tensor<1025xf32>} : () -> tensor<1025xf32>
  %a = nd.mul %x, %c : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
  %b = nd.mul %y, %d : (tensor<1025xf32>, tensor<1025xf32>) -> tensor<1025xf32>
  flow.fetch %a {name = "a"} : (tensor<1024xf32>) -> ()
  flow.fetch %b {name = "b"} : (tensor<1025xf32>) -> ()
}

// The number of a single op is an input: so all that differ by it alone have one code.
// CHECK-LABEL: flow.graph @numbers
// CHECK: %[[TWO:.*]] = nd.constant
// CHECK: %[[THREE:.*]] = nd.constant
// CHECK: flow.codelet(%{{.*}}, %[[TWO]]) :
// CHECK: flow.codelet(%{{.*}}, %[[THREE]]) :
// CHECK: flow.codelet(%{{[a-z0-9]*}}) : (tensor<16xi32>)
flow.graph @numbers {
  %x = flow.feed {name = "x"} : () -> tensor<16xf32>
  %i = flow.feed {name = "i"} : () -> tensor<16xi32>
  %two = nd.constant {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
  %three = nd.constant {value = dense<3.0> : tensor<f32>} : () -> tensor<f32>
  %four = nd.constant {value = dense<4> : tensor<i32>} : () -> tensor<i32>
  %a = nd.add %x, %two : (tensor<16xf32>, tensor<f32>) -> tensor<16xf32>
  %b = nd.add %x, %three : (tensor<16xf32>, tensor<f32>) -> tensor<16xf32>
  %c = nd.add %i, %four : (tensor<16xi32>, tensor<i32>) -> tensor<16xi32>
  flow.fetch %a {name = "a"} : (tensor<16xf32>) -> ()
  flow.fetch %b {name = "b"} : (tensor<16xf32>) -> ()
  flow.fetch %c {name = "c"} : (tensor<16xi32>) -> ()
}

// What nobody needs goes: no kernel could run a branch that is to be machine code.
// CHECK-LABEL: flow.graph @unused
// CHECK-NOT: flow.cond
// CHECK-NOT: flow.codelet
// CHECK: flow.fetch
flow.graph @unused {
  %p = flow.feed {name = "p"} : () -> tensor<i1>
  %a = flow.cond %p() {codegen.collapse} : (tensor<i1>) -> tensor<i32> on_true {
    %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    flow.yield %one : (tensor<i32>) -> ()
  } on_false {
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    flow.yield %zero : (tensor<i32>) -> ()
  }
  %b = nd.neg %a : (tensor<i32>) -> tensor<i32>
  flow.fetch %p {name = "p"} : (tensor<i1>) -> ()
}

// What nobody takes is gone, unless it is to be kept, as it may fail: then the codelet gives it.
// CHECK-LABEL: flow.graph @kept
// CHECK: %[[X:.*]] = flow.feed
// CHECK-NEXT: flow.fetch %[[X]]
// KEPT-LABEL: flow.graph @kept
// KEPT: flow.codelet
// KEPT: %[[N:.*]] = nd.neg
// KEPT: %[[D:.*]] = nd.floor_div %[[N]]
// KEPT: flow.yield %[[D]]
flow.graph @kept {
  %x = flow.feed {name = "x"} : () -> tensor<16xi32>
  %n = nd.neg %x : (tensor<16xi32>) -> tensor<16xi32>
  %d = nd.floor_div %n, %x : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi32>
  flow.fetch %x {name = "x"} : (tensor<16xi32>) -> ()
}
