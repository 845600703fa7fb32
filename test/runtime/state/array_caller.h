// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorArrays as tests see them: one method for each op.
#pragma once

#include "runtime/state/tensor_array.h"
#include "test/runtime/kernels/kernel_case.h"

#include <gtest/gtest.h>

#include <regex>

namespace sluice::rt {

struct ArrayOptions {
  DType dtype = DType::kF32;
  std::string elementShape = "<unknown>";
  bool dynamic = false, clear = true, identical = false;
};

// The number in an array's name counts over the process.
inline std::string withoutNumber(const std::string &text) {
  return std::regex_replace(text, std::regex("ta_[0-9]+"), "ta_#");
}

// An array with one method for each op. Results are texts of outputs or of errors.
class Array {
public:
  explicit Array(Tensor handle, DType dtype = DType::kF32)
      : handle_(std::move(handle)), dtype_(dtype) {}
  explicit Array(int32_t size, const ArrayOptions &options = {}) : dtype_(options.dtype) {
    Shape shape = shapeOf(options.elementShape);
    std::string size_ = "i32 " + std::to_string(size);
    call(sluice_kernel_array_create_any, {tensorOf(size_)},
         {caseInt(options.clear), caseDType(options.dtype), caseInt(options.dynamic),
          caseShape(shape), caseInt(options.identical), caseString("ta")},
         {DType::kHandle, DType::kF32});
    handle_ = outputs_[0];
  }

  std::string write(int32_t index, const std::string &value) {
    return writeAt("i32 " + std::to_string(index), value);
  }
  std::string writeAt(const std::string &index, const std::string &value) {
    return call(sluice_kernel_array_write_any,
                {handle_, tensorOf(index), tensorOf(value), kFlow}, {}, {DType::kF32});
  }
  std::string read(int32_t index) { return read(index, dtype_); }
  std::string read(int32_t index, DType dtype) {
    return call(sluice_kernel_array_read_any, {handle_, Tensor::scalar(index), kFlow}, {}, {dtype});
  }
  std::string gather(const std::string &indices, const std::string &shape = "<unknown>") {
    Shape element = shapeOf(shape);
    return call(sluice_kernel_array_gather_any, {handle_, tensorOf(indices), kFlow},
                {caseShape(element)}, {dtype_});
  }
  std::string scatter(const std::string &indices, const std::string &value) {
    return call(sluice_kernel_array_scatter_any,
                {handle_, tensorOf(indices), tensorOf(value), kFlow}, {}, {DType::kF32});
  }
  std::string concat(const std::string &shape = "<unknown>") {
    Shape rest = shapeOf(shape);
    std::string text = call(sluice_kernel_array_concat_any, {handle_, kFlow}, {caseShape(rest)},
                            {dtype_, DType::kI64});
    return status_.ok() ? text + "; " + textOf(outputs_[1]) : text;
  }
  std::string split(const std::string &value, const std::string &lengths) {
    return call(sluice_kernel_array_split_any, {handle_, tensorOf(value), tensorOf(lengths), kFlow},
                {}, {DType::kF32});
  }
  std::string size() {
    return call(sluice_kernel_array_size_any, {handle_, kFlow}, {}, {DType::kI32});
  }
  std::string close() { return call(sluice_kernel_array_close_any, {handle_}, {}, {}); }
  // Also the error, if there is one.
  std::string makeGradient(const std::string &source = "gradients") {
    call(sluice_kernel_array_grad_any, {handle_, kFlow}, {caseString(source)},
         {DType::kHandle, DType::kF32});
    return status_.ok() ? "" : withoutNumber(status_.toString());
  }
  Array gradient(const std::string &source = "gradients") {
    EXPECT_EQ(makeGradient(source), "");
    return Array(outputs_[0], dtype_);
  }
  Array gradientWithShape(const std::string &prefix) {
    call(sluice_kernel_array_grad_with_shape_any, {handle_, kFlow, tensorOf(prefix)},
         {caseString("gradients")}, {DType::kHandle, DType::kF32});
    return status_.ok() ? Array(outputs_[0], dtype_) : *this;
  }
  const Tensor &handle() const { return handle_; }
  const Status &status() const { return status_; }

private:
  static inline const Tensor kFlow = Tensor::scalar(0.0f);

  std::string call(const Kernel &kernel, const std::vector<Tensor> &inputs,
                   const std::vector<Attr> &attrs, const std::vector<DType> &types) {
    std::vector<const Tensor *> pointers;
    for (const Tensor &input : inputs)
      pointers.push_back(&input);
    outputs_.assign(types.size(), Tensor());
    status_ = runKernel(kernel, pointers, outputs_, attrs, types, nullptr);
    if (!status_.ok())
      return withoutNumber(status_.toString());
    return types.empty() ? "" : textOf(outputs_[0]);
  }

  Tensor handle_;
  DType dtype_;
  Status status_;
  std::vector<Tensor> outputs_;
};

inline const std::string kDone = "f32 0"; // the flow

} // namespace sluice::rt
