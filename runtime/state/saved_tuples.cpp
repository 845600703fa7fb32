// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Columns of tuples as three tensors, however different the shapes of their cells are.
#include "runtime/state/saved_tuples.h"

#include "runtime/state/batch.h"

namespace sluice::rt {

Status addColumn(const std::string &name, const Component &component,
                 std::span<const Tensor *const> cells, std::vector<NamedTensor> &content) {
  std::vector<uint8_t> present;
  std::vector<int64_t> shapes; // of each that is there its rank and its dims
  int64_t count = 0;
  for (const Tensor *cell : cells) {
    present.push_back(cell->valid());
    if (!cell->valid())
      continue;
    shapes.push_back(cell->rank());
    shapes.insert(shapes.end(), cell->shape().dims().begin(), cell->shape().dims().end());
    count += cell->elements();
  }
  SLUICE_ASSIGN_OR_RETURN(Tensor elements, Tensor::allocate(component.dtype, Shape{count}));
  int64_t at = 0;
  for (const Tensor *cell : cells)
    if (cell->valid()) {
      copyElements(elements, at, *cell, 0, cell->elements());
      at += cell->elements();
    }
  content.emplace_back(name + "/present", Tensor::vector<uint8_t>(present));
  content.emplace_back(name + "/shapes", Tensor::vector<int64_t>(shapes));
  content.emplace_back(name + "/elements", std::move(elements));
  return okStatus();
}

// The next shape of the list, which it leaves.
static std::optional<Shape> nextShape(std::span<const int64_t> &shapes) {
  if (shapes.empty() || shapes[0] < 0 || shapes[0] > Shape::kMaxRank ||
      static_cast<size_t>(shapes[0]) >= shapes.size())
    return std::nullopt;
  auto rank = static_cast<size_t>(shapes[0]);
  Shape shape(shapes.subspan(1, rank));
  shapes = shapes.subspan(1 + rank);
  return shape;
}

Status takeColumn(ContentReader &in, const std::string &name, const Component &component,
                  std::span<Tensor *const> cells) {
  Tensor present = in.take(name + "/present", DType::kU8, 1);
  Tensor shapes = in.take(name + "/shapes", DType::kI64, 1);
  Tensor elements = in.take(name + "/elements", component.dtype, 1);
  SLUICE_RETURN_IF_ERROR(in.failed() ? in.status() : okStatus());
  if (present.elements() != static_cast<int64_t>(cells.size()))
    return in.refuse("another number of components than of tuples");
  std::span<const int64_t> rest = shapes.values<int64_t>();
  int64_t at = 0;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (!present.data<uint8_t>()[i])
      continue;
    std::optional<Shape> shape = nextShape(rest);
    Result<int64_t> count = shape ? shape->checkedElements() : Result<int64_t>(int64_t{-1});
    if (!shape || !count.ok() || *count > elements.elements() - at ||
        !component.shape.compatibleWith(*shape))
      return in.refuse("elements that do not have the shapes beside them");
    SLUICE_ASSIGN_OR_RETURN(*cells[i], Tensor::allocate(component.dtype, *shape));
    copyElements(*cells[i], 0, elements, at, *count);
    at += *count;
  }
  return rest.empty() && at == elements.elements() ? okStatus()
                                                   : in.refuse("more elements than shapes");
}

} // namespace sluice::rt
