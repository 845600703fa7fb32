# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where what was made of a model lies, for all rivals."""

import json
import pathlib
import re
import subprocess


class Folder:
    def __init__(self, place, name):
        self.path = pathlib.Path(place) / re.sub(r"\W+", "-", name).lower()
        self.saved, self.static, self.onnx = (self.path / name for name in ("saved", "static", "model.onnx"))
        self.library, self.facts_path = self.path / "libmodel.so", self.path / "facts.json"

    @property
    def facts(self):
        """`inputs`, `outputs`: names in the order of the signature and in that of outputs. `flags`: of
        sluicec. `without`: rivals that have no such model, and why."""
        return json.loads(self.facts_path.read_text())

    def compiled(self, sluicec):
        """Makes the library if it is not there, or older than the compiler. Gives the reason if there is none."""
        if self.library.exists() and self.library.stat().st_mtime > sluicec.stat().st_mtime:
            return None
        done = subprocess.run([sluicec, self.saved, *self.facts["flags"], "--emit=lib", "-o",
                               self.path / "model"], capture_output=True, text=True)
        return done.stderr.strip().splitlines()[0] if done.returncode else None

    @staticmethod
    def flat(calls):
        return {f"{i}/{name}": value for i, call in enumerate(calls) for name, value in call.items()}

    def write_arrays(self, kind, arrays):
        import numpy as np
        np.savez(self.path / f"{kind}.npz", **arrays)

    def arrays(self, kind):
        import numpy as np
        with np.load(self.path / f"{kind}.npz") as file:
            return {name: file[name] for name in file.files}

    def weights(self):
        return list(self.arrays("weights").values())

    def calls(self, kind, names):
        """For each call, arrays in the order of `names`."""
        arrays = self.arrays(kind)
        count = 1 + max(int(key.split("/")[0]) for key in arrays)
        return [[arrays[f"{i}/{name}"] for name in names] for i in range(count)]
