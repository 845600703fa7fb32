// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of operands and results. Besides comparing, each row checks the shape rule under every way
// of knowing less about the operands: it must agree with the result and be monotone.
#pragma once

#include "runtime/kernels/environment.h"
#include "runtime/kernels/kernel_symbols.h"
#include "test/runtime/kernels/tensor_text.h"

#include <gtest/gtest.h>

#include <cstring>

namespace sluice::rt {

inline Attr caseInt(int64_t value) {
  Attr attr;
  attr.kind = Attr::Kind::kInt;
  attr.i = value;
  return attr;
}
inline Attr caseInts(std::span<const int64_t> values) {
  Attr attr;
  attr.kind = Attr::Kind::kInts;
  attr.ints = values;
  return attr;
}
inline Attr caseString(std::string_view value) {
  Attr attr;
  attr.kind = Attr::Kind::kString;
  attr.s = value;
  return attr;
}
inline Attr caseDType(DType value) {
  Attr attr;
  attr.kind = Attr::Kind::kDType;
  attr.i = static_cast<int64_t>(value);
  return attr;
}
// The shape must live as long as the attribute.
inline Attr caseShape(const Shape &shape) {
  Attr attr;
  attr.kind = Attr::Kind::kShape;
  attr.unknownRank = !shape.hasRank();
  attr.ints = shape.dims();
  return attr;
}

struct KernelCase {
  std::vector<std::string> inputs;
  std::vector<Attr> attrs;
  std::vector<std::string> expected; // outputs, or one line "CODE: message"
  std::vector<DType> types = {};     // of the outputs; by default that of input 0
};

// What a result holds before its shape rule ran: the rule must not rely on it.
inline const Shape kUnsetShape{9, 9, 9, 9, 9};

// How much is known of one operand, from all to nothing.
enum class Known { kValue, kShape, kAllButDim0, kRank, kNothing };
inline constexpr int kNumKnown = 5;

inline Shape weaken(const Shape &shape, Known known) {
  if (known == Known::kNothing)
    return Shape::unknownRank();
  if (known == Known::kRank)
    return Shape::unknownDims(shape.rank());
  Shape result = shape;
  if (known == Known::kAllButDim0 && shape.rank() > 0)
    result.setDim(0, -1);
  return result;
}

// Whatever is known in `less` is the same in `more`.
inline bool refines(const Shape &more, const Shape &less) {
  if (!less.hasRank())
    return true;
  if (more.rank() != less.rank())
    return false;
  for (int i = 0; i < less.rank(); ++i)
    if (less.dim(i) >= 0 && more.dim(i) != less.dim(i))
      return false;
  return true;
}

inline std::vector<Shape> inferWith(const Kernel &kernel, const std::vector<Tensor> &inputs,
                                    const std::vector<Known> &known, const KernelCase &row,
                                    const std::vector<DType> &types) {
  std::vector<Shape> shapes;
  std::vector<const Shape *> pointers;
  std::vector<const Tensor *> values;
  for (size_t i = 0; i < inputs.size(); ++i) {
    shapes.push_back(weaken(inputs[i].shape(), known[i]));
    values.push_back(known[i] == Known::kValue ? &inputs[i] : nullptr);
  }
  for (const Shape &shape : shapes)
    pointers.push_back(&shape);
  std::vector<Shape> outputs(types.size(), kUnsetShape);
  ShapeCall call(pointers, values, row.attrs, outputs, types);
  Status status = kernel.shape(call);
  EXPECT_TRUE(status.ok()) << status.message();
  return outputs;
}

inline void checkMonotone(const Kernel &kernel, const std::vector<Tensor> &inputs,
                          const KernelCase &row, const std::vector<Tensor> &results,
                          const std::vector<DType> &types) {
  size_t combinations = 1;
  for (size_t i = 0; i < inputs.size(); ++i)
    combinations *= kNumKnown;
  for (size_t c = 0; c < combinations; ++c) {
    std::vector<Known> known;
    for (size_t i = 0, rest = c; i < inputs.size(); ++i, rest /= kNumKnown)
      known.push_back(static_cast<Known>(rest % kNumKnown));
    std::vector<Shape> shapes = inferWith(kernel, inputs, known, row, types);
    for (size_t k = 0; k < results.size(); ++k)
      EXPECT_TRUE(refines(results[k].shape(), shapes[k]))
          << "combination " << c << " says " << shapes[k].toString();
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (known[i] == Known::kNothing)
        continue;
      std::vector<Known> less = known;
      less[i] = static_cast<Known>(static_cast<int>(known[i]) + 1);
      std::vector<Shape> weaker = inferWith(kernel, inputs, less, row, types);
      for (size_t k = 0; k < results.size(); ++k)
        EXPECT_TRUE(refines(shapes[k], weaker[k]))
            << "combination " << c << ": " << shapes[k].toString() << " after "
            << weaker[k].toString();
    }
  }
}

// Leaves something in the memory that the next outputs of the same size get.
inline void spoil(std::vector<Tensor> &outputs) {
  for (Tensor &output : outputs) {
    if (output.dtype() != DType::kString && output.elements() > 0)
      std::memset(const_cast<void *>(output.raw()), 0x5a, output.bytes());
    output = Tensor();
  }
}

inline void checkCases(const Kernel &kernel, const std::vector<KernelCase> &rows,
                       Environment *environment = nullptr) {
  for (const KernelCase &row : rows) {
    std::vector<Tensor> inputs;
    std::vector<const Tensor *> pointers;
    std::string all;
    for (const std::string &text : row.inputs) {
      inputs.push_back(tensorOf(text));
      all += (all.empty() ? "" : ", ") + text;
    }
    SCOPED_TRACE(all);
    for (const Tensor &input : inputs)
      pointers.push_back(&input);
    std::vector<DType> types = row.types;
    if (types.empty())
      types.assign(row.expected.size(), inputs[0].dtype());
    std::vector<Tensor> outputs(types.size());
    Status status = runKernel(kernel, pointers, outputs, row.attrs, types, environment);
    if (status.ok() && !(kernel.flags & (Kernel::kAllocates | Kernel::kStateful))) {
      spoil(outputs); // a kernel must not rely on memory that is zero
      status = runKernel(kernel, pointers, outputs, row.attrs, types, environment);
    }
    if (!status.ok()) {
      EXPECT_EQ(status.toString(), row.expected[0]);
      continue;
    }
    for (size_t i = 0; i < outputs.size() && i < row.expected.size(); ++i)
      EXPECT_EQ(textOf(outputs[i]), row.expected[i]);
    if (kernel.shape)
      checkMonotone(kernel, inputs, row, outputs, types);
  }
}

// The shape rule's answer for output 0, or its error.
inline std::string inferred(const Kernel &kernel, const std::vector<std::string> &shapes,
                            const std::vector<std::string> &values = {},
                            const std::vector<Attr> &attrs = {}) {
  std::vector<Shape> inputs;
  std::vector<Tensor> tensors(shapes.size());
  std::vector<const Shape *> pointers;
  std::vector<const Tensor *> known(shapes.size());
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (i < values.size() && !values[i].empty()) {
      tensors[i] = tensorOf(values[i]);
      known[i] = &tensors[i];
    }
    inputs.push_back(known[i] ? tensors[i].shape() : shapeOf(shapes[i]));
  }
  for (const Shape &input : inputs)
    pointers.push_back(&input);
  std::vector<Shape> outputs(2, kUnsetShape);
  const DType types[] = {DType::kF32, DType::kI32};
  ShapeCall call(pointers, known, attrs, std::span(outputs).first(1), types);
  Status status = kernel.shape(call);
  return status.ok() ? outputs[0].toString() : status.toString();
}

} // namespace sluice::rt
