// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sparse, dense and ragged tensors of features.
#include "runtime/kernels/parsed_features.h"

#include "runtime/memory/denormals.h"

#include <algorithm>

namespace sluice::rt {

// TensorFlow's names.
static const char *typeName(DType dtype) {
  return dtype == DType::kF32 ? "float" : dtype == DType::kI64 ? "int64" : "string";
}

Status ParsedFeature::fault(const ExamplePlace &place, const std::string &what) const {
  return invalidArgument("Name: " + place.name + ", Key: " + key_ +
                         ", Index: " + std::to_string(place.index) + ".  " + what);
}

Status ParsedFeature::beDense(size_t number, const Shape &shape, const Tensor &fallback,
                              const Shape &serialized) {
  shape_ = shape;
  fallback_ = fallback;
  bool isPadded = shape.rank() > 0 && shape.dim(0) < 0;
  form_ = isPadded ? Form::kPadded : Form::kFixed;
  Shape ofOne = shape;
  if (isPadded)
    ofOne.setDim(0, 1);
  SLUICE_ASSIGN_OR_RETURN(stride_, ofOne.checkedElements());
  if (isPadded && fallback.elements() != 1)
    return invalidArgument(format("dense_shape[%zu] is a variable length shape: %s, therefore "
                                  "def_value[%zu] must contain a single element (the padding "
                                  "element).  But its shape is: %s",
                                  number, shape.toString().c_str(), number,
                                  fallback.shape().toString().c_str()));
  if (isPadded && stride_ == 0)
    return invalidArgument(
        format("dense_shapes[%zu] has no elements: %s", number, shape.toString().c_str()));
  if (isPadded)
    return okStatus();
  if (fallback.elements() > 0 && !(fallback.shape() == shape))
    return invalidArgument(format("def_value[%zu].shape() == %s is not compatible with "
                                  "dense_shapes_[%zu] == %s",
                                  number, fallback.shape().toString().c_str(), number,
                                  shape.toString().c_str()));
  Shape all = serialized;
  for (int64_t dim : shape.dims())
    all.append(dim);
  SLUICE_ASSIGN_OR_RETURN(fixed_, Tensor::allocate(values_.dtype(), all));
  return okStatus();
}

Status ParsedFeature::take(std::string_view bytes, const ExamplePlace &place) {
  if (isTaken_)
    return okStatus();
  isTaken_ = true;
  Result<Feature> feature = parseFeature(bytes);
  if (!feature.ok())
    return fault(place, feature.status().message());
  if (feature->dtype == DType::kInvalid) { // as if it were not there
    isTaken_ = false;
    return okStatus();
  }
  if (feature->dtype != values_.dtype())
    return fault(place, std::string("Data types don't match. Data type: ") +
                            typeName(feature->dtype) +
                            " but expected type: " + typeName(values_.dtype()));
  return values_.append(*feature) ? okStatus() : fault(place, "Can't parse serialized Example.");
}

Status ParsedFeature::endExample(const ExamplePlace &place) {
  size_t count = values_.size() - begin_;
  Status status = form_ == Form::kFixed    ? endFixed(place)
                  : form_ == Form::kPadded ? endPadded(place, count)
                                           : okStatus();
  counts_.push_back(count);
  begin_ = values_.size();
  isTaken_ = false;
  return status;
}

Status ParsedFeature::endFixed(const ExamplePlace &place) {
  int64_t to = place.index * stride_;
  if (!isTaken_ && fallback_.elements() == 0)
    return invalidArgument("Name: " + place.name + ", Feature: " + key_ + " (data type: " +
                           typeName(values_.dtype()) + ") is required but could not be found.");
  if (!isTaken_) {
    storeFallback(fixed_, to, stride_);
    return okStatus();
  }
  size_t count = values_.size();
  if (count != static_cast<size_t>(stride_))
    return fault(place, format("Number of %s values != expected.  Values size: %zu but output "
                               "shape: %s",
                               typeName(values_.dtype()), count, shape_.toString().c_str()));
  values_.copyTo(fixed_, to, 0, count);
  values_.clear();
  return okStatus();
}

Status ParsedFeature::endPadded(const ExamplePlace &place, size_t count) const {
  if (count % static_cast<size_t>(stride_) == 0)
    return okStatus();
  return fault(place, format("Number of %s values is not a multiple of stride length. Saw %zu "
                             "values but output shape is: %s",
                             typeName(values_.dtype()), count, shape_.toString().c_str()));
}

// Of a fixed shape all elements, else the one that fills up.
void ParsedFeature::storeFallback(Tensor &to, int64_t begin, int64_t count) const {
  auto store = [&]<typename T>(T *target, const T *from) {
    if (form_ == Form::kFixed)
      std::copy_n(from, count, target + begin);
    else
      std::fill_n(target + begin, count, *from);
  };
  if (values_.dtype() == DType::kF32)
    store(to.data<float>(), fallback_.data<float>());
  else if (values_.dtype() == DType::kI64)
    store(to.data<int64_t>(), fallback_.data<int64_t>());
  else
    store(to.data<std::string>(), fallback_.data<std::string>());
}

// ---- Tensors

Result<Tensor> ParsedFeature::all() const {
  SLUICE_ASSIGN_OR_RETURN(
      Tensor tensor,
      Tensor::allocate(values_.dtype(), Shape({static_cast<int64_t>(values_.size())})));
  values_.copyTo(tensor, 0, 0, values_.size());
  SLUICE_RETURN_IF_ERROR(flushDenormals(tensor));
  return tensor;
}

size_t ParsedFeature::longest() const {
  return counts_.empty() ? 0 : *std::ranges::max_element(counts_);
}

Status ParsedFeature::storeSparse(Tensor &indices, Tensor &values, Tensor &shape,
                                  bool isBatch) const {
  SLUICE_ASSIGN_OR_RETURN(values, all());
  int64_t dims = isBatch ? 2 : 1;
  SLUICE_ASSIGN_OR_RETURN(indices, Tensor::allocate(DType::kI64, Shape({values.elements(), dims})));
  auto *index = indices.data<int64_t>();
  for (size_t row = 0; row < counts_.size(); ++row)
    for (size_t column = 0; column < counts_[row]; ++column) {
      if (isBatch)
        *index++ = static_cast<int64_t>(row);
      *index++ = static_cast<int64_t>(column);
    }
  SLUICE_ASSIGN_OR_RETURN(shape, Tensor::allocate(DType::kI64, Shape({dims})));
  if (isBatch)
    shape.data<int64_t>()[0] = static_cast<int64_t>(counts_.size());
  shape.data<int64_t>()[dims - 1] = static_cast<int64_t>(longest());
  return okStatus();
}

Status ParsedFeature::storeDense(Tensor &values, bool isBatch) {
  if (form_ == Form::kFixed) {
    values = std::move(fixed_);
    return flushDenormals(values);
  }
  size_t most = longest();
  Shape shape = isBatch ? Shape({static_cast<int64_t>(counts_.size())}) : Shape();
  shape.append(static_cast<int64_t>(most) / stride_);
  for (int i = 1; i < shape_.rank(); ++i)
    shape.append(shape_.dim(i));
  SLUICE_ASSIGN_OR_RETURN(values, Tensor::allocate(values_.dtype(), shape));
  size_t from = 0;
  int64_t to = 0;
  for (size_t count : counts_) {
    values_.copyTo(values, to, from, count);
    storeFallback(values, to + static_cast<int64_t>(count), static_cast<int64_t>(most - count));
    from += count;
    to += static_cast<int64_t>(most);
  }
  return flushDenormals(values);
}

template <typename T> static void storeBegins(std::span<const size_t> counts, T *to) {
  *to = 0;
  for (size_t count : counts) {
    to[1] = static_cast<T>(static_cast<size_t>(*to) + count);
    ++to;
  }
}

Status ParsedFeature::storeRagged(Tensor &values, Tensor &splits, DType splitType,
                                  bool isBatch) const {
  SLUICE_ASSIGN_OR_RETURN(values, all());
  if (splitType == DType::kI32 && values.elements() > INT32_MAX)
    return invalidArgument("Key: " + key_ + ": too many values for row splits of int32");
  int64_t begins = isBatch ? static_cast<int64_t>(counts_.size()) + 1 : 0;
  SLUICE_ASSIGN_OR_RETURN(splits, Tensor::allocate(splitType, Shape({begins})));
  if (isBatch && splitType == DType::kI32)
    storeBegins<int32_t>(counts_, splits.data<int32_t>());
  else if (isBatch)
    storeBegins<int64_t>(counts_, splits.data<int64_t>());
  return okStatus();
}

} // namespace sluice::rt
