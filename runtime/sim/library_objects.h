// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What handles of the simulated cuBLASLt stand for.
#pragma once

#include "runtime/device/cuda/cublaslt_abi.h"

namespace sluice::rt::cuda::lt {

struct LibraryObject {
  int device = 0;
};

struct ProductFormObject {
  ComputeType compute = kComputeF32;
  ElementType scale = kF32;
  Transposition a = kAsItIs, b = kAsItIs;
  Epilogue epilogue = kNoEpilogue;
  const void *bias = nullptr;
};

// Column after column, `leading` elements apart.
struct MatrixLayoutObject {
  ElementType element = kF32;
  uint64_t rows = 0, columns = 0;
  int64_t leading = 0;
  int32_t batches = 1;
  int64_t stride = 0;
};

struct PreferenceObject {
  uint64_t mostWorkspace = 0;
  uint32_t alignments[4] = {256, 256, 256, 256}; // of a, b, c, d
};

} // namespace sluice::rt::cuda::lt
