// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel that updates rows of variables by a rule of runtime/elements/updates.h, one row after the
// other, so that what one row has changed is there for the next. All is checked before the first
// element changes.
#include "runtime/base/arithmetic.h"
#include "runtime/base/pieces.h"
#include "runtime/elements/updates.h"
#include "runtime/kernels/arguments.h"
#include "runtime/kernels/attributes/state.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/variable_access.h"

namespace sluice::rt {

namespace {

// A 16-bit float that is rounded after each operation, as those of tensors are.
template <typename T> struct Rounded {
  explicit Rounded(float x) : value(T(x)) {}
  explicit Rounded(double x) : value(T(float(x))) {}
  explicit Rounded(int x) : value(T(float(x))) {}
  explicit operator float() const { return float(value); }

  T value;
};
#define SLUICE_OPERATOR(OP)                                                                        \
  template <typename T> Rounded<T> operator OP(const Rounded<T> &x, const Rounded<T> &y) {         \
    return Rounded<T>(float(x) OP float(y));                                                       \
  }
SLUICE_OPERATOR(+)
SLUICE_OPERATOR(-)
SLUICE_OPERATOR(*)
SLUICE_OPERATOR(/)
#undef SLUICE_OPERATOR
template <typename T> bool operator<(const Rounded<T> &x, const Rounded<T> &y) {
  return float(x) < float(y);
}
template <typename T> bool operator==(const Rounded<T> &x, const Rounded<T> &y) {
  return float(x) == float(y);
}
#define SLUICE_FUNCTION(NAME)                                                                      \
  template <typename T> Rounded<T> NAME(const Rounded<T> &x) {                                     \
    return Rounded<T>(element::NAME(float(x)));                                                    \
  }
SLUICE_FUNCTION(squareRoot)
SLUICE_FUNCTION(reciprocalRoot)
SLUICE_FUNCTION(signOf)
SLUICE_FUNCTION(magnitude)
SLUICE_FUNCTION(exponential)
#undef SLUICE_FUNCTION
template <typename T> Rounded<T> larger(const Rounded<T> &x, const Rounded<T> &y) {
  return Rounded<T>(element::larger(float(x), float(y)));
}
template <typename T> Rounded<T> powerOf(const Rounded<T> &x, const Rounded<T> &y) {
  return Rounded<T>(element::powerOf(float(x), float(y)));
}

// The operands, of which the variables have been found and all has been checked.
struct RowUpdate {
  Variable *variables[8];
  const Tensor *const *scalars; // then the gradient and the indices
  const Tensor *gradient, *indices;
  int64_t inner;
};

template <typename Rule, typename T> void updateRows(const RowUpdate &update) {
  using N = std::conditional_t<kIsSmallFloat<T>, Rounded<T>, T>;
  auto number = [](const T &element) {
    if constexpr (kIsSmallFloat<T>)
      return N(float(element));
    else
      return element;
  };
  auto element = [](const N &number) {
    if constexpr (kIsSmallFloat<T>)
      return number.value;
    else
      return number;
  };
  T *to[Rule::kVariables];
  const std::array<N, Rule::kVariables> zeros = [&]<size_t... i>(std::index_sequence<i...>) {
    return std::array<N, sizeof...(i)>{(void(i), N(0))...};
  }(std::make_index_sequence<Rule::kVariables>());
  for (int i = 0; i < Rule::kVariables; ++i)
    to[i] = update.variables[i]->value.data<T>();
  std::array<N, Rule::kScalars> scalars = [&]<size_t... i>(std::index_sequence<i...>) {
    return std::array<N, sizeof...(i)>{number(*update.scalars[i]->data<T>())...};
  }(std::make_index_sequence<Rule::kScalars>());
  const T *gradient = update.gradient->data<T>();
  constexpr int64_t kCostOfElement = 16 * Rule::kVariables;
  for (int64_t row = 0, n = update.indices->elements(); row < n; ++row) {
    int64_t start = update.indices->asInt(row) * update.inner;
    forPieces(update.inner, kCostOfElement, [&](int64_t begin, int64_t end) {
      std::array<N, Rule::kVariables> variables = zeros;
      for (int64_t k = begin; k < end; ++k) {
        for (int i = 0; i < Rule::kVariables; ++i)
          variables[static_cast<size_t>(i)] = number(to[i][start + k]);
        Rule::apply(variables.data(), scalars.data(), number(gradient[row * update.inner + k]));
        for (int i = 0; i < Rule::kVariables; ++i)
          to[i][start + k] = element(variables[static_cast<size_t>(i)]);
      }
    });
  }
}

template <typename Rule> void updateRowsOf(DType dtype, const RowUpdate &update) {
  switch (dtype) {
  case DType::kF16:
    return updateRows<Rule, Half>(update);
  case DType::kBF16:
    return updateRows<Rule, BFloat16>(update);
  case DType::kF64:
    return updateRows<Rule, double>(update);
  case DType::kC64:
    if constexpr (Rule::kTakesComplex)
      return updateRows<Rule, std::complex<float>>(update);
    break;
  case DType::kC128:
    if constexpr (Rule::kTakesComplex)
      return updateRows<Rule, std::complex<double>>(update);
    break;
  default:
    return updateRows<Rule, float>(update);
  }
}

struct RowRule {
  std::string_view name;
  size_t variables, scalars;
  bool takesComplex;
  const element::Require *requirements;
  void (*run)(DType, const RowUpdate &);
};

template <typename Rule> constexpr RowRule ruleOf(std::string_view name) {
  return {name,
          Rule::kVariables,
          Rule::kScalars,
          Rule::kTakesComplex,
          Rule::kOfRows.data(),
          updateRowsOf<Rule>};
}

constexpr RowRule kRules[] = {
#define SLUICE_ROW_UPDATE(NAME, ...) ruleOf<element::__VA_ARGS__>(#NAME),
#include "runtime/elements/row_updates.def"
#undef SLUICE_ROW_UPDATE
};

const RowRule *findRule(std::string_view name) {
  for (const RowRule &rule : kRules)
    if (rule.name == name)
      return &rule;
  return nullptr;
}

// ---- Checks

double valueOf(const Tensor &scalar) {
  switch (scalar.dtype()) {
  case DType::kF16:
    return double(float(*scalar.data<Half>()));
  case DType::kBF16:
    return double(float(*scalar.data<BFloat16>()));
  case DType::kF64:
    return *scalar.data<double>();
  default:
    return double(*scalar.data<float>());
  }
}

Status checkScalar(size_t i, const Tensor &scalar, DType dtype, element::Require required) {
  using enum element::Require;
  if (scalar.dtype() != dtype || scalar.rank() != 0)
    return invalidArgument(format(
        "scalar %zu is not a scalar of type %s: %s %s", i, std::string(dtypeName(dtype)).c_str(),
        std::string(dtypeName(scalar.dtype())).c_str(), scalar.shape().toString().c_str()));
  if (required == kNothing)
    return okStatus();
  double value = valueOf(scalar); // of a rule that takes no complex numbers
  const char *expected = required == kPositive && !(value > 0)       ? "above 0"
                         : required == kNotNegative && !(value >= 0) ? "at least 0"
                         : required == kNotPositive && !(value <= 0) ? "at most 0"
                                                                     : nullptr;
  if (!expected)
    return okStatus();
  return invalidArgument(format("scalar %zu must be %s but is %g", i, expected, value));
}

Status checkRows(const Tensor &var, const Tensor &gradient, const Tensor &indices) {
  auto texts = [&] {
    return format("var %s, grad %s, indices %s", var.shape().toString().c_str(),
                  gradient.shape().toString().c_str(), indices.shape().toString().c_str());
  };
  if (var.rank() == 0)
    return invalidArgument("var must be at least 1 dimensional");
  if (indices.rank() != 1)
    return invalidArgument("indices must be one-dimensional, got " + texts());
  if (gradient.dtype() != var.dtype())
    return invalidArgument(format("var and grad must have the same type: %s vs. %s",
                                  std::string(dtypeName(var.dtype())).c_str(),
                                  std::string(dtypeName(gradient.dtype())).c_str()));
  bool fits = gradient.rank() == var.rank();
  for (int i = 1; fits && i < var.rank(); ++i)
    fits = gradient.dim(i) == var.dim(i);
  // Rows of one element may lie in dims of 1.
  int64_t inner = elementsBetween(var.shape(), 1, var.rank());
  if (!fits && !(var.rank() == 1 && gradient.rank() > 0 && gradient.elements() == gradient.dim(0)))
    return invalidArgument("var and grad must match in all dims but the first, got " + texts());
  if (gradient.dim(0) != indices.dim(0))
    return invalidArgument("grad must be the same size as indices in the first dimension, got " +
                           texts());
  if (inner == 0)
    return invalidArgument("inner dimension should be greater than zero, got " + texts());
  for (int64_t i = 0, n = indices.elements(); i < n; ++i)
    if (int64_t index = indices.asInt(i); index < 0 || index >= var.dim(0))
      return invalidArgument(
          format("index %lld at offset %lld in indices is out of range [0, %lld)",
                 static_cast<long long>(index), static_cast<long long>(i),
                 static_cast<long long>(var.dim(0))));
  return okStatus();
}

Status openVariables(KernelCall &call, const RowRule &rule, RowUpdate &update) {
  for (size_t i = 0; i < rule.variables; ++i) {
    SLUICE_ASSIGN_OR_RETURN(update.variables[i], initializedVariable(call.input(i)));
    const Tensor &var = update.variables[0]->value, &other = update.variables[i]->value;
    if (other.dtype() != var.dtype() || !(other.shape() == var.shape()))
      return invalidArgument(
          format("variables 0 and %zu do not have the same type and shape: %s "
                 "%s vs. %s %s",
                 i, std::string(dtypeName(var.dtype())).c_str(), var.shape().toString().c_str(),
                 std::string(dtypeName(other.dtype())).c_str(), other.shape().toString().c_str()));
  }
  return okStatus();
}

Status updateRowsRun(KernelCall &call) {
  const RowRule *rule = findRule(attributes::state::UpdateRows(call).rule());
  if (!rule || call.numInputs() != rule->variables + rule->scalars + 2)
    return internalError("an update of rows has no such rule, or other operands than its rule");
  RowUpdate update;
  SLUICE_RETURN_IF_ERROR(openVariables(call, *rule, update));
  const Tensor &var = update.variables[0]->value;
  if (!isFloat(var.dtype()) && !(rule->takesComplex && isComplex(var.dtype())))
    return invalidArgument("cannot optimize elements of type " +
                           std::string(dtypeName(var.dtype())));
  const Tensor *scalars[8];
  for (size_t i = 0; i < rule->scalars; ++i) {
    scalars[i] = &call.input(rule->variables + i);
    SLUICE_RETURN_IF_ERROR(checkScalar(i, *scalars[i], var.dtype(), rule->requirements[i]));
  }
  update.scalars = scalars;
  update.gradient = &call.input(rule->variables + rule->scalars);
  update.indices = &call.input(rule->variables + rule->scalars + 1);
  SLUICE_RETURN_IF_ERROR(checkRows(var, *update.gradient, *update.indices));
  for (size_t i = 0; i < rule->variables; ++i)
    SLUICE_RETURN_IF_ERROR(makeWritable(*update.variables[i]));
  update.inner = elementsBetween(var.shape(), 1, var.rank());
  rule->run(var.dtype(), update);
  return okStatus();
}

} // namespace

SLUICE_DEFINE_UPDATE_KERNEL(state_update_rows, updateRowsRun)

} // namespace sluice::rt
