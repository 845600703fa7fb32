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

// Where numbers begin: the seed is the key, and the counter has an upper and a lower half.
struct Position {
  uint64_t key, upper, lower;
};

// Of the op with these attributes, which fires for so many elements.
template <typename Attributes>
Result<Position> nextPosition(KernelCall &call, const Attributes &attributes, int64_t elements) {
  Environment *environment = call.environment();
  size_t index = attributes.generator();
  if (!environment || index >= environment->resources.size() ||
      environment->resources[index]->kind() != Object::Kind::kGenerator)
    return internalError(format("no random generator has the index %zu", index));
  auto *generator = static_cast<Generator *>(environment->resources[index]);
  const FiringNumber &firing = environment->firing;
  uint64_t position = generator->position(environment->call, firing.iteration());
  // Each iteration of the frames around the innermost has a stream of its own.
  return Position{static_cast<uint64_t>(attributes.seed()),
                  static_cast<uint64_t>(attributes.seed2()) ^ firing.outer(),
                  position * static_cast<uint64_t>(elements) * kGroupsPerElement};
}

template <typename T> void fillUniform(const Position &position, Tensor &output) {
  const Philox philox(position.key, position.upper, position.lower);
  const int64_t elements = output.elements();
  constexpr int64_t wordsPerElement = sizeof(T) == 8 ? 2 : 1;
  constexpr int64_t elementsOfGroup = 4 / wordsPerElement;
  T *to = output.data<T>();
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
}

Status uniformShape(ShapeCall &call) { return shapeFromOperand(call, 0, "shape", call.output(0)); }

template <typename T> Status uniformRun(KernelCall &call) {
  attributes::state::RandomUniform attributes(call);
  SLUICE_ASSIGN_OR_RETURN(Position position,
                          nextPosition(call, attributes, call.output(0).elements()));
  fillUniform<T>(position, call.output(0));
  return okStatus();
}
template <typename T> constexpr Kernel state_random_uniform_kernel() {
  return {uniformShape, uniformRun<T>, Kernel::kStateful | Kernel::kOnWorkers};
}

// ---- The same in two steps ----------------------------------------------------------------------

constexpr int64_t kNumbersOfPosition = 3;

Status positionShape(ShapeCall &call) {
  call.output(0) = Shape{kNumbersOfPosition};
  Shape ignored;
  return shapeFromOperand(call, 0, "shape", ignored);
}
Status positionRun(KernelCall &call) {
  attributes::state::RandomPosition attributes(call);
  int64_t elements = 1;
  for (int64_t i = 0; i < call.input(0).elements(); ++i)
    elements *= call.input(0).asInt(i);
  SLUICE_ASSIGN_OR_RETURN(Position position, nextPosition(call, attributes, elements));
  auto *to = call.output(0).data<int64_t>();
  to[0] = static_cast<int64_t>(position.key);
  to[1] = static_cast<int64_t>(position.upper);
  to[2] = static_cast<int64_t>(position.lower);
  return okStatus();
}

Status uniformAtShape(ShapeCall &call) {
  const Shape &position = call.input(0);
  if (position.hasRank() && !position.compatibleWith(Shape{kNumbersOfPosition}))
    return invalidArgument("expected a position of shape [3] but got " + position.toString());
  return shapeFromOperand(call, 1, "shape", call.output(0));
}
template <typename T> Status uniformAtRun(KernelCall &call) {
  auto *position = call.input(0).data<int64_t>();
  fillUniform<T>({static_cast<uint64_t>(position[0]), static_cast<uint64_t>(position[1]),
                  static_cast<uint64_t>(position[2])},
                 call.output(0));
  return okStatus();
}
template <typename T> constexpr Kernel nd_random_uniform_kernel() {
  return {uniformAtShape, uniformAtRun<T>};
}

} // namespace

SLUICE_DEFINE_KERNELS(state_random_uniform, FLOAT)
SLUICE_DEFINE_KERNEL(state_random_position, {positionShape, positionRun, Kernel::kStateful})
SLUICE_DEFINE_KERNELS(nd_random_uniform, FLOAT)

} // namespace sluice::rt
