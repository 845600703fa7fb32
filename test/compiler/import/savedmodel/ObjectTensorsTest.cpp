// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors of variables by the objects that they are.
#include "compiler/import/savedmodel/ObjectTensors.h"

#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"

#include <map>
#include <string>

namespace sluice::import {
namespace {

template <typename Message> Message parsed(const std::string &text) {
  Message message;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &message)) << text;
  return message;
}

using Tensors = std::map<std::string, std::string>;

Tensors sorted(const llvm::StringMap<std::string> &map) {
  Tensors tensors;
  for (const auto &entry : map)
    tensors.emplace(entry.first().str(), entry.second);
  return tensors;
}

std::string child(const std::string &name, int node) {
  return "children { local_name: '" + name + "' node_id: " + std::to_string(node) + " } ";
}
std::string slot(int original, int node) {
  return "slot_variables { original_variable_node_id: " + std::to_string(original) +
         " slot_name: 'sum' slot_variable_node_id: " + std::to_string(node) + " } ";
}
std::string object(const std::string &content) { return "nodes { " + content + " } "; }
std::string stored(const std::string &name, const std::string &key) {
  return object("attributes { name: 'VARIABLE_VALUE' full_name: '" + name + "' checkpoint_key: '" +
                key + "' } ");
}
std::string bound(const std::string &function, const std::string &objects) {
  return "concrete_functions { key: '" + function + "' value { bound_inputs: [" + objects +
         "] } } ";
}

// Two layers whose kernels have one name, and an optimizer with a sum for one of them.
const std::string kSaved =
    object(child("p", 1) + child("q", 2) + child("optimizer", 5) + child("self", 0)) +
    object(child("kernel", 3)) + object(child("kernel", 4)) + object("variable {}") +
    object("variable {}") + object(slot(3, 6)) + object("variable {}");
// The same in another order.
const std::string kStored =
    object(child("q", 1) + child("p", 2) + child("optimizer", 3) + child("self", 0)) +
    object(child("kernel", 4)) + object(child("kernel", 5)) + object(slot(5, 6)) +
    stored("d/kernel", "q/kernel") + stored("d/kernel", "p/kernel") +
    stored("sum", "optimizer/sum");
const std::string kGraph = R"(
  node { name: 'x' op: 'Placeholder' }
  node { name: 'd/kernel' op: 'VarHandleOp' }
  node { name: 'd/kernel_1' op: 'VarHandleOp' attr { key: 'shared_name' value { s: 'other' } } }
  node { name: 'sum_2' op: 'VarHandleOp' }
  node { name: 'f' op: 'StatefulPartitionedCall' input: 'x' input: 'd/kernel' input: 'd/kernel_1:0' input: '^x'
         attr { key: 'f' value { func { name: 'call_f' } } } }
  node { name: 'g' op: 'PartitionedCall' input: 'sum_2' attr { key: 'f' value { func { name: 'call_g' } } } })";

ObjectTensors tensorsOf(const std::string &saved, const std::string &stored) {
  return tensorsOfObjects(parsed<graphdef::SavedObjects>(saved), parsed<graphdef::GraphDef>(kGraph),
                          parsed<graphdef::ObjectGraph>(stored));
}

TEST(ObjectTensors, AreThoseOfCapturedObjects) {
  ObjectTensors tensors =
      tensorsOf(kSaved + bound("call_f", "4, 3") + bound("call_g", "6"), kStored);
  EXPECT_EQ(sorted(tensors.captured),
            (Tensors{{"d/kernel", "q/kernel"}, {"other", "p/kernel"}, {"sum_2", "optimizer/sum"}}));
  EXPECT_EQ(sorted(tensors.named), (Tensors{{"sum", "optimizer/sum"}}));
}

TEST(ObjectTensors, AreNotGuessed) {
  for (const std::string &functions : {bound("call_f", "0, 9, -1"), bound("call_f", "2, 2"),
                                       bound("call_f", "3, 3, 3, 3, 3"), bound("call_h", "3")})
    EXPECT_EQ(sorted(tensorsOf(kSaved + functions, kStored).captured), Tensors()) << functions;
  EXPECT_EQ(sorted(tensorsOf("", kStored).captured), Tensors());
  EXPECT_EQ(sorted(tensorsOf(kSaved + bound("call_f", "4, 3"), "").captured),
            (Tensors{{"d/kernel", ""}, {"other", ""}}));
  EXPECT_EQ(sorted(tensorsOf(object(child("a", 7) + child("q", -1)) + bound("call_f", "0"),
                             object(child("a", 9) + child("q", 1)))
                       .captured),
            Tensors());
}

} // namespace
} // namespace sluice::import
