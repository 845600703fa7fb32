// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of products of matrices, and of ops of graph files whose derivatives are not those of what
// computes them. Those of any other name are. Before the inputs stand what the results were made
// of, one each.
#include "compiler/interpret/tape/Rules.h"

#include "dialects/flow/Flow.h"

using namespace mlir;

namespace sluice::interpret {

// Of the inputs from `first` on.
static rt::Status ruleOfProduct(Step &step, size_t first) {
  const rt::Shape &left = step.inputs[first].shape(), &right = step.inputs[first + 1].shape();
  const rt::Shape &result = step.outputs[0].shape();
  bool turnsLeft = step.flag("transpose_lhs") || step.flag("adjoint_lhs");
  bool turnsRight = step.flag("transpose_rhs") || step.flag("adjoint_rhs");
  SLUICE_ASSIGN_OR_RETURN(Numbers a, numbersOf(step.inputs[first]));
  SLUICE_ASSIGN_OR_RETURN(Numbers b, numbersOf(step.inputs[first + 1]));
  int64_t rows = result.dim(result.rank() - 2), columns = result.dim(result.rank() - 1);
  int64_t inner = left.dim(left.rank() - (turnsLeft ? 2 : 1));
  auto batchOf = [](const rt::Shape &shape) {
    return rt::Shape(shape.dims().first(shape.dims().size() - 2));
  };
  rt::Shape batch = batchOf(result);
  Numbers da(a.size()), db(b.size());
  for (int64_t n = 0; n < batch.elements(); ++n) {
    int64_t firstA = placeInOperand(n, batch, batchOf(left)) * rows * inner;
    int64_t firstB = placeInOperand(n, batch, batchOf(right)) * inner * columns;
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j) {
        double dc = step.ofOutputs[0][static_cast<size_t>((n * rows + i) * columns + j)];
        for (int64_t k = 0; k < inner; ++k) {
          auto inA = static_cast<size_t>(firstA + (turnsLeft ? k * rows + i : i * inner + k));
          auto inB = static_cast<size_t>(firstB + (turnsRight ? j * inner + k : k * columns + j));
          da[inA] += dc * b[inB];
          db[inB] += dc * a[inA];
        }
      }
  }
  step.ofInputs[first] = da;
  step.ofInputs[first + 1] = db;
  return rt::okStatus();
}

namespace {

rt::Status ruleOfMatmul(Step &step) { return ruleOfProduct(step, 0); }
rt::Status ruleOfMatmulOnto(Step &step) {
  step.ofInputs[0] = step.ofOutputs[0];
  return ruleOfProduct(step, 1);
}

// Whether the elements of the first input pass through, by what they are.
rt::Status ruleOfRectifier(Step &step, bool (*passes)(double), double otherwise = 0) {
  size_t input = step.outputs.size();
  SLUICE_ASSIGN_OR_RETURN(Numbers x, numbersOf(step.inputs[input]));
  for (size_t i = 0; i < x.size(); ++i)
    step.ofInputs[input].push_back(step.ofOutputs[0][i] * (passes(x[i]) ? 1 : otherwise));
  return rt::okStatus();
}

rt::Status ruleOfRelu(Step &step) {
  return ruleOfRectifier(step, [](double x) { return x > 0; });
}
rt::Status ruleOfRelu6(Step &step) {
  return ruleOfRectifier(step, [](double x) { return x > 0 && x < 6; });
}
rt::Status ruleOfLeakyRelu(Step &step) {
  auto parameters = step.op->getAttrOfType<DictionaryAttr>("parameters");
  auto alpha = parameters ? parameters.getAs<FloatAttr>("alpha") : FloatAttr();
  return ruleOfRectifier(
      step, [](double x) { return x > 0; }, alpha ? alpha.getValueAsDouble() : 0.2);
}

// What lies outside gets nothing; the bounds get what lies beyond them.
rt::Status ruleOfClip(Step &step) {
  SLUICE_ASSIGN_OR_RETURN(Numbers x, numbersOf(step.inputs[1]));
  SLUICE_ASSIGN_OR_RETURN(Numbers low, numbersOf(step.inputs[2]));
  SLUICE_ASSIGN_OR_RETURN(Numbers high, numbersOf(step.inputs[3]));
  Numbers dx(x.size()), dLow(low.size()), dHigh(high.size());
  for (size_t i = 0; i < x.size(); ++i) {
    size_t inLow = low.size() == 1 ? 0 : i, inHigh = high.size() == 1 ? 0 : i;
    double &target = x[i] < low[inLow] ? dLow[inLow] : x[i] > high[inHigh] ? dHigh[inHigh] : dx[i];
    target += step.ofOutputs[0][i];
  }
  step.ofInputs = {Numbers(), dx, dLow, dHigh};
  return rt::okStatus();
}

// What is fed in place of a value has its derivative.
rt::Status ruleOfFed(Step &step) {
  step.ofInputs.back() = step.ofOutputs[0];
  return rt::okStatus();
}

rt::Status ruleOfPrevention(Step &) {
  return rt::unimplemented("expected that no derivative goes through 'PreventGradient'");
}

rt::Status ruleOfOwnGradients(Step &step) {
  return rt::unimplemented(
      "expected ops to differentiate but got one with a gradient of its own, '" +
      step.op->getAttrOfType<StringAttr>("name").str() + "'");
}

// What computes the values tells.
rt::Status ruleOfValues(Step &step) {
  for (size_t i = 0; i < step.outputs.size(); ++i)
    step.ofInputs[i] = step.ofOutputs[i];
  return rt::okStatus();
}

} // namespace

Rule findMatmulRule(StringRef name) {
  if (name == "nd.matmul_onto")
    return ruleOfMatmulOnto;
  return name == "nd.matmul" ? ruleOfMatmul : nullptr;
}

Rule findNamedRule(StringRef name) {
  static const llvm::StringMap<Rule> rules = {
      {"tf.Relu", ruleOfRelu},
      {"tf.Relu6", ruleOfRelu6},
      {"tf.LeakyRelu", ruleOfLeakyRelu},
      {"tf.ClipByValue", ruleOfClip},
      {"tf.fed", ruleOfFed},
      {"tf.PreventGradient", ruleOfPrevention},
  };
  if (!name.starts_with("tf.")) // a function that the graph file has, or has not
    return ruleOfOwnGradients;
  Rule rule = rules.lookup(name);
  return rule ? rule : ruleOfValues;
}

} // namespace sluice::interpret
