// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A mutex that firings hold, from one op to another: no thread waits for it. Who holds it has a
// lock; the mutex is let go when the lock is released, or when nobody has the lock any more.
#pragma once

#include "runtime/memory/named_tensor.h"
#include "runtime/state/object_type.h"
#include "runtime/state/waiting_lines.h"

#include <atomic>
#include <string>

namespace sluice::rt {

class Mutex final : public WaitingLines {
public:
  static constexpr Kind kKind = Kind::kMutex;
  static const ObjectType &type() { return kMutexType; }

  struct Options {
    std::string title; // "mutex 'm'"
  };
  static Result<Ref<Mutex>> make(Options options) {
    return Ref<Mutex>::adopt(new Mutex(std::move(options)));
  }
  Status check(const Options &) const { return okStatus(); }

  // Output 0: the handle of a lock.
  Status lock(Client client);
  std::string title() const override { return options_.title; }

  // Between calls nobody holds it.
  Result<std::vector<NamedTensor>> content() const;
  static Result<Ref<Mutex>> ofContent(std::vector<NamedTensor> content);

private:
  friend class Lock;
  class Hold;

  explicit Mutex(Options options)
      : WaitingLines(kKind, Turns::kInOrder), options_(std::move(options)) {}
  void unlock();

  const Options options_;
  bool held_ = false;
};

class Lock final : public Object {
public:
  static constexpr Kind kKind = Kind::kLock;
  explicit Lock(Ref<Mutex> mutex) : Object(kKind), mutex_(std::move(mutex)) {}
  ~Lock() override;
  // INVALID_ARGUMENT when it has been released.
  Status release();

private:
  const Ref<Mutex> mutex_;
  std::atomic<bool> released_ = false;
};

} // namespace sluice::rt
