// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that read, write and find files: state.read_file, state.write_file, state.matching_files.
#include "runtime/io/disk.h"
#include "runtime/io/records/local_path.h"
#include "runtime/io/records/matching_paths.h"
#include "runtime/kernels/declare.h"

#include <algorithm>

namespace sluice::rt {

namespace {

constexpr uint64_t kMostBytes = uint64_t{1} << 36; // of a file; memory is the nearer limit

Status expectScalar(const Shape &shape, const char *what) {
  if (!shape.hasRank() || shape.isScalar())
    return okStatus();
  return invalidArgument(std::string(what) +
                         " tensor must be scalar, but had shape: " + shape.toString());
}

Result<std::string> pathOf(const Tensor &filename) {
  SLUICE_RETURN_IF_ERROR(expectScalar(filename.shape(), "Input filename"));
  return localPath(*filename.data<std::string>());
}

Status readShape(ShapeCall &call) {
  call.output(0) = Shape();
  return expectScalar(call.input(0), "Input filename");
}

Status readRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(std::string path, pathOf(call.input(0)));
  SLUICE_ASSIGN_OR_RETURN(std::string content, HostDisk().read(path, kMostBytes));
  call.output(0) = Tensor::string(std::move(content));
  return okStatus();
}

Status writeRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(std::string path, pathOf(call.input(0)));
  SLUICE_RETURN_IF_ERROR(expectScalar(call.input(1).shape(), "Contents"));
  if (Cancellation::requestedHere())
    return cancelledWork();
  HostDisk disk;
  SLUICE_RETURN_IF_ERROR(disk.makeFoldersOf(path));
  return disk.write(path, *call.input(1).data<std::string>());
}

Status expectPatterns(const Shape &shape) {
  if (shape.rank() <= 1)
    return okStatus();
  return invalidArgument("Input patterns tensor must be scalar or vector, but had shape: " +
                         shape.toString());
}

Status matchingShape(ShapeCall &call) {
  call.output(0) = Shape({Shape::kUnknown});
  return expectPatterns(call.input(0));
}

Status matchingRun(KernelCall &call) {
  SLUICE_RETURN_IF_ERROR(expectPatterns(call.input(0).shape()));
  HostDisk disk;
  std::vector<std::string> all;
  for (const std::string &pattern : call.input(0).values<std::string>()) {
    SLUICE_ASSIGN_OR_RETURN(std::string path, localPath(pattern));
    SLUICE_ASSIGN_OR_RETURN(std::vector<std::string> found, matchingPaths(path, disk));
    std::ranges::move(found, std::back_inserter(all));
  }
  std::ranges::sort(all);
  SLUICE_ASSIGN_OR_RETURN(
      call.output(0), Tensor::allocate(DType::kString, Shape({static_cast<int64_t>(all.size())})));
  std::ranges::move(all, call.output(0).data<std::string>());
  return okStatus();
}

// Files are read and written.
uint64_t fileWork(const KernelCall &) { return uint64_t{1} << 30; }

} // namespace

SLUICE_DEFINE_LONG_EFFECT_KERNEL(state_read_file, readShape, readRun, fileWork)
SLUICE_DEFINE_LONG_EFFECT_KERNEL(state_write_file, nullptr, writeRun, fileWork)
SLUICE_DEFINE_LONG_EFFECT_KERNEL(state_matching_files, matchingShape, matchingRun, fileWork)

} // namespace sluice::rt
