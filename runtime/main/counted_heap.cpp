// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// operator new and delete of executables: what they give counts as held memory, so that a limit is
// one for all that a process takes. Threads hold a little more than they use, and touch what all
// share only now and then.
#include "runtime/base/held_memory.h"

#include <cstdint>
#include <cstdlib>
#include <malloc.h>
#include <new>

namespace sluice::rt {

namespace {
constexpr int64_t kPortion = 64 << 10;

// Held, and not in use.
constinit thread_local int64_t allowance = 0;

struct ThreadEnd {
  ~ThreadEnd() {
    if (allowance > 0)
      unholdMemory(static_cast<size_t>(allowance));
    allowance = 0;
  }
  void atEnd() {}
};

bool holdMore(int64_t bytes) {
  int64_t missing = bytes - allowance, extra = kPortion;
  if (!holdMemory(static_cast<size_t>(missing + extra))) {
    extra = 0;
    if (!holdMemory(static_cast<size_t>(missing)))
      return false;
  }
  allowance += missing + extra;
  static thread_local ThreadEnd end;
  end.atEnd();
  return true;
}

// Null where memory is exhausted.
void *take(size_t bytes) {
  void *block = std::malloc(bytes ? bytes : 1);
  if (!block)
    return nullptr;
  auto used = static_cast<int64_t>(::malloc_usable_size(block) + sizeof(size_t));
  if (used > allowance && !holdMore(used)) {
    std::free(block);
    return nullptr;
  }
  allowance -= used;
  return block;
}

void giveBack(void *block) {
  if (!block)
    return;
  allowance += static_cast<int64_t>(::malloc_usable_size(block) + sizeof(size_t));
  std::free(block);
  if (allowance <= 2 * kPortion)
    return;
  unholdMemory(static_cast<size_t>(allowance - kPortion));
  allowance = kPortion;
}
} // namespace

} // namespace sluice::rt

// Without a handler there is nothing that could be done: there are no exceptions.
void *operator new(size_t bytes) {
  for (;;) {
    if (void *block = sluice::rt::take(bytes))
      return block;
    std::new_handler handler = std::get_new_handler();
    if (!handler)
      std::abort();
    handler();
  }
}
void *operator new[](size_t bytes) { return operator new(bytes); }
void *operator new(size_t bytes, const std::nothrow_t &) noexcept {
  return sluice::rt::take(bytes);
}
void *operator new[](size_t bytes, const std::nothrow_t &) noexcept {
  return sluice::rt::take(bytes);
}
void operator delete(void *block) noexcept { sluice::rt::giveBack(block); }
void operator delete[](void *block) noexcept { sluice::rt::giveBack(block); }
void operator delete(void *block, size_t) noexcept { sluice::rt::giveBack(block); }
void operator delete[](void *block, size_t) noexcept { sluice::rt::giveBack(block); }
void operator delete(void *block, const std::nothrow_t &) noexcept { sluice::rt::giveBack(block); }
void operator delete[](void *block, const std::nothrow_t &) noexcept {
  sluice::rt::giveBack(block);
}
