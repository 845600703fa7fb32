// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorArrays through their kernels: element states, whole values, errors.
#include "runtime/state/stack.h"
#include "test/runtime/state/array_caller.h"

namespace sluice::rt {
namespace {

TEST(TensorArray, WriteAndRead) {
  Array array(3);
  EXPECT_EQ(array.size(), "i32 3");
  EXPECT_EQ(array.write(0, "f32[2] 1 2"), kDone);
  EXPECT_EQ(array.write(2, "f32 7"), kDone);
  EXPECT_EQ(array.read(2), "f32 7");
  EXPECT_EQ(array.read(0), "f32[2] 1 2");
  EXPECT_EQ(array.read(0),
            "INVALID_ARGUMENT: TensorArray ta_#: Could not read index 0 twice because it was "
            "cleared after a previous read (perhaps try setting clear_after_read = false?).");
}

TEST(TensorArray, WriteErrors) {
  Array array(3, {.elementShape = "[?]"});
  const std::string where = "INVALID_ARGUMENT: TensorArray ta_#: Could not write to TensorArray "
                            "index 2 because ";
  EXPECT_EQ(array.write(-1, "f32[1] 1"),
            "INVALID_ARGUMENT: TensorArray ta_#: Tried to write to index -1 but array is not "
            "resizeable and size is: 3");
  EXPECT_EQ(array.write(3, "f32[1] 1"),
            "INVALID_ARGUMENT: TensorArray ta_#: Tried to write to index 3 but array is not "
            "resizeable and size is: 3");
  EXPECT_EQ(array.write(2, "string[1] a"),
            "INVALID_ARGUMENT: TensorArray dtype is f32 but Op is trying to write dtype string.");
  EXPECT_EQ(array.write(2, "f32 1"),
            where + "the value shape is [] which is incompatible with the TensorArray's inferred "
                    "element shape: [?] (consider setting infer_shape=False).");
  EXPECT_EQ(array.write(2, "f32[1] 1"), kDone);
  EXPECT_EQ(array.write(2, "f32[1] 1"), where + "it has already been written to.");
  array.read(2);
  EXPECT_EQ(array.write(2, "f32[1] 1"), where + "it has already been read.");
}

TEST(TensorArray, WholeValuesHaveItsType) {
  Array array(1, {.clear = false});
  EXPECT_EQ(array.write(0, "f32[1] 1"), kDone);
  Array other(array.handle(), DType::kF64);
  const std::string wrong = "INVALID_ARGUMENT: TensorArray dtype is f32 but Op ";
  EXPECT_EQ(other.gather("i32[1] 0"), wrong + "requested dtype f64.");
  EXPECT_EQ(other.concat(), wrong + "requested dtype f64.");
  EXPECT_EQ(array.split("f64[1] 1", "i64[1] 1"), wrong + "is trying to write dtype f64.");
  EXPECT_EQ(array.scatter("i32[1] 0", "f64[1] 1"), wrong + "is trying to write dtype f64.");
}

TEST(TensorArray, SplitMayMakeItLonger) {
  Array array(1, {.dynamic = true});
  EXPECT_EQ(array.split("f32[3,2] 1 2 3 4 5 6", "i64[2] 1 2"), kDone);
  EXPECT_EQ(array.size(), "i32 2");
  EXPECT_EQ(array.read(0), "f32[1,2] 1 2");
  EXPECT_EQ(array.read(1), "f32[2,2] 3 4 5 6");
  Array longer(3, {.dynamic = true});
  EXPECT_EQ(longer.split("f32[3] 1 2 3", "i64[2] 1 2"),
            "INVALID_ARGUMENT: TensorArray's size is not equal to the size of lengths (3 vs. 2), "
            "and the TensorArray is not marked as dynamically resizeable");
}

TEST(TensorArray, ReadErrors) {
  Array array(3);
  EXPECT_EQ(array.read(-1), "INVALID_ARGUMENT: Tried to read from index -1 but array size is: 3");
  EXPECT_EQ(array.read(3), "INVALID_ARGUMENT: Tried to read from index 3 but array size is: 3");
  EXPECT_EQ(array.read(0, DType::kF64),
            "INVALID_ARGUMENT: TensorArray dtype is f32 but Op requested dtype f64.");
  EXPECT_EQ(array.read(1).substr(0, 111),
            "INVALID_ARGUMENT: TensorArray ta_#: Could not read from TensorArray index 1.  "
            "Furthermore, the element shape is");
}

TEST(TensorArray, UnwrittenElementsAreZeros) {
  Array array(2, {.elementShape = "[2]", .clear = false});
  EXPECT_EQ(array.read(1), "f32[2] 0 0");
  EXPECT_EQ(array.read(1), "f32[2] 0 0");
  Array texts(1, {.dtype = DType::kString, .elementShape = "[]"});
  EXPECT_EQ(texts.read(0), "string"); // an empty one
}

TEST(TensorArray, FirstWriteFixesIdenticalShapes) {
  Array array(3, {.identical = true});
  EXPECT_EQ(array.write(0, "f32[2] 1 2"), kDone);
  EXPECT_EQ(array.write(1, "f32[3] 1 2 3").substr(0, 16), "INVALID_ARGUMENT");
  EXPECT_EQ(array.read(2), "f32[2] 0 0");
}

TEST(TensorArray, GrowsAndFreezes) {
  Array array(0, {.dynamic = true});
  EXPECT_EQ(array.write(2, "f32 1"), kDone);
  EXPECT_EQ(array.size(), "i32 3");
  EXPECT_EQ(array.scatter("i32[2] 5 0", "f32[2] 8 9"), kDone);
  EXPECT_EQ(array.size(), "i32 6");
  EXPECT_EQ(array.write(2000000000, "f32 1"), kDone); // costs no memory
  array.gradient();
  EXPECT_EQ(array.write(2000000001, "f32 1"),
            "INVALID_ARGUMENT: TensorArray ta_#: Tried to write to index 2000000001 but array is "
            "not resizeable and size is: 2000000001");
}

TEST(TensorArray, GatherAndScatter) {
  Array array(3);
  EXPECT_EQ(array.scatter("i32[3] 2 0 1", "f32[3,2] 1 2 3 4 5 6"), kDone);
  EXPECT_EQ(array.gather("i32[2] 0 2", "[2]"), "f32[2,2] 3 4 1 2");
  EXPECT_EQ(array.gather("i32[2] 1 1").substr(0, 70),
            "INVALID_ARGUMENT: TensorArray ta_#: Could not read index 1 twice becau");
  EXPECT_EQ(array.gather("i32[0]", "[2]"), "f32[0,2]");
  EXPECT_EQ(array.gather("i32[0]"),
            "UNIMPLEMENTED: TensorArray has size zero, but element shape <unknown> is not fully "
            "defined. Currently only static shapes are supported when packing zero-size "
            "TensorArrays.");
  EXPECT_EQ(array.gather("i32 0"), "INVALID_ARGUMENT: Expected indices to be a vector, but "
                                   "received shape: []");
}

TEST(TensorArray, GatherChecksShapes) {
  Array array(2);
  array.write(0, "f32[1] 1");
  array.write(1, "f32[2] 1 2");
  EXPECT_EQ(array.gather("i32[2] 0 1"),
            "INVALID_ARGUMENT: TensorArray has inconsistent shapes.  Index 0 has shape: [1] but "
            "index 1 has shape: [2]");
  Array other(1);
  other.write(0, "f32[1] 1");
  EXPECT_EQ(other.gather("i32[1] 0", "[2]"),
            "INVALID_ARGUMENT: TensorArray was passed element_shape [2] which does not match the "
            "Tensor at index 0: [1]");
}

TEST(TensorArray, GatherKnowsTheShape) {
  ArrayOptions options;
  options.elementShape = "[2]";
  Array array(1, options);
  EXPECT_EQ(array.gather("i32[1] 0", "[3]"),
            "INVALID_ARGUMENT: PartialTensorShape: Incompatible shapes during merge: [2] vs. [3]");
  EXPECT_EQ(array.gather("i32[1] 0", "[]"),
            "INVALID_ARGUMENT: PartialTensorShape: Incompatible ranks during merge: 1 vs. 0");
  EXPECT_EQ(array.gather("i32[1] 0", "[2]"), "f32[1,2] 0 0");
}

// Nothing orders reads of one array, so none may depend on what another one knows.
TEST(TensorArray, GatherTellsNobodyElseTheShape) {
  ArrayOptions options;
  options.clear = false;
  Array array(2, options);
  EXPECT_EQ(array.gather("i32[2] 0 0", "[2]"), "f32[2,2] 0 0 0 0");
  EXPECT_EQ(array.read(0).substr(0, 105),
            "INVALID_ARGUMENT: TensorArray ta_#: Could not read from TensorArray index 0.  "
            "Furthermore, the element sh");
  EXPECT_EQ(array.write(0, "f32[2] 1 2").substr(0, 86),
            "INVALID_ARGUMENT: TensorArray ta_#: Could not write to TensorArray index 0 because it ");
  EXPECT_EQ(array.write(1, "f32[3] 1 2 3"), kDone);
  options.clear = true;
  Array cleared(1, options);
  EXPECT_EQ(cleared.gather("i32[1] 0", "[1]"), "f32[1,1] 0");
  EXPECT_EQ(cleared.gather("i32[1] 0", "[1]").substr(0, 69),
            "INVALID_ARGUMENT: TensorArray ta_#: Could not read index 0 twice beca");
}

TEST(TensorArray, ScatterErrors) {
  Array array(3);
  const struct {
    const char *indices, *value, *error;
  } rows[] = {
      {"i32[1] 0", "f32 1",
       "Input value for unpack must be at least a vector but received shape: "
       "[]"},
      {"i32 0", "f32[1] 1", "Expected indices to be a vector, but received shape: []"},
      {"i32[1] 0", "f32[2] 1 2", "Expected len(indices) == values.shape[0], but saw: 1 vs. 2"},
      {"i32[1] 3", "f32[1] 1", "Max scatter index must be < array size (3 vs. 3)"},
      {"i32[1] 0", "f64[1] 1", "TensorArray dtype is f32 but Op is trying to write dtype f64."},
  };
  for (const auto &row : rows)
    EXPECT_EQ(array.scatter(row.indices, row.value), std::string("INVALID_ARGUMENT: ") + row.error);
}

TEST(TensorArray, ConcatAndSplit) {
  Array array(3);
  EXPECT_EQ(array.split("f32[4,1] 1 2 3 4", "i64[3] 1 0 3"), kDone);
  EXPECT_EQ(array.concat("[1]"), "f32[4,1] 1 2 3 4; i64[3] 1 0 3");
  EXPECT_EQ(Array(0).concat("[2]"), "f32[0,2]; i64[0]");
  EXPECT_EQ(Array(0).concat("[?]").substr(0, 68),
            "UNIMPLEMENTED: TensorArray has size zero, but element_shape_except0 ");
  Array mixed(2);
  mixed.write(0, "f32[1] 1");
  mixed.write(1, "f32[1,1] 1");
  EXPECT_EQ(mixed.concat(), "INVALID_ARGUMENT: TensorArray has inconsistent shapes.  Index 0 has "
                            "(excepting dimension 0) shape: [] but index 1 has (excepting "
                            "dimension 0) shape: [1]");
  Array scalars(1);
  scalars.write(0, "f32 1");
  EXPECT_EQ(scalars.concat(), "INVALID_ARGUMENT: Concat saw a scalar shape at index 0 but requires "
                              "at least vectors.  Did you mean to call pack?");
  Array other(1);
  other.write(0, "f32[1,2] 1 2");
  EXPECT_EQ(other.concat("[3]"),
            "INVALID_ARGUMENT: TensorArray was passed element_shape_except0 [3] but index 0 has "
            "(excepting dimension 0) shape: [2] which does not match.");
}

TEST(TensorArray, SplitErrors) {
  Array array(2);
  const struct {
    const char *value, *lengths, *error;
  } rows[] = {
      {"f32 1", "i64[2] 1 1", "Expected value to be at least a vector, but received shape: []"},
      {"f32[2] 1 2", "i64 2", "Expected lengths to be a vector, but received shape: []"},
      {"f32[2] 1 2", "i64[2] 1 2",
       "Expected sum of lengths to be equal to values.shape[0], but sum of lengths is 3 and "
       "value's shape is: [2] "},
      {"f32[2] 1 2", "i64[2] -1 3", "expected lengths of at least 0 but lengths[0] is -1"},
      {"f32[2] 1 2", "i64[1] 2",
       "TensorArray's size is not equal to the size of lengths (2 vs. 1), and the TensorArray is "
       "not marked as dynamically resizeable"},
  };
  for (const auto &row : rows)
    EXPECT_EQ(array.split(row.value, row.lengths), std::string("INVALID_ARGUMENT: ") + row.error);
}

TEST(TensorArray, WholeShapesAreWhatArrayAndReaderKnowTogether) {
  Array array(1, {.elementShape = "[?,3]"});
  EXPECT_EQ(array.gather("i32[1] 0", "[2,?]"), "f32[1,2,3] 0 0 0 0 0 0");
  Array partly(1, {.elementShape = "[?,3]"});
  EXPECT_NE(partly.gather("i32[1] 0").find("element shape is not fully defined: [?,3]."),
            std::string::npos);
}

TEST(TensorArray, NoIndexIsBeyondEverySize) {
  Array array(1, {.elementShape = "[]", .dynamic = true});
  EXPECT_EQ(array.write(2147483647, "f32 1"),
            "INVALID_ARGUMENT: TensorArray ta_#: Tried to write to index 2147483647, which is "
            "beyond every size");
  EXPECT_EQ(array.write(2147483646, "f32 1"), kDone);
  EXPECT_EQ(array.size(), "i32 2147483647");
  Array gradient = array.gradient();
  EXPECT_EQ(gradient.read(2147483647),
            "INVALID_ARGUMENT: Tried to read from index 2147483647 but array size is: 2147483647");
}

TEST(TensorArray, HoldsNothingThatIsReadOrClosed) {
  Array handle(2);
  auto *array = static_cast<TensorArray *>(handle.handle().object());
  Tensor values[] = {tensorOf("f32[6] 1 2 3 4 5 6"), tensorOf("f32[6] 6 5 4 3 2 1")};
  for (int32_t i : {0, 1}) {
    ASSERT_TRUE(array->write(i, values[i]).ok());
    EXPECT_FALSE(values[i].solelyOwned());
  }
  EXPECT_TRUE(array->read(0).ok());
  EXPECT_TRUE(values[0].solelyOwned());
  EXPECT_TRUE(array->close().ok());
  EXPECT_TRUE(values[1].solelyOwned());
}

TEST(TensorArray, Closed) {
  Array array(1);
  EXPECT_EQ(array.close(), "");
  const std::string closed = "INVALID_ARGUMENT: TensorArray ta_# has already been closed.";
  EXPECT_EQ(array.write(0, "f32 1"), closed);
  EXPECT_EQ(array.read(0), closed);
  EXPECT_EQ(array.size(), closed);
  EXPECT_EQ(array.makeGradient(), closed);
  EXPECT_EQ(array.close(), closed);
  Array empty(0);
  empty.close();
  EXPECT_EQ(empty.concat("[2]"), closed);
}

TEST(TensorArray, BadOperands) {
  EXPECT_EQ(Array(-1).status().toString(), "INVALID_ARGUMENT: Size should be >= 0.");
  Array stack(Tensor::handle(Ref<Object>::adopt(new Stack("s", DType::kF32, 1))));
  EXPECT_EQ(stack.read(0),
            "INVALID_ARGUMENT: expected a handle to a TensorArray but got one to a stack");
  EXPECT_EQ(Array(2000000000).size(), "i32 2000000000"); // costs no memory
  Array array(2);
  EXPECT_EQ(array.writeAt("i32[2] 0 1", "f32 1"),
            "INVALID_ARGUMENT: TensorArray index must be scalar, but had shape: [2]");
  array.writeAt("i32[1] 1", "f32 1");
  EXPECT_TRUE(array.status().ok());
}

} // namespace
} // namespace sluice::rt
