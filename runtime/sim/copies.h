// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What copies and fillings do when their turn comes.
#pragma once

#include "runtime/sim/driver.h"

namespace sluice::rt::sim {

// Whether a call may name these bytes: all in one allocation that is not freed. `function` is
// blamed.
cuda::Result checkRange(Driver &driver, const char *function, cuda::DevicePointer begin,
                        size_t bytes);

// When its turn comes: false, and a finding, if the bytes are not there or in no order with others'
// use of them.
bool touch(Driver &driver, cuda::DevicePointer begin, size_t bytes, bool write, OperationId id);

// From memory that is pinned: read when the copy runs, and nobody may have written it by then.
Work copyFromPinned(Driver &driver, cuda::DevicePointer to, const void *from, size_t bytes,
                    bool watched);
// From other memory: read now.
Work copyFromPageable(Driver &driver, cuda::DevicePointer to, const void *from, size_t bytes);
Work copyToHost(Driver &driver, void *to, cuda::DevicePointer from, size_t bytes);
Work copyOnDevice(Driver &driver, cuda::DevicePointer to, cuda::DevicePointer from, size_t bytes);
// `count` elements of 1, 2 or 4 bytes.
Work fill(Driver &driver, cuda::DevicePointer to, uint32_t value, size_t elementBytes,
          size_t count);

} // namespace sluice::rt::sim
