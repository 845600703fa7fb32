// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every sci special op as its record shows it: text, printed text and bytecode say the same.
// RUN: sluice-opt %s --allow-unregistered-dialect > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: sluice-opt %t.mlir --allow-unregistered-dialect | diff %t.mlir -
// RUN: sluice-opt %s --allow-unregistered-dialect --emit-bytecode | sluice-opt --allow-unregistered-dialect | diff %t.mlir -

%v0 = "test.value"() : () -> tensor<2x?xf32>
// CHECK: sci.erf %{{.*}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
%r0 = sci.erf %v0 : (tensor<2x?xf32>) -> tensor<2x?xf32>

%v1 = "test.value"() : () -> tensor<2x?xf32>
// CHECK: sci.erfc %{{.*}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
%r1 = sci.erfc %v1 : (tensor<2x?xf32>) -> tensor<2x?xf32>

%v2 = "test.value"() : () -> tensor<2x?xf32>
// CHECK: sci.erfinv %{{.*}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
%r2 = sci.erfinv %v2 : (tensor<2x?xf32>) -> tensor<2x?xf32>

%v3 = "test.value"() : () -> tensor<2x?xf32>
// CHECK: sci.ndtri %{{.*}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
%r3 = sci.ndtri %v3 : (tensor<2x?xf32>) -> tensor<2x?xf32>

%v4 = "test.value"() : () -> tensor<2x?xf32>
// CHECK: sci.dawsn %{{.*}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
%r4 = sci.dawsn %v4 : (tensor<2x?xf32>) -> tensor<2x?xf32>

%v5 = "test.value"() : () -> tensor<2x?xf32>
// CHECK: sci.fresnel_sin %{{.*}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
%r5 = sci.fresnel_sin %v5 : (tensor<2x?xf32>) -> tensor<2x?xf32>

%v6 = "test.value"() : () -> tensor<2x?xf32>
// CHECK: sci.fresnel_cos %{{.*}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
%r6 = sci.fresnel_cos %v6 : (tensor<2x?xf32>) -> tensor<2x?xf32>

%v7 = "test.value"() : () -> tensor<2x?xf32>
// CHECK: sci.expint %{{.*}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
%r7 = sci.expint %v7 : (tensor<2x?xf32>) -> tensor<2x?xf32>

%v8 = "test.value"() : () -> tensor<2x?xf32>
// CHECK: sci.spence %{{.*}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
%r8 = sci.spence %v8 : (tensor<2x?xf32>) -> tensor<2x?xf32>

%v9 = "test.value"() : () -> tensor<2x?xf32>
// CHECK: sci.lgamma %{{.*}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
%r9 = sci.lgamma %v9 : (tensor<2x?xf32>) -> tensor<2x?xf32>

%v10 = "test.value"() : () -> tensor<2x?xf32>
// CHECK: sci.digamma %{{.*}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
%r10 = sci.digamma %v10 : (tensor<2x?xf32>) -> tensor<2x?xf32>

%v11 = "test.value"() : () -> tensor<2x?xf32>
// CHECK: sci.bessel_i0 %{{.*}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
%r11 = sci.bessel_i0 %v11 : (tensor<2x?xf32>) -> tensor<2x?xf32>

%v12 = "test.value"() : () -> tensor<2x?xf32>
// CHECK: sci.bessel_i1 %{{.*}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
%r12 = sci.bessel_i1 %v12 : (tensor<2x?xf32>) -> tensor<2x?xf32>

%v13 = "test.value"() : () -> tensor<2x?xf32>
// CHECK: sci.bessel_i0e %{{.*}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
%r13 = sci.bessel_i0e %v13 : (tensor<2x?xf32>) -> tensor<2x?xf32>

%v14 = "test.value"() : () -> tensor<2x?xf32>
// CHECK: sci.bessel_i1e %{{.*}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
%r14 = sci.bessel_i1e %v14 : (tensor<2x?xf32>) -> tensor<2x?xf32>

%v15 = "test.value"() : () -> tensor<2x?xf32>
// CHECK: sci.bessel_k0 %{{.*}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
%r15 = sci.bessel_k0 %v15 : (tensor<2x?xf32>) -> tensor<2x?xf32>

%v16 = "test.value"() : () -> tensor<2x?xf32>
// CHECK: sci.bessel_k1 %{{.*}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
%r16 = sci.bessel_k1 %v16 : (tensor<2x?xf32>) -> tensor<2x?xf32>

%v17 = "test.value"() : () -> tensor<2x?xf32>
// CHECK: sci.bessel_k0e %{{.*}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
%r17 = sci.bessel_k0e %v17 : (tensor<2x?xf32>) -> tensor<2x?xf32>

%v18 = "test.value"() : () -> tensor<2x?xf32>
// CHECK: sci.bessel_k1e %{{.*}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
%r18 = sci.bessel_k1e %v18 : (tensor<2x?xf32>) -> tensor<2x?xf32>

%v19 = "test.value"() : () -> tensor<2x?xf32>
// CHECK: sci.bessel_j0 %{{.*}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
%r19 = sci.bessel_j0 %v19 : (tensor<2x?xf32>) -> tensor<2x?xf32>

%v20 = "test.value"() : () -> tensor<2x?xf32>
// CHECK: sci.bessel_j1 %{{.*}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
%r20 = sci.bessel_j1 %v20 : (tensor<2x?xf32>) -> tensor<2x?xf32>

%v21 = "test.value"() : () -> tensor<2x?xf32>
// CHECK: sci.bessel_y0 %{{.*}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
%r21 = sci.bessel_y0 %v21 : (tensor<2x?xf32>) -> tensor<2x?xf32>

%v22 = "test.value"() : () -> tensor<2x?xf32>
// CHECK: sci.bessel_y1 %{{.*}} : (tensor<2x?xf32>) -> tensor<2x?xf32>
%r22 = sci.bessel_y1 %v22 : (tensor<2x?xf32>) -> tensor<2x?xf32>

%v23:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf32>)
// CHECK: sci.atan2 %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
%r23 = sci.atan2 %v23#0, %v23#1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>

%v24:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf32>)
// CHECK: sci.igamma %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
%r24 = sci.igamma %v24#0, %v24#1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>

%v25:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf32>)
// CHECK: sci.igammac %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
%r25 = sci.igammac %v25#0, %v25#1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>

%v26:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf32>)
// CHECK: sci.next_after %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
%r26 = sci.next_after %v26#0, %v26#1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>

%v27:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf32>)
// CHECK: sci.zeta %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
%r27 = sci.zeta %v27#0, %v27#1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>

%v28:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf32>)
// CHECK: sci.polygamma %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
%r28 = sci.polygamma %v28#0, %v28#1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>

%v29:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf32>)
// CHECK: sci.igamma_grad_a %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
%r29 = sci.igamma_grad_a %v29#0, %v29#1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>

%v30:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf32>)
// CHECK: sci.random_gamma_grad %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
%r30 = sci.random_gamma_grad %v30#0, %v30#1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>

%v31:3 = "test.value"() : () -> (tensor<3xf32>, tensor<3xf32>, tensor<2x3xf32>)
// CHECK: sci.betainc %{{.*}}, %{{.*}}, %{{.*}} : (tensor<3xf32>, tensor<3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
%r31 = sci.betainc %v31#0, %v31#1, %v31#2 : (tensor<3xf32>, tensor<3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
