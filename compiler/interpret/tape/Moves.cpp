// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of ops that move elements, and of such that add them up. Neither needs to be known: run
// once more, on marks in place of elements, the op tells where each comes from; and run on one 1
// among zeros, what one element adds to. So they hold for every way to cut, join and index.
#include "compiler/interpret/tape/Rules.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace sluice::interpret {

namespace {

const llvm::StringSet<> kMoves = {"nd.assume_shape",
                                  "nd.broadcast_to",
                                  "nd.concat",
                                  "nd.expand_dims",
                                  "nd.fill",
                                  "nd.gather",
                                  "nd.gather_nd",
                                  "nd.match_shape",
                                  "nd.one_hot",
                                  "nd.pack",
                                  "nd.pad",
                                  "nd.reshape",
                                  "nd.reverse",
                                  "nd.row",
                                  "nd.select",
                                  "nd.set_row",
                                  "nd.slice",
                                  "nd.split",
                                  "nd.split_v",
                                  "nd.squeeze",
                                  "nd.strided_slice",
                                  "nd.strided_slice_grad",
                                  "nd.tile",
                                  "nd.transpose",
                                  "nd.unpack",
                                  "list.append",
                                  "list.concat",
                                  "list.declare_limit",
                                  "list.declare_shape",
                                  "list.gather",
                                  "list.get",
                                  "list.join",
                                  "list.map_erase",
                                  "list.map_insert",
                                  "list.map_lookup",
                                  "list.map_lookup_or",
                                  "list.only",
                                  "list.peek",
                                  "list.pop",
                                  "list.push",
                                  "list.resize",
                                  "list.rows",
                                  "list.set",
                                  "list.stack",
                                  "list.unstack"};

const llvm::StringSet<> kSums = {"nd.cumsum", "nd.scatter_nd", "list.accumulate", "list.add"};

constexpr size_t kMostUnits = 4096; // elements of which each is looked at by itself

// What other elements are found by, and not moved itself.
bool isKey(const Step &step, size_t input) {
  return input == 1 && step.op->getName().getStringRef().starts_with("list.map_");
}

rt::Status ruleOfMoves(Step &step) {
  Tensors inputs(step.inputs.begin(), step.inputs.end());
  std::vector<uint64_t> firsts;
  uint64_t next = 1; // 0 is an element that comes from nowhere
  for (size_t i = 0; i < inputs.size(); ++i) {
    firsts.push_back(next);
    if (!isContinuous(inputs[i]) || isKey(step, i))
      continue;
    SLUICE_ASSIGN_OR_RETURN(inputs[i], withMarks(inputs[i], next));
    if (step.wanted[i])
      step.ofInputs[i].resize(next - firsts[i]);
  }
  SLUICE_ASSIGN_OR_RETURN(Tensors outputs, step.run(inputs));
  for (size_t k = 0; k < outputs.size(); ++k) {
    if (!isContinuous(outputs[k]))
      continue;
    SLUICE_ASSIGN_OR_RETURN(Marks marks, marksOf(outputs[k]));
    if (marks.size() != step.ofOutputs[k].size())
      return rt::internalError("an op on marks gave another number of elements");
    for (size_t place = 0; place < marks.size(); ++place) {
      if (marks[place] == 0)
        continue;
      auto from = static_cast<size_t>(llvm::upper_bound(firsts, marks[place]) - firsts.begin()) - 1;
      if (step.wanted[from])
        step.ofInputs[from][marks[place] - firsts[from]] += step.ofOutputs[k][place];
    }
  }
  return rt::okStatus();
}

rt::Status ruleOfSums(Step &step) {
  Tensors zeros(step.inputs.begin(), step.inputs.end());
  std::vector<size_t> counts(zeros.size());
  for (size_t i = 0; i < zeros.size(); ++i) {
    if (!isContinuous(zeros[i]))
      continue;
    size_t used = 0;
    SLUICE_ASSIGN_OR_RETURN(counts[i], countNumbers(zeros[i]));
    SLUICE_ASSIGN_OR_RETURN(zeros[i], withNumbers(zeros[i], Numbers(counts[i]), used));
    if (step.wanted[i] && counts[i] > kMostUnits)
      return rt::unimplemented("the interpreter has no derivative of a sum of so many elements");
  }
  for (size_t i = 0; i < zeros.size(); ++i)
    for (size_t place = 0; step.wanted[i] && place < counts[i]; ++place) {
      Numbers unit(counts[i]);
      unit[place] = 1;
      size_t used = 0;
      Tensors inputs = zeros;
      SLUICE_ASSIGN_OR_RETURN(inputs[i], withNumbers(step.inputs[i], unit, used));
      SLUICE_ASSIGN_OR_RETURN(Tensors outputs, step.run(inputs));
      SLUICE_ASSIGN_OR_RETURN(Numbers sums, numbersOf(outputs[0]));
      double sum = 0;
      for (size_t k = 0; k < sums.size(); ++k)
        sum += sums[k] * step.ofOutputs[0][k];
      step.ofInputs[i].push_back(sum);
    }
  return rt::okStatus();
}

// These do one or the other, as an attribute says.
rt::Status ruleOfWrites(Step &step) {
  return step.flag("accumulate") ? ruleOfSums(step) : ruleOfMoves(step);
}

rt::Status ruleOfUpdates(Step &step) {
  StringRef how = step.op->getAttrOfType<StringAttr>("how").getValue();
  if (how == "update")
    return ruleOfMoves(step);
  if (how == "add" || how == "sub")
    return ruleOfSums(step);
  return rt::unimplemented("the interpreter has no derivative of nd.update_points with \"" +
                           how.str() + "\"");
}

// Elements of the operand, at the positions along its last dim that the op itself tells.
rt::Status ruleOfPicked(Step &step) {
  int64_t picked = step.outputs[0].dim(step.outputs[0].rank() - 1);
  int64_t line = step.inputs[0].dim(step.inputs[0].rank() - 1);
  step.ofInputs[0].resize(static_cast<size_t>(step.inputs[0].elements()));
  for (int64_t i = 0; i < step.outputs[0].elements(); ++i)
    step.ofInputs[0][static_cast<size_t>(i / picked * line + step.outputs[1].asInt(i))] +=
        step.ofOutputs[0][static_cast<size_t>(i)];
  return rt::okStatus();
}

} // namespace

Rule findMovingRule(StringRef name) {
  if (kMoves.contains(name))
    return ruleOfMoves;
  if (kSums.contains(name))
    return ruleOfSums;
  if (name == "list.scatter" || name == "list.split")
    return ruleOfWrites;
  if (name == "nd.update_points")
    return ruleOfUpdates;
  return name == "nd.top_k" || name == "nd.list_diff" ? ruleOfPicked : nullptr;
}

} // namespace sluice::interpret
