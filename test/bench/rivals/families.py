# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""All models of the table, in its order."""

from rivals import deciding, layered, learners, loops, recurrent, translators

FAMILIES = (recurrent, translators, deciding, learners, layered, loops)
MODELS = {name: model for family in FAMILIES for name, model in family.MODELS.items()}
