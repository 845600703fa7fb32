// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that find equal elements, or slices: unique, list_diff.
#include "runtime/base/arithmetic.h"
#include "runtime/base/pieces.h"
#include "runtime/kernels/arguments.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/movement.h"

#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace sluice::rt {

namespace {

// What it costs to find a slice, or to copy one.
constexpr int64_t kCostOfSlice = 512, kCostOfElement = 64;
int64_t costOfSlice(int64_t elements) { return kCostOfSlice + costOfAll(elements, kCostOfElement); }

// Makes texts of elements that are equal exactly if the elements are: both zeros are, and no NaN is
// equal to anything.
class Keys {
public:
  explicit Keys(const Tensor &tensor) : tensor_(tensor) {}

  void append(int64_t element, std::string &key) {
    switch (tensor_.dtype()) {
    case DType::kString: {
      const std::string &text = tensor_.data<std::string>()[element];
      appendBytes(text.size(), key);
      key += text;
      return;
    }
#define SLUICE_CASE(E, T, N)                                                                       \
  case DType::E:                                                                                   \
    return appendNumber(tensor_.data<T>()[element], key);
      SLUICE_NUMBER_DTYPES(SLUICE_CASE)
      SLUICE_CASE(kBool, bool, bool)
#undef SLUICE_CASE
    default:
      return;
    }
  }

private:
  template <typename T> static void appendBytes(const T &value, std::string &key) {
    key.append(reinterpret_cast<const char *>(&value), sizeof(value));
  }
  template <typename T> void appendNumber(const T &number, std::string &key) {
    if constexpr (kIsComplex<T>) {
      appendNumber(number.real(), key);
      appendNumber(number.imag(), key);
    } else if constexpr (kIsFloat<T>) {
      Compute<T> value = number;
      if (value != value)
        appendBytes(++nans_, key);
      key += value != value ? 'n' : ' ';
      appendBytes(value == 0 ? Compute<T>(0) : value, key);
    } else {
      appendBytes(number, key);
    }
  }

  const Tensor &tensor_;
  uint64_t nans_ = 0;
};

// ---- unique

Status axisOf(const Tensor &axis, const Shape &input, int64_t &found) {
  if (axis.rank() != 1 || axis.elements() > 1)
    return invalidArgument("axis must be a vector of at most one element, got shape " +
                           axis.shape().toString());
  if (axis.elements() == 0) {
    if (input.rank() != 1)
      return invalidArgument("unique expects a 1D vector, got shape " + input.toString());
    found = 0;
    return okStatus();
  }
  found = axis.asInt();
  if (normalizeAxis(found, input.rank()))
    return okStatus();
  return invalidArgument(format("axis has to be within [%d, %d) but is %lld", -input.rank(),
                                input.rank(), static_cast<long long>(found)));
}

Status uniqueShape(ShapeCall &call) {
  const Shape &input = call.input(0);
  Shape values = input.hasRank() ? Shape::unknownDims(input.rank()) : Shape::unknownRank();
  Shape positions{Shape::kUnknown};
  if (const Tensor *axis = call.value(1); axis && input.hasRank()) {
    int64_t at;
    SLUICE_RETURN_IF_ERROR(axisOf(*axis, input, at));
    for (int i = 0; i < input.rank(); ++i)
      if (i != at)
        values.setDim(i, input.dim(i));
    positions.setDim(0, input.dim(static_cast<int>(at)));
  }
  call.output(0) = values;
  call.output(1) = positions;
  call.output(2) = Shape{Shape::kUnknown};
  return okStatus();
}

// A tensor as slices along an axis.
struct Slices {
  int64_t outer, count, inner;
  Slices(const Shape &shape, int64_t axis)
      : outer(elementsBetween(shape, 0, static_cast<int>(axis))),
        count(shape.dim(static_cast<int>(axis))),
        inner(elementsBetween(shape, static_cast<int>(axis) + 1, shape.rank())) {}
};

// The first of each set of equal slices; `positions` and `counts` as the op gives them.
std::vector<int64_t> firstOfEach(const Tensor &input, const Slices &slices, Tensor &positions,
                                 std::vector<int64_t> &counts) {
  Keys keys(input);
  std::unordered_map<std::string, int64_t> seen;
  std::vector<int64_t> first;
  bool isEmpty = input.elements() == 0;
  TurnsOfCall turns(costOfSlice(isEmpty ? 0 : slices.outer * slices.inner));
  for (int64_t i = 0; i < slices.count && !turns.end(); ++i) {
    std::string key;
    for (int64_t o = 0; !isEmpty && o < slices.outer; ++o)
      for (int64_t k = 0; k < slices.inner; ++k)
        keys.append((o * slices.count + i) * slices.inner + k, key);
    auto [entry, isNew] = seen.try_emplace(std::move(key), static_cast<int64_t>(first.size()));
    if (isNew) {
      first.push_back(i);
      counts.push_back(0);
    }
    ++counts[static_cast<size_t>(entry->second)];
    putInt(positions, i, entry->second);
  }
  return first;
}

Status uniqueRun(KernelCall &call) {
  const Tensor &input = call.input(0);
  int64_t axis;
  SLUICE_RETURN_IF_ERROR(axisOf(call.input(1), input.shape(), axis));
  if (input.dtype() == DType::kHandle)
    return unimplemented("handles are not compared");
  Slices slices(input.shape(), axis);
  SLUICE_ASSIGN_OR_RETURN(call.output(1),
                          Tensor::allocate(call.outputType(1), Shape{slices.count}));
  std::vector<int64_t> counts;
  std::vector<int64_t> first = firstOfEach(input, slices, call.output(1), counts);
  if (Cancellation::requestedHere())
    return cancelledWork();
  Shape shape = input.shape();
  shape.setDim(static_cast<int>(axis), static_cast<int64_t>(first.size()));
  SLUICE_ASSIGN_OR_RETURN(call.output(0), Tensor::allocate(input.dtype(), shape));
  int64_t kept = static_cast<int64_t>(first.size());
  const int64_t parts = input.elements() > 0 ? slices.outer * kept : 0;
  forPieces(parts, costOfSlice(slices.inner), [&](int64_t begin, int64_t end) {
    for (int64_t part = begin; part < end; ++part) {
      const int64_t o = part / kept, i = first[static_cast<size_t>(part % kept)];
      (void)copyElements(input, (o * slices.count + i) * slices.inner, call.output(0),
                         part * slices.inner, slices.inner)
          .ok(); // no handles
    }
  });
  SLUICE_ASSIGN_OR_RETURN(call.output(2), Tensor::allocate(call.outputType(2), Shape{kept}));
  for (int64_t i = 0; i < kept; ++i)
    putInt(call.output(2), i, counts[static_cast<size_t>(i)]);
  return okStatus();
}

// ---- list_diff

Status checkList(const Shape &shape) {
  if (!shape.hasRank() || shape.rank() == 1)
    return okStatus();
  return invalidArgument("list_diff expects 1D vectors, got shape " + shape.toString());
}

Status listDiffShape(ShapeCall &call) {
  SLUICE_RETURN_IF_ERROR(checkList(call.input(0)));
  SLUICE_RETURN_IF_ERROR(checkList(call.input(1)));
  call.output(0) = Shape{Shape::kUnknown};
  call.output(1) = Shape{Shape::kUnknown};
  return okStatus();
}

Status listDiffRun(KernelCall &call) {
  const Tensor &input = call.input(0), &without = call.input(1);
  SLUICE_RETURN_IF_ERROR(checkList(input.shape()));
  SLUICE_RETURN_IF_ERROR(checkList(without.shape()));
  if (input.dtype() == DType::kHandle)
    return unimplemented("handles are not compared");
  std::unordered_set<std::string> excluded;
  Keys excludedKeys(without);
  TurnsOfCall turns(costOfSlice(1));
  for (int64_t i = 0; i < without.elements() && !turns.end(); ++i) {
    std::string key;
    excludedKeys.append(i, key);
    excluded.insert(std::move(key));
  }
  Keys keys(input);
  std::vector<int64_t> kept;
  for (int64_t i = 0; i < input.elements() && !turns.end(); ++i) {
    std::string key;
    keys.append(i, key);
    if (!excluded.contains(key))
      kept.push_back(i);
  }
  if (Cancellation::requestedHere())
    return cancelledWork();
  Shape shape{static_cast<int64_t>(kept.size())};
  SLUICE_ASSIGN_OR_RETURN(call.output(0), Tensor::allocate(input.dtype(), shape));
  SLUICE_ASSIGN_OR_RETURN(call.output(1), Tensor::allocate(call.outputType(1), shape));
  forPieces(shape.dim(0), kCostOfElement, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t from = kept[static_cast<size_t>(i)];
      (void)copyElements(input, from, call.output(0), i, 1).ok(); // no handles
      putInt(call.output(1), i, from);
    }
  });
  return okStatus();
}

} // namespace

SLUICE_DEFINE_KERNEL(nd_unique, {uniqueShape, uniqueRun, Kernel::kAllocates})
SLUICE_DEFINE_KERNEL(nd_list_diff, {listDiffShape, listDiffRun, Kernel::kAllocates})

} // namespace sluice::rt
