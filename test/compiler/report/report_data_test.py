#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reports of whole compilations: data that are true.

Usage: report_data_test.py BIN EXAMPLES.
"""

import json
import re

import report_case
from report_case import DEADLINE, PAGERANK, ReportCase, pagerank

# A branch, one that stays primitive, two variables and an order between effects.
BRANCHES = """module {
  state.variable @v {key = "weights", type = tensor<4xf32>} loc("v")
  state.variable @s {key = "text", type = tensor<*x!nd.string>} loc("s")
  flow.graph @main {
    %x = flow.feed {name = "x:0"} : () -> tensor<4xf32> loc("x"("g.pbtxt":7:1))
    %p = flow.feed {name = "p:0"} : () -> tensor<i1> loc("p")
    %q = flow.feed {name = "q:0"} : () -> tensor<i1> loc("q")
    %c = nd.constant {value = dense<0.5> : tensor<4xf32>} : () -> tensor<4xf32> loc("half")
    %h, %ht = state.handle {variable = @v}
        : () -> (!state.resource<tensor<4xf32>>, !flow.token) loc("h")
    %r, %rt = state.read %h
        : (!state.resource<tensor<4xf32>>) -> (tensor<4xf32>, !flow.token) loc("read")
    %xf, %xt, %xs = flow.switch %x, %p
        : (tensor<4xf32>, tensor<i1>) -> (tensor<4xf32>, tensor<4xf32>, !flow.token) loc("c/Switch")
    %n = nd.mul %xt, %c : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc("c/halve")
    %y, %yi, %yt = flow.merge %xf, %n
        : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<i32>, !flow.token) loc("c/Merge")
    %rf, %rl, %rs = flow.switch %r, %q
        : (tensor<4xf32>, tensor<i1>) -> (tensor<4xf32>, tensor<4xf32>, !flow.token) loc("s/Switch")
    %z, %zi, %zt = flow.merge %rf, %xt
        : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<i32>, !flow.token) loc("s/Merge")
    %w = nd.add %y, %z : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc("sum")
    flow.fetch %w {name = "w:0"} : (tensor<4xf32>) -> () loc("w")
    flow.target %rt {name = "done"} : (!flow.token) -> () loc("done")
  } loc("main")
} loc("m")
"""
BRANCH_NODES = [
    ("x", "flow.feed", 0, ["f32[4]"]), ("p", "flow.feed", 0, ["i1[]"]),
    ("q", "flow.feed", 0, ["i1[]"]),
    ("h", "state.handle", 0, ["!state.resource<tensor<4xf32>>", "control"]),
    ("read", "state.read", 0, ["f32[4]", "control"]),
    ("c/Switch", "flow.switch", 0, ["f32[4]", "f32[4]", "control"]),
    ("c/Merge", "flow.cond", 1, ["f32[4]"]), ("c/halve", "nd.mul", 1, ["f32[4]"]),
    ("s/Switch", "flow.switch", 0, ["f32[4]", "f32[4]", "control"]),
    ("s/Merge", "flow.merge", 0, ["f32[4]", "i32[]", "control"]), ("sum", "nd.add", 0, ["f32[4]"]),
    ("w", "flow.fetch", 0, []), ("done", "flow.target", 0, [])]
BRANCH_EDGES = [
    ("h", "read", "value"), ("x", "c/Switch", "value"), ("p", "c/Switch", "value"),
    ("p", "c/Merge", "value"), ("x", "c/halve", "value"), ("read", "s/Switch", "value"),
    ("q", "s/Switch", "value"), ("s/Switch", "s/Merge", "value"), ("c/Switch", "s/Merge", "value"),
    ("c/halve", "sum", "value"), ("x", "sum", "value"), ("s/Merge", "sum", "value"),
    ("sum", "w", "value"), ("read", "done", "control")]
BRANCHES_RAISED = [{
    "signature": "main", "branches": 1, "loops": 0,
    "primitives": [{"what": "merge", "where": "'s/Merge'",
                    "why": "its values are not those of the two ways of one predicate"}]}]

COLLAPSED_GRAPH = """module {
  flow.graph @main {
    %n = flow.feed {name = "n"} : () -> tensor<i32> loc("n")
    %x = flow.feed {name = "x"} : () -> tensor<4xf32> loc("x")
    %zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32> loc("zero")
    %r:2 = flow.while (%zero, %x) (%n) {frame = "grow", parallel_iterations = 10 : i64}
        : (tensor<i32>, tensor<4xf32>, tensor<i32>) -> (tensor<i32>, tensor<4xf32>) before {
    ^bb0(%i: tensor<i32>, %v: tensor<4xf32>, %limit: tensor<i32>):
      %p = nd.less %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1> loc("less")
      flow.condition %p (%i, %v) : (tensor<i1>, tensor<i32>, tensor<4xf32>) -> () loc("cond")
    } body {
    ^bb0(%i: tensor<i32>, %v: tensor<4xf32>, %limit: tensor<i32>):
      %one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32> loc("one")
      %i1 = nd.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32> loc("next")
      %v1 = nd.mul %v, %v : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc("square")
      %v2 = nd.sin %v1 : (tensor<4xf32>) -> tensor<4xf32> loc("sin")
      flow.yield %i1, %v2 : (tensor<i32>, tensor<4xf32>) -> ()
    } loc("grow")
    flow.fetch %r#1 {name = "y:0"} : (tensor<4xf32>) -> () loc("y")
  } loc("main")
} loc("m")
"""


class DataTest(ReportCase):
    def test_names_all_that_the_program_is(self):
        data, _ = self.data(pagerank(), *PAGERANK, "-o", "program")
        self.assertEqual(data["format"], "sluice-report-1")
        self.assertEqual(data["program"]["name"], "pagerank")
        self.assertEqual(data["program"]["outputs"],
                         [{"name": "program", "bytes": (self.folder / "program").stat().st_size}])
        self.assertEqual(data["signatures"],
                         [{"name": "main", "feeds": [{"name": "links:0", "type": "f32[?,?]"}],
                           "fetches": [{"name": "ranks:0", "type": "f32[?]"},
                                       {"name": "iterations:0", "type": "i32[]"}],
                           "targets": []}])
        self.assertEqual([p["name"] for p in data["phases"]],
                         [p["name"] for p in data["times"]["phases"]])
        self.assertEqual(len(data["phases"]), 9)
        self.assertEqual(data["programs"][0]["variables"], [])

    def test_graph_is_complete(self):
        data, _ = self.data(pagerank(), *PAGERANK, "--no-collapse", "-o", "program")
        self.check_graph(data)
        graph = data["graphs"][0]
        loops = [box for box in graph["boxes"] if box["kind"] == "loop"]
        self.assertEqual([(box["title"], box["note"]) for box in loops],
                         [("while/while_context", "window 10")])
        names = {node["name"] for node in graph["nodes"]}
        self.assertLessEqual({"links", "shares", "while/MatMul", "while/LoopCond", "ranks"}, names)
        back = [edge for edge in graph["edges"] if edge["kind"] == "back"]
        self.assertEqual(len(back), 3)  # what the loop carries
        for edge in back:
            self.assertEqual(graph["nodes"][edge["to"]]["op"], "flow.merge")
        matmul = next(node for node in graph["nodes"] if node["name"] == "while/follow")
        self.assertEqual(matmul["constants"][0]["name"], "while/chance_to_follow")

    def check_graph(self, data):
        """Every edge has ends, every item stands once in its box, parents come before children."""
        codelets = {row["symbol"] for row in data["codelets"]}
        for graph in data["graphs"]:
            nodes, boxes = graph["nodes"], graph["boxes"]
            for edge in graph["edges"]:
                self.assertLess(max(edge["from"], edge["to"]), len(nodes))
            inside = [[] for _ in boxes]
            for i, node in enumerate(nodes):
                inside[node["box"]].append(f"n{i}")
            for i, box in enumerate(boxes[1:], 1):
                self.assertLess(box["parent"], i)
                inside[box["parent"]].append(f"b{i}")
                if box["kind"] == "codelet":
                    self.assertIn(box["note"], codelets)
            for box, expected in zip(boxes, inside):
                items = [item for layer in box["layers"] for item in layer["items"]]
                self.assertEqual(sorted(item for item in items if item[0] != "~"), sorted(expected))
                self.assertEqual(len(items), len(set(items)))
                self.assertLessEqual(len(expected), 60)
                bends = [bend for route in box["routes"] for bend in route["bends"]]
                self.assertEqual(sorted(bends), sorted(item for item in items if item[0] == "~"))

    def test_branches_are_drawn(self):
        (self.folder / "g.mlir").write_text(BRANCHES)
        data, _ = self.data("g.mlir", "--stop-after=raise", "-o", "out.mlir", "--march=x86-64-v2")
        self.assertEqual(data["raised"], BRANCHES_RAISED)
        graph = data["graphs"][0]
        nodes, boxes = graph["nodes"], graph["boxes"]
        self.assertEqual([(n["name"], n["op"], n["box"], n["types"]) for n in nodes], BRANCH_NODES)
        self.assertEqual([(nodes[e["from"]]["name"], nodes[e["to"]]["name"], e["kind"])
                          for e in graph["edges"]], BRANCH_EDGES)
        self.assertEqual((graph["edges"][0]["type"], graph["edges"][-1]["type"]),
                         ("!state.resource<tensor<4xf32>>", "control"))
        self.assertEqual([(b["kind"], b["title"], b["name"], b["note"], b["parent"])
                          for b in boxes],
                         [("graph", "main", "", "", 0), ("branch", "c/Merge", "c/Merge", "", 0)])
        self.assertEqual((graph["name"], graph["constants"]), ("main", 1))
        self.assertEqual(nodes[7]["constants"], [{"operand": 1, "name": "half", "value":
                                                  "dense<5.000000e-01> : tensor<4xf32>"}])
        self.assertEqual((nodes[0]["place"], nodes[0]["attributes"]), ("g.pbtxt:7:1",
                                                                     {"name": "x:0"}))
        self.assertEqual(nodes[3]["attributes"], {"variable": "@v"})
        self.assertFalse({"place", "attributes", "constants"} & nodes[8].keys())
        self.assertEqual([layer["items"] for layer in boxes[0]["layers"]],
                         [["n0", "n1", "n3"], ["~3", "n5", "b1", "n2", "n4"],
                          ["~4", "~0", "~1", "n8", "n12"], ["~5", "n9", "~2"], ["n10"], ["n11"]])
        self.assertEqual([(route["from"], route["to"], route["bends"])
                          for route in boxes[0]["routes"]],
                         [("n5", "n9", ["~0"]), ("b1", "n10", ["~1", "~2"]),
                          ("n0", "n10", ["~3", "~4", "~5"])])
        self.assertEqual([(p["name"], p["summary"]) for p in data["phases"]], [
            ("import", "read a graph file and translate it into flow, nd, array and state"),
            ("optimize",
             "put functions in the place of calls, expand composites, prune, infer shapes, "
             "fold constants, merge duplicates"),
            ("raise", "recognise branches and loops among the primitives, and optimize within "
                      "them")])
        self.assertEqual((data["program"]["march"], data["program"]["programHash"],
                          data["program"]["devices"]), ("x86-64-v2", "", []))
        self.assertTrue(data["program"]["compiler"].startswith("sluicec "))
        self.assertEqual(data["program"]["input"], {"name": "g.mlir", "bytes": len(BRANCHES)})

    def test_programs_are_told_rank_by_rank(self):
        (self.folder / "g.mlir").write_text(BRANCHES)
        data, _ = self.data("g.mlir", "--devices", 2, "--placement-seed", 1, "-o", "out")
        manifest = json.loads((self.folder / "out/manifest.json").read_text())
        self.assertEqual((data["program"]["programHash"], data["program"]["clusterHash"]),
                         (manifest["program"], manifest["cluster"]))
        self.assertEqual(data["program"]["devices"],
                         [{"name": f"/job:localhost/replica:0/task:{rank}/device:CPU:0",
                           "address": "127.0.0.1:0"} for rank in range(2)])
        self.assertEqual(data["wires"], [{"signature": "main", "loops": [], "messages": [
            {"loop": "", "from": 0, "to": 1, "messages": 5, "predicates": 0, "bytes": 50,
             "complete": True},
            {"loop": "", "from": 1, "to": 0, "messages": 2, "predicates": 0, "bytes": 32,
             "complete": True}]}])
        self.assertEqual(data["raised"], BRANCHES_RAISED)
        programs = data["programs"]
        told = [(row["rank"], row["nodes"], row["constantBytes"], row["variables"], row["frames"])
                for row in programs]
        self.assertEqual(told, [
            (0, 14, 16, [], []),
            (1, 14, 0, [{"name": "weights", "type": "f32[4]", "bytes": 16},
                        {"name": "text", "type": "string<unknown>"}], [])])
        for row in programs:
            self.assertRegex(row["imageHash"], "^[0-9a-f]{32}$")
            self.assertEqual(row["codeBytes"], sum(codelet["codeBytes"] for codelet in
                                                   data["codelets"] if codelet["rank"] == row["rank"]))
            image = (self.folder / f"out/g.rank{row['rank']}").stat().st_size
            self.assertTrue(500 < row["imageBytes"] < image)
        self.assertEqual([(row["members"], row["ops"], row["nodes"], row["branches"], row["loops"])
                          for row in data["codelets"]],
                         [(["c/halve"], 1, 1, 0, 0), (["sum"], 1, 1, 0, 0)])
        times = data["times"]
        self.assertEqual([(row["symbol"], row["rank"]) for row in times["codelets"]],
                         [(row["symbol"], row["rank"]) for row in data["codelets"]])
        self.assertTrue(all(row["milliseconds"] > 0 for row in times["codelets"]))
        # Thousandths, but no whole seconds.
        self.assertTrue(all(0 < row["milliseconds"] < DEADLINE * 1000 for row in times["phases"]))
        self.assertGreater(times["write"], 0)

    def test_lines_name_their_nodes(self):
        data, _ = self.data(pagerank(), *PAGERANK, "-o", "program")
        for phase in data["phases"]:
            self.assertEqual(len(phase["lines"]), len(phase["nodes"]))
            self.assertEqual(len(phase["lines"]), phase["allLines"])
            self.assertEqual(min(phase["nodes"]), -1)  # brackets, and modules
            self.assertLess(max(phase["nodes"]), len(data["names"]))
            self.assertEqual((phase["lines"][0][:6], phase["nodes"][0]), ("module", -1))
        self.assertNotIn("", data["names"])
        optimized = data["phases"][1]
        at = data["names"].index("while/MatMul")
        lines = [line for line, node in zip(optimized["lines"], optimized["nodes"]) if node == at]
        self.assertEqual(len(lines), 1)
        self.assertIn("nd.matmul", lines[0])
        self.assertEqual(optimized["ops"]["nd.matmul"], 1)

    def test_wires_are_those_of_explain_partition(self):
        data, result = self.data(pagerank(), "--devices", 2,
                                 "--placement-seed", 3, *PAGERANK, "-o", "programs",
                                 "--explain-partition")
        rows = re.findall(r"^  (?:call|iteration of '(.*)') +(\d+) +(\d+) +(\d+) +(\S+) +(\d+)$",
                          result.stdout, re.MULTILINE)
        self.assertTrue(rows)
        told = [(m["loop"], str(m["from"]), str(m["to"]), str(m["messages"]),
                 (str(m["bytes"]) if m["bytes"] or m["complete"] else "")
                 + ("" if m["complete"] else "+?" if m["bytes"] else "?"), str(m["predicates"]))
                for m in data["wires"][0]["messages"]]
        self.assertEqual(told, rows)
        loops = re.findall(r"^  loop '(.*)' on (.*), decided on (\d+)$", result.stdout,
                           re.MULTILINE)
        self.assertEqual([(loop["loop"], ", ".join(map(str, loop["ranks"])), str(loop["decidedOn"]))
                          for loop in data["wires"][0]["loops"]], loops)
        self.assertEqual(len(loops), 1)
        graph = data["graphs"][0]
        wires = [edge for edge in graph["edges"] if edge["kind"] == "wire"]
        self.assertEqual(len(wires), sum(int(row[3]) for row in rows))
        for edge in wires:
            ranks = {graph["nodes"][edge[end]]["rank"] for end in ("from", "to")}
            self.assertEqual(len(ranks), 2)
        self.check_graph(data)
        loops = [box for box in graph["boxes"] if box["kind"] == "loop"]
        self.assertEqual(len(loops), 1)  # one box for both devices
        self.assertEqual([d["name"] for d in data["program"]["outputs"]],
                         ["pagerank.rank0", "pagerank.rank1"])

    def test_outputs_of_placed_ir_are_those_of_ranks(self):
        self.compile(pagerank(), "--devices", 2, *PAGERANK,
                     "--stop-after=place", "-o", "g.mlir")
        (self.folder / "programs").mkdir()
        (self.folder / "programs/g.rank7").write_text("of an earlier cluster")
        for kind, end in (("exe", ""), ("obj", ".o")):
            data, _ = self.data("g.mlir", "--no-raise", "-o", "programs", f"--emit={kind}")
            self.assertEqual(data["program"]["outputs"],
                             [{"name": name, "bytes": (self.folder / "programs" / name).stat().st_size}
                              for name in (f"g.rank0{end}", f"g.rank1{end}")])

    def test_loops_are_those_of_explain_loops(self):
        data, result = self.data(pagerank(), *PAGERANK, "-o", "program",
                                 "--explain-loops")
        told = []
        for verdict in data["loops"]:
            title = "  " * verdict["depth"] + f"{verdict['kind']} '{verdict['name']}'"
            if verdict["kind"] == "branch":  # whether the links are as many as the pages
                told += [f"{title}: not collapsed, {verdict['why']}"]
                continue
            self.assertTrue(verdict["collapsed"])
            kernels = verdict["byKernels"]
            told += [f"{title}: collapsed, {verdict['ops']} ops" +
                     (f", {kernels} by kernels" if kernels else "")]
            told += ["  " * verdict["depth"] + "  " + kernel for kernel in verdict["kernels"]]
        self.assertEqual(result.stdout.splitlines(), told)
        self.assertGreater(len(told), len(data["loops"]))
        loop = next(verdict for verdict in data["loops"] if verdict["kind"] == "loop")
        self.assertEqual((loop["window"], len(loop["carried"])), (10, 3))

    def test_collapsed_loop_is_a_box_in_its_codelet(self):
        (self.folder / "g.mlir").write_text(COLLAPSED_GRAPH)
        data, _ = self.data("g.mlir", "-o", "program")
        self.assertTrue(data["loops"][0]["collapsed"])
        self.assertEqual(data["programs"][0]["frames"], [])
        graph = data["graphs"][0]
        loop = next(box for box in graph["boxes"] if box["kind"] == "loop")
        self.assertEqual(graph["boxes"][loop["parent"]]["kind"], "codelet")
        self.assertEqual([box["title"] for box in graph["boxes"]], ["main", "cond", "grow"])
        self.assertEqual([[layer["items"] for layer in box["layers"]] for box in graph["boxes"]],
                         [[["n0", "n1"], ["b1", "~0"], ["n7"]], [["b2"]],
                          [["n2", "n4", "~4", "n5", "~0", "~2"], ["n3", "n6", "~1", "~3"]]])
        self.assertEqual([(route["from"], route["to"], route["bends"]) for route in loop["routes"]],
                         [("n4", "n2", ["~0"]), ("n6", "n3", ["~1"]), ("n6", "n5", ["~3", "~2"]),
                          ("above", "n3", ["~4"])])
        names = [node["name"] for node in graph["nodes"]]
        edges = {(names[e["from"]], names[e["to"]]): e["kind"] for e in graph["edges"]}
        self.assertEqual(edges, {
            ("n", "less"): "value", ("next", "less"): "back", ("less", "cond"): "value",
            ("next", "cond"): "back", ("x", "cond"): "value", ("sin", "cond"): "back",
            ("next", "next"): "back", ("x", "square"): "value", ("sin", "square"): "back",
            ("square", "sin"): "value",
            # What leaves the loop closes no circle.
            ("x", "y"): "value", ("sin", "y"): "value"})

    def test_codelets_are_those_of_explain_codelets(self):
        data, result = self.data(pagerank(), *PAGERANK, "-o", "program",
                                 "--explain-codelets")
        table = {line.split()[7]: int(line.split()[0]) for line in result.stdout.splitlines()[1:-1]}
        self.assertEqual({row["symbol"].removeprefix("sluice_codelet_"): row["codeBytes"]
                          for row in data["codelets"]}, table)
        self.assertEqual(len(data["times"]["codelets"]), len(table))

    def test_stops_with_the_compiler(self):
        data, result = self.data(pagerank(), *PAGERANK,
                                 "--stop-after=raise")
        self.assertIn("flow.graph", result.stdout)
        self.assertEqual(data["graphPhase"], "raise")
        self.assertEqual([p["name"] for p in data["phases"]], ["import", "optimize", "raise"])
        self.assertEqual(data["programs"], [])
        self.check_graph(data)
        self.assertIn("loop", [box["kind"] for box in data["graphs"][0]["boxes"]])

    def test_large_graph_is_split_into_boxes(self):
        lines = ['  %v0 = flow.feed {name = "x"} : () -> tensor<f32> loc("x")']
        count = 3000
        for i in range(1, count):
            scope = f"tower_{i // 500}/layer_{i // 50}/op{i}" if i < 2000 else f"flat{i}"
            lines.append(f'  %v{i} = nd.sin %v{i - 1} : (tensor<f32>) -> tensor<f32> '
                         f'loc("{scope}")')
        lines.append(f'  flow.fetch %v{count - 1} {{name = "y"}} : (tensor<f32>) -> () loc("y")')
        text = "module {\nflow.graph @main {\n" + "\n".join(lines) + "\n}\n}\n"
        (self.folder / "large.mlir").write_text(text)
        data, _ = self.data("large.mlir", "--stop-after=optimize", "-o", "out.mlir")
        self.check_graph(data)
        kinds = {box["kind"] for box in data["graphs"][0]["boxes"]}
        self.assertEqual(kinds, {"graph", "scope", "part"})
        scopes = {box["name"] for box in data["graphs"][0]["boxes"]}
        self.assertIn("tower_1/layer_12", scopes)
        # Towers, and a thousand flat nodes, the feed and the fetch, in parts of twenty.
        boxes = data["graphs"][0]["boxes"]
        self.assertEqual([box["title"] for box in boxes if box["kind"] == "part"],
                         [f"part {i} of 51" for i in range(1, 52)])
        self.assertEqual([box["name"] for box in boxes if box["kind"] == "scope"],
                         [f"tower_{i}" for i in range(4)] +
                         [f"tower_{i // 10}/layer_{i}" for i in range(40)])
        sizes = [sum(item[0] != "~" for layer in box["layers"] for item in layer["items"])
                 for box in boxes]
        self.assertEqual(sizes, [51] + [20] * 50 + [6] + [10] * 4 + [49] + [50] * 39)
        self.assertEqual([boxes[i]["parent"] for i in (1, 51, 52, 56, 95)], [0, 0, 1, 52, 55])

    def test_long_text_is_cut_and_says_so(self):
        lines = [f'  %v{i} = nd.constant {{value = dense<{i}> : tensor<i64>}} : () -> tensor<i64>\n'
                 f'  flow.fetch %v{i} {{name = "y{i}"}} : (tensor<i64>) -> ()' for i in range(4000)]
        (self.folder / "long.mlir").write_text(
            "module {\nflow.graph @main {\n" + "\n".join(lines) + "\n}\n}\n")
        data, _ = self.data("long.mlir", "--stop-after=import", "-o", "out.mlir")
        phase = data["phases"][0]
        self.assertGreater(phase["allLines"], 8000)
        self.assertLess(len(phase["lines"]), phase["allLines"])
        self.assertLess(sum(map(len, phase["lines"])), 400_001)


if __name__ == "__main__":
    report_case.main()
