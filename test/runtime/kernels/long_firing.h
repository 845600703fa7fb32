// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Firings that take long: what the tests of pieces and of calls that end are made of.
#pragma once

#include "runtime/base/cancellation.h"
#include "runtime/base/denormal_mode.h"
#include "runtime/kernels/environment.h"
#include "runtime/kernels/registry.h"
#include "runtime/state/list.h"
#include "runtime/state/map.h"
#include "runtime/state/variable.h"
#include "test/runtime/kernels/kernel_caller.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>

namespace sluice::rt {

struct LongFiring {
  std::vector<Tensor> inputs;
  std::vector<DType> types; // of the outputs
  std::vector<Attr> attrs = {};
  std::vector<Ref<Variable>> variables = {}; // whose handles come before the inputs
};

struct LongCase {
  const char *op;
  std::function<LongFiring()> make; // the same each time
};

// In several files, as there are many: of the nd dialect, of what calls share, of what reads files,
// of the nn dialect, and of the others.
std::vector<LongCase> longTensorCases();
std::vector<LongCase> longObjectCases();
std::vector<LongCase> longSharedCases();
std::vector<LongCase> longRecordCases();
std::vector<LongCase> longTextCases();
std::vector<LongCase> longMatrixCases();
std::vector<LongCase> longWindowCases();
std::vector<LongCase> longPartCases();
// Ops that take no time that depends on sizes, or only that of giving memory back.
const std::vector<std::string_view> &shortOps();

// A firing that has been run, and what is there afterwards.
class LongRun {
public:
  explicit LongRun(const LongCase &row, const Cancellation *call = nullptr,
                   std::atomic<bool> *begun = nullptr)
      : firing_(row.make()) {
    for (const auto &variable : firing_.variables)
      inputs_.push_back(Tensor::handle(Ref<Object>::share(variable.get())));
    inputs_.insert(inputs_.end(), firing_.inputs.begin(), firing_.inputs.end());
    std::vector<const Tensor *> pointers;
    std::vector<DType> types;
    for (const Tensor &input : inputs_) {
      pointers.push_back(&input);
      types.push_back(input.dtype());
    }
    const KernelEntry *entry = findKernel(row.op, types, firing_.types);
    if (!entry) {
      status = Status(Code::kNotFound, "no such kernel");
      return;
    }
    outputs.resize(firing_.types.size());
    status = allocate(*entry->kernel, pointers);
    Object *resources[] = {&generator_};
    const std::function<void(std::string_view)> print = [](std::string_view) {};
    Environment environment{.resources = resources, .print = &print};
    KernelCall firing(pointers, outputs, firing_.attrs, firing_.types, &environment);
    CancellationScope scope(call);
    FlushDenormals flush; // as all threads that compute
    if (begun)
      begun->store(true);
    const auto start = std::chrono::steady_clock::now();
    if (status.ok())
      status = entry->kernel->run(firing);
    time = std::chrono::steady_clock::now() - start;
  }

  // Outputs and variables, as bytes; of lists, all elements.
  std::string state() const {
    std::string all = variables();
    for (const Tensor &output : outputs)
      append(output, all);
    return all;
  }
  std::string variables() const { return bytesOf(firing_.variables); }
  static std::string bytesOf(const std::vector<Ref<Variable>> &variables) {
    std::string all;
    for (const auto &variable : variables)
      append(variable->value, all);
    return all;
  }
  // Nothing was stored in outputs that were there before.
  bool outputsAreUntouched() const {
    for (const Tensor &output : outputs)
      if (output.valid() && !isUntouched(output))
        return false;
    return true;
  }

  Status status;
  std::chrono::steady_clock::duration time{};
  std::vector<Tensor> outputs;

private:
  static constexpr unsigned char kUntouched = 0x5a;

  Status allocate(const Kernel &kernel, const std::vector<const Tensor *> &inputs) {
    if (kernel.flags & Kernel::kAllocates)
      return okStatus();
    std::vector<const Shape *> shapes;
    for (const Tensor *input : inputs)
      shapes.push_back(&input->shape());
    std::vector<Shape> results(outputs.size(), Shape::unknownRank());
    ShapeCall call(shapes, inputs, firing_.attrs, results, firing_.types);
    SLUICE_RETURN_IF_ERROR(kernel.shape(call));
    for (size_t i = 0; i < outputs.size(); ++i) {
      SLUICE_ASSIGN_OR_RETURN(outputs[i], Tensor::allocate(firing_.types[i], results[i]));
      if (isPlain(firing_.types[i]))
        std::memset(outputs[i].raw(), kUntouched, outputs[i].bytes());
    }
    return okStatus();
  }
  static bool isUntouched(const Tensor &output) {
    if (output.dtype() == DType::kString)
      return std::all_of(output.data<std::string>(), output.data<std::string>() + output.elements(),
                         [](const std::string &text) { return text.empty(); });
    auto *bytes = output.data<unsigned char>();
    return isPlain(output.dtype()) && std::all_of(bytes, bytes + output.bytes(),
                                                  [](unsigned char x) { return x == kUntouched; });
  }
  static void appendMap(const Map &map, std::string &all) {
    if (Result<std::vector<Tensor>> keys = map.keys(); keys.ok())
      for (const Tensor &key : *keys) {
        append(key, all);
        if (Result<const Tensor *> value = map.find(key); value.ok() && *value)
          append(**value, all);
      }
  }
  static void append(const Tensor &tensor, std::string &all) {
    if (tensor.dtype() == DType::kString) {
      for (int64_t i = 0; i < tensor.elements(); ++i)
        all += tensor.data<std::string>()[i] + '\0';
    } else if (tensor.dtype() == DType::kHandle) {
      if (tensor.object()->kind() == Object::Kind::kMap)
        return appendMap(*static_cast<const Map *>(tensor.object()), all);
      if (tensor.object()->kind() != Object::Kind::kList)
        return;
      const auto &list = *static_cast<const List *>(tensor.object());
      for (int64_t i = 0; i < list.length(); ++i)
        if (Result<Tensor> element = list.at(i, DType::kF32); element.ok())
          append(*element, all);
    } else if (tensor.valid()) {
      all.append(tensor.data<char>(), tensor.bytes());
    }
  }

  LongFiring firing_;
  std::vector<Tensor> inputs_;
  Generator generator_;
};

// ---- Operands -----------------------------------------------------------------------------------

// Numbers of either sign that are not whole, for which a different order gives other bits.
inline Tensor fractions(const Shape &shape, uint32_t seed = 1) {
  Tensor t = *Tensor::allocate(DType::kF32, shape);
  for (int64_t i = 0; i < t.elements(); ++i) {
    seed = seed * 1664525 + 1013904223;
    t.data<float>()[i] = static_cast<float>(static_cast<int32_t>(seed)) * 0x1p-30f;
  }
  return t;
}
// 0 to size - 1, in no order; each of them if there are as many elements.
inline Tensor indices(const Shape &shape, int64_t size) {
  Tensor t = *Tensor::allocate(DType::kI32, shape);
  for (int64_t i = 0; i < t.elements(); ++i)
    t.data<int32_t>()[i] = static_cast<int32_t>((i * 7919 + 13) % size);
  return t;
}
inline Tensor integers(const std::vector<int32_t> &values) {
  return tensor<int32_t>({static_cast<int64_t>(values.size())}, values);
}
inline Tensor number(int32_t value) { return Tensor::scalar(value); }
inline Tensor texts(int64_t count) {
  Tensor t = *Tensor::allocate(DType::kString, {count});
  for (int64_t i = 0; i < count; ++i)
    t.data<std::string>()[i] = "text number " + std::to_string(i % 1000);
  return t;
}
template <typename T> Tensor handleTo(Ref<T> object) {
  return Tensor::handle(Ref<Object>::adopt(object.take()));
}
// For files; it is gone when the program ends.
inline const std::string &folderOfFiles() {
  struct Folder {
    Folder() { EXPECT_NE(::mkdtemp(path.data()), nullptr); }
    ~Folder() { std::filesystem::remove_all(path); }
    std::string path = testing::TempDir() + "/sluice-long-XXXXXX";
  };
  static Folder folder;
  return folder.path;
}
// With its text, which outlives it.
inline Attr textAttr(const char *text) {
  Attr attr;
  attr.kind = Attr::Kind::kString;
  attr.s = text;
  return attr;
}
inline Attr anyShapeAttr() {
  Attr attr;
  attr.kind = Attr::Kind::kShape;
  attr.unknownRank = true;
  return attr;
}

} // namespace sluice::rt
