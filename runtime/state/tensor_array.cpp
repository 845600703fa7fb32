// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorArray: element states, aggregation and gradient arrays.
#include "runtime/state/tensor_array.h"

#include "runtime/state/addition.h"

#include <atomic>

namespace sluice::rt {

Ref<TensorArray> TensorArray::create(const std::string &baseName, int32_t size, Options options) {
  // Counts over the process, as names in messages need to differ and nothing else.
  static std::atomic<uint64_t> counter{0};
  std::string name = baseName + "_" + std::to_string(counter.fetch_add(1));
  return Ref<TensorArray>::adopt(new TensorArray(std::move(name), size, std::move(options)));
}

Status TensorArray::error(const std::string &text) const {
  return invalidArgument("TensorArray " + name_ + text);
}

Status TensorArray::checkOpen() const {
  return closed_ ? error(" has already been closed.") : okStatus();
}

int64_t TensorArray::elements() const {
  int64_t count = 0;
  for (const auto &[index, element] : elements_)
    count += element.value.valid() ? element.value.elements() : 0;
  return count;
}

Result<int32_t> TensorArray::size() const {
  SLUICE_RETURN_IF_ERROR(checkOpen());
  return size_;
}

Result<int32_t> TensorArray::wholeSize() const {
  SLUICE_RETURN_IF_ERROR(checkOpen());
  return gradient_ && markedSize_ >= 0 ? markedSize_ : size_;
}

Result<Shape> TensorArray::narrowedElementShape(const Shape &shape) const {
  Shape own = options_.elementShape;
  if (own.hasRank() && shape.hasRank() && own.rank() != shape.rank())
    return invalidArgument(format("PartialTensorShape: Incompatible ranks during merge: %d vs. %d",
                                  own.rank(), shape.rank()));
  if (!own.compatibleWith(shape))
    return invalidArgument("PartialTensorShape: Incompatible shapes during merge: " +
                           own.toString() + " vs. " + shape.toString());
  if (!own.hasRank())
    own = shape;
  for (int i = 0; i < own.rank() && shape.hasRank(); ++i)
    if (own.dim(i) < 0)
      own.setDim(i, shape.dim(i));
  return own;
}

Status TensorArray::checkValue(int32_t index, const Tensor &value) {
  std::string where = ": Could not write to TensorArray index " + std::to_string(index);
  if (!options_.elementShape.compatibleWith(value.shape()))
    return error(where + " because the value shape is " + value.shape().toString() +
                 " which is incompatible with the TensorArray's inferred element shape: " +
                 options_.elementShape.toString() + " (consider setting infer_shape=False).");
  if (options_.identicalElementShapes)
    options_.elementShape = value.shape();
  auto found = elements_.find(index);
  if (found == elements_.end())
    return okStatus();
  if (found->second.read)
    return error(where + " because it has already been read.");
  if (found->second.written && !gradient_)
    return error(where + " because it has already been written to.");
  return okStatus();
}

Status TensorArray::write(int32_t index, const Tensor &value) {
  SLUICE_RETURN_IF_ERROR(checkOpen());
  if (index < 0 || (index >= size_ && !options_.dynamicSize))
    return error(format(": Tried to write to index %d but array is not resizeable and size is: %d",
                        index, size_));
  if (index == INT32_MAX)
    return error(format(": Tried to write to index %d, which is beyond every size", index));
  SLUICE_RETURN_IF_ERROR(checkValue(index, value));
  if (index >= size_)
    size_ = index + 1;
  Element &element = elements_[index];
  if (element.written)
    return aggregate(index, element, value);
  element.value = value;
  element.shape = value.shape();
  element.written = true;
  return okStatus();
}

Status TensorArray::aggregate(int32_t index, Element &element, const Tensor &value) {
  if (!(value.shape() == element.shape))
    return error(format(": Could not aggregate to TensorArray index %d because the existing shape "
                        "is %s but the new input shape is %s.",
                        index, element.shape.toString().c_str(), value.shape().toString().c_str()));
  if (!element.value.valid()) {
    element.value = value;
    return okStatus();
  }
  aggregated_ = true;
  return addInto(element.value, value);
}

Result<Tensor> TensorArray::assumeZeros(int32_t index, const Shape &narrowed) const {
  if (!narrowed.isComplete())
    return error(
        format(": Could not read from TensorArray index %d.  Furthermore, the element shape is not "
               "fully defined: %s.  It is possible you are working with a resizeable TensorArray "
               "and stop_gradients is not allowing the gradients to be written.  If you set the "
               "full element_shape property on the forward TensorArray, the proper all-zeros "
               "tensor will be returned instead of incurring this error.",
               index, narrowed.toString().c_str()));
  return zeros(options_.dtype, narrowed);
}

Result<Tensor> TensorArray::read(int32_t index, const Shape &narrowed) {
  SLUICE_RETURN_IF_ERROR(checkOpen());
  // Reading a gradient beyond the end means that nothing flowed there.
  if (index < 0 || index == INT32_MAX || (!gradient_ && index >= size_))
    return invalidArgument(
        format("Tried to read from index %d but array size is: %d", index, size_));
  Element &element = elements_[index];
  if (element.cleared)
    return error(format(": Could not read index %d twice because it was cleared after a previous "
                        "read (perhaps try setting clear_after_read = false?).",
                        index));
  Tensor value = element.value;
  if (!element.written) {
    SLUICE_ASSIGN_OR_RETURN(value, assumeZeros(index, narrowed));
  } else if (!value.valid()) {
    SLUICE_ASSIGN_OR_RETURN(value, zeros(options_.dtype, element.shape));
  }
  if (index >= size_)
    size_ = index + 1;
  if (options_.clearAfterRead) {
    element.value.reset();
    element.cleared = true;
  }
  element.read = true;
  return value;
}

Status TensorArray::close() {
  SLUICE_RETURN_IF_ERROR(checkOpen());
  closed_ = true;
  elements_.clear();
  return okStatus();
}

Status TensorArray::copyShapes(const TensorArray &forward, const Shape *prefix) {
  for (const auto &[index, from] : forward.elements_) {
    if (!from.written)
      continue;
    Shape shape = prefix ? *prefix : Shape{};
    for (int64_t size : from.shape.dims())
      shape.append(size);
    SLUICE_RETURN_IF_ERROR(shape.checkedElements().status());
    Element &element = elements_[index];
    element.shape = shape;
    element.written = true;
  }
  return okStatus();
}

Result<Ref<TensorArray>> TensorArray::gradient(const std::string &source, const Shape *prefix) {
  SLUICE_RETURN_IF_ERROR(checkOpen());
  // Reads of the gradient would not know about elements that appear later.
  options_.dynamicSize = false;
  if (aggregated_)
    return invalidArgument(
        "Unable to create a gradients TensorArray for " + name_ +
        ".  Perhaps you used the multiple_writes_aggregate flag on a previous write?  Gradient "
        "calculation is impossible when multiple writes are performed to the same index.");
  if (auto found = gradients_.find(source); found != gradients_.end())
    return found->second;
  Options options = options_;
  options.clearAfterRead = true;
  if (prefix && options_.elementShape.hasRank()) {
    options.elementShape = *prefix;
    for (int64_t size : options_.elementShape.dims())
      options.elementShape.append(size);
  }
  Ref<TensorArray> made =
      Ref<TensorArray>::adopt(new TensorArray(name_ + "@" + source, size_, std::move(options)));
  made->gradient_ = true;
  made->markedSize_ = markedSize_;
  SLUICE_RETURN_IF_ERROR(made->copyShapes(*this, prefix));
  gradients_.emplace(source, made);
  return made;
}

} // namespace sluice::rt
