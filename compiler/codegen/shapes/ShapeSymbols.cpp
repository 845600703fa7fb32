// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dims of every value in a codelet, as expressions of the dims of its inputs.
#include "compiler/codegen/shapes/ShapeSymbols.h"

#include "compiler/codegen/Boxes.h"
#include "dialects/list/List.h"
#include "dialects/wire/Wire.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AffineExprVisitor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace sluice::codegen {

SmallVector<ClassedDim> sameDims(Operation *op) {
  SmallVector<ClassedDim> dims;
  if (auto attribute = op->getAttrOfType<DenseI64ArrayAttr>(kSameDimsAttr))
    for (ArrayRef<int64_t> rest = attribute.asArrayRef(); !rest.empty(); rest = rest.drop_front(3))
      dims.push_back({static_cast<unsigned>(rest[0]), static_cast<unsigned>(rest[1]), rest[2]});
  return dims;
}

void setSameDims(Operation *op, ArrayRef<ClassedDim> dims) {
  SmallVector<int64_t> numbers;
  for (const ClassedDim &dim : dims)
    numbers.append({dim.operand, dim.dim, dim.number});
  if (!numbers.empty())
    op->setAttr(kSameDimsAttr, DenseI64ArrayAttr::get(op->getContext(), numbers));
}

ArrayRef<AffineExpr> ShapeSymbols::dims(Value value) const {
  auto found = dims_.find(value);
  assert(found != dims_.end() && "expected a value of the codelet");
  return found->second;
}

ArrayRef<AffineExpr> ShapeSymbols::rowDims(unsigned cell) const {
  auto found = rows_.find(cell);
  return found == rows_.end() ? ArrayRef<AffineExpr>() : ArrayRef<AffineExpr>(found->second);
}

class ShapeAnalysis final : public ShapeRuleContext {
public:
  explicit ShapeAnalysis(flow::CodeletOp codelet)
      : codelet_(codelet), context_(codelet.getContext()) {}

  // Goes on behind what it stumbles over, as if that were not there.
  SmallVector<ShapeSymbols::Culprit> findCulprits() {
    SmallVector<ShapeSymbols::Culprit> culprits;
    culprits_ = &culprits;
    if (failed(run()) && culprits.empty())
      culprits.push_back({codelet_, {}});
    return culprits;
  }

  FailureOr<ShapeSymbols> run() {
    classInputs();
    for (BlockArgument input : codelet_.getBody().front().getArguments())
      if (!isBoxedInput(input) && failed(defineInput(input)))
        return failure();
    if (failed(analyze(codelet_.getBody().front())))
      return failure();
    if (isContradicted_ || (hasRegions_ && !shapes_.guards_.empty()))
      return failure();
    return std::move(shapes_);
  }

  ArrayRef<AffineExpr> dims(Value value) const override { return shapes_.dims(value); }

  void requireEqual(AffineExpr a, AffineExpr b) override {
    AffineExpr difference = simplifyAffineExpr(a - b, 0, shapes_.symbols_.size());
    addGuard({difference, true}, [](int64_t value) { return value == 0; });
  }
  void requireNotNegative(AffineExpr value) override {
    // A sum of dims is not negative.
    addGuard({simplifyAffineExpr(value, 0, shapes_.symbols_.size()), false},
             [](int64_t constant) { return constant >= 0; });
  }

private:
  void addGuard(ShapeSymbols::Guard guard, function_ref<bool(int64_t)> holds) {
    auto constant = dyn_cast<AffineConstantExpr>(guard.value);
    if (constant)
      isContradicted_ |= !holds(constant.getValue());
    else if (!llvm::is_contained(shapes_.guards_, guard))
      shapes_.guards_.push_back(guard);
  }

  AffineExpr newSymbol(ShapeSymbols::Symbol symbol) {
    shapes_.symbols_.push_back(symbol);
    return getAffineSymbolExpr(shapes_.symbols_.size() - 1, context_);
  }

  // Dims that are equal are one symbol, that of a tensor: a list without rows tells no dims, and is
  // told them.
  void classInputs() {
    Block &body = codelet_.getBody().front();
    SmallVector<ClassedDim> dims = sameDims(codelet_);
    DenseMap<int64_t, AffineExpr> symbols; // by class
    for (const ClassedDim &dim : dims) {
      BlockArgument input = body.getArgument(dim.operand);
      if (auto type = dyn_cast<RankedTensorType>(input.getType());
          type && type.isDynamicDim(dim.dim) && !isBoxedInput(input))
        if (AffineExpr &symbol = symbols[dim.number]; !symbol)
          symbol = newSymbol({dim.operand, dim.dim});
    }
    for (const ClassedDim &dim : dims)
      if (AffineExpr symbol = symbols.lookup(dim.number))
        classes_[{dim.operand, dim.dim}] = symbol;
  }

  LogicalResult defineInput(BlockArgument input) {
    auto list = dyn_cast<list::OfType>(input.getType()); // the dims of a row
    auto type = dyn_cast<RankedTensorType>(list ? list.getElement() : input.getType());
    if (!type)
      return failure();
    DimExprs dims;
    for (auto [dim, size] : llvm::enumerate(type.getShape())) {
      if (!ShapedType::isDynamic(size)) {
        dims.push_back(getAffineConstantExpr(size, context_));
        continue;
      }
      AffineExpr same = classes_.lookup({input.getArgNumber(), static_cast<unsigned>(dim)});
      dims.push_back(same ? same : newSymbol({input.getArgNumber(), static_cast<unsigned>(dim)}));
    }
    shapes_.dims_[input] = std::move(dims);
    return success();
  }

  // Known dims of the type hold, as whoever found them knew more.
  LogicalResult define(Value value, DimExprs dims) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || static_cast<size_t>(type.getRank()) != dims.size())
      return failure();
    for (auto [dim, size] : llvm::zip_equal(dims, type.getShape())) {
      if (ShapedType::isDynamic(size)) {
        dim = simplifyAffineExpr(dim, 0, shapes_.symbols_.size());
        continue;
      }
      AffineExpr known = getAffineConstantExpr(size, context_);
      requireEqual(dim, known);
      dim = known;
    }
    shapes_.dims_[value] = std::move(dims);
    return success();
  }
  LogicalResult defineAll(ValueRange values, ValueRange like) {
    for (auto [value, other] : llvm::zip_equal(values, like))
      if ((shapes_.areKnown(other) || !culprits_) && failed(define(value, DimExprs(dims(other)))))
        return failure();
    return success();
  }

  // Without culprits wanted, it is over.
  LogicalResult stumble(Operation *op, Value argument = {}) {
    if (!culprits_)
      return failure();
    culprits_->push_back({op, argument});
    return success();
  }

  LogicalResult analyze(Block &block) {
    for (Operation &op : block.without_terminator())
      if (failed(analyze(&op)))
        return failure();
    return success();
  }

  LogicalResult analyze(Operation *op) {
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case([&](flow::WhileOp loop) { return analyzeWhile(loop); })
        .Case([&](flow::CondOp cond) { return analyzeCond(cond); })
        .Default([&](Operation *other) { return analyzeMember(other); });
  }

  // All rows of a cell have the dims of the first that is put there.
  LogicalResult analyzeCell(Operation *op) {
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case([&](list::CellOpenOp open) {
          auto row = cast<RankedTensorType>(open.getElement());
          if (open.getList())
            setRow(op, DimExprs(dims(open.getList())));
          else if (row.hasStaticShape())
            setRow(op, constants(row.getShape()));
          return success();
        })
        .Case<list::CellPushOp, list::CellSetOp, list::CellAccumulateOp>([&](auto write) {
          ArrayRef<AffineExpr> row = dims(write.getValue());
          if (!rowOf(op))
            setRow(op, DimExprs(row));
          return success(ArrayRef<AffineExpr>(*rowOf(op)) == row);
        })
        .Case<list::CellGetOp, list::CellPopOp, list::CellPeekOp>([&](auto read) {
          const DimExprs *row = rowOf(op);
          return row ? define(read.getValue(), *row) : failure();
        })
        .Case([&](list::CellLengthOp length) { return define(length.getLength(), {}); })
        .Default([](Operation *) { return success(); });
  }
  DimExprs constants(ArrayRef<int64_t> sizes) {
    return llvm::map_to_vector(sizes,
                               [&](int64_t size) { return getAffineConstantExpr(size, context_); });
  }
  void setRow(Operation *op, DimExprs row) { shapes_.rows_[list::cellOf(op)] = std::move(row); }
  const DimExprs *rowOf(Operation *op) const {
    auto found = shapes_.rows_.find(list::cellOf(op));
    return found == shapes_.rows_.end() ? nullptr : &found->second;
  }

  LogicalResult analyzeMember(Operation *op) {
    size_t guards = shapes_.guards_.size();
    bool isFound = llvm::all_of(op->getOperands(),
                                [&](Value operand) {
                                  return shapes_.areKnown(operand) || !culprits_ ||
                                         op->hasTrait<UsesBox>() || isa<list::CellOpenOp>(op);
                                }) &&
                   succeeded(analyzeDims(op));
    if (!culprits_)
      return success(isFound);
    isFound &= !isContradicted_ && guards == shapes_.guards_.size();
    isContradicted_ = false;
    shapes_.guards_.truncate(guards);
    return isFound ? success() : stumbleOver(op);
  }

  // What a kernel gives is known again where its type says all.
  LogicalResult stumbleOver(Operation *op) {
    for (Value result : op->getResults())
      if (auto type = dyn_cast<RankedTensorType>(result.getType()); type && type.hasStaticShape())
        shapes_.dims_[result] = constants(type.getShape());
    return stumble(op);
  }

  LogicalResult analyzeDims(Operation *op) {
    if (auto copy = dyn_cast<wire::CopyOp>(op))
      return define(copy.getResult(), DimExprs(dims(copy.getValue())));
    if (auto get = dyn_cast<flow::BoxGetOp>(op); get && isBoxedOutput(get))
      return success();
    if (auto get = dyn_cast<flow::BoxGetOp>(op))
      return define(get.getValue(),
                    constants(cast<ShapedType>(get.getValue().getType()).getShape()));
    if (op->hasTrait<UsesBox>())
      return success();
    if (op->hasTrait<UsesCell>())
      return analyzeCell(op);
    if (Value like = filledLike(op); like && !shapes_.areKnown(like))
      return failure();
    FailureOr<SmallVector<DimExprs>> all = inferDims(op, *this);
    if (failed(all))
      return failure();
    for (auto [result, dims] : llvm::zip_equal(op->getResults(), *all))
      if (failed(define(result, std::move(dims))))
        return failure();
    return success();
  }

  // Carried dims are those of the first iteration; then the last must have left them alone.
  LogicalResult analyzeWhile(flow::WhileOp loop) {
    hasRegions_ = true;
    Block &before = loop.getBefore().front(), &body = loop.getBody().front();
    SmallVector<Value> entering(loop.getInits());
    llvm::append_range(entering, loop.getCaptures());
    if (failed(defineAll(before.getArguments(), entering)) || failed(analyze(before)))
      return failure();
    SmallVector<Value> forwarded(cast<flow::ConditionOp>(before.getTerminator()).getForwarded());
    if (failed(defineAll(loop.getResults(), forwarded)))
      return failure();
    llvm::append_range(forwarded, loop.getCaptures());
    if (failed(defineAll(body.getArguments(), forwarded)) || failed(analyze(body)))
      return failure();
    for (auto [argument, next] :
         llvm::zip(before.getArguments(), body.getTerminator()->getOperands()))
      if (!haveSameDims(argument, next) && failed(stumble(loop, argument)))
        return failure();
    return success();
  }

  bool haveSameDims(Value a, Value b) const {
    if (culprits_ && !(shapes_.areKnown(a) && shapes_.areKnown(b)))
      return false;
    return shapes_.haveSameDims(a, b);
  }

  LogicalResult analyzeCond(flow::CondOp cond) {
    hasRegions_ = true;
    for (Region *region : {&cond.getOnTrue(), &cond.getOnFalse()})
      if (failed(defineAll(region->front().getArguments(), cond.getCaptures())) ||
          failed(analyze(region->front())))
        return failure();
    ValueRange onTrue = cond.getOnTrue().front().getTerminator()->getOperands();
    ValueRange onFalse = cond.getOnFalse().front().getTerminator()->getOperands();
    bool areSame = llvm::all_of(llvm::zip_equal(onTrue, onFalse), [&](auto pair) {
      return haveSameDims(std::get<0>(pair), std::get<1>(pair));
    });
    return areSame ? defineAll(cond.getResults(), onTrue) : stumble(cond);
  }

  flow::CodeletOp codelet_;
  MLIRContext *context_;
  ShapeSymbols shapes_;
  DenseMap<std::pair<unsigned, unsigned>, AffineExpr> classes_; // by input and dim
  bool hasRegions_ = false, isContradicted_ = false;
  SmallVector<ShapeSymbols::Culprit> *culprits_ = nullptr;
};

SmallVector<ShapeSymbols::Culprit> ShapeSymbols::culprits(flow::CodeletOp codelet) {
  return ShapeAnalysis(codelet).findCulprits();
}

FailureOr<ShapeSymbols> ShapeSymbols::of(flow::CodeletOp codelet) {
  return ShapeAnalysis(codelet).run();
}

namespace {

// Dims are not negative, so that quotients and remainders are those of unsigned numbers.
class DimEmitter : public AffineExprVisitor<DimEmitter, Value> {
public:
  DimEmitter(ImplicitLocOpBuilder &b, ValueRange symbols) : b_(b), symbols_(symbols) {}

  Value visitConstantExpr(AffineConstantExpr expr) {
    return arith::ConstantIndexOp::create(b_, expr.getValue());
  }
  Value visitSymbolExpr(AffineSymbolExpr expr) { return symbols_[expr.getPosition()]; }
  Value visitDimExpr(AffineDimExpr) { llvm_unreachable("dims are symbols"); }
  Value visitAddExpr(AffineBinaryOpExpr expr) { return emit<arith::AddIOp>(expr); }
  Value visitMulExpr(AffineBinaryOpExpr expr) { return emit<arith::MulIOp>(expr); }
  Value visitModExpr(AffineBinaryOpExpr expr) { return emit<arith::RemUIOp>(expr); }
  Value visitFloorDivExpr(AffineBinaryOpExpr expr) { return emit<arith::DivUIOp>(expr); }
  Value visitCeilDivExpr(AffineBinaryOpExpr expr) {
    AffineExpr rounded = expr.getLHS() + expr.getRHS() - 1;
    return visit(rounded.floorDiv(expr.getRHS()));
  }

private:
  template <typename Op> Value emit(AffineBinaryOpExpr expr) {
    Value left = visit(expr.getLHS()), right = visit(expr.getRHS());
    return b_.createOrFold<Op>(left, right);
  }
  ImplicitLocOpBuilder &b_;
  ValueRange symbols_;
};

} // namespace

Value emitDim(ImplicitLocOpBuilder &b, AffineExpr dim, ValueRange symbols) {
  return DimEmitter(b, symbols).visit(dim);
}

} // namespace sluice::codegen
