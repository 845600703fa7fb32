// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array of tensors that lives for one call, with the rules that TensorFlow's graphs rely on:
// each element is written once and, by default, read once. One thread at a time touches it.
//
// A *gradient array* belongs to a forward array and collects the gradients of its elements. It
// adds up several writes to one element, and an element whose forward partner was written, but to
// which no gradient flows, reads as zeros of the partner's shape.
#pragma once

#include "runtime/memory/object.h"
#include "runtime/memory/tensor.h"

#include <map>
#include <string>
#include <unordered_map>

namespace sluice::rt {

class TensorArray : public Object {
public:
  static constexpr Kind kKind = Kind::kTensorArray;

  struct Options {
    DType dtype = DType::kInvalid;
    Shape elementShape = Shape::unknownRank();
    bool dynamicSize = false;            // a write beyond the end grows the array
    bool clearAfterRead = true;          // a read frees the element; a second one is an error
    bool identicalElementShapes = false; // the first write fixes the element shape
  };

  // A name like "x_3"; the number distinguishes arrays of one op in messages.
  static Ref<TensorArray> create(const std::string &baseName, int32_t size, Options options);

  const std::string &name() const { return name_; }
  DType dtype() const { return options_.dtype; }
  bool dynamicSize() const { return options_.dynamicSize; }
  const Shape &elementShape() const { return options_.elementShape; }

  Result<int32_t> size() const;
  // Of the tensors in it, in all.
  int64_t elements() const;
  // How many elements make up the whole value: for a gradient array as many as the forward array
  // had when a value was last split into it.
  Result<int32_t> wholeSize() const;
  void markSize(int32_t size) {
    if (!gradient_)
      markedSize_ = size;
  }
  // The element shape together with what an op knows of it.
  Result<Shape> narrowedElementShape(const Shape &shape) const;

  // The value's dtype is the array's.
  Status write(int32_t index, const Tensor &value);
  // `narrowed` is the shape of the zeros that this reader takes an element for that nothing was
  // written to, where the array does not know one itself. Another reader does not see them: which
  // of the two comes first is nobody's choice.
  Result<Tensor> read(int32_t index) { return read(index, options_.elementShape); }
  Result<Tensor> read(int32_t index, const Shape &narrowed);
  // Frees the elements; every later use is an error.
  Status close();

  // The gradient array for one source of gradients, made by the first call. The array keeps its
  // size from then on. `prefix` is null or the dims that gradients have before those of elements.
  Result<Ref<TensorArray>> gradient(const std::string &source, const Shape *prefix);

private:
  struct Element {
    Tensor value; // invalid although written: zeros of `shape`
    Shape shape;
    bool written = false, read = false, cleared = false;
  };

  TensorArray(std::string name, int32_t size, Options options)
      : Object(kKind), name_(std::move(name)), size_(size), options_(std::move(options)) {}
  Status checkOpen() const;
  Status error(const std::string &text) const;
  Status checkValue(int32_t index, const Tensor &value);
  Status aggregate(int32_t index, Element &element, const Tensor &value);
  // What an element that nothing was written to is to a reader.
  Result<Tensor> assumeZeros(int32_t index, const Shape &narrowed) const;
  Status copyShapes(const TensorArray &forward, const Shape *prefix);

  const std::string name_;
  int32_t size_;
  Options options_;
  bool closed_ = false, gradient_ = false, aggregated_ = false;
  int32_t markedSize_ = -1;
  // Only elements that were touched: a size is a number from the graph, not a promise of memory.
  std::unordered_map<int32_t, Element> elements_;
  std::map<std::string, Ref<TensorArray>> gradients_;
};

} // namespace sluice::rt
