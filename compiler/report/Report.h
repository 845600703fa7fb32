// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All that a report says of one compilation, as plain values; docs/reference/report.md lists them
// as they are written.
#pragma once

#include "compiler/codegen/ExplainLoops.h"
#include "compiler/partition/Traffic.h"
#include "compiler/raise/Explain.h"
#include "compiler/report/DrawnGraph.h"
#include "compiler/report/PhaseSnapshot.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sluice::report {

struct Port {
  std::string name, type;
};

struct Signature {
  std::string name;
  std::vector<Port> feeds, fetches, targets;
};

struct File {
  std::string name;
  uint64_t bytes = 0;
};

struct Device {
  std::string name, address;
};

struct CodeletRow {
  std::string symbol;
  unsigned rank = 0;
  size_t codeBytes = 0, ops = 0, loops = 0, branches = 0, nodes = 0;
  std::vector<std::string> members; // names of the ops
  double milliseconds = 0;
};

struct Variable {
  std::string name, type;
  std::optional<int64_t> bytes; // if the shape is known
};

// A loop that runs as tokens.
struct FrameRow {
  std::string signature, name;
  uint32_t window = 1;
  size_t nodes = 0;
};

// What the program of one rank brings along, and what is known of what it will take.
struct ProgramRow {
  unsigned rank = 0;
  size_t nodes = 0;
  std::string imageHash;
  uint64_t imageBytes = 0, codeBytes = 0, constantBytes = 0;
  std::vector<Variable> variables;
  std::vector<FrameRow> frames;
};

// Types in verdicts belong to the context of the module, which must live as long.
struct Report {
  std::string name, compiler, target, march;
  std::string programHash, clusterHash; // of clusters
  File input;
  std::vector<File> outputs;
  std::vector<Device> devices; // empty for a program that runs alone
  std::vector<Signature> signatures;
  std::vector<PhaseSnapshot> phases;
  std::string graphPhase; // that the graphs show
  std::vector<DrawnGraph> graphs;
  std::vector<partition::SignatureTraffic> traffic;
  std::vector<codegen::LoopVerdict> verdicts;
  std::vector<raise::RaiseOutcome> raised;
  std::vector<CodeletRow> codelets;
  std::vector<ProgramRow> programs;
  std::optional<double> writeMilliseconds; // writing and linking
};

} // namespace sluice::report
