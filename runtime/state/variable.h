// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects that live on between calls: variables and the counters of random generators.
#pragma once

#include "runtime/state/lasting_object.h"

#include <mutex>
#include <string>

namespace sluice::rt {

// Memory that is not the host's, in which variables may live.
class VariableMemory {
public:
  // A copy there; the elements of the host may go at once. `owner` is whose the memory is.
  virtual Result<Tensor> bring(const Tensor &onHost, std::string_view owner) = 0;
  // A copy on the host. Waits until it is there, for minutes at most.
  virtual Result<Tensor> fetch(const Tensor &there, std::string_view owner) = 0;

protected:
  ~VariableMemory() = default;
};

// The value of one variable. Written by copy-on-write: a tensor read earlier keeps its elements.
class Variable : public LastingObject {
public:
  static constexpr Kind kKind = Kind::kVariable;
  Variable(std::string name, DType dtype, Shape shape)
      : LastingObject(kKind), name(std::move(name)), dtype(dtype), shape(std::move(shape)) {}

  bool initialized() const { return value.valid(); }
  // Whether users see it, load and save it: tensors, not lists.
  bool isShown() const { return dtype != DType::kHandle; }
  // INVALID_ARGUMENT if a value like this is not what was declared. What was compiled relies on it.
  Status accepts(const Tensor &other) const;
  // From now on the value is there, which outlives the variable or its value.
  Status moveTo(VariableMemory &memory);
  // The value in the memory of the host, wherever it is; invalid if there is none.
  Result<Tensor> fetch() const;
  // A value of the host that it accepts, or an invalid one, for none.
  Status set(Tensor onHost);
  // A tensor `value`, or none; UNIMPLEMENTED for lists.
  Result<std::vector<NamedTensor>> save() const override;
  Status restore(std::vector<NamedTensor> content) override;

  const std::string name;
  const DType dtype;
  const Shape shape; // declared; may be partly unknown
  Tensor value;      // invalid until assigned; in the variable's memory

private:
  VariableMemory *memory_ = nullptr; // the host's
};

// Where one random op is in its streams, so that they go on between calls. In nested loops each
// iteration of the outer ones has a stream of its own, and all of them go on from the same
// position.
class Generator : public LastingObject {
public:
  static constexpr Kind kKind = Kind::kGenerator;
  Generator() : LastingObject(kKind) {}

  // Position of what fires in the given iteration, of the innermost loop, of the given call. From
  // any thread; the order does not matter.
  uint64_t position(uint64_t call, uint64_t iteration) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (call != call_) {
      base_ += used_;
      used_ = 0;
      call_ = call;
    }
    if (iteration + 1 > used_)
      used_ = iteration + 1;
    return base_ + iteration;
  }
  // A scalar `position`, of what fires first in the next call.
  Result<std::vector<NamedTensor>> save() const override;
  Status restore(std::vector<NamedTensor> content) override;

private:
  mutable std::mutex mutex_;
  uint64_t call_ = 0, base_ = 0, used_ = 0;
};

} // namespace sluice::rt
