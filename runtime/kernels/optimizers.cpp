// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Update rules of optimizers, elementwise as TensorFlow defines them. 16-bit floats compute in f32
// and are rounded when stored.
#include "runtime/base/arithmetic.h"
#include "runtime/base/pieces.h"
#include "runtime/kernels/attributes/state.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/variable_access.h"

#include <cmath>
#include <initializer_list>

namespace sluice::rt {

namespace {

// The operands of one update rule: variables of one shape first, then scalars, then the gradient,
// all of one float type. Checked before the first element changes.
class Update {
public:
  Update(KernelCall &call, size_t numVariables) : call_(call), numVariables_(numVariables) {}

  Status open(std::initializer_list<size_t> scalars, size_t gradient) {
    for (size_t i = 0; i < numVariables_; ++i) {
      SLUICE_ASSIGN_OR_RETURN(variables_[i], initializedVariable(call_.input(i)));
      SLUICE_RETURN_IF_ERROR(checkOperand("variable", variables_[i]->value));
    }
    if (!isFloat(dtype()))
      return invalidArgument("cannot optimize elements of type " + std::string(dtypeName(dtype())));
    SLUICE_RETURN_IF_ERROR(checkOperand("gradient", call_.input(gradient)));
    for (size_t i : scalars) {
      if (call_.input(i).dtype() != dtype() || call_.input(i).rank() != 0)
        return invalidArgument(format("operand %zu is not a scalar of type %s: %s %s", i,
                                      std::string(dtypeName(dtype())).c_str(),
                                      std::string(dtypeName(call_.input(i).dtype())).c_str(),
                                      call_.input(i).shape().toString().c_str()));
    }
    for (size_t i = 0; i < numVariables_; ++i)
      SLUICE_RETURN_IF_ERROR(makeWritable(*variables_[i]));
    return okStatus();
  }

  DType dtype() const { return variables_[0]->value.dtype(); }
  int64_t elements() const { return variables_[0]->value.elements(); }
  template <typename T> T *variable(size_t i) { return variables_[i]->value.data<T>(); }
  template <typename T> Compute<T> scalar(size_t i) const { return *call_.input(i).data<T>(); }
  template <typename T> const T *operand(size_t i) const { return call_.input(i).data<T>(); }
  bool nesterov() const {
    using namespace attributes::state;
    return attributes::SharedBy<ApplyMomentum, ApplyAdam>(call_).useNesterov();
  }

private:
  Status checkOperand(const char *what, const Tensor &tensor) const {
    const Tensor &first = variables_[0]->value;
    if (tensor.dtype() == first.dtype() && tensor.shape() == first.shape())
      return okStatus();
    return invalidArgument(
        format("var and %s do not have the same type and shape: %s %s vs. %s %s", what,
               std::string(dtypeName(first.dtype())).c_str(), first.shape().toString().c_str(),
               std::string(dtypeName(tensor.dtype())).c_str(), tensor.shape().toString().c_str()));
  }

  KernelCall &call_;
  size_t numVariables_;
  Variable *variables_[3] = {};
};

// Calls RULE<T>(update) with the variable's element type, which `open` has found to be a float.
#define SLUICE_RUN_UPDATE(RULE, UPDATE)                                                            \
  switch ((UPDATE).dtype()) {                                                                      \
  case DType::kF16:                                                                                \
    RULE<Half>(UPDATE);                                                                            \
    break;                                                                                         \
  case DType::kBF16:                                                                               \
    RULE<BFloat16>(UPDATE);                                                                        \
    break;                                                                                         \
  case DType::kF64:                                                                                \
    RULE<double>(UPDATE);                                                                          \
    break;                                                                                         \
  default:                                                                                         \
    RULE<float>(UPDATE);                                                                           \
    break;                                                                                         \
  }

template <typename T> void descend(Update &update) {
  T *var = update.variable<T>(0);
  const T *grad = update.operand<T>(2);
  Compute<T> alpha = update.scalar<T>(1);
  forPieces(update.elements(), 2 * sizeof(T), [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      var[i] = Compute<T>(var[i]) - Compute<T>(grad[i]) * alpha;
  });
}
Status gradientDescentRun(KernelCall &call) {
  Update update(call, 1);
  SLUICE_RETURN_IF_ERROR(update.open({1}, 2));
  SLUICE_RUN_UPDATE(descend, update)
  return okStatus();
}

template <typename T> void applyMomentum(Update &update) {
  using C = Compute<T>;
  T *var = update.variable<T>(0), *accum = update.variable<T>(1);
  const T *grad = update.operand<T>(3);
  C rate = update.scalar<T>(2), momentum = update.scalar<T>(4);
  bool nesterov = update.nesterov();
  forPieces(update.elements(), 3 * sizeof(T), [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      accum[i] = C(accum[i]) * momentum + C(grad[i]);
      C step = nesterov ? C(grad[i]) * rate + C(accum[i]) * momentum * rate : C(accum[i]) * rate;
      var[i] = C(var[i]) - step;
    }
  });
}
Status momentumRun(KernelCall &call) {
  Update update(call, 2);
  SLUICE_RETURN_IF_ERROR(update.open({2, 4}, 3));
  SLUICE_RUN_UPDATE(applyMomentum, update)
  return okStatus();
}

template <typename T> void applyAdam(Update &update) {
  using C = Compute<T>;
  T *var = update.variable<T>(0), *m = update.variable<T>(1), *v = update.variable<T>(2);
  C beta1Power = update.scalar<T>(3), beta2Power = update.scalar<T>(4);
  C rate = update.scalar<T>(5), beta1 = update.scalar<T>(6), beta2 = update.scalar<T>(7);
  C epsilon = update.scalar<T>(8);
  const T *grad = update.operand<T>(9);
  bool nesterov = update.nesterov();
  C alpha = rate * std::sqrt(C(1) - beta2Power) / (C(1) - beta1Power);
  forPieces(update.elements(), 4 * sizeof(T), [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      C g = grad[i];
      m[i] = C(m[i]) + (g - C(m[i])) * (C(1) - beta1);
      v[i] = C(v[i]) + (g * g - C(v[i])) * (C(1) - beta2);
      C step = nesterov ? (g * (C(1) - beta1) + beta1 * C(m[i])) * alpha : C(m[i]) * alpha;
      var[i] = C(var[i]) - step / (std::sqrt(C(v[i])) + epsilon);
    }
  });
}
Status adamRun(KernelCall &call) {
  Update update(call, 3);
  SLUICE_RETURN_IF_ERROR(update.open({3, 4, 5, 6, 7, 8}, 9));
  SLUICE_RUN_UPDATE(applyAdam, update)
  return okStatus();
}

} // namespace

SLUICE_DEFINE_UPDATE_KERNEL(state_apply_gradient_descent, gradientDescentRun)
SLUICE_DEFINE_UPDATE_KERNEL(state_apply_momentum, momentumRun)
SLUICE_DEFINE_UPDATE_KERNEL(state_apply_adam, adamRun)

} // namespace sluice::rt
