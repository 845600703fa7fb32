// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that look at lists or join two: what they give for empty elements, that they leave lists
// as they are, errors.
#include "runtime/state/handle.h"
#include "runtime/state/list.h"

#include "test/runtime/kernels/kernel_case.h"

namespace sluice::rt {
namespace {

const std::string kInvalid = "INVALID_ARGUMENT: ";
const std::string kApart = kInvalid + "PartialTensorShape: Incompatible shapes during merge: ";

// What a kernel gives, or the error.
std::string run(const Kernel &kernel, std::vector<Tensor> inputs, const std::vector<Attr> &attrs,
                const std::vector<DType> &types, std::vector<Tensor> &outputs) {
  std::vector<const Tensor *> pointers;
  for (const Tensor &input : inputs)
    pointers.push_back(&input);
  outputs.assign(types.size(), Tensor());
  Status status = runKernel(kernel, pointers, outputs, attrs, types, nullptr);
  if (!status.ok())
    return status.toString();
  std::string text;
  for (size_t i = 0; i < outputs.size(); ++i)
    if (types[i] != DType::kHandle)
      text += (text.empty() ? "" : "; ") + textOf(outputs[i]);
  return text;
}

// A list that others hold, too: looks must not change it.
class Held {
public:
  explicit Held(int64_t length, const std::string &shape = "<unknown>")
      : list_(
            Tensor::handle(Ref<Object>::adopt(List::make(length, shapeOf(shape), false).take()))) {}
  Held set(int64_t index, const std::string &value) && {
    EXPECT_TRUE(list()->set(index, tensorOf(value), {.grow = true}).ok());
    return std::move(*this);
  }
  Held limit(int64_t limit) && {
    list()->declareLimit(limit);
    return std::move(*this);
  }
  List *list() const { return static_cast<List *>(list_.object()); }

  std::string look(const Kernel &kernel, const std::vector<std::string> &operands,
                   const std::vector<Attr> &attrs, const std::vector<DType> &types) const {
    std::vector<Tensor> inputs{list_}, outputs;
    for (const std::string &operand : operands)
      inputs.push_back(tensorOf(operand));
    return run(kernel, inputs, attrs, types, outputs);
  }
  std::string peek(const std::string &index, const std::string &shape = "<unknown>",
                   const std::vector<std::string> &sizes = {}) const {
    Shape known = shapeOf(shape);
    std::vector<std::string> operands{index};
    operands.insert(operands.end(), sizes.begin(), sizes.end());
    return look(sluice_kernel_list_peek_any, operands, {caseShape(known)}, {DType::kF32});
  }
  std::string only(const std::string &shape = "<unknown>") const {
    Shape known = shapeOf(shape);
    return look(sluice_kernel_list_only_any, {}, {caseShape(known)}, {DType::kF32});
  }
  std::string elementShape() const {
    return look(sluice_kernel_list_element_shape_any, {}, {}, {DType::kI32});
  }
  std::string stack(const std::string &shape = "<unknown>", int64_t count = -1) const {
    Shape known = shapeOf(shape);
    return look(sluice_kernel_list_stack_any, {}, {caseShape(known), caseInt(count)},
                {DType::kF32});
  }
  std::string rows(const std::string &indices, const std::string &shape = "<unknown>") const {
    Shape known = shapeOf(shape);
    return look(sluice_kernel_list_rows_any, {indices}, {caseShape(known)}, {DType::kF32});
  }
  std::string join(const std::string &leading = "i64[0]",
                   const std::string &shape = "<unknown>") const {
    Shape known = shapeOf(shape);
    return look(sluice_kernel_list_join_any, {leading}, {caseShape(known)},
                {DType::kF32, DType::kI64});
  }
  // The stacked result of an op on this one and another.
  std::string with(const Kernel &kernel, const Held &other) const {
    std::vector<Tensor> outputs;
    std::string text = run(kernel, {list_, other.list_}, {}, {DType::kHandle}, outputs);
    if (!text.empty())
      return text;
    EXPECT_NE(outputs[0].object(), list_.object()); // somebody else holds this one
    Held result(0);
    result.list_ = outputs[0];
    return result.stack();
  }
  std::string declare(const Kernel &kernel, const std::string &operand) {
    std::vector<Tensor> outputs;
    std::string text = run(kernel, {list_, tensorOf(operand)}, {}, {DType::kHandle}, outputs);
    if (text.empty())
      list_ = outputs[0];
    return text;
  }

private:
  Tensor list_;
};

TEST(ListLooks, Peek) {
  Held list = Held(3).set(0, "f32[2] 1 2");
  EXPECT_EQ(list.peek("i32 0"), "f32[2] 1 2");
  EXPECT_EQ(list.peek("i32 0", "[3]"), "f32[2] 1 2"); // of what is there nothing is asked
  EXPECT_EQ(list.peek("i32 1"), "f32[2] 0 0");        // as the others are
  EXPECT_EQ(list.peek("i32 1", "[3]"), "f32[3] 0 0 0");
  EXPECT_EQ(list.peek("i32 1", "[?,3]"), kApart + "[?,3] vs. [2]");
  EXPECT_EQ(list.peek("i32 1", "<unknown>", {"i32[1] 4"}), "f32[4] 0 0 0 0");
  EXPECT_EQ(list.peek("i32 0", "<unknown>", {"i32 5"}), "f32[2] 1 2");
  EXPECT_EQ(list.peek("i32 1", "<unknown>", {"i32 5"}),
            kInvalid +
                "The only valid scalar shape tensor is the fully unknown shape specified as -1.");
  EXPECT_EQ(list.peek("i32 3"), kInvalid + "Trying to access element 3 in a list with 3 elements.");
  EXPECT_EQ(list.peek("i32 -1"),
            kInvalid + "Trying to access element -1 in a list with 3 elements.");
  EXPECT_EQ(Held(1, "[?]").peek("i32 0"),
            kInvalid + "Trying to read an uninitialized tensor but element_shape is not fully "
                       "defined: [?] and no list element is set.");
  Held mixed = Held(3).set(0, "f32[1] 1").set(1, "f32[2] 1 2");
  EXPECT_EQ(mixed.peek("i32 2"), kApart + "[1] vs. [2]");
  EXPECT_EQ(mixed.peek("i32 2", "[3]"), "f32[3] 0 0 0");
}

TEST(ListLooks, Only) {
  EXPECT_EQ(Held(0).set(0, "f32[2] 1 2").only("[?]"), "f32[2] 1 2");
  EXPECT_EQ(Held(0).only(), kInvalid + "The given optional does not have a value.");
  EXPECT_EQ(Held(0).set(0, "f32[2] 1 2").only("[3]"),
            kInvalid + "The given optional does not match the expected shape for component 0. "
                       "Expected: [3]. Actual: [2].");
}

TEST(ListLooks, ElementShape) {
  EXPECT_EQ(Held(1).elementShape(), "i32 -1");
  EXPECT_EQ(Held(1, "[]").elementShape(), "i32[0]");
  EXPECT_EQ(Held(1, "[?,3]").elementShape(), "i32[2] -1 3");
}

TEST(ListLooks, Stack) {
  EXPECT_EQ(Held(2).set(1, "f32[2] 1 2").stack(), "f32[2,2] 0 0 1 2");
  EXPECT_EQ(Held(2).set(1, "f32[2] 1 2").stack("[?]", 2), "f32[2,2] 0 0 1 2");
  EXPECT_EQ(Held(2, "[2]").stack("[?]", 3),
            kInvalid + "Operation expected a list with 3 elements but got a list with 2 elements.");
  EXPECT_EQ(Held(1).set(0, "f32[1] 1").stack("[2]"), kApart + "[2] vs. [1]");
  EXPECT_EQ(Held(1, "[2]").stack("[1]"), kApart + "[2] vs. [1]");
  EXPECT_EQ(Held(0, "[2]").stack(), "f32[0,2]");
  EXPECT_EQ(Held(0, "[?]").stack(),
            kInvalid + "Tried to stack elements of an empty list with non-fully-defined "
                       "element_shape: [?]");
}

TEST(ListLooks, Rows) {
  Held list = Held(3).set(1, "f32[2] 1 2");
  EXPECT_EQ(list.rows("i32[2] 1 0"), "f32[2,2] 1 2 0 0");
  EXPECT_EQ(list.rows("i32[1] 0"),
            kInvalid + "Tried to read uninitialized tensors from a list with non-fully-defined "
                       "element_shape: <unknown>");
  EXPECT_EQ(list.rows("i32[1] 0", "[1]"), "f32[1,1] 0");
  EXPECT_EQ(list.rows("i32[0]", "[2]"), "f32[0,2]");
  EXPECT_EQ(list.rows("i32[1] 3"),
            kInvalid + "Trying to access element 3 in a list with 3 elements.");
}

TEST(ListLooks, Join) {
  Held list = Held(0).set(0, "f32[1] 1").set(1, "f32[2] 2 3");
  EXPECT_EQ(list.join(), "f32[3] 1 2 3; i64[2] 1 2");
  EXPECT_EQ(list.join("i64[1] 5"), "f32[3] 1 2 3; i64[2] 1 2"); // of what is there nothing is asked
  EXPECT_EQ(list.join("i64[0]", "[2]"),
            kInvalid + "First entry of element_shape input does not match the first dim of list "
                       "element at index: 0 Expected: 2 Actual: 1");
  EXPECT_EQ(Held(2).set(1, "f32[1] 7").join(), "f32[2] 0 7; i64[2] 1 1");
  EXPECT_EQ(Held(3).set(1, "f32[1] 7").set(2, "f32[2] 8 9").join(),
            kInvalid + "List contains uninitialized tensor at index 0 but its shape is not fully "
                       "defined: [?]");
  EXPECT_EQ(Held(2, "[?]").join("i64[2] 1 2"), "f32[3] 0 0 0; i64[2] 1 2");
  EXPECT_EQ(Held(0, "[?,2]").join(), "f32[0,2]; i64[0]");
  EXPECT_EQ(Held(0, "[?,?]").join(),
            kInvalid + "All except the first dimension must be fully defined when concating an "
                       "empty tensor list. element_shape: [?,?]");
  EXPECT_EQ(Held(0).set(0, "f32 1").join(),
            kInvalid + "Concat saw a scalar shape at index 0 but requires at least vectors.");
  EXPECT_EQ(Held(1, "[]").join(),
            kInvalid + "Concat requires elements to be at least vectors, found scalars instead.");
}

// ---- Two lists, and what is declared ------------------------------------------------------------

TEST(ListSums, Elementwise) {
  auto add = [](const Held &a, const Held &b) { return a.with(sluice_kernel_list_add_any, b); };
  Held a = Held(3).set(0, "f32[1] 1"), b = Held(3).set(0, "f32[1] 5").set(1, "f32[1] 2");
  EXPECT_EQ(add(a, b), "f32[3,1] 6 2 0");
  EXPECT_EQ(add(b, b), "f32[3,1] 10 4 0");
  EXPECT_EQ(a.stack(), "f32[3,1] 1 0 0");
  EXPECT_EQ(add(a, Held(2)), kInvalid + "Trying to add two lists of tensors with different "
                                        "lengths. One is 3 and the other is 2");
  EXPECT_EQ(add(Held(1, "[1]"), Held(1, "[2]")), kApart + "[1] vs. [2]");
  EXPECT_NE(add(a, Held(3).set(0, "f32[2] 1 2")), "");
}

TEST(ListSums, Appended) {
  auto append = [](const Held &a, const Held &b) {
    return a.with(sluice_kernel_list_append_any, b);
  };
  Held a = Held(1, "[1]").set(0, "f32[1] 1"), b = Held(2, "[1]").set(1, "f32[1] 2");
  EXPECT_EQ(append(a, b), "f32[3,1] 1 0 2");
  EXPECT_EQ(append(b, b), "f32[4,1] 0 2 0 2");
  EXPECT_EQ(append(a, Held(1)).substr(0, 46), kInvalid + "input_a and input_b TensorLi");
}

TEST(ListDeclares, ShapesAndLimits) {
  Held list = Held(1).set(0, "f32[1,2] 1 2");
  EXPECT_EQ(list.declare(sluice_kernel_list_declare_shape_any, "i64[2] -1 2"), "");
  EXPECT_EQ(list.elementShape(), "i32[2] -1 2");
  EXPECT_EQ(list.declare(sluice_kernel_list_declare_shape_any, "i32 -1"), "");
  EXPECT_EQ(list.declare(sluice_kernel_list_declare_shape_any, "i32[2] 3 -1"),
            kInvalid + "Specified a list with shape [3,2] from a tensor with shape [1,2]");
  EXPECT_EQ(list.declare(sluice_kernel_list_declare_shape_any, "i32[1] -2"),
            kInvalid + "Dimension -2 must be >= -1");
  EXPECT_EQ(list.declare(sluice_kernel_list_declare_shape_any, "i32[1,1] 2"),
            kInvalid + "Shape must be at most rank 1 but is rank 2");
  EXPECT_EQ(list.declare(sluice_kernel_list_declare_limit_any, "i32 1"), "");
  EXPECT_EQ(list.list()->push(tensorOf("f32[1,2] 3 4")).toString(),
            kInvalid + "Tried to push item into a full list of size 1");
}

TEST(ListsOfLists, AddAndZero) {
  auto outer = [](const std::string &value) {
    Ref<List> list = List::make(0, Shape{}, false);
    Ref<List> inner = List::make(0, Shape::unknownRank(), false);
    EXPECT_TRUE(inner->push(tensorOf(value)).ok());
    EXPECT_TRUE(list->push(Tensor::handle(Ref<Object>::adopt(inner.take()))).ok());
    return list;
  };
  auto inside = [](const List &list) {
    return textOf(*(*objectOf<List>(*list.at(0, DType::kHandle)))->at(0, DType::kF32));
  };
  Ref<List> a = outer("f32[2] 1 2"), b = outer("f32[2] 3 4");
  EXPECT_TRUE(a->add(*b).ok());
  EXPECT_EQ(inside(*a), "f32[2] 4 6");
  EXPECT_EQ(inside(*b), "f32[2] 3 4");
  EXPECT_EQ(inside(**b->zerosLike()), "f32[2] 0 0");
}

} // namespace
} // namespace sluice::rt
