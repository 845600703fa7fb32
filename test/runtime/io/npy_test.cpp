// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// .npy files: round trips, what numpy writes, hostile headers.
#include "runtime/io/npy.h"

#include <gtest/gtest.h>

using namespace sluice::rt;

namespace {

std::string file(std::string_view dict, std::string_view data, int version = 1) {
  std::string out = "\x93NUMPY";
  out += static_cast<char>(version);
  out += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i)
    out += static_cast<char>(dict.size() >> (8 * i));
  return out.append(dict).append(data);
}

std::string errorOf(std::string_view bytes) {
  Result<Tensor> tensor = decodeNpy(bytes);
  return tensor.ok() ? "" : tensor.status().message();
}

constexpr std::string_view kEight("\0\0\x80?\0\0\0@", 8); // 1.0f, 2.0f

TEST(Npy, ReadsEveryVersion) {
  for (int version = 1; version <= 3; ++version) {
    Result<Tensor> t = decodeNpy(
        file("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }  \n", kEight, version));
    ASSERT_TRUE(t.ok()) << t.status().toString();
    EXPECT_EQ(t->shape(), Shape{2});
    EXPECT_EQ(t->data<float>()[1], 2);
  }
}

TEST(Npy, RoundTripsEveryNumericDtype) {
  for (int d = 0; d < static_cast<int>(DType::kString); ++d) {
    auto dtype = static_cast<DType>(d);
    if (dtype == DType::kBF16)
      continue;
    for (const Shape &shape : {Shape{}, Shape{3}, Shape{2, 3}, Shape{0, 4}}) {
      Result<Tensor> t = Tensor::allocate(dtype, shape);
      for (size_t i = 0; i < t->bytes(); ++i)
        t->data<unsigned char>()[i] = static_cast<unsigned char>(dtype == DType::kBool ? i % 2 : i);
      Result<std::string> bytes = encodeNpy(*t);
      ASSERT_TRUE(bytes.ok());
      EXPECT_EQ((bytes->size() - t->bytes()) % 64, 0u);
      Result<Tensor> back = decodeNpy(*bytes);
      ASSERT_TRUE(back.ok()) << back.status().toString();
      EXPECT_EQ(back->dtype(), dtype);
      EXPECT_EQ(back->shape(), shape);
      EXPECT_EQ(std::memcmp(back->raw(), t->raw(), t->bytes()), 0);
    }
  }
}

// Dicts of all lengths, also of more than 255 bytes: the data starts at the next multiple of 64.
TEST(Npy, TheHeaderIsAsLongAsItHasToBe) {
  for (int rank = 0; rank < 100; ++rank) {
    Shape shape = Shape::unknownDims(rank);
    for (int i = 0; i < rank; ++i)
      shape.setDim(i, 1);
    Tensor one = Tensor::scalar<int8_t>(7).reshaped(shape);
    std::string bytes = *encodeNpy(one);
    size_t dataAt = bytes.size() - 1, dictEnd = bytes.find('}');
    EXPECT_EQ(dataAt % 64, 0u) << rank;
    EXPECT_EQ(bytes[dataAt - 1], '\n') << rank;
    EXPECT_EQ(bytes.find_first_not_of(' ', dictEnd + 1), dataAt - 1) << rank;
    EXPECT_LT(dataAt - 2 - dictEnd, 64u) << rank;
    Result<Tensor> back = decodeNpy(bytes);
    ASSERT_TRUE(back.ok()) << back.status().toString();
    EXPECT_EQ(back->shape(), shape);
  }
}

TEST(Npy, ReadsWhatPythonTakesForTheSame) {
  for (const char *dict : {"{\"descr\": \"<f4\", \"fortran_order\": False, \"shape\": (2,)}",
                           "\n{ 'shape' :(2 , ) ,'descr':'<f4','fortran_order':False}\n\n",
                           "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 1)}"})
    EXPECT_EQ(errorOf(file(dict, kEight)), "") << dict;
}

TEST(Npy, HeadersHaveALimit) {
  std::string dict = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}";
  dict.resize(65536, ' ');
  EXPECT_EQ(errorOf(file(dict, kEight, 2)), "");
  EXPECT_EQ(errorOf(file(dict + ' ', kEight, 2)),
            "expected an npy header of at most 65536 bytes but got 65537");
}

TEST(Npy, MessagesQuoteTheBeginningOfLongNames) {
  std::string name(70, 'x');
  EXPECT_EQ(errorOf(file("{'" + name + "': 1}", kEight)),
            "expected the keys 'descr', 'fortran_order' and 'shape' in the npy header but got \"" +
                name.substr(0, 40) + "\"...");
  EXPECT_EQ(errorOf(file("{'descr': '" + name + "'}", kEight)),
            "expected a little-endian bool, integer, float or complex npy dtype but got \"" +
                name.substr(0, 40) + "\"...");
  EXPECT_EQ(errorOf(file(name, kEight)), "expected '{' at byte 0 of the npy dict but got \"" +
                                             name.substr(0, 20) + "\"...");
}

TEST(Npy, FortranOrderBecomesRowMajor) {
  std::string data;
  for (int16_t i = 0; i < 12; ++i)
    data.append(reinterpret_cast<const char *>(&i), 2);
  Result<Tensor> t = decodeNpy(file("{'descr':'<i2','fortran_order':True,'shape':(2,3,2)}", data));
  ASSERT_TRUE(t.ok()) << t.status().toString();
  const int16_t want[] = {0, 6, 2, 8, 4, 10, 1, 7, 3, 9, 5, 11};
  for (int i = 0; i < 12; ++i)
    EXPECT_EQ(t->data<int16_t>()[i], want[i]) << i;
  EXPECT_EQ(errorOf(file("{'descr':'<i2','fortran_order':True,'shape':(0,3)}", "")), "");
}

TEST(Npy, RefusesWhatNumpyLacks) {
  EXPECT_FALSE(encodeNpy(Tensor::string("a")).ok());
  EXPECT_FALSE(encodeNpy(Tensor::scalar(BFloat16(1.0f))).ok());
}

struct BadFile {
  std::string bytes;
  const char *message;
};

const BadFile kHostileFiles[] = {
    {"", "expected an npy file"},
    {"\x93NUMP", "expected an npy file"},
    {"PK\3\4aaaaaaaaaaaaaaaa", "expected an npy file"},
    {std::string("\x93NUMPY\x9\0\x10\0", 10), "version 1.0, 2.0 or 3.0 but got 9.0"},
    {std::string("\x93NUMPY\4\0\x10\0", 10), "but got 4.0"},
    {std::string("\x93NUMPY\0\0\x10\0", 10), "but got 0.0"},
    {std::string("\x93NUMPY\1\1\x10\0", 10), "but got 1.1"},
    {std::string("\x93NUMPY\2\0\x10\0", 10), "ends within its header"},
    {std::string("\x93NUMPY\1\0\xff\xff", 10), "header of 65535 bytes goes beyond the end"},
    {std::string("\x93NUMPY\2\0\xff\xff\xff\xff", 12), "at most 65536 bytes but got 4294967295"},
    {file("", ""), "expected '{' at byte 0 of the npy dict but got its end"},
    {file("__import__('os').system('id')", ""), "expected '{' at byte 0"},
    {file("{'descr': __import__('os')}", ""), "expected a dtype in quotes at byte 10"},
    {file("{'descr': '<f4', 'fortran_order': False, 'shape': (1+1,)}", kEight),
     "expected ',' or ')'"},
    {file("{'descr': '<f4', 'fortran_order': False}", kEight), "has no key 'shape'"},
    {file("{}", kEight), "has no key 'descr'"},
    {file("{'descr': '<f4', 'shape': (2,), 'fortran_order': 0}", kEight), "expected True or False"},
    {file("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", kEight),
     "key 'descr' twice"},
    {file("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'x': 1}", kEight),
     "but got \"x\""},
    {file("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}", kEight),
     "expected a dim from 0"},
    {file("{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, "
          "4611686018427387904)}",
          kEight),
     "overflows 64 bits"},
    {file("{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904,)}", kEight),
     "byte size of shape [4611686018427387904] overflows"},
    {file("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}", kEight),
     "expected a dim from 0"},
    {file("{'descr': '<f4', 'fortran_order': False, 'shape': (2)}", kEight),
     "expected a tuple like (3,)"},
    {file("{'descr': '<f4', 'fortran_order': False, 'shape': [2]}", kEight),
     "expected '(' of the shape"},
    {file("{'descr': '<f4', 'fortran_order': False, 'shape': (,)}", kEight),
     "expected a dim from 0"},
    {file("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} x", kEight),
     "expected the end of the header"},
    {file("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)", kEight), "expected ',' or '}'"},
    {file("{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", kEight), "Python objects"},
    {file("{'descr': '>f4', 'fortran_order': False, 'shape': (2,)}", kEight), "big-endian"},
    {file("{'descr': '<f16', 'fortran_order': False, 'shape': (1,)}", kEight), "\"<f16\""},
    {file("{'descr': '|S3', 'fortran_order': False, 'shape': (1,)}", kEight), "strings"},
    {file("{'de\\scr': '<f4'}", kEight), "expected a key in quotes at byte 9"},
    {file("{'descr", kEight), "expected a key in quotes at byte 1"},
    {file("{'descr' '<f4'}", kEight), "expected ':' at byte 9"},
    {file("{'descr': '<U2', 'fortran_order': False, 'shape': (1,)}", kEight), "strings"},
    {file("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", kEight), "records"},
    {file("{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}", kEight),
     "expected 12 bytes of data for f32[3] but got 8"},
    {file("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", kEight),
     "expected 4 bytes of data for f32[1] but got 8"},
    {file("{'descr': '|b1', 'fortran_order': False, 'shape': (2,)}", "\1\2"),
     "expected 0 or 1 as bool but got 2 at element 1"},
};

TEST(Npy, RefusesHostileFiles) {
  for (const BadFile &c : kHostileFiles)
    EXPECT_NE(errorOf(c.bytes).find(c.message), std::string::npos)
        << "expected: " << c.message << "\ngot: " << errorOf(c.bytes);
  std::string many = "{'descr': '<f4', 'fortran_order': False, 'shape': (";
  for (int i = 0; i < 300; ++i)
    many += "1,";
  EXPECT_NE(errorOf(file(many + ")}", "1234")).find("more than 254 dims"), std::string::npos);
}

TEST(Npy, SurvivesTruncationAndChangedBytes) {
  std::string good = file("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }  \n", kEight);
  for (size_t n = 0; n < good.size(); ++n)
    EXPECT_NE(errorOf(good.substr(0, n)), "") << n;
  for (size_t i = 0; i < good.size(); ++i)
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = good;
      changed[i] = static_cast<char>(changed[i] ^ 1 << bit);
      (void)errorOf(changed);
    }
}

} // namespace
