#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Takes faces and attributes of ops away, one after the other, and expects that the build then
fails and says why.

Usage: faces_check.py ROOT BUILD --work DIR --tblgen MLIR_TBLGEN --mlir-include DIR
Each case changes a few lines in copies of files, makes the headers of the nd dialect and the one of
all attributes of them, and compiles or links the one file that has to notice. The last line is
`N passed, N failed`.
"""

import argparse
import json
import pathlib
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass

ND = "dialects/nd"
FAMILIES = ["elementwise/Elementwise", "reduce/Reduce", "matmul/Matmul", "shape/ShapeOps",
            "layout/Layout", "index/Index"]
LOWERINGS = "compiler/codegen/cpu/Lowerings.cpp"
SHAPES = f"{ND}/shape/ShapeOps.cpp"
ATTRIBUTES = "runtime/kernels/attributes"

# Files whose functions stand elsewhere: in which library, and how their names look.
LINKED = {LOWERINGS: ("SluiceCodegenCpu", r"(lower<[\w:]+>)"),
          SHAPES: ("SluiceNd", r"([\w:]+::buildGradient)\(")}


@dataclass
class Case:
    what: str
    file: str     # in which lines are changed
    old: str
    new: str
    notices: str  # the file that does not compile or link any more; TableGen's otherwise
    message: str  # a regular expression


WHERE = 'ND_Op<"where", ND_NoCode<"the size of its result follows from values">, ND_NoGradientOfInts>'
CASES = [
    Case("an op without a word about code", f"{ND}/index/Index.td",
         WHERE, 'ND_Op<"where">', "", "value not specified for template argument 'ND_Op:how'"),
    Case("an op without a word about its derivative", f"{ND}/index/Index.td",
         WHERE, WHERE.replace(", ND_NoGradientOfInts", ""),
         "", "value not specified for template argument 'ND_Op:gradient'"),
    Case("a derivative that is promised but not defined", f"{ND}/shape/ShapeOps.td",
         'ND_Op<"rank", ND_OwnCode<"{}", [AsksShape]>, ND_NoGradientOfInts>',
         'ND_Op<"rank", ND_OwnCode<"{}", [AsksShape]>, HasGradient>',
         SHAPES, r"sluice::nd::RankOp::buildGradient"),
    Case("a derivative whose op denies it", f"{ND}/shape/ShapeOps.td",
         'ND_Op<"reshape", ND_Views<"{}", [SameElements], "1">, HasGradient,',
         'ND_Op<"reshape", ND_Views<"{}", [SameElements], "1">, ND_NoGradientOfInts,',
         f"{ND}/shape/ShapeGradients.cpp",
         "out-of-line definition of 'buildGradient' does not match any declaration in '.*ReshapeOp'"),
    Case("an element function whose op does not say so", f"{ND}/elementwise/Elementwise.td",
         'def ND_CastOp : ND_Op<"cast", ND_OfElements,',
         'def ND_CastOp : ND_Op<"cast", ND_OwnCode<"{}">,',
         "compiler/codegen/elements/ElementCode.cpp", "expected ops with the face OfElements"),
    Case("an op that says so without an element function", "runtime/elements/elements.def",
         "SLUICE_UNARY(neg, Neg, NUMBER)\n", "",
         "compiler/codegen/elements/ElementCode.cpp", "expected ops with the face OfElements"),
    Case("a reduction without a word in the list", "runtime/elements/reductions.def",
         "SLUICE_REDUCTION(reduce_max, Max, REAL)\n", "",
         "compiler/codegen/elements/ReductionCode.cpp", "expected ops with the face OfReduction"),
    Case("an op without a kernel", "runtime/kernels/kernels.def",
         "SLUICE_LIST_KERNEL(nd_where, ANY, kAny)\n", "",
         "dialects/interfaces/Faces.cpp", "expected a line for the op in runtime/kernels/kernels.def"),
    Case("a kernel whose op denies it", f"{ND}/shape/ShapeOps.td",
         'def ND_RankOp : ND_Op<', 'def ND_RankOp : ND_Value<',
         "dialects/interfaces/Faces.cpp", "expected an op of a kernel to have the face HasKernel"),
    Case("a view without its interface", f"{ND}/NdBase.td",
         "[ND_MovesTrait<data>, MoveOpInterface]", "[MoveOpInterface]",
         f"{ND}/layout/Layout.cpp", "no member named 'getDataOperands'"),
    Case("code without a lowering", f"{ND}/index/Index.td",
         WHERE, 'ND_Op<"where", ND_OwnCode<"{}">, ND_NoGradientOfInts>',
         LOWERINGS, r"lower<sluice::nd::WhereOp>"),
    Case("an attribute with another name than in the kernel", f"{ND}/index/Index.td",
         "I64Attr:$batch_dims", "I64Attr:$batches",
         "runtime/kernels/index_gather.cpp", "no member named 'batchDims' in '.*nd::Gather'"),
    Case("an attribute less than the kernel reads", f"{ND}/layout/Layout.td",
         "ND_Index:$permutation, BoolAttr:$conjugate", "ND_Index:$permutation",
         "runtime/kernels/layout_permute.cpp", "no member named 'Transpose' in namespace"),
    Case("attributes that differ where a kernel is shared", "dialects/array/ArrayOps.td",
         "ND_I32:$shape, StrAttr:$source", "ND_I32:$shape, I64Attr:$source",
         "runtime/kernels/array.cpp", "expected ops that share a kernel to have the same attributes"),
    Case("an attribute that only one reduction has", f"{ND}/reduce/Reduce.td",
         '"whether any element holds", "i1">;',
         '"whether any element holds", "i1"> {\n  let arguments = (ins ND_Bool:$input, '
         'ND_Index:$axes, BoolAttr:$keep_dims, BoolAttr:$more);\n}',
         "runtime/kernels/reduce.cpp", "expected a reduction to have the attributes of all others"),
    Case("an attribute that kernels cannot read", f"{ND}/index/Index.td",
         "I64Attr:$batch_dims", "F32Attr:$batch_dims",
         "", "ND_GatherOp: expected an attribute that kernels can read as 'batch_dims'"),
]


class Tree:
    def __init__(self, root, build, work, tblgen, mlir_include):
        self.root, self.build, self.work = root, build, work
        self.tblgen, self.mlir_include = tblgen, mlir_include
        self.commands = {}  # by file; the first ones are without sanitizers
        for entry in json.loads((build / "compile_commands.json").read_text()):
            self.commands.setdefault(entry["file"], entry)

    def run(self, command):
        return subprocess.run([str(word) for word in command], cwd=self.build, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)

    def apply(self, case):
        """Copies the file with its lines changed to a folder that is looked into first."""
        text = (self.root / case.file).read_text()
        if text.count(case.old) != 1:
            raise ValueError(f"{case.file}: expected once '{case.old}' but got {text.count(case.old)}")
        copy = self.work / case.file
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text.replace(case.old, case.new))

    def generate(self):
        """The headers of the nd dialect, from the changed definitions."""
        out = self.work / ND
        out.mkdir(parents=True, exist_ok=True)
        for family in FAMILIES:
            source = self.work / f"{ND}/{family}.td"
            if not source.exists():
                source = self.root / f"{ND}/{family}.td"
            for suffix, generator in ((".h.inc", "-gen-op-decls"), (".cpp.inc", "-gen-op-defs")):
                result = self.run([self.tblgen, generator, "-I", self.work, "-I", self.root,
                                   "-I", self.mlir_include, source,
                                   "-o", out / (pathlib.Path(family).name + suffix)])
                if result.returncode:
                    return result
        return self.generate_attributes()

    def generate_attributes(self):
        records, ops = self.work / "AllOps.json", self.build / "dialects/interfaces/AllOps.td"
        dialects = sorted(set(re.findall(r"dialects/(\w+)/", ops.read_text())))
        result = self.run([self.tblgen.with_name("llvm-tblgen"), "-dump-json", "-I", self.work,
                           "-I", self.root, "-I", self.mlir_include,
                           ops, "-o", records])
        if result.returncode:
            return result
        return self.run([sys.executable, self.root / "dialects/interfaces/kernel_attributes.py",
                         records, self.work / ATTRIBUTES, *dialects])

    def compile(self, file):
        """Without the precompiled header of the code generator, which has the dialect as it is."""
        words = shlex.split(self.commands[str(self.root / file)]["command"])
        words = [word for word in words if pathlib.Path(word).name != "ccache"]
        end = words.index("-o")
        flags = [word for word in words[1:end]
                 if word not in ("-MD", "-MT", "-MF") and ".cpp.o" not in word]
        if "SluiceCodegenParts" in " ".join(flags):
            flags = [word for word in flags if word not in ("-Xclang", "-Winvalid-pch")
                     and not re.search(r"cmake_pch|-include|-fno-pch", word)]
        mode = ["-c"] if file in LINKED else ["-fsyntax-only"]
        if file == LOWERINGS:
            mode.append("-O0")
        return self.run([words[0], f"-I{self.work}", *flags, "-w", *mode, self.root / file,
                         "-o", self.work / "object.o"])

    def link(self, file):
        """Symbols that no object of the library has are those that the linker would miss."""
        library, symbol = LINKED[file]
        names = {}
        for key, objects in (("--undefined-only", self.work / "object.o"),
                             ("--defined-only", self.build / f"lib/lib{library}.a")):
            result = self.run(["nm", "-C", key, objects])
            names[key] = set(re.findall(symbol, result.stdout))
        missing = sorted(names["--undefined-only"] - names["--defined-only"])
        return subprocess.CompletedProcess([], bool(missing), f"undefined: {', '.join(missing)}")

    def attempt(self, case):
        self.apply(case)
        result = self.generate()
        if result.returncode == 0 and case.notices:
            result = self.compile(case.notices)
            if result.returncode == 0 and case.notices in LINKED:
                result = self.link(case.notices)
        return result


def judge(case, result):
    """Why the case failed, or nothing."""
    if result.returncode == 0:
        return f"{case.what}: expected the build to fail"
    if not re.search(case.message, result.stdout):
        return f"{case.what}: expected '{case.message}' but got\n{result.stdout[-2000:]}"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--tblgen", type=pathlib.Path, required=True)
    parser.add_argument("--mlir-include", required=True)
    options = parser.parse_args()
    failed = 0
    for number, case in enumerate([None, *CASES]):
        work = (options.work / str(number)).resolve()
        subprocess.run(["rm", "-rf", str(work)], check=True)
        work.mkdir(parents=True)
        tree = Tree(options.root.resolve(), options.build.resolve(), work, options.tblgen,
                    options.mlir_include)
        if case is None:  # as they are; that the other files compile has been seen
            results = [tree.generate()]
            for file in LINKED:
                results += [tree.compile(file), tree.link(file)]
            fault = "\n".join(result.stdout[-2000:] for result in results if result.returncode)
        else:
            fault = judge(case, tree.attempt(case))
        if fault:
            print(fault)
            failed += 1
    print(f"{len(CASES) + 1 - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
