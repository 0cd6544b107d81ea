#!/bin/sh
# Fuzz one target: tests/fuzz/campaign.sh PROGRAM BUILD SECONDS
# It starts with the committed corpus and the findings of earlier campaigns, and exits
# with status 1 if an input crashes, hangs, leaks, or takes more memory than allowed.
program=$1 build=$2 seconds=$3
name=${program##*/fuzz_}
corpus=$build/corpus/$name
mkdir -p "$corpus" "$build/findings" "$build/logs"
# An absolute path, since a target may be in another folder when it exits.
findings=$(realpath "$build/findings")/$name-
# For a moment, as `make smoke` asks for, no input is too slow: others may be at work.
slow=5
[ "$seconds" -gt 10 ] || slow=300
set -- -max_total_time="$seconds" -max_len=65536 -timeout=$slow -rss_limit_mb=512 \
    -malloc_limit_mb=65 -print_final_stats=1 -artifact_prefix="$findings"
[ -f "tests/fuzz/$name.dict" ] && set -- "$@" -dict="tests/fuzz/$name.dict"
# memmem() would check the whole text at each call: a search of a megabyte takes
# seconds.
export ASAN_OPTIONS=quarantine_size_mb=16:detect_leaks=1:intercept_memmem=0
export LSAN_OPTIONS="suppressions=$PWD/tests/leaks.txt:print_suppressions=0"
log=$build/logs/$name.txt
if nice "$program" "$@" "$corpus" "tests/fuzz/corpus/$name" > "$log" 2>&1; then
    grep -oE 'cov: [0-9]+ ft: [0-9]+' "$log" | tail -n 1 | tr '\n' ' '
    sed -n 's/^stat::number_of_executed_units: */executions: /p' "$log" | tr '\n' ' '
    echo "$name: no finding in $seconds s"
else
    tail -n 40 "$log"
    echo "$name: an input was found; it lies in $findings*"
    exit 1
fi
