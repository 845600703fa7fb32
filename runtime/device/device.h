// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device that has memory and streams of its own.
//
// Every call may come from any thread. Copies, fills and launches are enqueued on a stream and
// answer with the moment at which they have completed; the host waits only in `await`, and where
// staging or memory has run out, and never longer than it was told. Addresses of the device's mean
// nothing to the host, and must stay valid until what uses them has completed: see MemoryPool.
//
// Errors are values. What breaks a device for good (a kernel that wrote where it may not) comes to
// light in some later call; from then on every call answers with the first such reason.
#pragma once

#include "runtime/base/cancellation.h"
#include "runtime/base/matrix_product.h"
#include "runtime/device/device_loop.h"
#include "runtime/device/kernel_image.h"
#include "runtime/device/memory_pool.h"
#include "runtime/workers/workers.h"

#include <optional>
#include <span>

namespace sluice::rt {

// Which addresses the kernels of a device understand.
enum class MemorySpace : uint8_t { kHost, kDevice };

struct DeviceMemoryInfo {
  uint64_t free = 0, total = 0; // of the whole device, other processes included
  MemoryPool::Counters pool;
};

// How long the host waits for a moment, and what for, in messages ("the results of call 3"). The
// cancellation is looked at as well; that of the thread's call if none is named.
struct HostWait {
  std::string_view what;
  uint64_t nanoseconds;
  const Cancellation *cancellation = Cancellation::here();
};

// Host memory that devices copy from and to without the host's help. Must not outlive its device.
class PinnedMemory {
public:
  PinnedMemory() = default;
  PinnedMemory(PinnedMemory &&other) noexcept { *this = std::move(other); }
  PinnedMemory &operator=(PinnedMemory &&other) noexcept {
    std::swap(device_, other.device_);
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~PinnedMemory();
  void *data() const { return data_; }
  size_t bytes() const { return bytes_; }

private:
  friend class Device;
  class Device *device_ = nullptr;
  void *data_ = nullptr;
  size_t bytes_ = 0;
};

class Device {
public:
  virtual ~Device() = default;

  // "GPU:0"
  const std::string &name() const { return name_; }
  virtual MemorySpace space() const = 0;
  virtual size_t computeStreams() const = 0;
  // OK, or why the device cannot be used any more.
  virtual Status health() const = 0;

  // Memory, given back in the order of the stream that it is for; see MemoryPool.
  virtual Result<DeviceMemory> allocate(size_t bytes, StreamId stream, std::string_view owner) = 0;
  virtual Result<DeviceMemoryInfo> memoryInfo() = 0;
  virtual MemoryPool::Counters poolCounters() const = 0;
  // Takes long: for what is used many times. All work that uses it must be over when it goes.
  Result<PinnedMemory> allocatePinned(size_t bytes);
  // The same of whole pages that there are. They must not overlap others, and no work may use them
  // when they are unpinned; `unpin` gets their begin.
  virtual Status pin(void *, size_t) { return okStatus(); }
  virtual void unpin(void *) {}

  // Copies between the host and the device. Host memory must hold what is copied when the call is
  // made, and stay until the moment that it answers with; what was copied out is there then.
  virtual Result<Moment> copyIn(void *to, const void *from, size_t bytes, StreamId stream) = 0;
  virtual Result<Moment> copyOut(void *to, const void *from, size_t bytes, StreamId stream) = 0;
  virtual Result<Moment> copyWithin(void *to, const void *from, size_t bytes, StreamId stream) = 0;
  // From another device's memory, which is there at `ready`, a moment of that device. What of that
  // device is over only after the copy is `read`. UNIMPLEMENTED where devices do not know each other.
  struct PeerCopy {
    Moment done, read;
  };
  virtual Result<PeerCopy> copyFromPeer(void *to, Device &peer, const void *from, Moment ready,
                                        size_t bytes, StreamId stream);
  // What has been copied between pinned memory and the device, through staging, and from peers.
  struct CopiedBytes {
    uint64_t pinned = 0, staged = 0, fromPeers = 0;
  };
  virtual CopiedBytes copiedBytes() const { return {}; }
  // `count` elements of 1, 2 or 4 bytes, the low ones of `value`.
  virtual Result<Moment> fill(void *to, uint32_t value, size_t elementBytes, size_t count,
                              StreamId stream) = 0;

  // Code for the device. Loads the image that fits best; UNAVAILABLE says what the device is and
  // what there were images for. `name` is for messages. Stays loaded as long as the device.
  virtual Result<KernelModule> loadModule(std::string_view name,
                                          std::span<const KernelImage> images) = 0;
  // `sharedBytes` is the most that it will be launched with. NOT_FOUND if there is none.
  virtual Result<DeviceKernel> findKernel(KernelModule module, const std::string &name,
                                          size_t sharedBytes) = 0;
  // A grid without blocks is nothing to do.
  virtual Result<Moment> launch(const KernelLaunch &launch, StreamId stream) = 0;

  // By a library of the device's makers. Nothing if there is none, or if it does not do that: it is
  // then for a kernel. Its bits are the library's.
  virtual Result<std::optional<Moment>> multiply(const MatrixProduct &product, StreamId stream);

  // Whether it runs loops by itself.
  virtual bool canLoop() const = 0;
  // UNIMPLEMENTED if it does not. Stays until it is dropped, when all its runs must be over, or as
  // long as the device. A loop whose word stays 1 never ends.
  virtual Result<DeviceLoop> makeLoop(const LoopPlan &plan) = 0;
  virtual void dropLoop(DeviceLoop loop) = 0;
  // One run at a time.
  virtual Result<Moment> runLoop(DeviceLoop loop, StreamId stream) = 0;

  // What has been enqueued on the stream.
  virtual Moment lastMoment(StreamId stream) const = 0;
  // The same, for those who will wait for just that although more is enqueued meanwhile: waits for
  // moments that nobody has marked may last until what follows them is over as well.
  virtual Result<Moment> mark(StreamId stream) = 0;
  // What is enqueued on `later` from now on waits for that.
  virtual Status order(StreamId later, Moment earlier) = 0;
  virtual Result<bool> hasCompleted(Moment moment) = 0;
  // DEADLINE_EXCEEDED or CANCELLED name what was waited for.
  virtual Status await(Moment moment, const HostWait &wait) = 0;
  // Puts the work into the inbox, which must stay until then, once the moment is over, or the
  // device broken; nobody runs it. Also when this fails: the completion then says so.
  virtual void tell(Moment moment, std::unique_ptr<Work> work, CompletionInbox &inbox) = 0;

protected:
  explicit Device(std::string name) : name_(std::move(name)) {}
  // INVALID_ARGUMENT for streams that there are not, and moments that nothing was enqueued for.
  Status checkStream(StreamId stream) const;
  Status checkMoment(Moment moment) const;
  Status checkFill(size_t elementBytes) const;
  bool knows(const Device &peer) const { return family() && peer.family() == family(); }
  Status notKnown(const Device &peer) const;

private:
  friend class PinnedMemory;
  // What makes devices know each other; nobody's by default.
  virtual const void *family() const { return nullptr; }
  virtual Result<void *> obtainPinned(size_t bytes) = 0;
  virtual void giveBackPinned(void *memory, size_t bytes) = 0;

  const std::string name_;
};

} // namespace sluice::rt
