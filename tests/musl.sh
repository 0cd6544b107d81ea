#!/bin/sh
# Compile the sources with musl-gcc, except what is written for one system
# (src/base/system_*.c), and check that every function they call is in musl, in the
# libraries, or in base/system.h. Debian has no libraries for musl, so their headers are
# linked into a folder, and their functions are looked up in the libraries for glibc.
#   tests/musl.sh [BUILD]     Debian's package musl-tools
set -eu
cd "$(dirname "$0")/.."
build=$(realpath "${1:-build}")/musl
libraries='libpng zlib libutf8proc jansson md4c readline ncursesw'
command -v musl-gcc > /dev/null || { echo "tests/musl.sh needs musl-gcc (package musl-tools)" >&2; exit 1; }

rm -rf "$build/include"
mkdir -p "$build/include"
folders=
for folder in $(pkg-config --cflags-only-I $libraries cairo pangocairo | sed 's/-I//g'); do
    [ "$folder" = /usr/include ] || folders="$folders -isystem $folder"
done
# The others are next to the headers of glibc, which must not be found.
for header in zlib.h zconf.h png.h pngconf.h pnglibconf.h utf8proc.h jansson.h jansson_config.h \
    md4c.h readline ncurses.h ncurses_dll.h curses.h term.h unctrl.h; do
    for place in /usr/include "/usr/include/$(gcc -print-multiarch)"; do
        if [ -e "$place/$header" ]; then ln -sf "$place/$header" "$build/include/"; fi
    done
done

cat > "$build/rules" <<'E2'
SOURCES = $(filter-out src/base/system_%.c, $(wildcard src/*/*.c)) src/main.c
objects: $(SOURCES:%.c=$(BUILD)/%.o)
$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	@musl-gcc -std=c17 -D_GNU_SOURCE -D_XOPEN_SOURCE=700 -Isrc -I$(PAGE) -fopenmp-simd -O1 \
	    -Wall -Wextra -Werror $(INCLUDES) -c $< -o $@
E2
make -s -j"$(nproc)" "$(dirname "$build" | sed "s,^$PWD/,,")/page/canvas.calls.inc" > /dev/null
make -s -k -j"$(nproc)" -f "$build/rules" BUILD="$build" PAGE="$(dirname "$build")/page" \
    INCLUDES="-isystem $build/include $folders"

objects=$(find "$build" -name '*.o')
{
    nm -A -g --defined-only $objects "$(ls /usr/lib/*-linux-musl/libc.a /usr/lib/musl/lib/libc.a | head -n 1)"
    for flag in $(pkg-config --libs-only-l $libraries); do
        file=$(gcc -print-file-name="lib${flag#-l}.so")
        # ncurses' is a script for the linker.
        nm -A -D --defined-only "$file" || nm -A -D --defined-only "$file".[0-9]*
    done
} 2> /dev/null | sed 's/.* //; s/@.*//' | sort -u > "$build/defined"
grep -ohE '\bsystem_[a-z_]+\(' src/base/system.h | tr -d '(' | sort -u >> "$build/defined"
# gcc's own library, and the linker.
nm -u $objects | awk 'NF == 2 { print $2 }' | sort -u |
    grep -vxF -f "$build/defined" | grep -vE '^(__(cpu_|udiv|mul|float|fix)|_GLOBAL_OFFSET)' > "$build/missing" || true
if [ -s "$build/missing" ]; then
    echo "musl has not:" $(cat "$build/missing")
    exit 1
fi
echo "musl: $(echo "$objects" | wc -l) files compile"
