// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow's Einsum: sums, transposes and at most one product of matrices. Labels of both
// operands that stay are dims of a batch, labels of both that vanish are what the product sums
// over. A label that an operand has twice is a diagonal, of which there is one axis from the start;
// one that the result has twice is a diagonal that is filled up with zeros at the end.
#include "compiler/import/tensorflow/Checks.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace sluice::import {

namespace {

constexpr char kEllipsis = '.'; // stands for any number of leading dims

// An operand, and a label for each of its axes.
struct Labelled {
  Value value;
  std::string labels;

  bool has(char label) const { return labels.find(label) != std::string::npos; }
};

// The axis of a label as a vector of one. Behind an ellipsis axes are counted from the end.
Value axisOf(Expansion &e, const Labelled &x, size_t position) {
  if (x.labels.find(kEllipsis) > position)
    return e.ints({static_cast<int64_t>(position)});
  auto fromEnd = static_cast<int64_t>(x.labels.size() - position);
  return flat(e, e.like<nd::SubOp>({rankOf(e, x.value), e.int32(fromEnd)}));
}

// The axes at these positions as a vector; that of the ellipsis stands for a range.
Value axesAt(Expansion &e, const Labelled &x, ArrayRef<size_t> positions) {
  SmallVector<Value> axes;
  for (size_t position : positions) {
    if (x.labels[position] != kEllipsis) {
      axes.push_back(axisOf(e, x, position));
      continue;
    }
    Value others = e.int32(static_cast<int64_t>(x.labels.size() - position - 1));
    Value end = e.like<nd::SubOp>({rankOf(e, x.value), others});
    axes.push_back(e.like<nd::RangeOp>({e.int32(static_cast<int64_t>(position)), end, e.int32(1)}));
  }
  return axes.empty() ? e.ints({}) : joined(e, axes);
}

// Of distinct labels.
Value axesOf(Expansion &e, const Labelled &x, StringRef labels) {
  SmallVector<size_t> positions;
  for (char label : labels)
    positions.push_back(x.labels.find(label));
  return axesAt(e, x, positions);
}

// With the axes at these positions behind all others, in this order.
Labelled withLast(Expansion &e, const Labelled &x, ArrayRef<size_t> last) {
  SmallVector<size_t> order;
  for (size_t i = 0; i < x.labels.size(); ++i)
    if (!llvm::is_contained(last, i))
      order.push_back(i);
  order.append(last.begin(), last.end());
  Labelled turned{transposed(e, x.value, axesAt(e, x, order)), ""};
  for (size_t position : order)
    turned.labels += x.labels[position];
  return turned;
}

Labelled inOrder(Expansion &e, const Labelled &x, const std::string &labels) {
  return x.labels == labels ? x : Labelled{transposed(e, x.value, axesOf(e, x, labels)), labels};
}

// Without the labels that stand nowhere else.
Labelled summed(Expansion &e, const Labelled &x, const std::string &wanted) {
  std::string kept, others;
  for (char label : x.labels)
    (wanted.find(label) == std::string::npos ? others : kept) += label;
  if (others.empty())
    return x;
  return {e.like<nd::ReduceSumOp>({x.value, axesOf(e, x, others)}, e.flag("keep_dims", false)),
          kept};
}

// So many dims from an axis that is counted from the end.
Value dimsFromEnd(Expansion &e, Value dims, size_t axis, size_t count) {
  Value start = e.like<nd::SubOp>({sizeOf(e, dims), e.int32(static_cast<int64_t>(axis))});
  return part(e, dims, start, e.int32(static_cast<int64_t>(count)));
}

Value leadingDims(Expansion &e, Value dims, size_t others) {
  Value count = e.like<nd::SubOp>({sizeOf(e, dims), e.int32(static_cast<int64_t>(others))});
  return part(e, dims, e.int32(0), count);
}

// The last dims in two groups, each of which becomes one dim.
Value asMatrices(Expansion &e, Value x, size_t rows, size_t columns) {
  if (rows == 1 && columns == 1)
    return x;
  Value dims = dimsOf(e, x);
  return reshaped(e, x,
                  joined(e, {leadingDims(e, dims, rows + columns),
                             flat(e, product(e, dimsFromEnd(e, dims, rows + columns, rows))),
                             flat(e, product(e, dimsFromEnd(e, dims, columns, columns)))}));
}

Labelled multiplied(Expansion &e, const Labelled &a, const Labelled &b, const std::string &wanted) {
  auto isWanted = [&](char label) { return wanted.find(label) != std::string::npos; };
  std::string batch, vanishing, rows, columns;
  for (char label : wanted)
    if (label == kEllipsis || (a.has(label) && b.has(label)))
      batch += label;
  for (char label : a.labels)
    if (b.has(label) && !isWanted(label))
      vanishing += label;
    else if (batch.find(label) == std::string::npos)
      rows += label;
  for (char label : b.labels)
    if (!a.has(label) && label != kEllipsis)
      columns += label;
  // An ellipsis comes first, so that an operand without it has fewer dims, which is broadcast.
  if (size_t at = batch.find(kEllipsis); at != std::string::npos)
    batch = kEllipsis + batch.erase(at, 1);
  auto batchOf = [&](const Labelled &x) {
    bool lacksEllipsis = !x.has(kEllipsis) && !batch.empty() && batch.front() == kEllipsis;
    return lacksEllipsis ? batch.substr(1) : batch;
  };
  Value left = inOrder(e, a, batchOf(a) + rows + vanishing).value;
  Value right = inOrder(e, b, batchOf(b) + vanishing + columns).value;
  Value products =
      e.like<nd::MatmulOp>({asMatrices(e, left, rows.size(), vanishing.size()),
                            asMatrices(e, right, vanishing.size(), columns.size())},
                           {e.flag("transpose_lhs", false), e.flag("transpose_rhs", false),
                            e.flag("adjoint_lhs", false), e.flag("adjoint_rhs", false)});
  if (rows.size() != 1 || columns.size() != 1) {
    Value rowDims = dimsFromEnd(e, dimsOf(e, left), rows.size() + vanishing.size(), rows.size());
    Value columnDims = dimsFromEnd(e, dimsOf(e, right), columns.size(), columns.size());
    products = reshaped(e, products,
                        joined(e, {leadingDims(e, dimsOf(e, products), 2), rowDims, columnDims}));
  }
  return {products, batch + rows + columns};
}

// ---- Labels that occur twice

// The position of a label that stands at an earlier one too, and that one.
std::optional<std::pair<size_t, size_t>> twiceIn(const std::string &labels) {
  for (size_t i = 0; i < labels.size(); ++i)
    if (size_t first = labels.find(labels[i]); first != i)
      return std::pair(first, i);
  return std::nullopt;
}

Labelled withDiagonals(Expansion &e, Checks &checks, Labelled x) {
  while (auto twice = twiceIn(x.labels)) {
    Labelled turned = withLast(e, x, {twice->first, twice->second});
    Value dims = dimsOf(e, turned.value), size = sizeFromEnd(e, dims, -1);
    checks.require(e.compare<nd::EqualOp>(sizeFromEnd(e, dims, -2), size),
                   "expected equal sizes of the axes of a label", dims);
    Value all = flat(e, e.like<nd::MulOp>({size, size}));
    Value inOneDim =
        reshaped(e, checks.checked(turned.value), joined(e, {leadingDims(e, dims, 2), all}));
    Value step = e.like<nd::AddOp>({size, e.int32(1)});
    Value at = e.like<nd::MulOp>({numbersBelow(e, size), step});
    turned.labels.pop_back();
    x = {gathered(e, inOneDim, at, e.int32(-1)), turned.labels};
  }
  return x;
}

// The last axis twice, with zeros beside the diagonal.
Labelled withLastTwice(Expansion &e, const Labelled &x) {
  Value size = sizeFromEnd(e, dimsOf(e, x.value), -1), numbers = numbersBelow(e, size);
  Value is = e.compare<nd::EqualOp>(numbers, reshaped(e, numbers, e.ints({-1, 1})));
  Value row = e.like<nd::ExpandDimsOp>({x.value, e.int32(-2)});
  Value zero = e.scalar(e.elementOf(x.value), 0);
  return {selected(e, is, row, zero), x.labels + x.labels.back()};
}

// What has each label of the result once.
Value asResult(Expansion &e, Labelled x, const std::string &result) {
  const std::string labels = x.labels;
  for (char label : labels)
    for (auto count = llvm::count(result, label); count > 1; --count)
      x = withLastTwice(e, withLast(e, x, {x.labels.find(label)}));
  SmallVector<size_t> positions;
  for (char label : result) {
    size_t position = x.labels.find(label);
    while (llvm::is_contained(positions, position))
      position = x.labels.find(label, position + 1);
    positions.push_back(position);
  }
  return x.labels == result ? x.value : transposed(e, x.value, axesAt(e, x, positions));
}

struct Equation {
  std::vector<std::string> operands;
  std::string result;
};

// "ab,bc->ac". Nothing, after a diagnostic, if it is none.
std::optional<Equation> equationOf(Expansion &e) {
  std::string text = e.stringAttr("equation");
  llvm::erase(text, ' ');
  auto [operands, result] = StringRef(text).split("->");
  Equation equation;
  SmallVector<StringRef> parts;
  operands.split(parts, ',');
  parts.push_back(result);
  for (StringRef part : parts) {
    auto [before, after] = part.split("...");
    bool hasEllipsis = before.size() != part.size();
    std::string labels =
        before.str() + (hasEllipsis ? std::string(1, kEllipsis) : "") + after.str();
    bool isRight = llvm::all_of((before + after).str(), llvm::isAlpha);
    if (!isRight || text.find("->") == std::string::npos || parts.size() != e.numInputs() + 1) {
      e.fail(ExitCode::kBadGraph, "attribute 'equation': expected labels for " +
                                      std::to_string(e.numInputs()) +
                                      " operands, as 'ab,bc->ac', but got '" + text + "'");
      return std::nullopt;
    }
    equation.operands.push_back(labels);
  }
  equation.result = equation.operands.back();
  equation.operands.pop_back();
  return equation;
}

bool isPossible(Expansion &e, const Equation &equation) {
  std::string all;
  for (const std::string &labels : equation.operands)
    all += labels;
  for (char label : equation.result)
    if (all.find(label) == std::string::npos) {
      e.fail(ExitCode::kBadGraph, std::string("attribute 'equation': expected the label '") +
                                      label + "' of the result among those of operands");
      return false;
    }
  if (equation.operands.size() > 2)
    e.unsupported("expected one or two operands but got " +
                  std::to_string(equation.operands.size()));
  return !e.failed();
}

// An ellipsis that only one side has stands for no dims.
void dropEmptyEllipses(Equation &equation) {
  auto has = [](const std::string &labels) { return llvm::is_contained(labels, kEllipsis); };
  bool isInOperands = llvm::any_of(equation.operands, has);
  if (isInOperands == has(equation.result))
    return;
  llvm::erase(equation.result, kEllipsis);
  for (std::string &labels : equation.operands)
    llvm::erase(labels, kEllipsis);
}

// An operand has an axis for each label, and any number for an ellipsis.
Labelled withAxes(Expansion &e, Checks &checks, Value x, const std::string &labels) {
  auto count = static_cast<int64_t>(labels.size());
  bool hasEllipsis = labels.find(kEllipsis) != std::string::npos;
  Value rank = rankOf(e, x);
  checks.require(hasEllipsis ? e.compare<nd::GreaterEqualOp>(rank, e.int32(count - 1))
                             : e.compare<nd::EqualOp>(rank, e.int32(count)),
                 "expected an axis for each label but got the rank", rank);
  return {checks.checked(x), labels};
}

// A product would broadcast these, and a label stands for one size. It asks the same of labels that
// vanish.
void requireEqualSizes(Expansion &e, Checks &checks, const Labelled &a, const Labelled &b,
                       const std::string &wanted) {
  SmallVector<Value> ofA, ofB;
  for (char label : wanted)
    if (label != kEllipsis && a.has(label) && b.has(label)) {
      ofA.push_back(axisOf(e, a, a.labels.find(label)));
      ofB.push_back(axisOf(e, b, b.labels.find(label)));
    }
  if (ofA.empty())
    return;
  Value sizes = gathered(e, dimsOf(e, a.value), joined(e, ofA), e.int32(0));
  Value others = gathered(e, dimsOf(e, b.value), joined(e, ofB), e.int32(0));
  checks.require(e.compare<nd::EqualOp>(sizes, others),
                 "expected equal sizes of the axes of a label", others);
}

void einsum(Expansion &e) {
  auto equation = equationOf(e);
  if (!equation)
    return;
  dropEmptyEllipses(*equation);
  if (!isPossible(e, *equation))
    return;
  auto inputs = e.afterAllInputs(e.inputs());
  std::string result; // each label once
  for (char label : equation->result)
    if (!llvm::is_contained(result, label))
      result += label;
  Checks checks(e);
  auto operand = [&](size_t i) {
    return withDiagonals(e, checks, withAxes(e, checks, inputs[i], equation->operands[i]));
  };
  Labelled a = operand(0);
  if (inputs.size() == 1)
    return e.result(0, asResult(e, summed(e, a, result), equation->result));
  Labelled b = operand(1);
  requireEqualSizes(e, checks, a, b, result);
  a.value = checks.checked(a.value);
  b.value = checks.checked(b.value);
  a = summed(e, a, result + b.labels);
  b = summed(e, b, result + a.labels);
  e.result(0, asResult(e, multiplied(e, a, b, result), equation->result));
}

constexpr OpExpansion kOps[] = {
    {"Einsum", einsum, Style::kPure, "equation"},
};

} // namespace

ArrayRef<OpExpansion> einsumOps() { return kOps; }

} // namespace sluice::import
