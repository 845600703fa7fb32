#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# run.sh [--only PARTS] [FOLDER]: checks and measures on this machine's first card what pack.sh has
# packed. Prints a line for each thing, then "N passed, N failed, N skipped"; figures and logs go to
# FOLDER (default: results, beside this file). Exit code 1 if anything failed. PARTS are some of
# driver,device,recorded,library,times,rivals,sanitizers, with commas between. Where bits and times are
# compared with others, products are those of the programs' own kernels; those of a library are
# compared within the tolerances of recorded runs. Without a driver all parts are skipped.
set -uo pipefail

parts=driver,device,recorded,library,times,rivals,sanitizers
if [ "${1:-}" = --only ]; then
  parts="$2"
  shift 2
fi

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
results="${1:-$here/results}"
mkdir -p "$results"
passed=0 failed=0 skipped=0
jobs="$(nproc)"
xb=(--input x=rand --input b=rand)
lstm=(--load "$results/weights.safetensors")
for name in row scale c h; do
  lstm+=(--input "$name=rand")
done
"$here/programs/lstm-weights" --input w=rand --input bias=rand \
  --save "$results/weights.safetensors" >"$results/weights.log" 2>&1

# Adds up what the last line of a log says.
count() {
  local line
  line="$(grep -aoE '[0-9]+ passed, [0-9]+ failed, [0-9]+ (skipped|unsupported)' "$1" | tail -1)"
  if [ -z "$line" ]; then
    echo "FAILED: $2 came to no end: $(tail -n 2 "$1" | tr '\n' ' ')"
    failed=$((failed + 1))
    return
  fi
  # shellcheck disable=SC2086
  set -- $line
  passed=$((passed + $1)) failed=$((failed + $3)) skipped=$((skipped + $5))
}

# within SECONDS LOG COMMAND...
within() {
  local seconds="$1" log="$results/$2"
  shift 2
  timeout -k 5 "$seconds" "$@" >"$log" 2>&1
}

if command -v nvidia-smi >/dev/null; then
  nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.max.sm --format=csv,noheader
fi
# Whether there is a driver at all; whatever else is missing is a failure.
missing="$("$here/programs/tiny-loop" --input n=i32=1 "${xb[@]}" 2>&1 >/dev/null |
  grep -aoE 'the CUDA driver is missing.*' | head -n 1)"
lscpu | sed -n 's/^Model name: */processor: /p'

# ---- The driver and the card --------------------------------------------------------------------
check_driver() {
  for section in card images kernels conditions streams floors copies graphs; do
    within 120 "$section.log" "$here/bin/card-check" "$section" "$here/kernels" \
      "$results/$section.json"
    grep -aE '^(card:|FAILED|skipped:|figure:)' "$results/$section.log"
    count "$results/$section.log" "card-check $section"
  done

  # Wrong calls are answered as they were elsewhere, which the simulated driver is tested against.
  within 60 codes.log "$here/bin/card-check" codes "$here/kernels"
  if [ ! -e "$here/codes.txt" ]; then
    echo "skipped: no error codes are on record"
    skipped=$((skipped + 1))
  elif grep -a ^code: "$results/codes.log" | diff "$here/codes.txt" - >"$results/codes.diff"; then
    echo "passed: error codes are those on record"
    passed=$((passed + 1))
  else
    echo "FAILED: error codes differ from those on record (<):"
    cat "$results/codes.diff"
    failed=$((failed + 1))
  fi
}

# ---- The runtime's device -----------------------------------------------------------------------
check_device() {
  within 120 device.log "$here/bin/runtime-tests" --gtest_filter='*Cuda*:Cuda*' --gtest_brief=1
  grep -aE '^\[  (PASSED|FAILED)' "$results/device.log"
  ran="$(sed -nE 's/^\[  PASSED  \] ([0-9]+) test.*/\1/p' "$results/device.log")"
  left="$(sed -nE 's/^\[  SKIPPED \] ([0-9]+) test.*/\1/p' "$results/device.log")"
  broken="$(sed -nE 's/^\[  FAILED  \] ([0-9]+) test.*/\1/p' "$results/device.log")"
  [ -n "$ran" ] || broken=$((${broken:-0} + 1))
  passed=$((passed + ${ran:-0})) failed=$((failed + ${broken:-0}))
  skipped=$((skipped + ${left:-0}))
}

# ---- Recorded runs ------------------------------------------------------------------------------
# replay WHEN NAME: with --card-library=WHEN.
replay() {
  local when="$1" runs="$2"
  export COMPILED_AHEAD="$here/compiled"
  for folder in "$here"/fixtures/*/; do
    name="$(basename "$folder")"
    within 400 "$runs-$name.log" "$here/bin/sluice-conformance" --jobs "$jobs" \
      --compiler "$here/bin/compile_ahead" --target="$(cat "$here/target")" --timeout 60 \
      --card-library="$when" --digest "$results/$runs-digests-$name.txt" "$folder"
    grep -a '^failed' "$results/$runs-$name.log" | head -n 20
    tail -n 1 "$results/$runs-$name.log" | sed "s/^/recorded runs of $name ($runs): /"
    count "$results/$runs-$name.log" "recorded runs of $name ($runs)"
  done
}

# ---- Products by cuBLASLt -----------------------------------------------------------------------
check_library() {
  local done
  done="$(timeout 120 "$here/programs/matmul" --input n=i32=2 --input x=rand --input w=rand \
    --stats-json 2>&1 >/dev/null | sed -nE 's/.*"gpu_0_library_products": *([0-9]+).*/\1/p')"
  if [ "${done:-0}" -eq 0 ]; then
    echo "skipped: no product was cuBLASLt's; where it is, LD_LIBRARY_PATH has to say"
    skipped=$((skipped + 1))
    return
  fi
  echo "figure: matmul_library_products $done"
  replay auto library
}

# ---- Times --------------------------------------------------------------------------------------
measure_times() {
  # seconds PROGRAM FLAGS...: what its calls took.
  seconds() {
    local program="$1"
    shift
    timeout 120 "$here/programs/$program" "$@" --card-library=never --stats-json 2>&1 >/dev/null |
      sed -nE 's/.*"call_seconds": *([0-9.e+-]+).*/\1/p'
  }
  # per NAME UNIT SCALE PROGRAM FEW MANY FLAGS...: an iteration's time, of two runs that differ in
  # how many they make.
  figures="$results/programs.json"
  echo "{" >"$figures"
  figure() {
    local value="${2:-null}"
    echo "figure: $1 $2"
    [[ "$value" != *nan* ]] || value=null # which is no number of JSON
    echo "  \"$1\": $value," >>"$figures"
  }
  per_iteration() {
    local name="$1" few="$2" many="$3" short long
    shift 3
    short="$(seconds "$name" --input n=i32="$few" "$@")"
    long="$(seconds "$name" --input n=i32="$many" "$@")"
    figure "${name}_us_per_iteration" "$(awk -v a="${short:-nan}" -v b="${long:-nan}" \
      -v n=$((many - few)) 'BEGIN { printf "%.4f", (b - a) * 1e6 / n }')"
  }
  per_step() {
    local name="$1" short long
    shift
    short="$(seconds "$name" "$@" --steps 2)"
    long="$(seconds "$name" "$@" --steps 12)"
    figure "${name}_ms_per_step" "$(awk -v a="${short:-nan}" -v b="${long:-nan}" \
      'BEGIN { printf "%.4f", (b - a) * 1e3 / 10 }')"
  }
  per_iteration tiny-loop 1000 1001000 "${xb[@]}"
  per_iteration tiny-loop-on-card 1000 11000 "${xb[@]}"
  per_iteration scalar-loop 1000 1001000 "${xb[@]}"
  per_iteration small-chain 100 10100 "${xb[@]}"
  per_iteration chain 10 210 "${xb[@]}"
  per_iteration matmul 2 22 --input x=rand --input w=rand
  per_iteration convolution 2 22 --input x=rand --input f=rand
  per_iteration softmax 10 110 --input x=rand
  for batch in 32 128 512; do
    per_step "lstm-$batch" --signature main "${lstm[@]}"
    per_step "lstm-$batch-training" --signature train "${lstm[@]}"
  done
  start="$(date +%s%N)"
  "$here/programs/tiny-loop" --input n=i32=1 "${xb[@]}" >/dev/null 2>&1
  figure start_to_end_ms "$(awk -v t=$(($(date +%s%N) - start)) 'BEGIN { printf "%.1f", t / 1e6 }')"
  echo '  "": 0' >>"$figures"
  echo "}" >>"$figures"
}

# ---- Rivals -------------------------------------------------------------------------------------
measure_rivals() {
  if python3 -c 'import torch' 2>/dev/null || python3 -c 'import jax' 2>/dev/null; then
    within 150 rivals.log python3 "$here/rivals.py" "$results/rivals.json"
    grep -a '^figure' "$results/rivals.log" || tail -n 3 "$results/rivals.log"
  fi
}

# ---- Sanitizers ---------------------------------------------------------------------------------
run_sanitizers() {
  if command -v compute-sanitizer >/dev/null; then
    for tool in memcheck racecheck synccheck initcheck; do
      for program in tiny-loop-on-card lstm-32-training; do
        fed=(--input n=i32=3 "${xb[@]}")
        if [ "$program" = lstm-32-training ]; then
          fed=(--signature train "${lstm[@]}")
        fi
        within 40 "$tool-$program.log" compute-sanitizer --tool "$tool" --error-exitcode 9 \
          "$here/programs/$program" "${fed[@]}"
        code=$?
        if [ $code -eq 0 ]; then
          echo "passed: compute-sanitizer --tool $tool of $program"
          passed=$((passed + 1))
        elif [ $code -eq 124 ]; then
          echo "skipped: compute-sanitizer --tool $tool of $program took too long"
          skipped=$((skipped + 1))
        else
          echo "FAILED: compute-sanitizer --tool $tool of $program: exit code $code"
          grep -a '=====' "$results/$tool-$program.log" | head -n 8
          failed=$((failed + 1))
        fi
      done
    done
  else
    echo "skipped: compute-sanitizer is not here"
    skipped=$((skipped + 1))
  fi
}

for part in ${parts//,/ }; do
  if [ -n "$missing" ]; then
    echo "skipped: $part: $missing"
    skipped=$((skipped + 1))
    continue
  fi
  case "$part" in
    driver) check_driver ;;
    device) check_device ;;
    recorded) replay never conformance ;;
    library) check_library ;;
    times) measure_times ;;
    rivals) measure_rivals ;;
    sanitizers) run_sanitizers ;;
    *) echo "error: there is no part '$part'" >&2 && exit 2 ;;
  esac
done

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
