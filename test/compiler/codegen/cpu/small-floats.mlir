// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 16-bit floats are held as their bits. Each op computes in f32 and rounds: 1 + 2^-11, halfway between
// two halves, is 1 after each of two additions, and a denormal half is a number. A sum is rounded once,
// at its end. What is wider than f32 becomes an f32 before it is rounded.
// RUN: sluice-opt --codegen-emit-codelets %s | FileCheck %s
// DEFINE: %{inputs} = --input x=3xf16=1,5.9604644775390625e-08,65504 --input y=3xf16=4.8828125e-04,0,16 --input b=3xbf16=1,0.00390625,0.00390625 --input d=2xf64=1.00048828125090949470,1e-7
// RUN: sluicec %s -o %t && %t %{inputs} --stats 2>&1 | FileCheck %s --check-prefixes=RUN-OUT,CODE
// RUN: sluicec --no-codelets %s -o %t && %t %{inputs} | FileCheck %s --check-prefix=RUN-OUT
// RUN: sluicec %s --march=x86-64 --emit=obj -o %t.o && llvm-nm -u %t.o | FileCheck %s --check-prefix=SYMBOLS
// RUN: sluicec %s --march=x86-64-v4 --emit=obj -o %t.o && llvm-nm -u %t.o | FileCheck %s --check-prefix=SYMBOLS
// RUN: sluicec %s --triple=aarch64-linux-gnu --emit=obj -o %t.o && llvm-nm -u %t.o | FileCheck %s --check-prefix=SYMBOLS

// CHECK-NOT: arith.constant {{.*}}f16
// CHECK: arith.addf {{.*}} : vector<3xf32>
// CHECK: arith.trunci {{.*}} : vector<3xi32> to vector<3xi16>
// CHECK: arith.extui {{.*}} : vector<3xi16> to vector<3xi32>
// CHECK: arith.addf {{.*}} : vector<3xf32>
// CHECK: arith.trunci {{.*}} : vector<3xi32> to vector<3xi16>
// CHECK-NOT: arith.truncf {{.*}}f16

// No library converts (__truncsfhf2, …).
// SYMBOLS-NOT: __{{.*}}{{hf|bf}}

// RUN-OUT-DAG: twice f16[3] = [1, 6e-08, inf]
// RUN-OUT-DAG: sum bf16[] = 1.01
// RUN-OUT-DAG: narrow f16[2] = [1, 1e-07]
// CODE: codelet_float_ops: {{ *}}4
flow.graph @main {
  %x = flow.feed {name = "x"} : () -> tensor<3xf16>
  %y = flow.feed {name = "y"} : () -> tensor<3xf16>
  %b = flow.feed {name = "b"} : () -> tensor<3xbf16>
  %d = flow.feed {name = "d"} : () -> tensor<2xf64>
  %r:3 = flow.codelet (%x, %y, %b, %d) : (tensor<3xf16>, tensor<3xf16>, tensor<3xbf16>, tensor<2xf64>) -> (tensor<3xf16>, tensor<bf16>, tensor<2xf16>) {
  ^bb0(%x0: tensor<3xf16>, %y0: tensor<3xf16>, %b0: tensor<3xbf16>, %d0: tensor<2xf64>):
    %once = nd.add %x0, %y0 : (tensor<3xf16>, tensor<3xf16>) -> tensor<3xf16>
    %twice = nd.add %once, %y0 : (tensor<3xf16>, tensor<3xf16>) -> tensor<3xf16>
    %axes = nd.constant {value = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
    %sum = nd.reduce_sum %b0, %axes {keep_dims = false} : (tensor<3xbf16>, tensor<1xi32>) -> tensor<bf16>
    %narrow = nd.cast %d0 : (tensor<2xf64>) -> tensor<2xf16>
    flow.yield %twice, %sum, %narrow : (tensor<3xf16>, tensor<bf16>, tensor<2xf16>) -> ()
  }
  flow.fetch %r#0 {name = "twice"} : (tensor<3xf16>) -> ()
  flow.fetch %r#1 {name = "sum"} : (tensor<bf16>) -> ()
  flow.fetch %r#2 {name = "narrow"} : (tensor<2xf16>) -> ()
}
