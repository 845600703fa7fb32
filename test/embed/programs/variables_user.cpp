// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables of a class, and of a model that several objects share.
#include "counter.hpp"

#include <cstdio>
#include <cstdlib>

static void expect(bool truth, int line) {
  if (truth)
    return;
  std::printf("line %d\n", line);
  std::exit(1);
}
#define EXPECT(truth) expect(truth, __LINE__)

int main(int, char **argv) {
  Counter counter;
  counter.var_sum(0) = 100; // it has no value, so zeros
  counter.arg_x(0) = 1;
  counter.arg_x(1) = 2;
  EXPECT(counter.Run() && counter.Run());
  EXPECT(counter.var_sum(0) == 102 && counter.var_sum(1) == 4);
  EXPECT(counter.result_step(0) == 102);
  EXPECT(counter.Save(argv[1]));

  Counter sharing(counter.model());
  sharing.arg_x(0) = 10;
  EXPECT(sharing.Run() && sharing.result_step(0) == 112);

  Counter later;
  EXPECT(later.Load(argv[1]));
  float mine[2] = {7, 7};
  EXPECT(later.Run() && later.result_step(0) == 102 && later.result_step(1) == 4);
  later.set_var_sum_data(mine);
  EXPECT(later.Run() && later.result_step(1) == 7 && mine[0] == 7);
  EXPECT(!later.Load("/nowhere") && later.error().code == SLUICE_NOT_FOUND);
  return 0;
}
