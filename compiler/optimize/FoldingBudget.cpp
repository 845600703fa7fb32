// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes and work of ops on constants.
#include "compiler/optimize/FoldingBudget.h"

#include "dialects/nd/Nd.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace sluice::optimize {

static constexpr uint64_t kMostBytesOfResult = 1 << 20;
static constexpr uint64_t kMostBytes = 32 << 20;
static constexpr uint64_t kMostWork = 1 << 28;
static constexpr uint64_t kWorkPerByte = 4;
// Bytes and work of earlier passes. Graphs of which little was folded do without.
static constexpr StringLiteral kFoldedAttr = "optimize.folded";
static constexpr uint64_t kWorthMentioning = 1 << 20; // of either

static bool isSplat(ElementsAttr value) {
  auto dense = dyn_cast<DenseElementsAttr>(value);
  return dense && dense.isSplat();
}

static uint64_t bytesOf(ElementsAttr value, uint64_t elements) {
  auto strings = dyn_cast<DenseStringElementsAttr>(value);
  auto dtype = dtypeOf(value.getType());
  if (!strings)
    return dtype ? elements * rt::sizeOf(*dtype) : 0;
  uint64_t bytes = elements * sizeof(std::string);
  for (StringRef text : strings.getRawStringData())
    bytes += text.size();
  return bytes;
}

uint64_t bytesOf(ElementsAttr value) {
  return bytesOf(value, static_cast<uint64_t>(value.getNumElements()));
}

FoldingBudget::FoldingBudget(flow::TokenGraph graph) {
  if (auto folded = graph->getAttrOfType<DenseI64ArrayAttr>(kFoldedAttr); folded && folded.size()) {
    stored_ = static_cast<uint64_t>(std::max<int64_t>(folded[0], 0));
    work_ = folded.size() > 1 ? static_cast<uint64_t>(std::max<int64_t>(folded[1], 0)) : 0;
  }
  llvm::SmallPtrSet<const void *, 32> counted; // copies in regions are one in the program
  graph->walk([&](nd::ConstantOp constant) {
    if (counted.insert(constant.getValue().getAsOpaquePointer()).second)
      own_ += bytesOf(constant.getValue());
  });
  own_ -= std::min(own_, stored_);
}

void FoldingBudget::note(flow::TokenGraph graph) const {
  if (std::max(stored_, work_) < kWorthMentioning)
    return;
  int64_t spent[] = {static_cast<int64_t>(stored_), static_cast<int64_t>(work_)};
  graph->setAttr(kFoldedAttr, DenseI64ArrayAttr::get(graph.getContext(), spent));
}

// Of each operand once.
template <typename Bytes>
static uint64_t sumOfDistinct(ArrayRef<ElementsAttr> values, Bytes bytes) {
  uint64_t sum = 0;
  llvm::SmallPtrSet<const void *, 8> counted;
  for (ElementsAttr value : values)
    if (counted.insert(value.getAsOpaquePointer()).second)
      sum += bytes(value);
  return sum;
}

bool FoldingBudget::mayHold(ArrayRef<ElementsAttr> operands) const {
  return sumOfDistinct(operands, [](ElementsAttr value) { return bytesOf(value); }) <=
         kMostBytes + own_;
}

namespace {

struct Outputs {
  uint64_t elements = 0, bytes = 0;
  std::vector<rt::Tensor> tensors; // without elements of their own; as far as sizes are known
};

} // namespace

// Nothing if they are larger than anything that may be stored.
static std::optional<Outputs> outputsOf(Operation *op, const std::vector<rt::Shape> &shapes) {
  alignas(16) static constexpr char kElements[rt::Tensor::kInlineBytes] = {};
  Outputs outputs;
  for (auto [shape, type] : llvm::zip_equal(shapes, kernelOutputTypes(op))) {
    if (!shape.isComplete())
      continue; // depends on the data: no more than their number times their rank
    auto elements = shape.checkedElements();
    if (!elements.ok() || static_cast<uint64_t>(*elements) > (uint64_t{1} << 40))
      return std::nullopt;
    outputs.elements += static_cast<uint64_t>(*elements);
    outputs.bytes += static_cast<uint64_t>(*elements) * rt::sizeOf(type);
    if (!rt::isPlain(type))
      continue;
    if (auto view = rt::Tensor::view(type, shape, kElements); view.ok())
      outputs.tensors.push_back(std::move(*view));
  }
  return outputs;
}

static uint64_t workOf(Operation *op, const TensorPointers &inputs, Outputs &outputs) {
  uint64_t work = outputs.elements;
  for (const rt::Tensor *input : inputs)
    work += static_cast<uint64_t>(input->elements());
  const rt::KernelEntry *kernel = kernelOf(op);
  SmallVector<rt::DType> types = kernelOutputTypes(op);
  if (!kernel || !kernel->kernel->work || outputs.tensors.size() != types.size())
    return work;
  KernelAttrs attrs(op, [](StringRef) { return 0; });
  return std::max(work, kernel->kernel->work(
                            rt::KernelCall(inputs, outputs.tensors, attrs.view(), types, nullptr)));
}

bool FoldingBudget::allows(Operation *op, ArrayRef<ElementsAttr> operands,
                           const TensorPointers &inputs) {
  uint64_t before = sumOfDistinct(operands, [](ElementsAttr value) {
    return isSplat(value) ? bytesOf(value, 1) : bytesOf(value);
  });
  std::vector<const rt::Shape *> shapes;
  for (const rt::Tensor *input : inputs)
    shapes.push_back(&input->shape());
  auto results = evaluateShapes(op, shapes, inputs);
  if (!results.ok())
    return false; // fails at run time if it runs
  std::optional<Outputs> outputs = outputsOf(op, *results);
  if (!outputs || outputs->bytes > std::max(before, kMostBytesOfResult) ||
      stored_ + outputs->bytes > kMostBytes + own_)
    return false;
  uint64_t work = workOf(op, inputs, *outputs);
  uint64_t mostWork = kMostWork + kWorkPerByte * own_;
  if (work_ > mostWork || work > mostWork - work_)
    return false;
  work_ += work;
  return true;
}

} // namespace sluice::optimize
