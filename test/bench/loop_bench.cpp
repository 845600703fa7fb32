// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One measured loop: the program that is linked in, and a hand-written loop with the same
// arithmetic, in turns. Prints a JSON line with the median time of an iteration of each.
//
// Usage: loop-bench CASE ROUNDS [BATCH UNITS]
#include "test/bench/call_program.h"
#include "test/bench/filled_tensor.h"
#include "test/bench/loop_floors.h"
#include "test/bench/measuring.h"

#include "runtime/main/linked_program.h"

#include <algorithm>
#include <cstring>
#include <functional>

using namespace sluice::rt;
using namespace sluice::bench;

namespace {

// Values near 1 whose products neither vanish nor overflow.
Tensor filled(std::initializer_list<int64_t> dims, float base, float step = 0) {
  return sluice::bench::filled(dims, base, step, 17);
}

struct Case {
  std::vector<Tensor> feeds; // in the order of the program's feeds
  double iterations;
  // The results of the floor, to be compared with the last fetch.
  std::function<void(std::vector<float> &)> floor;
};

constexpr int32_t kIterations = 2000000;
constexpr int32_t kNested = 1500;
constexpr int32_t kSaved = 10000;
constexpr int64_t kRows = 100000;

Case makeLoop(std::string_view name) {
  bool scalar = name == "scalar", isNested = name == "nested";
  int32_t n = isNested ? kNested : kIterations;
  Tensor x = scalar ? Tensor::scalar(1.5f) : filled({kRow}, 1.5f, 0.01f);
  Tensor b = scalar ? Tensor::scalar(1.0000001f) : filled({kRow}, 1.0000001f, 1e-7f);
  auto *loop = scalar           ? scalarLoop
               : isNested       ? nestedLoop
               : name == "cond" ? branchingLoop
                                : vectorLoop;
  return {{Tensor::scalar(n), x, b},
          isNested ? double(n) * n : double(n),
          [=](std::vector<float> &out) {
            out.resize(static_cast<size_t>(x.elements()));
            loop(n, x.data<float>(), b.data<float>(), out.data());
          }};
}

Case makeGradient() {
  Tensor x = Tensor::scalar(1.5f), b = Tensor::scalar(1.0000001f);
  auto trail = std::make_shared<std::vector<float>>();
  return {{Tensor::scalar(kSaved), x, b}, double(kSaved), [=](std::vector<float> &out) {
            out.resize(1);
            gradientLoop(kSaved, x.data<float>(), b.data<float>(), *trail, out.data());
          }};
}

Case makeScan() {
  Tensor rows = filled({kRows, kRow}, 0.5f, 0.01f), h = filled({kRow}, 0), b = filled({kRow}, 0.9f);
  auto all = std::make_shared<std::vector<float>>(static_cast<size_t>(kRows * kRow));
  return {{rows, h, b}, double(kRows), [=](std::vector<float> &out) {
            out.assign(kRow, 0);
            scanRows(kRows, rows.data<float>(), b.data<float>(), out.data(), all->data());
          }};
}

Case makeLstm(int64_t batch, int64_t units) {
  Tensor rows = filled({kRnnSteps, batch, units}, 0.1f, 0.02f), c = filled({batch, units}, 0),
         h = filled({batch, units}, 0), w = filled({2 * units, 4 * units}, 0.001f, 0.003f),
         bias = filled({4 * units}, 0.1f, 0.01f);
  auto lstm = std::make_shared<LstmFloor>(batch, units);
  return {{rows, c, h, w, bias}, double(kRnnSteps), [=](std::vector<float> &out) {
            out.resize(static_cast<size_t>(batch * units));
            lstm->run(rows.data<float>(), w.data<float>(), bias.data<float>(), out.data());
          }};
}

Case makeCase(int argc, char **argv) {
  std::string_view name = argv[1];
  if (name == "scan")
    return makeScan();
  if (name == "gradient")
    return makeGradient();
  if (name == "lstm" && argc > 4)
    return makeLstm(std::atoll(argv[3]), std::atoll(argv[4]));
  return makeLoop(name);
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  Case measured = makeCase(argc, argv);
  Executor executor(loadLinkedProgram());
  RunOptions options;
  options.workers = 0; // one thread, as the floor
  executor.setOptions(options);
  std::vector<double> programTimes, floorTimes;
  std::vector<float> expected;
  bool equal = true;
  for (int round = 0, rounds = std::atoi(argv[2]); round < rounds; ++round) {
    double start = now();
    measured.floor(expected);
    floorTimes.push_back((now() - start) / measured.iterations);
    start = now();
    std::vector<Tensor> results = callProgram(executor, measured.feeds);
    programTimes.push_back((now() - start) / measured.iterations);
    equal &= results.back().bytes() == expected.size() * sizeof(float) &&
             std::memcmp(results.back().raw(), expected.data(), results.back().bytes()) == 0;
  }
  std::printf("{\"ns\": %.4f, \"floor_ns\": %.4f, \"same_bits\": %s}\n", median(programTimes),
              median(floorTimes), equal ? "true" : "false");
  return 0;
}
