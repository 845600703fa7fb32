// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables of a class, and of a model that several objects share.
#include "counter.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

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

  // A copy that nobody has changed is not written, so what others have done stays.
  EXPECT(counter.Run() && counter.result_step(0) == 113 && counter.var_sum(0) == 113);
  EXPECT(sharing.Run() && counter.Run() && counter.result_step(0) == 124);

  // What was changed is saved, and what is loaded is seen.
  counter.var_sum(0) = 1000;
  const std::string changed = std::string(argv[1]) + "-changed";
  EXPECT(counter.Save(changed.c_str()));
  EXPECT(counter.Load(argv[1]) && counter.var_sum(0) == 102);
  EXPECT(counter.Run() && counter.result_step(0) == 103);
  EXPECT(counter.Load(changed.c_str()) && counter.Run() && counter.result_step(0) == 1001);

  // A variable without a value that was only looked at has none.
  Counter empty;
  EXPECT(empty.var_sum(0) == 0);
  EXPECT(!empty.Run() && empty.error().code == SLUICE_FAILED_PRECONDITION);

  Counter later;
  EXPECT(later.Load(argv[1]));
  float mine[2] = {7, 7};
  EXPECT(later.Run() && later.result_step(0) == 102 && later.result_step(1) == 4);
  later.set_var_sum_data(mine);
  EXPECT(later.Run() && later.result_step(1) == 7 && mine[0] == 7);
  EXPECT(!later.Load("/nowhere") && later.error().code == SLUICE_NOT_FOUND);
  return 0;
}
