// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A card of the rank: tensors, copies, kernels.
#include "runtime/executor/card.h"

namespace sluice::rt {

// For what is enqueued before anybody calls, and for the end.
static constexpr uint64_t kMostNs = 60'000'000'000;
// Of a copy to the host that somebody waits for, which is rare.
static constexpr uint64_t kMostFetchNs = 600'000'000'000;

// As much as the pool may have.
static uint64_t memoryOf(Device &device) {
  if (uint64_t limit = device.poolCounters().limit)
    return limit;
  Result<DeviceMemoryInfo> info = device.memoryInfo();
  return info.ok() ? info->free : 0;
}

Card::Card(std::unique_ptr<Device> device, Swapping swapping, bool anyOrder, bool shortFactors)
    : device_(std::move(device)), anyOrder_(anyOrder), shortFactors_(shortFactors),
      loops_(*device_), saved_(*this, swapping, memoryOf(*device_)), pinned_(*device_) {}

Card::~Card() {
  for (size_t i = 0; i < kCopyStreams + device_->computeStreams(); ++i)
    if (!device_
             ->await(device_->lastMoment(static_cast<StreamId>(i)),
                     {"the end of its work", kMostNs, nullptr})
             .ok())
      pinned_.abandon();
}

// ---- Kernels ------------------------------------------------------------------------------------

static std::vector<KernelImage> imagesOf(const SluiceKernelImages &images,
                                         std::deque<std::string> &targets) {
  std::vector<KernelImage> result;
  for (int64_t i = 0; i < images.count; ++i) {
    const SluiceKernelImage &image = images.images[i];
    targets.push_back((image.isText ? "compute_" : "sm_") + std::to_string(image.architecture));
    // Of a text the 0 behind it, too.
    result.push_back({targets.back(),
                      {static_cast<const std::byte *>(image.bytes),
                       static_cast<size_t>(image.size) + (image.isText ? 1 : 0)}});
  }
  return result;
}

// A driver that does not know conditions takes no code that sets them; then there are none.
Status Card::prepareLoop(const SluiceCodelet &code, std::string_view program) {
  const SluiceKernelImages *images = code.loop->conditions;
  if (code.loop->isBlock || !device_->canLoop() || conditions_.contains(images))
    return okStatus();
  std::deque<std::string> targets;
  Result<KernelModule> module = device_->loadModule(program, imagesOf(*images, targets));
  if (module.status().code() == Code::kUnavailable)
    return okStatus();
  SLUICE_RETURN_IF_ERROR(module.status());
  SLUICE_ASSIGN_OR_RETURN(conditions_[images],
                          device_->findKernel(*module, "sluice_set_condition", 0));
  return okStatus();
}

Status Card::prepare(Program &program, MemoryNumber number) {
  for (const auto &signature : program.signatures()) {
    for (const Codelet &codelet : signature->codelets) {
      const SluiceCodelet &code = *codelet.code;
      if (codelet.memory != number || code.numKernels == 0 || kernels_.contains(&code))
        continue;
      if (!modules_.contains(code.images)) {
        std::deque<std::string> targets;
        std::vector<KernelImage> images = imagesOf(*code.images, targets);
        SLUICE_ASSIGN_OR_RETURN(modules_[code.images], device_->loadModule(program.name(), images));
      }
      std::vector<DeviceKernel> &kernels = kernels_[&code];
      for (int64_t i = 0; i < code.numKernels; ++i) {
        SLUICE_ASSIGN_OR_RETURN(DeviceKernel kernel, device_->findKernel(modules_[code.images],
                                                                         code.kernels[i].name, 0));
        kernels.push_back(kernel);
      }
      if (code.loop)
        SLUICE_RETURN_IF_ERROR(prepareLoop(code, program.name()));
    }
    for (size_t i = 0; i < signature->memories.size(); ++i)
      if (signature->memories[i] == number) {
        Tensor &constant = signature->constants[i];
        if (constant.holder())
          continue;
        SLUICE_ASSIGN_OR_RETURN(constant, copyIn(constant, "a constant"));
      }
  }
  return okStatus();
}

std::span<const DeviceKernel> Card::kernels(const SluiceCodelet &code) const {
  auto found = kernels_.find(&code);
  return found == kernels_.end() ? std::span<const DeviceKernel>() : found->second;
}

std::optional<DeviceKernel> Card::setCondition(const SluiceCodelet &code) const {
  auto found = conditions_.find(code.loop->conditions);
  return found == conditions_.end() ? std::nullopt : std::optional(found->second);
}

// What tensor cores have: small floats, or f32 with factors that are made short, and something to
// sum up.
static bool fitsTensorCores(const MatrixProduct &product, bool shortFactors) {
  bool isSmall = product.element == DType::kF16 || product.element == DType::kBF16;
  return product.k > 0 && (isSmall || (shortFactors && product.hasTensorKernel));
}

Result<ProductBy> Card::multiply(const MatrixProduct &asked, StreamId stream) {
  MatrixProduct product = asked;
  if (asked.hasEpilogue()) {
    product.result = asked.after;
    SLUICE_ASSIGN_OR_RETURN(std::optional<Moment> done, device_->multiply(product, stream));
    if (done) {
      ++byLibrary_;
      return ProductBy::kLibraryWithEpilogue;
    }
  }
  product.result = asked.result;
  product.bias = nullptr, product.activation = Activation::kNone;
  SLUICE_ASSIGN_OR_RETURN(std::optional<Moment> done, device_->multiply(product, stream));
  ++(done ? byLibrary_ : byKernels_);
  if (done)
    return ProductBy::kLibrary;
  return anyOrder_ && fitsTensorCores(product, shortFactors_) ? ProductBy::kTensorCores
                                                              : ProductBy::kChains;
}

// ---- Tensors ------------------------------------------------------------------------------------

Result<DeviceMemory> Card::allocateBytes(size_t bytes, StreamId stream, std::string_view owner) {
  Result<DeviceMemory> memory = device_->allocate(bytes, stream, owner);
  if (memory.status().code() != Code::kResourceExhausted)
    return memory;
  SLUICE_ASSIGN_OR_RETURN(bool isRelieved, saved_.relieve());
  return isRelieved ? device_->allocate(bytes, stream, owner) : std::move(memory);
}

Result<Tensor> Card::allocate(DType dtype, const Shape &shape, StreamId stream,
                              std::string_view owner) {
  Result<Tensor> tensor = allocateWithin(dtype, shape, stream, owner);
  if (tensor.status().code() != Code::kResourceExhausted)
    return tensor;
  SLUICE_ASSIGN_OR_RETURN(bool isRelieved, saved_.relieve());
  return isRelieved ? allocateWithin(dtype, shape, stream, owner) : std::move(tensor);
}

Result<Tensor> Card::allocateWithin(DType dtype, const Shape &shape, StreamId stream,
                                    std::string_view owner) {
  SLUICE_ASSIGN_OR_RETURN(int64_t elements, shape.checkedElements());
  size_t bytes = static_cast<size_t>(elements) * sizeOf(dtype);
  SLUICE_ASSIGN_OR_RETURN(DeviceMemory memory, device_->allocate(bytes, stream, owner));
  void *data = memory.data();
  auto holder = std::make_unique<CardElements>(*this, std::move(memory));
  Buffer *buffer = Buffer::refer(data, bytes, std::move(holder));
  if (!buffer)
    return resourceExhausted("no memory for a tensor's header");
  return Tensor::foreign(dtype, shape, buffer);
}

Status Card::order(StreamId stream, const Tensor &onCard) {
  Moment ready = elements(onCard).ready();
  return ready.ticket == 0 || ready.stream == stream ? okStatus() : device_->order(stream, ready);
}

void Card::dropSources() {
  while (!sources_.empty()) {
    Result<bool> isOver = device_->hasCompleted(sources_.front().until);
    if (isOver.ok() && !*isOver)
      return;
    sources_.pop_front();
  }
}

// Sources of copies that are over are free, too.
Tensor Card::tryAllocatePinned(DType dtype, const Shape &shape) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    dropSources();
  }
  return pinned_.tryAllocate(dtype, shape);
}

Result<Tensor> Card::copyIn(const Tensor &onHost, std::string_view owner) {
  constexpr StreamId stream = StreamId::kHostToDevice;
  SLUICE_ASSIGN_OR_RETURN(Tensor onCard, allocate(onHost.dtype(), onHost.shape(), stream, owner));
  std::lock_guard<std::mutex> lock(mutex_);
  dropSources();
  // Small elements lie within the tensor, which stays where it is.
  Source &source = sources_.emplace_back(onHost, Moment());
  Result<Moment> there = device_->copyIn(onCard.raw(), source.tensor.raw(), onHost.bytes(), stream);
  if (!there.ok()) {
    sources_.pop_back();
    return there.status();
  }
  source.until = *there;
  elements(onCard).setReady(*there);
  return onCard;
}

Result<Tensor> Card::copyFromCard(const Tensor &onOther, std::string_view owner) {
  constexpr StreamId stream = StreamId::kHostToDevice;
  SLUICE_ASSIGN_OR_RETURN(Tensor copy, allocate(onOther.dtype(), onOther.shape(), stream, owner));
  CardElements &from = elements(onOther);
  SLUICE_ASSIGN_OR_RETURN(Device::PeerCopy copied,
                          device_->copyFromPeer(copy.raw(), of(onOther).device(), onOther.raw(),
                                                from.ready(), copy.bytes(), stream));
  SLUICE_RETURN_IF_ERROR(from.noteUse(copied.read));
  elements(copy).setReady(copied.done);
  return copy;
}

Result<Moment> Card::copyOut(const Tensor &onCard, Tensor &onHost) {
  constexpr StreamId stream = StreamId::kDeviceToHost;
  SLUICE_RETURN_IF_ERROR(order(stream, onCard));
  SLUICE_ASSIGN_OR_RETURN(Moment there,
                          device_->copyOut(onHost.raw(), onCard.raw(), onHost.bytes(), stream));
  SLUICE_RETURN_IF_ERROR(elements(onCard).noteUse(there));
  return there;
}

Result<Tensor> Card::fetch(const Tensor &onCard, std::string_view owner,
                           const Cancellation *cancellation) {
  SLUICE_ASSIGN_OR_RETURN(Tensor onHost, Tensor::allocate(onCard.dtype(), onCard.shape()));
  SLUICE_ASSIGN_OR_RETURN(Moment there, copyOut(onCard, onHost));
  SLUICE_RETURN_IF_ERROR(device_->await(there, {owner, kMostFetchNs, cancellation}));
  return onHost;
}

} // namespace sluice::rt
