// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As programs that use tfcompile are written; only the names of header and class are others.
#include "matmul.hpp"

#include <algorithm>
#include <iostream>

int main() {
  foo::bar::MatMulComp matmul;
  const float args[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  std::copy(args + 0, args + 6, matmul.arg0_data());
  std::copy(args + 6, args + 12, matmul.arg1_data());
  if (!matmul.Run()) {
    std::cerr << matmul.error_msg() << "\n";
    return 1;
  }
  const float expected[4] = {58, 64, 139, 154};
  for (int i = 0; i < 4; ++i)
    if (matmul.result0_data()[i] != expected[i] ||
        matmul.result_x_y_prod(i / 2, i % 2) != expected[i])
      return 2;

  foo::bar::MatMulComp other(foo::bar::MatMulComp::AllocMode::RESULTS_PROFILES_AND_TEMPS_ONLY);
  if (other.Run() || other.arg_x_data())
    return 3; // it has no arguments yet
  other.set_arg_x_data(args);
  other.set_arg_y_data(args + 6);
  if (!other.Run() || other.result0(1, 0) != 139)
    return 4;
  const foo::bar::MatMulComp &seen = other;
  if (seen.arg_x(1, 2) != 6 || seen.result0(0, 1) != 64)
    return 5;
  static_assert(foo::bar::MatMulComp::kNumArgs == 2, "as the graph");
  static_assert(foo::bar::MatMulComp::arg_x_size() == 24, "bytes");
  static_assert(foo::bar::MatMulComp::result0_count() == 4, "elements");
  return 0;
}
