// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What streams do, in a file, in the order in which it happens. Each operation is a line:
//
//   STREAM TIME STREAM:TIME,… NAME
//
// which operation of its stream it is, and up to which of other streams all is over before, since
// its stream has waited for that: two of which neither knows the other may overlap. What the host
// has learnt before it enqueued the second one does not count, as that is a matter of luck.
#pragma once

#include "runtime/sim/clock.h"

#include <cstdio>
#include <string>

namespace sluice::rt::sim {

class Trace {
public:
  // Nothing is written where there is no path. Ends the process where the file cannot be.
  explicit Trace(const std::string &path);
  ~Trace();
  Trace(const Trace &) = delete;
  Trace &operator=(const Trace &) = delete;

  bool isOn() const { return file_ != nullptr; }
  void add(uint32_t stream, const Clock &clock, const std::string &name);

private:
  FILE *file_ = nullptr;
};

} // namespace sluice::rt::sim
