#!/bin/sh
# Install the package of `make deb` in a bare Debian system, use it there, and remove it.
#   tests/package.sh PACKAGE [FOLDER]
# Needs root, debootstrap and a mirror of Debian (MIRROR; default: the one of this system).
# FOLDER keeps the bare system for the next time. Not part of `make test`.
set -eu
MIRROR=${MIRROR:-$(sed -n 's/^URIs: *//p; s/^deb \(\[.*\] \)*\([^ ]*\).*/\2/p' /etc/apt/sources.list \
    /etc/apt/sources.list.d/debian.sources 2> /dev/null | head -n 1)}
[ "$1" != --mirror ] || { echo "$MIRROR"; exit; }
package=$1 kept=${2:-}
[ "$(id -u)" = 0 ] || { echo "tests/package.sh needs root, to make a bare system" >&2; exit 1; }
work=$(mktemp -d /var/tmp/package.XXXXXX)
root=$work/root
trap 'umount "$root/proc" 2> /dev/null || true; rm -rf --one-file-system "$work"' EXIT

inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive "$@"; }
reader() { inside su reader -c "cd && LC_ALL=${LOCALE:-C.UTF-8} $1"; }
failed() { echo "FAIL  $1" >&2; exit 1; }
# `said WHAT PATTERN TEXT`: the text matches the pattern.
said() { printf '%s\n' "$3" | grep -q -- "$2" || failed "$1: expected \"$2\" in: $3"; echo "ok    $1"; }
files() { (cd "$root" && find . -xdev \( -path ./proc -o -path ./var/cache -o -path ./var/log -o -path ./var/lib/dpkg \
    -o -path ./var/lib/apt -o -path ./home -o -path ./tmp -o -path ./root \) -prune -o -print | sort); }

if [ -n "$kept" ] && [ -d "$kept" ]; then
    cp -a "$kept" "$root"
else
    debootstrap --variant=minbase bookworm "$root" "$MIRROR" > "$work/log" || { tail "$work/log"; exit 1; }
    [ -z "$kept" ] || cp -a "$root" "$kept"
fi
mount -t proc proc "$root/proc"
inside useradd --create-home reader
inside sh -c 'command -v cc gcc tcc clang' && failed "the bare system has a compiler"
files > "$work/before"

cp "$package" "$root/tmp/glassbox.deb"
inside apt-get update -qq
inside dpkg-query -W -f '${Package}\n' | sort > "$work/packages"
inside apt-get install -y -qq /tmp/glassbox.deb > "$work/log" 2>&1 || { tail "$work/log"; exit 1; }
echo "ok    installed"
size=$(stat -c %s "$package")
[ "$size" -le 25000000 ] || failed "the package has $size bytes"
echo "ok    the package has $size bytes"
inside sh -c 'command -v cc gcc tcc clang' && failed "the package brought a compiler"

said "its version" "^glassbox $(inside dpkg-query -W -f '${Version}' glassbox)\$" "$(reader 'glassbox --version')"
# The lines of README's first walk, as they are typed.
sed -n '/^## A walk/,/^## The full/s/^    > \(.*[^ ]\)   *[^ ].*/\1/p; /^## A walk/,/^## The full/s/^    >   *Enter.*//p' \
    "$(dirname "$0")/../README.md" > "$root/home/reader/walk"
[ "$(wc -l < "$root/home/reader/walk")" -ge 9 ] || failed "README has no walk of ten lines"
walk=$(reader 'glassbox < walk 2> errors') || failed "the walk: $(cat "$root/home/reader/errors")"
[ ! -s "$root/home/reader/errors" ] || failed "the walk: $(cat "$root/home/reader/errors")"
said "README's walk" 'cross_attention' "$walk"
said "a Korean locale" '부산' "$(LOCALE=ko_KR.UTF-8 reader 'echo "I met a friend in Busan yesterday." | glassbox generate --model en-ko')"
said "Korean help" '명령' "$(LOCALE=ko_KR.UTF-8 reader 'glassbox help')"
said "lessons" '  22  ' "$(reader 'echo :lesson | glassbox')"
reader 'glassbox draw encoder.0.self_attention.weights --model en-ko --source "I met a friend." -o a.png' > /dev/null
said "a picture" PNG "$(head -c 4 "$root/home/reader/a.png")"
said "bash" '^version$' "$(inside bash -c '. /usr/share/bash-completion/completions/glassbox
    COMP_WORDS=(glassbox versi) COMP_CWORD=1; _glassbox; echo "${COMPREPLY[@]}"')"
for page in man1 ko/man1; do
    said "the manual in $page" glassbox "$(zcat "$root/usr/share/man/$page/glassbox.1.gz" | head -n 20)"
done

inside apt-get install -y -qq --no-install-recommends zsh fish > "$work/log" 2>&1 || { tail "$work/log"; exit 1; }
said "fish" '^version' "$(inside fish -c 'complete -C "glassbox versi"')"
said "zsh" '^version:' "$(inside zsh -fc '_describe() { print -l ${(P)@[-1]}; }; words=(glassbox x) CURRENT=2
    . /usr/share/zsh/vendor-completions/_glassbox')"
inside apt-get purge -y -qq zsh fish > /dev/null 2>&1

inside apt-get purge -y -qq glassbox > "$work/log" 2>&1
inside apt-get autoremove --purge -y -qq -o APT::AutoRemove::RecommendsImportant=false \
    -o APT::AutoRemove::SuggestsImportant=false >> "$work/log" 2>&1
grep -i 'warning\|not empty' "$work/log" && failed "it leaves something behind"
inside dpkg-query -W -f '${Package}\n' | sort | comm -13 "$work/packages" - > "$work/more"
[ ! -s "$work/more" ] || failed "packages are left: $(cat "$work/more")"
files | comm -13 "$work/before" - > "$work/more"
echo "ok    removed; other packages left $(wc -l < "$work/more") files"
! grep glassbox "$work/more" || failed "files are left"
