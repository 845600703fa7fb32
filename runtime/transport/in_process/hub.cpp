// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Endpoints of a hub.
#include "runtime/transport/in_process/hub.h"

#include "runtime/transport/in_process/exchange.h"
#include "runtime/transport/peer_status.h"

#include <algorithm>

namespace sluice::rt {

namespace {

std::string nameOf(uint32_t rank) { return format("rank %u", rank); }

class Endpoint final : public Transport {
public:
  Endpoint(std::shared_ptr<Exchange> exchange, uint32_t rank)
      : exchange_(std::move(exchange)), rank_(rank), outgoing_(exchange_->size()),
        unsent_(exchange_->size()), lost_(exchange_->size()) {
    lost_[rank] = true; // nothing goes to itself
  }
  ~Endpoint() override {
    exchange_->severAll(rank_, peerBroken(nameOf(rank_), "ended without goodbye"));
  }

  uint32_t rank() const override { return rank_; }
  uint32_t size() const override { return exchange_->size(); }
  void send(uint32_t peer, MessageHeader header, std::span<const char> first,
            std::span<const char> second, Owner owner) override;
  void flush() override;
  bool poll(Handler &handler) override;
  void wait(uint64_t timeoutNs) override {
    if (exchange_->delivers()) // else time belongs to who delivers
      exchange_->await(rank_, timeoutNs);
  }
  void wake() override { exchange_->wake(rank_); }
  uint64_t silence(uint32_t) const override { return 0; }
  uint64_t unsent(uint32_t peer) const override { return unsent_[peer]; }
  void close(uint64_t) override;

private:
  bool deliver(Parcel &parcel, Handler &handler);
  void lose(uint32_t peer, const Status &why, Handler &handler);

  std::shared_ptr<Exchange> exchange_;
  uint32_t rank_;
  std::vector<std::vector<Parcel>> outgoing_; // by peer
  std::vector<uint64_t> unsent_;
  std::vector<uint32_t> dirty_; // peers with something outgoing
  std::vector<bool> lost_;      // told to the handler, or closed
};

void Endpoint::send(uint32_t peer, MessageHeader header, std::span<const char> first,
                    std::span<const char> second, Owner) {
  if (lost_[peer])
    return;
  header.bytes = static_cast<uint32_t>(first.size() + second.size());
  auto payload = std::make_unique_for_overwrite<char[]>(header.bytes);
  std::copy(first.begin(), first.end(), payload.get());
  std::copy(second.begin(), second.end(), payload.get() + first.size());
  if (outgoing_[peer].empty())
    dirty_.push_back(peer);
  outgoing_[peer].push_back({rank_, header, std::move(payload), okStatus()});
  unsent_[peer] += sizeof header + header.bytes;
}

void Endpoint::flush() {
  for (uint32_t peer : dirty_) {
    exchange_->post(rank_, peer, outgoing_[peer]);
    unsent_[peer] = 0;
  }
  dirty_.clear();
}

void Endpoint::lose(uint32_t peer, const Status &why, Handler &handler) {
  lost_[peer] = true;
  exchange_->sever(rank_, peer, peerBroken(nameOf(rank_), "connection reset"));
  handler.lost(peer, why);
}

bool Endpoint::deliver(Parcel &parcel, Handler &handler) {
  if (lost_[parcel.from])
    return false;
  if (!parcel.end.ok()) {
    lose(parcel.from, parcel.end, handler);
    return true;
  }
  Result<uint64_t> most = handler.admit(parcel.from, parcel.header);
  if (!admits(most, parcel.header))
    lose(parcel.from, peerNotAdmitted(nameOf(parcel.from), parcel.header, most), handler);
  else
    handler.receive(parcel.from, parcel.header, {parcel.payload.get(), parcel.header.bytes});
  return true;
}

bool Endpoint::poll(Handler &handler) {
  bool delivered = false;
  std::deque<Parcel> parcels = exchange_->collect(rank_);
  for (Parcel &parcel : parcels)
    delivered |= deliver(parcel, handler);
  return delivered;
}

void Endpoint::close(uint64_t) {
  flush();
  exchange_->severAll(rank_, peerEnded(nameOf(rank_)));
  lost_.assign(lost_.size(), true);
}

} // namespace

Hub::Hub(uint32_t size, Delivery delivery)
    : exchange_(std::make_shared<Exchange>(size, delivery)) {}

std::unique_ptr<Transport> Hub::endpoint(uint32_t rank) {
  return std::make_unique<Endpoint>(exchange_, rank);
}

std::vector<Hub::Channel> Hub::channels() const { return exchange_->channels(); }
bool Hub::deliverOne(uint32_t from, uint32_t to) { return exchange_->deliverOne(from, to); }
void Hub::cut(uint32_t rank) { exchange_->cut(rank); }

} // namespace sluice::rt
