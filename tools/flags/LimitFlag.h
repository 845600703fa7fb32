// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--limit NAME=VALUE`, which several tools have.
#pragma once

#include "compiler/import/Limits.h"

#include "llvm/Support/CommandLine.h"

#include <optional>
#include <string>

namespace sluice {

class LimitFlag {
public:
  explicit LimitFlag(llvm::cl::OptionCategory &category)
      : flag_("limit", llvm::cl::value_desc("name=value"), llvm::cl::cat(category),
              llvm::cl::desc("how much of something the input may have, as nodes=1000\n"
                             "The names are those of the reference page of limits.")) {}

  // What is wrong with the flags, or nothing.
  std::optional<std::string> apply(import::Limits &limits) const {
    for (const std::string &text : flag_)
      if (auto problem = limits.set(text))
        return "--limit: " + *problem;
    return std::nullopt;
  }

private:
  llvm::cl::list<std::string> flag_;
};

} // namespace sluice
