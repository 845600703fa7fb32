// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products to try on a device, with what they are.
#pragma once

#include "runtime/base/matrix_product.h"
#include "runtime/base/splitmix.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace sluice::rt::test {

struct ProductCase {
  ProductCase(DType dtype, int64_t rows, int64_t columns, int64_t sums)
      : element(dtype), m(rows), n(columns), k(sums) {
    fill();
  }

  std::string text() const {
    std::string how = std::to_string(int(element)) + ": " + std::to_string(m) + " by " +
                      std::to_string(k) + " by " + std::to_string(n) + " in " +
                      std::to_string(batches);
    for (auto [is, what] : {std::pair(lhsTransposed, " T."), std::pair(rhsTransposed, " .T"),
                            std::pair(isOnto, " onto"), std::pair(isInPlace, " in place"),
                            std::pair(sharesRhs, " one rhs")})
      how += is ? what : "";
    return how;
  }

  // Draws the elements; rows have gaps, which are NaN.
  void fill() {
    SplitMix64 random(uint64_t(m * 1000 + n * 100 + k));
    lhs = matrices(random, lhsTransposed ? k : m, lhsTransposed ? m : k, batches);
    rhs = matrices(random, rhsTransposed ? n : k, rhsTransposed ? k : n, sharesRhs ? 1 : batches);
    std::vector<double> drawn(size_t(m * n * batches));
    for (double &x : drawn)
      x = draw(random);
    onto = bytes(drawn);
  }

  MatrixProduct form() const {
    MatrixProduct p;
    p.element = element;
    p.lhsTransposed = lhsTransposed, p.rhsTransposed = rhsTransposed;
    p.m = m, p.n = n, p.k = k, p.batches = batches;
    p.leadingLhs = (lhsTransposed ? m : k) + gap;
    p.leadingRhs = (rhsTransposed ? k : n) + gap;
    p.strideLhs = batches == 1 ? 0 : (lhsTransposed ? k : m) * p.leadingLhs;
    p.strideRhs = batches == 1 || sharesRhs ? 0 : (rhsTransposed ? n : k) * p.leadingRhs;
    return p;
  }

  std::vector<std::byte> nothing() const {
    return std::vector<std::byte>(size_t(m * n * batches) * sizeOf(element));
  }

  void expectNear(const std::vector<double> &found, double tolerance = 0) const {
    if (tolerance == 0)
      tolerance = element == DType::kF64 ? 1e-12 : element == DType::kF32 ? 1e-5 : 2e-2;
    MatrixProduct p = form();
    std::vector<double> a = numbers(lhs), b = numbers(rhs), c = numbers(onto);
    ASSERT_EQ(found.size(), size_t(m * n * batches));
    for (int64_t batch = 0; batch < batches; ++batch)
      for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j) {
          size_t place = size_t((batch * m + i) * n + j);
          double sum = isOnto ? c[place] : 0, size = std::abs(sum);
          for (int64_t l = 0; l < k; ++l) {
            int64_t atA = lhsTransposed ? l * p.leadingLhs + i : i * p.leadingLhs + l;
            int64_t atB = rhsTransposed ? j * p.leadingRhs + l : l * p.leadingRhs + j;
            double term =
                a[size_t(batch * p.strideLhs + atA)] * b[size_t(batch * p.strideRhs + atB)];
            sum += term, size += std::abs(term);
          }
          ASSERT_NEAR(found[place], sum, tolerance * (size + 1)) << "at " << place;
        }
  }

  std::vector<double> numbers(const std::vector<std::byte> &from) const {
    std::vector<double> all(from.size() / sizeOf(element));
    for (size_t i = 0; i < all.size(); ++i)
      all[i] = number(from.data() + i * sizeOf(element));
    return all;
  }

  DType element;
  int64_t m, n, k, batches = 1, gap = 0;
  bool lhsTransposed = false, rhsTransposed = false, isOnto = false, isInPlace = false,
       sharesRhs = false;
  std::vector<std::byte> lhs, rhs, onto;

private:
  static double draw(SplitMix64 &random) { return double(random.below(2001)) / 1000 - 1; }

  std::vector<std::byte> matrices(SplitMix64 &random, int64_t lines, int64_t length,
                                  int64_t count) const {
    std::vector<double> all(size_t(count * lines * (length + gap)), NAN);
    for (int64_t line = 0; line < count * lines; ++line)
      for (int64_t i = 0; i < length; ++i)
        all[size_t(line * (length + gap) + i)] = draw(random);
    return bytes(all);
  }

  template <typename T> static void put(std::byte *to, T value) {
    memcpy(to, &value, sizeof value);
  }
  template <typename T> static double get(const std::byte *from) {
    T value;
    memcpy(&value, from, sizeof value);
    return static_cast<double>(value);
  }
  std::vector<std::byte> bytes(const std::vector<double> &from) const {
    std::vector<std::byte> all(from.size() * sizeOf(element));
    for (size_t i = 0; i < from.size(); ++i) {
      std::byte *to = all.data() + i * sizeOf(element);
      element == DType::kF64   ? put(to, from[i])
      : element == DType::kF32 ? put(to, float(from[i]))
      : element == DType::kF16 ? put(to, Half(float(from[i])).bits)
                               : put(to, BFloat16(float(from[i])).bits);
    }
    return all;
  }
  double number(const std::byte *from) const {
    auto half = [&](auto value) {
      memcpy(&value.bits, from, 2);
      return static_cast<double>(static_cast<float>(value));
    };
    return element == DType::kF64   ? get<double>(from)
           : element == DType::kF32 ? get<float>(from)
           : element == DType::kF16 ? half(Half())
                                    : half(BFloat16());
  }
};

// All types, transpositions, batches and sums; sizes that fill no tile, a row, a column, a number.
inline std::vector<ProductCase> productCases() {
  std::vector<ProductCase> cases;
  constexpr int64_t kSizes[][3] = {{5, 7, 3}, {1, 9, 4}, {9, 1, 70}, {1, 1, 1}, {33, 17, 65}};
  for (DType element : {DType::kF32, DType::kF64, DType::kF16, DType::kBF16})
    for (auto [m, n, k] : kSizes)
      for (int form = 0; form < 32; ++form) {
        ProductCase c(element, m, n, k);
        c.lhsTransposed = form & 1, c.rhsTransposed = form & 2;
        c.isOnto = form & 4, c.isInPlace = (form & 12) == 12;
        c.batches = form & 16 ? 3 : 1;
        c.sharesRhs = form % 5 == 0;
        c.gap = form % 3;
        c.fill();
        cases.push_back(std::move(c));
      }
  return cases;
}

} // namespace sluice::rt::test
