// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fibers: the threads of a block, which stop at barriers in the middle of compiled code.
//
// Switching is a few instructions of assembly on x86-64 and AArch64, which is twenty times faster
// than swapcontext. That is used elsewhere, and where the CPU keeps a shadow stack, which must be
// switched along.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace sluice::rt::sim {

// The stack of one fiber, with a page below it that cannot be touched.
struct FiberStack {
  char *begin = nullptr, *end = nullptr;
  bool holds(const void *address) const { return address >= begin && address < end; }
};

class Fibers {
public:
  Fibers();
  ~Fibers();
  Fibers(const Fibers &) = delete;

  // The next `count` fibers, 0 to count - 1, each of which will call `main(number)`. None is
  // running.
  void prepare(size_t count, void (*main)(size_t number));
  // Until it calls `leave` or its main returns.
  void resume(size_t number);
  // Back to who resumed the fiber that runs.
  void leave();
  const FiberStack &stack(size_t number) const { return stacks_[number]; }

private:
  struct State;
  static void begin();
  void growTo(size_t count);

  std::vector<FiberStack> stacks_;
  std::unique_ptr<State> state_;
};

} // namespace sluice::rt::sim
