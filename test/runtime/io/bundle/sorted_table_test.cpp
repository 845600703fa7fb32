// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The index of a checkpoint: what is read, and which damage is found where.
#include "runtime/io/bundle/sorted_table.h"
#include "runtime/io/bundle/sorted_table_writer.h"
#include "test/runtime/io/bundle/checkpoint_by_hand.h"

#include <gtest/gtest.h>

namespace sluice::rt {
namespace {

using by_hand::TableByHand;

std::string problemOf(const std::string &bytes,
                      const CheckpointLimits &limits = CheckpointLimits::of()) {
  return readSortedTable(bytes, limits).status().message();
}

void expectProblem(const std::string &bytes, const std::string &part,
                   const CheckpointLimits &limits = CheckpointLimits::of()) {
  std::string problem = problemOf(bytes, limits);
  EXPECT_NE(problem.find(part), std::string::npos) << "'" << problem << "' lacks '" << part << "'";
}

std::string smallTable() {
  TableByHand table;
  table.add("", "header");
  table.add("layer/bias", "b");
  table.add("layer/kernel", std::string("k\0k", 3));
  return table.finish();
}

TEST(SortedTable, KeysThatShareTheirBeginnings) {
  for (size_t inBlock : {1u, 2u, 1000u})
    for (size_t toRestart : {1u, 2u, 16u}) {
      TableByHand table;
      table.entriesInBlock = inBlock;
      table.entriesToRestart = toRestart;
      std::vector<std::pair<std::string, std::string>> wanted{{"", "header"}};
      for (int i = 100; i < 140; ++i)
        wanted.emplace_back("layer/" + std::to_string(i) + std::string(i % 7, 'x'),
                            std::string(static_cast<size_t>(i) * 3, static_cast<char>(i)));
      for (const auto &[key, value] : wanted)
        table.add(key, value);
      std::string bytes = table.finish();
      auto read = readSortedTable(bytes, CheckpointLimits::of());
      ASSERT_TRUE(read.ok()) << read.status().toString();
      const SortedTable &entries = *read;
      ASSERT_EQ(entries.size(), wanted.size());
      for (size_t i = 0; i < wanted.size(); ++i) {
        EXPECT_EQ(entries[i].key, wanted[i].first);
        EXPECT_EQ(entries[i].value, wanted[i].second);
      }
    }
}

// A block without entries that lies before the index block.
bool isInMetaIndex(const std::string &table, size_t at) {
  size_t footer = table.size() - 48;
  auto start = static_cast<size_t>(table[footer]), size = static_cast<size_t>(table[footer + 1]);
  return at >= start && at < start + size + 5;
}

TEST(SortedTable, EveryFlippedBitIsFound) {
  std::string good = smallTable();
  ASSERT_EQ(problemOf(good), "");
  const size_t footer = good.size() - 48;
  for (size_t i = 0; i < good.size(); ++i)
    for (int bit = 0; bit < 8; ++bit) {
      std::string bad = good;
      bad[i] = static_cast<char>(bad[i] ^ (1 << bit));
      // In the footer nobody reads where the other block is, nor what fills the place; and a number
      // with a zero behind it says the same.
      bool ofIndex = i == footer + 2 || i == footer + 3;
      bool matters = i < footer || i >= good.size() - 8 || (ofIndex && bit < 7);
      if (matters && !isInMetaIndex(good, i))
        EXPECT_NE(problemOf(bad), "") << "byte " << i << " bit " << bit;
    }
}

TEST(SortedTable, EveryCutIsFound) {
  std::string good = smallTable();
  for (size_t size = 0; size < good.size(); ++size)
    EXPECT_NE(problemOf(good.substr(0, size)), "") << size;
  expectProblem("", "byte 0: expected a footer of 48 bytes but the file has 0");
  expectProblem(good.substr(1), "goes beyond the end of the file");
  expectProblem(std::string(100, 'x'), "byte 92: the file is no index of a checkpoint");
}

TEST(SortedTable, OrderOfKeys) {
  TableByHand twice;
  twice.add("a", "1");
  twice.add("a", "2");
  expectProblem(twice.finish(), "the key 'a' is there twice");
  TableByHand down;
  down.add("b", "1");
  down.add("a", "2");
  expectProblem(down.finish(), "the keys are not in order: 'a' comes after 'b'");
  TableByHand across;
  across.entriesInBlock = 1;
  across.add("b", "1");
  across.add("a", "2");
  expectProblem(across.finish(), "not in order");
  TableByHand wrongIndex;
  wrongIndex.indexIsGood = false;
  wrongIndex.add("a", "1");
  expectProblem(wrongIndex.finish(), "beyond the last one that the index block says");
}

TEST(SortedTable, HandlesThatLeadElsewhere) {
  TableByHand beyond;
  beyond.add("a", "1");
  beyond.endBlock();
  beyond.addHandle(100, uint64_t{4} << 30);
  expectProblem(beyond.finish(), "block of 4294967296 bytes goes beyond the end of the file");
  TableByHand overflow;
  overflow.add("a", "1");
  overflow.endBlock();
  overflow.addHandle(UINT64_MAX - 2, UINT64_MAX);
  expectProblem(overflow.finish(), "goes beyond the end of the file");
  TableByHand again;
  again.add("a", "1");
  again.endBlock();
  again.addHandle(0, 4);
  expectProblem(again.finish(), "expected blocks one behind the other");
}

TEST(SortedTable, EntriesThatLie) {
  TableByHand shares;
  shares.addEntry(5, "a", "1");
  expectProblem(shares.finish(), "byte 0: an entry shares more of the key before it than that has");
  TableByHand huge;
  std::string content;
  for (uint64_t number : {uint64_t{0}, uint64_t{0xffffffff}, uint64_t{1}})
    appendVarint(content, number);
  EXPECT_EQ(content.size(), 7u);
  std::string handle = huge.writeBlock(content, {0});
  huge.addHandle(0, content.size() + 8);
  expectProblem(huge.finish(), "byte 0: an entry goes beyond the end of its block");
  TableByHand wide; // numbers of more than 32 bits
  content.clear();
  for (uint64_t number : {uint64_t{0}, uint64_t{1} << 40, uint64_t{0}})
    appendVarint(content, number);
  wide.writeBlock(content, {0});
  wide.addHandle(0, content.size() + 8);
  expectProblem(wide.finish(), "an entry goes beyond the end of its block");
}

TEST(SortedTable, RestartsThatLie) {
  auto withRestarts = [](const std::vector<uint32_t> &restarts, char compression = 0) {
    TableByHand table;
    std::string content;
    for (uint64_t number : {0, 1, 1})
      appendVarint(content, number);
    content += "ab";
    table.writeBlock(content, restarts, compression);
    table.addHandle(0, content.size() + 4 * restarts.size() + 4);
    return table.finish();
  };
  expectProblem(withRestarts({}), "block says to have 0 restarts");
  expectProblem(withRestarts({0, 3}), "a restart is behind the last entry");
  expectProblem(withRestarts({0, 5}), "a restart is behind the last entry");
  expectProblem(withRestarts({0, 0}), "a restart is");
  expectProblem(withRestarts({0}, 1), "block is compressed (snappy)");
  expectProblem(withRestarts({0}, 7), "block is compressed");
}

TEST(SortedTable, Limits) {
  auto limited = [](uint64_t CheckpointLimits::Row::*most,
                    CheckpointLimits::Row CheckpointLimits::*row, uint64_t value) {
    CheckpointLimits limits = CheckpointLimits::of();
    limits.*row.*most = value;
    return limits;
  };
  auto most = &CheckpointLimits::Row::most;
  expectProblem(smallTable(), "expected at most 2 entries but got 3; see --limit",
                limited(most, &CheckpointLimits::entries, 2));
  TableByHand sharing;
  sharing.add("layer/bias", "");
  sharing.add("layer/kernel", "");
  expectProblem(sharing.finish(),
                "expected at most 5 bytes of shared beginnings of names but got 6",
                limited(most, &CheckpointLimits::grownBytes, 5));
  TableByHand table;
  table.add(std::string(5000, 'n'), "");
  EXPECT_EQ(problemOf(table.finish()), "");
  expectProblem(table.finish(), "expected at most 4 bytes in a name but got 5000",
                limited(most, &CheckpointLimits::nameBytes, 4));
  Status status =
      readSortedTable(table.finish(), limited(most, &CheckpointLimits::nameBytes, 4)).status();
  EXPECT_EQ(status.code(), Code::kResourceExhausted);
  EXPECT_EQ(readSortedTable("", CheckpointLimits::of()).status().code(), Code::kDataLoss);
}

// ---- Written tables

std::string written(const std::vector<std::pair<std::string, std::string>> &entries) {
  std::string bytes;
  SortedTableWriter table([&](std::string_view part) {
    bytes += part;
    return okStatus();
  });
  for (const auto &[key, value] : entries)
    EXPECT_TRUE(table.add(key, value).ok());
  EXPECT_TRUE(table.finish().ok());
  return bytes;
}

TEST(SortedTableWriter, WhatIsWrittenIsRead) {
  for (size_t count : {0u, 1u, 15u, 16u, 17u, 5000u}) {
    std::vector<std::pair<std::string, std::string>> wanted;
    for (size_t i = 0; i < count; ++i)
      wanted.emplace_back(format("layer/%05zu/", i) + std::string(i % 5, 'k'),
                          std::string(i * 7 % 300, static_cast<char>(i)));
    std::string bytes = written(wanted);
    auto read = readSortedTable(bytes, CheckpointLimits::of());
    ASSERT_TRUE(read.ok()) << read.status().toString();
    ASSERT_EQ(read->size(), count);
    for (size_t i = 0; i < count; ++i) {
      EXPECT_EQ((*read)[i].key, wanted[i].first);
      EXPECT_EQ((*read)[i].value, wanted[i].second);
    }
    if (count == 5000)
      EXPECT_GT(bytes.size(), size_t{2} << 18); // several blocks
  }
}

TEST(SortedTableWriter, NeighboursShareTheirBeginnings) {
  std::string name(1000, 'n');
  std::string bytes = written({{name + "1", ""}, {name + "2", ""}});
  EXPECT_LT(bytes.size(), 2 * name.size() + 200); // it is in the block and in the block of blocks
}

TEST(SortedTableWriter, FailsWhereItsSinkDoes) {
  for (int good = 0; good < 6; ++good) {
    int calls = 0;
    SortedTableWriter table([&](std::string_view) {
      return calls++ < good ? okStatus() : Status(Code::kUnavailable, "full");
    });
    EXPECT_TRUE(table.add("a", "1").ok());
    EXPECT_EQ(table.finish().code(), Code::kUnavailable) << good;
  }
}

} // namespace
} // namespace sluice::rt
