// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory between pages that nobody may touch: for runs that look for code which reads or writes
// beyond a tensor. It costs such runs a system call or two for each buffer, and others nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sluice::rt {

// Where the elements of a buffer touch a guard: their last byte, or their first one. There is a
// guard on the other side too, but up to a page away.
enum class GuardSide : uint8_t { kNone, kBehind, kBefore };

// Of all buffers that are made from now on, in this process; those that exist stay as they are.
// Whoever touches a guard ends the process with a line on standard error and exit code 70.
void guardBuffers(GuardSide side);

namespace guard_pages {
extern GuardSide side;
}
inline bool buffersAreGuarded() { return guard_pages::side != GuardSide::kNone; }

// While it lives, that line names the node as the one that its thread works for.
class GuardedWork {
public:
  explicit GuardedWork(std::string_view node) {
    if (buffersAreGuarded()) [[unlikely]]
      name(node);
  }
  ~GuardedWork() {
    if (buffersAreGuarded()) [[unlikely]]
      name({});
  }
  GuardedWork(const GuardedWork &) = delete;
  GuardedWork &operator=(const GuardedWork &) = delete;

private:
  static void name(std::string_view node);
};

// One buffer's elements, aligned as their size allows.
class GuardedBlock {
public:
  // Null when memory is exhausted, or when the system keeps no more mappings: Linux allows about
  // 30,000 such blocks at a time.
  static GuardedBlock *map(size_t bytes);
  void unmap();

  char *data() const { return data_; }
  size_t bytes() const { return bytes_; }
  // The block in which the address lies, or in whose guards; null if there is none.
  static const GuardedBlock *at(const void *address);

private:
  GuardedBlock() = default;

  GuardedBlock *previous_ = nullptr, *next_ = nullptr;
  char *mapped_ = nullptr;
  size_t mappedBytes_ = 0;
  char *data_ = nullptr;
  size_t bytes_ = 0;
  static GuardedBlock *first_; // of all that live
};

} // namespace sluice::rt
