; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Half of a float, with denormals and without.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @halve(ptr addrspace(1) %place) {
  %value = load float, ptr addrspace(1) %place, align 4
  %half = fmul float %value, 5.000000e-01
  store float %half, ptr addrspace(1) %place, align 4
  ret void
}

define ptx_kernel void @halve_flushed(ptr addrspace(1) %place) "denormal-fp-math-f32"="preserve-sign,preserve-sign" {
  %value = load float, ptr addrspace(1) %place, align 4
  %half = fmul float %value, 5.000000e-01
  store float %half, ptr addrspace(1) %place, align 4
  ret void
}
