/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * The interface between the simulator and twins: code for the host, made of the very module that an
 * image for a GPU was made of (compiler/codegen/sim/).
 *
 * A twin has one table, named sluice_sim_twin_ and the image's hash as 16 hexadecimal digits. The
 * simulator finds it in the file HASH.so of the folder that SLUICE_SIM_TWINS names, or because the
 * program that it is linked into registers it. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SLUICE_SIM_TWIN_VERSION = 1 };

/* Flags of kernels. */
enum { SLUICE_SIM_FLUSHES_DENORMALS = 1 };

typedef struct SluiceSimKernel {
  const char *name;
  /* One thread of the kernel; as in cuLaunchKernel, each parameter is where its value is. */
  void (*entry)(void **parameters);
  uint32_t parameterCount;
  const uint32_t *parameterBytes;
  uint32_t blockX, blockY, blockZ; /* what it must be launched with; 0: anything */
  uint32_t sharedBytes;            /* of the variables that it uses */
  uint32_t flags;
} SluiceSimKernel;

typedef struct SluiceSimVariable {
  const char *name;
  void *address;
  uint64_t bytes;
  uint32_t alignment;
  uint32_t reserved;
} SluiceSimVariable;

typedef struct SluiceSimTwin {
  uint32_t version;
  uint32_t architecture; /* 90: the image is for sm_90 */
  uint64_t imageHash;
  const SluiceSimKernel *kernels;
  uint32_t kernelCount;
  uint32_t sharedCount;
  const SluiceSimVariable *shared;  /* each with a red zone around it */
  const SluiceSimVariable *globals; /* variables and constants of the module */
  uint32_t globalCount;
  uint32_t reserved;
  /* Where kernels find dynamic shared memory: set before they run. */
  void **dynamicShared;
} SluiceSimTwin;

/* For programs that twins are linked into; before their first call of the driver. */
void sluice_sim_register_twin(const SluiceSimTwin *twin);

#ifdef __cplusplus
}
#endif
