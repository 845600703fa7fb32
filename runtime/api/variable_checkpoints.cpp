// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forms of paths, and tensors by names.
#include "runtime/api/variable_checkpoints.h"

#include "runtime/io/bundle/object_tensors.h"
#include "runtime/io/bundle/table_checkpoint.h"

#include <algorithm>
#include <set>

namespace sluice::rt {

std::optional<std::string> savedCheckpoint(const std::string &path) {
  constexpr std::string_view kIndex = ".index";
  if (path.ends_with(kIndex) && path.size() > kIndex.size())
    return path.substr(0, path.size() - kIndex.size());
  return path.ends_with(".ckpt") ? std::optional(path) : std::nullopt;
}

std::optional<std::string> loadedCheckpoint(const std::string &path, Disk &disk) {
  if (path.ends_with(".index"))
    return savedCheckpoint(path);
  constexpr std::string_view kData = ".data-", kOfData = ".data-00000-of-00001";
  size_t prefix = path.size() - std::min(path.size(), kOfData.size());
  if (prefix > 0 && std::string_view(path).substr(prefix).starts_with(kData))
    return path.substr(0, prefix);
  if (isTableFile(path, disk))
    return path;
  bool isOtherFile = disk.openParts(path).ok();
  return !isOtherFile && disk.openParts(path + ".index").ok() ? std::optional(path) : std::nullopt;
}

namespace {

Result<Tensor> readWhole(Checkpoint &checkpoint, const std::string &name) {
  SLUICE_ASSIGN_OR_RETURN(FoundTensor found, checkpoint.find(name, ""));
  return checkpoint.readTensor(found);
}

Result<std::map<std::string, std::string>> objectsOf(Checkpoint &checkpoint) {
  if (!checkpoint.has(kObjectGraph))
    return std::map<std::string, std::string>();
  SLUICE_ASSIGN_OR_RETURN(Tensor list, readWhole(checkpoint, std::string(kObjectGraph)));
  if (list.dtype() != DType::kString || list.elements() != 1)
    return Status(Code::kDataLoss, "tensor '" + std::string(kObjectGraph) + "': expected one text");
  return tensorsOfVariables(*list.data<std::string>());
}

} // namespace

Result<StoredVariables> readVariables(Checkpoint &checkpoint,
                                      std::span<Variable *const> variables) {
  SLUICE_ASSIGN_OR_RETURN(auto objects, objectsOf(checkpoint));
  StoredVariables stored;
  std::set<std::string, std::less<>> used{std::string(kObjectGraph)};
  for (const Variable *variable : variables) {
    std::string name = variable->name;
    if (auto object = objects.find(name); !checkpoint.has(name) && object != objects.end())
      name = object->second;
    if (!checkpoint.has(name))
      continue;
    SLUICE_ASSIGN_OR_RETURN(Tensor value, readWhole(checkpoint, name));
    stored.values.emplace_back(variable->name, std::move(value));
    used.insert(std::move(name));
  }
  for (std::string_view name : checkpoint.names())
    if (!used.contains(name))
      stored.others.emplace_back(name);
  return stored;
}

} // namespace sluice::rt
