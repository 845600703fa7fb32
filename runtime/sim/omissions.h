// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is left out of a run, so that tests see whether its absence is found: a single barrier,
// copy, edge of a graph, question or wait of a stream.
//
// Things of a kind are numbered from 1 on as they come up. Places in the code of kernels and
// questions about one recording have one number each, however often they come by.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace sluice::rt::sim {

enum class Omissible : uint8_t {
  kNothing,
  kBarrier,  // of a block or of a warp: a place in a kernel
  kCopy,     // or filling: nothing is read and nothing written
  kEdge,     // of a graph
  kQuestion, // whether something is over, or a wait of the host, where it has not learnt that from
             // another one: answered with yes at once
  kWait,     // of a stream for an event
};

struct Omission {
  Omissible kind = Omissible::kNothing;
  uint64_t number = 0;
  bool counts = false; // nothing is left out, but a line says of each thing what it is
};

class Omissions {
public:
  explicit Omissions(const Omission &asked) : asked_(asked) {}

  // Whether anybody wants to know.
  bool matter() const { return asked_.counts || asked_.kind != Omissible::kNothing; }
  // One more of its kind. Whether it is to be left out.
  bool leavesOut(Omissible kind, const std::string &what);
  // The same for what may come by again, which `place` tells from others.
  bool leavesOut(Omissible kind, const void *place, const std::string &what);
  // A number for something that `number`, 0 at first, is kept with.
  bool leavesOut(Omissible kind, uint64_t &number, const std::string &what);

private:
  bool meet(Omissible kind, uint64_t number, const std::string &what);

  const Omission asked_;
  uint64_t met_[6] = {};
  std::map<const void *, uint64_t> places_;
};

// "barrier", …; what environments and messages say.
const char *nameOf(Omissible kind);

} // namespace sluice::rt::sim
