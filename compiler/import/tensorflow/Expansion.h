// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the builder of one TensorFlow op sees: the node's inputs and attributes, and ways to make
// ops and to hand over results.
//
// The caller has prepared the inputs by the entry's style, so that most builders are a few lines:
// references are read where a tensor is wanted, and control inputs gate an operand.
#pragma once

#include "compiler/import/Diagnostic.h"
#include "compiler/import/GraphCheck.h"
#include "compiler/import/MlirTypes.h"

#include "dialects/array/Array.h"
#include "dialects/flow/Flow.h"
#include "dialects/nd/Nd.h"
#include "dialects/state/State.h"

#include "mlir/IR/Builders.h"

namespace sluice::import {

using mlir::Type;
using mlir::TypeRange;
using mlir::Value;
using mlir::ValueRange;

class GraphBuilder;

enum class Style : uint8_t {
  // Computes from tensors: references are read, control inputs gate an operand or the results.
  kPure,
  // Has an effect: references are read where the op wants tensors; the builder passes the tokens
  // on.
  kEffect,
  // As kPure, and inputs may be lists or handles of shared objects.
  kLists,
  // Forwards input 0 as it is, also a reference or handle; control inputs gate it.
  kForward,
  // The builder treats inputs and tokens itself.
  kOwn,
};

class Expansion {
public:
  Expansion(GraphBuilder &graph, uint32_t node, llvm::SmallVector<Value> inputs,
            llvm::SmallVector<Value> tokens);

  // ---- The node
  uint32_t index() const { return index_; }
  const Node &node() const { return *node_; }
  std::string name() const { return node_->name().str(); }
  size_t numInputs() const { return inputs_.size(); }
  Value input(size_t i) const { return inputs_[i]; }
  llvm::ArrayRef<Value> inputs() const { return inputs_; }
  llvm::ArrayRef<Value> tokens() const { return tokens_; }
  size_t numResults() const { return node_->outputTypes.size(); }
  // Whether anything in the selection uses the output.
  bool isUsed(uint32_t slot) const;

  // ---- Attributes: as given, or their defaults
  int64_t intAttr(llvm::StringRef name) const;
  double floatAttr(llvm::StringRef name) const;
  bool boolAttr(llvm::StringRef name) const;
  std::string stringAttr(llvm::StringRef name) const;
  llvm::SmallVector<int64_t> intsAttr(llvm::StringRef name) const;
  DataType dataTypeAttr(llvm::StringRef name) const;
  // The element type; null (after a diagnostic) when it cannot be computed with.
  Type typeAttr(llvm::StringRef name);
  mlir::TensorType shapeAttr(llvm::StringRef name, Type elementType) const;
  // Null if the op has no such attribute. The op's line must name it.
  const graphdef::AttrValue *attribute(llvm::StringRef name) const;
  // All that the op's line names; null if it names none.
  mlir::DictionaryAttr attributes() const;

  // ---- Making ops
  mlir::OpBuilder &builder() { return *builder_; }
  mlir::Location loc() const { return loc_; }
  mlir::NamedAttribute flag(llvm::StringRef name, bool value);
  mlir::NamedAttribute number(llvm::StringRef name, int64_t value);
  mlir::NamedAttribute text(llvm::StringRef name, const std::string &value);
  mlir::NamedAttribute type(llvm::StringRef name, Type value);

  template <typename OpT>
  OpT make(TypeRange results, ValueRange operands,
           llvm::ArrayRef<mlir::NamedAttribute> attributes = {}) {
    return OpT::create(*builder_, loc_, results, operands, attributes);
  }
  // An op of one tensor result whose shape is left to inference.
  template <typename OpT>
  Value tensor(Type elementType, ValueRange operands,
               llvm::ArrayRef<mlir::NamedAttribute> attributes = {}) {
    return make<OpT>(unrankedOf(elementType), operands, attributes)->getResult(0);
  }
  // The same with the element type of the first operand.
  template <typename OpT>
  Value like(ValueRange operands, llvm::ArrayRef<mlir::NamedAttribute> attributes = {}) {
    return tensor<OpT>(elementOf(operands.front()), operands, attributes);
  }
  template <typename OpT> Value compare(Value a, Value b) {
    return tensor<OpT>(builder_->getI1Type(), {a, b});
  }
  // An op with effects: the node's tokens come after the operands, and its last result, the token
  // `done`, becomes the node's control output.
  template <typename OpT>
  OpT effect(TypeRange results, ValueRange operands,
             llvm::ArrayRef<mlir::NamedAttribute> attributes = {}) {
    llvm::SmallVector<Value> all(operands.begin(), operands.end());
    all.append(tokens_.begin(), tokens_.end());
    llvm::SmallVector<Type> types(results.begin(), results.end());
    types.push_back(tokenType());
    OpT op = make<OpT>(types, all, attributes);
    done(op->getResults().back());
    return op;
  }

  Type tokenType() const;
  static Type elementOf(Value value);
  // The element type of an output, from the op's signature.
  Type resultElement(size_t slot);
  Value scalar(Type elementType, double value);
  Value ints(llvm::ArrayRef<int64_t> values, Type elementType = {});
  Value int32(int64_t value);
  // Whether the first inputs are variables; fails unless they are, whatever the graph says of their
  // types. Variables of lists are refused where tensors are wanted.
  enum class Holding : uint8_t { kTensors, kAnything };
  bool hasVariables(size_t count, Holding holding = Holding::kTensors);
  // The type of what a variable holds.
  static Type heldType(Value variable);
  // The same of one that holds a tensor.
  static mlir::TensorType valueType(Value variable);
  // The node's output 0, a reference to its first variable, once its effects have happened. Only
  // where somebody wants it.
  void forwardVariable(Value done);
  // Values, one for each input, of which each arrives only when all inputs have: for ops whose
  // outputs use one input each.
  llvm::SmallVector<Value> afterAllInputs(llvm::ArrayRef<Value> values);
  Value gated(Value value, ValueRange tokens);

  // ---- Handing over
  void result(uint32_t slot, Value value);
  void done(Value token);
  void fail(ExitCode code, std::string message);
  void unsupported(std::string message) { fail(ExitCode::kUnsupported, std::move(message)); }
  bool failed() const;
  GraphBuilder &graph() { return *graph_; }

private:
  GraphBuilder *graph_;
  uint32_t index_;
  const Node *node_;
  mlir::OpBuilder *builder_;
  mlir::Location loc_;
  llvm::SmallVector<Value> inputs_;
  llvm::SmallVector<Value> tokens_;
};

// ---- Tables

struct OpExpansion {
  llvm::StringLiteral name;
  void (*build)(Expansion &);
  Style style = Style::kPure;
  // Names, with blanks between them, of the attributes that count, besides those that give element
  // types and numbers of inputs and outputs. All others must have their default values.
  llvm::StringLiteral attributes = "";
  // The name stays around what is built for it, as a flow.composite. Of ops without effects.
  bool isComposite = false;
  // It looks at no element, so that these may be of a type that cannot be computed with.
  bool movesElements = false;

  bool reads(llvm::StringRef attribute) const;
  llvm::SmallVector<llvm::StringRef> attributeNames() const;
};

// A line for a name whose derivative is not that of the ops it is built from, where somebody who
// differentiates would look at the values, the order of operations or the bits: at a rectifier's
// kink, where a logarithm is infinite, in what a softmax has computed already.
constexpr OpExpansion composite(OpExpansion line) {
  line.isComposite = true;
  return line;
}

constexpr OpExpansion moving(OpExpansion line) {
  line.movesElements = true;
  return line;
}

// One table for each family, in the file of its name.
llvm::ArrayRef<OpExpansion> controlFlowOps();
llvm::ArrayRef<OpExpansion> functionOps();
llvm::ArrayRef<OpExpansion> elementwiseOps();
llvm::ArrayRef<OpExpansion> activationOps();
llvm::ArrayRef<OpExpansion> reduceOps();
llvm::ArrayRef<OpExpansion> matmulOps();
llvm::ArrayRef<OpExpansion> einsumOps();
llvm::ArrayRef<OpExpansion> matrixOps();
llvm::ArrayRef<OpExpansion> specialOps();
llvm::ArrayRef<OpExpansion> angleOps();
llvm::ArrayRef<OpExpansion> colorOps();
llvm::ArrayRef<OpExpansion> bitsOps();
llvm::ArrayRef<OpExpansion> partsOps();
llvm::ArrayRef<OpExpansion> linearOps();
llvm::ArrayRef<OpExpansion> fourierOps();
llvm::ArrayRef<OpExpansion> quantizeOps();
llvm::ArrayRef<OpExpansion> quantizedOps();
llvm::ArrayRef<OpExpansion> shapeOps();
llvm::ArrayRef<OpExpansion> layoutOps();
llvm::ArrayRef<OpExpansion> indexOps();
llvm::ArrayRef<OpExpansion> blockOps();
llvm::ArrayRef<OpExpansion> groupOps();
llvm::ArrayRef<OpExpansion> convolutionOps();
llvm::ArrayRef<OpExpansion> poolOps();
llvm::ArrayRef<OpExpansion> boxesOps();
llvm::ArrayRef<OpExpansion> sequenceOps();
llvm::ArrayRef<OpExpansion> normalizationOps();
llvm::ArrayRef<OpExpansion> cellOps();
llvm::ArrayRef<OpExpansion> cellLoopOps();
llvm::ArrayRef<OpExpansion> imageOps();
llvm::ArrayRef<OpExpansion> arrayOps();
llvm::ArrayRef<OpExpansion> listOps();
llvm::ArrayRef<OpExpansion> mapOps();
llvm::ArrayRef<OpExpansion> stateOps();
llvm::ArrayRef<OpExpansion> randomOps();
llvm::ArrayRef<OpExpansion> generatorOps();
llvm::ArrayRef<OpExpansion> optimizerOps();
llvm::ArrayRef<OpExpansion> tableOps();
llvm::ArrayRef<OpExpansion> queueOps();
llvm::ArrayRef<OpExpansion> coordinationOps();
llvm::ArrayRef<OpExpansion> stageOps();
llvm::ArrayRef<OpExpansion> checkpointOps();
llvm::ArrayRef<OpExpansion> recordOps();
llvm::ArrayRef<OpExpansion> readerOps();
llvm::ArrayRef<OpExpansion> textOps();
llvm::ArrayRef<OpExpansion> sparseOps();
llvm::ArrayRef<OpExpansion> sparseCrossOps();
llvm::ArrayRef<OpExpansion> sparseMathOps();
llvm::ArrayRef<OpExpansion> sparseSegmentOps();
llvm::ArrayRef<OpExpansion> raggedOps();
llvm::ArrayRef<OpExpansion> raggedRowOps();
llvm::ArrayRef<OpExpansion> encodedOps();
llvm::ArrayRef<OpExpansion> setOps();

struct OpFamily {
  llvm::StringLiteral name;
  llvm::StringLiteral summary; // what it is about
  llvm::ArrayRef<OpExpansion> ops;
};

// All families; together they are what graphs may use.
llvm::ArrayRef<OpFamily> opFamilies();

// Null when the op is not supported.
const OpExpansion *findExpansion(llvm::StringRef op);
// The same of a node, which may be a call of a function by its name.
const OpExpansion *expansionOf(const Node &node);
bool isSupported(const OpSignature &op);
// All supported names, sorted.
std::vector<llvm::StringRef> supportedOps();

} // namespace sluice::import
