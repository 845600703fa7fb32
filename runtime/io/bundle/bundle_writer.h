// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes a checkpoint of the second format: elements as they are in memory, then the index.
#pragma once

#include "runtime/io/bundle/tensor_messages.h"
#include "runtime/io/disk.h"
#include "runtime/memory/tensor.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace sluice::rt {

class BundleWriter {
public:
  static Result<std::unique_ptr<BundleWriter>> begin(const std::string &prefix, Disk &disk);

  // INVALID_ARGUMENT if something of the name was added before, or the name is empty; UNIMPLEMENTED
  // for handles. Other errors are those of the disk.
  Status add(std::string_view name, const Tensor &tensor);
  // A part of a tensor, which has the shape of the part's region. All parts of a tensor have one
  // type and name one shape of the whole, and none is there twice.
  Status addPart(std::string_view name, const PartOfTensor &part, const Tensor &tensor);
  // Writes the index; all files take their places, the index last.
  Status commit();

private:
  BundleWriter(std::string prefix, std::unique_ptr<NewFiles> files)
      : prefix_(std::move(prefix)), files_(std::move(files)) {}
  Result<BundleEntry> writeElements(const Tensor &tensor);
  Status write(std::string_view bytes, uint32_t &checksum);

  std::string prefix_;
  std::unique_ptr<NewFiles> files_;
  std::map<std::string, BundleEntry, std::less<>> rows_;
  uint64_t written_ = 0;
};

// Writes an index with a header and these rows as the next file.
Status writeIndex(NewFiles &files, const std::string &prefix, int64_t shards,
                  const std::map<std::string, std::string, std::less<>> &rows);

} // namespace sluice::rt
