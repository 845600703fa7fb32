// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Index arithmetic and order of accumulation of reductions.
#include "runtime/kernels/reduction.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace sluice::rt {

namespace {

// A partial result takes about so many elements per accumulator before it is put aside.
constexpr int64_t kRunLength = 1024;
constexpr int64_t kRowCount = 64;
// So many accumulators work side by side when the innermost dim is kept.
constexpr int64_t kColumns = 128;

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
struct Layout {
  bool innermostReduced = true;
  int64_t innermost = 1;
  DimWalk kept, reduced;
  int64_t reducedCount = 1;

  Layout(std::span<const int64_t> dims, const AxisSet &axes) {
    int64_t stride = 1, size = 1;
    bool groupReduced = true, any = false, first = true;
    for (size_t i = dims.size(); i-- > 0;) {
      int64_t dim = dims[i];
      bool isReduced = axes[i];
      if (isReduced)
        reducedCount *= dim;
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

// Partial results of `columns` accumulators. Those put aside form a binary counter: level l holds
// the combination of 2^l of them, so every element passes through few roundings. A thread keeps the
// memory for its next reduction, so that in the long run none is allocated.
class Partials {
public:
  explicit Partials(const Reducer &reducer) : reducer_(reducer) {}

  void begin(int64_t columns) {
    columns_ = columns;
    taken_ = putAside_ = 0;
    clear();
  }
  void *current() { return current_; }
  // The current partial result took `amount` more elements per accumulator.
  void took(int64_t amount, int64_t limit) {
    taken_ += amount;
    if (taken_ >= limit)
      putAside();
  }
  // Combines everything; the result is current().
  void combine() {
    for (size_t level = 0, left = putAside_; left; ++level, left >>= 1)
      if (left & 1)
        mergeBelow(level);
  }

private:
  size_t bytes() const { return static_cast<size_t>(columns_) * reducer_.accBytes; }
  void *level(size_t i) { return levels_.data() + i * bytes(); }
  void clear() {
    for (int64_t i = 0; i < columns_; ++i)
      std::memcpy(current_ + static_cast<size_t>(i) * reducer_.accBytes, reducer_.identity,
                  reducer_.accBytes);
  }
  // Level i is older, so it is the left operand.
  void mergeBelow(size_t i) {
    reducer_.merge(level(i), current_, columns_);
    std::memcpy(current_, level(i), bytes());
  }
  void putAside() {
    size_t i = 0;
    for (size_t count = putAside_; count & 1; count >>= 1)
      mergeBelow(i++);
    if (levels_.size() < (i + 1) * bytes())
      levels_.resize((i + 1) * bytes());
    std::memcpy(level(i), current_, bytes());
    ++putAside_;
    taken_ = 0;
    clear();
  }

  const Reducer &reducer_;
  int64_t columns_ = 0, taken_ = 0;
  size_t putAside_ = 0;
  static thread_local std::vector<unsigned char> levels_;
  alignas(16) unsigned char current_[kColumns * 16];
};

thread_local std::vector<unsigned char> Partials::levels_;

struct Pointers {
  const unsigned char *in;
  unsigned char *out;
};

// Every output is made of runs of neighbouring inputs.
void reduceRuns(Layout &layout, Pointers p, const Reducer &reducer) {
  Partials partials(reducer);
  do {
    partials.begin(1);
    do {
      int64_t offset = layout.kept.offset() + layout.reduced.offset();
      for (int64_t i = 0; i < layout.innermost; i += kRunLength) {
        int64_t n = std::min(kRunLength, layout.innermost - i);
        reducer.foldRun(partials.current(),
                        p.in + static_cast<size_t>(offset + i) * reducer.elementBytes, n);
        partials.took(n, kRunLength);
      }
    } while (layout.reduced.next());
    partials.combine();
    reducer.finish(p.out, partials.current(), 1, layout.reducedCount);
    p.out += reducer.elementBytes;
  } while (layout.kept.next());
}

// Rows of inputs are added to rows of outputs.
void reduceRows(Layout &layout, Pointers p, const Reducer &reducer) {
  Partials partials(reducer);
  do {
    for (int64_t column = 0; column < layout.innermost; column += kColumns) {
      int64_t n = std::min(kColumns, layout.innermost - column);
      partials.begin(n);
      do {
        int64_t offset = layout.kept.offset() + layout.reduced.offset() + column;
        reducer.foldRow(partials.current(),
                        p.in + static_cast<size_t>(offset) * reducer.elementBytes, n);
        partials.took(1, kRowCount);
      } while (layout.reduced.next());
      partials.combine();
      reducer.finish(p.out, partials.current(), n, layout.reducedCount);
      p.out += static_cast<size_t>(n) * reducer.elementBytes;
    }
  } while (layout.kept.next());
}

} // namespace

void reduceAxes(std::span<const int64_t> dims, const AxisSet &axes, const void *in, void *out,
                const Reducer &reducer) {
  int64_t outputs = 1, inputs = 1;
  for (size_t i = 0; i < dims.size(); ++i) {
    inputs *= dims[i];
    outputs *= axes[i] ? 1 : dims[i];
  }
  Pointers pointers{static_cast<const unsigned char *>(in), static_cast<unsigned char *>(out)};
  if (inputs == 0) {
    for (int64_t i = 0; i < outputs; ++i, pointers.out += reducer.elementBytes)
      reducer.finish(pointers.out, reducer.identity, 1, 0);
    return;
  }
  Layout layout(dims, axes);
  if (layout.innermostReduced)
    reduceRuns(layout, pointers, reducer);
  else
    reduceRows(layout, pointers, reducer);
}

Status runReduction(KernelCall &call, const Reducer &reducer) {
  const Tensor &input = call.input(0);
  SLUICE_ASSIGN_OR_RETURN(AxisSet axes, reductionAxes(call.input(1), input.rank()));
  reduceAxes(input.shape().dims(), axes, input.raw(), call.output(0).raw(), reducer);
  return okStatus();
}

} // namespace sluice::rt
