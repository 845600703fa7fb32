# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The list of what Sluice computes and TensorFlow has no kernel for, so that nothing is recorded."""

HEAD = """# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Written by record.py: op, what TensorFlow cannot do, and its words.
"""


def read(file):
    """{(op, goal as text): TensorFlow's words}"""
    lines = file.read_text().splitlines() if file.exists() else []
    rows = (line.split("\t") for line in lines if not line.startswith("#"))
    return {(op, goal): words for op, goal, words in rows}


def update(file, ops, found):
    """Replaces the lines of the ops."""
    known = {key: words for key, words in read(file).items() if key[0] not in ops}
    known |= {(op, str(goal)): words.replace("\t", " ") for (op, goal), words in found.items()}
    file.write_text(HEAD + "".join(f"{op}\t{goal}\t{known[op, goal]}\n"
                                   for op, goal in sorted(known)))
