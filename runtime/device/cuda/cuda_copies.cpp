// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CudaDevice: copies.
//
// The driver would copy pageable memory while the caller waits, for as long as the stream takes. So
// it goes through pinned memory of ours, in pieces that are copied while others are under way.
#include "runtime/device/cuda/cuda_device.h"

#include "runtime/device/backoff.h"

#include <algorithm>
#include <cstring>

namespace sluice::rt::cuda {

static DevicePointer pointerOf(const void *memory) { return reinterpret_cast<uintptr_t>(memory); }

static std::byte *shifted(void *memory, size_t bytes) {
  return static_cast<std::byte *>(memory) + bytes;
}
static const std::byte *shifted(const void *memory, size_t bytes) {
  return static_cast<const std::byte *>(memory) + bytes;
}

bool CudaDevice::isPinned(const void *memory, size_t bytes) const {
  std::lock_guard lock(pinnedMutex_);
  auto begin = static_cast<const std::byte *>(memory);
  auto after = pinned_.upper_bound(begin);
  if (after == pinned_.begin())
    return false;
  auto [start, length] = *std::prev(after);
  return begin + bytes <= start + length;
}

rt::Result<PinnedStaging::Slab *> CudaDevice::takeSlab(size_t bytes) {
  uint64_t begin = systemClock().now();
  for (Backoff backoff;; backoff.pause()) {
    SLUICE_ASSIGN_OR_RETURN(PinnedStaging::Slab * slab, staging_.tryTake(bytes));
    if (slab)
      return slab;
    SLUICE_RETURN_IF_ERROR(streams_.endCopies());
    if (Cancellation::requestedHere())
      return cancelledWork();
    if (systemClock().now() - begin >= options_.mostWaitNanoseconds)
      return Status(Code::kDeadlineExceeded,
                    name() + ": earlier copies between host and device do not end");
  }
}

rt::Result<Moment> CudaDevice::copyPieceIn(void *to, const void *from, size_t bytes,
                                           StreamId stream, PinnedStaging::Slab *slab) {
  std::memcpy(slab->data, from, bytes);
  return streams_.enqueue(stream, "cuMemcpyHtoDAsync",
                          [&](Stream handle) {
                            return driver_.cuMemcpyHtoDAsync(pointerOf(to), slab->data, bytes,
                                                             handle);
                          },
                          {slab, nullptr, bytes});
}

rt::Result<Moment> CudaDevice::copyPieceOut(void *to, const void *from, size_t bytes,
                                            StreamId stream, PinnedStaging::Slab *slab) {
  return streams_.enqueue(stream, "cuMemcpyDtoHAsync",
                          [&](Stream handle) {
                            return driver_.cuMemcpyDtoHAsync(slab->data, pointerOf(from), bytes,
                                                             handle);
                          },
                          {slab, to, bytes});
}

template <typename Piece>
rt::Result<Moment> CudaDevice::copyInPieces(size_t bytes, StreamId stream, Piece piece) {
  Moment moment = streams_.last(stream);
  for (size_t done = 0; done < bytes;) {
    SLUICE_ASSIGN_OR_RETURN(PinnedStaging::Slab * slab, takeSlab(bytes - done));
    size_t length = std::min(bytes - done, slab->bytes);
    auto copied = piece(done, length, slab);
    if (!copied.ok())
      staging_.giveBack(slab);
    SLUICE_ASSIGN_OR_RETURN(moment, std::move(copied));
    done += length;
  }
  return moment;
}

rt::Result<Moment> CudaDevice::copyIn(void *to, const void *from, size_t bytes, StreamId stream) {
  SLUICE_RETURN_IF_ERROR(enter(stream));
  bool isDirect = bytes && isPinned(from, bytes);
  (isDirect ? copiedPinned_ : copiedStaged_) += bytes;
  if (isDirect)
    return streams_.enqueue(stream, "cuMemcpyHtoDAsync", [&](Stream handle) {
      return driver_.cuMemcpyHtoDAsync(pointerOf(to), from, bytes, handle);
    });
  return copyInPieces(bytes, stream, [&](size_t done, size_t length, PinnedStaging::Slab *slab) {
    return copyPieceIn(shifted(to, done), shifted(from, done), length, stream, slab);
  });
}

rt::Result<Moment> CudaDevice::copyOut(void *to, const void *from, size_t bytes, StreamId stream) {
  SLUICE_RETURN_IF_ERROR(enter(stream));
  bool isDirect = bytes && isPinned(to, bytes);
  (isDirect ? copiedPinned_ : copiedStaged_) += bytes;
  if (isDirect)
    return streams_.enqueue(stream, "cuMemcpyDtoHAsync", [&](Stream handle) {
      return driver_.cuMemcpyDtoHAsync(to, pointerOf(from), bytes, handle);
    });
  return copyInPieces(bytes, stream, [&](size_t done, size_t length, PinnedStaging::Slab *slab) {
    return copyPieceOut(shifted(to, done), shifted(from, done), length, stream, slab);
  });
}

rt::Result<Moment> CudaDevice::copyWithin(void *to, const void *from, size_t bytes,
                                          StreamId stream) {
  SLUICE_RETURN_IF_ERROR(enter(stream));
  if (bytes == 0)
    return streams_.last(stream);
  return streams_.enqueue(stream, "cuMemcpyDtoDAsync", [&](Stream handle) {
    return driver_.cuMemcpyDtoDAsync(pointerOf(to), pointerOf(from), bytes, handle);
  });
}

rt::Result<Moment> CudaDevice::fill(void *to, uint32_t value, size_t elementBytes, size_t count,
                                    StreamId stream) {
  SLUICE_RETURN_IF_ERROR(enter(stream));
  SLUICE_RETURN_IF_ERROR(checkFill(elementBytes));
  if (count == 0)
    return streams_.last(stream);
  return streams_.enqueue(stream, "cuMemsetAsync", [&](Stream handle) {
    DevicePointer pointer = pointerOf(to);
    if (elementBytes == 1)
      return driver_.cuMemsetD8Async(pointer, static_cast<uint8_t>(value), count, handle);
    if (elementBytes == 2)
      return driver_.cuMemsetD16Async(pointer, static_cast<uint16_t>(value), count, handle);
    return driver_.cuMemsetD32Async(pointer, value, count, handle);
  });
}

rt::Result<void *> CudaDevice::obtainPinned(size_t bytes) {
  SLUICE_RETURN_IF_ERROR(enter());
  void *memory = nullptr;
  SLUICE_RETURN_IF_ERROR(
      errors_.check(driver_.cuMemHostAlloc(&memory, bytes, kHostAllocPortable), "cuMemHostAlloc"));
  std::lock_guard lock(pinnedMutex_);
  pinned_[static_cast<std::byte *>(memory)] = bytes;
  return memory;
}

void CudaDevice::giveBackPinned(void *memory, size_t) {
  {
    std::lock_guard lock(pinnedMutex_);
    pinned_.erase(static_cast<std::byte *>(memory));
  }
  if (context_.enter().ok())
    (void)errors_.check(driver_.cuMemFreeHost(memory), "cuMemFreeHost");
}

Status CudaDevice::pin(void *memory, size_t bytes) {
  SLUICE_RETURN_IF_ERROR(enter());
  SLUICE_RETURN_IF_ERROR(errors_.check(
      driver_.cuMemHostRegister(memory, bytes, kHostRegisterPortable), "cuMemHostRegister"));
  std::lock_guard lock(pinnedMutex_);
  pinned_[static_cast<std::byte *>(memory)] = bytes;
  return okStatus();
}

void CudaDevice::unpin(void *memory) {
  {
    std::lock_guard lock(pinnedMutex_);
    pinned_.erase(static_cast<std::byte *>(memory));
  }
  if (context_.enter().ok())
    (void)errors_.check(driver_.cuMemHostUnregister(memory), "cuMemHostUnregister");
}

} // namespace sluice::rt::cuda
