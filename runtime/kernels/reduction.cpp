// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Outputs of reductions, one after the other.
#include "runtime/kernels/reduction.h"

#include "runtime/base/cancellation.h"
#include "runtime/kernels/reduction_partials.h"
#include "runtime/kernels/reduction_pieces.h"

namespace sluice::rt {

namespace {

// Every output is made of runs of neighbouring inputs.
void reduceRuns(ReductionLayout &layout, UnitRange units, ReductionData data,
                const Reducer &reducer) {
  ReductionPartials partials(reducer);
  layout.kept.seek(units.begin);
  unsigned char *out = data.out + static_cast<size_t>(units.begin) * reducer.elementBytes;
  for (int64_t unit = units.begin; unit < units.end; ++unit, layout.kept.next()) {
    partials.begin(1);
    do {
      int64_t offset = layout.kept.offset() + layout.reduced.offset();
      for (int64_t i = 0; i < layout.innermost; i += kReductionRun) {
        int64_t n = std::min(kReductionRun, layout.innermost - i);
        reducer.foldRun(partials.current(),
                        data.in + static_cast<size_t>(offset + i) * reducer.elementBytes, n);
        partials.took(n, kReductionRun);
      }
    } while (layout.reduced.next());
    partials.combine();
    reducer.finish(out, partials.current(), 1, layout.reducedCount);
    out += reducer.elementBytes;
  }
}

// Rows of inputs are added to rows of outputs.
void reduceRows(ReductionLayout &layout, UnitRange units, ReductionData data,
                const Reducer &reducer) {
  ReductionPartials partials(reducer);
  const int64_t ofRow = layout.unitsOfRow();
  layout.kept.seek(units.begin / ofRow);
  int64_t inRow = units.begin % ofRow;
  unsigned char *out =
      data.out + static_cast<size_t>(layout.firstOutput(units.begin)) * reducer.elementBytes;
  for (int64_t unit = units.begin; unit < units.end; ++unit) {
    const int64_t n = layout.columnsOf(inRow);
    partials.begin(n);
    do {
      int64_t offset = layout.kept.offset() + layout.reduced.offset() + inRow * kReductionColumns;
      reducer.foldRow(partials.current(),
                      data.in + static_cast<size_t>(offset) * reducer.elementBytes, n);
      partials.took(1, kReductionRows);
    } while (layout.reduced.next());
    partials.combine();
    reducer.finish(out, partials.current(), n, layout.reducedCount);
    out += static_cast<size_t>(n) * reducer.elementBytes;
    if (++inRow == ofRow) {
      inRow = 0;
      layout.kept.next();
    }
  }
}

} // namespace

void reduceUnits(ReductionLayout &layout, UnitRange units, ReductionData data,
                 const Reducer &reducer) {
  if (layout.innermostReduced)
    reduceRuns(layout, units, data, reducer);
  else
    reduceRows(layout, units, data, reducer);
}

void reduceAxes(std::span<const int64_t> dims, const AxisSet &axes, const void *in, void *out,
                const Reducer &reducer) {
  int64_t outputs = 1, inputs = 1;
  for (size_t i = 0; i < dims.size(); ++i) {
    inputs *= dims[i];
    outputs *= axes[i] ? 1 : dims[i];
  }
  ReductionData data{static_cast<const unsigned char *>(in), static_cast<unsigned char *>(out)};
  if (inputs == 0) {
    for (int64_t i = 0; i < outputs; ++i, data.out += reducer.elementBytes)
      reducer.finish(data.out, reducer.identity, 1, 0);
    return;
  }
  if (Cancellation::requestedHere())
    return; // what is not in pieces ends soon, once it has begun
  ReductionLayout layout(dims, axes);
  if (inputs < kReductionWorthPieces)
    reduceUnits(layout, {0, layout.units()}, data, reducer);
  else
    reduceInPieces(layout, data, reducer);
}

Status runReduction(KernelCall &call, const Reducer &reducer) {
  const Tensor &input = call.input(0);
  SLUICE_ASSIGN_OR_RETURN(AxisSet axes, reductionAxes(call.input(1), input.rank()));
  reduceAxes(input.shape().dims(), axes, input.raw(), call.output(0).raw(), reducer);
  return okStatus();
}

} // namespace sluice::rt
