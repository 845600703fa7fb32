// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of a tensor in nested brackets.
#include "runtime/io/tensor_text.h"
#include "runtime/io/number_text.h"

namespace sluice::rt {

namespace {

constexpr int64_t kAbbreviateAbove = 1000;
constexpr int64_t kEdge = 3;

class Printer {
public:
  Printer(const Tensor &tensor, bool abbreviate, std::string &out)
      : tensor_(tensor), abbreviate_(abbreviate), out_(out) {}

  // Prints the part of the tensor below dim `depth` that starts at element `first` and has `count`.
  void print(int depth, int64_t first, int64_t count) {
    if (depth == tensor_.rank())
      return appendElement(tensor_, first, out_);
    int64_t size = tensor_.dim(depth);
    int64_t inner = size ? count / size : 0;
    out_ += '[';
    for (int64_t i = 0; i < size; ++i) {
      if (i)
        separate(depth);
      if (abbreviate_ && size > 2 * kEdge && i == kEdge) {
        out_ += "...";
        i = size - kEdge;
        separate(depth);
      }
      print(depth + 1, first + i * inner, inner);
    }
    out_ += ']';
  }

private:
  void separate(int depth) {
    if (depth + 1 == tensor_.rank()) {
      out_ += ", ";
      return;
    }
    out_ += ",\n";
    out_.append(static_cast<size_t>(depth) + 1, ' ');
  }

  const Tensor &tensor_;
  bool abbreviate_;
  std::string &out_;
};

} // namespace

std::string tensorText(const Tensor &tensor, bool full) {
  std::string out(dtypeName(tensor.dtype()));
  out += tensor.shape().toString();
  if (tensor.dtype() == DType::kHandle)
    return out + " = (handle)";
  bool rows = tensor.rank() > 1 && tensor.elements() > 0;
  out += rows ? " =\n" : " = ";
  Printer printer(tensor, !full && tensor.elements() > kAbbreviateAbove, out);
  if (tensor.elements() == 0)
    out += "[]";
  else
    printer.print(0, 0, tensor.elements());
  return out;
}

} // namespace sluice::rt
