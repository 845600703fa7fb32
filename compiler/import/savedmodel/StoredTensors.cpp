// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Limits, types and problems from the runtime's to the importer's.
#include "compiler/import/savedmodel/StoredTensors.h"

#include "compiler/import/FileContent.h"
#include "compiler/import/NearestNames.h"
#include "runtime/io/bundle/bundle.h"
#include "runtime/io/bundle/table_checkpoint.h"
#include "runtime/io/bundle/tensor_types.h"

namespace sluice::import {

using llvm::StringRef;

static rt::CheckpointLimits checkpointLimits(const Limits &limits) {
  auto row = [&](LimitId id) { return rt::CheckpointLimits::Row{limits[id], limits.remedy(id)}; };
  return {row(LimitId::kIndexBytes),
          row(LimitId::kCheckpointEntries),
          row(LimitId::kNameBytes),
          row(LimitId::kGrownBytes),
          row(LimitId::kConstantBytes),
          {INT64_MAX, ""}}; // of a whole file, of which little more is kept than is used
}

static ExitCode exitCodeOf(rt::Code code) {
  switch (code) {
  case rt::Code::kNotFound:
  case rt::Code::kPermissionDenied:
  case rt::Code::kUnavailable:
  case rt::Code::kFailedPrecondition: // no regular file
    return ExitCode::kInputOutput;
  case rt::Code::kUnimplemented:
    return ExitCode::kUnsupported;
  default:
    return ExitCode::kBadGraph;
  }
}

// Whose one file is named as the prefix.
static bool isFirstFormat(const std::string &prefix, rt::Disk &disk) {
  return !disk.openParts(prefix + ".index").ok() && rt::isTableFile(prefix, disk);
}

std::unique_ptr<StoredTensors> StoredTensors::open(const std::string &prefix, const Limits &limits,
                                                   DiagnosticList &diagnostics) {
  auto stored = std::make_unique<StoredTensors>();
  bool isFirst = isFirstFormat(prefix, stored->disk_);
  std::string path = isFirst ? prefix : prefix + ".index";
  auto take = [&](auto opened) -> std::unique_ptr<StoredTensors> {
    if (!opened.ok()) {
      diagnostics.error(ExitCode::kBadGraph, {path, "", ""}, opened.status().message());
      return nullptr;
    }
    stored->checkpoint_ = std::move(*opened);
    return std::move(stored);
  };
  if (isFirst)
    return take(rt::TableCheckpoint::open(prefix, checkpointLimits(limits), stored->disk_));
  auto index = readRegularFile(path, limits, LimitId::kIndexBytes, diagnostics);
  if (!index)
    return nullptr;
  return take(
      rt::Bundle::parse(prefix, std::move(*index), checkpointLimits(limits), stored->disk_));
}

std::vector<StringRef> StoredTensors::names() const {
  std::vector<StringRef> names;
  for (std::string_view name : checkpoint_->names())
    names.emplace_back(name);
  return names;
}

std::optional<TensorValue> StoredTensors::tryToRead(StringRef name, StringRef part,
                                                    rt::Status &problem) {
  auto found = checkpoint_->find(name, part);
  if (!found.ok()) {
    problem = found.status();
    return std::nullopt;
  }
  TensorValue value;
  value.type = static_cast<DataType>(rt::numberOfType(found->dtype));
  value.shape = found->region.sizes;
  value.elements = found->elements;
  void *target;
  if (value.type == graphdef::DT_STRING) {
    value.strings.resize(static_cast<size_t>(value.elements));
    target = value.strings.data();
  } else {
    value.bytes.resize(static_cast<size_t>(value.elements) * rt::sizeOf(found->dtype));
    target = value.bytes.data();
  }
  problem = checkpoint_->read(*found, target);
  return problem.ok() ? std::optional(std::move(value)) : std::nullopt;
}

std::optional<TensorValue> StoredTensors::read(StringRef name, StringRef part,
                                               DiagnosticList &diagnostics) {
  Place place{indexPath(), "", ""};
  auto refuse = [&](ExitCode code, const std::string &message) {
    diagnostics.error(code, place, message);
    return std::nullopt;
  };
  std::string which = "tensor " + quoted(name) + ": ";
  auto description = checkpoint_->describe(name);
  if (!description.ok())
    return refuse(ExitCode::kBadGraph,
                  description.status().message() + (has(name) ? "" : didYouMean(name, names())));
  if (int type = static_cast<int>(description->type); !rt::typeOfNumber(type))
    return isValueType(type)
               ? refuse(ExitCode::kUnsupported,
                        which + "values of " + typeName(type) + " are not supported")
               : refuse(ExitCode::kBadGraph,
                        which + "expected the type of a tensor but got " + typeName(type));
  rt::Status problem;
  std::optional<TensorValue> value = tryToRead(name, part, problem);
  return value ? std::move(value) : refuse(exitCodeOf(problem.code()), problem.message());
}

} // namespace sluice::import
