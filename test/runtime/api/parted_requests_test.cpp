// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Responses do not depend on where the blocks end that requests come in, nor on what is taken out
// of their lines: all are compared with those to the same lines when nothing is.
#include "runtime/api/concurrent_session.h"
#include "runtime/io/base64.h"
#include "runtime/io/base64_vectors.h"
#include "runtime/memory/memory_account.h"
#include "test/runtime/api/parted_source.h"

#include <gtest/gtest.h>

#include <limits>

namespace sluice::rt {
namespace {

// Gives its feeds back.
class Echo final : public Runner {
public:
  Echo() {
    SignatureInfo main;
    main.name = "main";
    for (auto [name, dtype] : {std::pair{"x", DType::kF32}, {"flags", DType::kBool}}) {
      main.feeds.push_back({name, dtype, Shape{Shape::kUnknown}});
      main.fetches.push_back({name, dtype, Shape{Shape::kUnknown}});
    }
    SignatureInfo text;
    text.name = "text";
    text.feeds.push_back({"s", DType::kString, Shape{}});
    text.fetches.push_back({"s", DType::kString, Shape{}});
    signatures_ = {main, text};
  }
  std::span<const SignatureInfo> signatures() const override { return signatures_; }
  std::span<Variable *const> variables() override { return variables_; }
  void setOptions(const RunOptions &) override {}
  Result<std::vector<Tensor>> call(size_t, std::span<const Tensor> given) override {
    ownsFeeds = given[0].solelyOwned();
    feeds.assign(given.begin(), given.end());
    return feeds;
  }
  Result<std::vector<Tensor>> callAmongOthers(size_t, std::span<const Tensor> given,
                                              std::optional<double>, uint64_t &leftover) override {
    leftover = 0;
    return std::vector<Tensor>(given.begin(), given.end());
  }
  uint64_t leftoverTokens() const override { return 0; }
  Stats stats() const override { return {}; }
  std::string_view programName() const override { return "echo"; }
  std::string_view versionText() const override { return ""; }

  std::vector<Tensor> feeds; // of the last call
  bool ownsFeeds = false;

private:
  std::vector<SignatureInfo> signatures_;
  Ref<Variable> variable_ = Ref<Variable>::adopt(new Variable("v", DType::kF32, Shape{-1}));
  std::vector<Variable *> variables_{variable_.get()};
};

constexpr int kElements = 900;

// Floats, of which some are denormal: the one at a place, or more.
std::string floats(int place = -1) {
  std::vector<float> elements;
  for (int i = 0; i < kElements; ++i)
    elements.push_back(i == place || (place < 0 && i % 100 == 7)
                           ? -std::numeric_limits<float>::denorm_min()
                           : 1.f / static_cast<float>(i + 1));
  std::string text;
  appendBase64({reinterpret_cast<unsigned char *>(elements.data()), 4 * elements.size()}, text);
  return text;
}
std::string bytes(int count, unsigned char value) {
  std::string text;
  appendBase64(std::vector<unsigned char>(static_cast<size_t>(count), value), text);
  return text;
}

std::string tensor(const std::string &text, int elements = kElements,
                   const std::string &dtype = "float32") {
  return R"({"dtype":")" + dtype + R"(","shape":[)" + std::to_string(elements) + R"(],"b64":")" +
         text + "\"}";
}
std::string request(const std::string &x, const std::string &flags = "[]") {
  return R"({"inputs":{"x":)" + x + R"(,"flags":)" + flags + "}}";
}
std::string changed(std::string text, size_t place, std::string_view by) {
  return text.replace(place, by.size(), by);
}
std::string with(std::string text, size_t place, std::string_view more) {
  return text.insert(place, more);
}

// One may be several lines.
std::vector<std::string> goodAndBad() {
  const std::string x = floats(), flags = bytes(3001, 1), good = tensor(x);
  const std::string dims = std::to_string(kElements);
  std::vector<std::string> all{
      request(good),
      request(good, tensor(flags, 3001, "bool")),
      request("[1e-40,1]", tensor(flags, 3001, "bool")),
      request(R"({"b64" : ")" + x + R"(" , "shape":[)" + dims + R"(], "dtype":"float32"})"),
      R"({"state":{"v":)" + good + R"(},"inputs":{"flags":[],"x":)" + good +
          R"(},"want_state":true})",
      R"({"plain":true,"inputs":{"flags":[true],"x":)" + good + "}}",
      " \t" + request(good) + "\r",
      // Escapes.
      request(tensor(with(x, 2000, "\\u0041\\/") + "AA", kElements + 3)),
      request(tensor("\\u0041" + x.substr(1))),
      request(tensor(with(x, 3000, "\\q"))),
      // No base64, or of another length.
      request(tensor(x.substr(1))),
      request(tensor(x.substr(4))),
      request(tensor(x + "====")),
      request(tensor(x.substr(0, x.size() - 1) + "=")),
      request(tensor(flags, 750)),
      request(good, tensor(bytes(3000, 2), 3000, "bool")),
      request(good, tensor(flags, 3000, "bool")),
      // No JSON, or no request.
      good,
      "\"" + x + "\"",
      x,
      "\"\"" + x,
      "\"a\"" + x + "\"\"",
      request(good).substr(0, 3000),
      request(good) + x,
      request(good) + " \"" + x,
      request("\"\\\"" + x + "\""),
      request("\"" + x + "\""),
      request("[[\"" + x + "\"]]"),
      request("[\"1\",\"" + x + "\",{\"a\":1}]"),
      request(good, R"({"a":1,"a":2})"),
      request(R"({"b64":")" + x + R"(","b64":")" + x + R"(","dtype":"float32","shape":[1]})"),
      request(R"({"data":[1],"b64":")" + x + R"(","dtype":"float32","shape":[1]})"),
      request(R"({"b64":")" + x + R"(","dtype":"float32","shape":[)" + dims + "," + dims + "]}"),
      request(tensor(x, kElements / 2, "float64")),
      request(tensor(x, kElements, x)),
      request(good).insert(1, "\"" + x + "\":[1],"),
      request(good).insert(1, R"("signature":")" + x + "\","),
      R"({"inputs":{"x":)" + good + R"(,"flags":[],"x:0":)" + good + "}}",
      R"({"inputs":{"x":)" + good + "}}",
      R"({"inputs":{"flags":[],"x":)" + good + R"(},"state":{"none":)" + good + "}}",
      R"({"inputs":{"flags":[],"x":)" + good + R"(},"state":{"v":)" + tensor(x, 450, "float64") +
          "}}",
      // Texts.
      R"({"signature":"text","inputs":{"s":")" + x + "\"}}",
      R"({"signature":"text","inputs":{"s":{"dtype":"string","shape":[],"data":[")" + x + "\"]}}}",
  };
  for (size_t place : {size_t{0}, size_t{1}, size_t{255}, size_t{1023}, size_t{2000}, x.size() - 1})
    for (std::string_view bad : {"=", "-", " ", "\"", "\n", "\x01", "\xff", "\xc3\xa4", "\\"})
      if (place + bad.size() <= x.size())
        all.push_back(request(tensor(changed(x, place, bad))));
  return all;
}

struct Answers {
  std::vector<std::string> responses;
  size_t takenOut = 0; // texts
};

Answers answers(PartedSource source) {
  Echo runner;
  Limits limits;
  CallSession session(runner, limits, nullptr);
  LineReader reader(source, 1 << 20);
  Answers all;
  for (RequestLine line;;) {
    Result<bool> more = reader.next(line);
    EXPECT_TRUE(more.ok());
    if (!more.ok() || !*more)
      return all;
    all.takenOut += line.decoded.size();
    all.responses.push_back(session.answer(std::move(line)));
  }
}

class PartedRequests : public testing::Test {
protected:
  void SetUp() override {
    if (!canEncodeBy(Base64Level::kVectors))
      GTEST_SKIP() << "needs vectors";
  }
  void TearDown() override { useVectors(); }
  static void useVectors() {
    forceBase64Level(canEncodeBy(Base64Level::kLongVectors) ? Base64Level::kLongVectors
                                                            : Base64Level::kVectors);
  }
  // With nothing taken out.
  static std::vector<std::string> expected(const std::string &text) {
    forceBase64Level(Base64Level::kTables);
    Answers plain = answers(PartedSource(text));
    useVectors();
    EXPECT_EQ(plain.takenOut, 0u);
    return plain.responses;
  }
};

TEST_F(PartedRequests, AreAnsweredAlikeWhereverABlockEnds) {
  for (const std::string &text : goodAndBad()) {
    const std::vector<std::string> responses = expected(text);
    for (size_t first = 1; first <= text.size(); first += text.size() > 6000 ? 7 : 1)
      ASSERT_EQ(answers(PartedSource(text, first)).responses, responses) << first << ": " << text;
  }
}

TEST_F(PartedRequests, AreAnsweredAlikeInBlocksOfAnySize) {
  std::string text;
  for (const std::string &line : goodAndBad())
    text += line + '\n';
  const std::vector<std::string> responses = expected(text);
  EXPECT_GT(responses.size(), 100u);
  for (size_t size : {1, 3, 64, 255, 256, 257, 1000, 4096, 5001, 65'536, 1 << 24})
    for (Base64Level level : {Base64Level::kVectors, Base64Level::kLongVectors}) {
      if (!canEncodeBy(level))
        continue;
      forceBase64Level(level);
      const Answers parted = answers(PartedSource(text, size, size));
      ASSERT_EQ(parted.responses, responses) << size;
      EXPECT_GT(parted.takenOut, 20u) << size;
    }
}

TEST_F(PartedRequests, AreAnsweredAlikeSeveralAtATime) {
  std::string text;
  for (const std::string &line : goodAndBad())
    text += line + '\n';
  const std::vector<std::string> responses = expected(text);
  Echo runner;
  Limits limits;
  CallSession session(runner, limits, nullptr);
  std::vector<std::string> several;
  ConcurrentSession answers(session, runner, 3, std::nullopt, systemThreads(),
                            [&](const std::string &response) {
                              several.push_back(response.substr(0, response.size() - 1));
                              return okStatus();
                            });
  PartedSource source(text, 5000, 5000);
  LineReader reader(source, 1 << 20);
  for (size_t i = 0; i < responses.size(); ++i) {
    RequestLine line;
    ASSERT_TRUE(*reader.next(line));
    EXPECT_TRUE(answers.ask(std::move(line)).ok());
  }
  EXPECT_TRUE(answers.finish().ok());
  EXPECT_EQ(several, responses);
}

TEST_F(PartedRequests, HoldNoDenormalsWhereverTheyStand) {
  std::string text;
  for (int place = 0; place < kElements; ++place)
    text += request(tensor(floats(place))) + "\n";
  const std::vector<std::string> responses = expected(text);
  for (size_t size : {300, 1500, 5000, 1 << 24}) {
    const Answers parted = answers(PartedSource(text, size, size));
    EXPECT_GT(parted.takenOut, 800u); // some steps end where nothing can be told
    EXPECT_TRUE(parted.responses == responses) << size;
  }
}

TEST_F(PartedRequests, AreNotSearchedAgain) {
  for (bool known : {false, true}) {
    const std::string text = request(tensor(floats(0)));
    PartedSource source(text);
    LineReader reader(source, 1 << 20);
    RequestLine line;
    ASSERT_TRUE(*reader.next(line));
    ASSERT_TRUE(line.decoded[0].hasDenormals);
    line.decoded[0].hasDenormals = known;
    Echo runner;
    Limits limits;
    (void)CallSession(runner, limits, nullptr).answer(std::move(line));
    EXPECT_EQ(runner.feeds[0].data<float>()[0] == 0, known);
  }
}

TEST_F(PartedRequests, NeedNoMoreMemoryThanTheirTensors) {
  const std::string text = request(tensor(bytes(40'000, 1), 10'000));
  const std::vector<std::string> responses = expected(text);
  MemoryBudget budget;
  budget.limit = 70'000; // for what has been decoded and for the tensor, it is too little
  const uint8_t account = MemoryAccount::open(budget, [](MemoryBudget &) {});
  {
    MemoryAccount::Scope scope(account);
    const Answers limited = answers(PartedSource(text));
    EXPECT_EQ(limited.takenOut, 1u);
    EXPECT_EQ(limited.responses, responses);
  }
  MemoryAccount::close(account);
}

// A tensor takes over what was decoded, unless that has much more room.
TEST_F(PartedRequests, CopyNothingOnceLinesAreAlike) {
  std::string text;
  const std::string line = request(tensor(bytes(40'000, 1), 10'000)) + "\n";
  for (int i = 0; i < 3; ++i)
    text += line;
  PartedSource source(text);
  LineReader reader(source, 1 << 20);
  Echo runner;
  Limits limits;
  CallSession session(runner, limits, nullptr);
  for (int i = 0; i < 3; ++i) {
    RequestLine read;
    ASSERT_TRUE(*reader.next(read));
    ASSERT_EQ(read.decoded.size(), 1u);
    const void *decoded = read.decoded[0].buffer->data();
    (void)session.answer(std::move(read));
    ASSERT_EQ(runner.feeds.size(), 2u);
    EXPECT_EQ(runner.feeds[0].raw() == decoded, i > 0);
    EXPECT_LE(runner.feeds[0].buffer()->bytes(), 50'000u);
    EXPECT_TRUE(runner.ownsFeeds);
  }
}

} // namespace
} // namespace sluice::rt
