#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Devices that do not exist, nodes that cannot be together, and clusters that make no sense."""

import json

import harness
from graphdef import FLOAT, dtype, field, graph, node, placeholder, shape, text, unary
from harness import BAD_GRAPH, INPUT_OUTPUT, Case, add, program


def on(device, body):
    """A node with a device string."""
    return body + field(4, device)


def together(body, *classes):
    """A node with colocation."""
    return body + field(5, field(1, "_class") + field(2, field(1, b"".join(
        field(2, entry) for entry in classes))))


def device(name="/job:a/task:0/device:CPU:0", host="localhost", port=7000, **more):
    return {"name": name, "host": host, "port": port, **more}


def task(number, **more):
    return device(f"/job:a/task:{number}/device:CPU:0", port=7000 + number, **more)


TWO = [task(0), task(1)]


def cluster_case(content, *says, code=BAD_GRAPH):
    """`content` is the list of devices, or the bytes of the file."""
    def body(self):
        text_of_file = json.dumps({"devices": content}) if isinstance(content, list) else content
        cluster = self.write("cluster.json", text_of_file)
        path = self.write("g.pb", graph(placeholder(), unary("y", "Neg", "x")))
        self.refused(code, [program("sluicec"), path, "--feed=x", "--fetch=y", "-o", "out",
                            "--cluster", cluster], "cluster.json", *says)
    return body


def placement_case(nodes, *says):
    def body(self):
        path = self.write("g.pb", graph(placeholder(), *nodes))
        cluster = self.write("cluster.json", json.dumps({"devices": TWO}))
        self.refused(BAD_GRAPH, [program("sluicec"), path, "--feed=x", "--fetch=y", "-o", "out",
                                 "--cluster", cluster], *says)
        # The same graph is good where nobody asks for placement.
        self.accepted([program("sluicec"), path, "--feed=x", "--fetch=y", "--stop-after=import"])
    return body


class Cluster(Case):
    def test_the_cluster_itself_is_good(self):
        cluster = self.write("cluster.json", json.dumps({"devices": TWO}))
        path = self.write("g.pb", graph(placeholder(), on("/task:1", unary("y", "Neg", "x"))))
        outcome = self.accepted([program("sluicec"), path, "--feed=x", "--fetch=y",
                                 "--cluster", cluster, "--stop-after=place"])
        self.assertIn(b"wire.device = 1", outcome.out)

    def test_item_094_a_file_that_is_not_there(self):
        path = self.write("g.pb", graph(placeholder(), unary("y", "Neg", "x")))
        self.refused(INPUT_OUTPUT, [program("sluicec"), path, "--feed=x", "--fetch=y", "-o", "out",
                                    "--cluster", "nowhere.json"], "nowhere.json")


for string in ["/job:/task:x/gpu:-1", "/", "cpu:0", "/job:a;b", "/task:99999999999", "/tpu:0",
               "/device:CPU:0 ", "/job:" + "a" * 100_000 + "-", "/" * 100_000]:
    add(Cluster, 91, f"bad device string {string[:30]}",
        placement_case([on(string, unary("y", "Neg", "x"))],
                       "node 'y' (Neg): error: device: expected '/job:NAME"))

for string, what in [("/job:b", "there is no such device"), ("/task:2", "there is no such device"),
                     ("/cpu:1", "there is no such device"), ("/gpu:0", "no GPU devices"),
                     ("/job:a/task:0/device:TPU:0", "no TPU devices")]:
    add(Cluster, 92, f"device {string} does not exist",
        placement_case([on(string, unary("y", "Neg", "x"))],
                       f"node 'y': error: asks for '{string}'", what,
                       "note: the devices are '/job:a/replica:0/task:0/device:CPU:0'"))

VARIABLE = node("w", "VariableV2", dtype=dtype(FLOAT), shape=shape())
for title, nodes, says in [
    ("missing node", [together(unary("y", "Neg", "x"), "loc:@missing")],
     ["node 'y' (Neg): error: attribute '_class': 'loc:@missing': the graph has no such node"]),
    ("no list", [unary("y", "Neg", "x") + field(5, field(1, "_class") + field(2, text("loc:@x")))],
     ["node 'y' (Neg): error: attribute '_class': expected a list of strings"]),
    ("contradiction",
     [on("/task:0", unary("a", "Neg", "x")),
      on("/task:1", together(unary("y", "Neg", "a"), "loc:@a"))],
     ["node 'y': error: asks for '/task:1' but must be where node 'a' is, which asks for '/task:0'",
      "as both are colocated with 'a'"]),
    ("contradiction around a cycle",
     [on("/task:0", together(unary("a", "Neg", "x"), "loc:@y")),
      together(unary("b", "Neg", "a"), "loc:@a"),
      on("/task:1", together(unary("y", "Neg", "b"), "loc:@b"))],
     ["node 'y': error: asks for '/task:1'", "as both are colocated with 'a'"]),
    ("contradiction through a variable",
     [on("/task:0", VARIABLE),
      on("/task:1", node("y", "AssignAdd", "w", "x", T=dtype(FLOAT)))],
     ["node 'y': error: asks for '/task:1' but must be where node 'w' is, which asks for '/task:0'",
      "as both use variable 'w'"])]:
    add(Cluster, 93, title, placement_case(nodes, *says))

for title, content, says in [
    ("no device", [], "expected 1 to 1024 devices but got 0"),
    ("100,000 tasks", [task(i % 1000) for i in range(100_000)],
     "at most 50000 lists and objects but got 100002"),
    ("2,000 tasks", [task(i % 1000) for i in range(2000)], "expected 1 to 1024 devices but got 2000"),
    ("duplicate task", [task(0), device(port=8000)], "is that of devices[0], too"),
    ("duplicate address", [task(0), task(1) | {"port": 7000}], "address 'localhost:7000' is that"),
    ("duplicate address, written in two ways",
     [task(0, host="[0::1]"), task(1, host="::1") | {"port": 7000}],
     "address '[::1]:7000' is that"),
    ("task gap", [task(0), task(2)], "job 'a' has no task 1, only task 2"),
    ("first task is not 0", [task(1)], "job 'a' has no task 0, only task 1"),
    ("empty job", [device("/job:/task:0/device:CPU:0")], "devices[0]: name: expected"),
    ("partial name", [device("/job:a/device:CPU:0")], "devices[0]: name: expected"),
    ("GPU", [device("/job:a/task:0/device:GPU:0")], "this build has no GPU devices"),
    ("empty host", [device(host="")], "devices[0]: host: expected"),
    ("host with a space", [device(host="a b")], "devices[0]: host: expected"),
    ("host with an open bracket", [device(host="[::1")], "devices[0]: host: expected"),
    ("host with a port", [device(host="a:1")], "devices[0]: host: expected"),
    ("no host", [{"name": "/job:a/task:0/cpu:0", "port": 1}], "expected a member 'host'"),
    ("unknown member", [device(gpu=1)], "unknown member 'gpu'"),
    ("no JSON", "devices: a", "expected JSON"),
    ("no list", '{"devices": {}}', "expected an object with a list 'devices'"),
    ("nesting", "[" * 1_000_000, "brackets inside each other"),
    ("binary", bytes(range(256)), "expected JSON")]:
    add(Cluster, 94, title, cluster_case(content, says))

for port in [0, -1, 65536, 7000.5, "7000", None, True]:
    add(Cluster, 94, f"port {port!r}",
        cluster_case([device(port=port)], "devices[0]: port: expected a number from 1 to 65535"))

if __name__ == "__main__":
    harness.main()
