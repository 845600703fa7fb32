// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nd.decode_csv: columns of fields of lines.
#include "runtime/base/pieces.h"
#include "runtime/io/number_text.h"
#include "runtime/io/records/csv.h"
#include "runtime/kernels/attributes/nd.h"
#include "runtime/kernels/declare.h"
#include "runtime/memory/denormals.h"

namespace sluice::rt {

namespace {

constexpr int64_t kCostOfField = 256;

Status checkDefault(const Shape &shape, size_t field) {
  if (!shape.hasRank() || shape.rank() == 0)
    return okStatus();
  if (shape.rank() > 1)
    return invalidArgument("Each record default should be at most rank 1");
  if (shape.dim(0) < 2)
    return okStatus();
  return invalidArgument(format("There should only be 1 default per field but field %zu has %lld",
                                field, static_cast<long long>(shape.dim(0))));
}

Status csvShape(ShapeCall &call) {
  for (size_t i = 0; i < call.numOutputs(); ++i) {
    SLUICE_RETURN_IF_ERROR(checkDefault(call.input(i + 1), i));
    call.output(i) = call.input(0);
  }
  return okStatus();
}

// TensorFlow's names of what fields may be.
const char *typeName(DType dtype) {
  switch (dtype) {
  case DType::kI32:
    return "int32";
  case DType::kI64:
    return "int64";
  case DType::kF32:
    return "float";
  default:
    return "double";
  }
}

void storeDefault(const Tensor &fallback, Tensor &output, int64_t record) {
  if (output.dtype() == DType::kString) {
    output.data<std::string>()[record] = *fallback.data<std::string>();
    return;
  }
  size_t size = sizeOf(output.dtype());
  std::memcpy(output.data<char>() + static_cast<size_t>(record) * size, fallback.raw(), size);
}

Status storeRecord(KernelCall &call, const std::vector<std::string> &fields, int64_t record) {
  auto number = static_cast<long long>(record);
  if (fields.size() != call.numOutputs())
    return invalidArgument(format("Expect %zu fields but have %zu in record %lld",
                                  call.numOutputs(), fields.size(), number));
  std::string_view missing = attributes::nd::DecodeCsv(call).missing();
  for (size_t i = 0; i < fields.size(); ++i) {
    const Tensor &fallback = call.input(i + 1);
    bool isMissing = fields[i].empty() || fields[i] == missing;
    if (isMissing && fallback.elements() == 0)
      return invalidArgument(
          format("Field %zu is required but missing in record %lld!", i, number));
    if (isMissing)
      storeDefault(fallback, call.output(i), record);
    else if (!storeField(fields[i], call.output(i), record))
      return invalidArgument(format("Field %zu in record %lld is not a valid %s: ", i, number,
                                    typeName(call.outputType(i))) +
                             quoted(fields[i], 60));
  }
  return okStatus();
}

Status csvRun(KernelCall &call) {
  attributes::nd::DecodeCsv given(call);
  CsvForm form{given.delimiter().front(), given.quotes(), given.columns()};
  std::span<const std::string> records = call.input(0).values<std::string>();
  TurnsOfCall turns(kCostOfField * static_cast<int64_t>(call.numOutputs() + 1));
  for (size_t i = 0; i < records.size(); ++i) {
    if (turns.end())
      return cancelledWork();
    SLUICE_ASSIGN_OR_RETURN(std::vector<std::string> fields, splitCsv(records[i], form));
    SLUICE_RETURN_IF_ERROR(storeRecord(call, fields, static_cast<int64_t>(i)));
  }
  for (size_t i = 0; i < call.numOutputs(); ++i)
    SLUICE_RETURN_IF_ERROR(flushDenormals(call.output(i)));
  return okStatus();
}

uint64_t csvWork(const KernelCall &call) {
  constexpr uint64_t kWorkOfByte = 8;
  uint64_t bytes = 0;
  for (const std::string &record : call.input(0).values<std::string>())
    bytes += record.size() + 1;
  return bytes * kWorkOfByte;
}

} // namespace

SLUICE_DEFINE_KERNEL(nd_decode_csv, {csvShape, csvRun, Kernel::kNone, nullptr, csvWork})

} // namespace sluice::rt
