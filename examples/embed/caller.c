// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls average in C, linked with the library.
#include "average.h"

#include <stdio.h>

static int failed(const sluice_error *error) {
  fprintf(stderr, "error: node '%s': %s\n", error->node, error->message);
  return 1;
}

int main(void) {
  static const float samples[] = {1, 2, 3, 4, 5, 6};
  const int64_t sizes[] = {2, 1, 3};
  sluice_error error;
  sluice_model *model;
  average_reset_call reset;
  average_call call;
  int i, at = 0;

  if (average_model_create(NULL, &model, &error) ||
      average_reset_call_create(model, &reset, &error) ||
      average_call_create(model, &call, &error) || average_reset_run(reset, 0, &error))
    return failed(&error);
  for (i = 0; i < 3; at += (int)sizes[i++]) {
    if (average_set_arg_samples(call, samples + at, &sizes[i], &error) ||
        average_run(call, 0, &error))
      return failed(&error);
    printf("mean = %g\n", *average_result_mean(call, NULL));
  }
  average_call_free(call);
  average_reset_call_free(reset);
  sluice_model_free(model);
  return 0;
}
