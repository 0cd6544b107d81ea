/* Pairs separated by commas, tabs or lines. The first byte selects the file's ending
 * and how rows are read; then come the names of two columns, then the file. */
#include "data/corpus.h"
#include "fuzz.h"

enum { LABELS = 8 };

static void use(const Corpus *corpus, Arena *arena) {
    Error error;
    const char *label[LABELS];
    int labels;
    MUST(corpus->count > 0);
    for (int p = 0; p < corpus->count; p++) {
        MUST(*corpus->pair[p].source && !strpbrk(corpus->pair[p].source, "\r\n"));
        MUST(!corpus->has_targets || *corpus->pair[p].target);
        MUST(!strpbrk(corpus->pair[p].target, "\r\n"));
        MUST(corpus->pair[p].line > 0);
    }
    Clean text = corpus_text(corpus, CORPUS_SOURCES | CORPUS_TARGETS, arena);
    MUST(strlen(text.text) == (size_t)text.length);
    if (corpus_labels(corpus, LABELS, label, &labels, arena, &error))
        MUST(labels > 0 && labels <= LABELS);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static int file[4] = {-1};
    static const char *const names[] = {"a.csv", "a.tsv", "a.txt", "a.tab"};
    for (int f = 0; f < 4 && file[3] <= 0; f++) file[f] = fuzz_file(names[f]);
    Bytes rest = {(const char *)data, size};
    Arena arena = {0};
    int choice = fuzz_choice(&rest);
    CorpusFile expected = {
        .source = fuzz_text(&rest, &arena),
        .target = fuzz_text(&rest, &arena),
        .header = (choice >> 2) % 3,
        .bad_rows = choice >> 4 & 1,
    };
    if (choice >> 5 & 1) expected.target = NULL;
    expected.path = fuzz_fill(file[choice & 3], rest);
    Corpus corpus;
    Error error = {0};
    if (corpus_read(&corpus, &expected, &arena, &error))
        use(&corpus, &arena);
    else
        MUST(*error.message);
    arena_free(&arena);
    return 0;
}
