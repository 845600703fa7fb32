// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What shape rules say of operands of which little is known, of sizes of zero, and of ranks at the
// limit.
#include "test/runtime/kernels/kernel_case.h"

namespace sluice::rt {
namespace {

const Attr kZero = caseInt(0), kOne = caseInt(1), kLast = caseInt(-1);

struct RuleRow {
  const Kernel &kernel;
  std::vector<std::string> shapes;
  std::string expected; // "!" and a message where the operands cannot belong together
  std::vector<Attr> attrs = {};
  std::vector<std::string> values = {};
};

void checkRules(const std::vector<RuleRow> &rows) {
  for (const RuleRow &row : rows) {
    std::string operands;
    for (const std::string &shape : row.shapes)
      operands += shape + " ";
    SCOPED_TRACE(operands + "-> " + row.expected);
    bool fails = row.expected[0] == '!';
    EXPECT_EQ(inferred(row.kernel, row.shapes, row.values, row.attrs),
              fails ? "INVALID_ARGUMENT: " + row.expected.substr(1) : row.expected);
  }
}

std::string unknownDims(int rank) { return Shape::unknownDims(rank).toString(); }

TEST(ShapeRules, RanksUpToTheLimit) {
  const std::string most = unknownDims(Shape::kMaxRank), less = unknownDims(Shape::kMaxRank - 1);
  const std::string tooMany = "!expected a rank of at most 254 but got 255";
  checkRules({{sluice_kernel_nd_pack_any, {less}, less.substr(0, less.size() - 1) + ",1]", {kLast}},
              {sluice_kernel_nd_pack_any, {most}, tooMany, {kZero}},
              {sluice_kernel_nd_expand_dims_any, {less, "[]"}, most},
              {sluice_kernel_nd_expand_dims_any, {most, "[]"}, tooMany},
              {sluice_kernel_nd_one_hot_any, {less, "[]", "[]", "[]"}, most, {kZero}},
              {sluice_kernel_nd_one_hot_any, {most, "[]", "[]", "[]"}, tooMany, {kZero}},
              {sluice_kernel_nd_gather_any, {most, "[?]", "[]"}, most, {kZero}},
              {sluice_kernel_nd_gather_any, {most, "[?,?]", "[]"}, tooMany, {kZero}},
              {sluice_kernel_nd_gather_any, {most, "[?,?]", "[]"}, most, {kOne}},
              {sluice_kernel_nd_gather_nd_any, {most, "[?,1]"}, most},
              {sluice_kernel_nd_gather_nd_any, {most, "[?,?,1]"}, tooMany},
              {sluice_kernel_nd_gather_nd_any, {most, "[?,?,2]"}, most},
              {sluice_kernel_nd_unsorted_segment_sum_f32, {less, "[]", "[]"}, most},
              {sluice_kernel_nd_unsorted_segment_sum_f32, {most, "[]", "[]"}, tooMany},
              {sluice_kernel_nd_unsorted_segment_sum_f32, {most, "[?]", "[]"}, most}});
}

TEST(ShapeRules, RanksThatOtherOperandsTell) {
  const std::string most = unknownDims(Shape::kMaxRank), unknown = "<unknown>";
  const std::string tooMany = "!expected a rank of at most 254 but got 255";
  checkRules({{sluice_kernel_nd_pad_any, {unknown, "[254,2]", "[]"}, most},
              {sluice_kernel_nd_pad_any, {unknown, "[255,2]", "[]"}, tooMany},
              {sluice_kernel_nd_pad_any, {unknown, unknown, "[]"}, unknown},
              {sluice_kernel_nd_pad_any, {"[?]", "[?,2]", "[]"}, "[?]"},
              {sluice_kernel_nd_transpose_any, {unknown, "[254]"}, most, {kZero}},
              {sluice_kernel_nd_transpose_any, {unknown, "[255]"}, tooMany, {kZero}},
              {sluice_kernel_nd_transpose_any, {unknown, "[?]"}, unknown, {kZero}},
              {sluice_kernel_nd_tile_any, {unknown, "[254]"}, most},
              {sluice_kernel_nd_tile_any, {unknown, "[255]"}, tooMany},
              {sluice_kernel_nd_tile_any, {unknown, unknown}, unknown},
              {sluice_kernel_nd_slice_any, {unknown, "[254]", "[?]"}, most},
              {sluice_kernel_nd_slice_any, {unknown, unknown, "[254]"}, most},
              {sluice_kernel_nd_slice_any, {unknown, "[255]", unknown}, tooMany},
              {sluice_kernel_nd_slice_any, {unknown, unknown, "[4294967297]"}, tooMany},
              {sluice_kernel_nd_slice_any, {unknown, "[?]", "[?]"}, unknown},
              {sluice_kernel_nd_reshape_any, {"[1]", "[0]"}, "[]"},
              {sluice_kernel_nd_reduce_sum_f32, {"[2,3]", "[]"}, "[?]", {kZero}},
              {sluice_kernel_nd_reduce_sum_f32, {"[]", "[]"}, unknown, {kZero}},
              {sluice_kernel_nd_reduce_sum_f32, {"[2,3]", "[2]"}, "[]", {kZero}},
              {sluice_kernel_nd_reduce_sum_f32, {"[2,3]", "[3]"}, unknown, {kZero}},
              {sluice_kernel_nd_reduce_sum_f32, {"[2,3]", unknown}, unknown, {kZero}},
              {sluice_kernel_nd_reduce_sum_f32, {"[2,3]", unknown}, "[?,?]", {kOne}},
              {sluice_kernel_nd_broadcast_args_any, {"[?]", "[2]"}, "[?]"},
              {sluice_kernel_nd_broadcast_args_any, {"[3]", "[2]"}, "[3]"}});
}

TEST(ShapeRules, ZeroIsAKnownSize) {
  checkRules(
      {{sluice_kernel_nd_add_f32, {"[2]", "[0]"}, "!Incompatible shapes: [2] vs. [0]"},
       {sluice_kernel_nd_squeeze_any, {"[0,1]"}, "[0]", {caseInts({})}},
       {sluice_kernel_nd_pad_any,
        {"[?]", "[1,0]", "[]"},
        "!paddings must be a matrix with 2 columns: [1,0]"},
       {sluice_kernel_nd_pad_any,
        {"[?]", "[0,2]", "[]"},
        "!The first dimension of paddings must be the rank of inputs[0,2] [?]"},
       {sluice_kernel_nd_transpose_any,
        {"[]", "[1]"},
        "!transpose expects a vector of size 0. But input(1) is a vector of size 1",
        {kZero}},
       {sluice_kernel_nd_tile_any,
        {"[]", "[1]"},
        "!Expected multiples argument to be a vector of length 0 but got length 1"},
       {sluice_kernel_nd_slice_any,
        {"[0]", "[1]", "[1]"},
        "!Expected begin[0] in [0, 0], but got 1",
        {},
        {"", "i32[1] 1"}},
       {sluice_kernel_nd_slice_any,
        {"[2]", "[1]", "[1]"},
        "!Expected size[0] in [0, 0], but got 1",
        {},
        {"", "i32[1] 2", "i32[1] 1"}},
       {sluice_kernel_nd_unpack_any,
        {"[0]"},
        "!Input shape axis 0 must equal 1, got shape [0]",
        {kZero}},
       {sluice_kernel_nd_concat_any,
        {"[0,?]", "[2,?]", ""},
        "!ConcatOp : Dimension 0 in both shapes must be equal: shape[0] = [0,?] vs. shape[1] = "
        "[2,?]",
        {},
        {"", "", "i32 1"}},
       {sluice_kernel_nd_concat_any, {"[0]", "[2]", ""}, "[2]", {}, {"", "", "i32 0"}},
       {sluice_kernel_nd_split_any, {"[0]", ""}, "[0]", {}, {"", "i32 0"}},
       {sluice_kernel_nd_split_v_any, {"[0]", "", ""}, "[0]", {}, {"", "i32[1] -1", "i32 0"}},
       {sluice_kernel_nd_split_v_any,
        {"[0]", "", ""},
        "!Determined shape must either match input shape along split_dim exactly if fully "
        "specified, or be less than the size of the input along split_dim if not fully "
        "specified.  Got: 1",
        {},
        {"", "i32[1] 1", "i32 0"}},
       {sluice_kernel_nd_broadcast_to_any,
        {"[0]", ""},
        "!Incompatible shapes: [0] vs. [2]",
        {},
        {"", "i32[1] 2"}},
       {sluice_kernel_nd_broadcast_to_any,
        {"[2]", ""},
        "!Incompatible shapes: [2] vs. [0]",
        {},
        {"", "i32[1] 0"}}});
}

TEST(ShapeRules, ZeroIsAKnownSizeOfIndices) {
  checkRules(
      {{sluice_kernel_nd_gather_any, {"[0,2]", "[?,3]", ""}, "[0,3]", {kOne}, {"", "", "i32 1"}},
       {sluice_kernel_nd_gather_any,
        {"[2,2]", "[0,3]", ""},
        "!params.shape[0]: 2 should be equal to indices.shape[0]: 0",
        {kOne},
        {"", "", "i32 1"}},
       {sluice_kernel_nd_gather_any,
        {"[0,2]", "[2,3]", ""},
        "!params.shape[0]: 0 should be equal to indices.shape[0]: 2",
        {kOne},
        {"", "", "i32 1"}},
       {sluice_kernel_nd_set_row_any,
        {"[?,2]", "[]", "[0]"},
        "!expected a row of the shape [2] but got [0]"},
       {sluice_kernel_nd_set_row_any,
        {"[?,0]", "[]", "[2]"},
        "!expected a row of the shape [0] but got [2]"},
       {sluice_kernel_nd_scatter_nd_f32,
        {"[3,0]", "[4]", ""},
        "!Dimensions of indices and output must give those of updates: expected [3,2] but "
        "got updates.shape [4], indices.shape [3,0], output shape [2]",
        {},
        {"", "", "i32[1] 2"}},
       {sluice_kernel_nd_unsorted_segment_sum_f32,
        {"[2]", "[0]", "[]"},
        "!data.shape = [2] does not start with segment_ids.shape = [0]"},
       {sluice_kernel_nd_unsorted_segment_sum_f32,
        {"[0]", "[2]", "[]"},
        "!data.shape = [0] does not start with segment_ids.shape = [2]"}});
}

TEST(ShapeRules, WholeValuesOfArrays) {
  const std::string tooMany = "!expected a rank of at most 254 but got 255", unknown = "<unknown>";
  const Shape unknownShape = Shape::unknownRank(), pair{2}, most = Shape::unknownDims(254),
              less = Shape::unknownDims(253);
  const Attr pairs = caseShape(pair), any = caseShape(unknownShape);
  checkRules(
      {{sluice_kernel_array_gather_any, {"[]", "[3]", "[]"}, "[3,2]", {pairs}},
       {sluice_kernel_array_gather_any, {"[]", unknown, "[]"}, "[?,2]", {pairs}},
       {sluice_kernel_array_gather_any, {"[]", "[3]", "[]"}, unknown, {any}},
       {sluice_kernel_array_gather_any, {"[]", "[?]", "[]"}, tooMany, {caseShape(most)}},
       {sluice_kernel_array_gather_any, {"[]", "[?]", "[]"}, unknownDims(254), {caseShape(less)}},
       {sluice_kernel_array_concat_any, {"[]", "[]"}, "[?,2]", {pairs}},
       {sluice_kernel_array_concat_any, {"[]", "[]"}, unknown, {any}},
       {sluice_kernel_array_concat_any, {"[]", "[]"}, tooMany, {caseShape(most)}},
       {sluice_kernel_array_concat_any, {"[]", "[]"}, unknownDims(254), {caseShape(less)}}});
}

TEST(ShapeRules, FormsOfOperands) {
  const std::string text = "!Expected begin and size arguments to be 1-D tensors of size 2, but "
                           "got shapes ";
  checkRules(
      {{sluice_kernel_nd_slice_any, {"[2,2]", "[3]", "[2]"}, text + "[3] and [2] instead."},
       {sluice_kernel_nd_slice_any, {"[2,2]", "[2]", "[3]"}, text + "[2] and [3] instead."},
       {sluice_kernel_nd_slice_any, {"[2,2]", "[]", "[2]"}, text + "[] and [2] instead."},
       {sluice_kernel_nd_pad_any,
        {"<unknown>", "[2]", "[]"},
        "!paddings must be a matrix with 2 columns: [2]"},
       {sluice_kernel_nd_pad_any,
        {"<unknown>", "[2,2,2]", "[]"},
        "!paddings must be a matrix with 2 columns: [2,2,2]"},
       {sluice_kernel_nd_pad_any,
        {"[2]", "[1,2]", "[2]"},
        "!constant_values must be a scalar, but got shape [2]"},
       {sluice_kernel_nd_gather_any,
        {"[2]", "[1]", "[2]"},
        "!axis must be a scalar, but got shape [2]",
        {kZero}},
       {sluice_kernel_nd_row_any, {"[2]", "[2]"}, "!index must be a scalar, but got shape [2]"},
       {sluice_kernel_nd_set_row_any,
        {"[2]", "[2]", "[]"},
        "!index must be a scalar, but got shape [2]"},
       {sluice_kernel_nd_set_row_any, {"[]", "[]", "[]"}, "!rows must be at least 1 dimensional"},
       {sluice_kernel_nd_scatter_nd_f32, {"[]", "[]", "[1]"}, "!indices must be at least a vector"},
       {sluice_kernel_nd_one_hot_any,
        {"[]", "[1]", "[]", "[]"},
        "!depth must be a scalar, but got: [1]",
        {kLast}},
       {sluice_kernel_nd_one_hot_any,
        {"[]", "[]", "[]", "[1]"},
        "!off_value must be a scalar, but got: [1]",
        {kLast}},
       {sluice_kernel_nd_broadcast_args_any, {"[2,2]", "[2]"}, "!In[0] must be a vector.[2,2]"},
       {sluice_kernel_nd_broadcast_args_any, {"[2]", "[]"}, "!In[1] must be a vector.[]"},
       {sluice_kernel_nd_broadcast_gradient_args_any, {"[2]", "[]"}, "!In[1] must be a vector.[]"},
       {sluice_kernel_nd_range_f32, {"[1]", "[]", "[]"}, "[?]"},
       {sluice_kernel_nd_range_f32,
        {"[1,1]", "[]", "[]"},
        "!start must be a scalar, but got shape [1,1]"}});
}

} // namespace
} // namespace sluice::rt
