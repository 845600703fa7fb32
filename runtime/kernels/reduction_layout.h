// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which elements of a row-major tensor a reduction folds together.
#pragma once

#include "runtime/kernels/shape_rules.h"

#include <algorithm>

namespace sluice::rt {

// A partial result takes about so many elements per accumulator before it is put aside: neighbours
// in runs, or in rows below each other.
inline constexpr int64_t kReductionRun = 1024, kReductionRows = 64;
// So many accumulators work side by side when the innermost dim is kept.
inline constexpr int64_t kReductionColumns = 1024;

// Some dims of a row-major tensor, visited in row-major order.
class DimWalk {
public:
  // From innermost to outermost.
  void add(int64_t size, int64_t stride) {
    sizes_[dims_] = size;
    counters_[dims_] = 0;
    strides_[dims_++] = stride;
  }
  int64_t offset() const { return offset_; }
  // To the position that comes after so many others.
  void seek(int64_t position) {
    offset_ = 0;
    for (int d = 0; d < dims_; ++d) {
      counters_[d] = position % sizes_[d];
      position /= sizes_[d];
      offset_ += counters_[d] * strides_[d];
    }
  }
  // False, and back at the start, after the last.
  bool next() {
    for (int d = 0; d < dims_; ++d) {
      offset_ += strides_[d];
      if (++counters_[d] < sizes_[d])
        return true;
      counters_[d] = 0;
      offset_ -= strides_[d] * sizes_[d];
    }
    return false;
  }

private:
  int dims_ = 0;
  int64_t offset_ = 0;
  int64_t sizes_[Shape::kMaxRank], strides_[Shape::kMaxRank], counters_[Shape::kMaxRank];
};

// The input's dims: the innermost group of neighbours that are all kept or all reduced, and the
// other groups of either kind.
struct ReductionLayout {
  bool innermostReduced = true;
  int64_t innermost = 1;
  DimWalk kept, reduced;
  int64_t reducedCount = 1, keptCount = 1; // of elements

  ReductionLayout(std::span<const int64_t> dims, const AxisSet &axes) {
    int64_t stride = 1, size = 1;
    bool groupReduced = true, any = false, first = true;
    for (size_t i = dims.size(); i-- > 0;) {
      int64_t dim = dims[i];
      bool isReduced = axes[i];
      (isReduced ? reducedCount : keptCount) *= dim;
      if (dim == 1)
        continue;
      if (any && isReduced != groupReduced) {
        close(first, groupReduced, size, stride);
        first = false;
        stride *= size;
        size = 1;
      }
      any = true;
      groupReduced = isReduced;
      size *= dim;
    }
    close(first, groupReduced, size, stride);
  }

  // Outputs are computed in units: one by one where the innermost dim is reduced, else so many
  // columns of it at a time.
  int64_t unitsOfRow() const {
    return innermostReduced ? 1 : (innermost + kReductionColumns - 1) / kReductionColumns;
  }
  int64_t units() const {
    return innermostReduced ? keptCount : keptCount / innermost * unitsOfRow();
  }
  int64_t columnsOf(int64_t unitOfRow) const {
    return innermostReduced
               ? 1
               : std::min(kReductionColumns, innermost - unitOfRow * kReductionColumns);
  }
  int64_t firstOutput(int64_t unit) const {
    return innermostReduced
               ? unit
               : unit / unitsOfRow() * innermost + unit % unitsOfRow() * kReductionColumns;
  }

private:
  void close(bool first, bool isReduced, int64_t size, int64_t stride) {
    if (first) {
      innermostReduced = isReduced;
      innermost = size;
    } else {
      (isReduced ? reduced : kept).add(size, stride);
    }
  }
};

} // namespace sluice::rt
