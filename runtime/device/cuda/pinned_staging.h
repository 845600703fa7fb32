// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pinned host memory through which pageable memory is copied, in slabs of two sizes: a few large
// ones for the throughput of long copies, and many small ones for scalars and the like. Each kind
// is obtained when it is first needed and kept. From any thread.
#pragma once

#include "runtime/device/cuda/driver_errors.h"

#include <cstddef>
#include <vector>

namespace sluice::rt::cuda {

class PinnedStaging {
public:
  struct Slab {
    std::byte *data = nullptr;
    size_t bytes = 0;
  };
  struct Sizes {
    size_t smallBytes = size_t(16) << 10, smallCount = 64;
    size_t largeBytes = size_t(4) << 20, largeCount = 4;
  };

  PinnedStaging(const Driver &driver, DriverErrors &errors, const Sizes &sizes)
      : driver_(driver), errors_(errors), small_{{}, {}, sizes.smallBytes, sizes.smallCount},
        large_{{}, {}, sizes.largeBytes, sizes.largeCount} {}
  ~PinnedStaging();
  PinnedStaging(const PinnedStaging &) = delete;
  PinnedStaging &operator=(const PinnedStaging &) = delete;

  // For as many of the bytes as a slab holds; null while all are in use.
  rt::Result<Slab *> tryTake(size_t bytes);
  void giveBack(Slab *slab);
  // It stays where it is, for ever.
  void abandon() { abandoned_ = true; }

private:
  struct Kind {
    std::vector<Slab> slabs; // does not grow once it is there
    std::vector<Slab *> idle;
    size_t bytes, count;
    void *memory = nullptr;
  };
  Status obtain(Kind &kind);

  const Driver &driver_;
  DriverErrors &errors_;
  std::mutex mutex_;
  Kind small_, large_;
  bool abandoned_ = false;
};

} // namespace sluice::rt::cuda
