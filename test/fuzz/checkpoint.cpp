// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzzes checkpoints: a manifest; and a shard, whose checksums are set right, so that what is
// behind them is reached. Two bytes say how long the shard's directory is, which comes first. What
// is loaded can be saved.
#include "runtime/base/crc32c.h"
#include "runtime/checkpoint/fingerprint.h"
#include "runtime/checkpoint/load_shard.h"
#include "runtime/checkpoint/manifest.h"
#include "runtime/checkpoint/shard_directory.h"
#include "runtime/state/object_slot.h"
#include "runtime/state/variable.h"
#include "test/fuzz/fuzz_target.h"

#include <cstring>

using namespace sluice::rt;
using sluice::fuzz::require;

namespace {

class OneFile final : public FileSystem, public InputFile {
public:
  explicit OneFile(std::string bytes) : bytes_(std::move(bytes)) {}
  Result<std::unique_ptr<InputFile>> open(const std::string &) override {
    return std::unique_ptr<InputFile>(new OneFile(bytes_));
  }
  uint64_t size() const override { return bytes_.size(); }
  Status read(uint64_t offset, char *to, size_t size) override {
    require(offset <= bytes_.size() && size <= bytes_.size() - offset, "reads are within the file");
    std::memcpy(to, bytes_.data() + offset, size);
    return {};
  }
  Result<Tensor> map(DType, const Shape &, uint64_t) override {
    return unimplemented("no mapping");
  }

  Status makeFolder(const std::string &) override { return {}; }
  Result<std::vector<FolderEntry>> list(const std::string &) override {
    return std::vector<FolderEntry>();
  }
  Result<std::unique_ptr<OutputFile>> create(const std::string &) override {
    return unimplemented("only read");
  }
  Status rename(const std::string &, const std::string &) override { return {}; }
  Status removeFile(const std::string &) override { return {}; }
  Status removeFolder(const std::string &) override { return {}; }
  Status syncFolder(const std::string &) override { return {}; }
  Result<std::unique_ptr<FolderLock>> lock(const std::string &) override {
    return unimplemented("only read");
  }

private:
  std::string bytes_;
};

// That they are named here brings them into the program.
#define SLUICE_ADDRESS(Class) &k##Class##Type,
const ObjectType *const kTypes[] = {SLUICE_SHARED_OBJECTS(SLUICE_ADDRESS)};

// What such a shard may belong to.
LastingObject *objectFor(const StoredObject &stored) {
  for (const ObjectType *type : kTypes)
    if (type->kind == stored.kind)
      return new ObjectSlot(type);
  if (stored.kind == "generator")
    return new Generator();
  DType dtype = stored.tensors.empty() ? DType::kF32 : stored.tensors[0].dtype;
  return new Variable(stored.key, dtype, Shape::unknownRank());
}

void readManifest(std::string_view text) {
  if (Result<Manifest> manifest = decodeManifest(text); manifest.ok()) {
    Result<Manifest> again = decodeManifest(encodeManifest(*manifest));
    require(again.ok() && *again == *manifest, "a written manifest can be read");
  }
}

void readShard(std::string_view directoryBytes, std::string data) {
  Result<ShardDirectory> directory = decodeShardDirectory(directoryBytes);
  if (!directory.ok())
    return;
  directory->dataBytes = data.size();
  directory->checksums.clear();
  for (size_t at = 0; at < data.size(); at += kShardBlockBytes)
    directory->checksums.push_back(crc32c(std::string_view(data).substr(at, kShardBlockBytes)));
  std::string bytes = encodeShardDirectory(*directory);
  std::vector<Ref<Object>> owned;
  std::vector<LastingResource> state;
  for (const StoredObject &stored : directory->objects) {
    LastingObject *object = objectFor(stored);
    owned.push_back(Ref<Object>::adopt(object));
    state.push_back({stored.kind, stored.key, object});
  }
  ShardRecord record{data.size() + bytes.size(), bytes.size(), fingerprintOf(bytes)};
  OneFile file(data + bytes);
  auto contents = loadShard(file, "shard", record, directory->step, directory->rank, state);
  if (!contents.ok())
    return;
  require(contents->size() == state.size(), "each object has a content");
  for (size_t i = 0; i < state.size(); ++i)
    if (state[i].object->restore(std::move((*contents)[i])).ok())
      require(state[i].object->save().ok(), "what was loaded can be saved");
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view text = sluice::fuzz::textOf(data, size);
  readManifest(text);
  if (size < 2)
    return 0;
  size_t length = data[0] | size_t{data[1]} << 8;
  text.remove_prefix(2);
  if (length <= text.size())
    readShard(text.substr(0, length), std::string(text.substr(length)));
  return 0;
}
