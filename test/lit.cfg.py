# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How lit finds and runs the tests that are text: IR for a pass, a graph for the compiler."""
import os

import lit.formats

config.name = "sluice"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["programs"]  # of test/differential/gradients/, which are no tests by themselves
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.sluice_build, "test")
# Our programs by their plain names, then FileCheck, not and split-file.
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(config.sluice_build, "bin"), config.llvm_tools, config.environment["PATH"]])
