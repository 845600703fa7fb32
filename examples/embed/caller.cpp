// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls average in C++, linked with the library.
#include "average.hpp"

#include <cstdio>

int main() {
  const float samples[] = {1, 2, 3, 4, 5, 6};
  Average average;
  Average_reset reset(average.model());
  if (!reset.Run()) {
    std::fprintf(stderr, "error: %s\n", reset.error_msg().c_str());
    return 1;
  }
  const float *next = samples;
  for (int64_t size : {2, 1, 3}) {
    average.set_arg_samples_data(next, &size);
    if (!average.Run()) {
      std::fprintf(stderr, "error: %s\n", average.error_msg().c_str());
      return 1;
    }
    std::printf("mean = %g\n", average.result_mean());
    next += size;
  }
}
