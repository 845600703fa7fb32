// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Roots, exponentials, logarithms and trigonometry of one operand.
#include "runtime/kernels/declare.h"
#include "runtime/kernels/elementwise.h"
#include "runtime/kernels/math_functions.h"

namespace sluice::rt {

SLUICE_UNARY_KERNELS(nd_sqrt, FLOAT_COMPLEX, Sqrt, nullptr)
SLUICE_UNARY_KERNELS(nd_rsqrt, FLOAT_COMPLEX, Rsqrt, nullptr)
SLUICE_UNARY_KERNELS(nd_exp, FLOAT_COMPLEX, Exp, transcendentalWork)
SLUICE_UNARY_KERNELS(nd_log, FLOAT_COMPLEX, Log, transcendentalWork)
SLUICE_UNARY_KERNELS(nd_tanh, FLOAT_COMPLEX, Tanh, transcendentalWork)
SLUICE_UNARY_KERNELS(nd_sigmoid, FLOAT_COMPLEX, Sigmoid, transcendentalWork)
SLUICE_UNARY_KERNELS(nd_sin, FLOAT_COMPLEX, Sin, transcendentalWork)
SLUICE_UNARY_KERNELS(nd_cos, FLOAT_COMPLEX, Cos, transcendentalWork)
SLUICE_UNARY_KERNELS(nd_log1p, FLOAT_COMPLEX, Log1p, transcendentalWork)
SLUICE_UNARY_KERNELS(nd_expm1, FLOAT_COMPLEX, Expm1, transcendentalWork)

} // namespace sluice::rt
