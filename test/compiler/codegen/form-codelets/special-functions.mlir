// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Special functions that are a fixed sequence of operations have code, of each kind of floats; one that
// is summed up stays a kernel.
// RUN: sluice-opt --codegen-form-codelets %s | FileCheck --strict-whitespace %s

// CHECK: flow.graph
// CHECK-NOT: {{^    %.* = sci[.]}}
// CHECK: sci.dawsn
// CHECK-NOT: {{^    %.* = sci[.]}}
// CHECK: flow.fetch
flow.graph @main {
  %x_f32 = flow.feed {name = "x_f32"} : () -> tensor<64x64xf32>
  %erf_f32 = sci.erf %x_f32 : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %erfc_f32 = sci.erfc %erf_f32 : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %erfinv_f32 = sci.erfinv %erfc_f32 : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %ndtri_f32 = sci.ndtri %erfinv_f32 : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %lgamma_f32 = sci.lgamma %ndtri_f32 : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %digamma_f32 = sci.digamma %lgamma_f32 : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %a_f32 = sci.atan2 %digamma_f32, %x_f32 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %x_f64 = flow.feed {name = "x_f64"} : () -> tensor<64x64xf64>
  %erf_f64 = sci.erf %x_f64 : (tensor<64x64xf64>) -> tensor<64x64xf64>
  %erfc_f64 = sci.erfc %erf_f64 : (tensor<64x64xf64>) -> tensor<64x64xf64>
  %erfinv_f64 = sci.erfinv %erfc_f64 : (tensor<64x64xf64>) -> tensor<64x64xf64>
  %ndtri_f64 = sci.ndtri %erfinv_f64 : (tensor<64x64xf64>) -> tensor<64x64xf64>
  %lgamma_f64 = sci.lgamma %ndtri_f64 : (tensor<64x64xf64>) -> tensor<64x64xf64>
  %digamma_f64 = sci.digamma %lgamma_f64 : (tensor<64x64xf64>) -> tensor<64x64xf64>
  %a_f64 = sci.atan2 %digamma_f64, %x_f64 : (tensor<64x64xf64>, tensor<64x64xf64>) -> tensor<64x64xf64>
  %x_f16 = flow.feed {name = "x_f16"} : () -> tensor<64x64xf16>
  %erf_f16 = sci.erf %x_f16 : (tensor<64x64xf16>) -> tensor<64x64xf16>
  %erfc_f16 = sci.erfc %erf_f16 : (tensor<64x64xf16>) -> tensor<64x64xf16>
  %erfinv_f16 = sci.erfinv %erfc_f16 : (tensor<64x64xf16>) -> tensor<64x64xf16>
  %ndtri_f16 = sci.ndtri %erfinv_f16 : (tensor<64x64xf16>) -> tensor<64x64xf16>
  %lgamma_f16 = sci.lgamma %ndtri_f16 : (tensor<64x64xf16>) -> tensor<64x64xf16>
  %digamma_f16 = sci.digamma %lgamma_f16 : (tensor<64x64xf16>) -> tensor<64x64xf16>
  %a_f16 = sci.atan2 %digamma_f16, %x_f16 : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  %x_bf16 = flow.feed {name = "x_bf16"} : () -> tensor<64x64xbf16>
  %erf_bf16 = sci.erf %x_bf16 : (tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %erfc_bf16 = sci.erfc %erf_bf16 : (tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %erfinv_bf16 = sci.erfinv %erfc_bf16 : (tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %ndtri_bf16 = sci.ndtri %erfinv_bf16 : (tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %lgamma_bf16 = sci.lgamma %ndtri_bf16 : (tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %digamma_bf16 = sci.digamma %lgamma_bf16 : (tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %a_bf16 = sci.atan2 %digamma_bf16, %x_bf16 : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %d = sci.dawsn %x_f32 : (tensor<64x64xf32>) -> tensor<64x64xf32>
  flow.fetch %a_f32 {name = "a_f32"} : (tensor<64x64xf32>) -> ()
  flow.fetch %a_f64 {name = "a_f64"} : (tensor<64x64xf64>) -> ()
  flow.fetch %a_f16 {name = "a_f16"} : (tensor<64x64xf16>) -> ()
  flow.fetch %a_bf16 {name = "a_bf16"} : (tensor<64x64xbf16>) -> ()
  flow.fetch %d {name = "d"} : (tensor<64x64xf32>) -> ()
}
