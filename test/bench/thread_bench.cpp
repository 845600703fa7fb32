// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that is linked in and a floor, each with one thread and with two, in turns. Prints a
// JSON line with medians of times and of gains.
//
// Usage: thread-bench CASE ROUNDS
#include "test/bench/call_program.h"
#include "test/bench/filled_tensor.h"
#include "test/bench/measuring.h"
#include "test/bench/thread_floors.h"

#include "runtime/main/linked_program.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <vector>

using namespace sluice::rt;
using namespace sluice::bench;

namespace {

Tensor filled(std::initializer_list<int64_t> dims, float base, float step) {
  return sluice::bench::filled(dims, base, step, 1009);
}

struct Case {
  std::vector<Tensor> feeds; // in the order of the program's feeds
  std::function<const float *(Team &)> floor;
  int64_t results;
};

Case makeFused() {
  Tensor x = filled({kOddSide, kOddSide}, 0, 0.003f), a = filled({kOddSide, kOddSide}, 1, 0.001f),
         b = filled({kOddSide}, 0.1f, 0.001f), c = filled({kOddSide}, 1, 0.001f);
  auto out = std::make_shared<std::vector<float>>(kOddSide * kOddSide);
  return {{x, a, b, c},
          [=](Team &team) {
            fusedRows(team, kOddSide, kOddSide, x.data<float>(), a.data<float>(), b.data<float>(),
                      c.data<float>(), out->data());
            return out->data();
          },
          kOddSide * kOddSide};
}

Case makeSoftmax() {
  Tensor x = filled({kSide, kSide}, 0, 0.01f);
  auto exps = std::make_shared<std::vector<float>>(kSide * kSide);
  auto out = std::make_shared<std::vector<float>>(kSide * kSide);
  return {{x},
          [=](Team &team) {
            softmaxRows(team, kSide, kSide, x.data<float>(), exps->data(), out->data());
            return out->data();
          },
          kSide * kSide};
}

Case makeSum() {
  Tensor x = filled({kSide, kSide}, 0.3f, 0.001f);
  auto out = std::make_shared<float>();
  return {{x},
          [=](Team &team) {
            *out = sumOfRuns(team, kSide * kSide, x.data<float>());
            return out.get();
          },
          1};
}

Case makeLoop() {
  Tensor x = filled({kLoopRows, kLoopColumns}, 0, 0.003f),
         a = filled({kLoopRows, kLoopColumns}, 1, 0.001f), b = filled({kLoopColumns}, 0.1f, 0.001f),
         c = filled({kLoopColumns}, 1, 0.001f);
  auto slots = std::make_shared<std::vector<float>>(2 * kLoopRows * kLoopColumns);
  return {{Tensor::scalar(static_cast<int32_t>(kLoopCount)), x, a, b, c},
          [=](Team &team) {
            const float *from = x.data<float>();
            for (int64_t i = 0; i < kLoopCount; ++i) {
              float *to = slots->data() + i % 2 * (kLoopRows * kLoopColumns);
              fusedRows(team, kLoopRows, kLoopColumns, from, a.data<float>(), b.data<float>(),
                        c.data<float>(), to);
              from = to;
            }
            return from;
          },
          kLoopRows * kLoopColumns};
}

Case makeCase(std::string_view name) {
  return name == "fused"     ? makeFused()
         : name == "softmax" ? makeSoftmax()
         : name == "sum"     ? makeSum()
                             : makeLoop();
}

// In milliseconds.
template <typename Function> double timeOf(const Function &function) {
  auto start = std::chrono::steady_clock::now();
  function();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

// With one thread and with two.
struct Times {
  std::vector<double> one, two;
  std::vector<double> gains() const {
    std::vector<double> gains;
    for (size_t i = 0; i < one.size(); ++i)
      gains.push_back(one[i] / two[i]);
    return gains;
  }
  void print(const char *name) const {
    std::printf("\"%s\": {\"one\": %.4f, \"two\": %.4f, \"gain\": %.4f}, ", name, median(one),
                median(two), median(gains()));
  }
};

} // namespace

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  Case measured = makeCase(argv[1]);
  Executor executor(loadLinkedProgram());
  Times program, floor;
  bool equal = true;
  for (int round = 0, rounds = std::atoi(argv[2]); round <= rounds; ++round)
    for (int threads : {1, 2}) {
      const float *expected;
      double floorTime;
      {
        Team team(threads);
        floorTime = timeOf([&] { expected = measured.floor(team); });
      }
      RunOptions options;
      options.workers = threads - 1; // beside the caller
      executor.setOptions(options);
      std::vector<Tensor> results;
      double programTime = timeOf([&] { results = callProgram(executor, measured.feeds); });
      equal &= results.back().elements() == measured.results &&
               std::memcmp(results.back().raw(), expected, results.back().bytes()) == 0;
      if (round == 0) // memory is touched for the first time
        continue;
      (threads == 1 ? floor.one : floor.two).push_back(floorTime);
      (threads == 1 ? program.one : program.two).push_back(programTime);
    }
  std::printf("{");
  program.print("program");
  floor.print("floor");
  std::printf("\"same_bits\": %s}\n", equal ? "true" : "false");
  return 0;
}
