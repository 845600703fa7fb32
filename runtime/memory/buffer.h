// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reference-counted blocks of host memory and the pooled allocator that makes them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace sluice::rt {

class KeptForm;

// The begin of a block; the data starts 64 bytes after it, aligned to 64 bytes.
// Strings buffers hold `count` std::string objects, constructed on creation and destroyed with it.
class Buffer {
public:
  // Zero-filled only for strings. Null when memory is exhausted.
  static Buffer *allocate(size_t bytes);
  static Buffer *allocateStrings(size_t count);
  // Refers to memory that outlives every tensor (constants in the executable's image).
  static Buffer *wrapImmortal(const void *data);
  // Read-only memory full of an element of `size` bytes, which takes little of the machine's.
  static Buffer *repeat(const void *element, size_t size, size_t bytes);

  // What holds memory that is not the host's.
  class Foreign {
  public:
    virtual ~Foreign() = default;
  };
  // Refers to such memory, at an address that only its device understands. Null when memory for the
  // header is exhausted; then the holder is gone.
  static Buffer *refer(void *data, size_t bytes, std::unique_ptr<Foreign> holder);
  // Null for memory of the host.
  Foreign *foreign() { return where_ == Where::kForeign ? *holderOf(this) : nullptr; }

  // Pages of a file, which must hold so many bytes from there on, at a multiple of the size of
  // pages. They are read when somebody looks at them; what is written is copied and never goes to
  // the file. Null when the system refuses. The descriptor may be closed afterwards.
  static Buffer *mapFile(int descriptor, uint64_t offset, size_t bytes);

  // With another size, the first `used` bytes and, if it is to be, zeros behind them. Large
  // elements that nobody else sees keep their pages and are not copied. Null when memory is
  // exhausted: nothing has changed then; else the reference to the old buffer is gone.
  static Buffer *resize(Buffer *buffer, size_t bytes, size_t used, bool fillsWithZeros = false);

  void *data() { return data_; }
  size_t bytes() const { return bytes_; }
  // Nobody else sees the elements, so whoever asks may write to them: forms that were kept of them
  // (kept_forms.h) are gone. What may only be read is never solely owned.
  bool solelyOwned() {
    if (count_.load(std::memory_order_acquire) != 1 || isReadOnly_)
      return false;
    if (wasUsed_) [[unlikely]]
      forgetForms();
    return true;
  }
  void makeReadOnly() { isReadOnly_ = true; }
  // Of elements that are written without asking each time.
  void keepNoForms() { keepsNoForms_.store(true, std::memory_order_relaxed); }
  bool isRepeated() const { return where_ == Where::kRepeated; }
  void retain() { count_.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    // Nobody else can make a reference of the only one.
    if (count_.load(std::memory_order_acquire) == 1 ||
        count_.fetch_sub(1, std::memory_order_acq_rel) == 1)
      destroy();
  }

private:
  friend class KeptForms;

  Buffer() = default;
  static Buffer *allocateUncounted(size_t bytes);
  void destroy();
  void forgetForms();
  static Buffer *headerOf(const void *data);
  static Foreign **holderOf(Buffer *buffer);
  bool isMapping() const;

  std::atomic<uint32_t> count_{1};
  enum class Where : uint8_t { kBehindHeader, kImmortal, kRepeated, kFile, kForeign };
  Where where_ = Where::kBehindHeader;
  bool isReadOnly_ = false;
  uint8_t sizeClass_ = 0;
  std::atomic<bool> keepsNoForms_{false};
  size_t bytes_ = 0;
  size_t strings_ = 0;
  void *data_ = nullptr;

  // Of KeptForms.
  std::atomic<KeptForm *> forms_{nullptr};
  uint32_t lastUse_[2] = {}; // of matrices as they lie, and transposed
  uint8_t uses_[2] = {};
  bool wasUsed_ = false; // since somebody might write

  uint8_t account_ = 0; // memory_account.h; 0: nobody's
};

// Process-wide figures for `--stats` and for tests that count allocations.
struct MemoryStats {
  uint64_t allocations = 0;       // buffers handed out
  uint64_t systemAllocations = 0; // how often the system was asked for memory for them
  uint64_t liveBytes = 0;         // of blocks in use, headers and what rounding adds included
  uint64_t peakBytes = 0;
  uint64_t heldBytes = 0; // see base/held_memory.h: these are bounded by the limit
  uint64_t peakHeldBytes = 0;
};
MemoryStats memoryStats();
// Upper bound on held bytes; 0 means none. Allocation beyond it fails as RESOURCE_EXHAUSTED.
void setMemoryLimit(uint64_t bytes);

} // namespace sluice::rt
