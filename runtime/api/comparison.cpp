// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparison element by element.
#include "runtime/api/comparison.h"

#include "runtime/api/diagnostics.h"
#include "runtime/io/number_text.h"

#include <cmath>

namespace sluice::rt {

namespace {

bool agree(double got, double expected, Tolerance t) {
  if (got == expected || (std::isnan(got) && std::isnan(expected)))
    return true;
  return std::isfinite(expected) &&
         std::abs(got - expected) <= t.atol + t.rtol * std::abs(expected);
}

template <typename T> bool agree(std::complex<T> got, std::complex<T> expected, Tolerance t) {
  if (std::isfinite(expected.real()) && std::isfinite(expected.imag()))
    return std::abs(std::complex<double>(got) - std::complex<double>(expected)) <=
           t.atol + t.rtol * std::abs(std::complex<double>(expected));
  return agree(got.real(), expected.real(), t) && agree(got.imag(), expected.imag(), t);
}

template <typename T> bool agreeInt(T got, T expected, Tolerance t) {
  if (got == expected)
    return true;
  // 64 bits of precision: exact for every integer.
  auto g = static_cast<long double>(got), e = static_cast<long double>(expected);
  return std::abs(g - e) <= t.atol + t.rtol * std::abs(e);
}

struct Differences {
  int64_t first = -1;
  int64_t count = 0;
};

template <typename T>
Differences scan(const Tensor &got, const Tensor &expected, Tolerance tolerance) {
  Differences differences;
  const T *g = got.data<T>(), *e = expected.data<T>();
  for (int64_t i = 0, n = got.elements(); i < n; ++i) {
    bool same;
    if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::string>)
      same = g[i] == e[i];
    else if constexpr (std::is_integral_v<T>)
      same = agreeInt(g[i], e[i], tolerance);
    else
      same = agree(g[i], e[i], tolerance);
    if (!same && differences.count++ == 0)
      differences.first = i;
  }
  return differences;
}

Differences compare(const Tensor &got, const Tensor &expected, Tolerance tolerance) {
  switch (got.dtype()) {
#define SLUICE_CASE(E, T, N)                                                                       \
  case DType::E:                                                                                   \
    return scan<T>(got, expected, tolerance);
    SLUICE_NUMBER_DTYPES(SLUICE_CASE)
    SLUICE_CASE(kBool, bool, b)
    SLUICE_CASE(kString, std::string, string)
#undef SLUICE_CASE
  default:
    return {};
  }
}

std::string indexText(const Shape &shape, int64_t element) {
  std::string text;
  for (int d = shape.rank(); d-- > 0; element /= shape.dim(d))
    text = std::to_string(element % shape.dim(d)) + (text.empty() ? "" : ",") + text;
  return '[' + text + ']';
}

std::string elementText(const Tensor &tensor, int64_t index) {
  if (tensor.dtype() == DType::kString)
    return quoted(tensor.data<std::string>()[index], 60);
  std::string text;
  appendElement(tensor, index, text);
  return text;
}

std::string typeText(const Tensor &tensor) {
  return std::string(dtypeName(tensor.dtype())) + tensor.shape().toString();
}

} // namespace

Tolerance defaultTolerance(DType dtype) {
  switch (dtype) {
  case DType::kF16:
    return {2e-3, 1e-3};
  case DType::kBF16:
    return {1e-2, 1e-2};
  case DType::kF32:
  case DType::kC64:
    return {1e-5, 1e-6};
  case DType::kF64:
  case DType::kC128:
    return {1e-12, 1e-13};
  default:
    return {};
  }
}

std::string describeMismatch(std::string_view name, const Tensor &got, const Tensor &expected,
                             Tolerance tolerance) {
  std::string where = "output " + named(name);
  if (got.dtype() != expected.dtype() || !(got.shape() == expected.shape()))
    return where + ": expected " + typeText(expected) + " but got " + typeText(got);
  Differences differences = compare(got, expected, tolerance);
  if (differences.count == 0)
    return {};
  std::string text = where + " at " + indexText(got.shape(), differences.first) + ": expected " +
                     elementText(expected, differences.first) + " but got " +
                     elementText(got, differences.first);
  text += format("; %lld of %lld elements differ", static_cast<long long>(differences.count),
                 static_cast<long long>(got.elements()));
  if (got.dtype() != DType::kBool && got.dtype() != DType::kString) {
    text += " (rtol ";
    appendNumber(tolerance.rtol, text);
    text += ", atol ";
    appendNumber(tolerance.atol, text);
    text += ')';
  }
  return text;
}

} // namespace sluice::rt
