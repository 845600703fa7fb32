// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// .npz files: arrays of an archive, and archives that are damaged or lie.
#include "runtime/io/npz.h"

#include <gtest/gtest.h>

#include <zlib.h>

using namespace sluice::rt;

namespace {

std::string little(uint64_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i)
    out += static_cast<char>(value >> (8 * i));
  return out;
}

std::string deflated(const std::string &data) {
  z_stream z = {};
  deflateInit2(&z, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&z, data.size()), '\0');
  z.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(data.data()));
  z.avail_in = static_cast<uInt>(data.size());
  z.next_out = reinterpret_cast<Bytef *>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  deflate(&z, Z_FINISH);
  out.resize(z.total_out);
  deflateEnd(&z);
  return out;
}

// Builds an archive member by member.
class Archive {
public:
  void add(const std::string &name, const std::string &data, bool compress) {
    std::string stored = compress ? deflated(data) : data;
    auto crc =
        crc32(0, reinterpret_cast<const Bytef *>(data.data()), static_cast<uInt>(data.size()));
    std::string fields = little(20, 2) + little(0, 2) + little(compress ? 8 : 0, 2) + little(0, 4) +
                         little(crc, 4) + little(stored.size(), 4) + little(data.size(), 4) +
                         little(name.size(), 2) + little(0, 2);
    directory_ +=
        "PK\1\2" + little(20, 2) + fields + little(0, 10) + little(members_.size(), 4) + name;
    members_ += "PK\3\4" + fields + name + stored;
    ++count_;
  }
  std::string bytes() const {
    return members_ + directory_ + "PK\5\6" + little(0, 4) + little(count_, 2) + little(count_, 2) +
           little(directory_.size(), 4) + little(members_.size(), 4) + little(0, 2);
  }

private:
  std::string members_, directory_;
  uint64_t count_ = 0;
};

std::string npyOf(std::initializer_list<int32_t> values) {
  return *encodeNpy(Tensor::vector(std::span<const int32_t>(values.begin(), values.size())));
}

Result<Tensor> readArray(std::string_view archive, std::string_view key) {
  Result<NpzArray> array = NpzArray::open(archive, key);
  return array.ok() ? array->read() : array.status();
}

std::string errorOf(std::string_view archive, std::string_view key = "a") {
  Result<Tensor> tensor = readArray(archive, key);
  return tensor.ok() ? "" : tensor.status().message();
}

TEST(Npz, ReadsStoredAndDeflatedArrays) {
  Archive archive;
  archive.add("a.npy", npyOf({1, 2, 3}), false);
  archive.add("with space.npy", npyOf({4, 5}), true);
  Result<Tensor> a = readArray(archive.bytes(), "a"), b = readArray(archive.bytes(), "with space");
  ASSERT_TRUE(a.ok()) << a.status().toString();
  ASSERT_TRUE(b.ok()) << b.status().toString();
  EXPECT_EQ(a->data<int32_t>()[2], 3);
  EXPECT_EQ(b->data<int32_t>()[1], 5);
  EXPECT_EQ(b->shape(), Shape{2});
}

TEST(Npz, ListsTheArraysThatThereAre) {
  Archive archive;
  EXPECT_NE(errorOf(archive.bytes()).find("it has no arrays"), std::string::npos);
  archive.add("x.npy", npyOf({1}), false);
  archive.add("readme.txt", "text", false);
  EXPECT_EQ(errorOf(archive.bytes()), "no array 'a' in the npz file: its arrays are 'x'");
}

TEST(Npz, ListsTheFirstTenArrays) {
  Archive archive;
  std::string longName(150, 'n');
  archive.add(longName + ".npy", "no array", false);
  for (char c = 'b'; c < 'b' + 11; ++c)
    archive.add(std::string(1, c) + ".npy", npyOf({1}), false);
  EXPECT_EQ(errorOf(archive.bytes(), std::string(150, 'k')),
            "no array '" + std::string(100, 'k') + "'... in the npz file: its arrays are '" +
                longName.substr(0, 60) +
                "'..., 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j' and 2 more");
  EXPECT_TRUE(errorOf(archive.bytes(), longName)
                  .starts_with("array '" + longName.substr(0, 100) + "'...: expected an npy file"));
}

TEST(Npz, FortranOrderBecomesRowMajor) {
  std::string header = "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 2), }";
  Archive archive;
  archive.add("a.npy",
              "\x93NUMPY\1" + little(0, 1) + little(header.size(), 2) + header + "\1\2\3\4", true);
  Result<Tensor> tensor = readArray(archive.bytes(), "a");
  ASSERT_TRUE(tensor.ok()) << tensor.status().toString();
  EXPECT_EQ(tensor->data<uint8_t>()[1], 3);
}

TEST(Npz, RefusesMembersThatAreNoArrays) {
  for (const std::string &content :
       {std::string(), std::string("\x93NUMPY\1\0", 8), std::string("\x93NUMPY\1\0\0\0", 10),
        std::string("\x93NUMPY\1\0\0\0{}", 12), npyOf({1, 2}).substr(0, 40)}) {
    Archive archive;
    archive.add("a.npy", content, content.size() % 4 == 0);
    EXPECT_NE(errorOf(archive.bytes()), "") << content.size();
  }
}

TEST(Npz, RefusesEveryShortenedFile) {
  Archive archive;
  archive.add("a.npy", npyOf({1, 2, 3}), true);
  std::string bytes = archive.bytes();
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_NE(errorOf(std::string_view(bytes).substr(0, size)), "") << size;
}

// Fields that do not matter, such as the time, may change; values never do.
TEST(Npz, AFlippedBitNeverChangesValues) {
  for (bool compress : {false, true}) {
    Archive archive;
    archive.add("a.npy", npyOf({1, 2, 3}), compress);
    archive.add("b.npy", npyOf({4}), !compress);
    const std::string bytes = archive.bytes();
    Result<Tensor> original = readArray(bytes, "a");
    ASSERT_TRUE(original.ok());
    for (size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
      std::string changed = bytes;
      changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ 1 << bit % 8);
      Result<Tensor> tensor = readArray(changed, "a");
      if (!tensor.ok())
        continue;
      ASSERT_EQ(tensor->shape(), original->shape()) << bit;
      ASSERT_EQ(std::memcmp(tensor->raw(), original->raw(), original->bytes()), 0) << bit;
    }
  }
}

// An archive of two members as they are, changed at one place.
class ZipFaults : public testing::Test {
protected:
  ZipFaults() {
    archive_.add("a.npy", "first", false);
    archive_.add("b.npy", "second", false);
    good_ = archive_.bytes();
    local_ = good_.rfind("PK\3\4");
    begin_ = good_.find("PK\1\2");
    entry_ = good_.rfind("PK\1\2");
    end_ = good_.rfind("PK\5\6");
  }
  // With another number of so many bytes at each of the places.
  static Result<std::vector<ZipMember>>
  read(const std::string &good, std::initializer_list<size_t> places, uint64_t number, int bytes) {
    std::string bad = good;
    for (size_t place : places)
      bad.replace(place, static_cast<size_t>(bytes), little(number, bytes));
    return readZipDirectory(bad);
  }
  std::string at(size_t place, uint64_t number, int bytes = 2) const {
    return read(good_, {place}, number, bytes).status().message();
  }

  Archive archive_;
  std::string good_;
  size_t local_, begin_, entry_, end_;
};

TEST_F(ZipFaults, OfTheDirectoryAreSaid) {
  Result<std::vector<ZipMember>> members = readZipDirectory(good_);
  ASSERT_TRUE(members.ok());
  ASSERT_EQ(members->size(), 2u);
  EXPECT_EQ((*members)[1].name, "b.npy");
  EXPECT_EQ((*members)[1].stored, "second");
  std::string where = "zip member \"b.npy\": ";
  EXPECT_EQ(at(entry_ + 20, 5, 4), where + "expected equal sizes of a member that is not "
                                           "compressed but got 5 and 6");
  EXPECT_EQ(at(entry_ + 10, 9), where + "expected no compression or deflate but got method 9");
  for (uint64_t flag : {1, 1 << 6, 1 << 13})
    EXPECT_EQ(at(entry_ + 8, flag), where + "encrypted members are not supported");
  EXPECT_EQ(at(entry_ + 42, 1, 4), where + "expected its header at byte 1");
  EXPECT_EQ(at(entry_ + 42, begin_ - 29, 4),
            where + format("expected its header at byte %zu", begin_ - 29));
  EXPECT_EQ(at(entry_ + 28, 6),
            format("the entry at byte %zu goes beyond the zip directory", entry_));
  EXPECT_EQ(at(entry_ + 32, 1),
            format("the entry at byte %zu goes beyond the zip directory", entry_));
  EXPECT_EQ(at(entry_, 0), format("expected an entry of the zip directory at byte %zu", entry_));
  EXPECT_EQ(read(good_, {end_ + 8, end_ + 10}, 1, 2).status().message(),
            format("expected the zip directory to end at byte %zu but got %zu", end_, entry_));
  EXPECT_EQ(at(end_ + 8, 1), "zip archives of several disks are not supported");
  EXPECT_EQ(at(end_ + 6, 1), "zip archives of several disks are not supported");
  EXPECT_EQ(at(end_ + 12, end_ - begin_ + 1, 4),
            format("expected the zip directory to lie before its end record at byte %zu but got "
                   "bytes %zu to %zu",
                   end_, begin_, end_ + 1));
  EXPECT_EQ(at(end_ + 20, 3),
            format("expected the zip archive to end at byte %zu but got %zu bytes",
                   good_.size() + 3, good_.size()));
  for (size_t place : {entry_ + 20, entry_ + 24, entry_ + 42, end_ + 12, end_ + 16})
    EXPECT_NE(at(place, 0xffffffff, 4).find("zip64"), std::string::npos) << place;
  EXPECT_TRUE(readZipDirectory(good_.substr(0, end_ + 20) + little(4, 2) + "note").ok());
}

TEST_F(ZipFaults, OfHeadersAreSaid) {
  std::string differs = "zip member \"b.npy\": its header differs from the zip directory";
  for (size_t place : {6, 8, 14, 18, 22, 30})
    EXPECT_EQ(at(local_ + place, 4), differs) << place;
  for (size_t place : {18, 22}) // numpy says so where there is room for long ones
    EXPECT_EQ(at(local_ + place, 0xffffffff, 4), "");
  EXPECT_EQ(at(local_ + 28, 7), "zip member \"b.npy\": its data goes beyond the zip directory");
  // Sizes that follow the data may be missing in front of it.
  std::string following = good_;
  for (size_t place : {local_ + 6, entry_ + 8})
    following[place] = 8;
  for (size_t place : {14, 18, 22})
    EXPECT_TRUE(read(following, {local_ + place}, 0, 4).ok());
  EXPECT_EQ(read(following, {local_ + 8}, 8, 2).status().message(), differs);
}

} // namespace
