// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Our declarations of cuBLASLt are those of NVIDIA's header. All of it is judged when this is
// compiled.
#include "runtime/device/cuda/cublaslt_abi.h"
#include "test/gpu/abi/same_type.h"

#include <cublasLt.h>

#include <gtest/gtest.h>

namespace sluice::rt::cuda::lt {

#define FUNCTION(name, parameters)                                                                 \
  static_assert(test::SameSignature<name##Function, decltype(&::name)>::value, #name);
#include "runtime/device/cuda/cublaslt_functions.def"
#undef FUNCTION

#define SAME(ours, theirs) static_assert(int(ours) == int(theirs), #ours)
SAME(kSuccess, CUBLAS_STATUS_SUCCESS);
SAME(kNotInitialized, CUBLAS_STATUS_NOT_INITIALIZED);
SAME(kAllocationFailed, CUBLAS_STATUS_ALLOC_FAILED);
SAME(kInvalidValue, CUBLAS_STATUS_INVALID_VALUE);
SAME(kArchitectureMismatch, CUBLAS_STATUS_ARCH_MISMATCH);
SAME(kMappingError, CUBLAS_STATUS_MAPPING_ERROR);
SAME(kExecutionFailed, CUBLAS_STATUS_EXECUTION_FAILED);
SAME(kInternalError, CUBLAS_STATUS_INTERNAL_ERROR);
SAME(kNotSupported, CUBLAS_STATUS_NOT_SUPPORTED);
SAME(kLicenseError, CUBLAS_STATUS_LICENSE_ERROR);
SAME(kF32, CUDA_R_32F);
SAME(kF64, CUDA_R_64F);
SAME(kF16, CUDA_R_16F);
SAME(kBF16, CUDA_R_16BF);
SAME(kComputeF32, CUBLAS_COMPUTE_32F);
SAME(kComputeF64, CUBLAS_COMPUTE_64F);
SAME(kComputeTF32, CUBLAS_COMPUTE_32F_FAST_TF32);
SAME(kAsItIs, CUBLAS_OP_N);
SAME(kTransposed, CUBLAS_OP_T);
SAME(kTransposeA, CUBLASLT_MATMUL_DESC_TRANSA);
SAME(kTransposeB, CUBLASLT_MATMUL_DESC_TRANSB);
SAME(kEpilogue, CUBLASLT_MATMUL_DESC_EPILOGUE);
SAME(kBiasPointer, CUBLASLT_MATMUL_DESC_BIAS_POINTER);
SAME(kNoEpilogue, CUBLASLT_EPILOGUE_DEFAULT);
SAME(kRelu, CUBLASLT_EPILOGUE_RELU);
SAME(kBias, CUBLASLT_EPILOGUE_BIAS);
SAME(kReluBias, CUBLASLT_EPILOGUE_RELU_BIAS);
SAME(kGelu, CUBLASLT_EPILOGUE_GELU);
SAME(kGeluBias, CUBLASLT_EPILOGUE_GELU_BIAS);
SAME(kBatchCount, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT);
SAME(kBatchStride, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET);
SAME(kMostWorkspaceBytes, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES);
SAME(kLeastAlignmentA, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES);
SAME(kLeastAlignmentB, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES);
SAME(kLeastAlignmentC, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES);
SAME(kLeastAlignmentD, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES);
#undef SAME

#define SIZE(ours, theirs) static_assert(sizeof(ours) == sizeof(theirs), #ours)
#define PLACE(ours, member, theirs, name)                                                          \
  static_assert(offsetof(ours, member) == offsetof(theirs, name), #ours "::" #member)
SIZE(Algorithm, cublasLtMatmulAlgo_t);
SIZE(Proposal, cublasLtMatmulHeuristicResult_t);
PLACE(Proposal, workspaceBytes, cublasLtMatmulHeuristicResult_t, workspaceSize);
PLACE(Proposal, answer, cublasLtMatmulHeuristicResult_t, state);
PLACE(Proposal, waves, cublasLtMatmulHeuristicResult_t, wavesCount);

TEST(CublasLtHeader, isTheOneThatIsDeclared) { SUCCEED(); }

} // namespace sluice::rt::cuda::lt
