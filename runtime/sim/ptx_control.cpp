// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a thread goes on: branches, ends, calls of the driver's functions, barriers of blocks.
#include "runtime/sim/ptx_dispatch.h"
#include "runtime/sim/ptx_statistics.h"
#include "runtime/sim/twin_calls.h"

namespace sluice::rt::sim {

namespace {

const PtxOperation *branch(PtxThread &, const PtxOperation *operation) {
  return operation + operation->offset;
}

const PtxOperation *branchByTable(PtxThread &thread, const PtxOperation *operation) {
  uint32_t index = thread.get<uint32_t>(operation->a);
  if (index >= operation->count)
    thread.block.fail(cuda::kIllegalInstruction, "branches beyond the end of a table");
  return operation + int32_t(thread.kernel.lists[operation->first + index]);
}

const PtxOperation *leave(PtxThread &, const PtxOperation *) { return nullptr; }

const PtxOperation *nothing(PtxThread &, const PtxOperation *operation) { return operation + 1; }

const PtxOperation *trap(PtxThread &thread, const PtxOperation *) {
  thread.block.fail(cuda::kIllegalInstruction, "reaches a trap");
}

const PtxOperation *setConditional(PtxThread &thread, const PtxOperation *operation) {
  ++ptxStatistics().conditions;
  sluice_sim_set_conditional(thread.get<uint64_t>(operation->a),
                             thread.get<uint32_t>(operation->b));
  return operation + 1;
}

// ---- Barriers -----------------------------------------------------------------------------------

template <bool aligned>
const PtxOperation *barrier(PtxThread &thread, const PtxOperation *operation) {
  thread.block.synchronize(thread.get<uint32_t>(operation->a), aligned, operation);
  return operation + 1;
}

enum class Count { kAll, kAny, kOnes };

template <Count count>
const PtxOperation *countingBarrier(PtxThread &thread, const PtxOperation *operation) {
  bool vote = bool(thread.slots[operation->b]) != bool(operation->first);
  uint32_t votes = thread.block.barrier(thread.get<uint32_t>(operation->a), true, vote, operation);
  uint32_t answer = count == Count::kOnes  ? votes
                    : count == Count::kAny ? votes != 0
                                           : votes == thread.block.launch().threads();
  thread.set(operation->d, answer);
  return operation + 1;
}

} // namespace

static bool decodeBranch(PtxDecoder &decoder, PtxOpcode opcode) {
  bool byTable = opcode.take("idx");
  opcode.take("uni");
  if (!opcode.isEmpty() || decoder.operandCount() != (byTable ? 2 : 1))
    return false;
  std::string_view label = decoder.statement().operands.back().name;
  size_t number = decoder.operationCount();
  if (!byTable) {
    decoder.emit(branch);
    decoder.branchTo(number, label);
    return true;
  }
  auto targets = decoder.function().branchTargets.find(label);
  if (targets == decoder.function().branchTargets.end()) {
    decoder.fail("expected the targets of a branch before it");
    return true;
  }
  uint32_t index = decoder.source(0, PtxType::kU32);
  auto first = uint32_t(decoder.lists().size());
  decoder.lists().resize(first + targets->second.size());
  PtxOperation &one = decoder.emit(branchByTable);
  one.a = index;
  one.first = first;
  one.count = uint32_t(targets->second.size());
  for (std::string_view target : targets->second)
    decoder.branchTo(number, target);
  return true;
}

// The one function of the driver that device code calls.
static bool decodeCall(PtxDecoder &decoder, PtxOpcode opcode) {
  opcode.take("uni");
  const std::vector<PtxOperand> &operands = decoder.statement().operands;
  if (!opcode.isEmpty() || operands.size() != 2 || operands[0].name != "cudaGraphSetConditional") {
    decoder.fail("expected a call of cudaGraphSetConditional, the one function that there is");
    return true;
  }
  const std::vector<PtxOperand> &given = operands[1].list;
  const PtxDecoder::Parameter *handle = nullptr, *value = nullptr;
  if (given.size() == 2) {
    handle = decoder.parameter(given[0].name);
    value = decoder.parameter(given[1].name);
  }
  if (!handle || !value || handle->bytes != 8 || value->bytes != 4) {
    decoder.fail("expected parameters of 8 and 4 bytes");
    return true;
  }
  PtxOperation &one = decoder.emit(setConditional);
  one.a = handle->slot;
  one.b = value->slot;
  return true;
}

static bool decodeCountingBarrier(PtxDecoder &decoder, PtxOpcode opcode) {
  int count = opcode.takeOne({"and", "or", "popc"});
  PtxType type = opcode.takeType();
  if (count < 0 || !opcode.isEmpty() || decoder.operandCount() != 3 ||
      type != (count == 2 ? PtxType::kU32 : PtxType::kPred))
    return false;
  constexpr PtxHandler kHandlers[] = {countingBarrier<Count::kAll>, countingBarrier<Count::kAny>,
                                      countingBarrier<Count::kOnes>};
  uint32_t d = decoder.target(0, type), a = decoder.source(1, PtxType::kU32),
           b = decoder.source(2, PtxType::kPred);
  PtxOperation &one = decoder.emit(kHandlers[count]);
  one.d = d;
  one.a = a;
  one.b = b;
  one.first = decoder.statement().operands[2].negated;
  return true;
}

// Of all threads of the block; those for a number of threads are not simulated.
static bool decodeBarrier(PtxDecoder &decoder, PtxOpcode opcode) {
  bool aligned = opcode.is("bar");
  opcode.take("cta");
  if (opcode.take("red"))
    return aligned && decodeCountingBarrier(decoder, opcode);
  if (!opcode.take("sync"))
    return false;
  aligned |= opcode.take("aligned");
  if (!opcode.isEmpty() || decoder.operandCount() != 1)
    return false;
  uint32_t number = decoder.source(0, PtxType::kU32);
  decoder.emit(aligned ? barrier<true> : barrier<false>).a = number;
  return true;
}

bool decodeControl(PtxDecoder &decoder, PtxOpcode opcode) {
  if (opcode.is("bra") || opcode.is("brx"))
    return decodeBranch(decoder, opcode);
  if (opcode.is("call"))
    return decodeCall(decoder, opcode);
  if (opcode.is("barrier") || (opcode.is("bar") && !opcode.take("warp")))
    return decodeBarrier(decoder, opcode);
  if (opcode.is("membar") || opcode.is("fence")) {
    opcode.takeAny({"cta", "gl", "gpu", "sys", "sc", "acq_rel"});
    decoder.emit(nothing);
    return opcode.isEmpty();
  }
  if (!opcode.isEmpty() || decoder.operandCount())
    return false;
  if (opcode.is("ret") || opcode.is("exit"))
    decoder.emit(leave);
  else if (opcode.is("trap"))
    decoder.emit(trap);
  else
    return false;
  return true;
}

} // namespace sluice::rt::sim
