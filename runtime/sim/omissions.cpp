// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of what can be left out.
#include "runtime/sim/omissions.h"

#include "runtime/sim/report.h"

namespace sluice::rt::sim {

const char *nameOf(Omissible kind) {
  constexpr const char *kNames[] = {"nothing", "barrier", "copy", "edge", "question", "wait"};
  return kNames[static_cast<size_t>(kind)];
}

// Told once, when it gets its number.
bool Omissions::meet(Omissible kind, uint64_t number, const std::string &what) {
  bool isLeftOut = asked_.kind == kind && asked_.number == number;
  if (asked_.counts || isLeftOut)
    say("%s%s %llu: %s", isLeftOut ? "left out: " : "", nameOf(kind),
        static_cast<unsigned long long>(number), what.c_str());
  return isLeftOut;
}

bool Omissions::leavesOut(Omissible kind, const std::string &what) {
  return matter() && meet(kind, ++met_[static_cast<size_t>(kind)], what);
}

bool Omissions::leavesOut(Omissible kind, uint64_t &number, const std::string &what) {
  if (!matter())
    return false;
  if (number)
    return asked_.kind == kind && asked_.number == number;
  number = ++met_[static_cast<size_t>(kind)];
  return meet(kind, number, what);
}

bool Omissions::leavesOut(Omissible kind, const void *place, const std::string &what) {
  return matter() && leavesOut(kind, places_[place], what);
}

} // namespace sluice::rt::sim
