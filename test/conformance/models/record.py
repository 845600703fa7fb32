#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records small models with what TensorFlow gives, as fixtures that need no TensorFlow.

Usage, with a Python that has TensorFlow (`pip install tensorflow-cpu`):
  record.py [--folder test/conformance/fixtures/models] [NAME]...
"""

import argparse
import json
import pathlib
import re
import shutil
import sys
import tempfile

import program  # noqa: F401, first: says how TensorFlow is to run

import tensorflow as tf

import compare
import export
from tensors import tensor_json

FIXTURES = pathlib.Path(__file__).resolve().parents[1] / "fixtures" / "models"
# Forms that are small enough.
RECORDED = {
    "while": export.FORMS,
    "recursive tree": export.FORMS,
    "LSTM": ("primitives", "functions"),
    "GRU": ("functions",),
    "LSTM, masked, with sequences": ("functions",),
    "greedy decoder": ("primitives", "functions"),
    "beam decoder": ("functions",),
    "TensorArray": ("functions",),
    "loops in loops": ("primitives",),
    "gradient of a loop": ("functions",),
    "MultiHeadAttention, causal, masked": ("functions",),
    "CNN of digits": ("primitives",),
    "residual network": ("functions",),
    "MobileNet": ("functions",),
    "text CNN": ("functions",),
    "autoencoder": ("functions",),
    "segmenter, images of any size": ("functions",),
    "preparation of images": ("functions",),
    "transformer, encoder": ("functions",),
    "transformer, encoder and decoder": ("functions",),
    "transformer that generates, with kept keys": ("primitives", "functions"),
    "text classifier with TextVectorization": ("SavedModel",),
    "text classifier, hashed words": ("functions",),
    "wide and deep, with crosses": ("SavedModel",),
    "clicks, from sparse features": ("functions",),
    "records taken apart": ("functions",),
    "translation with attention and a beam": ("primitives", "functions"),
    "VAE": ("functions",),
    "diffusion": ("functions",),
    "CNN of digits, trained with Adam": ("SavedModel",),
    "transformer, trained with AdamW": ("SavedModel",),
    "LSTM behind Embedding, trained with Adam": ("SavedModel",),
    "translation with attention, trained with Adam": ("SavedModel",),
    "VAE, trained with Adam": ("SavedModel",),
    "GAN, both trained with Adam": ("SavedModel",),
    "clicks, trained with FTRL": ("SavedModel",),
    "perceptron, trained in a loop of the graph": ("SavedModel",),
}


def all_models():
    return {name: make for family in compare.FAMILIES
            for name, make in {**family.MODELS, **family.VARIANTS}.items()}


def of_signature(is_constant, call, values):
    """What a call changes is among its outputs, if it matters."""
    return {"signature": "serving_default",
            "inputs": {name: tensor_json(value) for name, value in call.items()},
            "expect": {name: tensor_json(value) for name, value in values.items()},
            **({"state_after": {}} if is_constant else {})}


def of_graph(exported, call, values):
    feeds = {exported.inputs[name]: tensor_json(value) for name, value in call.items()}
    fetches = [flag.split("=", 1)[1] for flag in exported.flags if flag.startswith("--fetch=")]
    return {"graph": "graph1.pb", "feeds": feeds, "fetches": fetches, "targets": [],
            "state_before": {}, "nondeterministic": False, "state_after": {},
            "expect": [tensor_json(values[name]) for name in exported.outputs]}


def record(name, form, model, folder):
    with tempfile.TemporaryDirectory() as temporary:
        exported = export.write(model, form, pathlib.Path(temporary))
        runs = list(zip(model.calls, export.expected(model)))
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        origin = {"test": folder.name, "origin": f"tensorflow {tf.__version__}, "
                                                 f"keras {tf.keras.__version__}: {name}"}
        if form == "SavedModel":
            shutil.copytree(exported.path, folder / "model")
            (folder / "model" / "fingerprint.pb").unlink(missing_ok=True)
            content = {**origin, "model": "model", "tags": ["serve"],
                       "runs": [of_signature(model.is_constant, *run) for run in runs]}
        else:
            shutil.copy(exported.path, folder / "graph1.pb")
            content = {**origin, "class": "Models", "module": form,
                       "runs": [of_graph(exported, *run) for run in runs]}
        (folder / "runs.json").write_text(json.dumps(content, separators=(",", ":")) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(RECORDED))
    parser.add_argument("--folder", type=pathlib.Path, default=FIXTURES)
    options = parser.parse_args()
    for name in options.names:
        for form in RECORDED[name]:
            program.start(name)
            slug = re.sub(r"\W+", "-", name).lower()
            folder = options.folder / f"{slug}.{form.lower()}"
            record(name, form, all_models()[name](), folder)
            size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
            print(f"{folder.name}: {size} bytes")


if __name__ == "__main__":
    sys.exit(main())
