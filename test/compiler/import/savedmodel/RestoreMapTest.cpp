// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which tensor of a checkpoint a variable is restored from, as the graph tells it.
#include "compiler/import/savedmodel/RestoreMap.h"
#include "test/compiler/import/savedmodel/ModelText.h"

#include "llvm/ADT/StringExtras.h"

namespace sluice::import {
namespace {

// "v=key[part], …", or what was said.
std::string mapOf(const std::string &graph, const std::string &restoreNode,
                  const Limits &limits = {}) {
  DiagnosticList diagnostics;
  auto file = GraphFile::parse("g.pbtxt", graph, diagnostics);
  if (!file)
    return formatLines(diagnostics, false);
  RestoreMap map =
      readRestoreMap(file->graph(), restoreNode, {"g.pbtxt", "", ""}, limits, diagnostics);
  if (diagnostics.hasErrors())
    return formatLines(diagnostics, false);
  std::vector<std::string> all;
  for (const auto &entry : map.byVariable)
    all.push_back(entry.first().str() + "=" + entry.second.name +
                  (entry.second.part.empty() ? "" : "[" + entry.second.part + "]"));
  llvm::sort(all);
  for (const RestoredTable &table : map.tables)
    all.push_back("table " + table.table->name() + "=" + table.keys.name + "->" +
                  table.values.name);
  return llvm::join(all, ", ");
}

std::string restore(const std::string &prefix, const std::vector<std::string> &names,
                    const std::vector<std::string> &parts) {
  return strings(prefix + "names", names) + strings(prefix + "parts", parts) +
         node(prefix + "restore", "RestoreV2", {"file", prefix + "names", prefix + "parts"});
}

const std::string kFile = strings("file", {"model"});

TEST(RestoreMap, AssignmentsOfAGraph) {
  std::string graph =
      node("a", "VariableV2", {}, type("dtype", "DT_FLOAT")) + variable("h", "shared") + kFile +
      restore("save/", {"a/key", "h/key", "p/key"}, {"", "", "4 2 0,2:-"}) +
      node("save/Assign", "Assign", {"a", "save/restore"}, kFloat) +
      node("save/id", "Identity", {"save/restore:1"}, kFloat) +
      node("save/AssignVar", "AssignVariableOp", {"h", "save/id"}, type("dtype", "DT_FLOAT")) +
      node("p", "VariableV2", {}, type("dtype", "DT_FLOAT")) +
      node("pid", "RefIdentity", {"p"}, kFloat) +
      node("save/AssignP", "Assign", {"pid", "save/restore:2"}, kFloat) +
      node("save/shard", "NoOp", {"^save/Assign", "^save/AssignVar", "^save/AssignP"}) +
      node("save/restore_all", "NoOp", {"^save/shard"});
  EXPECT_EQ(mapOf(graph, "save/restore_all"), "a=a/key, p=p/key[4 2 0,2:-], shared=h/key");
  EXPECT_EQ(mapOf(graph, "save/Assign"), "a=a/key"); // only what the node waits for
  EXPECT_NE(mapOf(graph, "nowhere").find("restore node 'nowhere' is not in the graph"),
            std::string::npos);
}

TEST(RestoreMap, OpsOfTheFirstFormat) {
  std::string graph =
      node("a", "VariableV2", {}, type("dtype", "DT_FLOAT")) +
      node("p", "VariableV2", {}, type("dtype", "DT_FLOAT")) + kFile + strings("an", {"a/key"}) +
      strings("pn", {"p/key"}) + strings("part", {"4 2 0,2:-"}) +
      node("ra", "Restore", {"file", "an", "^file"}) +
      node("rp", "RestoreSlice", {"file", "pn", "part"}) +
      node("set_a", "Assign", {"a", "ra"}, kFloat) + node("set_p", "Assign", {"p", "rp"}, kFloat) +
      node("all", "NoOp", {"^set_a", "^set_p"});
  EXPECT_EQ(mapOf(graph, "all"), "a=a/key, p=p/key[4 2 0,2:-]");
}

// Whatever is not just what the checkpoint holds is left alone.
TEST(RestoreMap, OtherValuesAreNoBinding) {
  std::string graph = variable("v") + variable("w") + kFile + restore("", {"key"}, {""}) +
                      node("twice", "AddV2", {"restore", "restore"}, kFloat) + one("one") +
                      node("set", "AssignVariableOp", {"v", "twice"}, type("dtype", "DT_FLOAT")) +
                      node("set2", "AssignVariableOp", {"w", "one"}, type("dtype", "DT_FLOAT")) +
                      node("all", "NoOp", {"^set", "^set2"});
  EXPECT_EQ(mapOf(graph, "all"), "");
}

TEST(RestoreMap, TablesOfAGraph) {
  std::string graph = node("t", "MutableHashTableV2", {}) + kFile +
                      restore("", {"t/keys", "t/values"}, {"", ""}) +
                      node("id", "Identity", {"restore:1"}, kFloat) +
                      node("fill", "LookupTableImportV2", {"t", "restore", "id"}) +
                      node("other", "LookupTableImportV2", {"t", "restore", "file"}) +
                      node("all", "NoOp", {"^fill"});
  EXPECT_EQ(mapOf(graph, "all"), "table t=t/keys->t/values");
  EXPECT_NE(mapOf(graph, "other").find("node 'other' restores a table: expected one of the graph"),
            std::string::npos);
}

std::string restoreFunction(const std::string &name) {
  return function(
      name, {"prefix", "v_arg", "w_arg"}, {{"out", "done:output:0"}},
      strings("names", {"v/.ATTRIBUTES/VARIABLE_VALUE", "w/.ATTRIBUTES/VARIABLE_VALUE"}) +
          strings("parts", {"", ""}) +
          node("r", "RestoreV2", {"prefix", "names:output:0", "parts:output:0"}) +
          node("i0", "Identity", {"r:tensors:0"}, kFloat) +
          node("i1", "Identity", {"r:tensors:1"}, kFloat) +
          node("s0", "AssignVariableOp", {"v_arg", "i0:output:0"}) +
          node("s1", "AssignVariableOp", {"w_arg", "i1:output:0"}) +
          node("done", "Identity", {"prefix", "^s0", "^s1"}, kFloat));
}

TEST(RestoreMap, BodiesOfFunctions) {
  std::string graph = variable("v", "first") + variable("w") + kFile +
                      call("restore_all", "f", {"file", "v", "w"}) + "library { " +
                      restoreFunction("f") + " }";
  EXPECT_EQ(mapOf(graph, "restore_all"), "first=v/.ATTRIBUTES/VARIABLE_VALUE, "
                                         "w=w/.ATTRIBUTES/VARIABLE_VALUE");
}

// Variables go in through two calls, and values come out of another.
TEST(RestoreMap, CallsWithinCalls) {
  std::string reading =
      function("reading", {"prefix"}, {{"first", "r:tensors:0"}, {"second", "r:tensors:1"}},
               strings("names", {"k0", "k1"}) + strings("parts", {"", ""}) +
                   node("r", "RestoreV2", {"prefix", "names:output:0", "parts:output:0"}));
  std::string setting =
      function("setting", {"x", "y", "z"}, {}, node("set", "AssignVariableOp", {"z", "y"}));
  std::string outer = function("outer", {"prefix", "a", "b"}, {},
                               call("values", "reading", {"prefix"}) +
                                   call("one", "setting", {"prefix", "values:output:1", "a"}) +
                                   call("two", "setting", {"prefix", "values:output:0", "b"}));
  std::string graph = variable("v") + variable("w") + kFile +
                      call("all", "outer", {"file", "v", "w"}) + "library { " + reading + setting +
                      outer + " }";
  EXPECT_EQ(mapOf(graph, "all"), "v=k1, w=k0");
}

TEST(RestoreMap, EndlessCalls) {
  std::string graph = kFile + call("all", "f", {"file"}) + "library { " +
                      function("f", {"x"}, {}, call("again", "f", {"x"})) + " }";
  EXPECT_NE(mapOf(graph, "all").find("calls functions without end; node 'again' calls 'f'"),
            std::string::npos)
      << mapOf(graph, "all");
  // Twice as many with each function.
  std::string library;
  for (int i = 0; i < 40; ++i)
    library += function("f" + std::to_string(i), {"x"}, {},
                        call("a", "f" + std::to_string(i + 1), {"x"}) +
                            call("b", "f" + std::to_string(i + 1), {"x"}));
  library += function("f40", {"x"}, {}, node("n", "NoOp"));
  EXPECT_NE(mapOf(kFile + call("all", "f0", {"file"}) + "library { " + library + " }", "all")
                .find("--limit restore-calls=N"),
            std::string::npos);
}

TEST(RestoreMap, ValuesThatGoInCircles) {
  std::string graph = variable("v") + node("a", "Identity", {"b"}, kFloat) +
                      node("b", "Identity", {"a"}, kFloat) +
                      node("set", "AssignVariableOp", {"v", "a"});
  EXPECT_EQ(mapOf(graph, "set"), "");
}

TEST(RestoreMap, OneVariableFromTwoTensors) {
  std::string graph = variable("v") + kFile + restore("", {"k0", "k1"}, {"", ""}) +
                      node("s0", "AssignVariableOp", {"v", "restore:0"}) +
                      node("s1", "AssignVariableOp", {"v", "restore:1"}) +
                      node("all", "NoOp", {"^s0", "^s1"});
  EXPECT_NE(mapOf(graph, "all").find("variable 'v' is restored from two tensors"),
            std::string::npos);
}

TEST(RestoreMap, DamagedNodes) {
  std::string set = node("s", "AssignVariableOp", {"v", "r:5"});
  for (const std::string &graph :
       {variable("v") + set + node("r", "RestoreV2", {"a"}),
        variable("v") + set + node("r", "RestoreV2", {"a", "b", "c"}),
        variable("v") + set + kFile + strings("n", {"k"}) +
            node("r", "RestoreV2", {"file", "n", "n"}),
        variable("v") + node("s", "AssignVariableOp", {"v", "^r"}) + node("r", "NoOp"),
        variable("v") + node("s", "AssignVariableOp", {"v", ":"}),
        variable("v") + call("s", "f", {"v"}), node("s", "Assign", {"v"})})
    EXPECT_EQ(mapOf(graph, "s"), "") << graph;
}

} // namespace
} // namespace sluice::import
