// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels as compileTwin would write them.
#include "test/gpu/sim/handwritten_twin.h"

#include "runtime/sim/image.h"
#include "runtime/sim/twin.h"
#include "runtime/sim/twin_calls.h"

extern "C" uint32_t sluice_sim_read_ptx_sreg_tid_x();
extern "C" uint32_t sluice_sim_read_ptx_sreg_ntid_x();
extern "C" uint32_t sluice_sim_read_ptx_sreg_ctaid_x();

namespace sluice::test {

static void add(void **parameters) {
  float *to = *static_cast<float **>(parameters[0]), *from = *static_cast<float **>(parameters[1]);
  uint32_t count = *static_cast<uint32_t *>(parameters[2]);
  uint32_t i = sluice_sim_read_ptx_sreg_ctaid_x() * sluice_sim_read_ptx_sreg_ntid_x() +
               sluice_sim_read_ptx_sreg_tid_x();
  if (i >= count)
    return;
  sluice_sim_read(&to[i], 4, 4);
  sluice_sim_read(&from[i], 4, 4);
  sluice_sim_write(&to[i], 4, 4);
  to[i] += from[i];
}

static void fill(void **parameters) {
  float *to = *static_cast<float **>(parameters[0]), value = *static_cast<float *>(parameters[1]);
  if (sluice_sim_read_ptx_sreg_ctaid_x() || sluice_sim_read_ptx_sreg_tid_x())
    return;
  sluice_sim_write(to, 4, 4);
  *to = value;
}

const std::string &handwrittenImage() {
  static const std::string image = "// written by hand\n"
                                   ".version 7.8\n.target sm_90\n.address_size 64\n"
                                   ".visible .entry add(.param .u64 .ptr .global .align 4 to,\n"
                                   "  .param .u64 from, .param .u32 count) { ret; }\n"
                                   ".visible .entry fill(.param .u64 to, .param .f32 value)\n"
                                   "{ ret; }\n";
  static const uint32_t addBytes[] = {8, 8, 4}, fillBytes[] = {8, 4};
  static const SluiceSimKernel kernels[] = {{"add", add, 3, addBytes, 0, 0, 0, 0, 0},
                                            {"fill", fill, 2, fillBytes, 0, 0, 0, 0, 0}};
  static void *dynamicShared = nullptr;
  static const SluiceSimTwin twin = {SLUICE_SIM_TWIN_VERSION,
                                     90,
                                     rt::sim::hashOfImage(image),
                                     kernels,
                                     2,
                                     0,
                                     nullptr,
                                     nullptr,
                                     0,
                                     0,
                                     &dynamicShared};
  static const bool registered = (sluice_sim_register_twin(&twin), true);
  (void)registered;
  return image;
}

} // namespace sluice::test
