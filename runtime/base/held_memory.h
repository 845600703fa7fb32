// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What this process holds of the system's memory, and the most that it may hold: blocks of tensors,
// free ones included, messages, and in executables what operator new gives. Not in it: code and
// constants of the image, stacks, and the pages in which libraries keep their own state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace sluice::rt {

// False if that would be more than the limit, also after what is kept free was given back.
[[nodiscard]] bool holdMemory(size_t bytes);
void unholdMemory(size_t bytes);

// 0 means none.
void limitHeldMemory(uint64_t bytes);
uint64_t heldMemoryLimit();
uint64_t heldMemory();
uint64_t peakOfHeldMemory();

// Whether so much more may be held just now: for what is asked of operator new next, which can only
// end the process.
[[nodiscard]] bool memoryAllows(size_t bytes);

// What may go back to the system before memory is refused: first what is free, then also what is
// kept since it may be of use again.
enum class GiveBack : uint8_t { kFree, kUseful };
// Called by any thread that holds no lock of its own. There is one in a process.
void giveBackMemoryWith(void (*giveBack)(GiveBack));

// Bytes that are held as long as it lives.
class MemoryHold {
public:
  MemoryHold() = default;
  MemoryHold(MemoryHold &&other) noexcept : bytes_(std::exchange(other.bytes_, 0)) {}
  MemoryHold &operator=(MemoryHold &&other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~MemoryHold() { unholdMemory(bytes_); }

  // So many instead of what it has. False if that is too much; nothing has changed then.
  [[nodiscard]] bool resize(size_t bytes) {
    if (bytes > bytes_ && !holdMemory(bytes - bytes_))
      return false;
    if (bytes < bytes_)
      unholdMemory(bytes_ - bytes);
    bytes_ = bytes;
    return true;
  }

  // From now on somebody else has to let go of them.
  void keep() { bytes_ = 0; }

private:
  size_t bytes_ = 0;
};

} // namespace sluice::rt
