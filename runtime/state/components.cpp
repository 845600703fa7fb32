// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Components.
#include "runtime/state/components.h"

#include <algorithm>

namespace sluice::rt {

Components Components::of(std::span<const int64_t> numbers) {
  std::vector<Component> all;
  for (size_t i = 0; i < numbers.size();) {
    auto dtype = static_cast<DType>(numbers[i]);
    int64_t rank = numbers[i + 1];
    i += 2;
    if (rank < 0) {
      all.push_back({dtype, Shape::unknownRank()});
      continue;
    }
    all.push_back({dtype, Shape(numbers.subspan(i, static_cast<size_t>(rank)))});
    i += static_cast<size_t>(rank);
  }
  return Components(std::move(all));
}

Components Components::ofContent(std::span<const int64_t> numbers) {
  auto rest = numbers;
  while (rest.size() >= 2) {
    if (rest[0] < 0 || rest[0] >= static_cast<int64_t>(DType::kHandle) || rest[1] < -1 ||
        rest[1] > Shape::kMaxRank)
      return {};
    size_t used = 2 + static_cast<size_t>(std::max<int64_t>(rest[1], 0));
    if (used > rest.size() ||
        std::ranges::any_of(rest.subspan(2, used - 2), [](int64_t dim) { return dim < -1; }))
      return {};
    rest = rest.subspan(used);
  }
  return rest.empty() ? of(numbers) : Components();
}

std::vector<int64_t> Components::numbers() const {
  std::vector<int64_t> numbers;
  for (const auto &[dtype, shape] : all_) {
    numbers.insert(numbers.end(), {static_cast<int64_t>(dtype), shape.rank()});
    numbers.insert(numbers.end(), shape.dims().begin(), shape.dims().end());
  }
  return numbers;
}

bool Components::haveShapes() const {
  return std::ranges::all_of(all_, [](const Component &one) { return one.shape.hasRank(); });
}

static Status differs(const char *what, size_t component, const std::string &expected,
                      const std::string &got) {
  return invalidArgument(format("%s mismatch in tuple component %zu. Expected %s, got %s", what,
                                component, expected.c_str(), got.c_str()));
}

static Shape batched(int64_t size, const Shape &row) {
  Shape shape{size};
  for (int64_t dim : row.dims())
    shape.append(dim);
  return shape;
}

Status Components::check(std::span<const Tensor> tuple, bool many) const {
  if (tuple.size() != size())
    return invalidArgument(
        format("Wrong number of components in tuple. Expected %zu, got %zu", size(), tuple.size()));
  for (size_t i = 0; i < size(); ++i) {
    const auto &[dtype, shape] = all_[i];
    const Tensor &tensor = tuple[i];
    if (tensor.dtype() != dtype)
      return differs("Type", i, std::string(dtypeName(dtype)),
                     std::string(dtypeName(tensor.dtype())));
    if (many && tensor.rank() == 0)
      return invalidArgument(format("expected a batch as component %zu but got a scalar", i));
    if (many && tensor.dim(0) != tuple[0].dim(0))
      return invalidArgument(format("All components must have the same size in the 0th dimension: "
                                    "component %zu has %lld, but component 0 has %lld",
                                    i, static_cast<long long>(tensor.dim(0)),
                                    static_cast<long long>(tuple[0].dim(0))));
    if (!shape.hasRank())
      continue;
    Shape expected = many ? batched(tuple[0].dim(0), shape) : shape;
    if (!expected.compatibleWith(tensor.shape()))
      return differs("Shape", i, expected.toString(), tensor.shape().toString());
  }
  return okStatus();
}

Status Components::checkTypes(std::span<const DType> types) const {
  if (types.size() != size())
    return invalidArgument(
        format("expected a result for each of %zu components but got %zu", size(), types.size()));
  for (size_t i = 0; i < size(); ++i)
    if (types[i] != all_[i].dtype)
      return differs("Type", i, std::string(dtypeName(all_[i].dtype)),
                     std::string(dtypeName(types[i])));
  return okStatus();
}

std::string Components::toString() const {
  std::string text;
  for (const auto &[dtype, shape] : all_)
    text += (text.empty() ? "" : ", ") + std::string(dtypeName(dtype)) + " " + shape.toString();
  return text;
}

} // namespace sluice::rt
