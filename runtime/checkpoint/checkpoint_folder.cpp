// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CheckpointFolder. Removing never fails: what stays is removed by the next writer.
#include "runtime/checkpoint/checkpoint_folder.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace sluice::rt {

namespace {

constexpr std::string_view kManifest = "/MANIFEST", kNewManifest = "/MANIFEST.new";

// Of "PREFIX12"; nothing for other names, "PREFIX012" among them.
std::optional<uint64_t> numberBehind(std::string_view prefix, std::string_view name) {
  if (!name.starts_with(prefix))
    return std::nullopt;
  std::string_view digits = name.substr(prefix.size());
  uint64_t number = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  bool all = error == std::errc() && end == digits.data() + digits.size();
  return all && std::to_string(number) == digits ? std::optional(number) : std::nullopt;
}

std::string folderAround(const std::string &path) {
  std::string_view at = path;
  while (at.size() > 1 && at.ends_with('/'))
    at.remove_suffix(1);
  size_t slash = at.rfind('/');
  return slash == at.npos ? "." : slash == 0 ? "/" : std::string(at.substr(0, slash));
}

bool has(const std::vector<FolderEntry> &entries, std::string_view name) {
  return std::any_of(entries.begin(), entries.end(),
                     [&](const FolderEntry &entry) { return entry.name == name; });
}

} // namespace

Result<CheckpointFolder> CheckpointFolder::make(FileSystem &files, std::string path) {
  if (path.empty() || path.find('\0') != path.npos)
    return Status(Code::kNotFound, "expected the name of a folder");
  if (!files.list(path).ok()) {
    SLUICE_RETURN_IF_ERROR(files.makeFolder(path));
    SLUICE_RETURN_IF_ERROR(files.syncFolder(folderAround(path)));
    SLUICE_RETURN_IF_ERROR(files.list(path).status());
  }
  return CheckpointFolder(files, std::move(path));
}

Status CheckpointFolder::lock(std::string_view name) {
  SLUICE_ASSIGN_OR_RETURN(lock_, files_->lock(path_ + '/' + std::string(name)));
  return {};
}

Result<std::vector<uint64_t>> CheckpointFolder::steps() const {
  SLUICE_ASSIGN_OR_RETURN(std::vector<FolderEntry> entries, files_->list(path_));
  std::vector<uint64_t> steps;
  for (const FolderEntry &entry : entries) {
    std::optional<uint64_t> step = numberBehind("step-", entry.name);
    if (step && !entry.isFolder)
      return failedPrecondition("expected a folder and no link or file: '" + pathOf(*step) + "'");
    if (step)
      steps.push_back(*step);
  }
  std::sort(steps.begin(), steps.end());
  return steps;
}

Result<std::vector<uint64_t>> CheckpointFolder::committedSteps() const {
  SLUICE_ASSIGN_OR_RETURN(std::vector<uint64_t> all, steps());
  std::vector<uint64_t> committed;
  for (uint64_t step : all) {
    SLUICE_ASSIGN_OR_RETURN(std::vector<FolderEntry> entries, files_->list(pathOf(step)));
    if (has(entries, kManifest.substr(1)))
      committed.push_back(step);
  }
  return committed;
}

Result<Manifest> CheckpointFolder::readManifest(uint64_t step) const {
  std::string path = pathOf(step) + std::string(kManifest);
  SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<InputFile> file, files_->open(path));
  if (file->size() > kMostManifestBytes)
    return Status(Code::kDataLoss, "'" + path + "' is longer than any manifest");
  std::string bytes(file->size(), '\0');
  SLUICE_RETURN_IF_ERROR(file->read(0, bytes.data(), bytes.size()));
  Result<Manifest> manifest = decodeManifest(bytes);
  if (!manifest.ok())
    return Status(manifest.status().code(), "'" + path + "': " + manifest.status().message());
  if (manifest->step != step)
    return Status(Code::kDataLoss, "'" + path + "' is of step " + std::to_string(manifest->step));
  return manifest;
}

Status CheckpointFolder::commit(const Manifest &manifest) const {
  std::string folder = pathOf(manifest.step);
  std::string made = folder + std::string(kNewManifest);
  SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<OutputFile> file, files_->create(made));
  SLUICE_RETURN_IF_ERROR(file->write(encodeManifest(manifest)));
  SLUICE_RETURN_IF_ERROR(file->sync());
  SLUICE_RETURN_IF_ERROR(file->close());
  SLUICE_RETURN_IF_ERROR(files_->rename(made, folder + std::string(kManifest)));
  return files_->syncFolder(folder);
}

void CheckpointFolder::remove(uint64_t step) const {
  std::string folder = pathOf(step);
  Result<std::vector<FolderEntry>> entries = files_->list(folder);
  if (!entries.ok())
    return;
  if (has(*entries, kManifest.substr(1)) &&
      !(files_->removeFile(folder + std::string(kManifest)).ok() &&
        files_->syncFolder(folder).ok()))
    return;
  for (const FolderEntry &entry : *entries)
    if (entry.name == kNewManifest.substr(1) || numberBehind("rank-", entry.name))
      (void)files_->removeFile(folder + '/' + entry.name);
  (void)files_->removeFolder(folder);
}

void CheckpointFolder::removeShards(uint32_t rank, std::span<const uint64_t> kept) const {
  Result<std::vector<uint64_t>> all = steps();
  if (!all.ok())
    return;
  for (uint64_t step : *all)
    if (std::find(kept.begin(), kept.end(), step) == kept.end() &&
        files_->removeFile(shardPath(step, rank)).ok())
      (void)files_->removeFolder(pathOf(step));
}

} // namespace sluice::rt
