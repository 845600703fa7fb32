#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the loss of 200 steps of training.

Usage: draw_loss.py PROGRAM FOLDER PICTURE. The folder has what make_data.py wrote.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from loss_picture import losses, picture

program, folder, file = map(pathlib.Path, sys.argv[1:])
feeds = {name: folder / f"{name}.npy" for name in ("hours", "power", "measured")}
values = losses([program.resolve()], feeds, 200)
file.write_text(picture("mean squared error of the temperatures", values))
print(f"the first loss is {values[0] / values[-1]:.0f} times the last one")
