// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Descriptions first, then the elements of each slice.
#include "runtime/base/cancellation.h"
#include "runtime/io/bundle/saved_values.h"
#include "runtime/io/bundle/sorted_table_writer.h"
#include "runtime/io/bundle/table_checkpoint.h"
#include "runtime/io/bundle/tensor_messages.h"
#include "runtime/io/bundle/tensor_types.h"
#include "runtime/io/number_text.h"

namespace sluice::rt {

namespace {

struct Description {
  int type;
  std::vector<int64_t> shape;
  std::vector<TensorSlice> slices;
};

std::string messageOf(const std::string &name, const Description &description) {
  MessageWriter writer;
  writer.bytes(1, name);
  writer.bytes(2, messageOfShape(description.shape));
  writer.number(3, static_cast<uint64_t>(description.type));
  for (const TensorSlice &slice : description.slices)
    writer.bytes(4, messageOf(slice));
  return writer.take();
}

std::string messageOf(const std::map<std::string, Description> &descriptions) {
  MessageWriter tensors, version, all;
  for (const auto &[name, description] : descriptions)
    tensors.bytes(1, messageOf(name, description));
  version.number(1, 1); // of the program that writes
  tensors.bytes(2, version.text());
  all.bytes(1, tensors.text());
  return all.take();
}

std::string messageOf(const SavedTensor &saved) {
  MessageWriter slice, all;
  slice.bytes(1, saved.name);
  slice.bytes(2, messageOf(saved.slice));
  slice.bytes(3, messageOfValues(*saved.tensor));
  all.bytes(2, slice.text());
  return all.take();
}

// By key; those that are there twice are left out.
using Entries = std::map<std::string, const SavedTensor *>;

Status collect(std::span<const SavedTensor> tensors, Entries &entries,
               std::map<std::string, Description> &descriptions) {
  for (const SavedTensor &saved : tensors) {
    if (Status status = checkSavable(saved.tensor->dtype()); !status.ok())
      return atTensor(saved.name, status);
    int type = numberOfType(saved.tensor->dtype());
    Description &description =
        descriptions.try_emplace(saved.name, Description{type, saved.shape, {}}).first->second;
    if (description.type != type || description.shape != saved.shape)
      return internalError("the slices of tensor " + quoted(saved.name, 200, '\'') +
                           " differ in their types or in the shape of the whole");
    if (entries.emplace(keyOfSlice(saved.name, saved.slice), &saved).second)
      description.slices.push_back(saved.slice);
  }
  return okStatus();
}

} // namespace

Status writeTableCheckpoint(const std::string &path, std::span<const SavedTensor> tensors,
                            Disk &disk) {
  Entries entries;
  std::map<std::string, Description> descriptions;
  SLUICE_RETURN_IF_ERROR(collect(tensors, entries, descriptions));
  std::unique_ptr<NewFiles> files = disk.writeSeveral();
  SLUICE_RETURN_IF_ERROR(files->begin(path));
  SortedTableWriter table([&](std::string_view bytes) { return files->write(bytes); });
  SLUICE_RETURN_IF_ERROR(table.add("", messageOf(descriptions)));
  for (const auto &[key, saved] : entries) {
    if (Cancellation::requestedHere())
      return cancelledWork();
    SLUICE_RETURN_IF_ERROR(table.add(key, messageOf(*saved)));
  }
  SLUICE_RETURN_IF_ERROR(table.finish());
  return files->commit();
}

} // namespace sluice::rt
