// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds up gradients that several firings bring, until one takes their sum or mean: of whole
// tensors, or of rows.
#pragma once

#include "runtime/memory/named_tensor.h"
#include "runtime/state/object_type.h"
#include "runtime/state/waiting_lines.h"

#include <string>

namespace sluice::rt {

class Accumulator final : public WaitingLines {
public:
  static constexpr Kind kKind = Kind::kAccumulator;
  static const ObjectType &type() { return kAccumulatorType; }

  struct Options {
    std::string title; // "accumulator 'a'"
    DType dtype = DType::kInvalid;
    Shape shape; // of the whole tensor; may be partly known
    bool isSparse = false;
    bool averages = false;
    bool operator==(const Options &) const = default;
  };
  static Result<Ref<Accumulator>> make(Options options);
  // INVALID_ARGUMENT unless the accumulator is as was asked for.
  Status check(const Options &options) const;

  // Of a gradient that was computed at `step`; nothing happens if the accumulator is further.
  Status apply(int64_t step, const Tensor &gradient);
  // Rows, at indices in order. `shape` of the whole, if it is known.
  Status applyRows(int64_t step, const Tensor &indices, const Tensor &values, const Tensor *shape);
  // What has been added, once `count` gradients have: the tensor; of rows, their indices, the rows
  // and the dims of the whole.
  Status take(int64_t count, DType dtype, bool rows, Client client);
  Status setStep(int64_t step);
  int64_t count() const;

  std::string title() const override { return options_.title; }

  // All that the accumulator is, as of LastingObject::save, and the accumulator of such a content.
  Result<std::vector<NamedTensor>> content() const;
  static Result<Ref<Accumulator>> ofContent(std::vector<NamedTensor> content);

private:
  class Take;

  explicit Accumulator(Options options)
      : WaitingLines(kKind, Turns::kInOrder), options_(std::move(options)) {}
  Status checkUse(DType dtype, bool rows) const;
  Status checkShape(const Tensor &gradient) const;
  Status checkRows(const Tensor &indices, const Tensor &values, const Tensor *shape) const;
  Status addRows(const Tensor &indices, const Tensor &values);
  Status restoreSum(const Tensor &sum, const Tensor &indices, const Tensor &counts);
  Status give(std::span<Tensor> outputs);
  Tensor dimsOfWhole() const;

  const Options options_;
  int64_t step_ = 0;
  int64_t count_ = 0; // gradients since they were taken last
  Tensor sum_;        // of rows: one after the other
  // Of rows.
  std::vector<int64_t> indices_, counts_;
};

} // namespace sluice::rt
