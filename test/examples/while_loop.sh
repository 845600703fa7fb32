#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# while_loop.sh SLUICEC FORM: compiles pagerank.FORM and compares its answer with the shipped one.
set -euo pipefail

example="$(cd "$(dirname "${BASH_SOURCE[0]}")/../../examples/while-loop" && pwd)"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

"$1" "$example/pagerank.$2" --feed links --fetch ranks --fetch iterations -o "$scratch/pagerank"
"$scratch/pagerank" --output ranks=- --output iterations=- --input \
  "links=6x6xf32=0,1,0,0,1,1,1,0,1,1,0,0,0,0,0,1,1,0,0,1,1,0,0,0,1,1,0,0,0,0,1,1,0,0,0,0" |
  diff "$example/expected-output.txt" -
