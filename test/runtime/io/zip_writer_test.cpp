// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the writer writes, the reader reads.
#include "runtime/io/zip.h"
#include "runtime/io/zip_writer.h"

#include <gtest/gtest.h>

namespace sluice::rt {
namespace {

TEST(ZipWriter, isReadBack) {
  const std::pair<std::string, std::string> members[] = {
      {"a.npy", "text"}, {"empty", ""}, {"d/\xc3\xa9.npy", std::string(100'000, '\0')}};
  ZipWriter writer;
  for (const auto &[name, content] : members)
    ASSERT_TRUE(writer.add(name, content).ok());
  std::string archive = std::move(writer).finish();
  auto directory = readZipDirectory(archive);
  ASSERT_TRUE(directory.ok()) << directory.status().toString();
  ASSERT_EQ(directory->size(), 3u);
  for (size_t i = 0; i < 3; ++i) {
    const ZipMember &member = (*directory)[i];
    EXPECT_EQ(member.name, members[i].first);
    std::string content(member.size, '?');
    ZipReader reader(member);
    EXPECT_TRUE(reader.read(content.data(), content.size()).ok());
    EXPECT_TRUE(reader.finish().ok());
    EXPECT_EQ(content, members[i].second);
  }
}

// Of one member: equal tensors give equal files, on every machine and at any time.
TEST(ZipWriter, writesNothingOfTimeOrPlace) {
  ZipWriter writer;
  ASSERT_TRUE(writer.add("n", "ab").ok());
  std::string archive = std::move(writer).finish();
  // Version, names in UTF-8, no compression, the time.
  const std::string common("\x14\0\0\x08\0\0\0\0\x21\0"
                           "\x6d\x48\x83\x9e"             // checksum
                           "\2\0\0\0\2\0\0\0\1\0\0\0", // sizes
                           26);
  EXPECT_EQ(archive, "PK\3\4" + common + "nab" + "PK\1\2" + std::string("\x14\0", 2) + common +
                         std::string(14, '\0') + "n" + "PK\5\6" + std::string(4, '\0') +
                         std::string("\1\0\1\0\x2f\0\0\0\x21\0\0\0\0\0", 14));
}

TEST(ZipWriter, anArchiveWithoutMembersIsOneAsWell) {
  auto directory = readZipDirectory(ZipWriter().finish());
  ASSERT_TRUE(directory.ok()) << directory.status().toString();
  EXPECT_TRUE(directory->empty());
}

TEST(ZipWriter, refusesWhatHasNoRoom) {
  ZipWriter writer;
  EXPECT_EQ(writer.add(std::string(70'000, 'n'), "").code(), Code::kUnimplemented);
  for (int i = 0; i < 0xfffe; ++i)
    ASSERT_TRUE(writer.add(std::to_string(i), "").ok());
  EXPECT_EQ(writer.add("one more", "").code(), Code::kUnimplemented);
}

} // namespace
} // namespace sluice::rt
