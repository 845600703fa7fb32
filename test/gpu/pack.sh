#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# pack.sh [--fixtures DIR]... [--output FILE]: packs all that is to be checked and measured on a
# machine with a card: unpack it there and call ./run.sh. It needs the driver, and nothing else.
#
# --fixtures DIR   recorded runs to replay there; may be given several times
#                  (default: test/conformance/fixtures)
# --filter GLOB    only tests of such names
# --target CARD    default: cuda, which is code for all cards; cuda:sm_90 is smaller
# --output FILE    default: build/release/gpu-pack.tar.xz
set -euo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
root="$(cd "$here/../.." && pwd)"
build="$root/build/release"
fixtures=()
filter='*'
target=cuda
output="$build/gpu-pack.tar.xz"
while [ $# -gt 0 ]; do
  case "$1" in
    --fixtures) fixtures+=("$(realpath "$2")") ;;
    --filter) filter="$2" ;;
    --target) target="$2" ;;
    --output) output="$(realpath -m "$2")" ;;
    *) sed -n '3,10s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2 && exit 2 ;;
  esac
  shift 2
done
[ ${#fixtures[@]} -gt 0 ] || fixtures=("$root/test/conformance/fixtures")

"$root/tools/setup/build" release sluicec card-check runtime-tests sluice-conformance \
  sluice-conformance-alone
pack="$build/gpu-pack"
rm -rf "$pack"
mkdir -p "$pack"/{bin,kernels,programs,fixtures,compiled}

# ---- Kernels and the programs that ask the driver -----------------------------------------------
for source in "$here"/{twins,card}/kernels/*.ll; do
  name="$(basename "$source" .ll)"
  /usr/lib/llvm-22/bin/llc -O2 -march=nvptx64 -mcpu=sm_90 -mattr=+ptx80 "$source" \
    -o "$pack/kernels/$name.ptx"
  "${PTXAS:-/usr/local/cuda/bin/ptxas}" -arch=sm_90 "$pack/kernels/$name.ptx" \
    -o "$pack/kernels/$name.cubin"
done
cp "$build/bin/"{card-check,runtime-tests} "$pack/bin"
cp "$build/bin/sluice-conformance-alone" "$pack/bin/sluice-conformance"
strip "$pack/bin/"*
cp "$here"/card/codes*.txt "$pack" 2>/dev/null || true
cp "$here/run.sh" "$pack"
cp "$here/compile_ahead" "$pack/bin"
cp "$here/card/rivals.py" "$pack"

# ---- Programs to time ---------------------------------------------------------------------------
"$here/card/graphs.py" "$build/gpu-graphs"
for graph in "$build/gpu-graphs"/*.pbtxt; do
  name="$(basename "$graph" .pbtxt)"
  mapfile -t flags <"${graph%.pbtxt}.flags"
  "$build/bin/sluicec" "$graph" --target="$target" --card-only "${flags[@]}" \
    -o "$pack/programs/$name" >/dev/null
done

# ---- Recorded runs ------------------------------------------------------------------------------
# Those that pass on a simulated card: what fails on a card then is news. Here no program for a real
# card runs, so replaying them only compiles, which takes as long as it does: what is not compiled
# here is missing there.
echo "$target" >"$pack/target"
for folder in "${fixtures[@]}"; do
  name="$(basename "$folder")"
  "$build/bin/sluice-conformance" --target=sim --filter="$filter" --digest "$build/passed.txt" \
    --timeout 120 "$folder" || echo "what failed is left out" >&2
  mkdir -p "$pack/fixtures/$name"
  while read -r test _; do
    test="${test#*/}"
    if [ -d "$folder/$test" ]; then
      mkdir -p "$(dirname "$pack/fixtures/$name/$test")"
      cp -r "$folder/$test" "$pack/fixtures/$name/$test"
    else
      mkdir -p "$(dirname "$pack/fixtures/$name/$test")"
      cp "$folder/$test."{pb,json} "$(dirname "$pack/fixtures/$name/$test")"
    fi
  done <"$build/passed.txt"
  COMPILED_BY="$build/bin/sluicec" COMPILED_AHEAD="$pack/compiled" \
    "$build/bin/sluice-conformance" --compiler "$here/compile_ahead" --target="$target" \
    --timeout 600 \
    "$pack/fixtures/$name" >/dev/null || true
done

(cd "$build" && tar -cf - gpu-pack | xz --lzma2=preset=1,dict=64MiB >"$output")
ls -l "$output"
