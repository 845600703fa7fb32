// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A checkpoint of the second format: an index file, and files with the elements.
#pragma once

#include "runtime/io/bundle/checkpoint.h"
#include "runtime/io/bundle/sorted_table.h"
#include "runtime/io/bundle/tensor_messages.h"

#include <map>

namespace sluice::rt {

class Bundle final : public Checkpoint {
public:
  // From `prefix`.index. Errors are those of the disk, and of `parse`. The disk must outlive it.
  static Result<std::unique_ptr<Bundle>> open(const std::string &prefix,
                                              const CheckpointLimits &limits, Disk &disk);
  // The same from bytes in memory; files with elements are looked for beside `prefix`. DATA_LOSS,
  // RESOURCE_EXHAUSTED and UNIMPLEMENTED as of `readSortedTable`.
  static Result<std::unique_ptr<Bundle>> parse(const std::string &prefix, std::string index,
                                               const CheckpointLimits &limits, Disk &disk);

  std::vector<std::string_view> names() const override;
  bool has(std::string_view name) const override {
    return !name.empty() && findEntry(table_, name);
  }
  Result<Description> describe(std::string_view name) override;
  Result<FoundTensor> find(std::string_view name, std::string_view part) override;
  Status read(const FoundTensor &found, void *target) override;

  int64_t shards() const { return header_.shards; }
  // All rows but the header, as they are.
  std::span<const TableEntry> rows() const { return std::span(table_).subspan(1); }

private:
  Bundle(std::string prefix, std::string index, const CheckpointLimits &limits, Disk &disk)
      : Checkpoint(prefix + ".index"), prefix_(std::move(prefix)), index_(std::move(index)),
        limits_(limits), disk_(disk) {}
  Status readHeader();
  Result<BundleEntry> row(std::string_view key) const;
  // Adds the place of elements that are stored under a row.
  Status addPiece(FoundTensor &found, const BundleEntry &entry, Region region);
  Status addSlice(FoundTensor &found, const BundleEntry &entry, size_t number);
  Status checkPlace(const BundleEntry &entry);
  Result<FoundTensor> locate(std::string_view name, std::string_view part);
  Result<FileParts *> shard(int64_t number);
  Status readPiece(const FoundTensor &found, const FoundTensor::Piece &piece, void *target);
  Status readStrings(const FoundTensor::Piece &piece, std::span<std::string> strings);
  Status compare(const FoundTensor::Piece &piece, uint32_t checksum) const;

  std::string prefix_, index_;
  CheckpointLimits limits_;
  Disk &disk_;
  SortedTable table_;
  BundleHeader header_;
  std::map<int64_t, std::unique_ptr<FileParts>> open_;
};

// "PREFIX.data-00000-of-00001".
std::string shardPath(const std::string &prefix, int64_t number, int64_t shards);

} // namespace sluice::rt
