#!/bin/sh
# Check the layers: a folder of src/ may include only itself and the folders to its left in
# the list; modules (a .c with its .h) of a folder do not include each other in a circle; no
# folder has more than 5,500 lines; each library, and malloc, is used in one place; each
# command and operation is in its list.
cd "$(dirname "$0")/.." || exit 1
bad=0
below=
for layer in base text tensor kernel canvas chart figure page ops store model data learn grammar explain why walk lens change lesson window command session present prompt player commands screen; do
    below="$below $layer"
    [ -d "src/$layer" ] || continue
    allowed=$(echo $below | tr ' ' '|')
    grep -rnE '^#include "' "src/$layer" | grep -vE "#include \"(($allowed)/|[a-z]+\.[a-z]+\.inc\")" && bad=1
done
for folder in src/*/; do
    lines=$(cat "$folder"*.[ch] | wc -l)
    [ "$lines" -le 5500 ] || { echo "$folder has $lines lines: take it apart"; bad=1; }
    case "$below " in *" $(basename "$folder") "*) ;; *) echo "$folder is no layer"; bad=1 ;; esac
done
for folder in src/*/; do
    name=$(basename "$folder")
    circle=$(grep -HE "^#include \"$name/" "$folder"*.[ch] |
        sed -E 's,^src/([^.]*)\.[ch]:#include "([^.]*)\.h".*,\1 \2,' |
        awk '$1 != $2' | tsort 2>&1 >/dev/null | sed 's/^tsort: //' | tr '\n' ' ')
    [ -z "$circle" ] || { echo "modules include each other: $circle"; bad=1; }
done
home() { # home PATTERN FILES: PATTERN may appear only in files that match FILES
    grep -nE "$1" src/*.c src/*/*.[ch] | grep -vE "^src/($2):" && bad=1
}
home '#include <(cairo|pango|png)' 'canvas/(drawing\.h|png\.c)'
home 'cblas_|openblas'              'kernel/blas\.[ch]'
home '#include <(ncurses|curses)'  'screen/curses(_[a-z]+)?\.c'
home '#include <readline'          '(prompt/(line_edit|readline_fixes)|screen/entry)\.c'
home '#include <libintl'          'base/language\.[ch]'
home '#include <jansson'           'base/json\.c'
home '#include <md4c'            'lesson/markdown\.c'
home '#include <utf8proc'          'text/unicode\.c'
home '\b(malloc|calloc|realloc|free|aligned_alloc)\(' 'base/(arena|system_[a-z]+)\.c'
home '\b(system|popen|exec[lv]p?e?|fork|vfork|posix_spawn)\(' 'none'
# The session is state: what is said about it, except messages, is in present/.
grep -nE '\bpage_[a-z_]+\(|session->page\b|_say\(' src/session/*.c |
    grep -vE 'page_(clear|flush)\(|page_(note|line)\((&session->)?messages,|session->page\.arena = ' && bad=1
# Models pass tensors by name; commands produce pages.
home '\btape_find\(' '(tensor|explain|why|walk|lens|change|learn|session|present|prompt|player|commands|screen)/[a-z_]+\.[ch]'
# Lessons are confined to their folder when files are opened (base/confine.h). Other calls
# are only allowed in code that no lesson can reach, and to list folders.
home '\b(open|openat|f(re)?open|creat|mkdir(at)?|rmdir|unlink(at)?|rename(at)?|linkat|(l?stat|fstatat))\(' \
     '(base/(confine|system_[a-z]+|file|file_save|terminal)|why/code|lesson/(progress|report)|player/(lesson_exec|lessons))\.[ch]|main\.c'
# What only Linux or glibc has.
home '\b(dlsym\(RTLD_NEXT|fopencookie|mallopt|madvise|renameat2|sched_getaffinity)\b|"/proc/|\bO_PATH\b' 'base/system_[a-z]+\.c'
home 'printf\((session|out)->out' 'none'
# Text has its looks beside it (canvas/look.h): only the step to a terminal writes codes, and nothing
# reads them. The screen knows what a line did and shows, and reads nothing from its text.
home '\\x1b|\\033|\\e\[' \
     '(canvas/look\.c|window/progress\.c|screen/(curses|entry)\.c|prompt/(line_edit\.c|readline_fixes\.h)|base/terminal\.c)'
grep -nE '\b(strto[a-z]+|sscanf|ato[a-z]+|is(digit|alpha|space)|strcspn|strpbrk|strrchr|memchr)\(' src/screen/*.c && bad=1
# A command or an operation that its list lacks compiles, but nothing finds it.
listed() { # listed KIND LIST: each constant KIND_NAME is in LIST as row(NAME)
    for name in $(sed -nE "s/^const $1_([a-z0-9_]+) = .*/\1/p" src/*/*.c); do
        grep -q "row($name)" "$2" || { echo "$2: row($name) is missing"; bad=1; }
    done
}
listed 'Command command' src/commands/commands.h
listed 'Op op' src/ops/ops.h
# A session knows nothing of lessons, and has few members.
${CC:-cc} -Isrc -MM src/session/session.h | grep -oE 'src/(lesson|player)/[a-z_]+\.h' && bad=1
members=$(sed -n '/^struct Session {/,/^};/p' src/session/session.h |
    sed -n 's,/\*.*,,;/^    /p' | tr -cd ',;' | wc -c)
[ "$members" -gt 0 ] && [ "$members" -le 20 ] || { echo "Session has $members members"; bad=1; }
[ $bad = 0 ] && echo "layers: in order"
exit $bad
