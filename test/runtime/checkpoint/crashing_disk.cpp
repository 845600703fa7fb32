// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CrashingDisk: nodes and names, changed step by step.
#include "test/runtime/checkpoint/crashing_disk.h"

#include "runtime/io/disk.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace sluice::rt {

using Kind = CrashingDisk::Step::Kind;

namespace {
constexpr std::string_view kRoot = "/d";

std::string nameOf(const std::string &path) { return path.substr(path.rfind('/') + 1); }
std::string folderAround(const std::string &path) { return path.substr(0, path.rfind('/')); }
} // namespace

class CrashingDisk::Output final : public OutputFile {
public:
  Output(CrashingDisk &disk, int node) : disk_(disk), node_(node) {}
  Status write(std::string_view bytes) override {
    return disk_.add({Kind::kWrite, node_, {}, {}, 0, std::string(bytes)});
  }
  Status sync() override { return disk_.add({Kind::kSync, node_}); }
  Status close() override { return {}; }

private:
  CrashingDisk &disk_;
  int node_;
};

class CrashingDisk::Input final : public InputFile {
public:
  explicit Input(std::string bytes) : bytes_(std::move(bytes)) {}
  uint64_t size() const override { return bytes_.size(); }
  Status read(uint64_t offset, char *to, size_t size) override {
    if (offset > bytes_.size() || size > bytes_.size() - offset)
      return {Code::kUnavailable, "too short"};
    std::memcpy(to, bytes_.data() + offset, size);
    return {};
  }
  Result<Tensor> map(DType, const Shape &, uint64_t) override {
    return unimplemented("nothing is mapped");
  }

private:
  std::string bytes_;
};

Result<int> CrashingDisk::find(const std::string &path) const {
  if (path == kRoot)
    return 0;
  SLUICE_ASSIGN_OR_RETURN(int folder, find(folderAround(path)));
  const auto &names = nodes_.at(folder).names;
  auto found = names.find(nameOf(path));
  if (found == names.end())
    return systemError(ENOENT, "find", path);
  return found->second;
}

Status CrashingDisk::add(Step step) {
  if (steps_.size() >= failsAfter)
    return failure;
  apply(step);
  steps_.push_back(std::move(step));
  return {};
}

void CrashingDisk::apply(const Step &step) {
  switch (step.kind) {
  case Kind::kMake:
    nodes_[step.node].isFolder = step.isFolder;
    break;
  case Kind::kName:
    nodes_[step.node].names[step.name] = step.target;
    break;
  case Kind::kWrite:
    nodes_[step.node].bytes += step.bytes;
    break;
  case Kind::kRename: {
    auto &names = nodes_[step.node].names;
    names.erase(step.name);
    names[step.to] = step.target;
    break;
  }
  case Kind::kRemove:
    nodes_[step.node].names.erase(step.name);
    break;
  case Kind::kSync:
    break;
  }
}

// ---- As a file system --------------------------------------------------------------------------

Status CrashingDisk::makeFolder(const std::string &path) {
  if (find(path).ok())
    return {};
  SLUICE_ASSIGN_OR_RETURN(int folder, find(folderAround(path)));
  int node = next_++;
  SLUICE_RETURN_IF_ERROR(add({Kind::kMake, node, {}, {}, 0, {}, true}));
  return add({Kind::kName, folder, nameOf(path), {}, node});
}

Result<std::vector<FolderEntry>> CrashingDisk::list(const std::string &path) {
  SLUICE_ASSIGN_OR_RETURN(int folder, find(path));
  std::vector<FolderEntry> entries;
  for (const auto &[name, node] : nodes_.at(folder).names)
    entries.push_back({name, nodes_.at(node).isFolder});
  return entries;
}

Result<std::unique_ptr<OutputFile>> CrashingDisk::create(const std::string &path) {
  if (find(path).ok())
    return systemError(EEXIST, "write", path);
  SLUICE_ASSIGN_OR_RETURN(int folder, find(folderAround(path)));
  int node = next_++;
  SLUICE_RETURN_IF_ERROR(add({Kind::kMake, node}));
  SLUICE_RETURN_IF_ERROR(add({Kind::kName, folder, nameOf(path), {}, node}));
  return std::unique_ptr<OutputFile>(new Output(*this, node));
}

Result<std::unique_ptr<InputFile>> CrashingDisk::open(const std::string &path) {
  SLUICE_ASSIGN_OR_RETURN(int node, find(path));
  return std::unique_ptr<InputFile>(new Input(nodes_.at(node).bytes));
}

Status CrashingDisk::rename(const std::string &from, const std::string &to) {
  SLUICE_ASSIGN_OR_RETURN(int node, find(from));
  SLUICE_ASSIGN_OR_RETURN(int folder, find(folderAround(from)));
  return add({Kind::kRename, folder, nameOf(from), nameOf(to), node});
}

Status CrashingDisk::removeFile(const std::string &path) {
  SLUICE_ASSIGN_OR_RETURN(int node, find(path));
  (void)node;
  SLUICE_ASSIGN_OR_RETURN(int folder, find(folderAround(path)));
  return add({Kind::kRemove, folder, nameOf(path)});
}

Status CrashingDisk::removeFolder(const std::string &path) {
  SLUICE_ASSIGN_OR_RETURN(int node, find(path));
  return nodes_.at(node).names.empty() ? removeFile(path) : systemError(ENOTEMPTY, "remove", path);
}

Status CrashingDisk::syncFolder(const std::string &path) {
  SLUICE_ASSIGN_OR_RETURN(int node, find(path));
  return add({Kind::kSync, node});
}

Result<std::unique_ptr<FolderLock>> CrashingDisk::lock(const std::string &) {
  class Lock final : public FolderLock {
  public:
    explicit Lock(bool &locked) : locked_(locked) { locked_ = true; }
    ~Lock() override { locked_ = false; }

  private:
    bool &locked_;
  };
  if (locked_)
    return failedPrecondition("locked");
  return std::unique_ptr<FolderLock>(new Lock(locked_));
}

// ---- After a crash -----------------------------------------------------------------------------

void CrashingDisk::forEachCrash(size_t done, const std::function<void(CrashingDisk &)> &see) const {
  // What was done to a node before it was synced the last time is there.
  std::map<int, size_t> synced;
  for (size_t i = 0; i < done; ++i)
    if (steps_[i].kind == Kind::kSync)
      synced[steps_[i].node] = i;
  std::vector<size_t> open;
  for (size_t i = 0; i < done; ++i) {
    bool changes = steps_[i].kind != Kind::kMake && steps_[i].kind != Kind::kSync;
    auto last = synced.find(steps_[i].node);
    if (changes && (last == synced.end() || last->second < i))
      open.push_back(i);
  }
  // Of many, only those are tried of which few are missing or few are there.
  constexpr size_t kAllSets = 10;
  auto isTried = [&](uint64_t set) {
    size_t there = static_cast<size_t>(__builtin_popcountll(set));
    return open.size() <= kAllSets || there <= 1 || there + 1 >= open.size();
  };
  for (uint64_t set = 0; set < uint64_t{1} << open.size(); ++set) {
    if (!isTried(set))
      continue;
    for (bool torn : {false, true}) {
      CrashingDisk disk;
      bool isTorn = false;
      size_t nextOpen = 0;
      for (size_t i = 0; i < done; ++i) {
        bool isOpen = nextOpen < open.size() && open[nextOpen] == i;
        if (isOpen && !(set >> nextOpen++ & 1))
          continue;
        Step step = steps_[i];
        if (isOpen && torn && step.kind == Kind::kWrite) {
          step.bytes.resize(step.bytes.size() / 2);
          isTorn = true;
        }
        disk.apply(step);
      }
      disk.next_ = next_;
      if (!torn || isTorn)
        see(disk);
    }
  }
}

std::set<std::string> CrashingDisk::paths() const {
  std::set<std::string> paths;
  addPaths(0, std::string(kRoot), paths);
  return paths;
}

void CrashingDisk::addPaths(int folder, const std::string &path,
                            std::set<std::string> &paths) const {
  for (const auto &[name, node] : nodes_.at(folder).names) {
    paths.insert(path + '/' + name);
    addPaths(node, path + '/' + name, paths);
  }
}

std::string &CrashingDisk::bytes(const std::string &path) { return nodes_.at(*find(path)).bytes; }

} // namespace sluice::rt
