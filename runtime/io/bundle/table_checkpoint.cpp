// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Descriptions from all files, elements from those that have them.
#include "runtime/io/bundle/table_checkpoint.h"

#include "runtime/base/cancellation.h"
#include "runtime/io/bundle/saved_values.h"
#include "runtime/io/bundle/tensor_messages.h"
#include "runtime/io/bundle/tensor_types.h"
#include "runtime/io/number_text.h"

#include <algorithm>
#include <cstring>
#include <glob.h>

namespace sluice::rt {

static Status damaged(std::string message) { return {Code::kDataLoss, std::move(message)}; }

// A path without signs is itself, whether or not there is such a file.
static std::vector<std::string> matchingFiles(const std::string &pattern) {
  if (pattern.find_first_of("*?[\\") == pattern.npos)
    return {pattern};
  std::vector<std::string> paths;
  glob_t found{};
  if (::glob(pattern.c_str(), 0, nullptr, &found) == 0)
    paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  ::globfree(&found);
  return paths;
}

Result<std::unique_ptr<TableCheckpoint>>
TableCheckpoint::open(const std::string &pattern, const CheckpointLimits &limits, Disk &disk) {
  std::unique_ptr<TableCheckpoint> checkpoint(new TableCheckpoint(pattern, limits));
  std::vector<std::string> paths = matchingFiles(pattern);
  if (paths.empty())
    return Status(Code::kNotFound, "no file matches " + quoted(pattern, 4096, '\''));
  for (const std::string &path : paths)
    SLUICE_RETURN_IF_ERROR(checkpoint->addFile(path, disk));
  return checkpoint;
}

Status TableCheckpoint::addFile(const std::string &path, Disk &disk) {
  auto file = std::make_unique<File>();
  file->path = path;
  Result<std::string> bytes = disk.read(path, limits_.tableBytes.most);
  if (!bytes.ok() && bytes.status().code() == Code::kOutOfRange)
    return resourceExhausted(bytes.status().message() + limits_.tableBytes.remedy);
  if (!bytes.ok())
    return bytes.status();
  file->bytes = std::move(*bytes);
  auto inFile = [&](const Status &status) {
    return status.ok() ? status
                       : Status(status.code(), quoted(path, 4096, '\'') + ": " + status.message());
  };
  Result<SortedTable> table = readSortedTable(file->bytes, limits_);
  if (!table.ok())
    return inFile(table.status());
  file->table = std::move(*table);
  files_.push_back(std::move(file));
  const TableEntry *first = findEntry(files_.back()->table, "");
  if (!first)
    return inFile(damaged("expected descriptions, under the empty key, but there are none"));
  return inFile(addDescriptions(first->value, files_.size() - 1));
}

Status TableCheckpoint::addDescriptions(std::string_view message, size_t file) {
  MessageReader outer(message);
  while (outer.next()) {
    if (outer.field() != 1 || outer.kind() != MessageReader::Kind::kBytes)
      continue;
    MessageReader inner(outer.bytes());
    while (inner.next())
      if (inner.field() == 1 && inner.kind() == MessageReader::Kind::kBytes)
        SLUICE_RETURN_IF_ERROR(addTensor(inner.bytes(), file));
    if (inner.failed())
      return damaged("its descriptions of tensors are damaged");
  }
  return outer.failed() ? damaged("its descriptions of tensors are damaged") : okStatus();
}

Status TableCheckpoint::addTensor(std::string_view message, size_t file) {
  std::string name;
  Description description;
  std::vector<TensorSlice> slices;
  MessageReader reader(message);
  while (reader.next()) {
    if (reader.field() == 1) {
      name = reader.bytes();
    } else if (reader.field() == 2) {
      SLUICE_ASSIGN_OR_RETURN(description.shape, parseShape(reader.bytes()));
    } else if (reader.field() == 3) {
      description.type = static_cast<int32_t>(reader.number());
    } else if (reader.field() == 4) {
      SLUICE_ASSIGN_OR_RETURN(TensorSlice slice, parseSlice(reader.bytes()));
      slices.push_back(std::move(slice));
    }
  }
  if (reader.failed())
    return damaged("a description of a tensor is damaged");
  auto [entry, isNew] = tensors_.try_emplace(name);
  Described &described = entry->second;
  if (isNew)
    described.description = description;
  else if (described.description.type != description.type ||
           described.description.shape != description.shape)
    return atTensor(name, damaged("it has another type or shape than in another place"));
  for (TensorSlice &slice : slices)
    described.slices.emplace_back(std::move(slice), file);
  return okStatus();
}

std::vector<std::string_view> TableCheckpoint::names() const {
  std::vector<std::string_view> names;
  for (const auto &[name, described] : tensors_)
    names.push_back(name);
  return names;
}

Result<Checkpoint::Description> TableCheckpoint::describe(std::string_view name) {
  auto found = tensors_.find(name);
  if (found == tensors_.end())
    return atTensor(name, Status(Code::kNotFound, "the checkpoint has no such tensor"));
  return found->second.description;
}

// ---- Elements

Result<FoundTensor> TableCheckpoint::find(std::string_view name, std::string_view part) {
  Result<FoundTensor> found = locate(name, part);
  return found.ok() ? std::move(found) : atTensor(name, found.status());
}

Result<FoundTensor> TableCheckpoint::locate(std::string_view name, std::string_view part) {
  auto entry = tensors_.find(name);
  if (entry == tensors_.end())
    return Status(Code::kNotFound, "the checkpoint has no such tensor");
  const Described &described = entry->second;
  SLUICE_ASSIGN_OR_RETURN(FoundTensor found,
                          askedTensor(name, described.description, part, limits_));
  if (!checkSavable(found.dtype).ok())
    return unsupportedType(described.description.type);
  for (const auto &[slice, file] : described.slices)
    SLUICE_RETURN_IF_ERROR(addPiece(found, slice, file));
  SLUICE_RETURN_IF_ERROR(checkPieces(found));
  return found;
}

// The message with the elements of a slice: its place in the bytes of its entry's value.
static Result<std::string_view> valuesIn(std::string_view entry) {
  std::string_view values;
  MessageReader outer(entry);
  while (outer.next()) {
    if (outer.field() != 2 || outer.kind() != MessageReader::Kind::kBytes)
      continue;
    MessageReader inner(outer.bytes());
    while (inner.next())
      if (inner.field() == 3 && inner.kind() == MessageReader::Kind::kBytes)
        values = inner.bytes();
    if (inner.failed())
      return damaged("the elements are damaged");
  }
  if (outer.failed())
    return damaged("the elements are damaged");
  return values;
}

Status TableCheckpoint::addPiece(FoundTensor &found, const TensorSlice &slice, size_t file) {
  std::optional<Region> region = Region::of(slice, found.shape);
  if (!region)
    return damaged("a part does not lie within the tensor");
  auto isKnown = [&](const FoundTensor::Piece &piece) { return piece.region == *region; };
  if (region->intersection(found.region).elements() == 0 ||
      std::ranges::any_of(found.pieces, isKnown)) // which is there twice
    return okStatus();
  const TableEntry *entry = findEntry(files_[file]->table, keyOfSlice(found.name, slice));
  if (!entry)
    return damaged("its part " + textOf(*region, found.shape) + " is not in the file " +
                   quoted(files_[file]->path, 4096, '\''));
  SLUICE_ASSIGN_OR_RETURN(std::string_view values, valuesIn(entry->value));
  SLUICE_RETURN_IF_ERROR(checkSavedSize(found.dtype, region->elements(), values.size()));
  auto offset =
      static_cast<uint64_t>(values.empty() ? 0 : values.data() - files_[file]->bytes.data());
  found.pieces.push_back({std::move(*region), file, offset, values.size(), 0});
  return okStatus();
}

Status TableCheckpoint::read(const FoundTensor &found, void *target) {
  for (const FoundTensor::Piece &piece : found.pieces) {
    if (Cancellation::requestedHere())
      return cancelledWork();
    SLUICE_RETURN_IF_ERROR(atTensor(found.name, readPiece(found, piece, target)));
  }
  return okStatus();
}

Status TableCheckpoint::readPiece(const FoundTensor &found, const FoundTensor::Piece &piece,
                                  void *target) {
  std::string_view values =
      std::string_view(files_[piece.file]->bytes).substr(piece.offset, piece.size);
  int64_t elements = piece.region.elements();
  if (piece.region == found.region)
    return parseValues(values, found.dtype, elements, target);
  SLUICE_ASSIGN_OR_RETURN(
      Tensor apart,
      Tensor::allocate(found.dtype, Shape(std::span<const int64_t>(piece.region.sizes))));
  SLUICE_RETURN_IF_ERROR(parseValues(values, found.dtype, elements, apart.raw()));
  copyShared(piece.region, apart.raw(), found.region, target, found.dtype);
  return okStatus();
}

bool isTableFile(const std::string &path, Disk &disk) {
  Result<std::unique_ptr<FileParts>> file = disk.openParts(path);
  uint64_t magic = 0;
  return file.ok() && (*file)->size() >= TableFormat::kFooterBytes &&
         (*file)
             ->read((*file)->size() - sizeof magic, reinterpret_cast<char *>(&magic), sizeof magic)
             .ok() &&
         magic == TableFormat::kMagic;
}

} // namespace sluice::rt
