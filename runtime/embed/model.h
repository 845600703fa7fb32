// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An instance of a program for callers within a process: an executor with the threads, the limits
// and the memory of a context.
#pragma once

#include "runtime/api/console.h"
#include "runtime/base/parallel.h"
#include "runtime/embed/context.h"
#include "runtime/embed/library.h"
#include "runtime/embed/state_gate.h"
#include "runtime/executor/executor.h"

#include <atomic>
#include <memory>
#include <optional>
#include <string>

namespace sluice::rt {

class Model final : public sluice_model {
public:
  using Print = std::function<void(std::string_view)>;

  // Takes a reference to the context. Initializers have run. UNAVAILABLE without the device.
  static Result<Model *> create(const Library &library, sluice_context &context, Print print,
                                DeviceChoice device);
  // How many there are in this runtime.
  static uint32_t count();
  // There is one reference from `create`, and one of each call.
  void retain() { references_.fetch_add(1); }
  void release() {
    if (references_.fetch_sub(1) == 1)
      delete this;
  }

  const Description &description() const { return library_.description(); }
  Executor &executor() { return *executor_; }
  StateGate &gate() { return gate_; }

  Status save(const std::string &path);
  Status load(const std::string &path);
  // Who reads and writes must be alone.
  template <typename Function> auto alone(const Function &function) {
    StateGate::Alone alone(gate_);
    Work work(*this);
    return function();
  }
  // Null if there are fewer.
  Variable *variable(size_t position) {
    auto variables = executor_->variables();
    return position < variables.size() ? variables[position] : nullptr;
  }

  // The calling thread works for the model: its buffers are the context's, and the context's
  // threads help it.
  class Work {
  public:
    explicit Work(Model &model) : helpers_(model.helpers_), account_(model.account_) {}

  private:
    HelperGroup::Scope helpers_;
    MemoryAccount::Scope account_;
  };

private:
  // Starts threads that work for the model.
  class WorkersOfModel final : public Threads {
  public:
    explicit WorkersOfModel(Model &model) : model_(model) {}
    std::unique_ptr<ThreadHandle> start(const char *name, std::function<void()> body) override;

  private:
    Model &model_;
  };

  Model(const Library &library, sluice_context &context, Print print);
  ~Model();
  Status begin(DeviceChoice device);

  std::atomic<uint32_t> references_ = 1;
  const Library &library_;
  sluice_context &context_;
  const Print print_;
  uint8_t account_ = 0;
  HelperGroup helpers_{context_.processors};
  WorkersOfModel threads_{*this};
  std::unique_ptr<Executor> executor_;
  StateGate gate_;
};

} // namespace sluice::rt
