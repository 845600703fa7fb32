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

} // namespace
