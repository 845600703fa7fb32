// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nd ops between tensors and the strings that describe them: parse_tensor, serialize_tensor.
#include "runtime/base/cancellation.h"
#include "runtime/io/records/tensor_proto.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/shape_rules.h"
#include "runtime/memory/denormals.h"

namespace sluice::rt {

namespace {

Status expectScalar(const Shape &shape) {
  if (!shape.hasRank() || shape.isScalar())
    return okStatus();
  return invalidArgument("Expected `serialized` to be a scalar, got shape: " + shape.toString());
}

Status parseShape(ShapeCall &call) {
  call.output(0) = Shape::unknownRank();
  return expectScalar(call.input(0));
}

Status parseRun(KernelCall &call) {
  SLUICE_RETURN_IF_ERROR(expectScalar(call.input(0).shape()));
  SLUICE_ASSIGN_OR_RETURN(call.output(0),
                          parseTensorProto(*call.input(0).data<std::string>(), call.outputType(0)));
  if (Cancellation::requestedHere())
    return cancelledWork();
  return flushDenormals(call.output(0));
}

Status serializeRun(KernelCall &call) {
  std::string text = tensorProtoOf(call.input(0));
  if (Cancellation::requestedHere())
    return cancelledWork();
  *call.output(0).data<std::string>() = std::move(text);
  return okStatus();
}

uint64_t parseWork(const KernelCall &call) { return call.input(0).data<std::string>()->size(); }
uint64_t serializeWork(const KernelCall &call) {
  return static_cast<uint64_t>(call.input(0).elements()) * sizeOf(call.input(0).dtype());
}

} // namespace

SLUICE_DEFINE_KERNEL(nd_parse_tensor,
                     {parseShape, parseRun, Kernel::kAllocates, nullptr, parseWork})
SLUICE_DEFINE_KERNEL(nd_serialize_tensor,
                     {scalarShapeRule, serializeRun, Kernel::kNone, nullptr, serializeWork})

} // namespace sluice::rt
