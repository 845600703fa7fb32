// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts the errors that each pass reports, and compares with how it ended.
#include "tools/sluice-opt/ErrorCheck.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/Pass.h"

#include <atomic>
#include <mutex>

using namespace mlir;

namespace {

class ErrorCheck : public PassInstrumentation {
public:
  explicit ErrorCheck(MLIRContext &context) : engine_(context.getDiagEngine()) {
    handler_ = engine_.registerHandler([this](Diagnostic &diagnostic) {
      errors_ += diagnostic.getSeverity() == DiagnosticSeverity::Error;
      return failure(); // others show it
    });
  }
  ~ErrorCheck() override { engine_.eraseHandler(handler_); }

  void runBeforePass(Pass *pass, Operation *op) override {
    std::lock_guard<std::mutex> lock(mutex_);
    before_[{pass, op}] = errors_;
  }
  void runAfterPass(Pass *pass, Operation *op) override {
    if (errorsOf(pass, op) > 0)
      op->emitError("pass '") << pass->getName() << "' reports an error but does not fail";
  }
  void runAfterPassFailed(Pass *pass, Operation *op) override {
    if (errorsOf(pass, op) == 0)
      op->emitError("pass '") << pass->getName() << "' fails but does not report why";
  }

private:
  unsigned errorsOf(Pass *pass, Operation *op) {
    std::lock_guard<std::mutex> lock(mutex_);
    return errors_ - before_[{pass, op}];
  }

  DiagnosticEngine &engine_;
  DiagnosticEngine::HandlerID handler_;
  std::atomic<unsigned> errors_ = 0;
  std::mutex mutex_;
  llvm::DenseMap<std::pair<Pass *, Operation *>, unsigned> before_;
};

} // namespace

std::unique_ptr<PassInstrumentation> sluice::makeErrorCheck(MLIRContext &context) {
  return std::make_unique<ErrorCheck>(context);
}
