// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the endpoints of a hub share: a mailbox for each rank, and which pairs are still linked.
#pragma once

#include "runtime/transport/in_process/hub.h"

#include <atomic>
#include <deque>
#include <mutex>
#include <semaphore.h>

namespace sluice::rt {

// A message, or the end of its sender.
struct Parcel {
  uint32_t from = 0;
  MessageHeader header;
  std::unique_ptr<char[]> payload;
  Status end; // not ok: nothing follows from this sender
};

// Wakes one thread; from signal handlers too, which a condition variable does not allow.
class Alarm {
public:
  Alarm() { sem_init(&semaphore_, 0, 0); }
  ~Alarm() { sem_destroy(&semaphore_); }
  Alarm(const Alarm &) = delete;
  void ring();
  // Returns once `ring` was called since the last return, or after the time given.
  void await(uint64_t timeoutNs);

private:
  std::atomic<bool> rung_ = false, waiting_ = false;
  sem_t semaphore_;
};

// One lock guards everything here; nothing is called back under it.
class Exchange {
public:
  Exchange(uint32_t size, Hub::Delivery delivery);

  uint32_t size() const { return static_cast<uint32_t>(boxes_.size()); }
  bool delivers() const { return delivery_ == Hub::Delivery::kAtOnce; }
  // Empties `parcels`; drops them if the link is down.
  void post(uint32_t from, uint32_t to, std::vector<Parcel> &parcels);
  std::deque<Parcel> collect(uint32_t rank);
  void await(uint32_t rank, uint64_t timeoutNs) { boxes_[rank].alarm.await(timeoutNs); }
  void wake(uint32_t rank) { boxes_[rank].alarm.ring(); }
  // Ends the link between two ranks: `to` loses `from` after what is under way.
  void sever(uint32_t from, uint32_t to, const Status &why);
  void severAll(uint32_t rank, const Status &why);

  void cut(uint32_t rank);
  std::vector<Hub::Channel> channels();
  bool deliverOne(uint32_t from, uint32_t to);

private:
  struct Mailbox {
    std::deque<Parcel> inbox;
    std::vector<std::deque<Parcel>> underWay; // by sender
    std::vector<bool> linked;                 // by peer; the same on both sides
    std::atomic<bool> filled = false;         // something in the inbox: polls without the lock
    Alarm alarm;
  };
  void put(uint32_t to, Parcel parcel);
  void arrive(uint32_t to, Parcel parcel);
  void severLocked(uint32_t from, uint32_t to, const Status &why);

  Hub::Delivery delivery_;
  std::mutex mutex_;
  std::deque<Mailbox> boxes_; // a deque: mailboxes do not move
};

} // namespace sluice::rt
