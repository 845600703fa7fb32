// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Uniform random numbers in [0, 1): the stream of TensorFlow's RandomUniform, bit by bit.
#include "runtime/base/philox.h"
#include "runtime/base/pieces.h"
#include "runtime/kernels/arguments.h"
#include "runtime/kernels/attributes.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/environment.h"
#include "runtime/state/variable.h"

#include <bit>

namespace sluice::rt {

namespace {

// Each execution skips this many groups of four numbers for each element, used or not.
constexpr uint64_t kGroupsPerElement = 256;
constexpr int64_t kCostOfGroup = 32;

// Random bits become the mantissa of a number in [1, 2); subtracting 1 is exact.
template <typename T> T toUniform(const uint32_t *bits);
template <> float toUniform<float>(const uint32_t *bits) {
  return std::bit_cast<float>(0x3f800000u | (*bits & 0x7fffffu)) - 1.0f;
}
template <> double toUniform<double>(const uint32_t *bits) {
  uint64_t mantissa = uint64_t{bits[0] & 0xfffffu} << 32 | bits[1];
  return std::bit_cast<double>(uint64_t{1023} << 52 | mantissa) - 1.0;
}
template <> Half toUniform<Half>(const uint32_t *bits) {
  Half number;
  number.bits = static_cast<uint16_t>(15 << 10 | (*bits & 0x3ffu));
  return Half(float(number) - 1.0f);
}
template <> BFloat16 toUniform<BFloat16>(const uint32_t *bits) {
  BFloat16 number;
  number.bits = static_cast<uint16_t>(127 << 7 | (*bits & 0x7fu));
  return BFloat16(float(number) - 1.0f);
}

Status uniformShape(ShapeCall &call) { return shapeFromOperand(call, 0, "shape", call.output(0)); }

template <typename T> Status uniformRun(KernelCall &call) {
  Environment *environment = call.environment();
  attributes::state::RandomUniform attributes(call);
  size_t index = attributes.generator();
  if (!environment || index >= environment->resources.size() ||
      environment->resources[index]->kind() != Object::Kind::kGenerator)
    return internalError(format("no random generator has the index %zu", index));
  auto *generator = static_cast<Generator *>(environment->resources[index]);
  const FiringNumber &firing = environment->firing;
  uint64_t position = generator->position(environment->call, firing.iteration());
  const int64_t elements = call.output(0).elements();
  // Each iteration of the frames around the innermost has a stream of its own.
  const Philox philox(static_cast<uint64_t>(attributes.seed()),
                      static_cast<uint64_t>(attributes.seed2()) ^ firing.outer(),
                      position * static_cast<uint64_t>(elements) * kGroupsPerElement);
  constexpr int64_t wordsPerElement = sizeof(T) == 8 ? 2 : 1;
  constexpr int64_t elementsOfGroup = 4 / wordsPerElement;
  T *to = call.output(0).data<T>();
  forPieces(elements / elementsOfGroup + 1, kCostOfGroup, [&](int64_t begin, int64_t end) {
    Philox own = philox;
    own.skip(static_cast<uint64_t>(begin));
    const int64_t last = std::min(elements, end * elementsOfGroup);
    for (int64_t i = begin * elementsOfGroup; i < last;) {
      Philox::Numbers numbers = own.next();
      for (size_t k = 0; k < numbers.size() && i < last; k += size_t{wordsPerElement})
        to[i++] = toUniform<T>(&numbers[k]);
    }
  });
  return okStatus();
}
template <typename T> constexpr Kernel state_random_uniform_kernel() {
  return {uniformShape, uniformRun<T>, Kernel::kStateful | Kernel::kOnWorkers};
}

} // namespace

SLUICE_DEFINE_KERNELS(state_random_uniform, FLOAT)

} // namespace sluice::rt
