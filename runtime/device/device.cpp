// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What all devices share.
#include "runtime/device/device.h"

namespace sluice::rt {

PinnedMemory::~PinnedMemory() {
  if (data_)
    device_->giveBackPinned(data_, bytes_);
}

Result<PinnedMemory> Device::allocatePinned(size_t bytes) {
  PinnedMemory memory;
  if (bytes == 0)
    return memory;
  SLUICE_ASSIGN_OR_RETURN(memory.data_, obtainPinned(bytes));
  memory.device_ = this;
  memory.bytes_ = bytes;
  return memory;
}

Result<std::optional<Moment>> Device::multiply(const MatrixProduct &, StreamId) {
  return std::optional<Moment>();
}

Result<Device::PeerCopy> Device::copyFromPeer(void *, Device &peer, const void *, Moment, size_t,
                                              StreamId) {
  return notKnown(peer);
}

Status Device::notKnown(const Device &peer) const {
  return Status(Code::kUnimplemented, name_ + " copies nothing from " + peer.name_);
}

Status Device::checkStream(StreamId stream) const {
  if (indexOf(stream) < kCopyStreams + computeStreams())
    return okStatus();
  return invalidArgument(name_ + format(": expected one of %zu streams but got stream %zu",
                                        kCopyStreams + computeStreams(), indexOf(stream)));
}

Status Device::checkMoment(Moment moment) const {
  SLUICE_RETURN_IF_ERROR(checkStream(moment.stream));
  uint64_t last = lastMoment(moment.stream).ticket;
  if (moment.ticket <= last)
    return okStatus();
  return invalidArgument(name_ + format(": expected a ticket of stream %zu up to %llu but got %llu",
                                        indexOf(moment.stream),
                                        static_cast<unsigned long long>(last),
                                        static_cast<unsigned long long>(moment.ticket)));
}

Status Device::checkFill(size_t elementBytes) const {
  if (elementBytes == 1 || elementBytes == 2 || elementBytes == 4)
    return okStatus();
  return invalidArgument(
      name_ + format(": expected elements of 1, 2 or 4 bytes but got %zu", elementBytes));
}

} // namespace sluice::rt
