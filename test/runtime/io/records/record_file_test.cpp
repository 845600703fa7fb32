// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records of files in memory: keys, values, ends, places to go on from, and damage.
#include "runtime/io/records/record_file.h"

#include "runtime/base/cancellation.h"
#include "runtime/base/crc32c.h"
#include "runtime/base/held_memory.h"
#include "runtime/io/bundle/masked_checksum.h"
#include "runtime/io/memory_disk.h"
#include "test/runtime/io/records/compressed.h"

#include <gtest/gtest.h>

namespace sluice::rt {
namespace {

using Kind = RecordForm::Kind;
using Texts = std::vector<std::string>;

std::string bytesOf(uint64_t number, size_t size) {
  return {reinterpret_cast<const char *>(&number), size};
}
std::string checked(const std::string &value) {
  std::string length = bytesOf(value.size(), 8);
  return length + bytesOf(maskedChecksum(crc32c(length)), 4) + value +
         bytesOf(maskedChecksum(crc32c(value)), 4);
}

class RecordFiles : public testing::Test {
protected:
  // "key=value" of each.
  Texts all(const RecordForm &form, const std::string &content) {
    disk_.files["f"] = content;
    auto file = RecordFile::open(form, "f", disk_);
    EXPECT_TRUE(file.ok()) << file.status().toString();
    return file.ok() ? rest(**file) : Texts();
  }
  Texts rest(RecordFile &file) {
    Texts texts;
    Record record;
    for (;;) {
      Result<bool> isThere = file.next(record);
      last_ = isThere.status();
      if (!isThere.ok() || !*isThere)
        return texts;
      texts.push_back(record.key + "=" + record.value);
    }
  }

  MemoryDisk disk_;
  Status last_;
};

TEST_F(RecordFiles, NamesAndWholeFiles) {
  EXPECT_EQ(all({.kind = Kind::kNames}, "x"), Texts{"f=f"});
  EXPECT_EQ(all({.kind = Kind::kWhole}, "a\nb"), Texts{"f=a\nb"});
  EXPECT_EQ(all({.kind = Kind::kWhole}, ""), Texts{"f="});
  // A file that is not there shows when it is read, again and again.
  auto missing = RecordFile::open({.kind = Kind::kWhole}, "g", disk_);
  Record record;
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ((*missing)->next(record).status().code(), Code::kNotFound);
    EXPECT_FALSE((*missing)->hasEnded());
  }
  // Keys have the name as it was given.
  disk_.files["/w"] = "w";
  for (Kind kind : {Kind::kWhole, Kind::kLines}) {
    auto named = RecordFile::open({.kind = kind}, "file:///w", disk_);
    ASSERT_TRUE(named.ok());
    EXPECT_EQ(rest(**named), Texts{kind == Kind::kWhole ? "file:///w=w" : "file:///w:1=w"});
  }
  auto whole = RecordFile::open({.kind = Kind::kWhole}, "/w", disk_);
  EXPECT_TRUE(*(*whole)->next(record));
  EXPECT_TRUE((*whole)->hasEnded()); // that there is one is enough
  EXPECT_FALSE(*(*whole)->next(record));
  EXPECT_EQ(RecordFile::open({.kind = Kind::kLines}, "g", disk_).status().code(), Code::kNotFound);
  EXPECT_EQ(RecordFile::open({.kind = Kind::kLines}, "s3://g", disk_).status().code(),
            Code::kUnimplemented);
}

TEST_F(RecordFiles, Lines) {
  RecordForm form{.kind = Kind::kLines};
  EXPECT_EQ(all(form, "h\r\nl\r1\n\nlast"), (Texts{"f:1=h", "f:2=l\r1", "f:3=", "f:4=last"}));
  EXPECT_EQ(all(form, "a\r\r\nb\r"), (Texts{"f:1=a\r", "f:2=b"}));
  EXPECT_EQ(all(form, ""), Texts{});
  EXPECT_EQ(all(form, "\n"), Texts{"f:1="});
  form.skippedLines = 2;
  EXPECT_EQ(all(form, "a\nb\nc\n"), Texts{"f:3=c"});
  EXPECT_EQ(all(form, "\n\nc"), Texts{"f:3=c"});
  EXPECT_EQ(all(form, "a\nb"), Texts{});
  EXPECT_EQ(all(form, "a\n"), Texts{});
  std::string line(700'000, 'x'); // more than is read at once
  EXPECT_EQ(all({.kind = Kind::kLines}, line + "\n" + line), (Texts{"f:1=" + line, "f:2=" + line}));
}

TEST_F(RecordFiles, FixedLengths) {
  std::string content = "HHabcdefghFF";
  RecordForm form{.kind = Kind::kFixed, .headerBytes = 2, .recordBytes = 3, .footerBytes = 2};
  EXPECT_EQ(all(form, content), (Texts{"f:0=abc", "f:1=def"}));
  EXPECT_EQ(all({.kind = Kind::kFixed, .recordBytes = 3, .hopBytes = 2}, content),
            (Texts{"f:0=HHa", "f:1=abc", "f:2=cde", "f:3=efg", "f:4=ghF"}));
  EXPECT_EQ(all({.kind = Kind::kFixed, .recordBytes = 3, .hopBytes = 5}, content),
            (Texts{"f:0=HHa", "f:1=def"}));
  EXPECT_EQ(all({.kind = Kind::kFixed, .recordBytes = 3, .hopBytes = 100}, content),
            Texts{"f:0=HHa"});
  EXPECT_EQ(all(form, "HH"), Texts{});
  EXPECT_EQ(all(form, "HHabcFF"), Texts{"f:0=abc"}); // just so many
  EXPECT_EQ(all(form, "HHabcF"), Texts{});
  EXPECT_EQ(all({.kind = Kind::kFixed, .recordBytes = 3}, "abcdef"), (Texts{"f:0=abc", "f:1=def"}));
  for (Compression compression : {Compression::kZlib, Compression::kGzip}) {
    form.compression = compression;
    EXPECT_EQ(all(form, compressed(content, compression == Compression::kGzip)),
              (Texts{"f:0=abc", "f:1=def"}));
  }
  form.compression = Compression::kNone;
  disk_.files["f"] = "H";
  Status tooShort = RecordFile::open(form, "f", disk_).status();
  EXPECT_EQ(tooShort.code(), Code::kOutOfRange);
  EXPECT_EQ(tooShort.message(), "'f' is shorter than its header");
}

TEST_F(RecordFiles, CheckedRecords) {
  RecordForm form{.kind = Kind::kRecords};
  std::string content = checked("one") + checked("") + checked("three");
  Texts wanted = {"f:0=one", "f:19=", "f:35=three"};
  EXPECT_EQ(all(form, content), wanted);
  for (Compression compression : {Compression::kZlib, Compression::kGzip}) {
    form.compression = compression;
    EXPECT_EQ(all(form, compressed(content, compression == Compression::kGzip)), wanted);
  }
  form.compression = Compression::kGzip;
  EXPECT_EQ(all(form, content), Texts{});
  EXPECT_EQ(last_.code(), Code::kDataLoss);
  EXPECT_EQ(last_.message(), "'f': its bytes cannot be inflated: incorrect header check");
}

TEST_F(RecordFiles, DamagedRecords) {
  RecordForm form{.kind = Kind::kRecords};
  std::string content = checked("one") + checked("two");
  for (size_t size = 1; size < content.size(); ++size) {
    Texts got = all(form, content.substr(0, size));
    size_t whole = size / 19, left = size % 19;
    EXPECT_EQ(got.size(), whole);
    EXPECT_EQ(last_.code(), left < 12 ? Code::kOk : Code::kDataLoss) << size;
    EXPECT_EQ(last_.message(),
              left < 12 ? "" : "truncated record at " + std::to_string(whole * 19) + " of 'f'");
  }
  for (size_t i = 0; i < 19; ++i) {
    std::string damaged = content;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    EXPECT_EQ(all(form, damaged), Texts{});
    EXPECT_EQ(last_.code(), Code::kDataLoss) << i;
    EXPECT_EQ(last_.message(), "corrupted record at 0 of 'f'");
  }
  // The place and what comes next stay.
  std::string third = content + checked("three");
  third[third.size() - 5] ^= 1;
  disk_.files["f"] = third;
  auto file = RecordFile::open(form, "f", disk_);
  EXPECT_EQ(rest(**file).size(), 2u);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(last_.message(), "corrupted record at 38 of 'f'");
    EXPECT_EQ((*file)->place().offset, 38u);
    EXPECT_EQ((*file)->place().number, 2);
    EXPECT_FALSE((*file)->hasEnded());
    EXPECT_EQ(rest(**file), Texts{});
  }
  // A length that is right by its checksum, and no file has so many bytes.
  std::string length = bytesOf(UINT64_MAX - 8, 8);
  EXPECT_EQ(all(form, length + bytesOf(maskedChecksum(crc32c(length)), 4)), Texts{});
  EXPECT_EQ(last_.message(), "truncated record at 0 of 'f'");
}

TEST_F(RecordFiles, GoOnFromAPlace) {
  const std::pair<RecordForm, std::string> files[] = {
      {{.kind = Kind::kLines, .skippedLines = 1}, "a\nbb\r\n\nccc"},
      {{.kind = Kind::kLines}, "a\nbb\n"},
      {{.kind = Kind::kFixed, .headerBytes = 2, .recordBytes = 3, .footerBytes = 1},
       "HHabcdefghiF"},
      {{.kind = Kind::kFixed, .headerBytes = 1, .recordBytes = 3, .hopBytes = 2}, "Habcdefgh"},
      {{.kind = Kind::kFixed, .recordBytes = 2, .hopBytes = 5}, "abcdefghijkl"},
      {{.kind = Kind::kRecords}, checked("one") + checked("") + checked("three")}};
  for (auto [form, content] : files)
    for (Compression compression : {Compression::kNone, Compression::kZlib, Compression::kGzip}) {
      form.compression = compression;
      std::string bytes = compression == Compression::kNone
                              ? content
                              : compressed(content, compression == Compression::kGzip);
      const Texts wanted = all(form, bytes);
      ASSERT_GE(wanted.size(), 2u);
      auto file = RecordFile::open(form, "f", disk_);
      for (size_t read = 0;; ++read) {
        auto again = RecordFile::openAt(form, "f", (*file)->place(), disk_);
        ASSERT_TRUE(again.ok()) << again.status().toString();
        EXPECT_EQ((*again)->place().number, (*file)->place().number);
        EXPECT_EQ(rest(**again),
                  Texts(wanted.begin() + static_cast<ptrdiff_t>(read), wanted.end()));
        EXPECT_FALSE((*file)->hasEnded());
        Record record;
        if (!*(*file)->next(record))
          break;
      }
      EXPECT_TRUE((*file)->hasEnded());
      EXPECT_TRUE(RecordFile::openAt(form, "f", {content.size(), 9}, disk_).ok());
      Status beyond = RecordFile::openAt(form, "f", {content.size() + 1, 9}, disk_).status();
      EXPECT_EQ(beyond.code(), Code::kOutOfRange);
      EXPECT_EQ(beyond.message(), "'f' has become shorter than it was");
    }
}

// The end of what is read at once may be before, within and behind all that delimits records.
TEST_F(RecordFiles, RecordsAcrossBlocks) {
  constexpr size_t kAtOnce = size_t{1} << 18;
  RecordForm fixed{.kind = Kind::kFixed, .headerBytes = 1};
  for (size_t size = kAtOnce - 18; size <= kAtOnce + 1; ++size) {
    const std::string value(size, 'x');
    const std::string &next = std::to_string(size + 16);
    EXPECT_TRUE(all({.kind = Kind::kLines}, value + "\r\nb\n") == (Texts{"f:1=" + value, "f:2=b"}))
        << size;
    EXPECT_TRUE(all({.kind = Kind::kRecords}, checked(value) + checked("b")) ==
                (Texts{"f:0=" + value, "f:" + next + "=b"}))
        << size;
    fixed.recordBytes = static_cast<int64_t>(size);
    // A hop over more than a block, from the middle of one.
    RecordForm far{.kind = Kind::kFixed, .recordBytes = 3, .hopBytes = fixed.recordBytes + 20};
    EXPECT_EQ(all(far, "abc" + value + std::string(17, '_') + "defghi"),
              (Texts{"f:0=abc", "f:1=def"}));
    EXPECT_TRUE(all(fixed, "H" + value + value) == (Texts{"f:0=" + value, "f:1=" + value})) << size;
  }
}

TEST_F(RecordFiles, EndWithTheCallAndWithoutMemory) {
  disk_.files["f"] = "a\n";
  auto file = RecordFile::open({.kind = Kind::kLines}, "f", disk_);
  Record record;
  {
    Cancellation call;
    call.request();
    CancellationScope scope(call);
    EXPECT_EQ((*file)->next(record).status().code(), Code::kCancelled);
  }
  limitHeldMemory(1);
  Status status = (*file)->next(record).status();
  limitHeldMemory(0);
  EXPECT_EQ(status.code(), Code::kResourceExhausted);
  EXPECT_EQ(status.message(), "not enough memory for a record of 'f'");
  EXPECT_EQ(rest(**file), Texts{"f:1=a"});
}

} // namespace
} // namespace sluice::rt
