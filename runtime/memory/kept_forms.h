// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Other forms of a buffer's elements, such as a packed matrix, that are kept while nobody writes to
// the buffer: whoever may write has asked it for `solelyOwned` before, and so dropped them.
//
// A form is made when it was of use some times already, by one thread; others do without meanwhile.
#pragma once

#include "runtime/memory/buffer.h"

#include <cstdint>

namespace sluice::rt {

// What a form is of: a matrix that begins `offset` bytes after the buffer's first element. Strides
// count elements; `type` says what they are, and of what kind the form is.
struct FormKey {
  int64_t offset, rows, columns, rowStride, columnStride;
  uint32_t type;
  bool operator==(const FormKey &) const = default;
};

// At the begin of the memory of a form.
class alignas(64) KeptForm {
public:
  void *data() { return this + 1; }

private:
  friend class KeptForms;
  enum class State : uint8_t { kBeingMade, kKept, kDropped };

  FormKey key_;
  Buffer *memory_, *of_;
  KeptForm *nextOfBuffer_;
  KeptForm *newer_, *older_; // by their last use
  uint64_t bytes_;
  uint32_t lastUse_;
  uint32_t users_;
  State state_;
};

class KeptForms {
public:
  // A form that stays while this lives, whoever drops it.
  class Use {
  public:
    Use() = default;
    explicit Use(KeptForm *form) : form_(form) {}
    Use(Use &&other) noexcept : form_(other.form_) { other.form_ = nullptr; }
    Use &operator=(Use other) noexcept {
      KeptForm *mine = form_;
      form_ = other.form_;
      other.form_ = mine;
      return *this;
    }
    ~Use() {
      if (form_)
        end(form_);
    }
    explicit operator bool() const { return form_; }
    void *data() const { return form_->data(); }

  private:
    KeptForm *form_ = nullptr;
  };

  // The caller holds the buffer, and nobody writes to it. `make` writes so many bytes to where it
  // is told, when the form would have been of use `usesBefore` times in vain. Without a form, none.
  template <typename Make>
  static Use find(Buffer &buffer, const FormKey &key, uint64_t bytes, int usesBefore,
                  const Make &make) {
    KeptForm *toMake = nullptr;
    KeptForm *form = lookUp(buffer, key, bytes, usesBefore, toMake);
    if (toMake) {
      make(toMake->data());
      finish(form = toMake);
    }
    return Use(form);
  }

  // Nobody sees the elements any more but the caller, who may change them.
  static void forget(Buffer &buffer);
  // All that nobody uses just now.
  static void giveBack();
  // What forms may take; also at most a quarter of the limit of held memory, if there is one.
  static void limit(uint64_t bytes);

  struct Figures {
    uint64_t made, reused, bytes;
  };
  static Figures figures();

  // Around a fork.
  static void lock();
  static void unlock();

private:
  static KeptForm *lookUp(Buffer &buffer, const FormKey &key, uint64_t bytes, int usesBefore,
                          KeptForm *&toMake);
  static KeptForm *ready(Buffer &buffer, const FormKey &key, bool &isBeingMade);
  static bool makeRoom(uint64_t bytes, uint32_t unusedSince, KeptForm *&dropped);
  static KeptForm *begin(Buffer &buffer, const FormKey &key, uint64_t bytes);
  static void finish(KeptForm *form);
  static void end(KeptForm *form);
  static void noteUse(KeptForm *form);
  static void insertNewest(KeptForm *form);
  static void unlinkByUse(KeptForm *form);
  static void drop(KeptForm *form, KeptForm *&dropped);
  static void release(KeptForm *dropped);
};

} // namespace sluice::rt
