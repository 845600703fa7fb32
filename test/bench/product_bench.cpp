// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of f32 matrices beside what the multipliers of a core give and, in turns, a library.
// Prints a JSON line for each product, with medians of the rounds in GFLOP/s.
//
// Usage: product-bench short|long THREADS ROUNDS MILLISECONDS [RIVAL]
#include "test/bench/measuring.h"
#include "test/bench/product_case.h"

#include "runtime/base/denormal_mode.h"
#include "runtime/base/parallel.h"
#include "runtime/kernels/matmul_kept.h"
#include "runtime/kernels/matmul_level.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

using namespace sluice::rt;
using namespace sluice::bench;

namespace {

constexpr ProductCase kCases[] = {
    // name, m, n, k, transposed, packed, onto a sum. Kept ones are plain products, one after the
    // other, that find what was packed for those before.
    {"1 row, kept", 1, 2048, 1024, false, false, true, false},
    {"2 rows, kept", 2, 2048, 1024, false, false, true, false},
    {"4 rows, kept", 4, 2048, 1024, false, false, true, false},
    {"8 rows, kept", 8, 2048, 1024, false, false, true, false},
    {"16 rows, kept", 16, 2048, 1024, false, false, true, false},
    {"32 rows, kept", 32, 2048, 1024, false, false, true, false},
    {"64 rows, kept", 64, 2048, 1024, false, false, true, false},
    {"square, packed", 1024, 1024, 1024, false, false, true, false},
    {"square", 1024, 1024, 1024, false, false, false, false},
    {"right transposed", 32, 512, 2048, false, true, false, false},
    {"left transposed, onto a sum", 1024, 2048, 256, true, false, false, true},
};

// ---- The floor: multiplications and additions of registers alone ------------------------------

constexpr int kChains = 12, kTurns = 20000;
volatile float unknown = 0.5f;

template <int kBytes> [[gnu::always_inline]] inline void multiplyRegisters() {
  using Vector = VectorOf<float, kBytes>::type;
  const Vector factor = Vector{} + unknown;
  Vector chains[kChains] = {};
  for (int turn = 0; turn < kTurns; ++turn)
    for (Vector &chain : chains)
      chain = __builtin_elementwise_fma(chain, factor, factor);
  for (Vector &chain : chains)
    unknown = chain[0];
  unknown = 0.5f;
}
void multiplyShortRegisters() { multiplyRegisters<ShortVectors::kBytes>(); }
SLUICE_LONG_VECTORS void multiplyLongRegisters() { multiplyRegisters<LongVectors::kBytes>(); }

double flopsOfRegisters(ProductLevel level) {
  const double lanes = level == ProductLevel::kLongVectors ? 16 : 8;
  return 2.0 * kChains * kTurns * lanes;
}

// ---- Rivals -----------------------------------------------------------------------------------

struct Rival {
  MakeRivalFn *make = nullptr;
  RunRivalFn *run = nullptr;
};

Rival openRival(const char *path) {
  OpenLibrary library(path);
  return {library.function<MakeRivalFn>(kMakeRival), library.function<RunRivalFn>(kRunRival)};
}

void requireAlike(const ProductCase &p, Numbers &ours, Numbers &other) {
  for (int64_t i = 0; i < ours.size(); ++i)
    if (std::abs(ours.data()[i] - other.data()[i]) > 1e-5f * static_cast<float>(p.k)) {
      std::fprintf(stderr, "error: %s: expected %g but the rival got %g\n", p.name,
                   static_cast<double>(ours.data()[i]), static_cast<double>(other.data()[i]));
      std::exit(1);
    }
}

struct Options {
  ProductLevel level;
  int threads, rounds;
  double milliseconds;
  Rival rival;
};

void measure(const ProductCase &p, const Options &options) {
  Numbers a(p.m * p.k, 0.7f), b(p.k * p.n, 0.3f), c(p.m * p.n), other(p.m * p.n);
  const bool isKept = std::string_view(p.name).ends_with("kept");
  Numbers packed(isKept ? 1 : packedElements<float>(p.k, p.n));
  const MatrixView<float> left =
      p.transposeA ? MatrixView<float>{a.data(), 1, p.m} : MatrixView<float>{a.data(), p.k, 1};
  const MatrixView<float> right =
      p.transposeB ? MatrixView<float>{b.data(), 1, p.k} : MatrixView<float>{b.data(), p.n, 1};
  if (!isKept)
    packRight<float>(p.k, p.n, right, packed.data());
  const ProductDims dims{p.m, p.n, p.k};
  auto multiply = [&] {
    if (isKept)
      multiplyKeeping<float>(dims, {left, nullptr}, {right, b.buffer()}, c.data(), p.n,
                             p.accumulate);
    else if (p.packed)
      multiplyPacked<float>(dims, left, packed.data(), c.data(), p.n,
                            p.accumulate ? Begins<float>{c.data(), p.n} : Begins<float>{});
    else
      multiplyMatrices<float>(dims, left, right, c.data(), p.n, p.accumulate);
  };
  void *rival = nullptr;
  constexpr int kUntilKept = 8;
  for (int i = 0; i < (isKept ? kUntilKept : 1); ++i)
    multiply();
  if (options.rival.make) {
    rival = options.rival.make(&p, a.data(), b.data(), other.data());
    options.rival.run(rival);
    requireAlike(p, c, other);
  }
  const double flops = 2.0 * static_cast<double>(p.m * p.n) * static_cast<double>(p.k);
  std::vector<double> ours, rivals, ratios, floors;
  for (int round = 0; round < options.rounds; ++round) {
    floors.push_back(options.threads * flopsOfRegisters(options.level) /
                     timeOf(options.level == ProductLevel::kLongVectors ? multiplyLongRegisters
                                                                        : multiplyShortRegisters,
                            options.milliseconds / 10));
    ours.push_back(flops / timeOf(multiply, options.milliseconds));
    if (!rival)
      continue;
    rivals.push_back(flops / timeOf([&] { options.rival.run(rival); }, options.milliseconds));
    ratios.push_back(ours.back() / rivals.back());
  }
  std::printf("{\"product\": \"%s\", \"ours\": %.4g, \"floor\": %.4g, \"rival\": %.4g, "
              "\"ratio\": %.4g}\n",
              p.name, median(ours), median(floors), median(rivals), median(ratios));
  std::fflush(stdout);
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 5) {
    std::fprintf(stderr, "usage: product-bench short|long THREADS ROUNDS MILLISECONDS [RIVAL]\n");
    return 2;
  }
  const bool isLong = std::string_view(argv[1]) == "long";
  Options options{isLong ? ProductLevel::kLongVectors : ProductLevel::kShortVectors,
                  std::atoi(argv[2]),
                  std::atoi(argv[3]),
                  std::atof(argv[4]),
                  {}};
  if (!canMultiplyBy(options.level)) {
    std::printf("{\"missing\": true}\n");
    return 0;
  }
  if (argc > 5)
    options.rival = openRival(argv[5]);
  FlushDenormals flush;
  forceProductLevel(options.level);
  ParallelThreads parallel(systemThreads(), options.threads);
  if (options.threads > 1)
    watch = CLOCK_MONOTONIC;
  for (const ProductCase &p : kCases)
    measure(p, options);
  return 0;
}
