// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel of features that are crossed: sci.sparse_cross.
#include "runtime/base/pieces.h"
#include "runtime/kernels/attributes/sci.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/text_hashes.h"
#include "runtime/kernels/text_work.h"

#include <algorithm>
#include <vector>

namespace sluice::rt {

namespace {

constexpr int64_t kCostOfValue = 256;
// Operands before the columns: the separator, and the numbers.
constexpr size_t kColumns = 2;

size_t sparseColumns(auto &call) {
  return static_cast<size_t>(attributes::sci::SparseCross(call).sparse());
}

// ---- Shapes

Status wrongShape(const char *expected, const Shape &shape) {
  return invalidArgument(std::string("expected ") + expected + " but got the shape " +
                         shape.toString());
}
bool hasOtherRank(const Shape &shape, int rank) { return shape.hasRank() && shape.rank() != rank; }

// Of the operands, of which the first `sparse` columns have three each.
template <typename ShapeOf> Status checkShapes(size_t operands, size_t sparse, ShapeOf shapeOf) {
  if (hasOtherRank(shapeOf(0), 0))
    return wrongShape("a scalar as separator", shapeOf(0));
  if (hasOtherRank(shapeOf(1), 1) ||
      (shapeOf(1).hasRank() && shapeOf(1).dim(0) >= 0 && shapeOf(1).dim(0) != 3))
    return wrongShape("three numbers", shapeOf(1));
  size_t i = kColumns;
  for (; sparse > 0; --sparse, i += 3) {
    const Shape &indices = shapeOf(i), &values = shapeOf(i + 1), &dims = shapeOf(i + 2);
    if (hasOtherRank(indices, 2) ||
        (indices.hasRank() && indices.dim(1) >= 0 && indices.dim(1) != 2))
      return wrongShape("indices of a matrix", indices);
    if (hasOtherRank(values, 1) || (values.hasRank() && indices.hasRank() && values.dim(0) >= 0 &&
                                    indices.dim(0) >= 0 && values.dim(0) != indices.dim(0)))
      return wrongShape("a value for each index", values);
    if (hasOtherRank(dims, 1) || (dims.hasRank() && dims.dim(0) >= 0 && dims.dim(0) != 2))
      return wrongShape("two dims", dims);
  }
  for (; i < operands; ++i)
    if (hasOtherRank(shapeOf(i), 2))
      return wrongShape("a dense matrix", shapeOf(i));
  return okStatus();
}

Status crossShape(ShapeCall &call) {
  SLUICE_RETURN_IF_ERROR(checkShapes(call.numInputs(), sparseColumns(call),
                                     [&](size_t i) -> const Shape & { return call.input(i); }));
  call.output(0) = Shape{Shape::kUnknown, 2};
  call.output(1) = Shape{Shape::kUnknown};
  call.output(2) = Shape{2};
  return okStatus();
}

// ---- Columns

// The features of each row are neighbours.
struct Column {
  const Tensor *values;
  std::vector<int64_t> begins; // of each row, and the end of the last

  int64_t features(int64_t row) const { return begin(row + 1) - begin(row); }
  int64_t begin(int64_t row) const { return begins[static_cast<size_t>(row)]; }
};

Status addSparse(KernelCall &call, size_t i, int64_t rows, Column &column) {
  const auto *indices = call.input(i).data<int64_t>();
  column.values = &call.input(i + 1);
  int64_t row = 0;
  for (int64_t k = 0, n = column.values->elements(); k < n; ++k) {
    int64_t of = indices[2 * k];
    if (of < 0 || of >= rows)
      return invalidArgument("expected rows below " + std::to_string(rows) + " but got " +
                             std::to_string(of));
    if (k > 0 && of < indices[2 * k - 2])
      return invalidArgument("expected indices in the order of their rows but got " +
                             std::to_string(of) + " behind " + std::to_string(indices[2 * k - 2]));
    for (; row <= of; ++row)
      column.begins.push_back(k);
  }
  for (; row <= rows; ++row)
    column.begins.push_back(column.values->elements());
  return okStatus();
}

Result<std::vector<Column>> columnsOf(KernelCall &call, int64_t &rows) {
  std::vector<Column> columns;
  size_t sparse = sparseColumns(call), i = kColumns;
  auto firstDim = [&](size_t operand) { return call.input(operand).shape().dim(0); };
  rows = sparse > 0 ? call.input(i + 2).data<int64_t>()[0] : firstDim(i);
  if (rows < 0)
    return invalidArgument("expected a number of rows but got " + std::to_string(rows));
  // Dims may say anything.
  constexpr int64_t kMostRows = int64_t{1} << 48;
  size_t columnCount = sparse + call.numInputs() - kColumns - 3 * sparse;
  if (rows > kMostRows ||
      !textHasRoom(static_cast<size_t>(rows + 1) * sizeof(int64_t) * columnCount))
    return resourceExhausted("not enough memory for features of " + std::to_string(rows) + " rows");
  auto checkRows = [&](int64_t given) {
    return given == rows ? okStatus()
                         : invalidArgument("Expected batch size " + std::to_string(rows) + " got " +
                                           std::to_string(given));
  };
  for (; sparse > 0; --sparse, i += 3) {
    SLUICE_RETURN_IF_ERROR(checkRows(call.input(i + 2).data<int64_t>()[0]));
    SLUICE_RETURN_IF_ERROR(addSparse(call, i, rows, columns.emplace_back()));
  }
  for (; i < call.numInputs(); ++i) {
    SLUICE_RETURN_IF_ERROR(checkRows(firstDim(i)));
    Column &column = columns.emplace_back(Column{&call.input(i), {}});
    for (int64_t row = 0; row <= rows; ++row)
      column.begins.push_back(row * call.input(i).shape().dim(1));
  }
  return columns;
}

// ---- Features

uint64_t shiftMix(uint64_t v) { return v ^ (v >> 47); }
// Of two fingerprints, the one of both; what is stored depends on it.
uint64_t joined(uint64_t first, uint64_t second) {
  constexpr uint64_t kFactor = 0xc6a4a7935bd1e995;
  uint64_t mixed = (first ^ kFactor ^ (shiftMix(second * kFactor) * kFactor)) * kFactor;
  return shiftMix(shiftMix(mixed) * kFactor);
}

class Crosser {
public:
  explicit Crosser(KernelCall &call)
      : how_(attributes::sci::SparseCross(call).how()),
        separator_(*call.input(0).data<std::string>()), numbers_(call.input(1).data<int64_t>()) {}

  bool joins() const { return how_ == "join"; }
  std::string text(const std::vector<Column> &columns, const std::vector<int64_t> &at) const {
    std::string text;
    for (size_t i = 0; i < columns.size(); ++i) {
      text += i > 0 ? separator_ : "";
      const Tensor &values = *columns[i].values;
      text += values.dtype() == DType::kString ? values.data<std::string>()[at[i]]
                                               : std::to_string(values.data<int64_t>()[at[i]]);
    }
    return text;
  }
  int64_t number(const std::vector<Column> &columns, const std::vector<int64_t> &at) const {
    bool isSeeded = how_ == "seeded";
    auto hash = static_cast<uint64_t>(numbers_[1]);
    for (size_t i = 0; i < columns.size(); ++i) {
      uint64_t next = feature(*columns[i].values, at[i]);
      hash = i > 0 || isSeeded ? joined(hash, next) : next;
    }
    int64_t buckets = numbers_[0] > 0 ? numbers_[0] : INT64_MAX;
    return static_cast<int64_t>(hash % static_cast<uint64_t>(buckets));
  }

private:
  uint64_t feature(const Tensor &values, int64_t i) const {
    if (values.dtype() != DType::kString)
      return static_cast<uint64_t>(values.data<int64_t>()[i]);
    const std::string &text = values.data<std::string>()[i];
    return how_ == "keyed" ? sipHash24(text, static_cast<uint64_t>(numbers_[1]),
                                       static_cast<uint64_t>(numbers_[2]))
                           : fingerprint64(text);
  }

  std::string_view how_;
  const std::string &separator_;
  const int64_t *numbers_;
};

// ---- All rows

// How many features a row of all columns has; negative if nobody can hold so many.
int64_t crossed(const std::vector<Column> &columns, int64_t row) {
  int64_t count = 1;
  for (const Column &column : columns)
    count *= column.features(row) == 0 ? 0 : 1;
  for (const Column &column : columns)
    if (count > 0 && __builtin_mul_overflow(count, column.features(row), &count))
      return -1;
  return count;
}

// The next choice of features of a row, the last column first.
void advance(const std::vector<Column> &columns, int64_t row, std::vector<int64_t> &at) {
  for (size_t i = columns.size(); i-- > 0;) {
    if (++at[i] < columns[i].begin(row + 1))
      return;
    at[i] = columns[i].begin(row);
  }
}

Status store(KernelCall &call, const std::vector<Column> &columns, int64_t rows) {
  const Crosser crosser(call);
  auto *indices = call.output(0).data<int64_t>();
  std::vector<int64_t> at(columns.size());
  TurnsOfCall turns(kCostOfValue);
  for (int64_t row = 0, to = 0; row < rows; ++row) {
    for (size_t i = 0; i < columns.size(); ++i)
      at[i] = columns[i].begin(row);
    for (int64_t k = 0, n = crossed(columns, row); k < n; ++k, ++to) {
      if (turns.end())
        return cancelledWork();
      indices[2 * to] = row;
      indices[2 * to + 1] = k;
      if (crosser.joins())
        SLUICE_RETURN_IF_ERROR(
            storeText(crosser.text(columns, at), call.output(1).data<std::string>()[to]));
      else
        call.output(1).data<int64_t>()[to] = crosser.number(columns, at);
      advance(columns, row, at);
    }
  }
  return okStatus();
}

Status crossRun(KernelCall &call) {
  SLUICE_RETURN_IF_ERROR(
      checkShapes(call.numInputs(), sparseColumns(call),
                  [&](size_t i) -> const Shape & { return call.input(i).shape(); }));
  int64_t rows = 0, total = 0, widest = 0;
  SLUICE_ASSIGN_OR_RETURN(std::vector<Column> columns, columnsOf(call, rows));
  for (int64_t row = 0; row < rows; ++row) {
    int64_t count = crossed(columns, row);
    if (count < 0 || __builtin_add_overflow(total, count, &total))
      return resourceExhausted("not enough memory for all crossed features");
    widest = std::max(widest, count);
  }
  bool joins = Crosser(call).joins();
  SLUICE_ASSIGN_OR_RETURN(call.output(0), Tensor::allocate(DType::kI64, Shape{total, 2}));
  SLUICE_ASSIGN_OR_RETURN(call.output(1),
                          Tensor::allocate(joins ? DType::kString : DType::kI64, Shape{total}));
  SLUICE_ASSIGN_OR_RETURN(call.output(2), Tensor::allocate(DType::kI64, Shape{2}));
  call.output(2).data<int64_t>()[0] = rows;
  call.output(2).data<int64_t>()[1] = widest;
  return store(call, columns, rows);
}

} // namespace

SLUICE_DEFINE_KERNEL(sci_sparse_cross, {crossShape, crossRun, Kernel::kAllocates})

} // namespace sluice::rt
