#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# two_processes.sh TOOLS: compiles the example's graph for two devices, runs it, and compares its answer
# with the shipped one; then starts the two processes by hand, as the example's README does.
set -euo pipefail

example="$(cd "$(dirname "${BASH_SOURCE[0]}")/../../examples/two-processes" && pwd)"
scratch="$(mktemp -d)"
trap 'kill $(jobs -p) 2> /dev/null || true; rm -rf "$scratch"' EXIT
links="links=6x6xf32=0,1,0,0,1,1,1,0,1,1,0,0,0,0,0,1,1,0,0,1,1,0,0,0,1,1,0,0,0,0,1,1,0,0,0,0"

"$1/sluicec" "$example/pagerank.pb" --cluster "$example/cluster.json" --feed links --fetch ranks \
  --fetch iterations -o "$scratch/out"
"$1/sluice-run" "$scratch/out/manifest.json" --input "$links" --output ranks=- \
  --output iterations=- | diff "$example/expected-output.txt" -

"$scratch/out/pagerank.rank1" &
"$scratch/out/pagerank.rank0" --input "$links" --output ranks=- --output iterations=- |
  diff "$example/expected-output.txt" -
wait %1
