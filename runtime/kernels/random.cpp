// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Uniform random numbers in [0, 1): the stream of TensorFlow's RandomUniform, bit by bit.
#include "runtime/kernels/attributes/state.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/environment.h"
#include "runtime/kernels/random_stream.h"
#include "runtime/state/variable.h"

namespace sluice::rt {

namespace {

constexpr int64_t kCostOfGroup = 32;

// Of the op with these attributes, which fires for so many elements.
template <typename Attributes>
Result<StreamPosition> nextPosition(KernelCall &call, const Attributes &attributes,
                                    int64_t elements) {
  Environment *environment = call.environment();
  size_t index = attributes.generator();
  if (!environment || index >= environment->resources.size() ||
      environment->resources[index]->kind() != Object::Kind::kGenerator)
    return internalError(format("no random generator has the index %zu", index));
  auto *generator = static_cast<Generator *>(environment->resources[index]);
  const FiringNumber &firing = environment->firing;
  uint64_t position = generator->position(environment->call, firing.iteration());
  // Each iteration of the frames around the innermost has a stream of its own.
  return StreamPosition{static_cast<uint64_t>(attributes.seed()),
                        static_cast<uint64_t>(attributes.seed2()) ^ firing.outer(),
                        position * static_cast<uint64_t>(elements) * kGroupsPerElement};
}

template <typename T> void fillUniform(const StreamPosition &position, Tensor &output) {
  fillGroups<T>(position, output, kCostOfGroup, 1, [](Philox &philox, T *to) {
    const Philox::Numbers numbers = philox.next();
    for (size_t k = 0; k < kElementsOfGroup<T>; ++k)
      to[k] = toUniform<T>(&numbers[k * (4 / kElementsOfGroup<T>)]);
  });
}

Status uniformShape(ShapeCall &call) { return shapeFromOperand(call, 0, "shape", call.output(0)); }

template <typename T> Status uniformRun(KernelCall &call) {
  attributes::state::RandomUniform attributes(call);
  SLUICE_ASSIGN_OR_RETURN(StreamPosition position,
                          nextPosition(call, attributes, call.output(0).elements()));
  fillUniform<T>(position, call.output(0));
  return okStatus();
}
template <typename T> constexpr Kernel state_random_uniform_kernel() {
  return {uniformShape, uniformRun<T>, Kernel::kStateful | Kernel::kOnWorkers};
}

// ---- The same in two steps ----------------------------------------------------------------------

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
  SLUICE_ASSIGN_OR_RETURN(StreamPosition position, nextPosition(call, attributes, elements));
  auto *to = call.output(0).data<int64_t>();
  to[0] = static_cast<int64_t>(position.key);
  to[1] = static_cast<int64_t>(position.upper);
  to[2] = static_cast<int64_t>(position.lower);
  return okStatus();
}

template <typename T> Status uniformAtRun(KernelCall &call) {
  fillUniform<T>(positionOf(call), call.output(0));
  return okStatus();
}
template <typename T> constexpr Kernel nd_random_uniform_kernel() {
  return {shapeOfDrawn, uniformAtRun<T>};
}

} // namespace

SLUICE_DEFINE_KERNELS(state_random_uniform, FLOAT)
SLUICE_DEFINE_KERNEL(state_random_position, {positionShape, positionRun, Kernel::kStateful})
SLUICE_DEFINE_KERNELS(nd_random_uniform, FLOAT)

} // namespace sluice::rt
