// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels on lists: what they compute, that they change only what nobody else has, errors.
#include "runtime/state/list.h"

#include "test/runtime/kernels/kernel_case.h"

namespace sluice::rt {
namespace {

struct ListOptions {
  std::string elementShape = "<unknown>";
  bool identical = false, clear = false, beyond = false, grow = false, once = false;
  bool accumulate = false;
};

// A list and what others make of it: each op replaces the list that is held here.
class Lists {
public:
  explicit Lists(const std::string &size, const ListOptions &options = {}) {
    Shape shape = shapeOf(options.elementShape);
    status_ = run(sluice_kernel_list_make_any, {tensorOf(size)},
                  {caseShape(shape), caseInt(options.identical)}, {DType::kHandle});
  }

  std::string get(const std::string &index, const ListOptions &options = {}) {
    return run(sluice_kernel_list_get_any, moved(take(), tensorOf(index)),
               {caseInt(options.beyond), caseInt(options.clear)}, {DType::kF32, DType::kHandle});
  }
  std::string set(const std::string &index, const std::string &value,
                  const ListOptions &options = {}) {
    return run(sluice_kernel_list_set_any, moved(take(), tensorOf(index), tensorOf(value)),
               {caseInt(options.grow), caseInt(options.once)}, {DType::kHandle});
  }
  std::string accumulate(const std::string &index, const std::string &value) {
    return run(sluice_kernel_list_accumulate_any, moved(take(), tensorOf(index), tensorOf(value)),
               {}, {DType::kHandle});
  }
  std::string push(const std::string &value, int64_t limit = -1) {
    return run(sluice_kernel_list_push_any, moved(take(), tensorOf(value)), {caseInt(limit)},
               {DType::kHandle});
  }
  std::string pop() {
    Shape element = shapeOf("<unknown>");
    return run(sluice_kernel_list_pop_any, moved(take()), {caseShape(element)},
               {DType::kF32, DType::kHandle});
  }
  std::string resize(const std::string &size) {
    return run(sluice_kernel_list_resize_any, moved(take(), tensorOf(size)), {}, {DType::kHandle});
  }
  std::string zerosLike() {
    return run(sluice_kernel_list_zeros_like_any, moved(take()), {}, {DType::kHandle});
  }
  std::string unstack(const std::string &value) {
    Shape element = shapeOf("<unknown>");
    return run(sluice_kernel_list_unstack_any, {tensorOf(value)}, {caseShape(element)},
               {DType::kHandle});
  }
  std::string length() { return look(sluice_kernel_list_length_any, {}, DType::kI32); }
  std::string stack(const std::string &shape = "<unknown>") {
    Shape element = shapeOf(shape);
    return look(sluice_kernel_list_stack_any, {caseShape(element), caseInt(-1)}, DType::kF32);
  }
  std::string gather(const std::string &indices, const ListOptions &options = {}) {
    Shape element = shapeOf(options.elementShape);
    return run(sluice_kernel_list_gather_any, moved(take(), tensorOf(indices)),
               {caseInt(options.beyond), caseInt(options.clear), caseShape(element)},
               {DType::kF32, DType::kHandle});
  }
  std::string scatter(const std::string &indices, const std::string &value,
                      const ListOptions &options = {}) {
    return run(sluice_kernel_list_scatter_any, moved(take(), tensorOf(indices), tensorOf(value)),
               writeAttrs(options), {DType::kHandle});
  }
  std::string concat(const ListOptions &options = {}) {
    Shape rest = shapeOf(options.elementShape);
    std::string text =
        run(sluice_kernel_list_concat_any, moved(take()), {caseInt(options.clear), caseShape(rest)},
            {DType::kF32, DType::kI64, DType::kHandle});
    return outputs_.empty() ? text : text + "; " + textOf(outputs_[1]);
  }
  std::string split(const std::string &value, const std::string &lengths,
                    const ListOptions &options = {}) {
    return run(sluice_kernel_list_split_any, moved(take(), tensorOf(value), tensorOf(lengths)),
               writeAttrs(options), {DType::kHandle});
  }

  // Somebody else who has the list, too.
  Lists shared() const { return Lists(list_); }
  const Object *object() const { return list_.object(); }
  const std::string &status() const { return status_; } // of making it

private:
  explicit Lists(Tensor list) : list_(std::move(list)) {}
  static std::vector<Attr> writeAttrs(const ListOptions &options) {
    return {caseInt(options.accumulate), caseInt(options.grow), caseInt(options.once)};
  }
  Tensor take() { return std::move(list_); }
  // A braced list would hold the tensors, too.
  template <typename... Tensors> static std::vector<Tensor> moved(Tensors... tensors) {
    std::vector<Tensor> all;
    (all.push_back(std::move(tensors)), ...);
    return all;
  }
  // The last output is the list; "" or the first of the others, or the error.
  std::string run(const Kernel &kernel, std::vector<Tensor> inputs, const std::vector<Attr> &attrs,
                  const std::vector<DType> &types) {
    std::vector<const Tensor *> pointers;
    for (const Tensor &input : inputs)
      pointers.push_back(&input);
    outputs_.assign(types.size(), Tensor());
    Status status = runKernel(kernel, pointers, outputs_, attrs, types, nullptr);
    if (!status.ok()) {
      outputs_.clear();
      list_ = std::move(inputs[0]);
      return status.toString();
    }
    list_ = std::move(outputs_.back());
    return types.size() == 1 ? "" : textOf(outputs_[0]);
  }
  // Looks only; the list may have others.
  std::string look(const Kernel &kernel, const std::vector<Attr> &attrs, DType type) {
    std::vector<const Tensor *> pointers{&list_};
    outputs_.assign(1, Tensor());
    const std::vector<DType> types{type};
    Status status = runKernel(kernel, pointers, outputs_, attrs, types, nullptr);
    return status.ok() ? textOf(outputs_[0]) : status.toString();
  }

  Tensor list_;
  std::string status_;
  std::vector<Tensor> outputs_;
};

const ListOptions kClear{.clear = true}, kOnce{.once = true}, kGrow{.grow = true};
const std::string kInvalid = "INVALID_ARGUMENT: ";

TEST(ListKernels, MakeSetGet) {
  Lists list("i32 3");
  EXPECT_EQ(list.length(), "i32 3");
  EXPECT_EQ(list.set("i32 0", "f32[2] 1 2"), "");
  EXPECT_EQ(list.set("i64 2", "f32 7", kOnce), "");
  EXPECT_EQ(list.set("i32 2", "f32 7", kOnce),
            kInvalid + "Could not write to index 2 because it has already been written to.");
  EXPECT_EQ(list.get("i32 0"), "f32[2] 1 2");
  EXPECT_EQ(list.get("i32 0", kClear), "f32[2] 1 2");
  EXPECT_EQ(list.get("i32 0").substr(0, 52), kInvalid + "Could not read index 0 twice becau");
  EXPECT_EQ(list.set("i32 4", "f32 7", kGrow), "");
  EXPECT_EQ(list.length(), "i32 5");
  EXPECT_EQ(list.get("i32 5"), kInvalid + "Tried to read from index 5 but array size is: 5");
}

TEST(ListKernels, MakeErrors) {
  Lists list("i32 1");
  EXPECT_EQ(Lists("i64 2147483647").length(), "i32 2147483647");
  for (const char *size : {"i32 -1", "i64 2147483648", "i64 -9223372036854775808"}) {
    EXPECT_EQ(Lists(size).status(), kInvalid + "Size should be >= 0.") << size;
  }
  EXPECT_EQ(list.get("i32[2] 0 1"),
            kInvalid + "TensorArray index must be scalar, but had shape: [2]");
  EXPECT_EQ(list.resize("i32[2] 0 1"),
            kInvalid + "TensorArray size must be scalar, but had shape: [2]");
  EXPECT_EQ(list.get("i32[1] 0", {.beyond = true}).substr(0, 41),
            kInvalid + "Could not read index 0:");
}

TEST(ListKernels, Beyond) {
  Lists list("i32 1", {.elementShape = "[2]"});
  EXPECT_EQ(list.get("i32 3", {.beyond = true}), "f32[2] 0 0");
  EXPECT_EQ(list.length(), "i32 4");
}

TEST(ListKernels, IdenticalShapes) {
  Lists list("i32 2", {.identical = true});
  EXPECT_EQ(list.set("i32 0", "f32[2] 1 2"), "");
  EXPECT_EQ(list.get("i32 1"), "f32[2] 0 0");
  EXPECT_EQ(list.set("i32 1", "f32 1").substr(0, 41), kInvalid + "Could not write to inde");
}

TEST(ListKernels, Accumulate) {
  Lists list("i32 1");
  EXPECT_EQ(list.accumulate("i32 0", "f32[2] 1 2"), "");
  EXPECT_EQ(list.accumulate("i32 0", "f32[2] 10 20"), "");
  EXPECT_EQ(list.get("i32 0"), "f32[2] 11 22");
  EXPECT_EQ(list.accumulate("i32 1", "f32 1"),
            kInvalid + "Tried to write to index 1 but array is not resizeable and size is: 1");
  EXPECT_EQ(list.zerosLike(), "");
  EXPECT_EQ(list.get("i32 0"), "f32[2] 0 0");
}

TEST(ListKernels, PushAndPop) {
  Lists list("i32 0");
  EXPECT_EQ(list.pop(), kInvalid + "Stack is empty when calling Pop().");
  EXPECT_EQ(list.push("f32 1", 2), "");
  EXPECT_EQ(list.push("f32[2] 2 3", 2), "");
  EXPECT_EQ(list.push("f32 4", 2), kInvalid + "Stack overflowed its max_size (2)");
  EXPECT_EQ(list.pop(), "f32[2] 2 3");
  EXPECT_EQ(list.push("f32 4", 2), "");
  EXPECT_EQ(list.push("f32 5", 0), kInvalid + "Stack overflowed its max_size (0)");
  EXPECT_EQ(list.pop(), "f32 4");
  EXPECT_EQ(list.pop(), "f32 1");
}

TEST(ListKernels, Resize) {
  Lists list("i32 1", {.elementShape = "[]"});
  EXPECT_EQ(list.set("i32 0", "f32 1"), "");
  EXPECT_EQ(list.resize("i64 3"), "");
  EXPECT_EQ(list.stack(), "f32[3] 1 0 0");
  EXPECT_EQ(list.resize("i32 -1"), kInvalid + "expected a length of 0 to 2147483647 but got -1");
}

TEST(ListKernels, InPlaceWhereNobodyElseHasTheList) {
  Lists list("i32 2");
  const std::function<std::string(Lists &)> ops[] = {
      [](Lists &one) { return one.set("i32 0", "f32 1"); },
      [](Lists &one) { return one.accumulate("i32 0", "f32 1"); },
      [](Lists &one) { return one.push("f32 2"); },
      [](Lists &one) { return one.get("i32 0", kClear); },
      [](Lists &one) { return one.pop(); },
      [](Lists &one) { return one.resize("i32 1"); },
      [](Lists &one) { return one.scatter("i32[1] 0", "f32[1] 3"); },
      [](Lists &one) { return one.gather("i32[1] 0"); },
      [](Lists &one) { return one.split("f32[1] 1", "i64[1] 1"); },
      [](Lists &one) { return one.concat(); },
  };
  for (const auto &op : ops) {
    const Object *before = list.object();
    std::string told = op(list);
    EXPECT_EQ(list.object(), before) << "op " << &op - ops << ": " << told;
  }
}

TEST(ListKernels, ACopyWhereSomebodyElseHasIt) {
  Lists list("i32 2");
  list.scatter("i32[2] 0 1", "f32[2,1] 1 2");
  const std::function<std::string(Lists &)> ops[] = {
      [](Lists &one) { return one.set("i32 0", "f32[1] 9"); },
      [](Lists &one) { return one.accumulate("i32 0", "f32[1] 9"); },
      [](Lists &one) { return one.push("f32[1] 9"); },
      [](Lists &one) { return one.resize("i32 1"); },
      [](Lists &one) { return one.scatter("i32[1] 0", "f32[1,1] 9"); },
      [](Lists &one) { return one.split("f32[2] 1 2", "i64[2] 2 0"); },
      [](Lists &one) { return one.zerosLike(); },
  };
  for (const auto &op : ops) {
    Lists other = list.shared();
    EXPECT_EQ(op(other), "");
    EXPECT_NE(other.object(), list.object());
    EXPECT_EQ(list.stack(), "f32[2,1] 1 2");
  }
  for (const auto &read : {+[](Lists &one) { return one.get("i32 1", kClear); },
                           +[](Lists &one) { return one.pop(); }}) {
    Lists other = list.shared();
    EXPECT_EQ(read(other), "f32[1] 2");
    EXPECT_EQ(list.stack(), "f32[2,1] 1 2");
  }
  Lists other = list.shared();
  EXPECT_EQ(other.gather("i32[2] 1 0", kClear), "f32[2,1] 2 1");
  EXPECT_EQ(other.get("i32 0").substr(0, 39), kInvalid + "Could not read index ");
  other = list.shared();
  EXPECT_EQ(other.concat(kClear), "f32[2] 1 2; i64[2] 1 1");
  EXPECT_EQ(list.stack(), "f32[2,1] 1 2");
}

// Others may look at the same list at the same time.
TEST(ListKernels, StackLeavesAListAsItIs) {
  Lists list("i32 0", {.elementShape = "[2]"});
  EXPECT_EQ(list.unstack("f32[2,2] 1 2 3 4"), "");
  EXPECT_EQ(list.stack(), "f32[2,2] 1 2 3 4");
  EXPECT_EQ(list.get("i32 0", kClear), "f32[2] 1 2");
  Lists other = list.shared();
  EXPECT_EQ(list.stack(), kInvalid + "Trying to access element 0, which has been taken away.");
  EXPECT_FALSE(static_cast<const List *>(other.object())->asTensor());
}

TEST(ListKernels, Stack) {
  Lists list("i32 2", {.elementShape = "[2]"});
  list.set("i32 1", "f32[2] 1 2");
  EXPECT_EQ(list.stack(), "f32[2,2] 0 0 1 2");
  EXPECT_EQ(list.stack("[3]"),
            kInvalid + "PartialTensorShape: Incompatible shapes during merge: [2] vs. [3]");
  EXPECT_EQ(Lists("i32 0", {.elementShape = "[2]"}).stack(), "f32[0,2]");
  EXPECT_EQ(Lists("i32 0").stack("[3]"), "f32[0,3]");
  EXPECT_EQ(Lists("i32 0").stack("[?]"), kInvalid + "Tried to stack elements of an empty list with "
                                                    "non-fully-defined element_shape: [?]");
  EXPECT_EQ(Lists("i32 1").stack().substr(0, 41), kInvalid + "Tried to read uninitial");
  Lists mixed("i32 2");
  mixed.set("i32 0", "f32[1] 1");
  mixed.set("i32 1", "f32[2] 1 2");
  EXPECT_EQ(mixed.stack(),
            kInvalid + "PartialTensorShape: Incompatible shapes during merge: [1] vs. [2]");
}

TEST(ListKernels, GatherAndScatter) {
  Lists list("i32 3");
  EXPECT_EQ(list.scatter("i32[3] 2 0 1", "f32[3,2] 1 2 3 4 5 6", kOnce), "");
  EXPECT_EQ(list.scatter("i32[1] 0", "f32[1,2] 1 2", kOnce),
            kInvalid + "Could not write to index 0 because it has already been written to.");
  EXPECT_EQ(list.gather("i32[2] 0 2", {.elementShape = "[2]"}), "f32[2,2] 3 4 1 2");
  EXPECT_EQ(list.scatter("i32[2] 0 0", "f32[2,2] 1 1 2 2", {.accumulate = true}), "");
  EXPECT_EQ(list.get("i32 0"), "f32[2] 6 7");
  EXPECT_EQ(list.gather("i32[2] 1 1", kClear).substr(0, 52),
            kInvalid + "Could not read index 1 twice becau");
  EXPECT_EQ(list.gather("i32[0]", {.elementShape = "[2]"}), "f32[0,2]");
  EXPECT_EQ(list.gather("i32[0]").substr(0, 15), "UNIMPLEMENTED: ");
  EXPECT_EQ(list.gather("i32 0"),
            kInvalid + "Expected indices to be a vector, but received shape: []");
  EXPECT_EQ(list.scatter("i32[1] 3", "f32[1,2] 1 2", kGrow), "");
  EXPECT_EQ(list.length(), "i32 4");
  EXPECT_EQ(list.scatter("i32[0]", "f32[0,2]"), "");
  EXPECT_EQ(Lists("i32 0").gather("i32[1] 2", {.elementShape = "[1]", .beyond = true}),
            "f32[1,1] 0");
}

TEST(ListKernels, ScatterErrors) {
  Lists list("i32 3");
  EXPECT_EQ(list.scatter("i32[1] 0", "f32[2] 1 2"),
            kInvalid + "Expected len(indices) == values.shape[0], but saw: 1 vs. 2");
  EXPECT_EQ(list.scatter("i32[1] 0", "f32 1"), kInvalid + "Input value for unpack must be at least "
                                                          "a vector but received shape: []");
  EXPECT_EQ(list.scatter("i32 0", "f32[1] 1"),
            kInvalid + "Expected indices to be a vector, but received shape: []");
  EXPECT_EQ(list.scatter("i32[1] 3", "f32[1] 1"),
            kInvalid + "Tried to write to index 3 but array is not resizeable and size is: 3");
}

TEST(ListKernels, ConcatAndSplit) {
  Lists list("i32 3");
  EXPECT_EQ(list.split("f32[4,1] 1 2 3 4", "i64[3] 1 0 3", kOnce), "");
  EXPECT_EQ(list.concat({.elementShape = "[1]"}), "f32[4,1] 1 2 3 4; i64[3] 1 0 3");
  EXPECT_EQ(list.split("f32[4,1] 1 2 3 4", "i64[3] 1 0 3", {.accumulate = true}), "");
  EXPECT_EQ(list.concat(kClear), "f32[4,1] 2 4 6 8; i64[3] 1 0 3");
  EXPECT_EQ(list.concat().substr(0, 52), kInvalid + "Could not read index 0 twice becau");
  EXPECT_EQ(Lists("i32 0").concat({.elementShape = "[2]"}), "f32[0,2]; i64[0]");
  EXPECT_EQ(Lists("i32 0").concat().substr(0, 15), "UNIMPLEMENTED: ");
  Lists scalars("i32 1");
  scalars.set("i32 0", "f32 1");
  EXPECT_EQ(scalars.concat(), kInvalid + "Concat saw a scalar shape at index 0 but requires at "
                                         "least vectors.  Did you mean to call pack?");
}

TEST(ListKernels, SplitErrors) {
  Lists list("i32 2");
  EXPECT_EQ(list.split("f32[2] 1 2", "i64[2] 1 2").substr(0, 39),
            kInvalid + "Expected sum of lengt");
  EXPECT_EQ(list.split("f32[3] 1 2 3", "i64[3] 1 1 1"),
            kInvalid + "TensorArray's size is not equal to the size of lengths (2 vs. 3), and the "
                       "TensorArray is not marked as dynamically resizeable");
  EXPECT_EQ(list.split("f32[3] 1 2 3", "i64[3] 1 1 1", kGrow), "");
  EXPECT_EQ(list.split("f32[1] 1", "i64[1] 1", kGrow).substr(0, 39),
            kInvalid + "TensorArray's size is");
  EXPECT_EQ(list.split("f32[0]", "i64[3] 0 0 0"), "");
  EXPECT_EQ(list.concat(), "f32[0]; i64[3] 0 0 0");
}

} // namespace
} // namespace sluice::rt
