// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of a compiled addition, and the addition itself as a function that is called through a
// pointer. Prints nanoseconds of processor time: the floor, a call, a call with feeds given anew.
#define _POSIX_C_SOURCE 200809L
#include "add.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static float add(float x, float y) { return x + y; }
static float (*volatile direct)(float, float) = add;

static double now(void) {
  struct timespec time;
  (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

int main(int argc, char **argv) {
  const long calls = argc > 1 ? atol(argv[1]) : 1000000;
  sluice_error error;
  sluice_model *model;
  add_call call;
  float x = 0, y = 1, sum = 0;
  double begin, times[3];
  long i;
  if (add_model_create(NULL, &model, &error) || add_call_create(model, &call, &error) ||
      add_set_arg_x(call, &x, &error) || add_set_arg_y(call, &y, &error) ||
      add_run(call, 0, &error)) {
    puts(error.message);
    return 1;
  }
  begin = now();
  for (i = 0; i < calls; ++i)
    sum = direct(sum, y);
  times[0] = now() - begin;
  begin = now();
  for (i = 0; i < calls; ++i) {
    if (add_run(call, 0, &error))
      return 1;
    x = *add_result_sum(call, NULL);
  }
  times[1] = now() - begin;
  if (x != sum)
    return 2;
  begin = now();
  for (i = 0; i < calls; ++i)
    if (add_set_arg_x(call, &x, &error) || add_set_arg_y(call, &y, &error) ||
        add_run(call, 0, &error))
      return 1;
  times[2] = now() - begin;
  for (i = 0; i < 3; ++i)
    printf("%.2f ", times[i] / (double)calls);
  puts("");
  add_call_free(call);
  sluice_model_free(model);
  return 0;
}
