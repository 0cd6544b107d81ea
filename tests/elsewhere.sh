#!/bin/bash
# Run `make test` in other folders, environments and with other BLAS kernels.
#   tests/elsewhere.sh          one way, chosen at random
#   tests/elsewhere.sh all      all of them; the last line lists those that failed
#   tests/elsewhere.sh WAY ...  the given ones
set -u
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
loops=()
leave() {
    [ ${#loops[@]} = 0 ] || kill "${loops[@]}"
    rm -rf "$scratch"
}
trap leave EXIT

# Clone the committed files into a folder.
clone() { git clone -q . "$1" && cd "$1"; }

# Each way is a function way_NAME that runs the tests in a subshell.

way_long_path() { # 200 characters, with spaces and Hangul
    local place="$scratch/a place with spaces/그리고 한글이 있는 폴더"
    while [ ${#place} -lt 190 ]; do place="$place/and more"; done
    mkdir -p "$place" && clone "$place/glassbox" && make test
}

way_ordinary_user() {
    [ "$(id -u)" = 0 ] || { make test; return; }
    chmod 755 "$scratch"
    clone "$scratch/glassbox" && mkdir "$scratch/home" &&
        chown -R nobody "$scratch/glassbox" "$scratch/home" &&
        HOME="$scratch/home" setpriv --reuid=nobody --clear-groups make test
}

way_home_missing() { HOME="$scratch/nowhere" make test; }
way_home_unset() { env -u HOME make test; }

way_home_read_only() {
    mkdir "$scratch/home" && chmod 555 "$scratch/home" && HOME="$scratch/home" make test
}

way_home_in_use() { # with a history and the progress of a lesson
    mkdir "$scratch/home"
    printf '나는 학생입니다.\n:lesson 0\n\n\n:stop\n' | HOME="$scratch/home" build/glassbox > /dev/null
    HOME="$scratch/home" make test
}

way_environment() {
    LANG=tr_TR.UTF-8 LC_ALL=ko_KR.UTF-8 LANGUAGE=ko:de TERM=vt100 COLUMNS=33 LINES=5 NO_COLOR=1 \
        OMP_NUM_THREADS=7 OPENBLAS_NUM_THREADS=5 XDG_STATE_HOME=relative XDG_DATA_HOME="$scratch/no where" \
        XDG_CONFIG_HOME="$scratch/a b" TMPDIR="$scratch" CDPATH=/ GREP_OPTIONS= make test
}

way_one_core() { taskset -c 0 make test; }

way_busy() { # together with six busy loops
    for _ in 1 2 3 4 5 6; do
        while :; do :; done &
        loops+=($!)
    done
    make test
}

way_plainest_loops() { make test BUILD=build/plain CFLAGS="-O2 -g -DCLONES="; }
way_kernel_prescott() { OPENBLAS_CORETYPE=Prescott make test; } # the simplest kernel
way_kernel_haswell() { can avx2 && OPENBLAS_CORETYPE=Haswell make test; }
way_kernel_skylakex() { can avx512vl && OPENBLAS_CORETYPE=SkylakeX make test; }

way_noise() { # changes the last bits of all numbers
    NOISE=${NOISE:-$((RANDOM * 32768 + RANDOM))} make test
}

# Skip the test if the processor lacks a feature.
can() { grep -qw "$1" /proc/cpuinfo || { echo "skipped: no $1"; exit 0; }; }

ways=$(declare -F | sed -n 's/^declare -f way_//p')
case "${1:-}" in
"") set -- "$(shuf -n 1 <<< "$ways")" ;;
all) set -- $ways ;;
esac
failed=
for way in "$@"; do
    declare -F "way_$way" > /dev/null || { echo "no way '$way'; there are:" $ways; exit 2; }
    echo "elsewhere: $way"
    begin=$SECONDS
    (loops=(); trap - EXIT; "way_$way"; status=$?; [ ${#loops[@]} = 0 ] || kill "${loops[@]}"; exit $status) || failed="$failed $way"
    echo "elsewhere: $way: $((SECONDS - begin)) s"
    chmod -R u+w "$scratch" && rm -rf "${scratch:?}"/*
done
[ -z "$failed" ] || { echo "failed elsewhere:$failed"; exit 1; }
