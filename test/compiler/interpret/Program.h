// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program given as text, run by the reference interpreter.
#pragma once

#include "compiler/interpret/Interpreter.h"
#include "dialects/interfaces/RegisterDialects.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace sluice::interpret {

class Program {
public:
  explicit Program(const std::string &text, bool verify = true) {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    context_.appendDialectRegistry(registry);
    module_ = mlir::parseSourceString<mlir::ModuleOp>(
        text, mlir::ParserConfig(&context_, verify));
    if (!module_) {
      ADD_FAILURE() << "the test's program does not parse";
      return;
    }
    auto made = makeInterpreter(*module_);
    if (made.ok())
      runner_ = std::move(*made);
    else
      status_ = made.status();
  }

  // Why there is no runner.
  const rt::Status &status() const { return status_; }
  rt::Runner &runner() { return *runner_; }

  rt::Result<std::vector<rt::Tensor>> call(std::vector<rt::Tensor> feeds = {},
                                           size_t signature = 0) {
    if (!runner_)
      return rt::internalError("there is no runner");
    return runner_->call(signature, feeds);
  }

  // The only fetch, a scalar.
  template <typename T> T scalar(std::vector<rt::Tensor> feeds = {}, size_t signature = 0) {
    auto result = call(std::move(feeds), signature);
    EXPECT_TRUE(result.ok()) << result.status().toString();
    if (!result.ok() || result->size() != 1 || (*result)[0].dtype() != rt::DTypeOf<T>::value) {
      ADD_FAILURE() << "expected one fetch of the type asked for";
      return T();
    }
    EXPECT_EQ(runner_->leftoverTokens(), 0u);
    return *(*result)[0].data<T>();
  }

  double stat(const std::string &name) {
    for (const auto &[key, value] : runner_->stats())
      if (key == name)
        return value;
    ADD_FAILURE() << "no figure " << name;
    return 0;
  }

private:
  mlir::MLIRContext context_{mlir::MLIRContext::Threading::DISABLED};
  mlir::OwningOpRef<mlir::ModuleOp> module_;
  std::unique_ptr<rt::Runner> runner_;
  rt::Status status_;
};

inline rt::Tensor i32(int32_t value) { return rt::Tensor::scalar(value); }
inline rt::Tensor f32(float value) { return rt::Tensor::scalar(value); }
inline rt::Tensor boolean(bool value) { return rt::Tensor::scalar(value); }

} // namespace sluice::interpret
