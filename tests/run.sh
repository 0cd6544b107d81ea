#!/bin/sh
# Run the test programs and scripts, JOBS at a time, and count.
#   tests/run.sh TEST ...     programs, and scripts that end in .py
# A program that hangs is ended after LIMIT seconds.
LIMIT=${LIMIT:-560}
JOBS=${JOBS:-$(nproc)}
# What the scripts have in common lies in these folders.
export PYTHONPATH="$PWD/tests/terminal:$PWD/tests/hazards"
# English, whoever runs them.
unset LANGUAGE
export LC_ALL=C.UTF-8 GLASSBOX="${BUILD:-build}/glassbox"
# The same fonts, whichever are installed.
export FONTCONFIG_FILE="$PWD/tests/fonts.conf"
export ASAN_OPTIONS="${ASAN_OPTIONS:-detect_leaks=1}" LSAN_OPTIONS="suppressions=$PWD/tests/leaks.txt:print_suppressions=0"
export TSAN_OPTIONS="suppressions=$PWD/tests/races.txt"

# NOISE=N moves the last bits of what the program computes: see tests/hazards/noise.c.
if [ -n "$NOISE" ]; then
    export NOISE LD_PRELOAD="$PWD/${BUILD:-build}/tests/hazards/noise.so"
    [ "$1" = --one ] || echo "noise: seed $NOISE"
fi

# One test: its line, and where it fails the end of what it said, in one piece.
if [ "$1" = --one ]; then
    test=$2 results=$3
    log=$(mktemp)
    # pexpect comes as a package of the system's Python, which need not be the first one.
    python=/usr/bin/python3
    [ -x $python ] || python=python3
    case "$test" in *.py) set -- $python "$test" ;; *) set -- "$test" ;; esac
    begin=$(date +%s%N)
    if timeout -k 5 "$LIMIT" "$@" > "$log" 2>&1; then
        echo passed >> "$results"
        printf 'ok    %5d ms  %s\n' $((($(date +%s%N) - begin) / 1000000)) "$test"
    else
        status=$?
        echo failed >> "$results"
        { printf 'FAIL  status %d  %s\n' $status "$test"; tail -n 60 "$log"; } > "$log.said"
        cat "$log.said"
    fi
    rm -f "$log" "$log.said"
    exit 0
fi

results=$(mktemp)
export LIMIT
for test in "$@"; do
    if [ -e "$test" ]; then echo "$test"; fi
done | xargs -P "$JOBS" -I '{}' "$0" --one '{}' "$results"
passed=$(grep -c passed "$results")
failed=$(grep -c failed "$results")
rm -f "$results"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
