#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reports of whole compilations: pages that need nothing but themselves, and data that are true.

Usage: report_test.py BIN EXAMPLES.
"""

import html.parser
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

DEADLINE = 300  # seconds
EMPTY_ELEMENTS = {"meta", "input", "br", "link", "img", "hr"}

bin_folder = examples = None  # set by main

PAGERANK = ["--feed", "links", "--fetch", "ranks", "--fetch", "iterations"]
HOSTILE = "</script><script>alert(1)</script><!-- & \\22 ]]> é"
HOSTILE_NAME = HOSTILE.replace("\\22", '"')
HOSTILE_GRAPH = """module {
  flow.graph @main {
    %x = flow.feed {name = "NAME"} : () -> tensor<4xf32> loc("NAME")
    %p = nd.mul %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc("a/NAME")
    %q = nd.add %p, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc("a/q")
    flow.fetch %q {name = "q:0"} : (tensor<4xf32>) -> () loc("q")
  } loc("main")
} loc("m")
""".replace("NAME", HOSTILE)


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


class Page(html.parser.HTMLParser):
    """Checks that elements are closed in the order of their opening, and keeps their text."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.faults, self.elements, self.text = [], [], [], {}
        self.feed(text)
        self.close()
        self.faults += [f"<{tag}> is never closed" for tag, _ in self.open]

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.elements.append((tag, attributes))
        if tag not in EMPTY_ELEMENTS:
            self.open.append((tag, attributes.get("id", tag)))

    def handle_endtag(self, tag):
        if not self.open or self.open[-1][0] != tag:
            self.faults.append(f"</{tag}> closes nothing at {self.getpos()}")
        else:
            self.open.pop()

    def handle_data(self, data):
        if self.open:
            key = self.open[-1][1]
            self.text[key] = self.text.get(key, "") + data


def compile_graph(arguments, folder, check=True):
    result = subprocess.run([str(bin_folder / "sluicec"), *map(str, arguments)], cwd=folder,
                            capture_output=True, text=True, timeout=DEADLINE)
    if check and result.returncode != 0:
        raise AssertionError(f"exit code {result.returncode}: {result.stderr}")
    return result


def without_times(page):
    return re.sub(r'(<script type="application/json" id="times-data">).*?(</script>)', r"\1\2",
                  page, flags=re.DOTALL)


class ReportCase(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="sluice-report-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def compile(self, *arguments, check=True):
        return compile_graph(arguments, self.folder, check)

    def page(self, *arguments):
        self.compile(*arguments, "--emit=html", "-o", "r.html")
        return (self.folder / "r.html").read_text(encoding="utf-8")

    def data(self, *arguments):
        result = self.compile(*arguments, "--report", "r.json")
        return json.loads((self.folder / "r.json").read_text(encoding="utf-8")), result


class PageTest(ReportCase):
    def test_is_well_formed(self):
        page = Page(self.page(examples / "while-loop/pagerank.pb", *PAGERANK))
        self.assertEqual(page.faults, [])
        ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
        self.assertEqual(len(ids), len(set(ids)))
        self.assertEqual(page.text["title"], "pagerank · Sluice report")

    def test_needs_nothing_from_outside(self):
        text = self.page(examples / "while-loop/pagerank.pb", *PAGERANK)
        page = Page(text)
        for tag, attributes in page.elements:
            self.assertNotIn(tag, {"link", "img", "iframe", "object", "embed", "base"})
            self.assertFalse({"src", "href", "action", "background"} & set(attributes), tag)
        policy = [a["content"] for tag, a in page.elements
                  if a.get("http-equiv") == "Content-Security-Policy"]
        self.assertTrue(policy and policy[0].startswith("default-src 'none'"))
        addresses = set(re.findall(r"[a-z]+://[^\s\"'<>)]+", text))
        self.assertLessEqual(addresses, {"http://www.w3.org/2000/svg"})  # a name, not a place
        self.assertNotRegex(page.text["style"], r"@import|url\((?!#)")

    def test_data_of_the_page_are_those_of_the_json(self):
        arguments = [examples / "while-loop/pagerank.pb", *PAGERANK, "-o", "program"]
        self.compile(*arguments, "--report", "r.html")
        page = Page((self.folder / "r.html").read_text(encoding="utf-8"))
        data, _ = self.data(*arguments)
        self.assertEqual(set(json.loads(page.text["times-data"])), set(data.pop("times")))
        self.assertEqual(json.loads(page.text["facts-data"]), data)

    def test_is_the_same_but_for_times(self):
        arguments = [examples / "while-loop/pagerank.pb", "--devices", 2, *PAGERANK]
        first, second = self.page(*arguments), self.page(*arguments)
        self.assertEqual(without_times(first), without_times(second))

    def test_hostile_names_stay_names(self):
        (self.folder / "h.mlir").write_text(HOSTILE_GRAPH, encoding="utf-8")
        page = Page(self.page("h.mlir"))
        self.assertEqual(page.faults, [])
        self.assertEqual(sum(tag == "script" for tag, _ in page.elements), 3)
        facts = json.loads(page.text["facts-data"])
        names = {node["name"] for node in facts["graphs"][0]["nodes"]}
        self.assertIn(HOSTILE_NAME, names)
        self.assertEqual(facts["signatures"][0]["feeds"][0]["name"], HOSTILE_NAME)

    def test_hostile_file_name(self):
        name = "<b>&\"'.mlir"
        (self.folder / name).write_text(HOSTILE_GRAPH, encoding="utf-8")
        page = Page(self.page(name))
        self.assertEqual(page.faults, [])
        self.assertEqual(page.text["h1"], "<b>&\"'")

    def test_goes_to_standard_output_without_a_file(self):
        result = self.compile(examples / "while-loop/pagerank.pb", *PAGERANK, "--emit=html",
                              "--explain-loops")
        self.assertTrue(result.stdout.startswith("<!DOCTYPE html>"))
        self.assertIn("loop 'while/while_context'", result.stderr)


class DataTest(ReportCase):
    def test_names_all_that_the_program_is(self):
        data, _ = self.data(examples / "while-loop/pagerank.pb", *PAGERANK, "-o", "program")
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
        self.assertEqual(len(data["phases"]), 8)
        self.assertEqual(data["programs"][0]["variables"], [])

    def test_graph_is_complete(self):
        data, _ = self.data(examples / "while-loop/pagerank.pb", *PAGERANK, "-o", "program")
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

    def test_lines_name_their_nodes(self):
        data, _ = self.data(examples / "while-loop/pagerank.pb", *PAGERANK, "-o", "program")
        for phase in data["phases"]:
            self.assertEqual(len(phase["lines"]), len(phase["nodes"]))
            self.assertEqual(len(phase["lines"]), phase["allLines"])
        optimized = data["phases"][1]
        at = data["names"].index("while/MatMul")
        lines = [line for line, node in zip(optimized["lines"], optimized["nodes"]) if node == at]
        self.assertEqual(len(lines), 1)
        self.assertIn("nd.matmul", lines[0])
        self.assertEqual(optimized["ops"]["nd.matmul"], 1)

    def test_wires_are_those_of_explain_partition(self):
        data, result = self.data(examples / "while-loop/pagerank.pb", "--devices", 2,
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
        self.compile(examples / "while-loop/pagerank.pb", "--devices", 2, *PAGERANK,
                     "--stop-after=place", "-o", "g.mlir")
        (self.folder / "programs").mkdir()
        (self.folder / "programs/g.rank7").write_text("of an earlier cluster")
        for kind, end in (("exe", ""), ("obj", ".o")):
            data, _ = self.data("g.mlir", "--no-raise", "-o", "programs", f"--emit={kind}")
            self.assertEqual(data["program"]["outputs"],
                             [{"name": name, "bytes": (self.folder / "programs" / name).stat().st_size}
                              for name in (f"g.rank0{end}", f"g.rank1{end}")])

    def test_loops_are_those_of_explain_loops(self):
        data, result = self.data(examples / "while-loop/pagerank.pb", *PAGERANK, "-o", "program",
                                 "--explain-loops")
        lines = result.stdout.splitlines()
        self.assertEqual(len(lines), len(data["loops"]))
        for line, verdict in zip(lines, data["loops"]):
            text = (f"collapsed, {verdict['ops']} ops" if verdict["collapsed"] else verdict["why"])
            self.assertIn(f"'{verdict['name']}'", line)
            self.assertTrue(line.endswith(text), (line, text))
        loop = data["loops"][0]
        self.assertEqual((loop["window"], len(loop["carried"])), (10, 3))

    def test_collapsed_loop_is_a_box_in_its_codelet(self):
        (self.folder / "g.mlir").write_text(COLLAPSED_GRAPH)
        data, _ = self.data("g.mlir", "-o", "program")
        self.assertTrue(data["loops"][0]["collapsed"])
        self.assertEqual(data["programs"][0]["frames"], [])
        graph = data["graphs"][0]
        loop = next(box for box in graph["boxes"] if box["kind"] == "loop")
        self.assertEqual(graph["boxes"][loop["parent"]]["kind"], "codelet")
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
        data, result = self.data(examples / "while-loop/pagerank.pb", *PAGERANK, "-o", "program",
                                 "--explain-codelets")
        table = {line.split()[7]: int(line.split()[0]) for line in result.stdout.splitlines()[1:-1]}
        self.assertEqual({row["symbol"].removeprefix("sluice_codelet_"): row["codeBytes"]
                          for row in data["codelets"]}, table)
        self.assertEqual(len(data["times"]["codelets"]), len(table))

    def test_stops_with_the_compiler(self):
        data, result = self.data(examples / "while-loop/pagerank.pb", *PAGERANK,
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


class UsageTest(ReportCase):
    def refuse(self, code, message, *arguments):
        result = self.compile(examples / "while-loop/pagerank.pb", *PAGERANK, *arguments,
                              check=False)
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertIn(message, result.stderr)

    def test_needs_a_file_name(self):
        self.refuse(2, "--report: expected file but got an empty string", "-o", "p", "--report=")

    def test_is_not_the_program(self):
        self.refuse(2, "--report and -o name the same file", "-o", "p", "--report", "p")

    def test_does_not_overwrite_the_input(self):
        graph = self.folder / "g.pb"
        graph.write_bytes((examples / "while-loop/pagerank.pb").read_bytes())
        result = self.compile("g.pb", *PAGERANK, "-o", "p", "--report", "./g.pb", check=False)
        self.assertEqual(result.returncode, 2)
        self.assertIn("would overwrite the input", result.stderr)

    def test_unwritable_file(self):
        self.refuse(3, "nowhere/r.html", "-o", "p", "--report", "nowhere/r.html")

    def test_failed_compilation_leaves_the_report_alone(self):
        (self.folder / "r.html").write_text("of an earlier run")
        result = self.compile(examples / "while-loop/pagerank.pb", "--fetch", "nothing", "-o", "p",
                              "--report", "r.html", check=False)
        self.assertNotEqual(result.returncode, 0)
        self.assertEqual((self.folder / "r.html").read_text(), "of an earlier run")


if __name__ == "__main__":
    bin_folder, examples = map(lambda path: pathlib.Path(path).resolve(), sys.argv[1:3])
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=1)
