// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Readers: files of a queue, one after the other; those who wait for one; what a reader saves.
#include "runtime/state/reader.h"

#include "runtime/io/memory_disk.h"
#include "test/runtime/state/waiter.h"

#include <gtest/gtest.h>
#include <thread>

namespace sluice::rt {
namespace {

using Texts = std::vector<std::string>;
using Kind = RecordForm::Kind;

Ref<Reader> copied(const Reader &reader) {
  Result<Ref<Reader>> copy = Reader::ofContent(*reader.content());
  EXPECT_TRUE(copy.ok()) << copy.status().toString();
  return *copy;
}

class Readers : public testing::Test {
protected:
  Readers() {
    Queue::Options options;
    options.title = "queue 'q'";
    options.components = Components({{DType::kString, Shape::unknownRank()}});
    queue_ = *Queue::make(options);
    disk_.files = {{"a", "1\n2\n"}, {"empty", ""}, {"b", "3\n"}};
  }
  static Ref<Reader> make(RecordForm form) { return *Reader::make({"reader 'r'", form}); }
  void put(const Texts &names) {
    for (const std::string &name : names)
      ASSERT_TRUE(queue_->enqueue({Tensor::string(name)}, false, Waiter().client()).ok());
  }
  void close() { ASSERT_TRUE(queue_->close(false, Waiter().client()).ok()); }
  // As the op does it: again, until there is a record.
  Result<Texts> read(Reader &reader, int64_t most = 1) {
    for (;;) {
      Waiter waiter;
      SLUICE_RETURN_IF_ERROR(reader.awaitFile(*queue_, waiter.client()));
      EXPECT_FALSE(waiter.isParked());
      SLUICE_ASSIGN_OR_RETURN(std::vector<Record> records, reader.read(most, disk_));
      Texts values;
      for (const Record &record : records)
        values.push_back(record.value);
      if (!values.empty())
        return values;
    }
  }
  Code codeOf(Reader &reader) { return read(reader).status().code(); }

  Ref<Queue> queue_;
  MemoryDisk disk_;
};

TEST_F(Readers, OneFileAfterTheOther) {
  Ref<Reader> reader = make({.kind = Kind::kLines});
  put({"a", "empty", "b"});
  close();
  EXPECT_EQ(*read(*reader), Texts{"1"});
  EXPECT_EQ(reader->filesCompleted(), 0);
  EXPECT_EQ(*read(*reader, 5), Texts{"2"}); // not beyond the end of a file
  EXPECT_EQ(reader->filesCompleted(), 1);
  EXPECT_EQ(*read(*reader, 5), Texts{"3"});
  EXPECT_EQ(reader->filesCompleted(), 3);
  EXPECT_EQ(reader->recordsProduced(), 3);
  EXPECT_EQ(codeOf(*reader), Code::kOutOfRange);
  EXPECT_EQ(queue_->size(), 0);
}

TEST_F(Readers, NoMoreThanWanted) {
  Ref<Reader> reader = make({.kind = Kind::kLines});
  put({"a"});
  EXPECT_EQ(*read(*reader, 2), (Texts{"1", "2"}));
  EXPECT_EQ(reader->filesCompleted(), 0); // nobody has seen its end
  Ref<Reader> whole = make({.kind = Kind::kWhole});
  put({"b"});
  EXPECT_EQ(*read(*whole, 5), Texts{"3\n"});
  EXPECT_EQ(whole->filesCompleted(), 1);
}

TEST_F(Readers, ErrorsOfFiles) {
  Ref<Reader> lines = make({.kind = Kind::kLines});
  put({"none", "b"});
  EXPECT_EQ(codeOf(*lines), Code::kNotFound);
  EXPECT_EQ(lines->filesCompleted(), 0);
  EXPECT_EQ(*read(*lines), Texts{"3"}); // a file that cannot be opened is passed over
  Ref<Reader> whole = make({.kind = Kind::kWhole});
  put({"none", "b"});
  EXPECT_EQ(codeOf(*whole), Code::kNotFound);
  EXPECT_EQ(codeOf(*whole), Code::kNotFound); // one that cannot be read stays
  whole->reset();
  EXPECT_EQ(*read(*whole), Texts{"3\n"});
  Ref<Reader> names = make({.kind = Kind::kNames});
  ASSERT_TRUE(
      queue_->enqueue({*Tensor::allocate(DType::kString, Shape({2}))}, false, Waiter().client())
          .ok());
  Status several = read(*names).status();
  EXPECT_EQ(several.code(), Code::kInvalidArgument);
  EXPECT_EQ(several.message(), "Expected to dequeue a one-element string tensor");
  // The names are gone; a vector of one is a name.
  Tensor one = *Tensor::allocate(DType::kString, Shape({1}));
  *one.data<std::string>() = "x";
  ASSERT_TRUE(queue_->enqueue({one}, false, Waiter().client()).ok());
  EXPECT_EQ(*read(*names), Texts{"x"});
}

TEST_F(Readers, ResetsToTheBegin) {
  Ref<Reader> reader = make({.kind = Kind::kLines});
  put({"a", "b", "a", "b"});
  ASSERT_TRUE(read(*reader, 2).ok());
  ASSERT_TRUE(read(*reader).ok()); // the end of "a" on the way
  EXPECT_EQ(reader->filesCompleted(), 1);
  EXPECT_EQ(reader->recordsProduced(), 3);
  reader->reset();
  EXPECT_EQ(reader->filesCompleted(), 0);
  EXPECT_EQ(reader->recordsProduced(), 0);
  EXPECT_EQ(*read(*reader), Texts{"1"});
  reader->reset(); // in the middle of a file
  EXPECT_TRUE(reader->read(1, disk_)->empty());
  ASSERT_TRUE(reader->awaitFile(*queue_, Waiter().client()).ok());
  EXPECT_EQ(queue_->size(), 0);
  reader->reset(); // also the name that it was given
  EXPECT_TRUE(reader->read(1, disk_)->empty());
  EXPECT_EQ(reader->recordsProduced(), 0);
}

TEST_F(Readers, NothingBehindDamage) {
  disk_.files["damaged"] = std::string(12, 'x');
  Ref<Reader> reader = make({.kind = Kind::kRecords});
  put({"damaged", "empty"});
  EXPECT_EQ(codeOf(*reader), Code::kDataLoss);
  EXPECT_EQ(codeOf(*reader), Code::kDataLoss); // again with each read
  EXPECT_EQ(reader->filesCompleted(), 0);
  EXPECT_EQ(queue_->size(), 1);
  EXPECT_EQ(copied(*reader)->read(1, disk_).status().code(), Code::kDataLoss);
}

TEST_F(Readers, OptionsThatCannotBe) {
  auto faultOf = [](RecordForm form) {
    Status status = Reader::make({"reader 'r'", form}).status();
    EXPECT_EQ(status.code(), Code::kInvalidArgument);
    return status.message();
  };
  EXPECT_EQ(faultOf({.kind = Kind::kLines, .skippedLines = -1}),
            "reader 'r': skip_header_lines must be >= 0 but got -1");
  EXPECT_EQ(faultOf({.kind = Kind::kFixed}), "reader 'r': record_bytes must be >= 1 but got 0");
  EXPECT_EQ(faultOf({.kind = Kind::kFixed, .headerBytes = -1, .recordBytes = 1}),
            "reader 'r': header_bytes must be >= 0 but got -1");
  EXPECT_EQ(faultOf({.kind = Kind::kFixed, .recordBytes = 1, .footerBytes = -1}),
            "reader 'r': footer_bytes must be >= 0 but got -1");
  EXPECT_EQ(faultOf({.kind = Kind::kFixed, .recordBytes = 1, .hopBytes = -2}),
            "reader 'r': hop_bytes must be >= 0 but got -2");
  Ref<Reader> reader = make({.kind = Kind::kLines});
  EXPECT_TRUE(reader->check({"reader 'x'", {.kind = Kind::kLines}}).ok());
  Status other = reader->check({"reader 'x'", {.kind = Kind::kLines, .skippedLines = 1}});
  EXPECT_EQ(other.code(), Code::kInvalidArgument);
  EXPECT_EQ(other.message(), "reader 'r' reads files in another way than reader 'x'");
  EXPECT_FALSE(
      reader->check({"reader 'r'", {.kind = Kind::kLines, .compression = Compression::kGzip}})
          .ok());
}

// ---- Waiting

TEST_F(Readers, OneAsksTheQueueAndTheOthersWaitForIt) {
  Ref<Reader> reader = make({.kind = Kind::kLines});
  Waiter first, second, third;
  for (Waiter *waiter : {&first, &second, &third}) {
    ASSERT_TRUE(reader->awaitFile(*queue_, waiter->client()).ok());
    EXPECT_TRUE(waiter->isParked());
    EXPECT_EQ(waiter->words(), "parked on reader 'r', read");
  }
  put({"a", "b"});
  for (Waiter *waiter : {&first, &second, &third})
    EXPECT_EQ(waiter->resumedWith(), Code::kOk);
  EXPECT_EQ(queue_->size(), 1);
  EXPECT_EQ(*read(*reader), Texts{"1"});
  EXPECT_EQ(*read(*reader), Texts{"2"});
  EXPECT_EQ(*read(*reader), Texts{"3"});
}

// Two firings of calls that run beside each other read one file, and the queue is closed behind it.
TEST_F(Readers, NoRecordIsLostBehindAClosedQueue) {
  Ref<Reader> reader = make({.kind = Kind::kLines});
  put({"a"});
  close();
  Waiter first, second;
  ASSERT_TRUE(reader->awaitFile(*queue_, first.client()).ok());
  ASSERT_TRUE(reader->awaitFile(*queue_, second.client()).ok());
  EXPECT_EQ((*reader->read(1, disk_))[0].value, "1");
  EXPECT_EQ((*reader->read(1, disk_))[0].value, "2");
}

TEST_F(Readers, ErrorsOfTheQueue) {
  Ref<Reader> reader = make({.kind = Kind::kLines});
  Waiter first, second;
  ASSERT_TRUE(reader->awaitFile(*queue_, first.client()).ok());
  ASSERT_TRUE(reader->awaitFile(*queue_, second.client()).ok());
  close();
  EXPECT_EQ(first.resumedWith(), Code::kOutOfRange);
  EXPECT_EQ(second.resumedWith(), Code::kOk); // it asks itself
  EXPECT_EQ(codeOf(*reader), Code::kOutOfRange);
  Queue::Options numbers;
  numbers.components = Components({{DType::kI64, Shape()}});
  EXPECT_EQ(reader->awaitFile(**Queue::make(numbers), Waiter().client()).code(),
            Code::kInvalidArgument);
  EXPECT_EQ(reader->awaitFile(*queue_, {{}, nullptr}).code(), Code::kInternal);
}

TEST_F(Readers, WhoIsWithdrawnTakesNothing) {
  Ref<Reader> reader = make({.kind = Kind::kLines});
  Waiter first, second, third;
  ASSERT_TRUE(reader->awaitFile(*queue_, first.client()).ok());
  ASSERT_TRUE(reader->awaitFile(*queue_, second.client()).ok());
  ASSERT_TRUE(reader->awaitFile(*queue_, third.client()).ok());
  EXPECT_TRUE(second.withdraw());
  EXPECT_TRUE(first.withdraw()); // it asked for all
  EXPECT_EQ(second.resumedWith(), std::nullopt);
  EXPECT_EQ(first.resumedWith(), std::nullopt);
  EXPECT_EQ(third.resumedWith(), Code::kOk);
  EXPECT_FALSE(third.withdraw());
  put({"a"});
  EXPECT_EQ(queue_->size(), 1);
  EXPECT_EQ(*read(*reader), Texts{"1"});
}

TEST_F(Readers, FilesThatComeFromAnotherThread) {
  Ref<Reader> reader = make({.kind = Kind::kLines});
  constexpr int kFiles = 200;
  std::thread feeder([&] {
    for (int i = 0; i < kFiles; ++i)
      put({i % 3 ? "empty" : "b"});
  });
  for (int read = 0; read < (kFiles + 2) / 3;) {
    Waiter waiter;
    ASSERT_TRUE(reader->awaitFile(*queue_, waiter.client()).ok());
    waiter.await();
    read += static_cast<int>(reader->read(1, disk_)->size());
  }
  feeder.join();
  EXPECT_EQ(reader->recordsProduced(), (kFiles + 2) / 3);
}

// ---- States

TEST_F(Readers, StatesAsTensorFlowWritesThem) {
  using namespace std::string_literals;
  Ref<Reader> names = make({.kind = Kind::kNames});
  put({"a", "b"});
  EXPECT_EQ(*names->serialize(), "");
  ASSERT_TRUE(read(*names).ok());
  EXPECT_EQ(*names->serialize(), "\x08\x01\x10\x01\x18\x01\"\x01\x61"s);
  Ref<Reader> other = make({.kind = Kind::kNames});
  ASSERT_TRUE(other->deserialize(*names->serialize()).ok());
  EXPECT_EQ(other->filesCompleted(), 1);
  EXPECT_EQ(other->recordsProduced(), 1);
  EXPECT_EQ(*read(*other), Texts{"b"});
  ASSERT_TRUE(other->deserialize(*names->serialize()).ok());
  EXPECT_EQ(*other->serialize(), *names->serialize());
  // More fields than there are, and more files finished than begun.
  ASSERT_TRUE(other->deserialize("\x10\x03\x18\x05\x28\x07"s).ok());
  EXPECT_EQ(*other->serialize(), "\x08\x03\x10\x03\x18\x05"s);
  const std::string minusOne = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01";
  for (const auto &[bad, what] : std::initializer_list<std::pair<std::string, std::string>>{
           {"\xff", "Could not parse state for reader 'r'"},
           {"\x22\x02x", "Could not parse state for reader 'r'"},
           {"\x08\x02\x10\x01",
            "Inconsistent work started vs. finished when restoring in reader 'r'"},
           {"\x08" + minusOne, "Unexpected negative value when restoring in reader 'r'"},
           {"\x10" + minusOne, "Unexpected negative value when restoring in reader 'r'"},
           {"\x18" + minusOne, "Unexpected negative value when restoring in reader 'r'"}}) {
    ASSERT_TRUE(other->deserialize(*names->serialize()).ok());
    Status status = other->deserialize(bad);
    EXPECT_EQ(status.code(), Code::kInvalidArgument);
    EXPECT_EQ(status.message(), what);
    EXPECT_EQ(*other->serialize(), "");
  }
  Ref<Reader> lines = make({.kind = Kind::kLines});
  EXPECT_EQ(lines->serialize().status().code(), Code::kUnimplemented);
  EXPECT_EQ(lines->deserialize("").code(), Code::kUnimplemented);
}

TEST_F(Readers, ContentsGoOnWhereTheyWere) {
  Ref<Reader> reader = make({.kind = Kind::kLines});
  put({"a", "b"});
  ASSERT_TRUE(read(*reader).ok());
  Ref<Reader> again = copied(*reader);
  EXPECT_EQ(*read(*again), Texts{"2"});
  EXPECT_EQ(again->recordsProduced(), 2);
  // With a file that was given and not begun.
  ASSERT_FALSE(read(*reader, 5)->empty());
  EXPECT_TRUE(reader->read(1, disk_)->empty());
  ASSERT_TRUE(reader->awaitFile(*queue_, Waiter().client()).ok());
  EXPECT_EQ(queue_->size(), 0);
  again = copied(*reader);
  EXPECT_EQ(*read(*again), Texts{"3"});
  EXPECT_EQ(again->title(), "reader 'r'");
  disk_.files["b"] = "";
  EXPECT_EQ(copied(*again)->read(1, disk_).status().code(), Code::kOutOfRange);
}

TEST_F(Readers, ContentsHaveTheWholeForm) {
  for (const RecordForm &form : {RecordForm{.kind = Kind::kFixed,
                                            .headerBytes = 1,
                                            .recordBytes = 2,
                                            .footerBytes = 3,
                                            .hopBytes = 4,
                                            .compression = Compression::kGzip},
                                 RecordForm{.kind = Kind::kLines, .skippedLines = 5}})
    EXPECT_TRUE(copied(*make(form))->check({"reader 'r'", form}).ok());
}

TEST_F(Readers, ContentsThatAreNone) {
  using Content = std::vector<NamedTensor>;
  Ref<Reader> reader = make({.kind = Kind::kFixed, .recordBytes = 1});
  const Content content = *reader->content();
  auto takes = [&](const char *name, const Tensor &value) {
    Content changed = content;
    for (NamedTensor &tensor : changed)
      if (tensor.first == name)
        tensor.second = value;
    return Reader::ofContent(changed).ok();
  };
  auto longs = [](std::vector<int64_t> values) {
    return Tensor::vector<int64_t>(std::span<const int64_t>(values));
  };
  EXPECT_TRUE(takes("form", longs({3, 0, 0, 1, 0, 0, 0})));
  for (const auto &form : std::vector<std::vector<int64_t>>{{3, 0, 0, 1, 0, 0},
                                                            {5, 0, 0, 1, 0, 0, 0},
                                                            {-1, 0, 0, 1, 0, 0, 0},
                                                            {3, 0, 0, 1, 0, 0, 3},
                                                            {3, 0, 0, 1, 0, 0, -1},
                                                            {3, 0, 0, 0, 0, 0, 0}})
    EXPECT_FALSE(takes("form", longs(form)));
  EXPECT_TRUE(takes("counts", longs({2, 1, 3})));
  for (const auto &counts :
       std::vector<std::vector<int64_t>>{{1, 2, 0}, {3, 1, 0}, {0, -1, 0}, {1, 1, -1}, {1, 1}})
    EXPECT_FALSE(takes("counts", longs(counts)));
  for (const auto &place : std::vector<std::vector<int64_t>>{{-1, 0}, {0, -1}, {0}})
    EXPECT_FALSE(takes("place", longs(place)));
  for (size_t i = 0; i < content.size(); ++i) {
    Content missing = content, other = content;
    missing.erase(missing.begin() + static_cast<ptrdiff_t>(i));
    EXPECT_FALSE(Reader::ofContent(missing).ok()) << content[i].first;
    other[i].second = Tensor::scalar(1.f);
    EXPECT_FALSE(Reader::ofContent(other).ok()) << content[i].first;
  }
  Content more = content;
  more.emplace_back("next", Tensor::scalar(1.f));
  EXPECT_FALSE(Reader::ofContent(more).ok());
  more.back().first = "more";
  EXPECT_FALSE(Reader::ofContent(more).ok());
}

} // namespace
} // namespace sluice::rt
