// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records of files in memory: keys, values, ends, places to go on from, and damage.
#include "runtime/io/records/record_file.h"

#include "runtime/base/crc32c.h"
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
  disk_.files["f"] = "H";
  EXPECT_EQ(RecordFile::open(form, "f", disk_).status().code(), Code::kOutOfRange);
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
}

TEST_F(RecordFiles, DamagedRecords) {
  RecordForm form{.kind = Kind::kRecords};
  std::string content = checked("one") + checked("two");
  for (size_t size = 1; size < content.size(); ++size) {
    Texts got = all(form, content.substr(0, size));
    size_t whole = size / 19, left = size % 19;
    EXPECT_EQ(got.size(), whole);
    EXPECT_EQ(last_.code(), left < 12 ? Code::kOk : Code::kDataLoss) << size;
  }
  for (size_t i = 0; i < 19; ++i) {
    std::string damaged = content;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    EXPECT_EQ(all(form, damaged), Texts{});
    EXPECT_EQ(last_.code(), Code::kDataLoss) << i;
    EXPECT_EQ(last_.message(), "corrupted record at 0 of 'f'");
  }
  // A length that is right by its checksum, and no file has so many bytes.
  std::string length = bytesOf(UINT64_MAX - 8, 8);
  EXPECT_EQ(all(form, length + bytesOf(maskedChecksum(crc32c(length)), 4)), Texts{});
  EXPECT_EQ(last_.message(), "truncated record at 0 of 'f'");
}

TEST_F(RecordFiles, GoOnFromAPlace) {
  std::string lines = "a\nbb\nccc\n";
  for (Compression compression : {Compression::kNone, Compression::kZlib}) {
    RecordForm form{.kind = Kind::kLines, .compression = compression};
    disk_.files["f"] = compression == Compression::kNone ? lines : compressed(lines, false);
    auto file = RecordFile::open(form, "f", disk_);
    Record record;
    ASSERT_TRUE(*(*file)->next(record));
    auto again = RecordFile::openAt(form, "f", (*file)->place(), disk_);
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(rest(**again), (Texts{"f:2=bb", "f:3=ccc"}));
    EXPECT_EQ(RecordFile::openAt(form, "f", {100, 1}, disk_).status().code(), Code::kOutOfRange);
  }
}

} // namespace
} // namespace sluice::rt
