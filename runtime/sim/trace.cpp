// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines of the trace.
#include "runtime/sim/trace.h"

#include "runtime/sim/report.h"

#include <unistd.h>

namespace sluice::rt::sim {

Trace::Trace(const std::string &path) {
  if (path.empty())
    return;
  file_ = fopen(path.c_str(), "w");
  if (!file_) {
    say("cannot write to SLUICE_SIM_TRACE, '%s'", path.c_str());
    _exit(2);
  }
}

Trace::~Trace() {
  if (file_)
    fclose(file_);
}

void Trace::add(uint32_t stream, const Clock &clock, const std::string &name) {
  if (!file_)
    return;
  std::string known;
  for (uint32_t other = 0; other < clock.streams(); ++other)
    if (other != stream && clock.at(other))
      known += text("%s%u:%u", known.empty() ? "" : ",", other, clock.at(other));
  fprintf(file_, "%u %u %s %s\n", stream, clock.at(stream), known.empty() ? "-" : known.c_str(),
          name.c_str());
  fflush(file_); // programs may end without telling the driver
}

} // namespace sluice::rt::sim
