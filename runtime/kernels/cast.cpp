// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversion between element types, through the widest type of the source's kind: with N types
// there are N loads and a few stores for each rather than N*N loops.
//
// Integers wrap. Floats to integers truncate and saturate, NaN gives 0. To bool: whether it is not
// zero, so NaN gives true. Complex to real takes the real part.
#include "runtime/base/arithmetic.h"
#include "runtime/base/pieces.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/shape_rules.h"

#include <algorithm>
#include <cmath>

namespace sluice::rt {
namespace {

template <typename T>
using Wide = std::conditional_t<kIsFloat<T>, double,
                                std::conditional_t<std::is_same_v<T, uint64_t>, uint64_t, int64_t>>;

template <typename To> To saturate(double x) {
  // 2^digits is the first value above the range; it is exact, unlike max().
  const double limit = std::ldexp(1.0, std::numeric_limits<To>::digits);
  if (x != x)
    return 0;
  if (x >= limit)
    return std::numeric_limits<To>::max();
  if (x < static_cast<double>(std::numeric_limits<To>::lowest()))
    return std::numeric_limits<To>::lowest();
  return static_cast<To>(x);
}

template <typename To, typename From> To convert(const From &x) {
  if constexpr (kIsComplex<To> && kIsComplex<From>)
    return To(x);
  else if constexpr (kIsComplex<To>)
    return To(static_cast<typename To::value_type>(x));
  else if constexpr (std::is_same_v<To, bool>)
    return x != From(0);
  else if constexpr (kIsSmallFloat<To>)
    return To(static_cast<float>(x));
  else if constexpr (kIsInt<To> && std::is_same_v<From, double>)
    return saturate<To>(x);
  else
    return static_cast<To>(x);
}

constexpr int64_t kBlock = 256, kCostOfElement = 8;
using ConvertBlock = void (*)(const void *from, void *to, int64_t n);

template <typename From, typename To> void convertBlock(const void *from, void *to, int64_t n) {
  auto *x = static_cast<const From *>(from);
  auto *o = static_cast<To *>(to);
  for (int64_t i = 0; i < n; ++i)
    o[i] = convert<To>(x[i]);
}
// Small floats reach double through float.
template <typename From> void loadBlock(const void *from, void *to, int64_t n) {
  auto *x = static_cast<const From *>(from);
  auto *o = static_cast<Wide<From> *>(to);
  for (int64_t i = 0; i < n; ++i)
    o[i] = static_cast<Compute<From>>(x[i]);
}
template <typename From> void loadRealPart(const void *from, void *to, int64_t n) {
  auto *x = static_cast<const From *>(from);
  for (int64_t i = 0; i < n; ++i)
    static_cast<double *>(to)[i] = x[i].real();
}

template <typename From> ConvertBlock storeFor(DType to) {
  switch (to) {
#define SLUICE_CASE(E, T, N)                                                                       \
  case DType::E:                                                                                   \
    return convertBlock<From, T>;
    SLUICE_NUMBER_DTYPES(SLUICE_CASE)
    SLUICE_CASE(kBool, bool, b)
#undef SLUICE_CASE
  default:
    return nullptr;
  }
}

struct Conversion {
  ConvertBlock load;
  ConvertBlock store; // null when one step does it all
};

Status runConversion(KernelCall &call, Conversion conversion) {
  const Tensor &x = call.input(0);
  Tensor &out = call.output(0);
  if (!conversion.load)
    return unimplemented(format("cannot cast %s to %s", std::string(dtypeName(x.dtype())).c_str(),
                                std::string(dtypeName(out.dtype())).c_str()));
  auto *from = static_cast<const unsigned char *>(x.raw());
  auto *to = static_cast<unsigned char *>(out.raw());
  const size_t fromBytes = sizeOf(x.dtype()), toBytes = sizeOf(out.dtype());
  forPieces(out.elements(), kCostOfElement, [&](int64_t begin, int64_t end) {
    alignas(16) unsigned char wide[kBlock * sizeof(double)];
    for (int64_t i = begin; i < end; i += kBlock) {
      const int64_t n = std::min(end - i, kBlock);
      unsigned char *stored = to + toBytes * static_cast<size_t>(i);
      conversion.load(from + fromBytes * static_cast<size_t>(i), conversion.store ? wide : stored,
                      n);
      if (conversion.store)
        conversion.store(wide, stored, n);
    }
  });
  return okStatus();
}

template <typename From> Status runCast(KernelCall &call) {
  DType to = call.outputType(0);
  Conversion conversion{};
  if constexpr (kIsComplex<From>) {
    if (to == DType::kC64)
      conversion = {convertBlock<From, std::complex<float>>, nullptr};
    else if (to == DType::kC128)
      conversion = {convertBlock<From, std::complex<double>>, nullptr};
    else if (ConvertBlock store = storeFor<double>(to))
      conversion = {loadRealPart<From>, store};
  } else if (ConvertBlock store = storeFor<Wide<From>>(to)) {
    conversion = {loadBlock<From>, store};
  }
  return runConversion(call, conversion);
}

template <typename T> constexpr Kernel nd_cast_kernel() { return {sameShapeRule, runCast<T>}; }

} // namespace

SLUICE_DEFINE_KERNELS(nd_cast, NUMBER_BOOL)

} // namespace sluice::rt
