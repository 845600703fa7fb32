// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constraints of the sci special ops, one case each; the comment above a case names op and constraint.
// RUN: sluice-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// sci.erf C1
%v = "test.value"() : () -> tensor<2x?xi32>
// expected-error@below {{operand #0 must be tensor of floats}}
%r = sci.erf %v : (tensor<2x?xi32>) -> tensor<2x?xi32>

// -----
// sci.erf C2
%v = "test.value"() : () -> tensor<2x?xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = sci.erf %v : (tensor<2x?xf32>) -> tensor<2x?xf64>

// -----
// sci.erfc C1
%v = "test.value"() : () -> tensor<2x?xi32>
// expected-error@below {{operand #0 must be tensor of floats}}
%r = sci.erfc %v : (tensor<2x?xi32>) -> tensor<2x?xi32>

// -----
// sci.erfc C2
%v = "test.value"() : () -> tensor<2x?xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = sci.erfc %v : (tensor<2x?xf32>) -> tensor<2x?xf64>

// -----
// sci.erfinv C1
%v = "test.value"() : () -> tensor<2x?xi32>
// expected-error@below {{operand #0 must be tensor of floats}}
%r = sci.erfinv %v : (tensor<2x?xi32>) -> tensor<2x?xi32>

// -----
// sci.erfinv C2
%v = "test.value"() : () -> tensor<2x?xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = sci.erfinv %v : (tensor<2x?xf32>) -> tensor<2x?xf64>

// -----
// sci.ndtri C1
%v = "test.value"() : () -> tensor<2x?xi32>
// expected-error@below {{operand #0 must be tensor of floats}}
%r = sci.ndtri %v : (tensor<2x?xi32>) -> tensor<2x?xi32>

// -----
// sci.ndtri C2
%v = "test.value"() : () -> tensor<2x?xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = sci.ndtri %v : (tensor<2x?xf32>) -> tensor<2x?xf64>

// -----
// sci.dawsn C1
%v = "test.value"() : () -> tensor<2x?xi32>
// expected-error@below {{operand #0 must be tensor of floats}}
%r = sci.dawsn %v : (tensor<2x?xi32>) -> tensor<2x?xi32>

// -----
// sci.dawsn C2
%v = "test.value"() : () -> tensor<2x?xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = sci.dawsn %v : (tensor<2x?xf32>) -> tensor<2x?xf64>

// -----
// sci.fresnel_sin C1
%v = "test.value"() : () -> tensor<2x?xi32>
// expected-error@below {{operand #0 must be tensor of floats}}
%r = sci.fresnel_sin %v : (tensor<2x?xi32>) -> tensor<2x?xi32>

// -----
// sci.fresnel_sin C2
%v = "test.value"() : () -> tensor<2x?xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = sci.fresnel_sin %v : (tensor<2x?xf32>) -> tensor<2x?xf64>

// -----
// sci.fresnel_cos C1
%v = "test.value"() : () -> tensor<2x?xi32>
// expected-error@below {{operand #0 must be tensor of floats}}
%r = sci.fresnel_cos %v : (tensor<2x?xi32>) -> tensor<2x?xi32>

// -----
// sci.fresnel_cos C2
%v = "test.value"() : () -> tensor<2x?xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = sci.fresnel_cos %v : (tensor<2x?xf32>) -> tensor<2x?xf64>

// -----
// sci.expint C1
%v = "test.value"() : () -> tensor<2x?xi32>
// expected-error@below {{operand #0 must be tensor of floats}}
%r = sci.expint %v : (tensor<2x?xi32>) -> tensor<2x?xi32>

// -----
// sci.expint C2
%v = "test.value"() : () -> tensor<2x?xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = sci.expint %v : (tensor<2x?xf32>) -> tensor<2x?xf64>

// -----
// sci.spence C1
%v = "test.value"() : () -> tensor<2x?xi32>
// expected-error@below {{operand #0 must be tensor of floats}}
%r = sci.spence %v : (tensor<2x?xi32>) -> tensor<2x?xi32>

// -----
// sci.spence C2
%v = "test.value"() : () -> tensor<2x?xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = sci.spence %v : (tensor<2x?xf32>) -> tensor<2x?xf64>

// -----
// sci.lgamma C1
%v = "test.value"() : () -> tensor<2x?xi32>
// expected-error@below {{operand #0 must be tensor of floats}}
%r = sci.lgamma %v : (tensor<2x?xi32>) -> tensor<2x?xi32>

// -----
// sci.lgamma C2
%v = "test.value"() : () -> tensor<2x?xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = sci.lgamma %v : (tensor<2x?xf32>) -> tensor<2x?xf64>

// -----
// sci.digamma C1
%v = "test.value"() : () -> tensor<2x?xi32>
// expected-error@below {{operand #0 must be tensor of floats}}
%r = sci.digamma %v : (tensor<2x?xi32>) -> tensor<2x?xi32>

// -----
// sci.digamma C2
%v = "test.value"() : () -> tensor<2x?xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = sci.digamma %v : (tensor<2x?xf32>) -> tensor<2x?xf64>

// -----
// sci.bessel_i0 C1
%v = "test.value"() : () -> tensor<2x?xi32>
// expected-error@below {{operand #0 must be tensor of floats}}
%r = sci.bessel_i0 %v : (tensor<2x?xi32>) -> tensor<2x?xi32>

// -----
// sci.bessel_i0 C2
%v = "test.value"() : () -> tensor<2x?xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = sci.bessel_i0 %v : (tensor<2x?xf32>) -> tensor<2x?xf64>

// -----
// sci.bessel_i1 C1
%v = "test.value"() : () -> tensor<2x?xi32>
// expected-error@below {{operand #0 must be tensor of floats}}
%r = sci.bessel_i1 %v : (tensor<2x?xi32>) -> tensor<2x?xi32>

// -----
// sci.bessel_i1 C2
%v = "test.value"() : () -> tensor<2x?xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = sci.bessel_i1 %v : (tensor<2x?xf32>) -> tensor<2x?xf64>

// -----
// sci.bessel_i0e C1
%v = "test.value"() : () -> tensor<2x?xi32>
// expected-error@below {{operand #0 must be tensor of floats}}
%r = sci.bessel_i0e %v : (tensor<2x?xi32>) -> tensor<2x?xi32>

// -----
// sci.bessel_i0e C2
%v = "test.value"() : () -> tensor<2x?xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = sci.bessel_i0e %v : (tensor<2x?xf32>) -> tensor<2x?xf64>

// -----
// sci.bessel_i1e C1
%v = "test.value"() : () -> tensor<2x?xi32>
// expected-error@below {{operand #0 must be tensor of floats}}
%r = sci.bessel_i1e %v : (tensor<2x?xi32>) -> tensor<2x?xi32>

// -----
// sci.bessel_i1e C2
%v = "test.value"() : () -> tensor<2x?xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = sci.bessel_i1e %v : (tensor<2x?xf32>) -> tensor<2x?xf64>

// -----
// sci.bessel_k0 C1
%v = "test.value"() : () -> tensor<2x?xi32>
// expected-error@below {{operand #0 must be tensor of floats}}
%r = sci.bessel_k0 %v : (tensor<2x?xi32>) -> tensor<2x?xi32>

// -----
// sci.bessel_k0 C2
%v = "test.value"() : () -> tensor<2x?xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = sci.bessel_k0 %v : (tensor<2x?xf32>) -> tensor<2x?xf64>

// -----
// sci.bessel_k1 C1
%v = "test.value"() : () -> tensor<2x?xi32>
// expected-error@below {{operand #0 must be tensor of floats}}
%r = sci.bessel_k1 %v : (tensor<2x?xi32>) -> tensor<2x?xi32>

// -----
// sci.bessel_k1 C2
%v = "test.value"() : () -> tensor<2x?xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = sci.bessel_k1 %v : (tensor<2x?xf32>) -> tensor<2x?xf64>

// -----
// sci.bessel_k0e C1
%v = "test.value"() : () -> tensor<2x?xi32>
// expected-error@below {{operand #0 must be tensor of floats}}
%r = sci.bessel_k0e %v : (tensor<2x?xi32>) -> tensor<2x?xi32>

// -----
// sci.bessel_k0e C2
%v = "test.value"() : () -> tensor<2x?xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = sci.bessel_k0e %v : (tensor<2x?xf32>) -> tensor<2x?xf64>

// -----
// sci.bessel_k1e C1
%v = "test.value"() : () -> tensor<2x?xi32>
// expected-error@below {{operand #0 must be tensor of floats}}
%r = sci.bessel_k1e %v : (tensor<2x?xi32>) -> tensor<2x?xi32>

// -----
// sci.bessel_k1e C2
%v = "test.value"() : () -> tensor<2x?xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = sci.bessel_k1e %v : (tensor<2x?xf32>) -> tensor<2x?xf64>

// -----
// sci.bessel_j0 C1
%v = "test.value"() : () -> tensor<2x?xi32>
// expected-error@below {{operand #0 must be tensor of floats}}
%r = sci.bessel_j0 %v : (tensor<2x?xi32>) -> tensor<2x?xi32>

// -----
// sci.bessel_j0 C2
%v = "test.value"() : () -> tensor<2x?xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = sci.bessel_j0 %v : (tensor<2x?xf32>) -> tensor<2x?xf64>

// -----
// sci.bessel_j1 C1
%v = "test.value"() : () -> tensor<2x?xi32>
// expected-error@below {{operand #0 must be tensor of floats}}
%r = sci.bessel_j1 %v : (tensor<2x?xi32>) -> tensor<2x?xi32>

// -----
// sci.bessel_j1 C2
%v = "test.value"() : () -> tensor<2x?xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = sci.bessel_j1 %v : (tensor<2x?xf32>) -> tensor<2x?xf64>

// -----
// sci.bessel_y0 C1
%v = "test.value"() : () -> tensor<2x?xi32>
// expected-error@below {{operand #0 must be tensor of floats}}
%r = sci.bessel_y0 %v : (tensor<2x?xi32>) -> tensor<2x?xi32>

// -----
// sci.bessel_y0 C2
%v = "test.value"() : () -> tensor<2x?xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = sci.bessel_y0 %v : (tensor<2x?xf32>) -> tensor<2x?xf64>

// -----
// sci.bessel_y1 C1
%v = "test.value"() : () -> tensor<2x?xi32>
// expected-error@below {{operand #0 must be tensor of floats}}
%r = sci.bessel_y1 %v : (tensor<2x?xi32>) -> tensor<2x?xi32>

// -----
// sci.bessel_y1 C2
%v = "test.value"() : () -> tensor<2x?xf32>
// expected-error@below {{failed to verify that all of {input, result} have same element type}}
%r = sci.bessel_y1 %v : (tensor<2x?xf32>) -> tensor<2x?xf64>

// -----
// sci.atan2 C1
%v:2 = "test.value"() : () -> (tensor<2x3xi32>, tensor<3xi32>)
// expected-error@below {{operand #0 must be tensor of floats}}
%r = sci.atan2 %v#0, %v#1 : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>

// -----
// sci.atan2 C2
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf64>)
// expected-error@below {{failed to verify that all of {lhs, rhs, result} have same element type}}
%r = sci.atan2 %v#0, %v#1 : (tensor<2x3xf32>, tensor<3xf64>) -> tensor<2x3xf32>

// -----
// sci.igamma C1
%v:2 = "test.value"() : () -> (tensor<2x3xi32>, tensor<3xi32>)
// expected-error@below {{operand #0 must be tensor of floats}}
%r = sci.igamma %v#0, %v#1 : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>

// -----
// sci.igamma C2
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf64>)
// expected-error@below {{failed to verify that all of {lhs, rhs, result} have same element type}}
%r = sci.igamma %v#0, %v#1 : (tensor<2x3xf32>, tensor<3xf64>) -> tensor<2x3xf32>

// -----
// sci.igammac C1
%v:2 = "test.value"() : () -> (tensor<2x3xi32>, tensor<3xi32>)
// expected-error@below {{operand #0 must be tensor of floats}}
%r = sci.igammac %v#0, %v#1 : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>

// -----
// sci.igammac C2
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf64>)
// expected-error@below {{failed to verify that all of {lhs, rhs, result} have same element type}}
%r = sci.igammac %v#0, %v#1 : (tensor<2x3xf32>, tensor<3xf64>) -> tensor<2x3xf32>

// -----
// sci.next_after C1
%v:2 = "test.value"() : () -> (tensor<2x3xf16>, tensor<3xf16>)
// expected-error@below {{operand #0 must be tensor of f32 or f64}}
%r = sci.next_after %v#0, %v#1 : (tensor<2x3xf16>, tensor<3xf16>) -> tensor<2x3xf16>

// -----
// sci.next_after C2
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf64>)
// expected-error@below {{failed to verify that all of {lhs, rhs, result} have same element type}}
%r = sci.next_after %v#0, %v#1 : (tensor<2x3xf32>, tensor<3xf64>) -> tensor<2x3xf32>

// -----
// sci.zeta C1
%v:2 = "test.value"() : () -> (tensor<2x3xf16>, tensor<3xf16>)
// expected-error@below {{operand #0 must be tensor of f32 or f64}}
%r = sci.zeta %v#0, %v#1 : (tensor<2x3xf16>, tensor<3xf16>) -> tensor<2x3xf16>

// -----
// sci.zeta C2
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf64>)
// expected-error@below {{failed to verify that all of {lhs, rhs, result} have same element type}}
%r = sci.zeta %v#0, %v#1 : (tensor<2x3xf32>, tensor<3xf64>) -> tensor<2x3xf32>

// -----
// sci.polygamma C1
%v:2 = "test.value"() : () -> (tensor<2x3xf16>, tensor<3xf16>)
// expected-error@below {{operand #0 must be tensor of f32 or f64}}
%r = sci.polygamma %v#0, %v#1 : (tensor<2x3xf16>, tensor<3xf16>) -> tensor<2x3xf16>

// -----
// sci.polygamma C2
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf64>)
// expected-error@below {{failed to verify that all of {lhs, rhs, result} have same element type}}
%r = sci.polygamma %v#0, %v#1 : (tensor<2x3xf32>, tensor<3xf64>) -> tensor<2x3xf32>

// -----
// sci.igamma_grad_a C1
%v:2 = "test.value"() : () -> (tensor<2x3xf16>, tensor<3xf16>)
// expected-error@below {{operand #0 must be tensor of f32 or f64}}
%r = sci.igamma_grad_a %v#0, %v#1 : (tensor<2x3xf16>, tensor<3xf16>) -> tensor<2x3xf16>

// -----
// sci.igamma_grad_a C2
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf64>)
// expected-error@below {{failed to verify that all of {lhs, rhs, result} have same element type}}
%r = sci.igamma_grad_a %v#0, %v#1 : (tensor<2x3xf32>, tensor<3xf64>) -> tensor<2x3xf32>

// -----
// sci.random_gamma_grad C1
%v:2 = "test.value"() : () -> (tensor<2x3xf16>, tensor<3xf16>)
// expected-error@below {{operand #0 must be tensor of f32 or f64}}
%r = sci.random_gamma_grad %v#0, %v#1 : (tensor<2x3xf16>, tensor<3xf16>) -> tensor<2x3xf16>

// -----
// sci.random_gamma_grad C2
%v:2 = "test.value"() : () -> (tensor<2x3xf32>, tensor<3xf64>)
// expected-error@below {{failed to verify that all of {lhs, rhs, result} have same element type}}
%r = sci.random_gamma_grad %v#0, %v#1 : (tensor<2x3xf32>, tensor<3xf64>) -> tensor<2x3xf32>

// -----
// sci.betainc C1
%v:3 = "test.value"() : () -> (tensor<3xf16>, tensor<3xf16>, tensor<3xf16>)
// expected-error@below {{operand #0 must be tensor of f32 or f64}}
%r = sci.betainc %v#0, %v#1, %v#2 : (tensor<3xf16>, tensor<3xf16>, tensor<3xf16>) -> tensor<3xf16>

// -----
// sci.betainc C2
%v:3 = "test.value"() : () -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf64>)
// expected-error@below {{failed to verify that all of {a, b, x, result} have same element type}}
%r = sci.betainc %v#0, %v#1, %v#2 : (tensor<3xf32>, tensor<3xf32>, tensor<3xf64>) -> tensor<3xf32>
