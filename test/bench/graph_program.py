# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of graphs as text: compiles them, and says what calls of them take."""

import resource
import subprocess


def compile_graph(sluicec, output, graph, flags=()):
    """`graph`: text, feeds and fetches."""
    text, feeds, fetches = graph
    source = output.with_suffix(".pbtxt")
    source.write_text(text)
    names = [word for flag, group in (("--feed", feeds), ("--fetch", fetches)) for name in group
             for word in (flag, name)]
    subprocess.run([sluicec, source, "-o", output, *(f"--{flag}" for flag in flags), *names], check=True,
                   stdout=subprocess.DEVNULL)
    return output


def drawn_inputs(sizes):
    """Flags for random feeds, of {name: dims}."""
    return [word for name, dims in sizes.items()
            for word in ("--input", f"{name}={'x'.join([*map(str, dims), 'f32'])}=rand")]


def processor_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def seconds_of_call(command, calls):
    """Processor time of one of many calls, without what the process takes besides."""
    start = processor_seconds([*command, "--steps", "1"])
    return max(processor_seconds([*command, "--steps", str(calls + 1)]) - start, 1e-9) / calls
