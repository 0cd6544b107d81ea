#!/bin/sh
# Print the lines that were run, by file, after tests of a build with --coverage:
#   tests/coverage.sh BUILD
# Below 90 % in parsers, ops or text the status is 1.
build=$1
counts=$build/counts.json
bar=90
parsers='src/base/(file|json)\.c|src/tensor/address\.c|src/store/(safetensors|element|config).*\.c'
parsers="$parsers|src/(data/(columns|corpus)|learn/(recipe|checkpoint)|grammar/).*\.c"
parsers="$parsers|src/(command/command|session/sentence)\.c"
short=0
gcovr --root . --object-directory "$build" --filter src/ --json "$counts" "$build" || exit 2
group() { # group NAME PATTERN [OPTION]
    name=$1 pattern=$2
    shift 2
    printf '\n%s\n' "$name"
    gcovr --root . --add-tracefile "$counts" --filter "$pattern" "$@" |
        awk '/^(src|TOTAL)/ { printf "  %-38s %6d lines %6s\n", $1, $2, $4 }'
    # Not with --output: gcovr removes the file first, even a device.
    gcovr --root . --add-tracefile "$counts" --filter "$pattern" "$@" \
        > /dev/null 2>&1 || short=1
}
group "parsers"       "($parsers)"   --fail-under-line $bar
group "ops"           'src/(ops|kernel)/'     --fail-under-line $bar
group "text"          'src/text/'    --fail-under-line $bar
group "everything"    'src/'
[ $short = 0 ] || echo "below $bar %"
exit $short
