// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread's own memory.
#include "runtime/sim/ptx_thread.h"

#include "runtime/sim/report.h"

namespace sluice::rt::sim {

char *PtxThread::ownPlace(uint64_t offset, size_t bytes) {
  if (offset % bytes)
    block.fail(cuda::kMisalignedAddress,
               text("touches %zu bytes of its own memory at %llu, which is not a multiple of that",
                    bytes, static_cast<unsigned long long>(offset)));
  for (const PtxLocal &variable : kernel.locals)
    if (offset - variable.offset < variable.bytes &&
        bytes <= variable.bytes - (offset - variable.offset))
      return local + offset;
  block.fail(
      cuda::kIllegalAddress,
      text("out of bounds: touches %zu bytes of its own memory at %llu, which no variable has",
           bytes, static_cast<unsigned long long>(offset)));
}

void PtxThread::refuseSpace(uint64_t address) {
  block.fail(cuda::kInvalidAddressSpace,
             text("touches 0x%llx, which is memory of the block or of the thread, as memory of the "
                  "device",
                  static_cast<unsigned long long>(address)));
}

} // namespace sluice::rt::sim
