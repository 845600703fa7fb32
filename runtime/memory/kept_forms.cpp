// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kept forms in two lists, under one lock: those of each buffer, and all by their last use.
//
// Memory is taken and returned without the lock, since the pool may ask for all of it back.
#include "runtime/memory/kept_forms.h"

#include "runtime/base/held_memory.h"

#include <algorithm>
#include <mutex>
#include <new>
#include <utility>

namespace sluice::rt {

namespace {
constinit std::mutex mutex;
constinit KeptForm *newest = nullptr, *oldest = nullptr;
constinit uint64_t most = uint64_t{1} << 30;
constinit uint64_t keptBytes = 0; // those that are being made or whose last user goes on included
constinit uint64_t formsMade = 0, formsReused = 0;
constinit uint32_t useNumber = 0;

// Guarded memory is aligned as its size allows.
constexpr uint64_t formBytes(uint64_t bytes) {
  return sizeof(KeptForm) + (bytes + alignof(KeptForm) - 1) / alignof(KeptForm) * alignof(KeptForm);
}
uint64_t mostBytes() {
  uint64_t held = heldMemoryLimit();
  return held ? std::min(most, held / 4) : most;
}
} // namespace

// ---- Lists, under the lock ----------------------------------------------------------------------

void KeptForms::insertNewest(KeptForm *form) {
  form->newer_ = nullptr;
  form->older_ = newest;
  (newest ? newest->newer_ : oldest) = form;
  newest = form;
}

void KeptForms::unlinkByUse(KeptForm *form) {
  (form->newer_ ? form->newer_->older_ : newest) = form->older_;
  (form->older_ ? form->older_->newer_ : oldest) = form->newer_;
}

void KeptForms::noteUse(KeptForm *form) {
  form->lastUse_ = useNumber;
  ++form->users_;
  unlinkByUse(form);
  insertNewest(form);
}

// Its memory is returned later, or by its last user.
void KeptForms::drop(KeptForm *form, KeptForm *&dropped) {
  KeptForm *link = form->of_->forms_.load(std::memory_order_relaxed);
  if (link == form) {
    // Whoever frees the buffer and sees no form any more takes no lock.
    form->of_->forms_.store(form->nextOfBuffer_, std::memory_order_release);
  } else {
    while (link->nextOfBuffer_ != form)
      link = link->nextOfBuffer_;
    link->nextOfBuffer_ = form->nextOfBuffer_;
  }
  unlinkByUse(form);
  form->state_ = KeptForm::State::kDropped;
  if (form->users_ > 0)
    return;
  keptBytes -= form->bytes_;
  form->nextOfBuffer_ = dropped;
  dropped = form;
}

// A form goes for another only if nobody has used it since the other would have been of use. So of
// more forms than there is room for, used in turns, as many stay as do fit.
bool KeptForms::makeRoom(uint64_t bytes, uint32_t unusedSince, KeptForm *&dropped) {
  const uint64_t room = mostBytes();
  if (bytes > room)
    return false;
  for (KeptForm *form = oldest, *next; form && keptBytes + bytes > room; form = next) {
    next = form->newer_;
    if (static_cast<int32_t>(form->lastUse_ - unusedSince) >= 0)
      break;
    if (form->users_ == 0)
      drop(form, dropped);
  }
  return keptBytes + bytes <= room;
}

KeptForm *KeptForms::ready(Buffer &buffer, const FormKey &key, bool &isBeingMade) {
  for (KeptForm *form = buffer.forms_.load(std::memory_order_relaxed); form;
       form = form->nextOfBuffer_) {
    if (!(form->key_ == key))
      continue;
    isBeingMade = form->state_ == KeptForm::State::kBeingMade;
    return form;
  }
  return nullptr;
}

// ---- Uses ---------------------------------------------------------------------------------------

KeptForm *KeptForms::lookUp(Buffer &buffer, const FormKey &key, uint64_t bytes, int usesBefore,
                            KeptForm *&toMake) {
  if (buffer.keepsNoForms_.load(std::memory_order_relaxed))
    return nullptr;
  KeptForm *dropped = nullptr;
  {
    std::lock_guard guard(mutex);
    buffer.wasUsed_ = true;
    const bool isTransposed = key.columnStride != 1;
    const uint32_t lastUse = std::exchange(buffer.lastUse_[isTransposed], ++useNumber);
    bool isBeingMade = false;
    if (KeptForm *form = ready(buffer, key, isBeingMade)) {
      if (isBeingMade)
        return nullptr;
      noteUse(form);
      ++formsReused;
      return form;
    }
    uint8_t &uses = buffer.uses_[isTransposed];
    if (uses < usesBefore) {
      ++uses;
      return nullptr;
    }
    if (!makeRoom(formBytes(bytes), lastUse, dropped))
      bytes = 0;
  }
  release(dropped);
  if (bytes > 0)
    toMake = begin(buffer, key, bytes);
  return nullptr;
}

// Null where there is no memory, or another thread makes it.
KeptForm *KeptForms::begin(Buffer &buffer, const FormKey &key, uint64_t bytes) {
  bytes = formBytes(bytes);
  const uint64_t held = heldMemoryLimit();
  if (held && heldMemory() + bytes > held) // others need it more
    return nullptr;
  Buffer *memory = Buffer::allocate(bytes);
  if (!memory)
    return nullptr;
  auto *form = new (memory->data()) KeptForm();
  form->key_ = key;
  form->memory_ = memory;
  form->of_ = &buffer;
  form->bytes_ = bytes;
  form->users_ = 1;
  form->state_ = KeptForm::State::kBeingMade;
  bool isTwice = false;
  {
    std::lock_guard guard(mutex);
    if (!ready(buffer, key, isTwice)) {
      form->lastUse_ = useNumber;
      form->nextOfBuffer_ = buffer.forms_.load(std::memory_order_relaxed);
      buffer.forms_.store(form, std::memory_order_relaxed);
      insertNewest(form);
      keptBytes += bytes;
      ++formsMade;
      return form;
    }
  }
  memory->release();
  return nullptr;
}

void KeptForms::finish(KeptForm *form) {
  std::lock_guard guard(mutex);
  if (form->state_ == KeptForm::State::kBeingMade)
    form->state_ = KeptForm::State::kKept;
}

void KeptForms::end(KeptForm *form) {
  {
    std::lock_guard guard(mutex);
    if (--form->users_ > 0 || form->state_ != KeptForm::State::kDropped)
      return;
    keptBytes -= form->bytes_;
  }
  form->nextOfBuffer_ = nullptr;
  release(form);
}

// ---- Ends ---------------------------------------------------------------------------------------

void KeptForms::release(KeptForm *dropped) {
  while (dropped) {
    Buffer *memory = dropped->memory_;
    dropped = dropped->nextOfBuffer_;
    memory->release();
  }
}

void KeptForms::forget(Buffer &buffer) {
  buffer.wasUsed_ = false;
  std::fill_n(buffer.uses_, std::size(buffer.uses_), uint8_t{0});
  if (!buffer.forms_.load(std::memory_order_acquire))
    return;
  KeptForm *dropped = nullptr;
  {
    std::lock_guard guard(mutex);
    while (KeptForm *form = buffer.forms_.load(std::memory_order_relaxed))
      drop(form, dropped);
  }
  release(dropped);
}

void KeptForms::giveBack() {
  KeptForm *dropped = nullptr;
  {
    std::lock_guard guard(mutex);
    for (KeptForm *form = oldest, *next; form; form = next) {
      next = form->newer_;
      if (form->users_ == 0)
        drop(form, dropped);
    }
  }
  release(dropped);
}

void KeptForms::limit(uint64_t bytes) {
  {
    std::lock_guard guard(mutex);
    most = bytes;
  }
  if (bytes < figures().bytes)
    giveBack();
}

KeptForms::Figures KeptForms::figures() {
  std::lock_guard guard(mutex);
  return {formsMade, formsReused, keptBytes};
}

void KeptForms::lock() { mutex.lock(); }
void KeptForms::unlock() { mutex.unlock(); }

} // namespace sluice::rt
