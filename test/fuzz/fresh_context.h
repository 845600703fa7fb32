// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A context for IR that is made anew now and then: types and attributes stay in it for ever.
#pragma once

#include "dialects/interfaces/RegisterDialects.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"

#include <memory>
#include <optional>

// LLVM's headers poison memory of its allocators where they are compiled with the address sanitizer.
// The library as installed is not, and does not take the poison away again.
extern "C" const char *__asan_default_options();
extern "C" inline const char *__asan_default_options() { return "allow_user_poisoning=0"; }

namespace sluice::fuzz {

class FreshContext {
public:
  mlir::MLIRContext &get() {
    constexpr unsigned kExecutions = 1000;
    if (!context_ || ++used_ == kExecutions)
      renew();
    return *context_;
  }

private:
  void renew() {
    used_ = 0;
    handler_.reset();
    mlir::DialectRegistry registry;
    registerDialects(registry);
    context_ = std::make_unique<mlir::MLIRContext>(registry, mlir::MLIRContext::Threading::DISABLED);
    context_->loadAllAvailableDialects();
    handler_.emplace(context_.get(), [](mlir::Diagnostic &) { return mlir::success(); });
  }

  std::unique_ptr<mlir::MLIRContext> context_;
  std::optional<mlir::ScopedDiagnosticHandler> handler_;
  unsigned used_ = 0;
};

} // namespace sluice::fuzz
