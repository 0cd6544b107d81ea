#!/bin/sh
# Run test programs and scripts, JOBS at a time, and count the results.
#   tests/run.sh TEST ...     programs, and scripts that end in .py
# RUNNER starts the programs, such as an emulator of another processor.
# A test that hangs is killed after LIMIT seconds. The time printed for each test is the
# processor time, user and system, of the test and all processes that it waited for.
LIMIT=${LIMIT:-560}
JOBS=${JOBS:-$(nproc)}
# Modules that the scripts share.
export PYTHONPATH="$PWD/tests/terminal:$PWD/tests/hazards"
# English, 80 columns, and colors in a terminal, regardless of the user's environment.
unset LANGUAGE COLUMNS LINES NO_COLOR XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_CACHE_HOME
export LC_ALL=C.UTF-8 GLASSBOX="${BUILD:-build}/glassbox"
# The same fonts, regardless of which are installed.
export FONTCONFIG_FILE="$PWD/tests/fonts.conf"
export ASAN_OPTIONS="${ASAN_OPTIONS:-detect_leaks=1}" LSAN_OPTIONS="suppressions=$PWD/tests/leaks.txt:print_suppressions=0"
export TSAN_OPTIONS="suppressions=$PWD/tests/races.txt"

# NOISE=N changes the last bits of computed numbers: see tests/hazards/noise.c.
if [ -n "$NOISE" ]; then
    # LD_PRELOAD does not accept a path with spaces.
    export NOISE LD_PRELOAD=noise.so
    export LD_LIBRARY_PATH="$PWD/${BUILD:-build}/tests/hazards${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
    [ "$1" = --one ] || echo "noise: seed $NOISE"
fi

# "0m1.50s 0m0.25s", the last line of the shell's `times`, as milliseconds.
milliseconds() {
    tr 'ms' '  ' | awk 'END { printf "%d", ($1 * 60 + $2 + $3 * 60 + $4) * 1000 }'
}

# Run one test. Print its result and, if it fails, the end of its output, in one piece.
if [ "$1" = --one ]; then
    test=$2 results=$3
    log=$(mktemp)
    # pexpect is a package of the system's Python, which may not be first in PATH.
    python=/usr/bin/python3
    [ -x $python ] || python=python3
    case "$test" in *.py) set -- $python "$test" ;; *) set -- $RUNNER "$test" ;; esac
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

for test in "$@"; do
    [ -e "$test" ] || { echo "run.sh: there is no test $test" >&2; exit 1; }
done
results=$(mktemp)
# An empty home, as after an installation: no history, no progress, no settings.
home=$(mktemp -d) || exit 1
export LIMIT HOME="$home"
printf '%s\n' "$@" | xargs -P "$JOBS" -I '{}' "$0" --one '{}' "$results"
passed=$(grep -c ^passed "$results")
failed=$(grep -c ^failed "$results")
if [ $((passed + failed)) -gt 10 ]; then
    echo "the ten that took the most processor time:"
    sort -k 2nr "$results" | head -n 10 | awk '{ printf "   %7.2f s  %s\n", $2 / 1000, $3 }'
fi
# Tests of `make test` should be cheap; expensive cases belong to `make test-all`.
[ -n "$GLASSBOX_TEST_ALL" ] || awk '$2 > 10000 {
    printf "warning: %s takes %.1f s of processor time; at most 10 are meant\n", $3, $2 / 1000
}' "$results"
awk '{ sum += $2 } END { printf "%.0f s of processor time\n", sum / 1000 }' "$results"
rm -rf "$results" "$home"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
