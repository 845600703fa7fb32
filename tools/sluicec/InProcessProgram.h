// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--execute`: what would be written into executables, loaded and run in this process.
#pragma once

#include "compiler/emit/DescribeProgram.h"
#include "compiler/emit/LoadCodelets.h"
#include "runtime/api/recording_runner.h"
#include "runtime/kernels/kernel.h"

#include "llvm/ADT/ArrayRef.h"

#include <memory>
#include <vector>

namespace sluice {

class InProcessProgram {
public:
  // The programs of all ranks, or one that runs alone. INTERNAL when they cannot be loaded.
  static rt::Result<InProcessProgram> load(llvm::ArrayRef<emit::DescribedProgram> programs,
                                           bool simulated);
  rt::RecordingRunner &runner() { return *runner_; }

private:
  // What the loader of one program keeps pointing into.
  struct Image {
    struct alignas(64) Line {
      char bytes[64];
    };
    std::vector<Line> lines;
    size_t size = 0;
    std::vector<const rt::Kernel *> kernels;
  };
  static rt::Result<Image> makeImage(const emit::DescribedProgram &program);

  std::vector<std::unique_ptr<Image>> images_;
  std::vector<emit::LoadedCodelets> codelets_;
  std::unique_ptr<rt::RecordingRunner> runner_; // after what it uses
};

} // namespace sluice
