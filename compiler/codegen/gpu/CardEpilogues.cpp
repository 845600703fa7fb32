// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What follows a product and a library can do with it.
#include "compiler/codegen/gpu/CardEpilogues.h"

#include "compiler/codegen/plan/FusionPlan.h"
#include "dialects/nd/Nd.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace sluice::codegen {

// The other operand of an op of two, one of which is the value.
static Value otherThan(Operation *op, Value value) {
  return op->getOperand(op->getOperand(0) == value ? 1 : 0);
}

// A constant that is the same everywhere.
static std::optional<double> numberOf(Value value) {
  auto constant = value.getDefiningOp<nd::ConstantOp>();
  auto values = constant ? dyn_cast<DenseFPElementsAttr>(constant.getValue()) : nullptr;
  if (!values || !values.isSplat())
    return std::nullopt;
  auto number = values.getSplatValue<APFloat>();
  bool losesInfo;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
  return number.convertToDouble();
}

static bool isRelu(ArrayRef<Operation *> members) {
  auto clamp = dyn_cast<nd::MaximumOp>(members[1]);
  return clamp && members.size() == 2 && numberOf(otherThan(clamp, members[0]->getResult(0))) == 0;
}

namespace {

// Coefficients of 1, x, x^2, x^3, and of these times a hyperbolic tangent: what is made of sums and
// products of them is one way to write it down, however it is written in the graph.
struct Cubic {
  std::array<double, 4> plain = {}, timesTanh = {};
};

class Reader {
public:
  Reader(Value x, ArrayRef<Operation *> members) : x_(x), members_(members) {}

  std::optional<Cubic> read(Value value) {
    if (value == x_)
      return Cubic{{0, 1}, {}};
    if (std::optional<double> number = numberOf(value))
      return Cubic{{*number}, {}};
    Operation *op = value.getDefiningOp();
    if (!op || !llvm::is_contained(members_, op))
      return std::nullopt;
    if (isa<nd::TanhOp>(op)) {
      if (angle_ && angle_ != op->getOperand(0))
        return std::nullopt;
      angle_ = op->getOperand(0);
      return Cubic{{}, {1}};
    }
    if (!isa<nd::AddOp, nd::MulOp, nd::PowOp>(op))
      return std::nullopt;
    std::optional<Cubic> lhs = read(op->getOperand(0)), rhs = read(op->getOperand(1));
    if (!lhs || !rhs)
      return std::nullopt;
    if (isa<nd::PowOp>(op))
      return power(*lhs, numberOf(op->getOperand(1)).value_or(0));
    return isa<nd::AddOp>(op) ? add(*lhs, *rhs) : multiply(*lhs, *rhs);
  }
  Value angle() const { return angle_; }

private:
  static Cubic add(Cubic sum, const Cubic &more) {
    for (size_t i = 0; i < 4; ++i) {
      sum.plain[i] += more.plain[i];
      sum.timesTanh[i] += more.timesTanh[i];
    }
    return sum;
  }
  static std::optional<Cubic> multiply(const Cubic &x, const Cubic &y) {
    Cubic product;
    for (size_t i = 0; i < 4; ++i)
      for (size_t j = 0; j < 4; ++j) {
        double plain = x.plain[i] * y.plain[j];
        double mixed = x.plain[i] * y.timesTanh[j] + x.timesTanh[i] * y.plain[j];
        if (x.timesTanh[i] * y.timesTanh[j] != 0 || (i + j > 3 && (plain != 0 || mixed != 0)))
          return std::nullopt;
        if (i + j <= 3) {
          product.plain[i + j] += plain;
          product.timesTanh[i + j] += mixed;
        }
      }
    return product;
  }
  static std::optional<Cubic> power(const Cubic &x, double to) {
    std::optional<Cubic> result = x;
    for (double i = 1; i < to && result; ++i)
      result = multiply(*result, x);
    return to == 2 || to == 3 ? result : std::nullopt;
  }

  Value x_;
  ArrayRef<Operation *> members_;
  Value angle_;
};

} // namespace

// x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))), with constants as the type has them.
static bool isGelu(ArrayRef<Operation *> members, FloatType type) {
  const double slack = std::ldexp(4.0, -static_cast<int>(type.getFPMantissaWidth()));
  auto are = [&](const std::array<double, 4> &found, const std::array<double, 4> &expected) {
    return llvm::all_of(llvm::zip(found, expected), [&](auto pair) {
      auto [one, other] = pair;
      return std::abs(one - other) <= slack * std::abs(other);
    });
  };
  Reader reader(members[0]->getResult(0), members);
  std::optional<Cubic> result = reader.read(members.back()->getResult(0));
  if (!result || !reader.angle() || !are(result->plain, {0, 0.5}) ||
      !are(result->timesTanh, {0, 0.5}))
    return false;
  Value angle = reader.angle();
  std::optional<Cubic> inside = Reader(members[0]->getResult(0), members).read(angle);
  constexpr double kScale = 0.79788456080286536, kCubic = 0.044715;
  return inside && are(inside->timesTanh, {}) &&
         are(inside->plain, {0, kScale, 0, kScale * kCubic});
}

// Of the members behind the first, which nobody else needs before the last.
static std::optional<rt::Activation> activationOf(ArrayRef<Operation *> members, Type type) {
  for (Operation *member : members.drop_back())
    for (Operation *user : member->getUsers())
      if (!llvm::is_contained(members, user))
        return std::nullopt;
  if (isRelu(members))
    return rt::Activation::kRelu;
  bool isIt = isGelu(members, cast<FloatType>(cast<ShapedType>(type).getElementType()));
  return isIt ? std::optional(rt::Activation::kGelu) : std::nullopt;
}

// Whether nothing that has code stands between the product and the op.
static bool isNext(Operation *product, Operation *op, Emitter &emitter) {
  ArrayRef<Operation *> order = emitter.fusion().order(*product->getBlock());
  const auto *at = llvm::find(order, product);
  do
    ++at;
  while (at != order.end() && isa<nd::ConstantOp>(*at));
  return at != order.end() && *at == op;
}

Epilogue epilogueOf(Value product, Emitter &emitter) {
  auto type = cast<RankedTensorType>(product.getType());
  ArrayRef<AffineExpr> dims = emitter.shapes().dims(product);
  if (!product.hasOneUse() || dims.size() != 2 || type.getElementType().isF64())
    return {};
  auto sum = dyn_cast<nd::AddOp>(*product.user_begin());
  if (!sum || !isBufferElementwise(sum) || emitter.shapes().dims(sum) != dims ||
      !isNext(product.getDefiningOp(), sum, emitter))
    return {};
  Epilogue epilogue{emitter.fusion().groupOf(sum), otherThan(sum, product)};
  if (epilogue.members.front() != sum)
    return {};
  if (epilogue.members.size() > 1) {
    std::optional<rt::Activation> activation = activationOf(epilogue.members, type);
    if (!activation)
      return {};
    epilogue.activation = *activation;
  }
  ArrayRef<AffineExpr> of = emitter.shapes().dims(epilogue.bias);
  // Of a single row the result may lie where the bias does.
  bool isRow = dims[0] != 1 && !of.empty() && of.size() <= 2 && of.back() == dims[1] &&
               dims[1] != 1 && (of.size() == 1 || of[0] == 1) && emitter.isDefined(epilogue.bias) &&
               emitter.held(epilogue.bias).kind() == HeldKind::kBuffer;
  // Elementwise ops that need the result would have been one kernel with these.
  bool ends = llvm::all_of(epilogue.result().getUsers(), [](Operation *user) {
    return isa<nd::MatmulOp, nd::MatmulOntoOp>(user) || user->hasTrait<OpTrait::IsTerminator>();
  });
  return isRow && ends ? epilogue : Epilogue();
}

} // namespace sluice::codegen
