// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The binary interface of cuBLASLt, NVIDIA's library of matrix products, as far as it is used.
//
// Declared here for the same reason as that of the driver, and compared in the same way
// (test/gpu/abi/). It has been the same since CUDA 11; names of the library's types are kept out.
#pragma once

#include "runtime/device/cuda/cuda_abi.h"

namespace sluice::rt::cuda::lt {

enum Answer : int {
  kSuccess = 0,
  kNotInitialized = 1,
  kAllocationFailed = 3,
  kInvalidValue = 7,
  kArchitectureMismatch = 8,
  kMappingError = 11,
  kExecutionFailed = 13,
  kInternalError = 14,
  kNotSupported = 15,
  kLicenseError = 16,
};

using Library = struct LibraryObject *;
using ProductForm = struct ProductFormObject *;
using MatrixLayout = struct MatrixLayoutObject *;
using Preference = struct PreferenceObject *;

enum ElementType : int { kF32 = 0, kF64 = 1, kF16 = 2, kBF16 = 14 };
enum ComputeType : int { kComputeF32 = 68, kComputeF64 = 70, kComputeTF32 = 77 };
enum Transposition : int { kAsItIs = 0, kTransposed = 1 }; // matrices lie column after column

enum ProductAttribute : int {
  kTransposeA = 3, // a Transposition
  kTransposeB = 4,
  kEpilogue = 7,
  kBiasPointer = 8, // an address of the device; as many elements as the result has rows
};
enum Epilogue : int {
  kNoEpilogue = 1,
  kRelu = 2,
  kBias = 4,
  kReluBias = 6,
  kGelu = 32,
  kGeluBias = 36
};
enum MatrixAttribute : int { kBatchCount = 5, kBatchStride = 6 }; // int32_t; int64_t, elements
enum PreferenceAttribute : int {
  kMostWorkspaceBytes = 1, // uint64_t
  kLeastAlignmentA = 5,    // uint32_t, bytes; as the others
  kLeastAlignmentB = 6,
  kLeastAlignmentC = 7,
  kLeastAlignmentD = 8,
};

struct Algorithm {
  uint64_t data[8];
};
struct Proposal {
  Algorithm algorithm;
  size_t workspaceBytes;
  Answer answer;
  float waves;
  int reserved[4];
};

// ---- Functions ----------------------------------------------------------------------------------

#define FUNCTION(name, parameters) using name##Function = Answer(*) parameters;
#include "runtime/device/cuda/cublaslt_functions.def"
#undef FUNCTION

} // namespace sluice::rt::cuda::lt
