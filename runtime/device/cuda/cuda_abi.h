// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The binary interface of the CUDA driver, as far as it is used: types, numbers, signatures.
//
// Declared here and not taken from cuda.h, because machines without CUDA build the runtime as well.
// test/gpu/abi/ compares all of it with NVIDIA's headers where those are found.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sluice::rt::cuda {

enum Result : int {
#define RESULT(name, theirs, number, text) name = number,
#include "runtime/device/cuda/cuda_results.def"
#undef RESULT
};

// ---- Handles ------------------------------------------------------------------------------------

using Device = int;
using DevicePointer = unsigned long long;
using ConditionalHandle = unsigned long long;
using Context = struct ContextObject *;
using Module = struct ModuleObject *;
using Function = struct FunctionObject *;
using Stream = struct StreamObject *;
using Event = struct EventObject *;
using MemoryPool = struct MemoryPoolObject *;
using Graph = struct GraphObject *;
using GraphNode = struct GraphNodeObject *;
using GraphExec = struct GraphExecObject *;
using Kernel = struct KernelObject *; // of libraries, which are not used
using HostFunction = void (*)(void *data);

// ---- Numbers ------------------------------------------------------------------------------------

enum DeviceAttribute : int {
  kMaxThreadsPerBlock = 1,
  kMaxBlockX = 2,
  kMaxBlockY = 3,
  kMaxBlockZ = 4,
  kMaxGridX = 5,
  kMaxGridY = 6,
  kMaxGridZ = 7,
  kMaxSharedPerBlock = 8,
  kWarpSize = 10,
  kMaxRegistersPerBlock = 12,
  kClockRate = 13,
  kMultiprocessorCount = 16,
  kConcurrentKernels = 31,
  kMemoryClockRate = 36,
  kMemoryBusWidth = 37,
  kL2CacheSize = 38,
  kMaxThreadsPerMultiprocessor = 39,
  kAsyncEngineCount = 40,
  kUnifiedAddressing = 41,
  kComputeCapabilityMajor = 75,
  kComputeCapabilityMinor = 76,
  kMaxSharedPerMultiprocessor = 81,
  kMaxRegistersPerMultiprocessor = 82,
  kMaxSharedPerBlockOptIn = 97,
  kMaxBlocksPerMultiprocessor = 106,
  kReservedSharedPerBlock = 111,
  kMemoryPoolsSupported = 115,
};

enum FunctionAttribute : int {
  kFunctionMaxThreadsPerBlock = 0,
  kFunctionSharedBytes = 1,
  kFunctionConstantBytes = 2,
  kFunctionLocalBytes = 3,
  kFunctionRegisters = 4,
  kFunctionPtxVersion = 5,
  kFunctionBinaryVersion = 6,
  kFunctionMaxDynamicSharedBytes = 8,
};

enum JitOption : int {
  kJitMaxRegisters = 0,
  kJitInfoLogBuffer = 3,
  kJitInfoLogBufferBytes = 4,
  kJitErrorLogBuffer = 5,
  kJitErrorLogBufferBytes = 6,
  kJitOptimizationLevel = 7,
};

enum MemoryPoolAttribute : int {
  kPoolReuseFollowEventDependencies = 1,
  kPoolReuseAllowOpportunistic = 2,
  kPoolReuseAllowInternalDependencies = 3,
  kPoolReleaseThreshold = 4,
  kPoolReservedCurrent = 5,
  kPoolReservedHigh = 6,
  kPoolUsedCurrent = 7,
  kPoolUsedHigh = 8,
};

enum AllocationType : int { kAllocationPinned = 1 };
enum LocationType : int { kLocationDevice = 1, kLocationHost = 2 };
enum MemoryType : int { kMemoryHost = 1, kMemoryDevice = 2 };
enum GraphNodeType : int {
  kNodeKernel = 0,
  kNodeMemcpy = 1,
  kNodeMemset = 2,
  kNodeHost = 3,
  kNodeGraph = 4,
  kNodeEmpty = 5,
  kNodeWaitEvent = 6,
  kNodeEventRecord = 7,
  kNodeMemAlloc = 10,
  kNodeMemFree = 11,
  kNodeConditional = 13,
};
enum ConditionalType : int { kConditionalIf = 0, kConditionalWhile = 1, kConditionalSwitch = 2 };
enum CaptureMode : int { kCaptureGlobal = 0, kCaptureThreadLocal = 1, kCaptureRelaxed = 2 };
enum CaptureStatus : int { kCaptureNone = 0, kCaptureActive = 1, kCaptureInvalidated = 2 };
enum SymbolStatus : int { kSymbolFound = 0, kSymbolNotFound = 1, kSymbolVersionNotSufficient = 2 };

// Flags, each for the call in its name.
enum : unsigned {
  kStreamDefault = 0,
  kStreamNonBlocking = 1,
  kEventDefault = 0,
  kEventBlockingSync = 1,
  kEventDisableTiming = 2,
  kHostAllocPortable = 1,
  kHostAllocDeviceMapped = 2,
  kHostAllocWriteCombined = 4,
  kHostRegisterPortable = 1,
  kHostRegisterReadOnly = 8,
  // cuGraphConditionalHandleCreate: every launch of the graph starts with the initial value.
  kConditionalAssignDefault = 1,
};

// ---- Structures ---------------------------------------------------------------------------------

struct MemoryLocation {
  LocationType type;
  int id;
};

struct MemoryPoolProperties {
  AllocationType allocationType;
  int handleTypes;
  MemoryLocation location;
  void *securityAttributes;
  size_t maxBytes;
  unsigned short usage;
  unsigned char reserved[54];
};

// Attributes of a launch (clusters, priorities) are not used, so their number is always 0.
struct LaunchAttribute;
struct LaunchConfiguration {
  unsigned gridX, gridY, gridZ;
  unsigned blockX, blockY, blockZ;
  unsigned sharedBytes;
  Stream stream;
  LaunchAttribute *attributes;
  unsigned attributeCount;
};

struct KernelNodeParameters {
  Function function;
  unsigned gridX, gridY, gridZ;
  unsigned blockX, blockY, blockZ;
  unsigned sharedBytes;
  void **parameters;
  void **extra;
  Kernel kernel;
  Context context;
};

struct CopyParameters {
  size_t fromX, fromY, fromZ, fromLevel;
  MemoryType fromType;
  const void *fromHost;
  DevicePointer fromDevice;
  void *fromArray;
  void *reserved0;
  size_t fromPitch, fromHeight;
  size_t toX, toY, toZ, toLevel;
  MemoryType toType;
  void *toHost;
  DevicePointer toDevice;
  void *toArray;
  void *reserved1;
  size_t toPitch, toHeight;
  size_t width, height, depth;
};

struct MemcpyNodeParameters {
  int flags;
  int reserved;
  Context context;
  CopyParameters copy;
};

struct MemsetNodeParameters {
  DevicePointer to;
  size_t pitch;
  unsigned value;
  unsigned elementBytes;
  size_t width;
  size_t height;
  Context context;
};

struct ChildGraphNodeParameters {
  Graph graph;
  int ownership;
};

struct ConditionalNodeParameters {
  ConditionalHandle handle;
  ConditionalType type;
  unsigned size;
  Graph *bodies; // filled in when the node is added
  Context context;
};

struct GraphNodeParameters {
  GraphNodeType type;
  int reserved0[3];
  union {
    long long reserved1[29];
    KernelNodeParameters kernel;
    MemcpyNodeParameters memcpy;
    MemsetNodeParameters memset;
    ChildGraphNodeParameters graph;
    ConditionalNodeParameters conditional;
  };
  long long reserved2;
};

struct GraphEdgeData {
  unsigned char fromPort, toPort, type;
  unsigned char reserved[5];
};

// ---- Signatures ---------------------------------------------------------------------------------

// One type for each function: cuMemAllocFunction and so on.
#define FUNCTION(name, version, parameters) using name##Function = Result(*) parameters;
#include "runtime/device/cuda/cuda_functions.def"
#undef FUNCTION

// What finds all others: cuGetProcAddress, version 12000, and the simulated driver's.
using GetProcAddressFunction = Result (*)(const char *symbol, void **function, int version,
                                          uint64_t flags, SymbolStatus *status);

} // namespace sluice::rt::cuda
