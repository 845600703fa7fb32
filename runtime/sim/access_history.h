// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who touched which bytes of a device last, and whether what touches them now comes after that.
//
// Kernels and copies say what they really read and wrote. Two operations on the same bytes, one of
// them a write, must be in order by a stream, an event or a wait of the host; their clocks tell. So
// a missing event is found whichever of the two ran first.
#pragma once

#include "runtime/sim/clock.h"
#include "runtime/sim/device_memory.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sluice::rt::sim {

// Operations have numbers; 0 is none. Copies made by the host itself are on no stream of programs.
using OperationId = uint32_t;

class AccessHistory {
public:
  // Four bytes share a cell, so neighbours in a word that two streams write at once are a false
  // alarm.
  static constexpr size_t kUnit = 4;

  explicit AccessHistory(const DeviceMemory &memory)
      : memory_(memory), pages_(memory.span() / kMemoryPage) {}

  // An operation on a stream, which `clock` has counted already.
  OperationId add(uint32_t stream, const Clock &clock, std::string name);
  // A node of a graph, which `launch` runs: others come after it when they come after the launch,
  // and nodes of the same launch when the inner clock says so.
  OperationId addNode(OperationId launch, uint32_t index, const Clock &inner, std::string name);
  const std::string &name(OperationId operation) const { return operations_[operation].name; }
  bool comesAfter(OperationId later, OperationId earlier) const;

  // Empty if all is in order; else what is not.
  std::string access(const Allocation &allocation, uint64_t begin, uint64_t end, bool write,
                     OperationId operation);
  // To free counts as to write all of it.
  std::string freeing(const Allocation &allocation, OperationId operation) const;
  // Nobody has touched it.
  void forget(const Allocation &allocation);

private:
  struct Operation {
    uint32_t stream, time; // or the node's index in the inner clock, and its time there
    Clock clock;
    std::string name;
    OperationId launch = 0; // of nodes
  };
  struct Cell {
    OperationId write = 0;
    uint32_t reads = 0; // number of a set
  };
  using Page = std::unique_ptr<Cell[]>;
  // Reads that are in no order among each other.
  using ReadSet = std::vector<OperationId>;

  OperationId firstConflict(const Cell &cell, OperationId born, bool write,
                            OperationId operation) const;
  uint32_t withRead(uint32_t set, OperationId operation);
  std::string describe(const Allocation &allocation, uint64_t place, bool write,
                       OperationId operation, OperationId other, bool otherWrote) const;
  Cell *cellsOf(uint64_t address);

  const DeviceMemory &memory_;
  std::vector<Page> pages_;
  std::vector<Operation> operations_{1};
  std::vector<ReadSet> readSets_{1};
  std::map<std::pair<uint32_t, OperationId>, uint32_t> nextReadSet_;
};

} // namespace sluice::rt::sim
