// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PreparedCall. Elements of feeds are copied: variables and fetches may keep a feed's tensor, and a
// caller may write to its memory as soon as the run is over.
#include "runtime/embed/prepared_call.h"

#include "runtime/embed/api_table.h"
#include "runtime/embed/tensor_view.h"

#include <cstdlib>
#include <cstring>

namespace sluice::rt {

void PreparedCall::FreeMemory::operator()(void *memory) const { std::free(memory); }

Result<PreparedCall *> PreparedCall::create(Model &model, size_t position) {
  const size_t count = model.description().program().num_signatures;
  if (position >= count)
    return invalidArgument(
        format("expected the number of a signature below %zu but got %zu", count, position));
  return new PreparedCall(model, model.description().signatureOf(position));
}

PreparedCall::PreparedCall(Model &model, size_t signature)
    : model_(model), info_(model.executor().signatures()[signature]), sources_(info_.feeds.size()),
      feeds_(info_.feeds.size()), strings_(info_.fetches.size()) {
  api = &apiTable();
  model_.retain();
  Model::Work work(model_);
  call_ = model_.executor().prepare(signature);
}

PreparedCall::~PreparedCall() {
  {
    Model::Work work(model_);
    call_.reset();
    feeds_.clear();
  }
  model_.release();
}

Result<const Port *> PreparedCall::feedPort(size_t index) const {
  if (index < info_.feeds.size())
    return &info_.feeds[index];
  return invalidArgument(
      format("expected the number of a feed below %zu but got %zu", info_.feeds.size(), index));
}

Status PreparedCall::feed(size_t index, const sluice_tensor &value) {
  SLUICE_ASSIGN_OR_RETURN(const Port *port, feedPort(index));
  Source &source = sources_[index];
  SLUICE_RETURN_IF_ERROR(checkValue(value, "feed", *port, source.shape));
  source.elements = value.data;
  source.isGiven = true;
  source.memory.reset();
  return okStatus();
}

Result<void *> PreparedCall::feedMemory(size_t index, const int64_t *dims) {
  SLUICE_ASSIGN_OR_RETURN(const Port *port, feedPort(index));
  if (port->dtype == DType::kString)
    return invalidArgument("feed '" + port->name + "': there is no memory for strings");
  if (!dims && !port->shape.isComplete())
    return invalidArgument("feed '" + port->name + "': expected dims, for of " +
                           port->shape.toString() + " not all are known");
  sluice_tensor value{};
  value.dtype = publicType(port->dtype);
  value.rank = port->shape.rank();
  value.dims = dims ? dims : port->shape.dims().data();
  if (value.rank < 0)
    return invalidArgument("feed '" + port->name + "': its rank is not known; give elements");
  Shape shape(std::span(value.dims, static_cast<size_t>(value.rank)));
  SLUICE_ASSIGN_OR_RETURN(const int64_t elements, shape.checkedElements());
  constexpr size_t kAlignment = 64;
  if (__builtin_mul_overflow(static_cast<size_t>(elements), sizeOf(port->dtype), &value.bytes) ||
      value.bytes > PTRDIFF_MAX - kAlignment)
    return resourceExhausted("feed '" + port->name + "': there is no memory for " +
                             shape.toString());
  const size_t room = (value.bytes + kAlignment) / kAlignment * kAlignment;
  std::unique_ptr<void, FreeMemory> memory(std::aligned_alloc(kAlignment, room));
  if (!memory)
    return resourceExhausted("feed '" + port->name + "': there is no memory for " +
                             shape.toString());
  std::memset(memory.get(), 0, room);
  value.data = memory.get();
  SLUICE_RETURN_IF_ERROR(feed(index, value));
  sources_[index].memory = std::move(memory);
  return sources_[index].memory.get();
}

Status PreparedCall::takeFeeds() {
  for (size_t i = 0; i < sources_.size(); ++i) {
    const Source &source = sources_[i];
    if (!source.isGiven)
      return invalidArgument("feed '" + info_.feeds[i].name + "' was not given");
    SLUICE_RETURN_IF_ERROR(
        copyElements(info_.feeds[i].dtype, source.shape, source.elements, feeds_[i]));
  }
  return okStatus();
}

Status PreparedCall::run(double seconds) {
  if (!(seconds >= 0))
    return invalidArgument(format("expected seconds of 0 or more but got %g", seconds));
  hasFetches_ = false;
  Model::Work work(model_);
  StateGate::Among among(model_.gate());
  SLUICE_RETURN_IF_ERROR(takeFeeds());
  SLUICE_RETURN_IF_ERROR(model_.executor().runAmongOthers(
      *call_, feeds_, seconds > 0 ? std::optional(seconds) : std::nullopt));
  hasFetches_ = true;
  return okStatus();
}

Status PreparedCall::fetch(size_t index, sluice_tensor &value) {
  if (index >= info_.fetches.size())
    return invalidArgument(format("expected the number of a fetch below %zu but got %zu",
                                  info_.fetches.size(), index));
  if (!hasFetches_)
    return failedPrecondition("fetch '" + info_.fetches[index].name +
                              "': the call has not run, or has failed");
  value = viewOf(call_->fetches()[index], strings_[index]);
  return okStatus();
}

} // namespace sluice::rt
