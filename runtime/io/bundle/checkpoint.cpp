// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is the same in both formats.
#include "runtime/io/bundle/checkpoint.h"

#include "runtime/io/bundle/tensor_types.h"
#include "runtime/io/number_text.h"

namespace sluice::rt {

Status atTensor(std::string_view name, const Status &status) {
  if (status.ok())
    return status;
  return {status.code(), "tensor " + quoted(name, 200, '\'') + ": " + status.message()};
}

Status unsupportedType(int64_t number) {
  return unimplemented("values of the type with number " + std::to_string(number) +
                       " are not supported");
}

static Result<Region> askedRegion(std::string_view part, std::span<const int64_t> shape) {
  if (part.empty())
    return Region::whole(shape);
  SLUICE_ASSIGN_OR_RETURN(PartOfTensor asked, parsePart(part));
  if (!std::ranges::equal(asked.shape, shape))
    return invalidArgument("its shape " + Shape(shape).toString() +
                           " is not that of the whole in " + quoted(part, 100, '\''));
  return asked.region;
}

Result<FoundTensor> askedTensor(std::string_view name, const Checkpoint::Description &description,
                                std::string_view part, const CheckpointLimits &limits) {
  std::optional<DType> dtype = typeOfNumber(description.type);
  if (!dtype)
    return unsupportedType(description.type);
  FoundTensor found{std::string(name), *dtype, {}, description.shape, 0, {}};
  SLUICE_ASSIGN_OR_RETURN(found.region, askedRegion(part, found.shape));
  found.elements = found.region.elements();
  uint64_t bytes;
  if (__builtin_mul_overflow(static_cast<uint64_t>(found.elements), sizeOf(found.dtype), &bytes) ||
      !limits.tensorBytes.allows(bytes))
    return limits.tensorBytes.excess("bytes", bytes);
  return found;
}

Status checkPieces(const FoundTensor &found) {
  int64_t elements = 0;
  for (const FoundTensor::Piece &piece : found.pieces)
    if (__builtin_add_overflow(elements, piece.region.intersection(found.region).elements(),
                               &elements))
      elements = INT64_MAX;
  if (elements == found.elements)
    return okStatus();
  return invalidArgument("its parts have " + std::to_string(elements) + " elements of " +
                         std::to_string(found.elements) + " that are wanted");
}

Result<Tensor> Checkpoint::readTensor(const FoundTensor &found) {
  Shape shape{std::span<const int64_t>(found.region.sizes)};
  SLUICE_ASSIGN_OR_RETURN(Tensor tensor, Tensor::allocate(found.dtype, shape));
  SLUICE_RETURN_IF_ERROR(read(found, tensor.raw()));
  return tensor;
}

} // namespace sluice::rt
