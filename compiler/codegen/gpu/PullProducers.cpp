// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As of the sum of a product and a bias, of which the gates of a recurrent cell each read a part.
#include "compiler/codegen/gpu/PullProducers.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace sluice::codegen {

namespace {

struct Range {
  int64_t begin, size;
};

// The part of the buffer that the view is, dim by dim; nothing if it is not such a part.
std::optional<SmallVector<Range>> partOf(MemRefType view, MemRefType whole) {
  if (view.getRank() != whole.getRank() || !view.hasStaticShape() || !whole.hasStaticShape() ||
      !whole.getLayout().isIdentity())
    return std::nullopt;
  auto [strides, offset] = view.getStridesAndOffset();
  auto [wholeStrides, wholeOffset] = whole.getStridesAndOffset();
  if (strides != wholeStrides || ShapedType::isDynamic(offset))
    return std::nullopt;
  SmallVector<Range> part;
  for (auto [size, all, stride] : llvm::zip(view.getShape(), whole.getShape(), strides)) {
    Range range{stride > 0 ? offset / stride : 0, size};
    offset -= range.begin * stride;
    if (range.begin + size > all)
      return std::nullopt;
    part.push_back(range);
  }
  return part;
}

// A reader of a part of what is produced.
struct Part {
  OpOperand *operand;
  SmallVector<Range> ranges;
};

class Puller {
public:
  Puller(linalg::GenericOp producer, const CardBuffers &buffers)
      : producer_(producer), buffers_(buffers) {}

  bool run() {
    if (!isSimple() || !findParts(CardBuffers::rootOf(producer_.getDpsInits()[0])) ||
        parts_.empty() || !canMove())
      return false;
    for (OpOperand *input : producer_.getDpsInputOperands())
      if (!hasParts(*input))
        return false;
    pull();
    return true;
  }

private:
  bool isSimple() {
    Value result = producer_.getNumDpsInits() == 1 ? producer_.getDpsInits()[0] : Value();
    return result && buffers_.isOwn(result) && CardBuffers::rootOf(result) == result &&
           producer_.getMatchingIndexingMap(producer_.getDpsInitOperand(0)).isIdentity() &&
           producer_.getBody()->getOps<linalg::IndexOp>().empty();
  }

  // All uses are reads of parts by one generic.
  bool findParts(Value buffer) {
    auto whole = cast<MemRefType>(producer_.getDpsInits()[0].getType());
    return llvm::all_of(buffer.getUses(), [&](OpOperand &use) {
      Operation *op = use.getOwner();
      if (op == producer_ || isa<memref::DimOp>(op))
        return true;
      if (isa<memref::ExtractStridedMetadataOp, memref::ReinterpretCastOp>(op))
        return llvm::all_of(op->getResults(), [&](Value result) {
          return isa<MemRefType>(result.getType()) ? findParts(result) : true;
        });
      auto reader = dyn_cast<linalg::GenericOp>(op);
      auto part = partOf(cast<MemRefType>(buffer.getType()), whole);
      if (!reader || (reader_ && reader != reader_) || !part || !reader.isDpsInput(&use) ||
          reader.getNumParallelLoops() != reader.getNumLoops() ||
          !reader.getMatchingIndexingMap(&use).isIdentity())
        return false;
      reader_ = reader;
      parts_.push_back({&use, *part});
      return true;
    });
  }

  // Nothing between them, nor the reader itself, writes what the producer reads.
  bool canMove() {
    if (reader_->getBlock() != producer_->getBlock() || !producer_->isBeforeInBlock(reader_))
      return false;
    for (Operation *op = producer_->getNextNode(); op != reader_; op = op->getNextNode())
      if (!isa<LLVM::LoadOp, LLVM::StoreOp>(op) && !isMemoryEffectFree(op)) // stores of the host
        return false;
    return llvm::all_of(producer_.getDpsInputs(), [&](Value input) {
      return !isa<MemRefType>(input.getType()) ||
             llvm::all_of(reader_.getDpsInits(), [&](Value output) {
               return buffers_.overlap(input, output) == Overlap::kNone;
             });
    });
  }

  // Whether parts of it are views that can be told now.
  bool hasParts(OpOperand &input) {
    auto type = dyn_cast<MemRefType>(input.get().getType());
    if (!type)
      return true;
    auto [strides, offset] = type.getStridesAndOffset();
    return type.hasStaticShape() && !ShapedType::isDynamic(offset) &&
           llvm::none_of(strides, ShapedType::isDynamic) &&
           llvm::all_of(producer_.getMatchingIndexingMap(&input).getResults(),
                        llvm::IsaPred<AffineDimExpr>);
  }

  Value partOfInput(ImplicitLocOpBuilder &b, OpOperand &input, ArrayRef<Range> ranges) {
    auto type = dyn_cast<MemRefType>(input.get().getType());
    if (!type)
      return input.get();
    auto [strides, offset] = type.getStridesAndOffset();
    SmallVector<int64_t> sizes;
    for (auto [stride, result] :
         llvm::zip(strides, producer_.getMatchingIndexingMap(&input).getResults())) {
      Range range = ranges[cast<AffineDimExpr>(result).getPosition()];
      offset += range.begin * stride;
      sizes.push_back(range.size);
    }
    auto base = memref::ExtractStridedMetadataOp::create(b, input.get()).getBaseBuffer();
    auto layout = StridedLayoutAttr::get(b.getContext(), offset, strides);
    auto view = MemRefType::get(sizes, type.getElementType(), layout, type.getMemorySpace());
    auto folded = [&](ArrayRef<int64_t> values) {
      return llvm::map_to_vector(values,
                                 [&](int64_t v) { return OpFoldResult(b.getIndexAttr(v)); });
    };
    return memref::ReinterpretCastOp::create(b, view, base, b.getIndexAttr(offset), folded(sizes),
                                             folded(strides));
  }

  void pull() {
    ImplicitLocOpBuilder b(reader_.getLoc(), reader_);
    SmallVector<Value> ins, outs(reader_.getDpsInits());
    SmallVector<AffineMap> maps;
    auto partAt = [&](OpOperand *operand) {
      return llvm::find_if(parts_, [&](const Part &part) { return part.operand == operand; });
    };
    for (OpOperand *input : reader_.getDpsInputOperands()) {
      const auto *part = partAt(input);
      if (part == parts_.end()) {
        ins.push_back(input->get());
        maps.push_back(reader_.getMatchingIndexingMap(input));
        continue;
      }
      for (OpOperand *own : producer_.getDpsInputOperands()) {
        ins.push_back(partOfInput(b, *own, part->ranges));
        maps.push_back(producer_.getMatchingIndexingMap(own));
      }
    }
    for (OpOperand &output : reader_.getDpsInitsMutable())
      maps.push_back(reader_.getMatchingIndexingMap(&output));
    linalg::GenericOp::create(
        b, ins, outs, maps, reader_.getIteratorTypesArray(),
        [&](OpBuilder &builder, Location location, ValueRange arguments) {
          IRMapping inside;
          size_t next = 0;
          for (OpOperand *input : reader_.getDpsInputOperands()) {
            Value value;
            if (partAt(input) == parts_.end()) {
              value = arguments[next++];
            } else {
              IRMapping made;
              for (OpOperand *own : producer_.getDpsInputOperands())
                made.map(producer_.getMatchingBlockArgument(own), arguments[next++]);
              for (Operation &op : producer_.getBody()->without_terminator())
                builder.clone(op, made);
              value = made.lookupOrDefault(producer_.getBody()->getTerminator()->getOperand(0));
            }
            inside.map(reader_.getMatchingBlockArgument(input), value);
          }
          for (Operation &op : reader_.getBody()->without_terminator())
            builder.clone(op, inside);
          SmallVector<Value> results =
              llvm::map_to_vector(reader_.getBody()->getTerminator()->getOperands(),
                                  [&](Value result) { return inside.lookupOrDefault(result); });
          linalg::YieldOp::create(builder, location, results);
        });
    reader_.erase();
  }

  linalg::GenericOp producer_, reader_;
  const CardBuffers &buffers_;
  SmallVector<Part> parts_;
};

} // namespace

bool pullInto(linalg::GenericOp producer, const CardBuffers &buffers) {
  return Puller(producer, buffers).run();
}

} // namespace sluice::codegen
