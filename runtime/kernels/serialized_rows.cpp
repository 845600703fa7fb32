// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nd ops between rows of tensors and the strings that describe them: parse_rows, serialize_rows.
#include "runtime/base/cancellation.h"
#include "runtime/io/records/tensor_proto.h"
#include "runtime/kernels/arguments.h"
#include "runtime/kernels/attributes/nd.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/joined_elements.h"
#include "runtime/kernels/shape_rules.h"
#include "runtime/kernels/text_work.h"
#include "runtime/memory/denormals.h"

#include <algorithm>
#include <vector>

namespace sluice::rt {

namespace {

constexpr uint64_t kWorkOfRow = 64;

Status expectVector(const Shape &shape, const char *what) {
  if (!shape.hasRank() || shape.rank() == 1)
    return okStatus();
  return invalidArgument(std::string("expected a vector as ") + what + " but got shape " +
                         shape.toString());
}

// ---- Rows as strings: input, where each piece begins and ends

Status serializeShape(ShapeCall &call) {
  const Shape &input = call.input(0), &starts = call.input(1), &ends = call.input(2);
  call.output(0) = Shape::unknownDims(1);
  if (input.hasRank() && input.rank() == 0)
    return invalidArgument("expected rows but got a scalar");
  SLUICE_RETURN_IF_ERROR(expectVector(starts, "starts"));
  SLUICE_RETURN_IF_ERROR(expectVector(ends, "ends"));
  if (starts.hasRank())
    call.output(0) = starts;
  else if (ends.hasRank())
    call.output(0) = ends;
  if (starts.hasRank() && ends.hasRank() && !starts.compatibleWith(ends))
    return invalidArgument("expected as many ends as starts but got shapes " + ends.toString() +
                           " and " + starts.toString());
  return okStatus();
}

Status serializeRun(KernelCall &call) {
  const Tensor &input = call.input(0);
  const bool isSingle = attributes::nd::SerializeRows(call).single();
  auto starts = call.input(1).values<int64_t>(), ends = call.input(2).values<int64_t>();
  if (starts.size() != ends.size())
    return invalidArgument("expected as many ends as starts");
  const Shape row = removeDim(input.shape(), 0);
  const int64_t rows = input.dim(0);
  auto texts = call.output(0).data<std::string>();
  for (size_t i = 0; i < starts.size(); ++i) {
    const int64_t start = starts[i], end = ends[i];
    if (start < 0 || end < start || end > rows || (isSingle && end != start + 1))
      return invalidArgument("rows " + std::to_string(start) + " to " + std::to_string(end) +
                             " are not among " + std::to_string(rows));
    SLUICE_ASSIGN_OR_RETURN(Tensor part, partOf(input, start * row.elements(),
                                                isSingle ? row : insertDim(row, 0, end - start)));
    texts[i] = tensorProtoOf(part, StringsAre::kPacked);
    if (Cancellation::requestedHere())
      return cancelledWork();
  }
  return okStatus();
}

uint64_t serializeWork(const KernelCall &call) {
  const Tensor &input = call.input(0);
  const auto rows = static_cast<uint64_t>(call.input(1).elements());
  if (input.rank() == 0 || input.dim(0) == 0)
    return rows * kWorkOfRow;
  const uint64_t bytes =
      static_cast<uint64_t>(input.elements() / input.dim(0)) * sizeOf(input.dtype());
  uint64_t all = 0;
  auto starts = call.input(1).values<int64_t>(), ends = call.input(2).values<int64_t>();
  for (size_t i = 0; i < std::min(starts.size(), ends.size()); ++i)
    all += static_cast<uint64_t>(std::max<int64_t>(0, std::min(ends[i], input.dim(0)) - starts[i]));
  return rows * kWorkOfRow + all * bytes;
}

// ---- Strings as rows

Status parseShape(ShapeCall &call) {
  call.output(0) = Shape::unknownRank();
  call.output(1) = call.input(0).hasRank() ? call.input(0) : Shape::unknownDims(1);
  return expectVector(call.input(0), "strings");
}

Status parseRun(KernelCall &call) {
  SLUICE_RETURN_IF_ERROR(expectVector(call.input(0).shape(), "strings"));
  SLUICE_ASSIGN_OR_RETURN(call.output(1), Tensor::allocate(DType::kI64, call.input(0).shape()));
  auto sizes = call.output(1).data<int64_t>();
  std::vector<Tensor> parts;
  for (const std::string &text : call.input(0).values<std::string>()) {
    SLUICE_ASSIGN_OR_RETURN(Tensor part, parseTensorProto(text, call.outputType(0)));
    if (part.rank() == 0)
      return invalidArgument("expected rows but got a scalar");
    sizes[parts.size()] = part.dim(0);
    parts.push_back(std::move(part));
    if (Cancellation::requestedHere())
      return cancelledWork();
  }
  if (parts.empty()) {
    SLUICE_ASSIGN_OR_RETURN(call.output(0), Tensor::allocate(call.outputType(0), Shape({0})));
    return okStatus();
  }
  for (const Tensor &part : parts)
    if (!(removeDim(part.shape(), 0) == removeDim(parts[0].shape(), 0)))
      return invalidArgument("expected rows of one shape but got " + parts[0].shape().toString() +
                             " and " + part.shape().toString());
  SLUICE_RETURN_IF_ERROR(concatElements(parts, Shape::unknownRank(), call.output(0)));
  return flushDenormals(call.output(0));
}

} // namespace

SLUICE_DEFINE_KERNEL(nd_parse_rows,
                     {parseShape, parseRun, Kernel::kAllocates, nullptr, workOfTexts})
SLUICE_DEFINE_KERNEL(nd_serialize_rows,
                     {serializeShape, serializeRun, Kernel::kNone, nullptr, serializeWork})

} // namespace sluice::rt
