// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Our declarations of the driver's interface are those of NVIDIA's headers. All of it is judged
// when this is compiled.
#include "runtime/device/cuda/cuda_abi.h"
#include "test/gpu/abi/same_type.h"

#include <cuda.h>
#include <cudaTypedefs.h>

#include <gtest/gtest.h>

namespace sluice::rt::cuda {

#define FUNCTION(name, version, parameters)                                                        \
  static_assert(test::SameSignature<name##Function, PFN_##name##_v##version>::value, #name);
#include "runtime/device/cuda/cuda_functions.def"
#undef FUNCTION
static_assert(test::SameSignature<GetProcAddressFunction, PFN_cuGetProcAddress_v12000>::value);

#define RESULT(name, theirs, number, text) static_assert(number == theirs);
#include "runtime/device/cuda/cuda_results.def"
#undef RESULT

#define SAME(ours, theirs) static_assert(int(ours) == int(theirs), #ours)
SAME(kMaxThreadsPerBlock, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
SAME(kMaxBlockX, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X);
SAME(kMaxBlockY, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y);
SAME(kMaxBlockZ, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z);
SAME(kMaxGridX, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X);
SAME(kMaxGridY, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y);
SAME(kMaxGridZ, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z);
SAME(kMaxSharedPerBlock, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
SAME(kWarpSize, CU_DEVICE_ATTRIBUTE_WARP_SIZE);
SAME(kMaxRegistersPerBlock, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK);
SAME(kClockRate, CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
SAME(kMultiprocessorCount, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
SAME(kConcurrentKernels, CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS);
SAME(kMemoryClockRate, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
SAME(kMemoryBusWidth, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
SAME(kL2CacheSize, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
SAME(kMaxThreadsPerMultiprocessor, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
SAME(kAsyncEngineCount, CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT);
SAME(kUnifiedAddressing, CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING);
SAME(kComputeCapabilityMajor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
SAME(kComputeCapabilityMinor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
SAME(kMaxSharedPerMultiprocessor, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
SAME(kMaxRegistersPerMultiprocessor, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
SAME(kMaxSharedPerBlockOptIn, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
SAME(kMaxBlocksPerMultiprocessor, CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
SAME(kReservedSharedPerBlock, CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
SAME(kMemoryPoolsSupported, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED);
SAME(kFunctionMaxThreadsPerBlock, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
SAME(kFunctionSharedBytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
SAME(kFunctionConstantBytes, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES);
SAME(kFunctionLocalBytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
SAME(kFunctionRegisters, CU_FUNC_ATTRIBUTE_NUM_REGS);
SAME(kFunctionPtxVersion, CU_FUNC_ATTRIBUTE_PTX_VERSION);
SAME(kFunctionBinaryVersion, CU_FUNC_ATTRIBUTE_BINARY_VERSION);
SAME(kFunctionMaxDynamicSharedBytes, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
SAME(kJitMaxRegisters, CU_JIT_MAX_REGISTERS);
SAME(kJitInfoLogBuffer, CU_JIT_INFO_LOG_BUFFER);
SAME(kJitInfoLogBufferBytes, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES);
SAME(kJitErrorLogBuffer, CU_JIT_ERROR_LOG_BUFFER);
SAME(kJitErrorLogBufferBytes, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
SAME(kJitOptimizationLevel, CU_JIT_OPTIMIZATION_LEVEL);
SAME(kPoolReuseFollowEventDependencies, CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES);
SAME(kPoolReuseAllowOpportunistic, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC);
SAME(kPoolReuseAllowInternalDependencies, CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES);
SAME(kPoolReleaseThreshold, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD);
SAME(kPoolReservedCurrent, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT);
SAME(kPoolReservedHigh, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH);
SAME(kPoolUsedCurrent, CU_MEMPOOL_ATTR_USED_MEM_CURRENT);
SAME(kPoolUsedHigh, CU_MEMPOOL_ATTR_USED_MEM_HIGH);
SAME(kAllocationPinned, CU_MEM_ALLOCATION_TYPE_PINNED);
SAME(kLocationDevice, CU_MEM_LOCATION_TYPE_DEVICE);
SAME(kLocationHost, CU_MEM_LOCATION_TYPE_HOST);
SAME(kMemoryHost, CU_MEMORYTYPE_HOST);
SAME(kMemoryDevice, CU_MEMORYTYPE_DEVICE);
SAME(kNodeKernel, CU_GRAPH_NODE_TYPE_KERNEL);
SAME(kNodeMemcpy, CU_GRAPH_NODE_TYPE_MEMCPY);
SAME(kNodeMemset, CU_GRAPH_NODE_TYPE_MEMSET);
SAME(kNodeHost, CU_GRAPH_NODE_TYPE_HOST);
SAME(kNodeGraph, CU_GRAPH_NODE_TYPE_GRAPH);
SAME(kNodeEmpty, CU_GRAPH_NODE_TYPE_EMPTY);
SAME(kNodeWaitEvent, CU_GRAPH_NODE_TYPE_WAIT_EVENT);
SAME(kNodeEventRecord, CU_GRAPH_NODE_TYPE_EVENT_RECORD);
SAME(kNodeMemAlloc, CU_GRAPH_NODE_TYPE_MEM_ALLOC);
SAME(kNodeMemFree, CU_GRAPH_NODE_TYPE_MEM_FREE);
SAME(kNodeConditional, CU_GRAPH_NODE_TYPE_CONDITIONAL);
SAME(kConditionalIf, CU_GRAPH_COND_TYPE_IF);
SAME(kConditionalWhile, CU_GRAPH_COND_TYPE_WHILE);
SAME(kConditionalSwitch, CU_GRAPH_COND_TYPE_SWITCH);
SAME(kCaptureGlobal, CU_STREAM_CAPTURE_MODE_GLOBAL);
SAME(kCaptureThreadLocal, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
SAME(kCaptureRelaxed, CU_STREAM_CAPTURE_MODE_RELAXED);
SAME(kCaptureNone, CU_STREAM_CAPTURE_STATUS_NONE);
SAME(kCaptureActive, CU_STREAM_CAPTURE_STATUS_ACTIVE);
SAME(kCaptureInvalidated, CU_STREAM_CAPTURE_STATUS_INVALIDATED);
SAME(kSymbolFound, CU_GET_PROC_ADDRESS_SUCCESS);
SAME(kSymbolNotFound, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
SAME(kSymbolVersionNotSufficient, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
SAME(kStreamDefault, CU_STREAM_DEFAULT);
SAME(kStreamNonBlocking, CU_STREAM_NON_BLOCKING);
SAME(kEventDefault, CU_EVENT_DEFAULT);
SAME(kEventBlockingSync, CU_EVENT_BLOCKING_SYNC);
SAME(kEventDisableTiming, CU_EVENT_DISABLE_TIMING);
SAME(kHostAllocPortable, CU_MEMHOSTALLOC_PORTABLE);
SAME(kHostAllocDeviceMapped, CU_MEMHOSTALLOC_DEVICEMAP);
SAME(kHostAllocWriteCombined, CU_MEMHOSTALLOC_WRITECOMBINED);
SAME(kHostRegisterPortable, CU_MEMHOSTREGISTER_PORTABLE);
SAME(kHostRegisterReadOnly, CU_MEMHOSTREGISTER_READ_ONLY);
SAME(kConditionalAssignDefault, CU_GRAPH_COND_ASSIGN_DEFAULT);
#undef SAME

#define SIZE(ours, theirs) static_assert(sizeof(ours) == sizeof(theirs), #ours)
#define PLACE(ours, member, theirs, name)                                                          \
  static_assert(offsetof(ours, member) == offsetof(theirs, name), #ours "::" #member)
SIZE(MemoryPoolProperties, CUmemPoolProps);
PLACE(MemoryPoolProperties, location, CUmemPoolProps, location);
PLACE(MemoryPoolProperties, maxBytes, CUmemPoolProps, maxSize);
SIZE(LaunchConfiguration, CUlaunchConfig);
PLACE(LaunchConfiguration, stream, CUlaunchConfig, hStream);
PLACE(LaunchConfiguration, attributeCount, CUlaunchConfig, numAttrs);
SIZE(KernelNodeParameters, CUDA_KERNEL_NODE_PARAMS_v3);
PLACE(KernelNodeParameters, parameters, CUDA_KERNEL_NODE_PARAMS_v3, kernelParams);
PLACE(KernelNodeParameters, context, CUDA_KERNEL_NODE_PARAMS_v3, ctx);
SIZE(CopyParameters, CUDA_MEMCPY3D);
PLACE(CopyParameters, fromDevice, CUDA_MEMCPY3D, srcDevice);
PLACE(CopyParameters, toX, CUDA_MEMCPY3D, dstXInBytes);
PLACE(CopyParameters, toDevice, CUDA_MEMCPY3D, dstDevice);
PLACE(CopyParameters, width, CUDA_MEMCPY3D, WidthInBytes);
SIZE(MemcpyNodeParameters, CUDA_MEMCPY_NODE_PARAMS);
PLACE(MemcpyNodeParameters, copy, CUDA_MEMCPY_NODE_PARAMS, copyParams);
SIZE(MemsetNodeParameters, CUDA_MEMSET_NODE_PARAMS_v2);
PLACE(MemsetNodeParameters, elementBytes, CUDA_MEMSET_NODE_PARAMS_v2, elementSize);
PLACE(MemsetNodeParameters, width, CUDA_MEMSET_NODE_PARAMS_v2, width);
SIZE(ChildGraphNodeParameters, CUDA_CHILD_GRAPH_NODE_PARAMS);
SIZE(ConditionalNodeParameters, CUDA_CONDITIONAL_NODE_PARAMS);
PLACE(ConditionalNodeParameters, bodies, CUDA_CONDITIONAL_NODE_PARAMS, phGraph_out);
SIZE(GraphNodeParameters, CUgraphNodeParams);
PLACE(GraphNodeParameters, kernel, CUgraphNodeParams, kernel);
PLACE(GraphNodeParameters, reserved2, CUgraphNodeParams, reserved2);
SIZE(GraphEdgeData, CUgraphEdgeData);

TEST(NvidiaHeaders, namesAreThoseOfCudaH) {
  // The table's text is what a person looks up.
#define RESULT(name, theirs, number, text) EXPECT_EQ(int(name), int(theirs));
#include "runtime/device/cuda/cuda_results.def"
#undef RESULT
}

} // namespace sluice::rt::cuda
