// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Requests of a rank that others depend on.
#pragma once

#include "runtime/api/runner.h"
#include "runtime/io/disk.h"

namespace sluice::rt {

// While it waits for a line, it notices what happens to other ranks.
class AttentiveInput final : public ByteSource {
public:
  AttentiveInput(ByteSource &source, Runner &runner) : source_(source), runner_(runner) {}
  Result<size_t> read(char *data, size_t size) override {
    constexpr int kLookMs = 50;
    while (!source_.awaitReadable(kLookMs)) {
      runner_.attend();
      if (runner_.clusterEnd())
        return size_t{0};
    }
    return source_.read(data, size);
  }

private:
  ByteSource &source_;
  Runner &runner_;
};

} // namespace sluice::rt
