// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that move elements are run on the numbers of these, others on elements that are numbers.
#include "compiler/optimize/KnownElements.h"

#include "compiler/optimize/KernelEvaluation.h"
#include "dialects/flow/Flow.h"
#include "dialects/interfaces/Faces.h"
#include "dialects/nd/Nd.h"
#include "runtime/kernels/shape_rules.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace sluice::optimize {

static constexpr int64_t kMostElements = 64; // shapes, axes and sizes have fewer

std::optional<Elements> joinElements(const std::optional<Elements> &a,
                                     const std::optional<Elements> &b) {
  if (!a || !b || a->size() != b->size())
    return std::nullopt;
  Elements joined = *a;
  for (auto [element, other] : llvm::zip_equal(joined, *b))
    if (element != other)
      element = {};
  return joined;
}

bool isWhole(const Elements &elements) {
  return llvm::all_of(elements, [](AffineExpr one) { return static_cast<bool>(one); });
}

bool areEqual(const std::optional<Elements> &a, const std::optional<Elements> &b) {
  return a && b && *a == *b && isWhole(*a);
}

std::optional<SmallVector<int64_t>> numbersOf(const Elements &elements) {
  SmallVector<int64_t> numbers;
  for (AffineExpr element : elements) {
    auto number = dyn_cast_or_null<AffineConstantExpr>(element);
    if (!number)
      return std::nullopt;
    numbers.push_back(number.getValue());
  }
  return numbers;
}

std::optional<rt::Tensor> tensorOf(const Elements &elements, rt::DType dtype, int rank) {
  std::optional<SmallVector<int64_t>> numbers = numbersOf(elements);
  if (!numbers ||
      !(dtype == rt::DType::kI32 || dtype == rt::DType::kI64 || dtype == rt::DType::kBool))
    return std::nullopt;
  rt::Shape shape;
  if (rank == 1)
    shape.append(static_cast<int64_t>(elements.size()));
  auto tensor = rt::Tensor::allocate(dtype, shape);
  if (!tensor.ok())
    return std::nullopt;
  for (auto [i, number] : llvm::enumerate(*numbers)) {
    if (dtype == rt::DType::kI64)
      tensor->data<int64_t>()[i] = number;
    else if (dtype == rt::DType::kBool && (number == 0 || number == 1))
      tensor->data<bool>()[i] = number == 1;
    else if (dtype == rt::DType::kI32 && llvm::isInt<32>(number))
      tensor->data<int32_t>()[i] = static_cast<int32_t>(number);
    else
      return std::nullopt;
  }
  return std::move(*tensor);
}

static int64_t numberIn(const rt::Tensor &tensor, int64_t index) {
  return tensor.dtype() == rt::DType::kBool ? tensor.data<bool>()[index] : tensor.asInt(index);
}

// Behind gates.
static std::optional<rt::Tensor> constantOf(Value value) {
  constexpr int64_t kMost = 1024;
  while (auto gate = value.getDefiningOp<flow::GateOp>())
    value = gate.getValue();
  auto constant = value.getDefiningOp<nd::ConstantOp>();
  if (!constant || constant.getValue().getNumElements() > kMost)
    return std::nullopt;
  auto tensor = sluice::tensorOf(constant.getValue());
  return tensor.ok() ? std::optional(std::move(*tensor)) : std::nullopt;
}

ElementRules::ElementRules(Operation *op, FactOf factOf, DimNames &names) : op_(op), names_(names) {
  for (Value operand : op->getOperands()) {
    const Fact *fact = facts_.emplace_back(factOf(operand));
    std::optional<rt::Tensor> value = constantOf(operand);
    auto type = dyn_cast<TensorType>(operand.getType());
    if (!value && type && fact->elements)
      if (auto dtype = dtypeOf(type))
        value = tensorOf(*fact->elements, *dtype, fact->shape.rank());
    values_.push_back(value ? &tensors_.emplace_back(std::move(*value)) : nullptr);
  }
}

// ---- Shapes -------------------------------------------------------------------------------------

static std::optional<unsigned> dimsOperandOf(Operation *op) {
  if (isa<nd::RandomUniformOp>(op))
    return 0;
  if (isa<nd::ScatterNdOp>(op))
    return 2;
  auto code = dyn_cast<CodeOp>(op);
  return code ? code.getDimsOperand() : std::nullopt;
}

rt::Shape ElementRules::shapeFrom(unsigned operand) const {
  rt::Shape shape;
  for (AffineExpr element : *elements(operand)) {
    auto number = dyn_cast_or_null<AffineConstantExpr>(element);
    bool isKnown = element && !(number && number.getValue() < 0); // else nd.reshape finds it
    shape.append(isKnown ? names_.sizeOf(element) : rt::Shape::kUnknown);
  }
  return shape;
}

rt::Shape ElementRules::sliced() const {
  const rt::Shape &input = facts_[0]->shape;
  const std::optional<Elements> &begins = elements(1), &sizes = elements(2);
  if (!sizes)
    return rt::Shape::unknownRank();
  bool fits = input.hasRank() && static_cast<size_t>(input.rank()) == sizes->size();
  rt::Shape shape = shapeFrom(2);
  for (auto [i, size] : llvm::enumerate(*sizes)) {
    auto rest = dyn_cast_or_null<AffineConstantExpr>(size);
    auto begin = begins && begins->size() == sizes->size()
                     ? dyn_cast_or_null<AffineConstantExpr>((*begins)[i])
                     : AffineConstantExpr();
    if (fits && rest && rest.getValue() == -1 && begin && begin.getValue() == 0)
      shape.setDim(static_cast<int>(i), input.dim(static_cast<int>(i)));
  }
  return shape;
}

rt::Shape ElementRules::tiled() const {
  const rt::Shape &input = facts_[0]->shape;
  const std::optional<Elements> &multiples = elements(1);
  if (!multiples || !input.hasRank() || static_cast<size_t>(input.rank()) != multiples->size())
    return rt::Shape::unknownRank();
  rt::Shape shape = shapeFrom(1);
  for (int i = 0; i < input.rank(); ++i)
    shape.setDim(i, rt::Sizes(&names_).multiply(input.dim(i), shape.dim(i)));
  return shape;
}

rt::Shape ElementRules::refine(const rt::Shape &result) const {
  rt::Shape said = rt::Shape::unknownRank();
  std::optional<unsigned> dims = dimsOperandOf(op_);
  if (isa<nd::SliceOp>(op_))
    said = sliced();
  else if (isa<nd::TileOp>(op_))
    said = tiled();
  else if (isa<nd::StridedSliceGradOp>(op_))
    dims = 0;
  if (dims && elements(*dims) && facts_[*dims]->shape.rank() == 1)
    said = shapeFrom(*dims);
  rt::Shape merged;
  return rt::mergeShapes(result, said, merged) ? merged : result;
}

// ---- Elements -----------------------------------------------------------------------------------

std::optional<Elements> ElementRules::ofShape() const {
  const rt::Shape &shape = facts_[0]->shape;
  if (!shape.hasRank())
    return std::nullopt;
  Elements elements;
  if (isa<nd::RankOp>(op_))
    return Elements{getAffineConstantExpr(shape.rank(), op_->getContext())};
  if (!isa<nd::ShapeOp>(op_))
    return std::nullopt;
  for (int64_t size : shape.dims())
    elements.push_back(size == rt::Shape::kUnknown ? AffineExpr() : names_.dimOf(size));
  return elements;
}

// By the kernel, which moves the numbers of elements as it would move these.
std::optional<Elements> ElementRules::moved(unsigned result) const {
  SmallVector<unsigned> data = cast<MoveOp>(op_).getDataOperands();
  TensorPointers values = values_;
  std::deque<rt::Tensor> numbered;
  Elements all;
  for (unsigned operand : data) {
    auto type = dyn_cast<TensorType>(op_->getOperand(operand).getType());
    const std::optional<Elements> &known = elements(operand);
    if (!type || !known || !facts_[operand]->shape.hasRank())
      return std::nullopt;
    Elements numbers;
    for (AffineExpr element : *known) {
      numbers.push_back(getAffineConstantExpr(static_cast<int64_t>(all.size()), op_->getContext()));
      all.push_back(element);
    }
    auto tensor = tensorOf(numbers, *dtypeOf(type), facts_[operand]->shape.rank());
    if (!tensor)
      return std::nullopt;
    values[operand] = &numbered.emplace_back(std::move(*tensor));
  }
  if (llvm::is_contained(values, nullptr))
    return std::nullopt;
  auto moved = evaluate(op_, values);
  if (!moved.ok() || (*moved)[result].rank() > 1 || (*moved)[result].elements() > kMostElements)
    return std::nullopt;
  Elements elements;
  for (int64_t i = 0; i < (*moved)[result].elements(); ++i) {
    auto number = static_cast<size_t>(numberIn((*moved)[result], i));
    if (number >= all.size())
      return std::nullopt;
    elements.push_back(all[number]);
  }
  return elements;
}

std::optional<Elements> ElementRules::computed(unsigned result) const {
  if (op_->getNumOperands() == 0 || llvm::is_contained(values_, nullptr))
    return std::nullopt;
  auto computed = evaluate(op_, values_);
  if (!computed.ok() || (*computed)[result].rank() > 1 ||
      (*computed)[result].elements() > kMostElements)
    return std::nullopt;
  Elements elements;
  for (int64_t i = 0; i < (*computed)[result].elements(); ++i)
    elements.push_back(getAffineConstantExpr(numberIn((*computed)[result], i), op_->getContext()));
  return elements;
}

static bool isInteger(Value value) {
  auto type = dyn_cast<TensorType>(value.getType());
  return type && (type.getElementType().isSignlessInteger(32) ||
                  type.getElementType().isSignlessInteger(64));
}
static bool isTruth(Value value) {
  auto type = dyn_cast<TensorType>(value.getType());
  return type && type.getElementType().isSignlessInteger(1);
}

// Of two vectors or scalars, element by element; `pair` may say nothing.
static std::optional<Elements>
inPairs(const std::optional<Elements> &a, const std::optional<Elements> &b,
        llvm::function_ref<AffineExpr(AffineExpr, AffineExpr)> pair) {
  if (!a || !b)
    return std::nullopt;
  const size_t size = std::max(a->size(), b->size());
  if ((a->size() != size && a->size() != 1) || (b->size() != size && b->size() != 1))
    return std::nullopt;
  Elements results;
  for (size_t i = 0; i < size; ++i) {
    AffineExpr one = (*a)[a->size() == 1 ? 0 : i], other = (*b)[b->size() == 1 ? 0 : i];
    results.push_back(one && other ? pair(one, other) : AffineExpr());
  }
  return results;
}

// As sizes are, and sums, products and quotients of them.
static bool isNeverNegative(AffineExpr value) {
  if (auto constant = dyn_cast<AffineConstantExpr>(value))
    return constant.getValue() >= 0;
  auto both = dyn_cast<AffineBinaryOpExpr>(value);
  return !both || (isNeverNegative(both.getLHS()) && isNeverNegative(both.getRHS()));
}

// By what their difference is, where that is known.
std::optional<Elements> ElementRules::compared() const {
  auto number = [&](int64_t value) { return getAffineConstantExpr(value, op_->getContext()); };
  return inPairs(elements(0), elements(1), [&](AffineExpr one, AffineExpr other) -> AffineExpr {
    auto difference = dyn_cast<AffineConstantExpr>(one - other);
    if (isa<nd::EqualOp>(op_))
      return difference ? number(difference.getValue() == 0 ? 1 : 0) : AffineExpr();
    bool isGreater =
        difference ? difference.getValue() >= 0 : other == number(0) && isNeverNegative(one);
    bool isLess =
        difference ? difference.getValue() < 0 : one == number(0) && isNeverNegative(other);
    if (!isGreater && !isLess)
      return {};
    return isGreater == isa<nd::MaximumOp>(op_) ? one : other;
  });
}

// Of integers, as if they had no limits: sizes of what fits into memory have room.
std::optional<Elements> ElementRules::added() const {
  return inPairs(elements(0), elements(1), [&](AffineExpr one, AffineExpr other) {
    return isa<nd::AddOp>(op_) ? one + other : one - other;
  });
}

// The product of all, as of sizes.
std::optional<Elements> ElementRules::product() const {
  const std::optional<Elements> &factors = elements(0), &axes = elements(1);
  if (!factors || !axes || facts_[0]->shape.rank() != 1 || axes->size() != 1 ||
      !isWhole(*factors) || !llvm::all_of(*factors, isNeverNegative))
    return std::nullopt;
  int64_t size = 1;
  for (AffineExpr factor : *factors)
    size = rt::Sizes(&names_).multiply(size, names_.sizeOf(factor));
  return Elements{names_.dimOf(size)};
}

std::optional<Elements> ElementRules::elementsOf(OpResult result, const rt::Shape &shape) const {
  bool isLarge =
      shape.hasRank() && (shape.rank() > 1 || (shape.rank() == 1 && shape.dim(0) > kMostElements));
  if (!(isInteger(result) || isTruth(result)) || isLarge)
    return std::nullopt;
  if (auto constant = dyn_cast<nd::ConstantOp>(op_)) {
    auto value = constantOf(result);
    if (!value)
      return std::nullopt;
    Elements elements;
    for (int64_t i = 0; i < value->elements(); ++i)
      elements.push_back(getAffineConstantExpr(numberIn(*value, i), op_->getContext()));
    return elements;
  }
  if (!op_->hasTrait<Computes>())
    return std::nullopt;
  if (op_->hasTrait<AsksShape>())
    return ofShape();
  // No axis repeats where shapes are equal, whatever they are.
  if (isa<nd::BroadcastGradientArgsOp>(op_) && areEqual(elements(0), elements(1)))
    return Elements();
  if (auto cast = dyn_cast<nd::CastOp>(op_))
    if (elements(0) && isInteger(op_->getOperand(0)) &&
        (op_->getOperand(0).getType() == result.getType() ||
         cast.getType().getElementType().isSignlessInteger(64)))
      return elements(0);
  if (isa<nd::EqualOp, nd::MaximumOp, nd::MinimumOp>(op_) && isInteger(op_->getOperand(0)))
    return compared();
  bool areNumbers = !llvm::is_contained(values_, nullptr);
  if (isa<nd::AddOp, nd::SubOp>(op_) && !areNumbers)
    return added();
  if (isa<nd::ReduceProdOp>(op_) && !areNumbers)
    return product();
  if (isa<MoveOp>(op_))
    return moved(result.getResultNumber());
  return computed(result.getResultNumber());
}

} // namespace sluice::optimize
