// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Named tensors in files as TensorFlow writes them, in either of its two formats. What says which
// tensors there are is read and checked as a whole; of the elements only what is asked for, and
// checksums are compared.
#pragma once

#include "runtime/base/status.h"
#include "runtime/io/bundle/checkpoint_limits.h"
#include "runtime/io/bundle/region.h"
#include "runtime/io/disk.h"
#include "runtime/memory/tensor.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::rt {

// A tensor, or a part of one, that is there and can be read.
struct FoundTensor {
  std::string name; // for messages
  DType dtype = DType::kInvalid;
  Region region;              // of what was asked for
  std::vector<int64_t> shape; // of the whole
  int64_t elements = 0;       // of the region, whose sizes are the shape of what is read
  // Where elements are stored, of regions that share some with the one that was asked for. What the
  // numbers mean is the format's own.
  struct Piece {
    Region region;
    uint64_t file = 0, offset = 0, size = 0;
    uint32_t checksum = 0;
  };
  std::vector<Piece> pieces;

  uint64_t bytes() const { return static_cast<uint64_t>(elements) * sizeOf(dtype); }
};

class Checkpoint {
public:
  virtual ~Checkpoint() = default;

  // The file that says which tensors there are.
  const std::string &indexPath() const { return indexPath_; }
  // In ascending order; what belongs to the format itself is left out.
  virtual std::vector<std::string_view> names() const = 0;
  virtual bool has(std::string_view name) const = 0;

  struct Description {
    int64_t type = 0; // as files number them, of any type
    std::vector<int64_t> shape;
  };
  // NOT_FOUND when there is no such tensor, DATA_LOSS when its row makes no sense.
  virtual Result<Description> describe(std::string_view name) = 0;
  // The whole tensor, or the part of it that `part` says unless that is empty. When this is well,
  // the files have as many bytes as memory is needed. UNIMPLEMENTED for types that the runtime does
  // not compute with; messages name the tensor.
  virtual Result<FoundTensor> find(std::string_view name, std::string_view part) = 0;
  // Into the elements of a tensor of the type and size that was found.
  virtual Status read(const FoundTensor &found, void *target) = 0;

  Result<Tensor> readTensor(const FoundTensor &found);

protected:
  explicit Checkpoint(std::string indexPath) : indexPath_(std::move(indexPath)) {}

private:
  std::string indexPath_;
};

// Of the second format, if there is `prefix`.index; else of the first one, if a file `prefix` is a
// table or `prefix` is a pattern that files match. Errors are those of opening the one or the
// other.
Result<std::unique_ptr<Checkpoint>> openCheckpoint(const std::string &prefix,
                                                   const CheckpointLimits &limits, Disk &disk);

// "tensor 'a': …", with the code of the status.
Status atTensor(std::string_view name, const Status &status);
// The tensor that is described, or the part of it that is asked for, still without pieces.
Result<FoundTensor> askedTensor(std::string_view name, const Checkpoint::Description &description,
                                std::string_view part, const CheckpointLimits &limits);
Status unsupportedType(int64_t number);
// Fails unless the pieces together have each element of the region that was asked for once.
Status checkPieces(const FoundTensor &found);

} // namespace sluice::rt
