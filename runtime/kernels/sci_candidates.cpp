// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random numbers below a limit: places in an order that nobody has to write down, and candidates
// among classes. TensorFlow's numbers.
#include "runtime/base/arithmetic.h"
#include "runtime/kernels/attributes/sci.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/movement.h"
#include "runtime/kernels/random_stream.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_set>
#include <vector>

namespace sluice::rt {

namespace {

// ---- Places in an order -------------------------------------------------------------------------

constexpr size_t kNumbersOfSeed = 3;

// The cipher Simon (Beaulieu et al., "The SIMON and SPECK families of lightweight block ciphers")
// for words of any width: it permutes the numbers of two words.
class Cipher {
public:
  Cipher(int width, std::span<const uint64_t, kNumbersOfSeed> seed, int64_t rounds)
      : width_(width), mask_((uint64_t{1} << width) - 1) {
    for (uint64_t number : seed)
      keys_.push_back(number & mask_);
    uint64_t constants = 0x7369f885192c0ef5 & mask_;
    for (int64_t i = 3; i < rounds; ++i) {
      const uint64_t last = keys_.back();
      keys_.push_back((uint64_t{0xfffffffc} & mask_) ^ (constants & 1) ^
                      keys_[keys_.size() - kNumbersOfSeed] ^ left(last, width_ - 3) ^
                      left(last, width_ - 4));
      constants >>= 1;
    }
  }
  uint64_t permuted(uint64_t number) const {
    uint64_t upper = number >> width_ & mask_, lower = number & mask_;
    for (size_t i = 0; i < keys_.size(); i += 2) {
      upper ^= mixed(lower) ^ keys_[i];
      lower ^= mixed(upper) ^ keys_[i + 1];
    }
    return upper << width_ | lower;
  }

private:
  uint64_t left(uint64_t word, int by) const {
    return (word << by | word >> (width_ - by)) & mask_;
  }
  uint64_t mixed(uint64_t word) const { return (left(word, 1) & left(word, 8)) ^ left(word, 2); }

  int width_;
  uint64_t mask_;
  std::vector<uint64_t> keys_;
};

// Numbers above the limit are permuted again, until one is not: the walk of a number that is not
// above it comes back at the latest where it began. Nothing if the call is to end.
std::optional<uint64_t> placeOf(uint64_t index, std::span<const uint64_t, kNumbersOfSeed> seed,
                                uint64_t limit, int64_t rounds) {
  constexpr int kLeastBits = 16;
  constexpr int64_t kCost = 100;
  if (limit == 0)
    return 0;
  // In 64 bits, as TensorFlow does it: just above powers of 2 from 2^54 on it is one bit less.
  const int bits =
      std::max(static_cast<int>(std::ceil(std::log2(static_cast<double>(limit)))), kLeastBits);
  const Cipher cipher((bits + 1) / 2, seed, rounds);
  TurnsOfCall turns(kCost);
  do {
    if (turns.end())
      return {};
    index = cipher.permuted(index);
  } while (index > limit);
  return index;
}

Status placeShape(ShapeCall &call) {
  const Shape &index = call.input(0), &seed = call.input(1), &limit = call.input(2);
  call.output(0) = Shape::unknownRank();
  if (!index.hasRank() || !seed.hasRank() || !limit.hasRank())
    return okStatus();
  if (index.rank() > 1)
    return invalidArgument("index must be a scalar or vector, got shape " + index.toString());
  if (limit.rank() > 1)
    return invalidArgument("max_index must be a scalar or vector, got shape " + limit.toString());
  if (seed.rank() < 1 || seed.rank() > 2 ||
      !seed.compatibleWith(seed.rank() == 1 ? Shape{3} : Shape{Shape::kUnknown, 3}))
    return invalidArgument("seed must have shape [3] or [n,3], got shape " + seed.toString());
  int64_t count = 1;
  bool isVector = false;
  for (const Shape *shape : {&index, &seed, &limit}) {
    if (shape->rank() < (shape == &seed ? 2 : 1))
      continue;
    const int64_t size = shape->dim(0);
    if (isVector && size >= 0 && count >= 0 && size != count)
      return invalidArgument("expected index, seed and max_index of one size but got shapes " +
                             index.toString() + ", " + seed.toString() + " and " +
                             limit.toString());
    count = isVector && count >= 0 ? count : size;
    isVector = true;
  }
  call.output(0) = isVector ? Shape{count} : Shape{};
  return okStatus();
}

Status placeRun(KernelCall &call) {
  const Tensor &index = call.input(0), &seed = call.input(1), &limit = call.input(2);
  const int64_t rounds = attributes::sci::RandomIndexShuffle(call).rounds();
  const int64_t count = call.output(0).elements();
  for (int64_t i = 0; i < count; ++i) {
    auto at = [i](const Tensor &tensor) {
      return static_cast<uint64_t>(tensor.asInt(tensor.shape().rank() > 0 ? i : 0));
    };
    std::array<uint64_t, kNumbersOfSeed> numbers{};
    for (size_t k = 0; k < kNumbersOfSeed; ++k)
      numbers[k] = static_cast<uint32_t>(
          seed.asInt((seed.shape().rank() > 1 ? i * 3 : 0) + static_cast<int64_t>(k)));
    const std::optional<uint64_t> place = placeOf(at(index), numbers, at(limit), rounds);
    if (!place)
      return cancelledWork();
    putInt(call.output(0), i, static_cast<int64_t>(*place));
  }
  return okStatus();
}

// ---- Candidates ---------------------------------------------------------------------------------

// Numbers below `range` that are drawn, and how likely each is.
class Candidates {
public:
  Candidates(std::string_view distribution, int64_t range)
      : isLogarithmic_(distribution == "log_uniform"), range_(static_cast<uint64_t>(range)),
        logOfRange_(std::log1p(static_cast<double>(range))) {}

  int64_t draw(Singles &numbers) const {
    if (isLogarithmic_) {
      const uint32_t bits[2] = {numbers.next(), numbers.next()};
      return static_cast<int64_t>(
          (static_cast<uint64_t>(std::exp(toUniform<double>(bits) * logOfRange_)) - 1) % range_);
    }
    if ((range_ & (range_ - 1)) == 0)
      return static_cast<int64_t>(numbers.nextLong() & (range_ - 1));
    // Left out are as many as would make the first remainders likelier.
    const uint64_t least = ~uint64_t{0} % range_ + 1;
    uint64_t number = numbers.nextLong();
    while (number < least)
      number = numbers.nextLong();
    return static_cast<int64_t>(number % range_);
  }
  float probability(int64_t number) const {
    if (!isLogarithmic_)
      return static_cast<float>(1.0 / static_cast<double>(range_));
    const auto x = static_cast<double>(number);
    return static_cast<float>(std::log((x + 2) / (x + 1)) / logOfRange_);
  }

private:
  bool isLogarithmic_;
  uint64_t range_;
  double logOfRange_;
};

Status candidatesShape(ShapeCall &call) {
  attributes::sci::RandomCandidates attributes(call);
  const Shape &position = call.input(0), &classes = call.input(1);
  if (position.hasRank() && !position.compatibleWith(Shape{kNumbersOfPosition}))
    return invalidArgument("expected a position of shape [3] but got " + position.toString());
  if (classes.hasRank() && classes.rank() != 2)
    return invalidArgument("true_classes must be a matrix, got shape " + classes.toString());
  if (attributes.unique() && attributes.count() > attributes.range())
    return invalidArgument("Sampler's range is too small.");
  call.output(0) = call.output(2) = Shape{attributes.count()};
  call.output(1) = classes.hasRank() ? classes : Shape{Shape::kUnknown, Shape::kUnknown};
  return okStatus();
}

Status candidatesRun(KernelCall &call) {
  constexpr int64_t kCostOfTry = 100;
  attributes::sci::RandomCandidates attributes(call);
  const int64_t range = attributes.range(), count = attributes.count();
  const auto classes = call.input(1).values<int64_t>();
  for (int64_t number : classes)
    if (number < 0 || number >= range)
      return invalidArgument(format("`true_candidate` out of range [0, %lld), received %lld",
                                    static_cast<long long>(range), static_cast<long long>(number)));
  const Candidates candidates(attributes.distribution(), range);
  Singles numbers(positionOf(call).philox());
  auto *to = call.output(0).data<int64_t>();
  std::unordered_set<int64_t> used;
  TurnsOfCall turns(kCostOfTry);
  int64_t tries = 0;
  for (int64_t made = 0; made < count; ++tries) {
    if (turns.end())
      return cancelledWork();
    to[made] = candidates.draw(numbers);
    if (!attributes.unique() || used.insert(to[made]).second)
      ++made;
  }
  // How often a number is expected among as many tries as these were.
  auto expected = [&](int64_t number) {
    const float chance = candidates.probability(number);
    return tries == count ? chance * static_cast<float>(count)
                          : -std::expm1(static_cast<float>(tries) * std::log1p(-chance));
  };
  auto *ofClasses = call.output(1).data<float>(), *ofDrawn = call.output(2).data<float>();
  std::transform(classes.begin(), classes.end(), ofClasses, expected);
  std::transform(to, to + count, ofDrawn, expected);
  return okStatus();
}

} // namespace

SLUICE_DEFINE_KERNEL(sci_random_index_shuffle, {placeShape, placeRun})
SLUICE_DEFINE_KERNEL(sci_random_candidates, {candidatesShape, candidatesRun})

} // namespace sluice::rt
