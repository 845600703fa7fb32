// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random work on all streams of the simulated driver, which draws when streams run and finds out
// who has forgotten to wait for whom; results are compared with those of the host.
#include "runtime/base/splitmix.h"
#include "test/runtime/device/device_kinds.h"

#include <gtest/gtest.h>

#include <deque>

namespace sluice::rt {
namespace {

class RandomWork {
public:
  RandomWork(Device &device, uint64_t seed) : device_(device), random_(seed) {}

  void step() {
    if (pieces_.size() < 2 || random_.next() % 6 == 0)
      return create();
    Piece &piece = pieces_[draw(pieces_.size())];
    switch (random_.next() % 5) {
    case 0:
      return fill(piece);
    case 1:
      return copyIn(piece);
    case 2:
      return copyWithin(piece);
    case 3:
      return copyOut(piece);
    default:
      std::swap(piece, pieces_.back());
      pieces_.pop_back();
    }
  }
  void end() {
    for (Piece &piece : pieces_)
      copyOut(piece);
    for (Read &read : reads_) {
      EXPECT_TRUE(device_.await(read.moment, {"the results", 60'000'000'000}).ok());
      ASSERT_EQ(read.got, read.expected);
    }
    reads_.clear();
    pieces_.clear();
  }

private:
  struct Piece {
    DeviceMemory memory;
    std::vector<uint8_t> content;
    std::vector<Moment> uses;
  };
  struct Read {
    Moment moment;
    std::vector<uint8_t> got, expected;
  };

  size_t draw(size_t count) { return random_.next() % count; }
  StreamId drawStream() { return static_cast<StreamId>(draw(kCopyStreams + 2)); }
  void orderAfter(Piece &piece, StreamId stream) {
    for (Moment use : piece.uses)
      EXPECT_TRUE(device_.order(stream, use).ok());
    piece.uses.clear();
  }
  void note(Piece &piece, Result<Moment> moment) {
    ASSERT_TRUE(moment.ok()) << moment.status().toString();
    piece.uses.push_back(*moment);
    EXPECT_TRUE(piece.memory.noteUse(*moment).ok());
  }

  void create() {
    size_t bytes = 1 + draw(draw(4) ? 300 : 50'000);
    auto memory = device_.allocate(bytes, drawStream(), "x");
    ASSERT_TRUE(memory.ok()) << memory.status().toString();
    pieces_.push_back({std::move(*memory), std::vector<uint8_t>(bytes), {}});
    Piece &piece = pieces_.back();
    // It may be used at once on the stream that it is for, and no other.
    note(piece, device_.fill(piece.memory.data(), 0, 1, bytes, piece.memory.stream()));
  }
  void fill(Piece &piece) {
    StreamId stream = drawStream();
    orderAfter(piece, stream);
    auto value = static_cast<uint8_t>(random_.next());
    piece.content.assign(piece.content.size(), value);
    note(piece, device_.fill(piece.memory.data(), value, 1, piece.content.size(), stream));
  }
  void copyIn(Piece &piece) {
    StreamId stream = drawStream();
    orderAfter(piece, stream);
    for (uint8_t &byte : piece.content)
      byte = static_cast<uint8_t>(random_.next());
    // The host's copy changes later, so what is copied needs one that stays.
    sources_.push_back(piece.content);
    note(piece,
         device_.copyIn(piece.memory.data(), sources_.back().data(), piece.content.size(), stream));
  }
  void copyWithin(Piece &to) {
    Piece &from = pieces_[draw(pieces_.size())];
    if (&from == &to)
      return;
    StreamId stream = drawStream();
    orderAfter(to, stream);
    orderAfter(from, stream);
    size_t bytes = std::min(to.content.size(), from.content.size());
    std::copy_n(from.content.begin(), bytes, to.content.begin());
    auto moment = device_.copyWithin(to.memory.data(), from.memory.data(), bytes, stream);
    note(to, moment);
    note(from, moment);
  }
  void copyOut(Piece &piece) {
    StreamId stream = drawStream();
    orderAfter(piece, stream);
    reads_.push_back({{}, std::vector<uint8_t>(piece.content.size()), piece.content});
    auto moment = device_.copyOut(reads_.back().got.data(), piece.memory.data(),
                                  piece.content.size(), stream);
    note(piece, moment);
    reads_.back().moment = *moment;
  }

  Device &device_;
  SplitMix64 random_;
  std::deque<Piece> pieces_;
  std::deque<std::vector<uint8_t>> sources_;
  std::deque<Read> reads_;
};

class RandomStreams : public testing::TestWithParam<const char *> {};
INSTANTIATE_TEST_SUITE_P(Policies, RandomStreams, testing::Values("lazy", "eager", "random"),
                         [](const auto &info) { return std::string(info.param); });

TEST_P(RandomStreams, ResultsAreThoseOfTheHost) {
  SimulatorSetting policy("SLUICE_SIM_POLICY", GetParam());
  for (uint64_t seed = 1; seed <= 16 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    SimulatorSetting setting("SLUICE_SIM_SEED", std::to_string(seed));
    auto device = openGpu(simulatedDriver(), 2, 4 << 20);
    ASSERT_TRUE(device.ok()) << device.status().toString();
    RandomWork work(**device, seed);
    for (int i = 0; i < 150 && !testing::Test::HasFailure(); ++i)
      work.step();
    work.end();
  }
}

} // namespace
} // namespace sluice::rt
