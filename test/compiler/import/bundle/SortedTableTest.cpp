// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The index of a checkpoint: what is read, and which damage is found where.
#include "test/compiler/import/bundle/BundleWriter.h"

#include <gtest/gtest.h>

namespace sluice::import {
namespace {

std::string problemOf(const std::string &bytes, const Limits &limits = {}) {
  auto table = readSortedTable(bytes, limits);
  auto *problem = std::get_if<std::string>(&table);
  return problem ? *problem : "";
}

void expectProblem(const std::string &bytes, const std::string &part, const Limits &limits = {}) {
  std::string problem = problemOf(bytes, limits);
  EXPECT_NE(problem.find(part), std::string::npos) << "'" << problem << "' lacks '" << part << "'";
}

std::string smallTable() {
  TableWriter table;
  table.add("", "header");
  table.add("layer/bias", "b");
  table.add("layer/kernel", std::string("k\0k", 3));
  return table.finish();
}

TEST(SortedTable, KeysThatShareTheirBeginnings) {
  for (size_t inBlock : {1u, 2u, 1000u})
    for (size_t toRestart : {1u, 2u, 16u}) {
      TableWriter table;
      table.entriesInBlock = inBlock;
      table.entriesToRestart = toRestart;
      std::vector<std::pair<std::string, std::string>> wanted{{"", "header"}};
      for (int i = 100; i < 140; ++i)
        wanted.emplace_back("layer/" + std::to_string(i) + std::string(i % 7, 'x'),
                            std::string(static_cast<size_t>(i) * 3, static_cast<char>(i)));
      for (const auto &[key, value] : wanted)
        table.add(key, value);
      std::string bytes = table.finish();
      auto read = readSortedTable(bytes, {});
      ASSERT_TRUE(std::holds_alternative<SortedTable>(read)) << std::get<std::string>(read);
      const auto &entries = std::get<SortedTable>(read);
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
  TableWriter twice;
  twice.add("a", "1");
  twice.add("a", "2");
  expectProblem(twice.finish(), "the key 'a' is there twice");
  TableWriter down;
  down.add("b", "1");
  down.add("a", "2");
  expectProblem(down.finish(), "the keys are not in order: 'a' comes after 'b'");
  TableWriter across;
  across.entriesInBlock = 1;
  across.add("b", "1");
  across.add("a", "2");
  expectProblem(across.finish(), "not in order");
  TableWriter wrongIndex;
  wrongIndex.indexIsGood = false;
  wrongIndex.add("a", "1");
  expectProblem(wrongIndex.finish(), "beyond the last one that the index block says");
}

TEST(SortedTable, HandlesThatLeadElsewhere) {
  TableWriter beyond;
  beyond.add("a", "1");
  beyond.endBlock();
  beyond.addHandle(100, uint64_t{4} << 30);
  expectProblem(beyond.finish(), "block of 4294967296 bytes goes beyond the end of the file");
  TableWriter overflow;
  overflow.add("a", "1");
  overflow.endBlock();
  overflow.addHandle(UINT64_MAX - 2, UINT64_MAX);
  expectProblem(overflow.finish(), "goes beyond the end of the file");
  TableWriter again;
  again.add("a", "1");
  again.endBlock();
  again.addHandle(0, 4);
  expectProblem(again.finish(), "expected blocks one behind the other");
}

TEST(SortedTable, EntriesThatLie) {
  TableWriter shares;
  shares.addEntry(5, "a", "1");
  expectProblem(shares.finish(), "byte 0: an entry shares more of the key before it than that has");
  TableWriter huge;
  std::string content;
  for (uint64_t number : {uint64_t{0}, uint64_t{0xffffffff}, uint64_t{1}})
    addVarint(content, number);
  EXPECT_EQ(content.size(), 7u);
  std::string handle = huge.writeBlock(content, {0});
  huge.addHandle(0, content.size() + 8);
  expectProblem(huge.finish(), "byte 0: an entry goes beyond the end of its block");
  TableWriter wide; // numbers of more than 32 bits
  content.clear();
  for (uint64_t number : {uint64_t{0}, uint64_t{1} << 40, uint64_t{0}})
    addVarint(content, number);
  wide.writeBlock(content, {0});
  wide.addHandle(0, content.size() + 8);
  expectProblem(wide.finish(), "an entry goes beyond the end of its block");
}

TEST(SortedTable, RestartsThatLie) {
  auto withRestarts = [](const std::vector<uint32_t> &restarts, char compression = 0) {
    TableWriter table;
    std::string content;
    for (uint64_t number : {0, 1, 1})
      addVarint(content, number);
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
  auto limited = [](const char *text) {
    Limits limits;
    EXPECT_FALSE(limits.set(text));
    return limits;
  };
  expectProblem(smallTable(), "expected at most 2 entries but got 3",
                limited("checkpoint-entries=2"));
  TableWriter sharing;
  sharing.add("layer/bias", "");
  sharing.add("layer/kernel", "");
  expectProblem(sharing.finish(), "expected at most 5 bytes of shared beginnings of names but got 6",
                limited("grown-bytes=5"));
  TableWriter table;
  table.add(std::string(5000, 'n'), "");
  EXPECT_EQ(problemOf(table.finish()), "");
  expectProblem(table.finish(), "expected at most 4 bytes in a name but got 5000",
                limited("name-bytes=4"));
}

} // namespace
} // namespace sluice::import
