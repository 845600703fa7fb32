// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file is read once, block by block. What is not mapped is copied out of the blocks meanwhile;
// mapped tensors find the pages that were read in the system's memory. Blocks are read and not
// looked at through the mapping, so that a sector that cannot be read is an error and not a signal.
#include "runtime/checkpoint/load_shard.h"

#include "runtime/base/held_memory.h"
#include "runtime/checkpoint/fingerprint.h"
#include "runtime/checkpoint/shard_blocks.h"
#include "runtime/io/element_bytes.h"
#include "runtime/memory/guard_pages.h"

#include <algorithm>
#include <cstring>

namespace sluice::rt {

namespace {

Status damaged(const std::string &path, std::string_view how) {
  return {Code::kDataLoss, "'" + path + "' is damaged: " + std::string(how)};
}

// A tensor that comes out of the blocks.
struct Copied {
  const StoredTensor *stored;
  Tensor *tensor;
  std::string strings; // their stored form
  char *to() const {
    return stored->dtype == DType::kString ? const_cast<char *>(strings.data())
                                           : static_cast<char *>(tensor->raw());
  }
};

class ShardLoader {
public:
  ShardLoader(InputFile &file, const std::string &path) : file_(file), path_(path) {}

  Result<ShardDirectory> directory(const ShardRecord &record) {
    if (file_.size() != record.bytes || record.directoryBytes > record.bytes)
      return damaged(path_, format("expected %llu bytes but got %llu",
                                   static_cast<unsigned long long>(record.bytes),
                                   static_cast<unsigned long long>(file_.size())));
    if (!memoryAllows(record.directoryBytes))
      return resourceExhausted("no memory for the directory of '" + path_ + "'");
    std::string bytes(record.directoryBytes, '\0');
    SLUICE_RETURN_IF_ERROR(
        file_.read(record.bytes - record.directoryBytes, bytes.data(), bytes.size()));
    if (fingerprintOf(bytes) != record.fingerprint)
      return damaged(path_, "it is not the file that its manifest was written for");
    SLUICE_ASSIGN_OR_RETURN(ShardDirectory directory, decodeShardDirectory(bytes));
    if (directory.dataBytes != record.bytes - record.directoryBytes)
      return damaged(path_, "its directory is in another place than it says");
    return directory;
  }

  Result<std::vector<std::vector<NamedTensor>>> contents(const ShardDirectory &directory) {
    std::vector<std::vector<NamedTensor>> contents;
    for (const StoredObject &object : directory.objects) {
      contents.emplace_back();
      for (const StoredTensor &stored : object.tensors)
        contents.back().emplace_back(stored.name, Tensor());
    }
    for (size_t i = 0; i < contents.size(); ++i)
      for (size_t k = 0; k < contents[i].size(); ++k)
        SLUICE_RETURN_IF_ERROR(place(directory.objects[i].tensors[k], contents[i][k].second));
    SLUICE_RETURN_IF_ERROR(readBlocks(directory));
    for (Copied &copied : copied_)
      SLUICE_RETURN_IF_ERROR(complete(copied));
    return contents;
  }

private:
  Status place(const StoredTensor &stored, Tensor &tensor) {
    if (stored.alignment() == kShardPage && stored.dtype != DType::kBool && !buffersAreGuarded()) {
      if (Result<Tensor> mapped = file_.map(stored.dtype, stored.shape, stored.offset);
          mapped.ok()) {
        tensor = std::move(*mapped);
        return {};
      }
    }
    if (!memoryAllows(stored.bytes))
      return resourceExhausted(format("no memory for the %llu bytes of '",
                                      static_cast<unsigned long long>(stored.bytes)) +
                               stored.name + "' of '" + path_ + "'");
    SLUICE_ASSIGN_OR_RETURN(tensor, Tensor::allocate(stored.dtype, stored.shape));
    copied_.push_back({&stored, &tensor, {}});
    if (stored.dtype == DType::kString)
      copied_.back().strings.resize(stored.bytes);
    return {};
  }

  Status readBlocks(const ShardDirectory &directory) {
    return readShardBlocks(
        file_, path_, directory,
        [this](const char *bytes, uint64_t at, size_t size) { copyOut(bytes, at, size); });
  }

  void copyOut(const char *bytes, uint64_t at, size_t size) {
    auto first = std::partition_point(copied_.begin(), copied_.end(), [&](const Copied &copied) {
      return copied.stored->offset + copied.stored->bytes <= at;
    });
    for (auto copied = first; copied != copied_.end() && copied->stored->offset < at + size;
         ++copied) {
      const StoredTensor &stored = *copied->stored;
      uint64_t begin = std::max(at, stored.offset);
      uint64_t end = std::min(at + size, stored.offset + stored.bytes);
      if (begin < end)
        std::memcpy(copied->to() + (begin - stored.offset), bytes + (begin - at), end - begin);
    }
  }

  Status complete(Copied &copied) {
    if (copied.stored->dtype != DType::kString)
      return checkBools(*copied.tensor);
    std::string_view bytes = copied.strings;
    auto *to = copied.tensor->data<std::string>();
    for (int64_t i = 0; i < copied.tensor->elements(); ++i) {
      uint64_t size = 0;
      if (bytes.size() < sizeof size)
        return damaged(path_, "strings end too early");
      std::memcpy(&size, bytes.data(), sizeof size);
      bytes.remove_prefix(sizeof size);
      if (size > bytes.size())
        return damaged(path_, "a string goes beyond the end");
      to[i].assign(bytes.substr(0, size));
      bytes.remove_prefix(size);
    }
    return bytes.empty() ? okStatus() : damaged(path_, "strings end too late");
  }

  InputFile &file_;
  const std::string &path_;
  std::vector<Copied> copied_;
};

Status checkObjects(const ShardDirectory &directory, std::span<const LastingResource> state,
                    const std::string &path) {
  bool same = directory.objects.size() == state.size();
  for (size_t i = 0; same && i < state.size(); ++i)
    same = directory.objects[i].kind == state[i].kind && directory.objects[i].key == state[i].key;
  return same ? okStatus()
              : failedPrecondition("'" + path + "' has other variables than this program");
}

} // namespace

Result<std::vector<std::vector<NamedTensor>>> loadShard(FileSystem &files, const std::string &path,
                                                        const ShardRecord &record, uint64_t step,
                                                        uint32_t rank,
                                                        std::span<const LastingResource> state) {
  SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<InputFile> file, files.open(path));
  ShardLoader loader(*file, path);
  SLUICE_ASSIGN_OR_RETURN(ShardDirectory directory, loader.directory(record));
  if (directory.step != step || directory.rank != rank)
    return damaged(path, format("it is of rank %u at step %llu", directory.rank,
                                static_cast<unsigned long long>(directory.step)));
  SLUICE_RETURN_IF_ERROR(checkObjects(directory, state, path));
  return loader.contents(directory);
}

} // namespace sluice::rt
