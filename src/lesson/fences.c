#include "lesson/fences.h"

#include <string.h>

#include "base/language.h"

/* A line that begins or ends a block; `count` is 0 where it does neither. */
typedef struct {
    char mark; /* ` or ~ */
    size_t count;
    bool is_bare; /* nothing stands behind the marks */
} Fence;

static Fence fence_of(const char *line, size_t length) {
    size_t blanks = 0;
    while (blanks < length && line[blanks] == ' ') blanks++;
    if (blanks > 3 || blanks == length || !strchr("`~", line[blanks]))
        return (Fence){0};
    Fence fence = {.mark = line[blanks]};
    size_t end = blanks;
    while (end < length && line[end] == fence.mark) end++;
    fence.count = end - blanks;
    if (fence.count < 3) return (Fence){0};
    /* Behind ``` no other backtick stands: that would be code in a line. */
    if (fence.mark == '`' && memchr(line + end, '`', length - end)) return (Fence){0};
    while (end < length && strchr(" \t\r", line[end])) end++;
    fence.is_bare = end == length;
    return fence;
}

static void find(Findings *findings, int line) {
    findings_add(findings, line,
                 N_("the block that begins here is not closed by a line ```"));
}

void fences_check(Bytes text, int line, Findings *findings) {
    Fence open = {0};
    int begun = 0;
    for (; text.size; line++) {
        const char *end = memchr(text.bytes, '\n', text.size);
        size_t length = end ? (size_t)(end - text.bytes) : text.size;
        Fence fence = fence_of(text.bytes, length);
        bool is_other = fence.mark == open.mark && !fence.is_bare;
        if (fence.count && (!open.count || is_other)) {
            if (open.count) find(findings, begun);
            open = fence;
            begun = line;
        } else if (fence.mark == open.mark && fence.count >= open.count) {
            open = (Fence){0};
        }
        length += end != NULL;
        text = (Bytes){text.bytes + length, text.size - length};
    }
    if (open.count) find(findings, begun);
}
