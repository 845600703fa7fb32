// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A checkpoint of the first format: files that are tables, each with descriptions of tensors and
// with the elements of some of their slices.
#pragma once

#include "runtime/io/bundle/checkpoint.h"
#include "runtime/io/bundle/sorted_table.h"

#include <map>
#include <span>

namespace sluice::rt {

class TableCheckpoint final : public Checkpoint {
public:
  // All files that match the pattern, in which `*`, `?` and brackets have their meaning; NOT_FOUND
  // if there is none. Each is read whole. The disk's errors, DATA_LOSS, and RESOURCE_EXHAUSTED.
  static Result<std::unique_ptr<TableCheckpoint>> open(const std::string &pattern,
                                                       const CheckpointLimits &limits, Disk &disk);

  std::vector<std::string_view> names() const override;
  bool has(std::string_view name) const override { return tensors_.contains(name); }
  Result<Description> describe(std::string_view name) override;
  Result<FoundTensor> find(std::string_view name, std::string_view part) override;
  Status read(const FoundTensor &found, void *target) override;

private:
  struct File {
    std::string path, bytes;
    SortedTable table;
  };
  struct Described {
    Description description;
    // In which file each slice is.
    std::vector<std::pair<TensorSlice, size_t>> slices;
  };

  TableCheckpoint(std::string pattern, const CheckpointLimits &limits)
      : Checkpoint(std::move(pattern)), limits_(limits) {}
  Status addFile(const std::string &path, Disk &disk);
  Status addDescriptions(std::string_view message, size_t file);
  Status addTensor(std::string_view message, size_t file);
  Result<FoundTensor> locate(std::string_view name, std::string_view part);
  Status addPiece(FoundTensor &found, const TensorSlice &slice, size_t file);
  Status readPiece(const FoundTensor &found, const FoundTensor::Piece &piece, void *target);

  CheckpointLimits limits_;
  std::vector<std::unique_ptr<File>> files_; // which stay where they are, as values lie in them
  std::map<std::string, Described, std::less<>> tensors_;
};

// Whether the file is a table; false where there is no such file.
bool isTableFile(const std::string &path, Disk &disk);

// A tensor, or a slice of one, that is to be written.
struct SavedTensor {
  std::string name;
  std::vector<int64_t> shape; // of the whole
  TensorSlice slice;
  const Tensor *tensor;
};
// Writes one file. Of a slice that is there twice the first one counts. INVALID_ARGUMENT and
// UNIMPLEMENTED when something cannot be written, else the disk's errors.
Status writeTableCheckpoint(const std::string &path, std::span<const SavedTensor> tensors,
                            Disk &disk);

} // namespace sluice::rt
