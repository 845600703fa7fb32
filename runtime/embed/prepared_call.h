// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call that is made again and again: where feeds come from and where fetches are is settled once,
// so that a run neither looks up names nor, where sizes stay the same, allocates.
#pragma once

#include "runtime/embed/model.h"

#include <atomic>
#include <memory>
#include <vector>

namespace sluice::rt {

class PreparedCall final : public sluice_call {
public:
  // Of the signature at this position of the description. Keeps the model.
  static Result<PreparedCall *> create(Model &model, size_t position);
  ~PreparedCall();

  Status feed(size_t index, const sluice_tensor &value);
  Result<void *> feedMemory(size_t index, const int64_t *dims);
  Status run(double seconds);
  void cancel() {
    isCancelled_ = true;
    call_->machine().cancellation().request();
  }
  Status fetch(size_t index, sluice_tensor &value);

private:
  struct LetGo {
    void operator()(Buffer *buffer) const { buffer->release(); }
  };
  // Where the elements of a feed are, the caller's or ours.
  struct Source {
    bool isGiven = false;
    Shape shape;
    const void *elements = nullptr;
    std::unique_ptr<Buffer, LetGo> memory;
  };

  PreparedCall(Model &model, size_t signature);
  Status takeFeeds();
  Result<const Port *> feedPort(size_t index) const;

  Model &model_;
  const SignatureInfo &info_;
  std::vector<Source> sources_;
  std::vector<Tensor> feeds_;
  std::vector<std::vector<sluice_string>> strings_; // of fetches
  bool hasFetches_ = false;
  std::atomic<bool> isCancelled_ = false; // the run that is under way, from any thread
  std::unique_ptr<Call> call_;
};

} // namespace sluice::rt
