// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Firings of several pieces, of awkward sizes: kernels of the nn dialect.
#include "test/runtime/kernels/long_firing.h"

namespace sluice::rt {
namespace {

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

constexpr int64_t kOnes[] = {1, 1}, kTwos[] = {2, 2}, kWindow[] = {3, 2};

// In the order of their names: dilations, padding, pads, strides.
std::vector<Attr> windowsOf(std::span<const int64_t> strides) {
  return {integers(kOnes), text("same"), integers({}), integers(strides)};
}
// padding, pads, strides, windows.
std::vector<Attr> poolAttributes() {
  return {text("same"), integers({}), integers(kTwos), integers(kWindow)};
}

Tensor vector(std::initializer_list<int64_t> values) {
  return Tensor::vector<int64_t>(std::vector<int64_t>(values));
}

template <typename T> Tensor numbers(const Shape &shape) {
  Tensor t = *Tensor::allocate(DTypeOf<T>::value, shape);
  for (int64_t i = 0; i < t.elements(); ++i)
    t.data<T>()[i] = T(static_cast<float>(i * 37 % 101 - 50) / 64);
  return t;
}

// Images of 31 by 29 places, and as many or a quarter of that behind them.
template <typename T>
void addConvolutions(std::vector<LongCase> &cases, int64_t channels, int64_t perGroup,
                     int64_t outputs, bool strided) {
  const std::span<const int64_t> strides = strided ? kTwos : kOnes;
  const Shape images{5, 31, 29, channels}, filter{3, 3, perGroup, outputs};
  const Shape result = strided ? Shape{5, 16, 15, outputs} : Shape{5, 31, 29, outputs};
  const DType type = DTypeOf<T>::value;
  cases.push_back({"nn.convolve", [=] {
                     return LongFiring{
                         {numbers<T>(images), numbers<T>(filter)}, {type}, windowsOf(strides)};
                   }});
  cases.push_back({"nn.convolve_input", [=] {
                     return LongFiring{
                         {vector({5, 31, 29, channels}), numbers<T>(filter), numbers<T>(result)},
                         {type},
                         windowsOf(strides)};
                   }});
  cases.push_back({"nn.convolve_filter", [=] {
                     return LongFiring{{numbers<T>(images), vector({3, 3, perGroup, outputs}),
                                        numbers<T>(result)},
                                       {type},
                                       windowsOf(strides)};
                   }});
}

template <typename T> void addPools(std::vector<LongCase> &cases) {
  const Shape images{23, 31, 29, 37}, result{23, 16, 15, 37};
  const DType type = DTypeOf<T>::value;
  cases.push_back({"nn.average_pool",
                   [=] { return LongFiring{{numbers<T>(images)}, {type}, poolAttributes()}; }});
  cases.push_back({"nn.average_pool_input", [=] {
                     return LongFiring{
                         {vector({23, 31, 29, 37}), numbers<T>(result)}, {type}, poolAttributes()};
                   }});
  cases.push_back(
      {"nn.max_pool", [=] { return LongFiring{{numbers<T>(images)}, {type}, poolAttributes()}; }});
  cases.push_back({"nn.max_pool_index", [=] {
                     return LongFiring{{numbers<T>(images)}, {DType::kI64}, poolAttributes()};
                   }});
}

template <typename T> void addMirrors(std::vector<LongCase> &cases) {
  for (bool edge : {false, true}) {
    cases.push_back({"nn.mirror_pad", [=] {
                       return LongFiring{
                           {numbers<T>(Shape{331, 617}), vector({5, 3, 2, 7}).reshaped({2, 2})},
                           {DTypeOf<T>::value},
                           {intAttr(edge)}};
                     }});
    cases.push_back({"nn.mirror_pad_input", [=] {
                       return LongFiring{
                           {numbers<T>(Shape{331, 617}), vector({5, 3, 2, 7}).reshaped({2, 2})},
                           {DTypeOf<T>::value},
                           {intAttr(edge)}};
                     }});
  }
}

template <typename T> Tensor scalarOf(double value) {
  return Tensor::scalar(static_cast<T>(value));
}

// Many that overlap a little, with scores in no order.
Tensor boxesOf(const Shape &shape) {
  Tensor boxes = numbers<float>(shape);
  for (int64_t i = 0; i < boxes.elements(); i += 4) {
    float *box = boxes.data<float>() + i;
    const float row = static_cast<float>(i % 83) / 8, column = static_cast<float>(i % 97) / 8;
    box[0] = row, box[1] = column, box[2] = row + 1, box[3] = column + 1;
  }
  return boxes;
}

void addBoxes(std::vector<LongCase> &cases) {
  cases.push_back({"nn.suppress", [] {
                     return LongFiring{{boxesOf({3001, 4}), numbers<float>({3001}),
                                        scalarOf<int32_t>(997), scalarOf<float>(0.9),
                                        scalarOf<float>(-1), scalarOf<float>(0.5)},
                                       {DType::kI32, DType::kF32, DType::kI32},
                                       {intAttr(false), intAttr(true)}};
                   }});
  cases.push_back({"nn.suppress_classes", [] {
                     return LongFiring{{boxesOf({7, 301, 1, 4}), numbers<float>({7, 301, 11}),
                                        scalarOf<int32_t>(101), scalarOf<int32_t>(1001),
                                        scalarOf<float>(0.9), scalarOf<float>(-1)},
                                       {DType::kF32, DType::kF32, DType::kF32, DType::kI32},
                                       {intAttr(true), intAttr(false)}};
                   }});
  cases.push_back({"nn.draw_boxes", [] {
                     return LongFiring{{numbers<float>({7, 201, 199, 3}), boxesOf({7, 13, 4}),
                                        numbers<float>({5, 3})},
                                       {DType::kF32}};
                   }});
}

// Labels go up and down; sequences have as many as a third of the times.
void addSequences(std::vector<LongCase> &cases) {
  constexpr int64_t kTimes = 91, kBatch = 13, kClasses = 29, kLabels = kTimes / 3;
  cases.push_back({"nn.ctc_loss", [] {
                     Tensor places = *Tensor::allocate(DType::kI64, Shape{kBatch * kLabels, 2});
                     Tensor labels = *Tensor::allocate(DType::kI32, Shape{kBatch * kLabels});
                     Tensor lengths = *Tensor::allocate(DType::kI32, Shape{kBatch});
                     for (int64_t i = 0; i < kBatch * kLabels; ++i) {
                       places.data<int64_t>()[2 * i] = i / kLabels;
                       places.data<int64_t>()[2 * i + 1] = i % kLabels;
                       labels.data<int32_t>()[i] = static_cast<int32_t>(i * 5 % (kClasses - 1));
                     }
                     for (int64_t i = 0; i < kBatch; ++i)
                       lengths.data<int32_t>()[i] = static_cast<int32_t>(kTimes - i);
                     return LongFiring{
                         {numbers<float>({kTimes, kBatch, kClasses}), places, labels, lengths},
                         {DType::kF32, DType::kF32},
                         {intAttr(false), intAttr(false), intAttr(true)}};
                   }});
  cases.push_back({"nn.ctc_beam_search", [] {
                     Tensor lengths = *Tensor::allocate(DType::kI32, Shape{kBatch});
                     for (int64_t i = 0; i < kBatch; ++i)
                       lengths.data<int32_t>()[i] = static_cast<int32_t>(kTimes - i);
                     return LongFiring{{numbers<float>({kTimes, kBatch, kClasses}), lengths},
                                       {DType::kI64, DType::kF32},
                                       {intAttr(false), intAttr(3), intAttr(20)}};
                   }});
}

void addDistances(std::vector<LongCase> &cases) {
  constexpr int64_t kPairs = 13, kLabels = 301, kOthers = 279;
  cases.push_back({"nn.edit_distance", [] {
                     auto sequences = [](int64_t length, int64_t step) {
                       Tensor pairs = *Tensor::allocate(DType::kI64, Shape{kPairs * length});
                       Tensor labels = *Tensor::allocate(DType::kI64, Shape{kPairs * length});
                       for (int64_t i = 0; i < kPairs * length; ++i) {
                         pairs.data<int64_t>()[i] = i % kPairs;
                         labels.data<int64_t>()[i] = i * step % 17;
                       }
                       return std::pair{pairs, labels};
                     };
                     auto [pairs, labels] = sequences(kLabels, 5);
                     auto [others, otherLabels] = sequences(kOthers, 7);
                     return LongFiring{{pairs, labels, others, otherLabels,
                                        scalarOf<int64_t>(static_cast<double>(kPairs))},
                                       {DType::kF32},
                                       {intAttr(true)}};
                   }});
}

} // namespace

std::vector<LongCase> longWindowCases() {
  std::vector<LongCase> cases;
  addConvolutions<float>(cases, 24, 24, 70, false);
  addConvolutions<float>(cases, 24, 12, 20, true);
  addConvolutions<double>(cases, 40, 1, 40, false);
  addConvolutions<float>(cases, 40, 1, 80, true);
  addConvolutions<Half>(cases, 16, 16, 16, true);
  addConvolutions<BFloat16>(cases, 16, 1, 16, false);
  addPools<float>(cases);
  addPools<double>(cases);
  addPools<Half>(cases);
  addMirrors<float>(cases);
  addMirrors<BFloat16>(cases);
  addBoxes(cases);
  addSequences(cases);
  addDistances(cases);
  return cases;
}

} // namespace sluice::rt
