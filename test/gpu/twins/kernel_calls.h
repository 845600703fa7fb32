// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that launch the kernels of kernels/, one for each.
#pragma once

#include "test/gpu/sim/simulated_driver.h"
#include "test/gpu/twins/kernel_module.h"

namespace sluice::test {

// By its twin, or by its PTX.
enum class RunBy { kTwin, kPtx };

// A kernel that is compiled once and run with many seeds.
class KernelRuns {
public:
  explicit KernelRuns(const std::string &name, RunBy by = RunBy::kTwin)
      : KernelRuns(KernelModule(name), by) {}
  explicit KernelRuns(const KernelModule &kernel, RunBy by = RunBy::kTwin)
      : by_(by), image_(by == RunBy::kTwin ? folder_.add(kernel) : kernel.image()) {}
  const std::string &image() const { return image_; }
  SimulatedDriver::Settings settings() const {
    if (by_ == RunBy::kPtx)
      return {{"SLUICE_SIM_PTX", "1"}};
    return {{"SLUICE_SIM_TWINS", folder_.path()}};
  }

private:
  TwinFolder folder_;
  RunBy by_;
  std::string image_;
};

// y[i] += 2 * i for the first `count` of y; `blocks` of 128 threads, by default as many as needed.
Result runAxpy(SimulatedDriver &driver, const std::string &image, std::vector<float> &y, int count,
               unsigned blocks = 0);
// Of 0, 1, … count - 1.
Result runBlockSum(SimulatedDriver &driver, const std::string &image, float &sum, int count,
                   unsigned block);
// Of the matrix whose elements are 0, 1, …
Result runTranspose(SimulatedDriver &driver, const std::string &image, std::vector<float> &result,
                    int n);
Result runMatmul(SimulatedDriver &driver, const std::string &image, std::vector<float> &result,
                 const std::vector<float> &a, const std::vector<float> &b, int n);
// Of 0, 1, … count - 1, in two launches.
Result runTwoStageSum(SimulatedDriver &driver, const std::string &image, float &sum, int count);

} // namespace sluice::test
