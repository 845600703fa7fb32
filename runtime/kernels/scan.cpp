// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cumsum and cumprod along an axis. 16-bit floats are rounded at each output, not in between.
#include "runtime/base/arithmetic.h"
#include "runtime/base/pieces.h"
#include "runtime/kernels/attributes/nd.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/one_axis.h"

namespace sluice::rt {
namespace {

Result<int> checkedScanAxis(const Tensor &axis, int rank) {
  if (axis.rank() != 0)
    return invalidArgument("ScanOp: axis must be a scalar, not " + axis.shape().toString());
  int64_t value = axis.asInt();
  if (value < -rank || value >= rank)
    return invalidArgument(format("ScanOp: Expected scan axis in the range [%d, %d), but got %lld",
                                  -rank, rank, static_cast<long long>(value)));
  return static_cast<int>(value < 0 ? value + rank : value);
}

Status scanShape(ShapeCall &call) {
  call.output(0) = call.input(0);
  if (call.value(1) && call.input(0).hasRank())
    return checkedScanAxis(*call.value(1), call.input(0).rank()).status();
  return okStatus();
}

// Scans n elements; input and output advance by `stride`, which is negative in reverse.
using ScanLoop = void (*)(const void *in, void *out, int64_t n, int64_t stride, bool exclusive);

constexpr int64_t kCostOfElement = 8;

template <typename T, bool kProduct>
void scanLoop(const void *in, void *out, int64_t n, int64_t stride, bool exclusive) {
  auto *x = static_cast<const T *>(in);
  auto *o = static_cast<T *>(out);
  Compute<T> acc(kProduct ? 1 : 0);
  TurnsOfCall turns(kCostOfElement);
  for (int64_t i = 0; i < n && !turns.end(); ++i) {
    Compute<T> next = kProduct ? wrapMul<Compute<T>>(acc, x[i * stride])
                               : wrapAdd<Compute<T>>(acc, x[i * stride]);
    o[i * stride] = static_cast<T>(exclusive ? acc : next);
    acc = next;
  }
}

Status runScan(KernelCall &call, ScanLoop loop) {
  const Tensor &x = call.input(0);
  SLUICE_ASSIGN_OR_RETURN(int axis, checkedScanAxis(call.input(1), x.rank()));
  if (x.elements() == 0)
    return okStatus();
  attributes::SharedBy<attributes::nd::Cumsum, attributes::nd::Cumprod> attributes(call);
  bool exclusive = attributes.exclusive(), reverse = attributes.reverse();
  OneAxis view(x.shape(), axis);
  size_t bytes = sizeOf(x.dtype());
  auto *in = static_cast<const unsigned char *>(x.raw());
  auto *out = static_cast<unsigned char *>(call.output(0).raw());
  int64_t start = reverse ? (view.length - 1) * view.inner : 0;
  const int64_t cost = costOfAll(view.length, kCostOfElement);
  forPieces(view.outer * view.inner, cost, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      int64_t first = i / view.inner * view.length * view.inner + i % view.inner + start;
      size_t offset = static_cast<size_t>(first) * bytes;
      loop(in + offset, out + offset, view.length, reverse ? -view.inner : view.inner, exclusive);
    }
  });
  return okStatus();
}

template <typename T, bool kProduct> constexpr Kernel scanKernel() {
  return {scanShape, [](KernelCall &call) { return runScan(call, scanLoop<T, kProduct>); }};
}
template <typename T> constexpr Kernel nd_cumsum_kernel() { return scanKernel<T, false>(); }
template <typename T> constexpr Kernel nd_cumprod_kernel() { return scanKernel<T, true>(); }

} // namespace

SLUICE_DEFINE_KERNELS(nd_cumsum, NUMBER)
SLUICE_DEFINE_KERNELS(nd_cumprod, NUMBER)

} // namespace sluice::rt
