// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Uploads, launches, downloads.
#include "test/gpu/twins/kernel_calls.h"

#include <numeric>

namespace sluice::test {

namespace {

std::vector<float> counting(size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 0.0f);
  return values;
}

struct Grid {
  unsigned x, y;
};

template <typename... Parameters>
void launch(SimulatedDriver &driver, Function function, Stream stream, Grid grid, Grid block,
            Parameters... values) {
  void *parameters[] = {&values...};
  Result result = driver.cuLaunchKernel(function, grid.x, grid.y, 1, block.x, block.y, 1, 0, stream,
                                        parameters, nullptr);
  EXPECT_NE(result, kInvalidValue); // else it may be a finding, which the wait answers with as well
}

// What a program sees first of what went wrong: the answer of the wait.
template <typename T>
Result finish(SimulatedDriver &driver, Stream stream, DevicePointer from, std::vector<T> &values) {
  Result result = driver.cuStreamSynchronize(stream);
  if (result == kSuccess)
    values = driver.download<T>(from, values.size());
  return result;
}

} // namespace

Result runAxpy(SimulatedDriver &driver, const std::string &image, std::vector<float> &y, int count,
               unsigned blocks) {
  driver.begin();
  Function axpy = driver.function(image, "axpy");
  Stream stream = driver.stream();
  DevicePointer to = driver.upload(y), from = driver.upload(counting(y.size()));
  launch(driver, axpy, stream, {blocks ? blocks : (count + 127) / 128, 1}, {128, 1}, to, from, 2.0f,
         count);
  return finish(driver, stream, to, y);
}

Result runBlockSum(SimulatedDriver &driver, const std::string &image, float &sum, int count,
                   unsigned block) {
  driver.begin();
  Function function = driver.function(image, "block_sum");
  Stream stream = driver.stream();
  DevicePointer from = driver.upload(counting(count)), to = driver.allocate(4);
  launch(driver, function, stream, {1, 1}, {block, 1}, to, from, count);
  std::vector<float> result(1);
  Result outcome = finish(driver, stream, to, result);
  sum = result[0];
  return outcome;
}

Result runTranspose(SimulatedDriver &driver, const std::string &image, std::vector<float> &result,
                    int n) {
  driver.begin();
  Function function = driver.function(image, "transpose");
  Stream stream = driver.stream();
  DevicePointer from = driver.upload(counting(n * n)), to = driver.allocate(4 * n * n);
  unsigned tiles = (n + 15) / 16;
  launch(driver, function, stream, {tiles, tiles}, {16, 16}, to, from, n);
  result.resize(n * n);
  return finish(driver, stream, to, result);
}

Result runMatmul(SimulatedDriver &driver, const std::string &image, std::vector<float> &result,
                 const std::vector<float> &a, const std::vector<float> &b, int n) {
  driver.begin();
  Function function = driver.function(image, "matmul");
  Stream stream = driver.stream();
  DevicePointer left = driver.upload(a), right = driver.upload(b), to = driver.allocate(4 * n * n);
  unsigned tiles = n / 16;
  launch(driver, function, stream, {tiles, tiles}, {16, 16}, to, left, right, n);
  result.resize(n * n);
  return finish(driver, stream, to, result);
}

Result runTwoStageSum(SimulatedDriver &driver, const std::string &image, float &sum, int count) {
  driver.begin();
  Function function = driver.function(image, "partial_sums");
  Stream stream = driver.stream();
  unsigned blocks = 8;
  DevicePointer from = driver.upload(counting(count)), parts = driver.allocate(4 * blocks),
                to = driver.allocate(4);
  launch(driver, function, stream, {blocks, 1}, {128, 1}, parts, from, count);
  launch(driver, function, stream, {1, 1}, {8, 1}, to, parts, int(blocks));
  std::vector<float> result(1);
  Result outcome = finish(driver, stream, to, result);
  sum = result[0];
  return outcome;
}

} // namespace sluice::test
