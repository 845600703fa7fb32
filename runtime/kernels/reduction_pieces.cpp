// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Large reductions in pieces. A unit that is cut is cut between partial results, where their number
// is a multiple of 2^n: what 2^n of them give together is a node of the tree in which all are
// combined, whoever folds it.
#include "runtime/kernels/reduction_pieces.h"

#include "runtime/base/cancellation.h"
#include "runtime/base/parallel.h"
#include "runtime/kernels/reduction_partials.h"

#include <bit>

namespace sluice::rt {

namespace {

// With fewer units, each of them is cut.
constexpr int64_t kManyUnits = 16;

// Where a partial result begins among the elements of a unit: a row, which is a position of the
// dims that are reduced but for an innermost one, and how far within it.
struct Position {
  int64_t row, within;
};

// The partial results of a unit, as reduceUnits makes them.
class UnitParts {
public:
  UnitParts(const ReductionLayout &layout, int64_t columns)
      : innermost_(layout.innermostReduced ? layout.innermost : 1),
        rows_(layout.reducedCount / innermost_) {
    if (!layout.innermostReduced)
      rowsOfPart_ = kReductionRows;
    else if (innermost_ < kReductionRun)
      rowsOfPart_ = (kReductionRun + innermost_ - 1) / innermost_;
    else
      partsOfRow_ = innermost_ / kReductionRun;
    const int64_t elements =
        std::max<int64_t>(1, layout.reducedCount / std::max<int64_t>(1, parts())) * columns;
    level_ =
        std::bit_width(static_cast<uint64_t>(std::max<int64_t>(1, kReductionPiece / elements))) - 1;
  }

  // Those that are put aside; the last one is not.
  int64_t parts() const { return rowsOfPart_ ? rows_ / rowsOfPart_ : rows_ * partsOfRow_; }
  // Pieces have 2^level of them; what is left over comes last.
  size_t level() const { return static_cast<size_t>(level_); }
  int64_t wholePieces() const { return parts() >> level_; }

  Position begin(int64_t piece) const {
    const int64_t part = piece << level_;
    if (rowsOfPart_)
      return {part * rowsOfPart_, 0};
    const int64_t row = part / partsOfRow_, within = part % partsOfRow_;
    // The first of a row takes what the row before has left over.
    if (within == 0 && row > 0 && innermost_ % kReductionRun)
      return {row - 1, partsOfRow_ * kReductionRun};
    return {row, within * kReductionRun};
  }
  Position end(int64_t piece) const {
    return piece < wholePieces() ? endOfPart((piece + 1) << level_) : Position{rows_, 0};
  }

private:
  // Behind so many parts, without what is left over of a row.
  Position endOfPart(int64_t parts) const {
    if (rowsOfPart_)
      return {parts * rowsOfPart_, 0};
    return {(parts - 1) / partsOfRow_, ((parts - 1) % partsOfRow_ + 1) * kReductionRun};
  }

  const int64_t innermost_, rows_;
  int64_t rowsOfPart_ = 0, partsOfRow_ = 0; // one of them
  int level_;
};

void foldBetween(const ReductionLayout &layout, const unsigned char *in, int64_t columns,
                 Position from, Position to, ReductionPartials &partials, const Reducer &reducer) {
  DimWalk rows = layout.reduced;
  rows.seek(from.row);
  auto at = [&](int64_t i) {
    return in + static_cast<size_t>(rows.offset() + i) * reducer.elementBytes;
  };
  for (int64_t row = from.row; row < to.row || (row == to.row && to.within); ++row, rows.next()) {
    if (!layout.innermostReduced) {
      reducer.foldRow(partials.current(), at(0), columns);
      partials.took(1, kReductionRows);
      continue;
    }
    const int64_t end = row == to.row ? to.within : layout.innermost;
    for (int64_t i = row == from.row ? from.within : 0; i < end; i += kReductionRun) {
      const int64_t n = std::min(kReductionRun, end - i);
      reducer.foldRun(partials.current(), at(i), n);
      partials.took(n, kReductionRun);
    }
  }
}

// Memory for what pieces give, which the thread keeps.
unsigned char *resultsOfPieces(size_t bytes) {
  thread_local std::vector<unsigned char> results;
  if (results.size() < bytes)
    results.resize(bytes);
  return results.data();
}

void reduceUnitInPieces(ReductionLayout &layout, int64_t unit, ReductionData data,
                        const Reducer &reducer) {
  const int64_t inRow = unit % layout.unitsOfRow(), columns = layout.columnsOf(inRow);
  layout.kept.seek(unit / layout.unitsOfRow());
  const unsigned char *in =
      data.in +
      static_cast<size_t>(layout.kept.offset() + inRow * kReductionColumns) * reducer.elementBytes;
  const UnitParts parts(layout, columns);
  ReductionPartials all(reducer);
  all.begin(columns);
  const size_t bytes = all.bytes();
  unsigned char *results = resultsOfPieces(static_cast<size_t>(parts.wholePieces() + 1) * bytes);
  parallelFor(parts.wholePieces() + 1, [&](int64_t piece) {
    if (Cancellation::requestedHere())
      return;
    ReductionPartials partials(reducer);
    partials.begin(columns);
    foldBetween(layout, in, columns, parts.begin(piece), parts.end(piece), partials, reducer);
    const bool isWhole = piece < parts.wholePieces();
    if (!isWhole)
      partials.combine();
    std::memcpy(results + static_cast<size_t>(piece) * bytes,
                isWhole ? partials.combined(parts.level()) : partials.current(), bytes);
  });
  if (Cancellation::requestedHere())
    return; // some are missing
  for (int64_t piece = 0; piece < parts.wholePieces(); ++piece)
    all.takeCombined(results + static_cast<size_t>(piece) * bytes, parts.level());
  all.takeCurrent(results + static_cast<size_t>(parts.wholePieces()) * bytes);
  all.combine();
  reducer.finish(data.out + static_cast<size_t>(layout.firstOutput(unit)) * reducer.elementBytes,
                 all.current(), columns, layout.reducedCount);
}

} // namespace

void reduceInPieces(const ReductionLayout &layout, ReductionData data, const Reducer &reducer) {
  const int64_t units = layout.units();
  const int64_t ofUnit = layout.keptCount * layout.reducedCount / units;
  if (units < kManyUnits && ofUnit >= kReductionWorthPieces) {
    ReductionLayout walked(layout);
    for (int64_t unit = 0; unit < units && !Cancellation::requestedHere(); ++unit)
      reduceUnitInPieces(walked, unit, data, reducer);
    return;
  }
  const int64_t length = std::max<int64_t>(1, kReductionPiece / ofUnit);
  parallelFor((units + length - 1) / length, [&](int64_t piece) {
    if (Cancellation::requestedHere())
      return;
    ReductionLayout mine(layout);
    reduceUnits(mine, {piece * length, std::min(units, (piece + 1) * length)}, data, reducer);
  });
}

} // namespace sluice::rt
