# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sluice: the SavedModel as a library, called by its package for Python."""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "packaging/python"))
import sluice  # noqa: E402


class Rival:
    def __init__(self, threads, _kind, _place):
        self.threads = threads

    def load(self, folder, _name):
        library = sluice.load(folder.library)
        call = library.model(library.context(threads=self.threads - 1)).call()
        facts = folder.facts
        # Those of the library are in an order of their own.
        feeds = [facts["inputs"].index(port.short_name) for port in call.signature.feeds]
        names = [port.short_name for port in call.signature.fetches]
        fetches = [names.index(name) for name in facts["outputs"]]

        def run(*given):
            values = call.run(*[given[i] for i in feeds])
            return [values[i] for i in fetches]

        return run

    @staticmethod
    def given(value):
        return np.asarray(value, order="C")

    @staticmethod
    def array(value):
        return value
