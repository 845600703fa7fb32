// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What benchmarks of kernels measure with: a watch, numbers, and libraries that are opened at run
// time, so that no build depends on one.
#pragma once

#include "runtime/memory/buffer.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <dlfcn.h>
#include <functional>
#include <vector>

namespace sluice::bench {

using rt::Buffer;

// Processor time of this thread, so that neighbours do not count, unless there are several.
inline clockid_t watch = CLOCK_THREAD_CPUTIME_ID;
inline double now() {
  timespec time;
  clock_gettime(watch, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

inline double median(std::vector<double> values) {
  if (values.empty())
    return 0;
  std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

// Memory as programs have it.
class Numbers {
public:
  explicit Numbers(int64_t count, float step = 0)
      : buffer_(Buffer::allocate(static_cast<size_t>(count) * sizeof(float))), count_(count) {
    if (!buffer_)
      std::exit(1);
    for (int64_t i = 0; i < count; ++i)
      data()[i] = std::sin(step * static_cast<float>(i % 4096 + 1));
  }
  ~Numbers() { buffer_->release(); }
  Numbers(const Numbers &) = delete;
  float *data() { return static_cast<float *>(buffer_->data()); }
  Buffer *buffer() { return buffer_; }
  int64_t size() const { return count_; }

private:
  Buffer *buffer_;
  int64_t count_;
};

// Nanoseconds of a call, of as many as take so long.
inline double timeOf(const std::function<void()> &call, double milliseconds) {
  int calls = 0;
  const double begin = now();
  double end;
  do {
    call();
    ++calls;
    end = now();
  } while (end - begin < milliseconds * 1e6);
  return (end - begin) / calls;
}

class OpenLibrary {
public:
  explicit OpenLibrary(const char *path) : library_(dlopen(path, RTLD_NOW)) {
    if (!library_)
      fail();
  }
  template <typename Function> Function *function(const char *name) {
    void *found = dlsym(library_, name);
    if (!found)
      fail();
    return reinterpret_cast<Function *>(found);
  }

private:
  [[noreturn]] static void fail() {
    std::fprintf(stderr, "error: %s\n", dlerror());
    std::exit(1);
  }

  void *library_;
};

} // namespace sluice::bench
