// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CudaDevice: copies from other devices of the driver.
//
// A copy is enqueued where its result is wanted, as that is who gets the memory for it. Streams of
// two devices wait for each other's events: the copy for what makes the value, and afterwards the
// other device's stream for the copy, so that its memory is given to nobody too early.
#include "runtime/device/cuda/cuda_device.h"

namespace sluice::rt::cuda {

// Where devices cannot reach each other, the driver copies through the host's memory by itself.
Status CudaDevice::reach(CudaDevice &peer) {
  std::lock_guard lock(peersMutex_);
  if (!reached_.insert(peer.context_.handle()).second)
    return okStatus();
  int can = 0;
  SLUICE_RETURN_IF_ERROR(
      errors_.check(driver_.cuDeviceCanAccessPeer(&can, context_.device(), peer.context_.device()),
                    "cuDeviceCanAccessPeer"));
  if (!can)
    return okStatus();
  Result result = driver_.cuCtxEnablePeerAccess(peer.context_.handle(), 0);
  return result == kPeerAccessAlreadyEnabled ? okStatus()
                                             : errors_.check(result, "cuCtxEnablePeerAccess");
}

rt::Result<rt::Device::PeerCopy> CudaDevice::copyFromPeer(void *to, rt::Device &peer,
                                                          const void *from, Moment ready,
                                                          size_t bytes, StreamId stream) {
  if (!knows(peer))
    return notKnown(peer);
  auto &other = static_cast<CudaDevice &>(peer);
  SLUICE_RETURN_IF_ERROR(other.enter());
  SLUICE_RETURN_IF_ERROR(other.checkMoment(ready));
  if (bytes == 0) {
    SLUICE_RETURN_IF_ERROR(enter(stream));
    return PeerCopy{streams_.last(stream), ready};
  }
  SLUICE_ASSIGN_OR_RETURN(std::optional<Event> made, other.streams_.eventFor(ready));
  SLUICE_RETURN_IF_ERROR(enter(stream));
  SLUICE_RETURN_IF_ERROR(reach(other));
  if (made)
    SLUICE_RETURN_IF_ERROR(streams_.wait(stream, *made).status());
  SLUICE_ASSIGN_OR_RETURN(
      Moment done, streams_.enqueue(stream, "cuMemcpyPeerAsync", [&](Stream handle) {
        return driver_.cuMemcpyPeerAsync(reinterpret_cast<uintptr_t>(to), context_.handle(),
                                         reinterpret_cast<uintptr_t>(from), other.context_.handle(),
                                         bytes, handle);
      }));
  copiedFromPeers_ += bytes;
  SLUICE_ASSIGN_OR_RETURN(std::optional<Event> copied, streams_.eventFor(done));
  if (!copied) // somebody has asked meanwhile, and it is over
    return PeerCopy{done, ready};
  SLUICE_RETURN_IF_ERROR(other.enter());
  SLUICE_ASSIGN_OR_RETURN(Moment read, other.streams_.wait(StreamId::kDeviceToHost, *copied));
  return PeerCopy{done, read};
}

} // namespace sluice::rt::cuda
