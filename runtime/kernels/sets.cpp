// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets in sparse tensors: sci.set_operation, sci.set_size.
#include "runtime/base/pieces.h"
#include "runtime/kernels/arguments.h"
#include "runtime/kernels/attributes/sci.h"
#include "runtime/kernels/declare.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <vector>

namespace sluice::rt {

namespace {

constexpr int64_t kCostOfElement = 256;

Status checkShapes(const Shape &indices, const Shape &values, const Shape &dims) {
  if ((indices.hasRank() && indices.rank() != 2) || (values.hasRank() && values.rank() != 1) ||
      (dims.hasRank() && dims.rank() != 1))
    return invalidArgument(
        "expected a matrix of indices, a vector of values and one of dims but got the shapes " +
        indices.toString() + ", " + values.toString() + " and " + dims.toString());
  auto differ = [](int64_t a, int64_t b) { return a >= 0 && b >= 0 && a != b; };
  if (indices.hasRank() && ((values.hasRank() && differ(indices.dim(0), values.dim(0))) ||
                            (dims.hasRank() && differ(indices.dim(1), dims.dim(0)))))
    return invalidArgument("expected a row of indices for each value and a column for each dim "
                           "but got the shapes " +
                           indices.toString() + ", " + values.toString() + " and " +
                           dims.toString());
  return okStatus();
}

// A sparse tensor whose last dim are sets.
class Sets {
public:
  Sets(const Tensor &indices, const Tensor &values, const Tensor &dims)
      : indices_(indices.data<int64_t>()), dims_(dims.data<int64_t>()), values_(values),
        rank_(static_cast<int>(dims.elements())), count_(values.elements()) {}

  // `orders` asks that no index occurs twice, and that all are in order; else groups are.
  Status check(bool orders) const {
    if (rank_ < 2)
      return invalidArgument(format("Invalid rank %d.", rank_));
    TurnsOfCall turns(kCostOfElement);
    for (int64_t i = 0; i < count_; ++i) {
      if (turns.end())
        return cancelledWork();
      for (int k = 0; k < rank_; ++k)
        if (group(i)[k] < 0 || group(i)[k] >= dims_[k])
          return invalidArgument(problem(i, "is out of bounds"));
      int columns = orders ? rank_ : rank_ - 1;
      auto order = i > 0 ? compare(group(i - 1), group(i), columns) : std::strong_ordering::less;
      if (order > 0)
        return invalidArgument(problem(i, "is out of order"));
      if (orders && order == 0)
        return invalidArgument(problem(i, "is repeated"));
    }
    return okStatus();
  }

  int rank() const { return rank_; }
  const int64_t *dims() const { return dims_; }
  bool isAtEnd() const { return at_ == count_; }
  const int64_t *group() const { return group(at_); }
  std::strong_ordering compareGroups(const Sets &other) const {
    return compare(group(), other.group(), rank_ - 1);
  }
  // The elements of the group here, sorted and each once; what follows is the next group.
  template <typename T> void take(std::vector<T> &set) {
    set.clear();
    for (const int64_t *here = group(); at_ < count_ && compare(here, group(), rank_ - 1) == 0;
         ++at_)
      if constexpr (std::is_same_v<T, std::string_view>)
        set.emplace_back(values_.data<std::string>()[at_]);
      else
        set.push_back(values_.asInt(at_));
    std::ranges::sort(set);
    set.erase(std::unique(set.begin(), set.end()), set.end());
  }

private:
  const int64_t *group(int64_t i) const { return indices_ + i * rank_; }
  static std::strong_ordering compare(const int64_t *a, const int64_t *b, int columns) {
    return std::lexicographical_compare_three_way(a, a + columns, b, b + columns);
  }
  std::string problem(int64_t i, const char *what) const {
    std::string text = format("indices[%lld] = [", static_cast<long long>(i));
    for (int k = 0; k < rank_; ++k)
      text += (k > 0 ? "," : "") + std::to_string(group(i)[k]);
    return text + "] " + what;
  }

  const int64_t *indices_, *dims_;
  const Tensor &values_;
  int rank_;
  int64_t count_, at_ = 0;
};

// ---- set_operation

template <typename T> struct Results {
  int rank;
  std::vector<int64_t> indices;
  std::vector<T> values;
  int64_t widest = 0;

  void add(const int64_t *group, const std::vector<T> &set) {
    for (size_t i = 0; i < set.size(); ++i) {
      indices.insert(indices.end(), group, group + rank - 1);
      indices.push_back(static_cast<int64_t>(i));
    }
    values.insert(values.end(), set.begin(), set.end());
    widest = std::max(widest, static_cast<int64_t>(set.size()));
  }
};

template <typename T>
void combine(std::string_view how, const std::vector<T> &a, const std::vector<T> &b,
             std::vector<T> &result) {
  result.clear();
  auto to = std::back_inserter(result);
  if (how == "intersection")
    std::ranges::set_intersection(a, b, to);
  else if (how == "union")
    std::ranges::set_union(a, b, to);
  else if (how == "first_only")
    std::ranges::set_difference(a, b, to);
  else
    std::ranges::set_difference(b, a, to);
}

template <typename T> Status storeResults(KernelCall &call, const Results<T> &results) {
  auto count = static_cast<int64_t>(results.values.size());
  SLUICE_ASSIGN_OR_RETURN(call.output(0),
                          Tensor::allocate(DType::kI64, Shape{count, results.rank}));
  SLUICE_ASSIGN_OR_RETURN(call.output(1), Tensor::allocate(call.outputType(1), Shape{count}));
  std::ranges::copy(results.indices, call.output(0).data<int64_t>());
  for (int64_t i = 0; i < count; ++i)
    if constexpr (std::is_same_v<T, std::string_view>)
      call.output(1).data<std::string>()[i] = results.values[static_cast<size_t>(i)];
    else
      putInt(call.output(1), i, results.values[static_cast<size_t>(i)]);
  return okStatus();
}

template <typename T> Status combineAll(KernelCall &call, Sets first, Sets second) {
  std::string_view how = attributes::sci::SetOperation(call).how();
  Results<T> results{first.rank(), {}, {}};
  std::vector<T> a, b, both;
  TurnsOfCall turns(kCostOfElement);
  while (!first.isAtEnd() || !second.isAtEnd()) {
    if (turns.end())
      return cancelledWork();
    auto order = first.isAtEnd()    ? std::strong_ordering::greater
                 : second.isAtEnd() ? std::strong_ordering::less
                                    : first.compareGroups(second);
    const int64_t *group = order > 0 ? second.group() : first.group();
    a.clear();
    b.clear();
    if (order <= 0)
      first.take(a);
    if (order >= 0)
      second.take(b);
    combine(how, a, b, both);
    results.add(group, both);
  }
  SLUICE_ASSIGN_OR_RETURN(call.output(2), Tensor::allocate(DType::kI64, Shape{first.rank()}));
  std::copy_n(first.dims(), first.rank() - 1, call.output(2).data<int64_t>());
  call.output(2).data<int64_t>()[first.rank() - 1] = results.widest;
  return storeResults(call, results);
}

Status operationShape(ShapeCall &call) {
  SLUICE_RETURN_IF_ERROR(checkShapes(call.input(0), call.input(1), call.input(2)));
  SLUICE_RETURN_IF_ERROR(checkShapes(call.input(3), call.input(4), call.input(5)));
  int64_t rank = Shape::kUnknown;
  for (size_t i : {size_t{2}, size_t{5}})
    if (call.input(i).hasRank() && call.input(i).dim(0) >= 0)
      rank = call.input(i).dim(0);
  call.output(0) = Shape{Shape::kUnknown, rank};
  call.output(1) = Shape{Shape::kUnknown};
  call.output(2) = Shape{rank};
  return okStatus();
}

Status operationRun(KernelCall &call) {
  for (size_t i : {size_t{0}, size_t{3}})
    SLUICE_RETURN_IF_ERROR(
        checkShapes(call.input(i).shape(), call.input(i + 1).shape(), call.input(i + 2).shape()));
  Sets first(call.input(0), call.input(1), call.input(2)),
      second(call.input(3), call.input(4), call.input(5));
  bool orders = attributes::sci::SetOperation(call).checked();
  SLUICE_RETURN_IF_ERROR(first.check(orders));
  SLUICE_RETURN_IF_ERROR(second.check(orders));
  if (first.rank() != second.rank() ||
      !std::equal(first.dims(), first.dims() + first.rank() - 1, second.dims()))
    return invalidArgument("expected the same dims but the last but got " +
                           valuesText(call.input(2)) + " and " + valuesText(call.input(5)));
  return call.input(1).dtype() == DType::kString ? combineAll<std::string_view>(call, first, second)
                                                 : combineAll<int64_t>(call, first, second);
}

// ---- set_size

Status sizeShape(ShapeCall &call) {
  SLUICE_RETURN_IF_ERROR(checkShapes(call.input(0), call.input(1), call.input(2)));
  call.output(0) = Shape::unknownRank();
  if (const Shape &dims = call.input(2); dims.hasRank() && dims.dim(0) > 0)
    if (dims.dim(0) - 1 <= Shape::kMaxRank)
      call.output(0) = Shape::unknownDims(static_cast<int>(dims.dim(0) - 1));
  return okStatus();
}

template <typename T> Status countAll(Sets sets, const Shape &shape, int32_t *sizes) {
  std::vector<T> set;
  TurnsOfCall turns(kCostOfElement);
  while (!sets.isAtEnd()) {
    if (turns.end())
      return cancelledWork();
    int64_t at = 0;
    for (int k = 0; k < shape.rank(); ++k)
      at = at * shape.dim(k) + sets.group()[k];
    sets.take(set);
    sizes[at] = static_cast<int32_t>(set.size());
  }
  return okStatus();
}

Status sizeRun(KernelCall &call) {
  const Tensor &dims = call.input(2);
  SLUICE_RETURN_IF_ERROR(checkShapes(call.input(0).shape(), call.input(1).shape(), dims.shape()));
  Sets sets(call.input(0), call.input(1), dims);
  SLUICE_RETURN_IF_ERROR(sets.check(attributes::sci::SetSize(call).checked()));
  SLUICE_RETURN_IF_ERROR(checkRank(sets.rank() - 1));
  Shape shape(std::span(sets.dims(), static_cast<size_t>(sets.rank() - 1)));
  SLUICE_ASSIGN_OR_RETURN(call.output(0), Tensor::allocate(DType::kI32, shape));
  auto *sizes = call.output(0).data<int32_t>();
  clearInPieces(sizes, call.output(0).bytes());
  return call.input(1).dtype() == DType::kString ? countAll<std::string_view>(sets, shape, sizes)
                                                 : countAll<int64_t>(sets, shape, sizes);
}

// Sorting, and comparing indices.
uint64_t workOfSets(const KernelCall &call) {
  constexpr uint64_t kWorkOfComparison = 16;
  uint64_t work = 0;
  for (size_t i = 0; i + 2 < call.numInputs(); i += 3) {
    auto count = static_cast<uint64_t>(call.input(i).elements());
    work += count * static_cast<uint64_t>(std::bit_width(count)) * kWorkOfComparison;
    if (call.input(i + 1).dtype() == DType::kString)
      for (const std::string &text : call.input(i + 1).values<std::string>())
        work += text.size();
  }
  return work;
}

} // namespace

SLUICE_DEFINE_KERNEL(sci_set_operation,
                     {operationShape, operationRun, Kernel::kAllocates, nullptr, workOfSets})
SLUICE_DEFINE_KERNEL(sci_set_size, {sizeShape, sizeRun, Kernel::kAllocates, nullptr, workOfSets})

} // namespace sluice::rt
