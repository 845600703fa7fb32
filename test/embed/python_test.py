#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Python package on compiled models.

Usage: python_test.py SLUICEC
"""

import gc
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import weakref

import numpy

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "programs"), str(HERE.parent.parent / "packaging/python")]
import graphs  # noqa: E402
import sluice  # noqa: E402


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = pathlib.Path(temporary.name)

    def load(self, name, graph, *flags):
        file = self.folder / f"{name}.pbtxt"
        file.write_text(graph)
        subprocess.run([SLUICEC, file, "--emit=lib", "-o", self.folder / name, *flags], check=True)
        return sluice.load(self.folder / f"lib{name}.so")

    def add(self, name, shape=()):
        return self.load(name, graphs.add(shape=shape), "--feed=x,y", "--fetch=sum")

    def test_arrays_in_arrays_out(self):
        model = self.add("one", (2, 3)).model()
        x = numpy.arange(6, dtype=numpy.float32).reshape(2, 3)
        result = model(x=x, y=numpy.ones((2, 3), numpy.float32))["sum"]
        self.assertEqual(result.dtype, numpy.float32)
        numpy.testing.assert_array_equal(result, x + 1)
        numpy.testing.assert_array_equal(model(x=x.T.copy().T, y=x)["sum"], 2 * x)

    def test_results_stay(self):
        call = self.add("two").model().call()
        first, = call.run(1, 2)
        second, = call.run(10, 20)
        self.assertEqual((float(first), float(second)), (3, 30))

    def test_sizes_that_differ(self):
        model = self.add("three", (-1,)).model()
        for size in (3, 0, 1000):
            x = numpy.full(size, 2, numpy.float32)
            numpy.testing.assert_array_equal(model(x=x, y=x)["sum"], 2 * x)

    def test_description(self):
        library = self.add("four", (-1, 3))
        signature, = library.signatures
        self.assertEqual([port.short_name for port in signature.feeds], ["x", "y"])
        self.assertEqual(signature.feeds[0].shape, (None, 3))
        self.assertEqual(signature.fetches[0].dtype, numpy.float32)
        self.assertEqual(library.describe()["signatures"][0]["name"], "main")

    def test_errors(self):
        model = self.add("five", (2,)).model()
        with self.assertRaisesRegex(TypeError, "expected 2 feeds but got 1"):
            model.call().run(1)
        with self.assertRaisesRegex(TypeError, "feed 'y' was not given"):
            model(x=[1, 2])
        with self.assertRaisesRegex(KeyError, "there is no 'z'; there is x, y"):
            model(z=1)
        with self.assertRaisesRegex(TypeError, r"expected float32\[2\] but got int64\[2\]"):
            model(x=numpy.array([1, 2]), y=[1, 2])
        with self.assertRaisesRegex(TypeError, r"\[2\] but got"):
            model(x=[1, 2, 3], y=[1, 2])
        with self.assertRaisesRegex(KeyError, "there is no signature 'none'; there is main"):
            model.call("none")
        flexible = self.add("six", (-1,)).model()
        with self.assertRaises(sluice.Error) as raised:
            flexible(x=[1, 2], y=[1, 2, 3])
        self.assertEqual(raised.exception.code, "INVALID_ARGUMENT")
        self.assertEqual(raised.exception.node, "sum")
        with self.assertRaises(OSError):
            sluice.load(self.folder / "libnone.so")
        with self.assertRaisesRegex(ValueError, "emit=lib"):
            sluice.load("libm.so.6")

    def test_variables(self):
        library = self.load("seven", graphs.accumulator(), "--feed=x", "--fetch=step")
        model = library.model()
        with self.assertRaisesRegex(sluice.Error, "has no value"):
            model["total"]
        model["total"] = [1, 2]
        model(x=[1, 1])
        numpy.testing.assert_array_equal(model["total"], [2, 3])
        model.save(self.folder / "state")
        other = library.model()
        other.load(self.folder / "state")
        numpy.testing.assert_array_equal(other(x=[0, 0])["step"], [2, 3])
        with self.assertRaisesRegex(KeyError, "there is total"):
            model["none"]

    def test_strings(self):
        graph = graphs.placeholder("x", (2,), "DT_STRING")
        graph += ('node { name: "y" op: "Identity" input: "x" '
                  'attr { key: "T" value { type: DT_STRING } } }\n')
        model = self.load("eight", graph + graphs.END, "--feed=x", "--fetch=y").model()
        self.assertEqual(list(model(x=["a", b"b\0c"])["y"]), [b"a", b"b\0c"])
        with self.assertRaisesRegex(TypeError, "expected a string or bytes but got 5"):
            model(x=[5, "a"])

    def test_numbers_are_not_cut(self):
        for size in ((2,), (-1,)):  # known and unknown
            graph = "".join(
                graphs.placeholder(name, size, dtype) +
                f'node {{ name: "same_{name}" op: "Identity" input: "{name}" '
                f'attr {{ key: "T" value {{ type: {dtype} }} }} }}\n'
                for name, dtype in (("i", "DT_INT32"), ("b", "DT_BOOL")))
            model = self.load("cut" + "n" * (size == (-1,)), graph + graphs.END, "--feed=i,b",
                              "--fetch=same_i,same_b").model()
            for i in ([1.5, 2], numpy.array([1, 2j]), 3 * [1.0], ["1", "2"]):
                with self.assertRaises(TypeError):
                    model(i=i, b=[True, False])
            with self.assertRaises(TypeError):
                model(i=[1, 2], b=[0.5, 1])
            result = model(i=[True, False], b=[1, 0])
            self.assertEqual(list(result["same_i"]), [1, 0])
            self.assertEqual(list(result["same_b"]), [True, False])
        variable = self.load("eleven", graphs.accumulator(), "--feed=x", "--fetch=step").model()
        variable["total"] = [1, 2.5]
        for value in ([1j, 2], ["a", "b"]):
            with self.assertRaisesRegex(TypeError, "variable 'total': expected float32"):
                variable["total"] = value

    def test_calls_go_when_nobody_has_them(self):
        model = self.add("twelve", (2,)).model()
        call = weakref.ref(model.call())
        gc.collect()
        self.assertIsNone(call())

    def test_a_branch_that_was_not_taken(self):
        graph = graphs.placeholder("x", ()) + graphs.placeholder("p", (), "DT_BOOL")
        graph += ('node { name: "s" op: "Switch" input: "x" input: "p" '
                  'attr { key: "T" value { type: DT_FLOAT } } }\n')
        model = self.load("dead", graph + graphs.END, "--feed=x,p", "--fetch=s:1").model()
        self.assertEqual(model(x=3, p=True)["s:1"], 3)
        with self.assertRaisesRegex(sluice.Error, "the fetched tensor is dead"):
            model(x=3, p=False)
        self.assertEqual(model(x=3, p=True)["s:1"], 3)

    def test_contexts(self):
        library = self.add("nine", (-1,))
        context = library.context(threads=0, memory_limit=1_000_000, iterations=10)
        model = library.model(context)
        small, large = numpy.ones(10, numpy.float32), numpy.ones(100_000, numpy.float32)
        with self.assertRaisesRegex(sluice.Error, "RESOURCE_EXHAUSTED"):
            model(x=large, y=large)
        model(x=small, y=small)
        self.assertLessEqual(context.memory[1], 1_000_000)
        with self.assertRaisesRegex(sluice.Error, "there is no limit 'none'"):
            library.context(none=1)

    def test_devices(self):
        library = self.load("carded", graphs.add(shape=(40,)), "--feed=x,y", "--fetch=sum",
                            "--target=sim")
        x = numpy.arange(40, dtype=numpy.float32)
        for device in None, "sim", "cpu":
            numpy.testing.assert_array_equal(library.model(device=device)(x=x, y=x)["sum"], 2 * x)
        with self.assertRaisesRegex(sluice.Error, "UNAVAILABLE: expected code for cards of CUDA"):
            library.model(device="cuda:1")
        with self.assertRaisesRegex(sluice.Error, "device: expected cpu, cuda, cuda:N or sim but got 'gpu'"):
            library.model(device="gpu")

    def test_numbers_that_are_refused(self):
        library = self.add("thirteen")
        for threads in (-5, 10**6):
            with self.assertRaisesRegex(sluice.Error, f"expected threads to be -1 to 1024 but got {threads}"):
                library.context(threads=threads)
        for options in ({"threads": 2**32}, {"memory_limit": -1}, {"iterations": -1},
                        {"iterations": 2**64}):
            name, value = next(iter(options.items()))
            with self.assertRaisesRegex(ValueError, f"{name}: expected -?[0-9]+ to [0-9]+ but got {value}"):
                library.context(**options)
        for options in ({"threads": 1.5}, {"memory_limit": "1"}):
            with self.assertRaises(TypeError):
                library.context(**options)

    def queue(self):
        signatures = self.folder / "queue.json"
        signatures.write_text(graphs.QUEUE_SIGNATURES)
        model = self.load("queue", graphs.queue(), f"--signatures={signatures}").model()
        model["count"] = 0
        return model

    def test_state_beside_a_call_that_waits(self):
        model = self.queue()
        taken = []
        thread = threading.Thread(target=lambda: taken.extend(model.call("take").run(seconds=60)))
        thread.start()
        while model["count"] == 0 and thread.is_alive():
            time.sleep(0.01)
        model.save(self.folder / "beside")
        model["count"] = 5
        model.load(self.folder / "beside")
        self.assertEqual(model["count:0"], 1)
        model("put", x=7)
        thread.join()
        self.assertEqual(taken, [7])

    def interrupted_queue(self, *lines):
        self.queue()
        return self.interrupted(
            f"model = sluice.load({str(self.folder / 'libqueue.so')!r}).model()", "model['count'] = 0",
            "def say_when_waiting():", "    while model['count'] == 0:", "        time.sleep(0.01)",
            "    print('waits', flush=True)", "threading.Thread(target=say_when_waiting).start()", *lines)

    def interrupted(self, *lines):
        """What a program prints that gets a SIGINT once it has printed `waits`, and after how long."""
        program = "\n".join(["import signal, sys, threading, time", f"sys.path[:0] = {sys.path[:2]}",
                             "import sluice", *lines])
        with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
            self.assertEqual(process.stdout.readline(), "waits\n")
            begin = time.monotonic()
            process.send_signal(signal.SIGINT)
            printed = process.stdout.readline()
            seconds = time.monotonic() - begin
            printed += process.stdout.read()
        self.assertEqual(process.returncode, 0)
        return printed, seconds

    def test_interrupt_ends_a_call(self):
        printed, seconds = self.interrupted_queue(
            "call = model.call('take')", "try:", "    call.run(seconds=60)",
            "except KeyboardInterrupt:", "    print('interrupted', flush=True)",
            "model('put', x=3)", "print(call.run(seconds=60)[0], signal.set_wakeup_fd(-1))")
        self.assertEqual(printed, "interrupted\n3.0 -1\n")
        self.assertLess(seconds, 10)  # and not 60

    def test_interrupt_in_a_function_that_prints(self):
        graph = graphs.placeholder("x", ())
        graph += ('node { name: "shown" op: "Print" input: "x" input: "x" '
                  'attr { key: "T" value { type: DT_FLOAT } } '
                  'attr { key: "U" value { list { type: DT_FLOAT } } } }\n')
        self.load("shows", graph + graphs.END, "--feed=x", "--fetch=shown")
        printed, seconds = self.interrupted(
            "def show(text):", "    print('waits', flush=True)", "    time.sleep(60)",
            f"model = sluice.load({str(self.folder / 'libshows.so')!r}).model(print=show)",
            "try:", "    model(x=1)", "except KeyboardInterrupt:", "    print('interrupted')")
        self.assertEqual(printed, "interrupted\n")
        self.assertLess(seconds, 10)

    def test_interrupt_leaves_calls_of_other_threads(self):
        printed, _ = self.interrupted_queue(
            "thread = threading.Thread(target=lambda: print(model.call('take').run(seconds=60)[0]))",
            "thread.start()", "try:", "    time.sleep(60)", "except KeyboardInterrupt:",
            "    print('interrupted', flush=True)", "model('put', x=4)", "thread.join()")
        self.assertEqual(printed, "interrupted\n4.0\n")

    def test_other_handlers_are_called_after_the_call(self):
        printed, _ = self.interrupted_queue(
            "signal.signal(signal.SIGINT, lambda *_: print('handled'))",
            "threading.Timer(0.5, lambda: (print('put', flush=True), model('put', x=5))).start()",
            "print(model.call('take').run(seconds=60)[0])")
        self.assertIn(printed, ("put\nhandled\n5.0\n", "handled\nput\n5.0\n"))

    def test_threads(self):
        model = self.add("ten", (1000,)).model()

        def work(i):
            call = model.call()
            x = numpy.full(1000, i, numpy.float32)
            for _ in range(100):
                wrong.extend(call.run(x, x)[0] != 2 * i)

        wrong = []
        threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertFalse(any(wrong))


if __name__ == "__main__":
    SLUICEC = sys.argv[1]
    unittest.main(argv=sys.argv[:1], verbosity=2)
