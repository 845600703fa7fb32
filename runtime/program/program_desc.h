// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program as its maker describes it: plain lists, names and indices. `writeImage` turns it into
// the bytes that an executable carries; tests build programs the same way.
#pragma once

#include "runtime/memory/tensor.h"
#include "runtime/program/node_kind.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sluice::rt {

struct AttrDesc {
  uint8_t kind = 0; // Attr::Kind
  int64_t i = 0;
  double f = 0;
  std::vector<int64_t> ints;
  bool unknownRank = false;
  std::string s;
};

struct ResourceDesc {
  ResourceKind kind = ResourceKind::kVariable;
  std::string key;
  DType dtype = DType::kF32;
  Shape shape;
  Tensor initial = {}; // invalid: a variable has no value at start
  MemoryNumber memory = kHostMemory;
};

// Where an operand comes from: a constant, or a port of a node.
struct OperandDesc {
  static constexpr uint32_t kConstant = ~0u;
  uint32_t node = 0; // kConstant: `port` is an index into the constants
  uint32_t port = 0;
};

struct NodeDesc {
  NodeKind kind = NodeKind::kForward;
  std::string name;
  uint32_t frame = 0;
  std::vector<OperandDesc> inputs;
  std::vector<OperandDesc> controls; // deadness counts
  std::vector<OperandDesc> orders;   // deadness does not count
  uint32_t kernel = 0;               // kKernel: index into the kernel table
  std::vector<AttrDesc> attrs;       // kKernel
  std::vector<DType> outputTypes;    // of the ports that carry values
  std::vector<bool> outputIsScalar;  // known to have rank 0, for each of outputTypes
  bool inputsAreScalars = false;     // all inputs are known to have rank 0
  uint32_t ports = 0;                // values first, then possibly a control-only port
  uint32_t child = 0;                // kEnter: the child frame; kCall: the function's frame
  bool constant = false;             // kEnter: into every iteration
  uint32_t edge = 0;                 // kSend, kRecv: number of the wire edge in the signature
  uint32_t peer = 0;                 // kSend: the rank that receives; kRecv: the one that sends
  Shape wireShape;                   // kRecv of a value: as far as it is known
  uint32_t recursion = 0;            // kCall: what its random numbers differ by; 0: by nothing
  uint32_t codelet = 0;              // kCodelet: index into the signature's codelets
  MemoryNumber memory = kHostMemory; // kCopy: where the value goes
};

// One op of a codelet, for when its kernel has to run by itself.
struct CodeletMemberDesc {
  std::string name;
  uint32_t kernel = 0; // index into the kernel table
  // Where operands come from: `node` is kConstant, 0 for an input of the codelet, or k + 1 for a
  // result of member k, which must be an earlier one; `port` says which.
  std::vector<OperandDesc> inputs;
  std::vector<AttrDesc> attrs;
  std::vector<DType> outputTypes;
};

struct CodeletOutputDesc {
  DType dtype = DType::kF32;
  Shape shape;       // complete unless the code computes it; the rank is known in any case
  OperandDesc value; // as the inputs of members; without members of no meaning
  static constexpr uint32_t kNoBox = ~0u;
  uint32_t box = kNoBox; // where the result is in the end, unless the code writes it
  MemoryNumber memory = kHostMemory;
};

// A kernel that the code calls, for an op that has none of its own. Its values are in boxes.
struct CodeletCallDesc {
  uint32_t kernel = 0;             // index into the kernel table
  std::vector<OperandDesc> inputs; // `node` is kConstant, or 0 for the box that `port` says
  std::vector<AttrDesc> attrs;
  std::vector<DType> outputTypes;
  std::vector<uint32_t> results; // boxes
};

struct CodeletDesc {
  static constexpr uint32_t kNoCode = ~0u;
  uint32_t code = kNoCode; // index into the codelet table; kNoCode: the members run always
  uint32_t numInputs = 0;
  uint32_t floatOps = 0;             // ops with a float result that run once in each firing
  uint64_t work = 0;                 // estimated elementary operations of a firing; 0: not known
  MemoryNumber memory = kHostMemory; // a card's: the code enqueues kernels there
  uint32_t stream = 0;               // there, counted from the one where the call begins
  // Empty for codelets with loops: those cannot be replaced by their members' kernels and have a
  // table of errors instead.
  std::vector<CodeletMemberDesc> members;
  std::vector<CodeletOutputDesc> outputs;
  uint32_t numBoxes = 0;
  std::vector<CodeletCallDesc> calls;    // the code refers to them by their positions
  std::vector<std::string> errorMembers; // SluiceCodeletCall::failedMember is an index
  std::vector<std::string> errorReasons; // what the code returns is an index, from 1
};

struct FrameDesc {
  uint32_t parent = 0;
  std::string name;
  uint32_t window = 1;
  uint32_t id = 0;         // the same on all ranks; of functions, which stay on one rank, 0
  bool isFunction = false; // entered by calls, so that `parent` says nothing
};

struct PortDesc {
  std::string name;
  DType dtype = DType::kF32;
  Shape shape;
  uint32_t node = 0;
};

struct SignatureDesc {
  std::string name;
  bool initializes = false;
  std::vector<FrameDesc> frames;
  std::vector<Tensor> constants;
  std::vector<MemoryNumber> memories; // of the constants; missing ones are of the host
  std::vector<CodeletDesc> codelets;
  std::vector<NodeDesc> nodes;
  std::vector<PortDesc> feeds;
  std::vector<PortDesc> fetches;
  std::vector<PortDesc> targets;
};

// One device of a cluster; its rank is its position.
struct DeviceDesc {
  std::string name;
  std::string address; // host:port; port 0: told at start
};

struct ProgramDesc {
  std::string name;
  std::string version;
  // Empty for a program that runs alone.
  std::vector<DeviceDesc> devices;
  uint32_t rank = 0;
  uint32_t cards = 0;                 // of the rank, beside its host
  std::string programHash;            // of all ranks' programs together
  std::string clusterHash;            // of the devices
  std::vector<std::string> kernelOps; // what each kernel of the table computes, for traces
  std::vector<ResourceDesc> resources;
  std::vector<SignatureDesc> signatures;
  // The same in the same order without the cards; empty: there are none, or it needs them.
  std::vector<SignatureDesc> hostSignatures;
};

} // namespace sluice::rt
