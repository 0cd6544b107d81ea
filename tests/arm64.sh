#!/bin/sh
# Build for arm64 with a cross compiler and run the unit tests with qemu. Debian's libraries
# for arm64 are unpacked in BUILD/arm64/root; nothing is installed.
#   tests/arm64.sh [BUILD]     as root, for debootstrap; `make arm64` installs the tools
# Needs a mirror of Debian (MIRROR; default: the one of this system).
set -eu
cd "$(dirname "$0")/.."
build=${1:-build}/arm64
root=$PWD/$build/root
machine=aarch64-linux-gnu
if [ ! -e "$root/unpacked" ]; then
    [ "$(id -u)" = 0 ] || { echo "tests/arm64.sh needs root, to unpack packages" >&2; exit 1; }
    mirror=${MIRROR:-$(tests/package.sh --mirror)}
    rm -rf "$root"
    mkdir -p "$root"
    debootstrap --foreign --arch=arm64 --variant=minbase \
        --include="$(echo libc6-dev $LIBRARIES | tr ' ' ',')" bookworm "$root" "$mirror" > "$build/log" ||
        { tail "$build/log"; exit 1; }
    for package in "$root"/var/cache/apt/archives/*.deb; do
        dpkg-deb --fsys-tarfile "$package" | tar -x --keep-directory-symlink -C "$root"
    done
    # Links from / lead into the folder.
    find "$root/usr/lib" -lname '/*' | while read -r link; do
        target=$root$(readlink "$link")
        if [ -e "$target" ]; then ln -sfn "$target" "$link"; fi
    done
    touch "$root/unpacked"
fi
export PKG_CONFIG_SYSROOT_DIR="$root"
export PKG_CONFIG_LIBDIR="$root/usr/lib/$machine/pkgconfig:$root/usr/share/pkgconfig"
tests=$(for test in tests/units/test_*.c; do echo "$build/${test%.c}"; done)
make --no-print-directory -s -j"$(nproc)" BUILD="$build" CC="$machine-gcc --sysroot=$root" AR=$machine-ar all $tests
# The postinst of OpenBLAS would have made a link to its folder.
export RUNNER="qemu-aarch64-static -L $root -E LD_LIBRARY_PATH=/usr/lib/$machine/openblas-pthread"
BUILD="$build" LIMIT=${LIMIT:-1800} tests/run.sh $tests
