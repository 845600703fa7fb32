// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Model: its life, and its state in files.
#include "runtime/embed/model.h"

#include "runtime/api/variable_files.h"
#include "runtime/embed/api_table.h"

#include <cstddef>

namespace sluice::rt {

namespace {
// Warnings for the model's owner; there is nothing to read.
class PrintingConsole final : public Console {
public:
  explicit PrintingConsole(const Model::Print &print) : print_(print) {}
  ByteSource &input() override { return nothing_; }
  Status write(std::string_view text) override {
    writeError(text);
    return okStatus();
  }
  void writeError(std::string_view text) override {
    if (print_)
      print_(text.substr(0, text.find_last_not_of('\n') + 1));
  }

private:
  class Nothing final : public ByteSource {
    Result<size_t> read(char *, size_t) override { return size_t{0}; }
  };
  const Model::Print &print_;
  Nothing nothing_;
};

sluice_context &contextOf(MemoryBudget &budget) {
  return *reinterpret_cast<sluice_context *>(reinterpret_cast<char *>(&budget) -
                                             offsetof(sluice_context, memory));
}

std::atomic<uint32_t> numModels{0};

// Files have exit codes in a command line; here the status says all.
Status statusOf(const Failure &failure) { return failure.status; }
} // namespace

std::unique_ptr<ThreadHandle> Model::WorkersOfModel::start(const char *name,
                                                           std::function<void()> body) {
  return systemThreads().start(name, [this, body = std::move(body)] {
    Work work(model_);
    body();
  });
}

Model::Model(const Library &library, sluice_context &context, Print print)
    : library_(library), context_(context), print_(std::move(print)) {
  api = &apiTable();
  retainContext(context_);
  ++numModels;
}

Model::~Model() {
  {
    Work work(*this);
    executor_.reset(); // joins its threads
  }
  if (account_)
    MemoryAccount::close(account_);
  releaseContext(context_);
  --numModels;
}

uint32_t Model::count() { return numModels; }

Result<Model *> Model::create(const Library &library, sluice_context &context, Print print,
                              DeviceChoice device) {
  auto *model = new Model(library, context, std::move(print));
  if (Status status = model->begin(device); !status.ok()) {
    model->release();
    return status;
  }
  return model;
}

Status Model::begin(DeviceChoice device) {
  if (context_.memory.limit) {
    retainContext(context_); // buffers may outlive the model
    account_ = MemoryAccount::open(context_.memory,
                                   [](MemoryBudget &budget) { releaseContext(contextOf(budget)); });
    if (!account_) {
      releaseContext(context_);
      return resourceExhausted("there are too many models with a memory limit in this process");
    }
  }
  Work work(*this);
  SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<Program> program, library_.makeProgram());
  executor_ = std::make_unique<Executor>(std::move(program), threads_);
  RunOptions options;
  options.workers = context_.threads;
  options.device = device;
  options.limits = limitsOf(context_);
  options.print = [this](std::string_view text) {
    if (print_)
      print_(text);
  };
  executor_->setOptions(options);
  SLUICE_RETURN_IF_ERROR(executor_->openDevices());
  SLUICE_RETURN_IF_ERROR(executor_->allowCalls(2)); // or more
  executor_->expectMoreCalls(true);
  std::span<const SignatureInfo> signatures = executor_->signatures();
  for (size_t i = 0; i < signatures.size(); ++i)
    if (signatures[i].initializes)
      if (Result<std::vector<Tensor>> result = executor_->call(i, {}); !result.ok())
        return result.status();
  return okStatus();
}

Status Model::save(const std::string &path) {
  return alone([&] {
    HostDisk disk;
    return statusOf(saveVariables(path, *executor_, disk));
  });
}

Status Model::load(const std::string &path) {
  return alone([&] {
    HostDisk disk;
    PrintingConsole console(print_);
    Diagnostics diagnostics(console);
    return statusOf(
        loadVariables(path, executor_->options().limits, *executor_, disk, diagnostics));
  });
}

} // namespace sluice::rt
