// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines on stderr, each written at once so that threads do not mix theirs.
#include "runtime/sim/report.h"

#include <cstdarg>
#include <cstdio>
#include <unistd.h>

namespace sluice::rt::sim {

static std::string formatted(const char *pattern, va_list values) {
  char line[1024];
  int length = vsnprintf(line, sizeof line, pattern, values);
  return std::string(line, std::min<size_t>(length, sizeof line - 1));
}

static void write(const std::string &message) {
  std::string line = "sluice-sim: " + message + "\n";
  if (::write(STDERR_FILENO, line.data(), line.size()) < 0)
    return; // stderr is closed: nobody reads it
}

void say(const char *pattern, ...) {
  va_list values;
  va_start(values, pattern);
  write(formatted(pattern, values));
  va_end(values);
}

cuda::Result refuse(cuda::Result result, const char *pattern, ...) {
  va_list values;
  va_start(values, pattern);
  write(formatted(pattern, values));
  va_end(values);
  return result;
}

std::string text(const char *pattern, ...) {
  va_list values;
  va_start(values, pattern);
  std::string result = formatted(pattern, values);
  va_end(values);
  return result;
}

} // namespace sluice::rt::sim
