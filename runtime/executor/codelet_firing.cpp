// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Codelet firing: sizes, destinations, the call, and what to do when the code gives up.
#include "runtime/executor/codelet_firing.h"

#include "runtime/codelet/operands.h"
#include "runtime/executor/arena.h"
#include "runtime/memory/guard_pages.h"
#include "runtime/state/handle.h"

#include <algorithm>
#include <cstring>

namespace sluice::rt {

Status CodeletFiring::prepare() {
  GuardedWork work(node_.name);
  if (buffersAreGuarded())
    SLUICE_RETURN_IF_ERROR(guardInlineInputs());
  if (codelet_.code->numCells > 0)
    SLUICE_RETURN_IF_ERROR(lendLists());
  if (codelet_.numBoxes > 0)
    call_.boxes = &boxes_.emplace(codelet_, node_, iteration_, inputs_.span());
  return placeOutputs([&](size_t i, const Shape &shape) -> Status {
    const CodeletOutput &output = codelet_.outputs[i];
    if (!codelet_.code->sizes)
      return placeOutput(i, shape, output.bytes);
    SLUICE_ASSIGN_OR_RETURN(int64_t elements, shape.checkedElements());
    return placeOutput(i, shape, static_cast<size_t>(elements) * sizeOf(output.dtype));
  });
}

// A value within its token can be read beyond its end without a trace.
static bool isInline(const Tensor &tensor) {
  auto *data = static_cast<const char *>(tensor.raw());
  auto *token = reinterpret_cast<const char *>(&tensor);
  return data >= token && data < token + sizeof tensor;
}

Status CodeletFiring::guardInlineInputs() {
  guarded_.resize(inputs_.span().size());
  for (size_t i = 0; i < guarded_.size(); ++i) {
    const Tensor &input = *inputs_[i];
    if (!isInline(input))
      continue;
    SLUICE_ASSIGN_OR_RETURN(guarded_[i], Tensor::allocate(input.dtype(), input.shape()));
    std::memcpy(guarded_[i].raw(), input.raw(), input.bytes());
    inputRefs_[i].data = guarded_[i].raw();
  }
  return okStatus();
}

// Values within tokens move with them, so only buffers can be taken over.
Status CodeletFiring::placeOutput(size_t index, const Shape &shape, size_t bytes) {
  if (bytes <= Tensor::kInlineBytes || !reuseInput(index, shape)) {
    SLUICE_ASSIGN_OR_RETURN(outputs_[index],
                            Tensor::allocate(codelet_.outputs[index].dtype, shape));
  }
  return okStatus();
}

// ---- Lists --------------------------------------------------------------------------------------

// The operand's own, when nobody else holds it; else a copy.
Result<Ref<List>> CodeletFiring::listFor(const SluiceCell &cell) {
  if (cell.input < 0)
    return List::make(0,
                      cell.emptyIsZeros
                          ? Shape(std::span(cell.dims, static_cast<size_t>(cell.rank)))
                          : Shape::unknownRank(),
                      false);
  const auto input = static_cast<size_t>(cell.input);
  SLUICE_ASSIGN_OR_RETURN(List * list, objectOf<List>(*inputs_[input]));
  bool isMine = list->solelyOwned() && !node_.inputs[input].constant;
  if (isMine)
    return Ref<List>::share(list);
  return list->clone();
}

// As the code expects it: -1 is any.
Shape CodeletFiring::rowOf(const SluiceCell &cell) {
  Shape row(std::span(cell.dims, static_cast<size_t>(cell.rank)));
  for (int i = 0; i < row.rank(); ++i)
    if (int64_t from = kSluiceDimOfInput - row.dim(i); from >= 0)
      row.setDim(i, inputs_[static_cast<size_t>(from / kSluiceDimsOfInput)]->shape().dim(
                        static_cast<int>(from % kSluiceDimsOfInput)));
  return row;
}

Status CodeletFiring::lendLists() {
  const SluiceCodelet &code = *codelet_.code;
  lists_.resize(static_cast<size_t>(code.numCells));
  rowDims_.resize(lists_.size());
  for (size_t i = 0; i < lists_.size(); ++i) {
    const SluiceCell &cell = code.cells[i];
    SLUICE_ASSIGN_OR_RETURN(Ref<List> list, listFor(cell));
    SLUICE_RETURN_IF_ERROR(list->lendRows(
        static_cast<DType>(cell.dtype), rowOf(cell),
        {.withStates = cell.withStates != 0, .changes = cell.changes != 0}, lists_[i]));
    std::span<const int64_t> dims = list->rowShape().dims();
    std::copy(dims.begin(), dims.end(), rowDims_[i].begin());
    lists_[i].dims = rowDims_[i].data();
    if (cell.input >= 0)
      inputRefs_[static_cast<size_t>(cell.input)].dims = rowDims_[i].data();
    cells_.push_back(std::move(list));
  }
  call_.lists = lists_.data();
  return okStatus();
}

void CodeletFiring::takeLists() {
  for (size_t i = 0; i < lists_.size(); ++i) {
    cells_[i]->takeBack(lists_[i]);
    int32_t output = codelet_.code->cells[i].output;
    if (output >= 0)
      outputs_[static_cast<size_t>(output)] = Tensor::handle(Ref<Object>::adopt(cells_[i].take()));
  }
}

void CodeletFiring::takeBoxes() {
  for (size_t i = 0; i < codelet_.outputs.size(); ++i)
    if (uint32_t box = codelet_.outputs[i].box; box != CodeletOutput::kNoBox)
      outputs_[i] = (*boxes_)[box]; // two outputs may be in one box
  counts_.floatKernels = boxes_->floatKernels();
}

Status CodeletFiring::run() {
  CancellationScope scope(cancellation_);
  Status status = compute();
  return cancellation_.requested() ? cancelledWork() : status;
}

// Inputs that an output has taken over are written to.
class CodeletFiring::Operands final : public CodeletOperands {
public:
  explicit Operands(CodeletFiring &firing) : firing_(firing) {}

private:
  Buffer *find(const void *element) const override {
    std::span<Tensor> outputs = firing_.outputs_.span();
    for (const Tensor *input : firing_.inputs_.span())
      if (Buffer *buffer = bufferIfWithin(*input, element))
        return input >= outputs.data() && input < outputs.data() + outputs.size() ? nullptr
                                                                                  : buffer;
    return nullptr;
  }

  CodeletFiring &firing_;
};

Status CodeletFiring::compute() {
  GuardedWork work(node_.name);
  Operands operands(*this);
  if (!bailed_) {
    auto bytes = static_cast<size_t>(call_.arenaBytes);
    call_.arena = bytes ? threadArena(bytes) : nullptr;
    if (bytes && !call_.arena)
      return resourceExhausted(format("cannot allocate %zu bytes of scratch memory", bytes));
    int32_t status = codelet_.code->body(&call_);
    if (status == kSluiceOk) {
      counts_.floatOps = codelet_.floatOps + call_.loopOps;
      takeLists();
      if (boxes_ && boxes_->hasFailed())
        return boxes_->takeFailure(node_.name);
      if (boxes_)
        takeBoxes();
      return okStatus();
    }
    if (status == kSluiceKernelFailed && boxes_ &&
        call_.failedMember < codelet_.errorMembers.size())
      return boxes_->takeFailure(codelet_.errorMembers[call_.failedMember]);
    if (status != kSluiceBail)
      return codeletError(codelet_, status, call_.failedMember);
  }
  counts_.bails = 1;
  return runMembers(codelet_, inputs_.span(), outputs_.span(), counts_);
}

Status runMembers(const Codelet &codelet, std::span<const Tensor *const> inputs,
                  std::span<Tensor> outputs, CodeletCounts &counts) {
  if (codelet.members.empty())
    return internalError("a codelet without members has given up");
  std::vector<const Tensor *> values(inputs.begin(), inputs.end());
  values.insert(values.end(), codelet.constants.begin(), codelet.constants.end());
  size_t firstResult = values.size();
  std::vector<Tensor> results(codelet.numResults);
  for (const Tensor &result : results)
    values.push_back(&result);
  std::vector<const Tensor *> operands;
  for (const CodeletMember &member : codelet.members) {
    operands.clear();
    for (uint32_t value : member.inputs)
      operands.push_back(values[value]);
    std::span made(&results[member.firstResult - firstResult], member.outputTypes.size());
    Status status =
        runKernel(*member.kernel, operands, made, member.attrs, member.outputTypes, nullptr);
    if (!status.ok())
      return std::move(status).atNode(member.name);
    counts.floatKernels +=
        std::any_of(member.outputTypes.begin(), member.outputTypes.end(), isFloat);
    for (uint32_t value : member.released)
      results[value - firstResult].reset();
  }
  // An output may hold the buffer of an operand that is another output: copies first.
  std::vector<Tensor> finals;
  for (const CodeletOutput &output : codelet.outputs)
    finals.push_back(*values[output.value]);
  std::move(finals.begin(), finals.end(), outputs.begin());
  return okStatus();
}

} // namespace sluice::rt
