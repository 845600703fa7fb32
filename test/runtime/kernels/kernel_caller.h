// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Short ways to call kernels and shape rules from tests.
#pragma once

#include "runtime/kernels/kernel_symbols.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

namespace sluice::rt {

inline Attr intAttr(int64_t value) {
  Attr attr;
  attr.kind = Attr::Kind::kInt;
  attr.i = value;
  return attr;
}

template <typename T> Tensor tensor(const Shape &shape, const std::vector<T> &values) {
  Tensor t = *Tensor::allocate(DTypeOf<T>::value, shape);
  EXPECT_EQ(t.elements(), static_cast<int64_t>(values.size()));
  for (size_t i = 0; i < values.size(); ++i)
    t.data<T>()[i] = values[i];
  return t;
}
// Elements start, start + step, …
template <typename T> Tensor ramp(const Shape &shape, double start = 0, double step = 1) {
  Tensor t = *Tensor::allocate(DTypeOf<T>::value, shape);
  for (int64_t i = 0; i < t.elements(); ++i)
    t.data<T>()[i] = static_cast<T>(static_cast<float>(start + step * static_cast<double>(i)));
  return t;
}
template <typename T> std::vector<T> valuesOf(const Tensor &t) {
  return {t.values<T>().begin(), t.values<T>().end()};
}

struct KernelResult {
  Status status;
  std::vector<Tensor> outputs;

  bool ok() const { return status.ok(); }
  const Tensor &operator*() const { return outputs[0]; }
  const Tensor *operator->() const { return outputs.data(); }
};

// Runs a kernel whose outputs have the given types.
inline KernelResult callKernel(const Kernel &kernel, const std::vector<Tensor> &inputs,
                               const std::vector<DType> &outputTypes,
                               const std::vector<Attr> &attrs = {}) {
  std::vector<const Tensor *> pointers;
  for (const Tensor &input : inputs)
    pointers.push_back(&input);
  KernelResult result;
  result.outputs.resize(outputTypes.size());
  result.status = runKernel(kernel, pointers, result.outputs, attrs, outputTypes, nullptr);
  return result;
}
// The single output has the type of input 0.
inline KernelResult callKernel(const Kernel &kernel, const std::vector<Tensor> &inputs,
                               const std::vector<Attr> &attrs = {}) {
  return callKernel(kernel, inputs, {inputs[0].dtype()}, attrs);
}
// "" on success, else the message; every failure here is INVALID_ARGUMENT.
inline std::string errorOf(const KernelResult &result) {
  if (result.ok())
    return "";
  EXPECT_EQ(result.status.code(), Code::kInvalidArgument);
  return result.status.message();
}

// What the shape rule says of output 0, or its message. `values` may be shorter than the inputs
// and hold nulls.
inline std::string inferShape(const Kernel &kernel, const std::vector<Shape> &inputs,
                              const std::vector<Attr> &attrs = {},
                              std::vector<const Tensor *> values = {}) {
  std::vector<const Shape *> shapes;
  for (const Shape &input : inputs)
    shapes.push_back(&input);
  values.resize(inputs.size(), nullptr);
  std::vector<Shape> outputs(2);
  const DType types[] = {DType::kF32, DType::kI32};
  ShapeCall call(shapes, values, attrs, outputs, types);
  Status status = kernel.shape(call);
  return status.ok() ? outputs[0].toString() : status.message();
}

inline const Shape kAnyShape = Shape::unknownRank();

} // namespace sluice::rt
