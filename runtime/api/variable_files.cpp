// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables to and from safetensors files and checkpoints.
#include "runtime/api/variable_files.h"

#include "runtime/api/variable_checkpoints.h"
#include "runtime/base/short_list.h"
#include "runtime/io/bundle/bundle.h"
#include "runtime/io/bundle/bundle_writer.h"
#include "runtime/io/safetensors.h"
#include "runtime/memory/denormals.h"

#include <algorithm>

namespace sluice::rt {

namespace {
std::string nameList(const std::vector<std::string> &names) {
  ShortList list(8);
  for (const std::string &name : names)
    list.add(named(name));
  return list.text();
}

bool isOfSystem(Code code) {
  return code == Code::kNotFound || code == Code::kPermissionDenied || code == Code::kUnavailable ||
         code == Code::kFailedPrecondition;
}

Failure readFailure(const Status &status, const std::string &path) {
  return isOfSystem(status.code()) ? ioFailure(status) : modelFailure(status, named(path));
}

Failure readCheckpoint(const std::string &path, const std::string &prefix, const Limits &limits,
                       Runner &runner, Disk &disk, StoredVariables &stored) {
  auto checkpoint = openCheckpoint(prefix, CheckpointLimits::of(limits), disk);
  if (!checkpoint.ok())
    return readFailure(checkpoint.status(), path);
  Result<StoredVariables> read = readVariables(**checkpoint, runner.variables());
  if (!read.ok())
    return readFailure(read.status(), path);
  stored = std::move(*read);
  return {};
}

// What is no file of variables at all should not be called a damaged one, unless that is its name.
Status checkKind(const std::string &path, FileParts &file) {
  if (path.ends_with(".safetensors"))
    return okStatus();
  constexpr size_t kBeginning = 9; // a length, and the brace that begins the header
  char begins[kBeginning];
  const auto size = static_cast<size_t>(std::min<uint64_t>(file.size(), kBeginning));
  SLUICE_RETURN_IF_ERROR(file.read(0, begins, size));
  if (size == kBeginning && begins[kBeginning - 1] == '{')
    return okStatus();
  const std::string expected =
      "expected a safetensors file, or a checkpoint of TensorFlow by its prefix, its .index or one "
      "of its .data files, but got ";
  return invalidArgument(expected + (size ? format("%llu bytes that begin with ",
                                                   static_cast<unsigned long long>(file.size())) +
                                                named({begins, size})
                                          : "an empty file"));
}

Failure readSafetensors(const std::string &path, const Limits &limits, Runner &runner, Disk &disk,
                        StoredVariables &stored) {
  auto file = openWithin(disk, path, limits, Limit::kVariablesFileBytes);
  if (!file.ok())
    return ioFailure(file.status());
  if (Status status = checkKind(path, **file); !status.ok())
    return readFailure(status, path);
  Result<std::vector<NamedTensor>> tensors = readSafetensors(**file, limits);
  if (!tensors.ok())
    return readFailure(tensors.status(), path);
  for (auto &[name, value] : *tensors) {
    if (findVariable(runner.variables(), name))
      stored.values.emplace_back(name, std::move(value));
    else
      stored.others.push_back(name);
  }
  return {};
}

Status saveSafetensors(const std::string &path, std::vector<NamedTensor> tensors, Disk &disk) {
  std::unique_ptr<NewFiles> files = disk.writeSeveral();
  SLUICE_RETURN_IF_ERROR(files->begin(path));
  SLUICE_RETURN_IF_ERROR(writeSafetensors(std::move(tensors), *files));
  return files->commit();
}

Status saveCheckpoint(const std::string &prefix, std::vector<NamedTensor> tensors, Disk &disk) {
  std::ranges::sort(tensors, {}, &NamedTensor::first);
  SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<BundleWriter> writer, BundleWriter::begin(prefix, disk));
  for (const auto &[name, value] : tensors)
    SLUICE_RETURN_IF_ERROR(writer->add(name, value));
  return writer->commit();
}
} // namespace

Variable *findVariable(std::span<Variable *const> variables, std::string_view name) {
  for (Variable *variable : variables)
    if (variable->name == name)
      return variable;
  return nullptr;
}

Failure loadVariables(const std::string &path, const Limits &limits, Runner &runner, Disk &disk,
                      Diagnostics &diagnostics) {
  StoredVariables stored;
  std::optional<std::string> prefix = loadedCheckpoint(path, disk);
  Failure failure = prefix ? readCheckpoint(path, *prefix, limits, runner, disk, stored)
                           : readSafetensors(path, limits, runner, disk, stored);
  if (failure)
    return failure;
  // All are checked before the first is set.
  for (auto &[name, value] : stored.values) {
    if (Status status = flushDenormals(value); !status.ok())
      return modelFailure(status, named(path));
    if (Status status = findVariable(runner.variables(), name)->accepts(value); !status.ok())
      return modelFailure(status, named(path));
  }
  if (!stored.others.empty() && stored.values.empty())
    return modelFailure(
        invalidArgument("the program has none of the variables " + nameList(stored.others)),
        named(path));
  if (!stored.others.empty())
    diagnostics.warning(named(path) + ": the program has no variables " + nameList(stored.others) +
                        ": their values are ignored");
  for (auto &[name, value] : stored.values)
    if (Status status = findVariable(runner.variables(), name)->set(std::move(value)); !status.ok())
      return modelFailure(status, {});
  return {};
}

std::vector<std::string> filesOfVariables(const std::string &path) {
  std::optional<std::string> prefix = savedCheckpoint(path);
  if (!prefix)
    return {path};
  return {shardPath(*prefix, 0, 1), *prefix + ".index"};
}

Failure checkVariableFiles(const std::string &path, Disk &disk) {
  for (const std::string &file : filesOfVariables(path))
    if (Failure failure = ioFailure(disk.checkWritable(file)))
      return failure;
  return {};
}

Failure saveVariables(const std::string &path, Runner &runner, Disk &disk) {
  std::vector<NamedTensor> tensors;
  for (Variable *variable : runner.variables())
    if (variable->initialized()) {
      Result<Tensor> value = variable->fetch();
      if (!value.ok())
        return modelFailure(value.status(), {});
      tensors.emplace_back(variable->name, std::move(*value));
    }
  if (std::optional<std::string> prefix = savedCheckpoint(path)) {
    Status status = saveCheckpoint(*prefix, std::move(tensors), disk);
    return status.ok() ? Failure() : readFailure(status, path);
  }
  Status status = saveSafetensors(path, std::move(tensors), disk);
  return status.code() == Code::kUnimplemented ? modelFailure(status, named(path))
                                               : ioFailure(status);
}

} // namespace sluice::rt
