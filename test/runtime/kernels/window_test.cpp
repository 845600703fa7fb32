// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of the nn dialect against plain loops over windows, and by values.
#include "test/runtime/kernels/kernel_caller.h"

#include <cmath>
#include <functional>
#include <limits>

namespace sluice::rt {
namespace {

struct Windows {
  std::vector<int64_t> strides, dilations, pads;
  std::string padding = "valid";
};

Attr integers(std::span<const int64_t> values) {
  Attr attr;
  attr.kind = Attr::Kind::kInts;
  attr.ints = values;
  return attr;
}
Attr text(std::string_view value) {
  Attr attr;
  attr.kind = Attr::Kind::kString;
  attr.s = value;
  return attr;
}
// In the order of their names.
std::vector<Attr> attrsOf(const Windows &w) {
  return {integers(w.dilations), text(w.padding), integers(w.pads), integers(w.strides)};
}
std::vector<Attr> poolAttrs(const Windows &w, std::span<const int64_t> windows) {
  return {text(w.padding), integers(w.pads), integers(w.strides), integers(windows)};
}

Tensor vectorOf(const Shape &shape) { return Tensor::vector<int64_t>(shape.dims()); }

template <typename T> Tensor drawn(const Shape &shape, int seed) {
  Tensor t = *Tensor::allocate(DTypeOf<T>::value, shape);
  for (int64_t i = 0; i < t.elements(); ++i)
    t.data<T>()[i] = static_cast<T>((i * 73 + seed * 19) % 23 - 11);
  return t;
}

// Calls visit(output, tap, input) for all places that meet, as row-major positions of spatial dims.
void forMeetings(const Windows &w, const Shape &images, const Shape &filter, const Shape &result,
                 const std::function<void(int64_t, int64_t, int64_t)> &visit) {
  const int rank = static_cast<int>(w.strides.size());
  std::function<void(int, int64_t, int64_t, int64_t)> walk = [&](int dim, int64_t out, int64_t tap,
                                                                 int64_t in) {
    if (dim == rank)
      return visit(out, tap, in);
    const auto at = static_cast<size_t>(dim);
    const int64_t size = images.dim(dim + 1), window = filter.dim(dim), count = result.dim(dim + 1);
    int64_t before = w.padding == "explicit" ? w.pads[2 * at] : 0;
    if (w.padding == "same") {
      const int64_t reach = (window - 1) * w.dilations[at] + 1;
      before = std::max<int64_t>(0, (count - 1) * w.strides[at] + reach - size) / 2;
    }
    for (int64_t o = 0; o < count; ++o)
      for (int64_t t = 0; t < window; ++t) {
        const int64_t i = o * w.strides[at] + t * w.dilations[at] - before;
        if (i >= 0 && i < size)
          walk(dim + 1, out * count + o, tap * window + t, in * size + i);
      }
  };
  walk(0, 0, 0, 0);
}

// Small integers, so sums are exact in any order.
template <typename T>
void compareWithLoops(const Windows &w, const Shape &images, const Shape &filter,
                      const Shape &result) {
  const int last = images.rank() - 1;
  const int64_t batch = images.dim(0), channels = images.dim(last), perGroup = filter.dim(last - 1),
                outputs = filter.dim(last), groups = perGroup ? channels / perGroup : 1;
  const Tensor x = drawn<T>(images, 1), f = drawn<T>(filter, 2), g = drawn<T>(result, 3);
  const DType type = DTypeOf<T>::value;
  std::vector<double> y(static_cast<size_t>(result.elements())),
      dx(static_cast<size_t>(images.elements())), df(static_cast<size_t>(filter.elements()));
  const int64_t places = channels ? images.elements() / std::max<int64_t>(1, batch * channels) : 0;
  const int64_t windows = outputs ? result.elements() / std::max<int64_t>(1, batch * outputs) : 0;
  for (int64_t b = 0; b < batch; ++b)
    forMeetings(w, images, filter, result, [&](int64_t out, int64_t tap, int64_t in) {
      for (int64_t o = 0; o < outputs; ++o)
        for (int64_t c = 0; c < perGroup; ++c) {
          const auto xi = static_cast<size_t>((b * places + in) * channels +
                                              o / (outputs / groups) * perGroup + c);
          const auto fi = static_cast<size_t>((tap * perGroup + c) * outputs + o);
          const auto yi = static_cast<size_t>((b * windows + out) * outputs + o);
          const double gradient = static_cast<double>(g.data<T>()[yi]);
          y[yi] += static_cast<double>(x.data<T>()[xi]) * static_cast<double>(f.data<T>()[fi]);
          dx[xi] += gradient * static_cast<double>(f.data<T>()[fi]);
          df[fi] += gradient * static_cast<double>(x.data<T>()[xi]);
        }
    });
  auto compare = [&](const KernelResult &got, const Shape &shape,
                     const std::vector<double> &expected) {
    ASSERT_TRUE(got.ok()) << got.status.toString();
    ASSERT_EQ(got->shape().toString(), shape.toString());
    for (size_t i = 0; i < expected.size(); ++i)
      ASSERT_EQ(static_cast<double>(got->data<T>()[i]), expected[i]) << i;
  };
  const std::vector<Attr> attrs = attrsOf(w);
  const bool isDouble = type == DType::kF64;
  compare(callKernel(isDouble ? sluice_kernel_nn_convolve_f64 : sluice_kernel_nn_convolve_f32,
                     {x, f}, {type}, attrs),
          result, y);
  compare(callKernel(isDouble ? sluice_kernel_nn_convolve_input_f64
                              : sluice_kernel_nn_convolve_input_f32,
                     {vectorOf(images), f, g}, {type}, attrs),
          images, dx);
  compare(callKernel(isDouble ? sluice_kernel_nn_convolve_filter_f64
                              : sluice_kernel_nn_convolve_filter_f32,
                     {x, vectorOf(filter), g}, {type}, attrs),
          filter, df);
}

TEST(Convolve, IsTheSumOverTheWindow) {
  compareWithLoops<float>({{1, 1}, {1, 1}, {}, "valid"}, {2, 5, 6, 3}, {3, 2, 3, 4}, {2, 3, 5, 4});
  compareWithLoops<float>({{1, 1}, {1, 1}, {}, "same"}, {2, 5, 6, 3}, {3, 2, 3, 4}, {2, 5, 6, 4});
  compareWithLoops<float>({{2, 3}, {1, 1}, {}, "same"}, {2, 7, 8, 3}, {3, 4, 3, 5}, {2, 4, 3, 5});
  compareWithLoops<double>({{2, 1}, {2, 3}, {}, "same"}, {1, 9, 7, 2}, {3, 3, 2, 3}, {1, 5, 7, 3});
  compareWithLoops<float>({{3, 2}, {1, 2}, {1, 2, 0, 3}, "explicit"}, {2, 6, 7, 2}, {2, 3, 2, 3},
                          {2, 3, 3, 3});
}

TEST(Convolve, HasOneToThreeSpatialDims) {
  compareWithLoops<float>({{2}, {1}, {}, "same"}, {2, 9, 3}, {4, 3, 2}, {2, 5, 2});
  compareWithLoops<double>({{1, 2, 1}, {1, 1, 2}, {}, "same"}, {1, 3, 4, 5, 2}, {2, 3, 2, 2, 3},
                           {1, 3, 2, 5, 3});
}

TEST(Convolve, TakesChannelsInGroups) {
  compareWithLoops<float>({{1, 2}, {1, 1}, {}, "same"}, {2, 4, 5, 6}, {3, 2, 3, 8}, {2, 4, 3, 8});
  compareWithLoops<float>({{1, 1}, {1, 1}, {}, "same"}, {2, 4, 5, 70}, {3, 3, 1, 70},
                          {2, 4, 5, 70});
  compareWithLoops<double>({{2, 1}, {2, 1}, {}, "valid"}, {1, 7, 5, 3}, {2, 3, 1, 6}, {1, 3, 3, 6});
}

TEST(Convolve, TakesManyRowsAndColumns) {
  compareWithLoops<float>({{1, 1}, {1, 1}, {}, "same"}, {3, 20, 21, 40}, {3, 3, 40, 9},
                          {3, 20, 21, 9});
  compareWithLoops<float>({{1, 1}, {1, 1}, {}, "same"}, {1, 6, 5, 600}, {2, 2, 600, 5},
                          {1, 6, 5, 5});
  compareWithLoops<double>({{1, 1}, {1, 1}, {}, "valid"}, {2, 17, 9, 30}, {1, 1, 30, 7},
                           {2, 17, 9, 7});
}

TEST(Convolve, HasStridesAndWindowsBeyondTheImage) {
  compareWithLoops<float>({{5, 4}, {1, 1}, {}, "same"}, {1, 3, 2, 2}, {7, 5, 2, 2}, {1, 1, 1, 2});
  compareWithLoops<float>({{3, 3}, {1, 1}, {}, "valid"}, {1, 7, 7, 2}, {1, 1, 2, 2}, {1, 3, 3, 2});
}

TEST(Convolve, OfNothingIsZeroOrNothing) {
  compareWithLoops<float>({{1, 1}, {1, 1}, {}, "same"}, {2, 3, 3, 0}, {2, 2, 0, 4}, {2, 3, 3, 4});
  compareWithLoops<float>({{1, 1}, {1, 1}, {}, "same"}, {0, 3, 3, 2}, {2, 2, 2, 4}, {0, 3, 3, 4});
  compareWithLoops<float>({{1, 1}, {1, 1}, {}, "same"}, {2, 3, 3, 2}, {2, 2, 2, 0}, {2, 3, 3, 0});
}

TEST(Convolve, RoundsSmallFloatsOnce) {
  const Windows w{{1}, {1}, {}, "valid"};
  Tensor x = tensor<Half>({1, 3, 1}, {Half(2048.f), Half(1.f), Half(1.f)});
  Tensor f = tensor<Half>({3, 1, 1}, {Half(1.f), Half(1.f), Half(1.f)});
  KernelResult got = callKernel(sluice_kernel_nn_convolve_f16, {x, f}, {DType::kF16}, attrsOf(w));
  ASSERT_TRUE(got.ok());
  EXPECT_EQ(static_cast<float>(got->data<Half>()[0]), 2050.f);
}

void expectPart(const std::string &text, const char *part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

std::string errorOf(const Windows &w, const Shape &images, const Shape &filter) {
  return callKernel(sluice_kernel_nn_convolve_f32,
                    {drawn<float>(images, 1), drawn<float>(filter, 2)}, {DType::kF32}, attrsOf(w))
      .status.toString();
}

TEST(Convolve, RefusesWhatDoesNotFit) {
  const Windows valid{{1, 1}, {1, 1}, {}, "valid"};
  expectPart(errorOf(valid, {1, 3, 3}, {1, 1, 1, 1}), "expected images of rank 4");
  expectPart(errorOf(valid, {1, 3, 3, 1}, {1, 1, 1}), "a filter of rank 4");
  expectPart(errorOf(valid, {1, 3, 3, 5}, {1, 1, 2, 1}), "some times as many");
  expectPart(errorOf(valid, {1, 3, 3, 4}, {1, 1, 2, 3}), "as many outputs");
  expectPart(errorOf(valid, {1, 3, 3, 1}, {5, 1, 1, 1}), "at most 4");
  const Windows wide{{1, 1}, {1, int64_t{1} << 30}, {}, "same"};
  EXPECT_EQ(errorOf(wide, {1, 2, 3, 1}, {1, 2, 1, 1}), "OK");
  expectPart(errorOf(wide, {0, 2, 3, 0}, {1, int64_t{1} << 40, 0, 0}), "windows with dilation");
  KernelResult gradient = callKernel(
      sluice_kernel_nn_convolve_filter_f32,
      {drawn<float>({1, 3, 3, 1}, 1), vectorOf({2, 2, 1, 1}), drawn<float>({1, 3, 3, 1}, 2)},
      {DType::kF32}, attrsOf(valid));
  expectPart(gradient.status.toString(), "expected a gradient of the shape");
}

// ---- Pools

constexpr int64_t kThreeTwo[] = {3, 2};

TEST(Pool, LeavesOutWhatIsAroundTheImage) {
  const Windows same{{2, 2}, {}, {}, "same"};
  Tensor x = tensor<float>({1, 3, 3, 1}, {-1, -2, -3, -4, -5, -6, -7, -8, -9});
  const std::vector<Attr> attrs = poolAttrs(same, kThreeTwo);
  KernelResult average = callKernel(sluice_kernel_nn_average_pool_f32, {x}, {DType::kF32}, attrs);
  ASSERT_TRUE(average.ok());
  EXPECT_EQ(valuesOf<float>(*average), (std::vector<float>{-3, -4.5f, -6, -7.5f}));
  KernelResult most = callKernel(sluice_kernel_nn_max_pool_f32, {x}, {DType::kF32}, attrs);
  EXPECT_EQ(valuesOf<float>(*most), (std::vector<float>{-1, -3, -4, -6}));
  KernelResult index = callKernel(sluice_kernel_nn_max_pool_index_f32, {x}, {DType::kI64}, attrs);
  EXPECT_EQ(valuesOf<int64_t>(*index), (std::vector<int64_t>{0, 2, 3, 5}));
  KernelResult back = callKernel(
      sluice_kernel_nn_average_pool_input_f32,
      {vectorOf({1, 3, 3, 1}), tensor<float>({1, 2, 2, 1}, {4, 2, 8, 6})}, {DType::kF32}, attrs);
  ASSERT_TRUE(back.ok()) << back.status.toString();
  EXPECT_EQ(valuesOf<float>(*back), (std::vector<float>{1, 1, 1, 3, 3, 4, 2, 2, 3}));
}

// All channels behave alike, however many there are.
TEST(Pool, TakesManyChannels) {
  const Windows same{{1, 2}, {}, {}, "same"};
  const Tensor x = drawn<float>({2, 5, 6, 37}, 1);
  const std::vector<Attr> attrs = poolAttrs(same, kThreeTwo);
  KernelResult most = callKernel(sluice_kernel_nn_max_pool_f32, {x}, {DType::kF32}, attrs);
  KernelResult index = callKernel(sluice_kernel_nn_max_pool_index_f32, {x}, {DType::kI64}, attrs);
  ASSERT_TRUE(most.ok() && index.ok());
  ASSERT_EQ(most->shape().toString(), "[2,5,3,37]");
  for (int64_t i = 0; i < most->elements(); ++i) {
    const int64_t at = index->data<int64_t>()[i];
    ASSERT_EQ(at % 37, i % 37);
    ASSERT_EQ(most->data<float>()[i], x.data<float>()[at]);
  }
}

TEST(Pool, OfIntegersHasTheLeastOne) {
  const Windows valid{{2}, {}, {}, "valid"};
  constexpr int64_t kTwo[] = {2};
  Tensor x = tensor<int8_t>({1, 4, 1}, {-128, -128, -3, -7});
  KernelResult most =
      callKernel(sluice_kernel_nn_max_pool_i8, {x}, {DType::kI8}, poolAttrs(valid, kTwo));
  EXPECT_EQ(valuesOf<int8_t>(*most), (std::vector<int8_t>{-128, -3}));
}

TEST(Pool, TakesTheFirstOfEqualOnes) {
  const Windows valid{{2}, {}, {}, "valid"};
  constexpr int64_t kThree[] = {3};
  Tensor x = tensor<float>({1, 5, 1}, {1, 4, 4, 4, 2});
  KernelResult index =
      callKernel(sluice_kernel_nn_max_pool_index_f32, {x}, {DType::kI64}, poolAttrs(valid, kThree));
  EXPECT_EQ(valuesOf<int64_t>(*index), (std::vector<int64_t>{1, 2}));
}

// ---- Mirrors

KernelResult mirrored(const Tensor &x, std::vector<int64_t> pads, bool edge, bool back = false) {
  const int64_t rows = static_cast<int64_t>(pads.size()) / 2;
  return callKernel(back ? sluice_kernel_nn_mirror_pad_input_f32 : sluice_kernel_nn_mirror_pad_any,
                    {x, tensor<int64_t>({rows, 2}, pads)}, {DType::kF32}, {intAttr(edge)});
}

TEST(MirrorPad, TurnsTheOrderAround) {
  Tensor x = tensor<float>({3}, {1, 2, 3});
  EXPECT_EQ(valuesOf<float>(*mirrored(x, {2, 1}, false)), (std::vector<float>{3, 2, 1, 2, 3, 2}));
  EXPECT_EQ(valuesOf<float>(*mirrored(x, {2, 3}, true)),
            (std::vector<float>{2, 1, 1, 2, 3, 3, 2, 1}));
  Tensor m = tensor<float>({2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(valuesOf<float>(*mirrored(m, {1, 0, 0, 1}, false)),
            (std::vector<float>{3, 4, 3, 1, 2, 1, 3, 4, 3}));
}

TEST(MirrorPad, AddsUpWhatWasMirrored) {
  Tensor g = tensor<float>({6}, {1, 10, 100, 1000, 10000, 100000});
  EXPECT_EQ(valuesOf<float>(*mirrored(g, {2, 1}, false, true)),
            (std::vector<float>{100, 101010, 10001}));
  EXPECT_EQ(valuesOf<float>(*mirrored(g, {2, 1}, true, true)),
            (std::vector<float>{110, 1001, 110000}));
}

TEST(MirrorPad, RefusesMoreThanThereIs) {
  Tensor x = tensor<float>({3}, {1, 2, 3});
  expectPart(mirrored(x, {3, 0}, false).status.toString(), "at most 2");
  expectPart(mirrored(x, {0, 4}, true).status.toString(), "at most 3");
  expectPart(mirrored(x, {-1, 0}, true).status.toString(), "non-negative");
  expectPart(mirrored(x, {2, 0}, true, true).status.toString(), "at least 4 elements");
}

} // namespace
} // namespace sluice::rt
