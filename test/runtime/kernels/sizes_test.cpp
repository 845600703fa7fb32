// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes with names: what shape rules compute with them, and what they require.
#include "runtime/kernels/sizes.h"
#include "test/runtime/kernels/kernel_caller.h"

#include <map>

namespace sluice::rt {
namespace {

// Writes expressions down. Names are numbers from -2 downwards.
class Writer : public SizeAlgebra {
public:
  int64_t name(const std::string &text) {
    auto [it, isNew] = names_.try_emplace(text, -2 - static_cast<int64_t>(names_.size()));
    texts_[it->second] = text;
    return it->second;
  }
  std::string text(int64_t size) const {
    return size >= 0 ? std::to_string(size) : size == Shape::kUnknown ? "?" : texts_.at(size);
  }
  std::string text(const Shape &shape) const {
    std::string all;
    for (int64_t dim : shape.dims())
      all += (all.empty() ? "" : " ") + text(dim);
    return shape.hasRank() ? all : "*";
  }
  int64_t add(int64_t a, int64_t b) override { return binary(a, "+", b); }
  int64_t subtract(int64_t a, int64_t b) override { return binary(a, "-", b); }
  int64_t multiply(int64_t a, int64_t b) override { return binary(a, "*", b); }
  int64_t divide(int64_t a, int64_t by) override { return binary(a, "/", by); }
  void requireEqual(int64_t a, int64_t b) override { require(a, "=", b); }
  void requireMultiple(int64_t a, int64_t of) override { require(a, "%", of); }
  void requireNotAbove(int64_t a, int64_t b) override { require(a, "<=", b); }

  std::string required;

private:
  int64_t binary(int64_t a, const char *op, int64_t b) {
    return name("(" + text(a) + op + text(b) + ")");
  }
  void require(int64_t a, const char *op, int64_t b) {
    required += (required.empty() ? "" : ", ") + text(a) + op + text(b);
  }
  std::map<std::string, int64_t> names_;
  std::map<int64_t, std::string> texts_;
};

class NamedSizes : public ::testing::Test {
protected:
  // What the kernel's rule says of operands whose values are null where they are not known.
  std::string rule(const Kernel &kernel, const std::vector<Shape> &shapes,
                   const std::vector<const Tensor *> &values, const std::vector<Attr> &attrs = {},
                   size_t outputs = 1) {
    writer_.required.clear();
    std::vector<const Shape *> pointers;
    for (const Shape &shape : shapes)
      pointers.push_back(&shape);
    std::vector<Shape> results(outputs);
    std::vector<DType> types(outputs, DType::kF32);
    ShapeCall call(pointers, values, attrs, results, types, Sizes(&writer_));
    Status status = kernel.shape(call);
    if (!status.ok())
      return status.message();
    std::string all;
    for (const Shape &shape : results)
      all += (all.empty() ? "" : "; ") + writer_.text(shape);
    return all + (writer_.required.empty() ? "" : " if " + writer_.required);
  }
  static Tensor ints(const std::vector<int64_t> &values) {
    return tensor<int64_t>({static_cast<int64_t>(values.size())}, values);
  }
  Writer writer_;
  const int64_t a = writer_.name("a"), b = writer_.name("b");
};

TEST_F(NamedSizes, AreComputedWithWhereNumbersAreNot) {
  Sizes sizes(&writer_);
  EXPECT_EQ(sizes.add(2, 3), 5);
  EXPECT_EQ(writer_.text(sizes.add(a, 3)), "(a+3)");
  EXPECT_EQ(sizes.add(a, Shape::kUnknown), Shape::kUnknown);
  EXPECT_EQ(sizes.same(a, a), a);
  EXPECT_EQ(sizes.same(Shape::kUnknown, a), a);
  EXPECT_EQ(writer_.required, "");
  EXPECT_EQ(sizes.same(a, 4), 4);
  EXPECT_EQ(writer_.required, "a=4");
  EXPECT_EQ(Sizes().add(Shape::kUnknown, 3), Shape::kUnknown);
}

TEST_F(NamedSizes, Broadcast) {
  const Kernel &add = sluice_kernel_nd_add_f32;
  EXPECT_EQ(rule(add, {{a, 3}, {a, 1}}, {nullptr, nullptr}), "a 3");
  EXPECT_EQ(rule(add, {{a, 3}, {3}}, {nullptr, nullptr}), "a 3");
  EXPECT_EQ(rule(add, {{a}, {b}}, {nullptr, nullptr}), "a if a=b");
  EXPECT_EQ(rule(add, {{a}, {5}}, {nullptr, nullptr}), "5 if a=5");
}

TEST_F(NamedSizes, OfProducts) {
  std::vector<Attr> attrs(4, intAttr(0));
  EXPECT_EQ(rule(sluice_kernel_nd_matmul_f32, {{a, 3}, {b, 4}}, {nullptr, nullptr}, attrs),
            "a 4 if 3=b");
}

TEST_F(NamedSizes, OfReshapes) {
  const Kernel &reshape = sluice_kernel_nd_reshape_any;
  Tensor rest = ints({-1, 6}), all = ints({4, 6}), zero = ints({-1, 0});
  EXPECT_EQ(rule(reshape, {{2, a, 3}, {2}}, {nullptr, &rest}), "((a*6)/6) 6 if (a*6)%6");
  EXPECT_EQ(rule(reshape, {{2, a, 3}, {2}}, {nullptr, &all}), "4 6 if (a*6)=24");
  EXPECT_EQ(rule(reshape, {{a}, {2}}, {nullptr, &zero}), "? 0");
  static constexpr int64_t kFirst[] = {0};
  Attr axes;
  axes.kind = Attr::Kind::kInts;
  axes.ints = kFirst;
  EXPECT_EQ(rule(sluice_kernel_nd_squeeze_any, {{a, 2}}, {nullptr}, {axes}), "2 if a=1");
}

TEST_F(NamedSizes, OfJoins) {
  Tensor axis = tensor<int32_t>({}, {0});
  EXPECT_EQ(rule(sluice_kernel_nd_concat_any, {{a, b}, {2, 3}, {}}, {nullptr, nullptr, &axis}),
            "((0+a)+2) 3 if b=3");
  EXPECT_EQ(rule(sluice_kernel_nd_pack_any, {{a}, {b}}, {nullptr, nullptr}, {intAttr(1)}),
            "a 2 if a=b");
  EXPECT_EQ(rule(sluice_kernel_nd_split_any, {{a, 3}, {}}, {nullptr, &axis}, {}, 2),
            "(a/2) 3; (a/2) 3 if a%2");
  EXPECT_EQ(rule(sluice_kernel_nd_unpack_any, {{a, 3}}, {nullptr}, {intAttr(0)}, 2), "3; 3 if a=2");
  Tensor sizes = ints({2, -1}), exact = ints({2, 3});
  EXPECT_EQ(rule(sluice_kernel_nd_split_v_any, {{a}, {2}, {}}, {nullptr, &sizes, &axis}, {}, 2),
            "2; (a-2) if 2<=a");
  EXPECT_EQ(rule(sluice_kernel_nd_split_v_any, {{a}, {2}, {}}, {nullptr, &exact, &axis}, {}, 2),
            "2; 3 if a=5");
}

TEST_F(NamedSizes, OfBordersAndRepetitions) {
  Tensor paddings = tensor<int64_t>({1, 2}, {1, 2}), times = ints({3}), none = ints({0});
  EXPECT_EQ(rule(sluice_kernel_nd_pad_any, {{a}, {1, 2}, {}}, {nullptr, &paddings, nullptr}),
            "((a+1)+2)");
  EXPECT_EQ(rule(sluice_kernel_nd_tile_any, {{a}, {1}}, {nullptr, &times}), "(a*3)");
  EXPECT_EQ(rule(sluice_kernel_nd_tile_any, {{a}, {1}}, {nullptr, &none}), "0");
  Tensor shape = ints({2, 7});
  EXPECT_EQ(rule(sluice_kernel_nd_broadcast_to_any, {{a}, {2}}, {nullptr, &shape}), "2 7 if a=7");
}

TEST_F(NamedSizes, OfSlices) {
  const Kernel &slice = sluice_kernel_nd_slice_any;
  Tensor begin = ints({1}), size = ints({2}), open = ints({-1});
  EXPECT_EQ(rule(slice, {{a}, {1}, {1}}, {nullptr, &begin, &size}), "2 if 2<=(a-1)");
  EXPECT_EQ(rule(slice, {{a}, {1}, {1}}, {nullptr, &begin, &open}), "(a-1) if 1<=a");
  Tensor before = ints({-1});
  EXPECT_EQ(rule(slice, {{a}, {1}, {1}}, {nullptr, &before, &size}), "?");
}

TEST_F(NamedSizes, OfStridedSlices) {
  auto strided = [&](int64_t begin, int64_t end, int64_t stride, int64_t beginMask = 0,
                     int64_t endMask = 0, int64_t shrink = 0) {
    Tensor begins = ints({begin}), ends = ints({end}), strides = ints({stride});
    return rule(sluice_kernel_nd_strided_slice_any, {{a}, {1}, {1}, {1}},
                {nullptr, &begins, &ends, &strides},
                {intAttr(beginMask), intAttr(0), intAttr(endMask), intAttr(0), intAttr(shrink)});
  };
  EXPECT_EQ(strided(1, 3, 1), "2 if 1<=a, 3<=a");
  EXPECT_EQ(strided(1, 0, 1, 0, 1), "(a-1) if 1<=a, 1<=a");
  EXPECT_EQ(strided(0, -1, 2, 1, 0), "((((a-1)-0)+1)/2) if 1<=a, 0<=(a-1)");
  EXPECT_EQ(strided(0, 0, -1, 1, 1), "a");
  EXPECT_EQ(strided(3, 0, -1, 0, 1), "?");
  EXPECT_EQ(strided(-2, 0, 1, 0, 0, 1), " if 2<=a");
  EXPECT_EQ(strided(1, 0, 1, 0, 0, 1), " if 1<=(a-1)");
  EXPECT_EQ(strided(INT64_MIN, INT64_MAX, 1, 0, 1),
            "(a-(a-9223372036854775807)) if 9223372036854775807<=a, (a-9223372036854775807)<=a");
}

} // namespace
} // namespace sluice::rt
