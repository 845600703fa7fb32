// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of ops that make one element of several: along axes, or where ids say.
#include "compiler/interpret/tape/Rules.h"

using namespace mlir;

namespace sluice::interpret {

namespace {

enum class Kind { kSum, kMean, kProduct, kExtreme };

// For each element of the operand: of which element of the result it is a part, or -1.
using Groups = std::vector<int64_t>;

Groups groupsOfReduction(const Step &step) {
  const rt::Shape &shape = step.inputs[0].shape();
  std::vector<bool> reduced(static_cast<size_t>(shape.rank()));
  for (int64_t i = 0; i < step.inputs[1].elements(); ++i) {
    int64_t axis = step.inputs[1].asInt(i);
    reduced[static_cast<size_t>(axis < 0 ? axis + shape.rank() : axis)] = true;
  }
  rt::Shape kept = shape; // with dims of 1
  for (int d = 0; d < shape.rank(); ++d)
    if (reduced[static_cast<size_t>(d)])
      kept.setDim(d, 1);
  Groups groups;
  for (int64_t i = 0; i < shape.elements(); ++i)
    groups.push_back(placeInOperand(i, shape, kept));
  return groups;
}

Groups groupsOfSegments(const Step &step) {
  const rt::Tensor &ids = step.inputs[1];
  int64_t total = step.inputs[0].elements();
  int64_t row = ids.elements() ? total / ids.elements() : 1;
  Groups groups;
  for (int64_t i = 0; i < total; ++i) {
    int64_t id = ids.asInt(i / row);
    groups.push_back(id < 0 ? -1 : id * row + i % row);
  }
  return groups;
}

// What comes back to one of a group, of which `members` are all.
double shareOf(size_t i, const std::vector<size_t> &members, Kind kind, const Numbers &x,
               double y) {
  double share = 1;
  switch (kind) {
  case Kind::kSum:
    return 1;
  case Kind::kMean:
    return 1 / static_cast<double>(members.size());
  case Kind::kProduct:
    for (size_t other : members)
      share *= other == i ? 1 : x[other];
    return share;
  case Kind::kExtreme: // all that are equal to it share
    return x[i] == y ? 1 / static_cast<double>(
                               llvm::count_if(members, [&](size_t other) { return x[other] == y; }))
                     : 0;
  }
  return share;
}

rt::Status shareOut(Step &step, const Groups &groups, Kind kind) {
  SLUICE_ASSIGN_OR_RETURN(Numbers x, numbersOf(step.inputs[0]));
  SLUICE_ASSIGN_OR_RETURN(Numbers y, numbersOf(step.outputs[0]));
  std::vector<std::vector<size_t>> members(y.size());
  for (size_t i = 0; i < x.size(); ++i)
    if (groups[i] >= 0)
      members[static_cast<size_t>(groups[i])].push_back(i);
  step.ofInputs[0].resize(x.size());
  for (size_t group = 0; group < y.size(); ++group)
    for (size_t i : members[group])
      step.ofInputs[0][i] =
          step.ofOutputs[0][group] * shareOf(i, members[group], kind, x, y[group]);
  return rt::okStatus();
}

template <Kind kKind> rt::Status ruleOfAxes(Step &step) {
  return shareOut(step, groupsOfReduction(step), kKind);
}
template <Kind kKind> rt::Status ruleOfIds(Step &step) {
  return shareOut(step, groupsOfSegments(step), kKind);
}

// Each element of the result is the product of some elements of its line.
rt::Status ruleOfRunningProduct(Step &step) {
  SLUICE_ASSIGN_OR_RETURN(Numbers x, numbersOf(step.inputs[0]));
  const rt::Shape &shape = step.inputs[0].shape();
  int64_t axis = step.inputs[1].asInt(), inner = 1;
  axis += axis < 0 ? shape.rank() : 0;
  for (int d = static_cast<int>(axis) + 1; d < shape.rank(); ++d)
    inner *= shape.dim(d);
  int64_t size = shape.dim(static_cast<int>(axis));
  bool reverse = step.flag("reverse"), exclusive = step.flag("exclusive");
  auto isPart = [&](int64_t from, int64_t to) {
    return (from == to && !exclusive) || (reverse ? from > to : from < to);
  };
  step.ofInputs[0].resize(x.size());
  for (int64_t first = 0; first < shape.elements(); ++first) {
    if (first / inner % size) // not the first of its line
      continue;
    auto at = [&](int64_t k) { return static_cast<size_t>(first + k * inner); };
    for (int64_t from = 0; from < size; ++from)
      for (int64_t to = 0; to < size; ++to) {
        double product = isPart(from, to) ? step.ofOutputs[0][at(to)] : 0;
        for (int64_t other = 0; other < size; ++other)
          product *= other != from && isPart(other, to) ? x[at(other)] : 1;
        step.ofInputs[0][at(from)] += product;
      }
  }
  return rt::okStatus();
}

} // namespace

Rule findReductionRule(StringRef name) {
  static const llvm::StringMap<Rule> rules = {
      {"nd.reduce_sum", ruleOfAxes<Kind::kSum>},
      {"nd.reduce_mean", ruleOfAxes<Kind::kMean>},
      {"nd.reduce_prod", ruleOfAxes<Kind::kProduct>},
      {"nd.reduce_max", ruleOfAxes<Kind::kExtreme>},
      {"nd.reduce_min", ruleOfAxes<Kind::kExtreme>},
      {"nd.unsorted_segment_sum", ruleOfIds<Kind::kSum>},
      {"nd.unsorted_segment_prod", ruleOfIds<Kind::kProduct>},
      {"nd.unsorted_segment_max", ruleOfIds<Kind::kExtreme>},
      {"nd.unsorted_segment_min", ruleOfIds<Kind::kExtreme>},
      {"nd.cumprod", ruleOfRunningProduct},
  };
  return rules.lookup(name);
}

} // namespace sluice::interpret
