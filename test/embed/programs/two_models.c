// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two models in one program, in a context that they share.
#include "first.h"
#include "second.h"

int main(void) {
  sluice_error error;
  sluice_context_options options = {sizeof options, 1, 1 << 20};
  sluice_context *context;
  sluice_model *one, *two;
  first_call f;
  second_call s;
  float x = 3, y = 4;
  if (first_context_create(&options, &context, &error) ||
      first_model_create(context, &one, &error) || second_model_create(context, &two, &error) ||
      first_call_create(one, &f, &error) || second_call_create(two, &s, &error))
    return 1;
  first_call_free(f);
  if (first_call_create(two, &f, &error) != SLUICE_INVALID_ARGUMENT || f.call ||
      first_call_create(one, &f, &error))
    return 5;
  if (first_set_arg_x(f, &x, &error) || first_set_arg_y(f, &y, &error) ||
      second_set_arg_x(s, &x, &error))
    return 2;
  *second_arg_y(s, &error) = 5;
  if (first_run(f, 0, &error) || second_run(s, 0, &error))
    return 3;
  if (*first_result_sum(f, NULL) != 7 || *second_result_difference(s, NULL) != -2)
    return 4;
  first_call_free(f);
  second_call_free(s);
  sluice_model_free(one);
  sluice_model_free(two);
  first_context_free(context);
  return 0;
}
