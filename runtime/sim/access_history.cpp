// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cells for each word of memory, in pages that are made when they are touched.
#include "runtime/sim/access_history.h"

#include "runtime/sim/report.h"

namespace sluice::rt::sim {

constexpr size_t kCellsOfPage = kMemoryPage / AccessHistory::kUnit;

OperationId AccessHistory::add(uint32_t stream, const Clock &clock, std::string name) {
  operations_.push_back({stream, clock.at(stream), clock, std::move(name), 0});
  return operations_.size() - 1;
}

OperationId AccessHistory::addNode(OperationId launch, uint32_t index, const Clock &inner,
                                   std::string name) {
  operations_.push_back({index, inner.at(index), inner, std::move(name), launch});
  return operations_.size() - 1;
}

bool AccessHistory::comesAfter(OperationId later, OperationId earlier) const {
  if (!earlier)
    return true;
  OperationId launch = operations_[earlier].launch;
  if (operations_[later].launch != launch) { // seen from outside a launch is one operation
    earlier = launch ? launch : earlier;
    later = operations_[later].launch ? operations_[later].launch : later;
  }
  const Operation &first = operations_[earlier];
  return operations_[later].clock.at(first.stream) >= first.time;
}

// Operations run only when they may, so of two that are in order the earlier one has run first.
OperationId AccessHistory::firstConflict(const Cell &cell, OperationId born, bool write,
                                         OperationId operation) const {
  OperationId writer = cell.write ? cell.write : born;
  if (!comesAfter(operation, writer))
    return writer;
  if (write)
    for (OperationId reader : readSets_[cell.reads])
      if (!comesAfter(operation, reader))
        return reader;
  return 0;
}

// What comes before the new read need not be remembered: whoever comes after the one comes after
// both.
uint32_t AccessHistory::withRead(uint32_t set, OperationId operation) {
  auto [known, isNew] = nextReadSet_.try_emplace({set, operation}, 0);
  if (isNew) {
    ReadSet next;
    for (OperationId reader : readSets_[set])
      if (!comesAfter(operation, reader))
        next.push_back(reader);
    next.push_back(operation);
    readSets_.push_back(std::move(next));
    known->second = readSets_.size() - 1;
  }
  return known->second;
}

AccessHistory::Cell *AccessHistory::cellsOf(uint64_t address) {
  Page &page = pages_[(address - memory_.base()) / kMemoryPage];
  if (!page)
    page = std::make_unique<Cell[]>(kCellsOfPage);
  return page.get();
}

std::string AccessHistory::describe(const Allocation &allocation, uint64_t place, bool write,
                                    OperationId operation, OperationId other,
                                    bool otherWrote) const {
  const Operation &first = operations_[other], &second = operations_[operation];
  auto streamOf = [&](const Operation &one) {
    return one.launch ? operations_[one.launch].stream : one.stream;
  };
  return text("race: %s on stream %u %s byte %zu of %s, which %s on stream %u %s, and nothing "
              "orders the two",
              second.name.c_str(), streamOf(second), write ? "writes" : "reads",
              size_t(place - allocation.begin), allocation.name().c_str(), first.name.c_str(),
              streamOf(first), otherWrote ? "writes" : "reads");
}

std::string AccessHistory::access(const Allocation &allocation, uint64_t begin, uint64_t end,
                                  bool write, OperationId operation) {
  Cell judged;   // neighbours mostly have the same past
  Cell becoming; // and future
  bool any = false;
  for (uint64_t place = begin / kUnit * kUnit; place < end;) {
    Cell *cells = cellsOf(place);
    size_t first = place % kMemoryPage / kUnit;
    size_t last = std::min<uint64_t>(kCellsOfPage, first + (end - place + kUnit - 1) / kUnit);
    for (size_t i = first; i < last; ++i, place += kUnit) {
      Cell &cell = cells[i];
      if (!any || cell.write != judged.write || cell.reads != judged.reads) {
        if (OperationId other = firstConflict(cell, allocation.born, write, operation))
          return describe(allocation, std::max(place, begin), write, operation, other,
                          other == cell.write || other == allocation.born);
        judged = becoming = cell;
        any = true;
        if (write)
          becoming = {operation, 0};
        else
          becoming.reads = withRead(cell.reads, operation);
      }
      cell = becoming;
    }
  }
  return {};
}

std::string AccessHistory::freeing(const Allocation &allocation, OperationId operation) const {
  for (uint64_t place = allocation.begin; place < allocation.end(); place += kMemoryPage) {
    const Page &page = pages_[(place - memory_.base()) / kMemoryPage];
    for (size_t i = 0; i < (page ? kCellsOfPage : 1); ++i) {
      Cell cell = page ? page[i] : Cell();
      if (OperationId other = firstConflict(cell, allocation.born, true, operation))
        return describe(allocation, place + i * kUnit, true, operation, other,
                        other == cell.write || other == allocation.born);
    }
  }
  return {};
}

void AccessHistory::forget(const Allocation &allocation) {
  for (uint64_t place = allocation.begin; place < allocation.end(); place += kMemoryPage)
    pages_[(place - memory_.base()) / kMemoryPage].reset();
}

} // namespace sluice::rt::sim
