#!/bin/sh
# Run the test programs and scripts, one after the other, and count.
#   tests/run.sh TEST ...     programs, and scripts that end in .py
# A program that hangs is ended after LIMIT seconds.
LIMIT=${LIMIT:-280}
# What the scripts have in common lies in these folders.
export PYTHONPATH="$PWD/tests/terminal:$PWD/tests/hazards"
# English, whoever runs them.
unset LANGUAGE
export LC_ALL=C.UTF-8 GLASSBOX="${BUILD:-build}/glassbox"
export ASAN_OPTIONS="${ASAN_OPTIONS:-detect_leaks=1}" LSAN_OPTIONS="suppressions=$PWD/tests/leaks.txt:print_suppressions=0"
export TSAN_OPTIONS="suppressions=$PWD/tests/races.txt"
passed=0
failed=0
log=$(mktemp)
# pexpect comes as a package of the system's Python, which need not be the first one.
python=/usr/bin/python3
[ -x $python ] || python=python3
for test in "$@"; do
    [ -e "$test" ] || continue
    case "$test" in *.py) set -- $python "$test" ;; *) set -- "$test" ;; esac
    begin=$(date +%s%N)
    if timeout -k 5 "$LIMIT" "$@" > "$log" 2>&1; then
        passed=$((passed + 1))
        printf 'ok    %5d ms  %s\n' $((($(date +%s%N) - begin) / 1000000)) "$test"
    else
        status=$?
        failed=$((failed + 1))
        printf 'FAIL  status %d  %s\n' $status "$test"
        tail -n 60 "$log"
    fi
done
rm -f "$log"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
