#include "base/nearest.h"

#include <stdbool.h>

#include <string.h>

#include "base/language.h"

enum { LENGTH_MAX = 128 };

static int min(int a, int b) {
    return a < b ? a : b;
}

int nearest_distance(const char *a, const char *b) {
    int row[3][LENGTH_MAX + 1]; /* two rows ago, previous row, current row */
    int rows = (int)strnlen(a, LENGTH_MAX);
    int columns = (int)strnlen(b, LENGTH_MAX);
    for (int j = 0; j <= columns; j++) row[0][j] = j;
    for (int i = 1; i <= rows; i++) {
        int *this = row[i % 3];
        const int *before = row[(i + 2) % 3];
        const int *earlier = row[(i + 1) % 3];
        this[0] = i;
        for (int j = 1; j <= columns; j++) {
            int replaced = before[j - 1] + (a[i - 1] != b[j - 1]);
            this[j] = min(replaced, 1 + min(before[j], this[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                this[j] = min(this[j], earlier[j - 2] + 1);
        }
    }
    return row[rows % 3][columns];
}

void nearest_offer(Nearest *nearest, const char *candidate) {
    int distance = nearest_distance(nearest->word, candidate);
    size_t length = strlen(nearest->word);
    bool begins = length >= 2 && strncmp(nearest->word, candidate, length) == 0;
    if (begins) distance = 1;
    if (2 * distance > (int)length) return;
    for (int i = 0; i < nearest->count; i++)
        if (strcmp(nearest->best[i], candidate) == 0) return;
    int place = nearest->count;
    while (place > 0 && nearest->distance[place - 1] > distance) place--;
    if (place == NEAREST_COUNT) return;
    if (nearest->count < NEAREST_COUNT) nearest->count++;
    for (int i = nearest->count - 1; i > place; i--) {
        nearest->best[i] = nearest->best[i - 1];
        nearest->distance[i] = nearest->distance[i - 1];
    }
    nearest->best[place] = candidate;
    nearest->distance[place] = distance;
}

const char *nearest_question(const Nearest *nearest, Arena *arena) {
    const char *text = "";
    for (int i = 0; i < nearest->count; i++) {
        const char *best = nearest->best[i];
        if (i == 0)
            text = best;
        else if (i == nearest->count - 1)
            text = trf(arena, "%s or %s", text, best);
        else
            text = arena_print(arena, "%s, %s", text, best);
    }
    return *text ? trf(arena, "; did you mean %s?", text) : text;
}
