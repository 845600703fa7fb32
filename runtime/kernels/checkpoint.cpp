// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that read and write checkpoints: save_tensors, restore_tensors, merge_checkpoints.
#include "runtime/io/bundle/bundle_writer.h"
#include "runtime/io/bundle/merge_bundles.h"
#include "runtime/io/bundle/table_checkpoint.h"
#include "runtime/io/bundle/tensor_types.h"
#include "runtime/io/new_file.h"
#include "runtime/io/number_text.h"
#include "runtime/kernels/attributes/state.h"
#include "runtime/kernels/declare.h"
#include "runtime/memory/denormals.h"

#include <sys/stat.h>
#include <vector>

namespace sluice::rt {

namespace {

// What the ops ask of their first operands.
struct CheckpointOperands {
  std::string prefix;
  std::span<const std::string> names, slices; // equally many
};

Result<CheckpointOperands> checkpointOperands(const KernelCall &call) {
  const Tensor &prefix = call.input(0), &names = call.input(1), &slices = call.input(2);
  if (prefix.elements() != 1)
    return invalidArgument(format("Input prefix should have a single element, got %lld instead.",
                                  static_cast<long long>(prefix.elements())));
  if (names.rank() != 1 || slices.rank() != 1)
    return invalidArgument(
        "Input tensor_names and shape_and_slices should be an 1-D tensors, got " +
        names.shape().toString() + " and " + slices.shape().toString() + " instead.");
  if (names.elements() != slices.elements())
    return invalidArgument(format(
        "tensor_names and shape_and_slices have different number of elements: %lld vs. %lld",
        static_cast<long long>(names.elements()), static_cast<long long>(slices.elements())));
  return CheckpointOperands{*prefix.data<std::string>(), names.values<std::string>(),
                            slices.values<std::string>()};
}

constexpr size_t kFixedInputs = 3;
// Files are read and written.
uint64_t fileWork(const KernelCall &) { return uint64_t{1} << 30; }

// ---- save_tensors

// The folder of the files, but not those around it, is made if it is not there; whatever else is
// wrong with it shows when something is written.
void makeFolderOf(const std::string &prefix) { (void)::mkdir(folderOf(prefix).c_str(), 0777); }

Status inTensor(const std::string &name, const Status &status) {
  return {status.code(), "tensor " + quoted(name, 200, '\'') + ": " + status.message()};
}

Status saveBundle(const CheckpointOperands &operands, const KernelCall &call) {
  HostDisk disk;
  makeFolderOf(operands.prefix);
  SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<BundleWriter> writer,
                          BundleWriter::begin(operands.prefix, disk));
  for (size_t i = 0; i < operands.names.size(); ++i) {
    const Tensor &tensor = call.input(kFixedInputs + i);
    if (operands.slices[i].empty()) {
      SLUICE_RETURN_IF_ERROR(writer->add(operands.names[i], tensor));
      continue;
    }
    Result<PartOfTensor> part = parsePart(operands.slices[i]);
    if (!part.ok())
      return inTensor(operands.names[i], part.status());
    SLUICE_RETURN_IF_ERROR(writer->addPart(operands.names[i], *part, tensor));
  }
  return writer->commit();
}

Status saveTable(const CheckpointOperands &operands, const KernelCall &call) {
  std::vector<SavedTensor> saved;
  for (size_t i = 0; i < operands.names.size(); ++i) {
    const Tensor &tensor = call.input(kFixedInputs + i);
    std::span<const int64_t> dims = tensor.shape().dims();
    if (operands.slices[i].empty()) {
      saved.push_back({operands.names[i],
                       {dims.begin(), dims.end()},
                       TensorSlice::whole(dims.size()),
                       &tensor});
      continue;
    }
    Result<PartOfTensor> part = parsePart(operands.slices[i]);
    if (!part.ok())
      return inTensor(operands.names[i], part.status());
    if (!std::ranges::equal(part->region.sizes, dims))
      return invalidArgument("Slice in shape_and_slice specification does not match the shape of "
                             "the tensor to save: " +
                             operands.slices[i] + ", tensor: " + tensor.shape().toString());
    saved.push_back({operands.names[i], part->shape, part->slice, &tensor});
  }
  HostDisk disk;
  makeFolderOf(operands.prefix);
  return writeTableCheckpoint(operands.prefix, saved, disk);
}

Status saveRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(CheckpointOperands operands, checkpointOperands(call));
  if (call.numInputs() - kFixedInputs != operands.names.size())
    return invalidArgument(format("Got %zu tensor names but %zu tensors.", operands.names.size(),
                                  call.numInputs() - kFixedInputs));
  bool isTable = attributes::state::SaveTensors(call).form() == "table";
  return isTable ? saveTable(operands, call) : saveBundle(operands, call);
}

// ---- restore_tensors

Result<std::unique_ptr<Checkpoint>> openFor(const std::string &prefix, bool isTable, Disk &disk) {
  CheckpointLimits limits = CheckpointLimits::of();
  if (!isTable)
    return openCheckpoint(prefix, limits, disk);
  SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<TableCheckpoint> table,
                          TableCheckpoint::open(prefix, limits, disk));
  return std::unique_ptr<Checkpoint>(std::move(table));
}

Status expectType(Checkpoint &checkpoint, const std::string &name, DType wanted) {
  SLUICE_ASSIGN_OR_RETURN(Checkpoint::Description description, checkpoint.describe(name));
  std::optional<DType> stored = typeOfNumber(description.type);
  if (stored == wanted)
    return okStatus();
  return invalidArgument("tensor_name = " + name + "; expected dtype " +
                         std::string(dtypeName(wanted)) + " does not equal original dtype " +
                         (stored ? std::string(dtypeName(*stored))
                                 : "with number " + std::to_string(description.type)));
}

Status restoreRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(CheckpointOperands operands, checkpointOperands(call));
  if (call.numOutputs() != operands.names.size())
    return invalidArgument(format("Got %zu tensor names, but %zu expected dtypes.",
                                  operands.names.size(), call.numOutputs()));
  HostDisk disk;
  bool isTable = attributes::state::RestoreTensors(call).form() == "table";
  SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<Checkpoint> checkpoint,
                          openFor(operands.prefix, isTable, disk));
  for (size_t i = 0; i < operands.names.size(); ++i)
    SLUICE_RETURN_IF_ERROR(expectType(*checkpoint, operands.names[i], call.outputType(i)));
  for (size_t i = 0; i < operands.names.size(); ++i) {
    SLUICE_ASSIGN_OR_RETURN(FoundTensor found,
                            checkpoint->find(operands.names[i], operands.slices[i]));
    SLUICE_ASSIGN_OR_RETURN(call.output(i), checkpoint->readTensor(found));
    SLUICE_RETURN_IF_ERROR(flushDenormals(call.output(i)));
  }
  return okStatus();
}

// What the slices say, if they are known; any shape where one is empty.
Status restoreShape(ShapeCall &call) {
  const Tensor *slices = call.value(2);
  for (size_t i = 0; i < call.numOutputs(); ++i) {
    call.output(i) = Shape::unknownRank();
    if (!slices || static_cast<size_t>(slices->elements()) != call.numOutputs())
      continue;
    const std::string &slice = slices->data<std::string>()[i];
    if (Result<PartOfTensor> part = parsePart(slice); !slice.empty() && part.ok())
      call.output(i) = Shape(std::span<const int64_t>(part->region.sizes));
  }
  return okStatus();
}

// ---- merge_checkpoints

Status mergeRun(KernelCall &call) {
  const Tensor &prefixes = call.input(0), &destination = call.input(1);
  if (prefixes.rank() != 1)
    return invalidArgument("Input checkpoint_prefixes should be an 1-D tensor, got " +
                           prefixes.shape().toString() + " instead.");
  if (destination.elements() != 1)
    return invalidArgument("Input destination_prefix should have a single element, got " +
                           std::to_string(destination.elements()) + " instead.");
  attributes::state::MergeCheckpoints attributes(call);
  makeFolderOf(*destination.data<std::string>());
  return mergeBundles(prefixes.values<std::string>(), *destination.data<std::string>(),
                      {attributes.deleteOldFolders(), attributes.allowMissingFiles()});
}

} // namespace

SLUICE_DEFINE_LONG_EFFECT_KERNEL(state_save_tensors, nullptr, saveRun, fileWork)
SLUICE_DEFINE_LONG_EFFECT_KERNEL(state_restore_tensors, restoreShape, restoreRun, fileWork)
SLUICE_DEFINE_LONG_EFFECT_KERNEL(state_merge_checkpoints, nullptr, mergeRun, fileWork)

} // namespace sluice::rt
