// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of ops that compute element by element: a line each, with the derivative as in a table.
#include "compiler/interpret/tape/Rules.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace mlir;

namespace sluice::interpret {

namespace {

// dy/dx of y = f(x).
struct OfOne {
  StringLiteral op;
  double (*slope)(double x, double y);
};
constexpr OfOne kOfOne[] = {
    {"nd.neg", [](double, double) { return -1.0; }},
    {"nd.abs", [](double x, double) { return double(x > 0) - double(x < 0); }},
    {"nd.sqrt", [](double, double y) { return 0.5 / y; }},
    {"nd.rsqrt", [](double x, double) { return -0.5 / (x * std::sqrt(x)); }},
    {"nd.exp", [](double x, double) { return std::exp(x); }},
    {"nd.expm1", [](double x, double) { return std::exp(x); }},
    {"nd.log", [](double x, double) { return 1 / x; }},
    {"nd.log1p", [](double x, double) { return 1 / (1 + x); }},
    {"nd.tanh", [](double x, double) { return 1 - std::tanh(x) * std::tanh(x); }},
    {"nd.sigmoid", [](double x, double) { return 1 / ((1 + std::exp(-x)) * (1 + std::exp(x))); }},
    {"nd.sin", [](double x, double) { return std::cos(x); }},
    {"nd.cos", [](double x, double) { return -std::sin(x); }},
    {"nd.cast", [](double, double) { return 1.0; }},
    {"nd.l2_loss", [](double x, double) { return x; }},
    {"flow.independent", [](double, double) { return 1.0; }},
};

// dz/da and dz/db of z = f(a, b).
struct Slopes {
  double a, b;
};
struct OfTwo {
  StringLiteral op;
  Slopes (*slopes)(double a, double b);
};
constexpr OfTwo kOfTwo[] = {
    {"nd.add", [](double, double) { return Slopes{1, 1}; }},
    {"nd.sub", [](double, double) { return Slopes{1, -1}; }},
    {"nd.mul", [](double a, double b) { return Slopes{b, a}; }},
    {"nd.div", [](double a, double b) { return Slopes{1 / b, -a / b / b}; }},
    {"nd.div_no_nan",
     [](double a, double b) { return b == 0 ? Slopes{0, 0} : Slopes{1 / b, -a / b / b}; }},
    {"nd.floor_mod", [](double a, double b) { return Slopes{1, -std::floor(a / b)}; }},
    {"nd.trunc_mod", [](double a, double b) { return Slopes{1, -std::trunc(a / b)}; }},
    {"nd.pow",
     [](double a, double b) {
       return Slopes{b * std::pow(a, b - 1), a > 0 ? std::log(a) * std::pow(a, b) : 0};
     }},
    // Of equal numbers the first one is taken.
    {"nd.maximum", [](double a, double b) { return Slopes{double(a >= b), double(a < b)}; }},
    {"nd.minimum", [](double a, double b) { return Slopes{double(a <= b), double(a > b)}; }},
};

// The result has an element for each of the operand, or one for all.
rt::Status ruleOfOne(Step &step) {
  auto line =
      llvm::find_if(kOfOne, [&](auto &l) { return l.op == step.op->getName().getStringRef(); });
  SLUICE_ASSIGN_OR_RETURN(Numbers x, numbersOf(step.inputs[0]));
  SLUICE_ASSIGN_OR_RETURN(Numbers y, numbersOf(step.outputs[0]));
  const Numbers &dy = step.ofOutputs[0];
  for (size_t i = 0; i < x.size(); ++i) {
    size_t place = y.size() == x.size() ? i : 0;
    step.ofInputs[0].push_back(dy[place] * line->slope(x[i], y[place]));
  }
  return rt::okStatus();
}

rt::Status ruleOfTwo(Step &step) {
  auto line =
      llvm::find_if(kOfTwo, [&](auto &l) { return l.op == step.op->getName().getStringRef(); });
  SLUICE_ASSIGN_OR_RETURN(Numbers a, numbersOf(step.inputs[0]));
  SLUICE_ASSIGN_OR_RETURN(Numbers b, numbersOf(step.inputs[1]));
  Numbers da(a.size()), db(b.size());
  const rt::Shape &shape = step.outputs[0].shape();
  for (int64_t i = 0; i < shape.elements(); ++i) {
    auto inA = static_cast<size_t>(placeInOperand(i, shape, step.inputs[0].shape()));
    auto inB = static_cast<size_t>(placeInOperand(i, shape, step.inputs[1].shape()));
    double dz = step.ofOutputs[0][static_cast<size_t>(i)];
    Slopes slopes = line->slopes(a[inA], b[inB]);
    da[inA] += dz * slopes.a;
    db[inB] += dz * slopes.b;
  }
  step.ofInputs = {da, db};
  return rt::okStatus();
}

} // namespace

int64_t placeInOperand(int64_t place, const rt::Shape &of, const rt::Shape &other) {
  int64_t result = 0, stride = 1;
  for (int back = 1; back <= other.rank(); ++back) {
    int64_t coordinate = place % of.dim(of.rank() - back);
    place /= of.dim(of.rank() - back);
    int64_t size = other.dim(other.rank() - back);
    result += size == 1 ? 0 : coordinate * stride;
    stride *= size;
  }
  return result;
}

Rule findElementwiseRule(StringRef name) {
  if (llvm::any_of(kOfOne, [&](auto &line) { return line.op == name; }))
    return ruleOfOne;
  return llvm::any_of(kOfTwo, [&](auto &line) { return line.op == name; }) ? ruleOfTwo : nullptr;
}

} // namespace sluice::interpret
