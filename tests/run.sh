#!/bin/sh
# Run the test programs and scripts, JOBS at a time, and count.
#   tests/run.sh TEST ...     programs, and scripts that end in .py
# A program that hangs is ended after LIMIT seconds. The time printed for each test is
# processor time, user and system, of the test and all processes it waited for.
LIMIT=${LIMIT:-560}
JOBS=${JOBS:-$(nproc)}
# What the scripts have in common lies in these folders.
export PYTHONPATH="$PWD/tests/terminal:$PWD/tests/hazards"
# English, in 80 columns and with colours where there is a terminal, whoever runs them.
unset LANGUAGE COLUMNS LINES NO_COLOR
export LC_ALL=C.UTF-8 GLASSBOX="${BUILD:-build}/glassbox"
# The same fonts, whichever are installed.
export FONTCONFIG_FILE="$PWD/tests/fonts.conf"
export ASAN_OPTIONS="${ASAN_OPTIONS:-detect_leaks=1}" LSAN_OPTIONS="suppressions=$PWD/tests/leaks.txt:print_suppressions=0"
export TSAN_OPTIONS="suppressions=$PWD/tests/races.txt"

# NOISE=N moves the last bits of what the program computes: see tests/hazards/noise.c.
if [ -n "$NOISE" ]; then
    # LD_PRELOAD takes no path with spaces.
    export NOISE LD_PRELOAD=noise.so
    export LD_LIBRARY_PATH="$PWD/${BUILD:-build}/tests/hazards${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
    [ "$1" = --one ] || echo "noise: seed $NOISE"
fi

# "0m1.50s 0m0.25s", the last line of the shell's `times`, as milliseconds.
milliseconds() {
    tr 'ms' '  ' | awk 'END { printf "%d", ($1 * 60 + $2 + $3 * 60 + $4) * 1000 }'
}

# One test: its line, and where it fails the end of what it said, in one piece.
if [ "$1" = --one ]; then
    test=$2 results=$3
    log=$(mktemp)
    # pexpect comes as a package of the system's Python, which need not be the first one.
    python=/usr/bin/python3
    [ -x $python ] || python=python3
    case "$test" in *.py) set -- $python "$test" ;; *) set -- "$test" ;; esac
    timeout -k 5 "$LIMIT" "$@" > "$log" 2>&1
    status=$?
    times > "$log.times"
    used=$(milliseconds < "$log.times")
    if [ $status = 0 ]; then
        echo "passed $used $test" >> "$results"
        printf 'ok   %6d ms  %s\n' "$used" "$test"
    else
        echo "failed $used $test" >> "$results"
        { printf 'FAIL  status %d  %s\n' $status "$test"; tail -n 60 "$log"; } > "$log.said"
        cat "$log.said"
    fi
    rm -f "$log" "$log.said" "$log.times"
    exit 0
fi

results=$(mktemp)
export LIMIT
for test in "$@"; do
    if [ -e "$test" ]; then echo "$test"; fi
done | xargs -P "$JOBS" -I '{}' "$0" --one '{}' "$results"
passed=$(grep -c ^passed "$results")
failed=$(grep -c ^failed "$results")
if [ $((passed + failed)) -gt 10 ]; then
    echo "the ten that took the most processor time:"
    sort -k 2nr "$results" | head -n 10 | awk '{ printf "   %7.2f s  %s\n", $2 / 1000, $3 }'
fi
# What `make test` runs should stay cheap; the rest belongs to `make test-all`.
[ -n "$GLASSBOX_TEST_ALL" ] || awk '$2 > 10000 {
    printf "warning: %s takes %.1f s of processor time; at most 10 are meant\n", $3, $2 / 1000
}' "$results"
awk '{ sum += $2 } END { printf "%.0f s of processor time\n", sum / 1000 }' "$results"
rm -f "$results"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
