// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which values are one list after the other, and so have elements of one type.
//
// Values that ops forward, give on, carry round loops and out of branches are in one class. Lists
// within lists are elements of a class, and have classes of their own.
//
// Where a class would have elements of several types, as of what one branch saves and another one,
// it is *mixed*: nothing follows from what it holds for what is read of it.
//
// Classes are wider or narrower. A sum and what is added are of one type; as are zeros and what
// they are for. But only the thread of a list is what is done to it: a sum goes on where its first
// operand was.
#pragma once

#include "dialects/list/List.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"

namespace sluice::list {

class ListClasses {
public:
  enum class Of { kType, kThread };
  // Of all values in the op's regions. What functions are given and give is known if it is a
  // module.
  explicit ListClasses(mlir::Operation *root, Of what = Of::kType);

  // All lists, in the order in which they stand.
  llvm::ArrayRef<mlir::Value> lists() const { return lists_; }
  size_t size() const { return nodes_.size(); } // classes have numbers below
  unsigned classOf(mlir::Value list) const;
  // Nothing for a value that was not there when classes were found.
  std::optional<unsigned> findClass(mlir::Value list) const;
  // Whether the class has values that an op takes or gives of which nothing is known here.
  bool isOpen(unsigned number) const { return nodes_[find(number)].isOpen; }

  // The list type that the class has by what is known; of f32 where nothing is.
  mlir::Type typeOf(unsigned number) const;

private:
  static constexpr unsigned kNone = ~0u;
  static constexpr unsigned kDeepest = 64; // lists within lists; what is deeper within holds any
  struct Node {
    unsigned parent = 0;
    unsigned element = kNone; // a node, if elements are lists
    mlir::Type numbers;       // what elements hold, if they are tensors
    bool isOpen = false;
    bool isMixed = false; // elements are of several types
  };

  unsigned find(unsigned node) const;
  unsigned elementClassOf(unsigned node) const; // kNone if it has none
  unsigned makeNode();
  unsigned nodeOf(mlir::Value list);
  void makeMixed(unsigned node);
  void learnTensor(unsigned node, mlir::Type numbers);
  void learnElement(unsigned node, unsigned element);
  void learnType(unsigned node, mlir::Type type);
  bool mayBeOne(unsigned a, unsigned b) const;
  void unite(unsigned a, unsigned b);
  void join(mlir::Value a, mlir::Value b);
  void visit(mlir::Operation *op);
  void open(mlir::ValueRange values);

  void findCircles();
  void visitCall(flow::CallOp call);

  void visitListOp(mlir::Operation *op);

  Of what_;
  std::optional<mlir::SymbolTable> functions_; // none if there are none in sight
  std::vector<Node> nodes_;
  llvm::MapVector<mlir::Value, unsigned> numbers_;
  llvm::SmallVector<mlir::Value> lists_;
};

} // namespace sluice::list
