// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The run-time faces of an op: one shape rule and one plain kernel.
//
// The *shape rule* computes output shapes from input shapes, attributes and, where an op's result
// size depends on values (reshape, fill, range, …), from those values. The compiler calls it while
// dims may be unknown; the executor calls it before every firing, when all is known, and allocates
// the outputs. One function serves both, so the two can never disagree.
//
// The *plain kernel* is obvious C++ for any rank. The reference interpreter, constant folding and
// executables all run this very function. It writes into the outputs that it is given; only
// kernels with `kAllocates` (data-dependent sizes, aliases, handles) make their outputs themselves.
//
// Threads: a kernel may run on any thread, but never twice at once for one firing. Kernels with
// `kStateful` run on the scheduler thread, those of them with `kOnWorkers` elsewhere too while no
// other firing uses the objects that are among its operands. Failures are returned, never thrown;
// the caller adds the node's name.
#pragma once

#include "runtime/kernels/sizes.h"
#include "runtime/memory/tensor.h"

#include <cassert>
#include <span>
#include <string_view>

namespace sluice::rt {

// One attribute of an op. Kernels read attributes by their names (runtime/kernels/op_attributes.h).
struct Attr {
  enum class Kind : uint8_t { kNone, kInt, kFloat, kInts, kString, kDType, kShape };
  Kind kind = Kind::kNone;
  int64_t i = 0; // kInt (also bools and resource indices), kDType (as DType)
  double f = 0;
  std::span<const int64_t> ints; // kInts; kShape: dims with -1 for unknown
  bool unknownRank = false;      // kShape
  std::string_view s;

  bool boolean() const { return as(Kind::kInt).i != 0; }
  int64_t integer() const { return as(Kind::kInt).i; }
  std::span<const int64_t> integers() const { return as(Kind::kInts).ints; }
  std::string_view text() const { return as(Kind::kString).s; }
  // Position among the program's resources.
  size_t resource() const { return static_cast<size_t>(as(Kind::kInt).i); }
  DType dtype() const { return static_cast<DType>(as(Kind::kDType).i); }
  // Unknown rank also for what is no tensor, such as a list.
  Shape shape() const {
    return kind != Kind::kShape || unknownRank ? Shape::unknownRank() : Shape(ints);
  }

private:
  const Attr &as([[maybe_unused]] Kind expected) const {
    assert(kind == expected);
    return *this;
  }
};
using Attrs = std::span<const Attr>;

namespace attributes {
class Reader;
} // namespace attributes

// What a shape rule sees and fills.
class ShapeCall {
public:
  ShapeCall(std::span<const Shape *const> inputs, std::span<const Tensor *const> values,
            Attrs attrs, std::span<Shape> outputs, std::span<const DType> outputTypes,
            Sizes sizes = {})
      : inputs_(inputs), values_(values), attrs_(attrs), outputs_(outputs),
        outputTypes_(outputTypes), sizes_(sizes) {}

  size_t numInputs() const { return inputs_.size(); }
  const Shape &input(size_t i) const { return *inputs_[i]; }
  // What the rule computes with dims that need not be known.
  const Sizes &sizes() const { return sizes_; }
  // Null when the value is not known; never null at run time.
  const Tensor *value(size_t i) const { return values_[i]; }
  size_t numOutputs() const { return outputs_.size(); }
  Shape &output(size_t i) { return outputs_[i]; }
  DType outputType(size_t i) const { return outputTypes_[i]; }

private:
  friend class attributes::Reader;

  std::span<const Shape *const> inputs_;
  std::span<const Tensor *const> values_;
  Attrs attrs_;
  std::span<Shape> outputs_;
  std::span<const DType> outputTypes_;
  Sizes sizes_;
};

struct Environment; // runtime/kernels/environment.h

// One firing of a kernel.
class KernelCall {
public:
  KernelCall(std::span<const Tensor *const> inputs, std::span<Tensor> outputs, Attrs attrs,
             std::span<const DType> outputTypes, Environment *environment)
      : inputs_(inputs), outputs_(outputs), attrs_(attrs), outputTypes_(outputTypes),
        environment_(environment) {}

  size_t numInputs() const { return inputs_.size(); }
  const Tensor &input(size_t i) const { return *inputs_[i]; }
  size_t numOutputs() const { return outputs_.size(); }
  Tensor &output(size_t i) { return outputs_[i]; }
  std::span<Tensor> outputs() { return outputs_; }
  DType outputType(size_t i) const { return outputTypes_[i]; }
  std::span<const DType> outputTypes() const { return outputTypes_; }
  // Null except for kernels with `kStateful`.
  Environment *environment() const { return environment_; }

private:
  friend class attributes::Reader;

  std::span<const Tensor *const> inputs_;
  std::span<Tensor> outputs_;
  Attrs attrs_;
  std::span<const DType> outputTypes_;
  Environment *environment_;
};

using ShapeRule = Status (*)(ShapeCall &);
using KernelFn = Status (*)(KernelCall &);
// All inputs and the single output are rank 0; cannot fail. `in` and `out` point to elements.
using ScalarFn = void (*)(const void *const *in, void *out);
// Estimate of the work of one firing in elementary operations, to decide whether a worker is worth
// it.
using WorkFn = uint64_t (*)(const KernelCall &);

struct Kernel {
  enum Flags : uint32_t {
    kNone = 0,
    kAllocates = 1, // makes its outputs itself
    kStateful =
        2,        // reads or changes runtime objects, or has another effect; never folded or merged
    kInPlace = 4, // element i of output 0 depends on element i of equally shaped inputs only,
                  // so output 0 may be an input that nobody else holds
    kOnWorkers = 8, // stateful, but touches no objects except operands and generators
    kKeeps = 16,    // its call keeps the objects among the operands, until …
    kGives = 32,    // … this one has used them, or the call ends
  };
  ShapeRule shape; // null for kAllocates kernels without a useful rule: all outputs unknown
  KernelFn run;
  uint32_t flags = kNone;
  ScalarFn scalar = nullptr;
  WorkFn work = nullptr;
};

// Computes output shapes, allocates outputs (unless kAllocates) and runs. Used wherever speed does
// not matter: interpreter, folding, tests. `outputs` has one default tensor for each output.
Status runKernel(const Kernel &kernel, std::span<const Tensor *const> inputs,
                 std::span<Tensor> outputs, Attrs attrs, std::span<const DType> outputTypes,
                 Environment *environment);

} // namespace sluice::rt

// Kernels are C symbols so that a program's object file can refer to just those that it uses and
// section garbage collection drops the rest.
//   SLUICE_KERNEL_SYMBOL(nd_add, f32) -> sluice_kernel_nd_add_f32
#define SLUICE_KERNEL_SYMBOL(OP, TYPE) sluice_kernel_##OP##_##TYPE
