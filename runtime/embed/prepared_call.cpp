// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PreparedCall. Elements of feeds are copied: variables and fetches may keep a feed's tensor, and a
// caller may write to its memory as soon as the run is over.
#include "runtime/embed/prepared_call.h"

#include "runtime/base/deadline_watch.h"
#include "runtime/base/threads.h"
#include "runtime/embed/api_table.h"
#include "runtime/embed/tensor_view.h"

#include <algorithm>
#include <cstring>

namespace sluice::rt {

static double secondsNow() { return static_cast<double>(systemClock().now()) * 1e-9; }

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
    sources_.clear();
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
  Shape shape; // a feed that is refused leaves the one before
  SLUICE_RETURN_IF_ERROR(checkValue(value, "feed", *port, shape));
  Model::Work work(model_);
  sources_[index] = {true, std::move(shape), value.data, nullptr};
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
  const bool fits =
      !__builtin_mul_overflow(static_cast<size_t>(elements), sizeOf(port->dtype), &value.bytes);
  Model::Work work(model_);
  std::unique_ptr<Buffer, LetGo> memory(fits ? Buffer::allocate(value.bytes) : nullptr);
  if (!memory)
    return resourceExhausted("feed '" + port->name + "': there is no memory for " +
                             shape.toString());
  value.data = memory->data();
  SLUICE_RETURN_IF_ERROR(feed(index, value));
  std::memset(memory->data(), 0, value.bytes);
  sources_[index].memory = std::move(memory);
  return sources_[index].memory->data();
}

Status PreparedCall::takeFeeds() {
  for (size_t i = 0; i < sources_.size(); ++i) {
    const Source &source = sources_[i];
    if (!source.isGiven)
      return invalidArgument("feed '" + info_.feeds[i].name + "' was not given");
    SLUICE_RETURN_IF_ERROR(
        copyElements("feed", info_.feeds[i], source.shape, source.elements, feeds_[i]));
  }
  return okStatus();
}

Status PreparedCall::run(double seconds) {
  if (!(seconds >= 0))
    return invalidArgument(format("expected seconds of 0 or more but got %g", seconds));
  hasFetches_ = false;
  isCancelled_ = false;
  Model::Work work(model_);
  const double most = seconds, began = most > 0 ? secondsNow() : 0;
  auto isLate = [&] { return most > 0 && secondsNow() - began >= most; };
  StateGate::Among among(model_.gate(), [&] { return isCancelled_ || isLate(); });
  if (!among.hasEntered())
    return isCancelled_ ? Status(Code::kCancelled, "the call was cancelled while it waited for one "
                                                   "who reads or writes the state of the model")
                        : DeadlineWatch::tooLong(most, "waiting for one who reads or writes the "
                                                       "state of the model");
  if (most > 0)
    seconds = std::max(most - (secondsNow() - began), 1e-9);
  SLUICE_RETURN_IF_ERROR(takeFeeds());
  SLUICE_RETURN_IF_ERROR(model_.executor().runAmongOthers(
      *call_, feeds_, most > 0 ? std::optional(seconds) : std::nullopt, &among));
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
