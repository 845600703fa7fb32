// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The second half of loading: rows that name each other by number become nodes with pointers.
#pragma once

#include "runtime/program/program.h"
#include "runtime/program/program_desc.h"

#include <span>
#include <vector>

namespace sluice::rt {

// What the image says of a node, until pointers to all nodes are known.
struct NodeRow {
  std::vector<OperandDesc> inputs, controls, orders;
  uint32_t ports = 0, child = 0;
  bool inputsAreScalars = false, outputIsScalar = false;
  Shape wireShape;
};

class NodeConnector {
public:
  // A row for each node of the signature.
  NodeConnector(Program &program, Signature &signature, std::span<const NodeRow> rows)
      : program_(program), s_(signature), rows_(rows) {}

  void connect() {
    numberNodes();
    makeEdges();
    findFirstIterationNodes();
    countValuesOfMerges();
    findFramePeers();
    findCopiesOfTokens();
  }

private:
  void numberNodes();
  void numberByKind(Node &node, StaticFrame &frame, const NodeRow &row);
  void makeEdges();
  void findFirstIterationNodes();
  void countValuesOfMerges();
  void findFramePeers();
  void findCopiesOfTokens();

  Program &program_;
  Signature &s_;
  std::span<const NodeRow> rows_;
};

} // namespace sluice::rt
