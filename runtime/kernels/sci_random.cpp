// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random numbers of several kinds, made of Philox streams: TensorFlow's numbers. Integers are the
// same bit by bit; what is normal differs by what the logarithm and the sine of the C library do.
#include "runtime/base/arithmetic.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/random_stream.h"

namespace sluice::rt {

namespace {

// ---- Keys ---------------------------------------------------------------------------------------

Status checkVector(const Shape &shape, int64_t least, const char *what) {
  if (!shape.hasRank() || (shape.rank() == 1 && (shape.dim(0) < 0 || shape.dim(0) >= least)))
    return okStatus();
  return invalidArgument(format("expected %s of %lld or more numbers but got shape %s", what,
                                static_cast<long long>(least), shape.toString().c_str()));
}

Status keyShape(ShapeCall &call) {
  const Shape &seed = call.input(0);
  if (seed.hasRank() && !seed.compatibleWith(Shape{2}))
    return invalidArgument("seed must have shape [2], not " + seed.toString());
  call.output(0) = Shape{1};
  call.output(1) = Shape{2};
  return okStatus();
}

// The seeds as the counter of a stream whose key is fixed: what comes out of it first has nothing
// left of their order.
constexpr uint64_t kKeyOfSeeds = uint64_t{0x02461e29} << 32 | 0x3ec8f720;

Status keyRun(KernelCall &call) {
  const Tensor &seed = call.input(0);
  Philox philox(kKeyOfSeeds, static_cast<uint64_t>(seed.asInt(1)),
                static_cast<uint64_t>(seed.asInt(0)));
  const Philox::Numbers mixed = philox.next();
  *call.output(0).data<uint64_t>() = uint64_t{mixed[1]} << 32 | mixed[0];
  auto *counter = call.output(1).data<uint64_t>();
  counter[0] = 0;
  counter[1] = uint64_t{mixed[3]} << 32 | mixed[2];
  return okStatus();
}

Status streamShape(ShapeCall &call) {
  call.output(0) = Shape{kNumbersOfPosition};
  const Shape &key = call.input(0), &algorithm = call.input(2);
  if (key.hasRank() && !key.compatibleWith(Shape{1}))
    return invalidArgument("key must have shape [1], not " + key.toString());
  SLUICE_RETURN_IF_ERROR(checkVector(call.input(1), 2, "a counter"));
  if (algorithm.hasRank() && algorithm.rank() != 0)
    return invalidArgument("algorithm must be of shape [], not " + algorithm.toString());
  return okStatus();
}

Status streamRun(KernelCall &call) {
  constexpr int64_t kPhilox = 1, kThreeFry = 2, kAny = 3;
  const int64_t algorithm = call.input(2).asInt();
  if (algorithm == kThreeFry)
    return Status(Code::kUnimplemented, "expected the algorithm Philox but got ThreeFry");
  if (algorithm != kPhilox && algorithm != kAny)
    return invalidArgument(
        format("Unsupported algorithm id: %lld", static_cast<long long>(algorithm)));
  auto *counter = call.input(1).data<uint64_t>();
  auto *to = call.output(0).data<int64_t>();
  to[0] = static_cast<int64_t>(*call.input(0).data<uint64_t>());
  to[1] = static_cast<int64_t>(counter[1]);
  to[2] = static_cast<int64_t>(counter[0]);
  return okStatus();
}

// ---- Normal numbers -----------------------------------------------------------------------------

constexpr int64_t kCostOfNormals = 300; // of one group

// In what numbers of the type are computed.
template <typename T> using Computed = std::conditional_t<sizeof(T) == 8, double, float>;

template <typename T> Status normalRun(KernelCall &call) {
  fillGroups<T>(positionOf(call), call.output(0), kCostOfNormals, 1, [](Philox &philox, T *to) {
    using F = Computed<T>;
    const Philox::Numbers numbers = philox.next();
    F pair[2];
    for (int64_t k = 0; k < kElementsOfGroup<T>; k += 2) {
      makeNormals(&numbers[static_cast<size_t>(k)], pair);
      to[k] = T(pair[0]);
      to[k + 1] = T(pair[1]);
    }
  });
  return okStatus();
}
template <typename T> constexpr Kernel sci_random_normal_kernel() {
  return {shapeOfDrawn, normalRun<T>};
}

// Groups lie so far apart in the stream that each finds enough numbers near the mean.
template <typename T> Status truncatedRun(KernelCall &call) {
  constexpr uint64_t kStep = uint64_t{kElementsOfGroup<T>} * kGroupsPerElement / 4;
  fillGroups<T>(positionOf(call), call.output(0), kCostOfNormals, kStep, [](Philox &philox, T *to) {
    using F = Computed<T>;
    constexpr int64_t kSize = kElementsOfGroup<T>;
    for (int64_t made = 0; made < kSize;) {
      const Philox::Numbers numbers = philox.next();
      F pairs[kSize];
      for (int64_t k = 0; k < kSize; k += 2)
        makeNormals(&numbers[static_cast<size_t>(k)], pairs + k);
      for (int64_t k = 0; k < kSize && made < kSize; ++k)
        if (std::abs(pairs[k]) < F(2))
          to[made++] = T(pairs[k]);
    }
  });
  return okStatus();
}
template <typename T> constexpr Kernel sci_random_truncated_normal_kernel() {
  return {shapeOfDrawn, truncatedRun<T>};
}

// ---- Integers -----------------------------------------------------------------------------------

constexpr int64_t kCostOfInts = 40;

// Makes an integer of each number of the stream, or of each two.
template <typename T, typename Function> void fillInts(KernelCall &call, const Function &function) {
  using Bits = std::make_unsigned_t<T>;
  fillGroups<T>(positionOf(call), call.output(0), kCostOfInts, 1, [=](Philox &philox, T *to) {
    const Philox::Numbers numbers = philox.next();
    for (size_t k = 0; k < kElementsOfGroup<T>; ++k)
      if constexpr (sizeof(T) == 8)
        to[k] = function(static_cast<Bits>(Bits{numbers[2 * k + 1]} << 32 | numbers[2 * k]));
      else
        to[k] = function(static_cast<Bits>(numbers[k]));
  });
}

template <typename T> Status bitsRun(KernelCall &call) {
  fillInts<T>(call, [](auto bits) { return static_cast<T>(bits); });
  return okStatus();
}
template <typename T> constexpr Kernel sci_random_bits_kernel() {
  return {shapeOfDrawn, bitsRun<T>};
}

Status intShape(ShapeCall &call) {
  constexpr const char *kNames[] = {"minval", "maxval"};
  for (size_t i : {2, 3})
    if (call.input(i).hasRank() && call.input(i).rank() != 0)
      return invalidArgument(std::string(kNames[i - 2]) + " must be 0-D, got shape " +
                             call.input(i).toString());
  return shapeOfDrawn(call);
}

template <typename T> Status intRun(KernelCall &call) {
  using Bits = std::make_unsigned_t<T>;
  if (call.output(0).elements() == 0)
    return okStatus();
  const T low = *call.input(2).data<T>(), high = *call.input(3).data<T>();
  if (low >= high)
    return invalidArgument("Need minval < maxval, got " + std::to_string(low) +
                           " >= " + std::to_string(high));
  const Bits range = static_cast<Bits>(high) - static_cast<Bits>(low);
  fillInts<T>(call, [=](Bits bits) {
    return static_cast<T>(static_cast<Bits>(low) + static_cast<Bits>(bits % range));
  });
  return okStatus();
}
template <typename T> constexpr Kernel sci_random_int_kernel() { return {intShape, intRun<T>}; }

} // namespace

SLUICE_DEFINE_KERNEL(sci_random_key, {keyShape, keyRun})
SLUICE_DEFINE_KERNEL(sci_random_stream, {streamShape, streamRun})
SLUICE_DEFINE_KERNELS(sci_random_normal, FLOAT)
SLUICE_DEFINE_KERNELS(sci_random_truncated_normal, FLOAT)
SLUICE_DEFINE_KERNELS(sci_random_bits, INT)
SLUICE_DEFINE_KERNELS(sci_random_int, INT)

} // namespace sluice::rt
