// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels on readers.
#include "runtime/state/reader.h"

#include "runtime/kernels/attributes/state.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/declared_object.h"
#include "runtime/kernels/shape_rules.h"
#include "runtime/kernels/waiting.h"
#include "runtime/state/handle.h"

#include <algorithm>

namespace sluice::rt {

namespace {

std::optional<RecordForm::Kind> formNamed(std::string_view name) {
  constexpr std::pair<std::string_view, RecordForm::Kind> kForms[] = {
      {"names", RecordForm::Kind::kNames},     {"whole", RecordForm::Kind::kWhole},
      {"lines", RecordForm::Kind::kLines},     {"fixed", RecordForm::Kind::kFixed},
      {"records", RecordForm::Kind::kRecords},
  };
  for (auto [known, kind] : kForms)
    if (known == name)
      return kind;
  return std::nullopt;
}

Status handleRun(KernelCall &call) {
  attributes::state::ReaderHandle given(call);
  std::optional<RecordForm::Kind> kind = formNamed(given.form());
  std::optional<Compression> compression = compressionNamed(given.compression());
  if (!kind || !compression)
    return internalError("no reader has the form '" + std::string(given.form()) + "'");
  Reader::Options options;
  options.title = "reader '" + std::string(given.name()) + "'";
  options.form = {*kind,
                  given.skippedLines(),
                  given.headerBytes(),
                  given.recordBytes(),
                  given.footerBytes(),
                  given.hopBytes(),
                  *compression};
  return giveDeclared<Reader>(call, given.object(), std::move(options));
}

Result<int64_t> countOf(const KernelCall &call, size_t input) {
  SLUICE_ASSIGN_OR_RETURN(int64_t count, numberOf(call, input, "num_records"));
  if (count < 0)
    return invalidArgument("num_records must be at least 0 but got " + std::to_string(count));
  return count;
}

Status awaitRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Reader * reader, objectOf<Reader>(call.input(0)));
  SLUICE_ASSIGN_OR_RETURN(Queue * queue, objectOf<Queue>(call.input(1)));
  SLUICE_ASSIGN_OR_RETURN(int64_t count, countOf(call, 2));
  return count == 0 ? okStatus() : reader->awaitFile(*queue, clientOf(call));
}

Status readShape(ShapeCall &call) {
  call.output(0) = Shape();
  call.output(1) = call.output(2) = Shape({Shape::kUnknown});
  return okStatus();
}

Status readRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Reader * reader, objectOf<Reader>(call.input(0)));
  SLUICE_ASSIGN_OR_RETURN(int64_t count, countOf(call, 1));
  HostDisk disk;
  std::vector<Record> records;
  if (count > 0) {
    SLUICE_ASSIGN_OR_RETURN(records, reader->read(count, disk));
  }
  call.output(0) = Tensor::scalar(count == 0 || !records.empty());
  Shape shape({static_cast<int64_t>(records.size())});
  SLUICE_ASSIGN_OR_RETURN(call.output(1), Tensor::allocate(DType::kString, shape));
  SLUICE_ASSIGN_OR_RETURN(call.output(2), Tensor::allocate(DType::kString, shape));
  for (size_t i = 0; i < records.size(); ++i) {
    call.output(1).data<std::string>()[i] = std::move(records[i].key);
    call.output(2).data<std::string>()[i] = std::move(records[i].value);
  }
  return okStatus();
}

Status countRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Reader * reader, objectOf<Reader>(call.input(0)));
  bool isOfFiles = attributes::state::ReaderCount(call).what() == "files";
  return giveNumber(call, isOfFiles ? reader->filesCompleted() : reader->recordsProduced());
}

Status saveRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Reader * reader, objectOf<Reader>(call.input(0)));
  SLUICE_ASSIGN_OR_RETURN(std::string state, reader->serialize());
  call.output(0) = Tensor::string(std::move(state));
  return okStatus();
}

Status restoreRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Reader * reader, objectOf<Reader>(call.input(0)));
  const Tensor &text = call.input(1);
  if (text.rank() != 0)
    return invalidArgument("Reader state must be scalar, but had shape: " +
                           text.shape().toString());
  return reader->deserialize(*text.data<std::string>());
}

Status resetRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Reader * reader, objectOf<Reader>(call.input(0)));
  reader->reset();
  return okStatus();
}

// Files are read.
uint64_t readWork(const KernelCall &) { return uint64_t{1} << 30; }

} // namespace

SLUICE_DEFINE_EFFECT_KERNEL(state_reader_handle, scalarShapeRule, handleRun)
SLUICE_DEFINE_EFFECT_KERNEL(state_reader_await, nullptr, awaitRun)
SLUICE_DEFINE_LONG_EFFECT_KERNEL(state_reader_read, readShape, readRun, readWork)
SLUICE_DEFINE_EFFECT_KERNEL(state_reader_count, scalarShapeRule, countRun)
SLUICE_DEFINE_EFFECT_KERNEL(state_reader_save, scalarShapeRule, saveRun)
SLUICE_DEFINE_EFFECT_KERNEL(state_reader_restore, nullptr, restoreRun)
SLUICE_DEFINE_EFFECT_KERNEL(state_reader_reset, nullptr, resetRun)

} // namespace sluice::rt
