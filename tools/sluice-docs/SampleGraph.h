// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small graphs around one node of a TensorFlow op, made of the op's signature alone.
#pragma once

#include "compiler/import/OpTable.h"
#include "compiler/import/graphdef.pb.h"

#include <optional>
#include <string>
#include <vector>

namespace sluice::docs {

// What a signature leaves open: which ops give the handles and lists that a node wants, which one
// takes those that it gives, and what integers are.
struct SampleChoice {
  enum class Integers { kFed, kZero, kZeros, kOnes, kMinusOne };
  Integers integers = Integers::kFed;
  std::string maker, taker;   // empty: none is tried
  bool holdsIntegers = false; // what the maker makes, as the states of generators are
};

class SampleGraph {
public:
  // Of an op whose attributes name no functions.
  SampleGraph(import::OpTable &table, const import::OpSignature &op, const SampleChoice &choice);

  graphdef::GraphDef graph;
  std::vector<std::string> feeds;   // all inputs that are tensors
  std::vector<std::string> fetches; // all outputs that are tensors
  std::string node;                 // of the op

private:
  std::string add(const import::OpSignature &op, const std::string &firstOfMaker);
  std::string inputOf(const import::ArgSignature &argument, graphdef::DataType type,
                      const std::string &consumer);
  std::string addFeed(graphdef::DataType type);
  std::string addIntegers(graphdef::DataType type);
  graphdef::NodeDef &addNode(const std::string &op);
  std::optional<graphdef::DataType> typeMade(const import::OpSignature &op,
                                             const import::AttrSignature &attribute) const;
  graphdef::AttrValue valueOf(const import::OpSignature &op,
                              const import::AttrSignature &attribute) const;

  import::OpTable &table_;
  const SampleChoice &choice_;
};

// Handles and lists, which no caller feeds or fetches, by how they are given.
enum class Opaque { kNone, kReference, kResource, kVariant, kText };
Opaque opaqueOf(const import::ArgSignature &argument);
// The first that is one among the arguments.
Opaque firstOpaque(llvm::ArrayRef<import::ArgSignature> arguments);

} // namespace sluice::docs
