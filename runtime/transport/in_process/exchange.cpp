// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mailboxes of a hub.
#include "runtime/transport/in_process/exchange.h"

#include "runtime/transport/peer_status.h"

#include <ctime>

namespace sluice::rt {

void Alarm::ring() {
  rung_ = true;
  if (waiting_.exchange(false))
    sem_post(&semaphore_);
}

void Alarm::await(uint64_t timeoutNs) {
  constexpr uint64_t kBillion = 1000000000, kYear = 365 * 86400 * kBillion;
  timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  uint64_t nanos = static_cast<uint64_t>(until.tv_nsec) + (timeoutNs < kYear ? timeoutNs : kYear);
  until.tv_sec += static_cast<time_t>(nanos / kBillion);
  until.tv_nsec = static_cast<long>(nanos % kBillion);
  waiting_ = true;
  // Set before the look at `rung_`, as `ring` sets that before its look here: one sees the other.
  if (!rung_)
    sem_clockwait(&semaphore_, CLOCK_MONOTONIC, &until);
  waiting_ = false;      // a post that comes between makes the next await return early, no more
  rung_.exchange(false); // not a store: what was written before `ring` must be seen now
}

Exchange::Exchange(uint32_t size, Hub::Delivery delivery) : delivery_(delivery), boxes_(size) {
  for (uint32_t rank = 0; rank < size; ++rank) {
    boxes_[rank].underWay.resize(size);
    boxes_[rank].linked.assign(size, true);
    boxes_[rank].linked[rank] = false;
  }
}

void Exchange::arrive(uint32_t to, Parcel parcel) {
  Mailbox &box = boxes_[to];
  box.inbox.push_back(std::move(parcel));
  box.filled = true;
  box.alarm.ring();
}

void Exchange::put(uint32_t to, Parcel parcel) {
  if (delivers())
    arrive(to, std::move(parcel));
  else
    boxes_[to].underWay[parcel.from].push_back(std::move(parcel));
}

void Exchange::post(uint32_t from, uint32_t to, std::vector<Parcel> &parcels) {
  std::lock_guard lock(mutex_);
  if (boxes_[to].linked[from])
    for (Parcel &parcel : parcels)
      put(to, std::move(parcel));
  parcels.clear();
}

std::deque<Parcel> Exchange::collect(uint32_t rank) {
  std::deque<Parcel> parcels;
  Mailbox &box = boxes_[rank];
  if (!box.filled)
    return parcels;
  std::lock_guard lock(mutex_);
  parcels.swap(box.inbox);
  box.filled = false;
  return parcels;
}

void Exchange::severLocked(uint32_t from, uint32_t to, const Status &why) {
  if (!boxes_[to].linked[from])
    return;
  boxes_[to].linked[from] = boxes_[from].linked[to] = false;
  boxes_[from].underWay[to].clear();
  put(to, {from, {}, nullptr, why});
}

void Exchange::sever(uint32_t from, uint32_t to, const Status &why) {
  std::lock_guard lock(mutex_);
  severLocked(from, to, why);
}

void Exchange::severAll(uint32_t rank, const Status &why) {
  std::lock_guard lock(mutex_);
  for (uint32_t peer = 0; peer < size(); ++peer)
    severLocked(rank, peer, why);
}

void Exchange::cut(uint32_t rank) {
  std::lock_guard lock(mutex_);
  boxes_[rank].inbox.clear();
  for (uint32_t peer = 0; peer < size(); ++peer) {
    if (!boxes_[rank].linked[peer])
      continue;
    severLocked(rank, peer, peerBroken(format("rank %u", rank), "connection reset"));
    arrive(rank, {peer, {}, nullptr, peerBroken(format("rank %u", peer), "connection reset")});
  }
}

std::vector<Hub::Channel> Exchange::channels() {
  std::lock_guard lock(mutex_);
  std::vector<Hub::Channel> found;
  for (uint32_t to = 0; to < size(); ++to)
    for (uint32_t from = 0; from < size(); ++from)
      if (!boxes_[to].underWay[from].empty())
        found.push_back({from, to});
  return found;
}

bool Exchange::deliverOne(uint32_t from, uint32_t to) {
  std::lock_guard lock(mutex_);
  std::deque<Parcel> &channel = boxes_[to].underWay[from];
  if (channel.empty())
    return false;
  arrive(to, std::move(channel.front()));
  channel.pop_front();
  return true;
}

} // namespace sluice::rt
