// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors and shapes as text, so that a test case is a row of strings.
#pragma once

#include "runtime/kernels/summary.h"

#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::rt {

// "[2,?]", "[]" or "<unknown>".
inline Shape shapeOf(std::string_view text) {
  if (text == "<unknown>")
    return Shape::unknownRank();
  Shape shape;
  std::stringstream dims{std::string(text.substr(1, text.size() - 2))};
  for (std::string dim; std::getline(dims, dim, ',');)
    shape.append(dim == "?" ? -1 : std::stoll(dim));
  return shape;
}

template <typename T> void parseElements(std::stringstream &words, Tensor &tensor) {
  for (int64_t i = 0; i < tensor.elements(); ++i) {
    std::string word;
    words >> word;
    if constexpr (std::is_same_v<T, std::string>)
      tensor.data<T>()[i] = word;
    else if constexpr (std::is_integral_v<T>)
      tensor.data<T>()[i] = static_cast<T>(std::stoll(word));
    else if constexpr (std::is_same_v<T, std::complex<float>> ||
                       std::is_same_v<T, std::complex<double>>) {
      // "(1,2)"
      size_t comma = word.find(',');
      tensor.data<T>()[i] = T(std::stof(word.substr(1)), std::stof(word.substr(comma + 1)));
    } else
      tensor.data<T>()[i] = static_cast<T>(std::stod(word));
  }
}

// "i32[2,2] 1 2 3 4"; scalars may leave out the brackets: "f32 1.5".
inline Tensor tensorOf(std::string_view text) {
  std::stringstream words{std::string(text)};
  std::string head;
  words >> head;
  size_t bracket = head.find('[');
  DType dtype = *dtypeFromName(std::string_view(head).substr(0, bracket));
  Shape shape = bracket == std::string::npos ? Shape{} : shapeOf(head.substr(bracket));
  Tensor tensor = *Tensor::allocate(dtype, shape);
  switch (dtype) {
#define SLUICE_CASE(E, T, N)                                                                       \
  case DType::E:                                                                                   \
    parseElements<T>(words, tensor);                                                               \
    break;
    SLUICE_NUMBER_DTYPES(SLUICE_CASE)
    SLUICE_CASE(kBool, bool, bool)
    SLUICE_CASE(kString, std::string, string)
#undef SLUICE_CASE
  default:
    break;
  }
  return tensor;
}

inline std::string textOf(const Tensor &tensor) {
  std::string text(dtypeName(tensor.dtype()));
  if (tensor.rank() != 0)
    text += tensor.shape().toString();
  std::string elements = summarize(tensor.reshaped(Shape{tensor.elements()}), -1);
  return elements.empty() ? text : text + " " + elements;
}

} // namespace sluice::rt
