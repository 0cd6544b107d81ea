#include "learn/samples.h"

#include <string.h>

#include "model/generate.h"
#include "model/network.h"

static const char *decode(const Tokenizer *tokenizer, const int *id, int count,
                          Arena *arena) {
    const char *text = tokenizer_decode(tokenizer, id, count, arena);
    return unicode_escape(text, strlen(text), arena);
}

static void print_one(Tape *tape, const Model *model, const Example *example,
                      FILE *out) {
    enum { MORE = 8 }; /* tokens than wanted: beyond that it is wrong anyway */
    Ids source = {example->source, 1, example->sources, NULL};
    Arena *arena = &tape->arena;
    tape_reset(tape);
    Generated made = generate(tape, model, &source, example->targets + MORE, true);
    if (tape->failed) return;
    const char *wanted =
        decode(&model->target, example->target, example->targets, arena);
    const char *said = decode(&model->target, made.id, made.count, arena);
    bool same = strcmp(wanted, said) == 0;
    fprintf(out, "    %s -> %s%s%s%s\n",
            decode(&model->source, example->source, example->sources, arena), said,
            same ? "" : " (wanted: ", same ? "" : wanted, same ? "" : ")");
}

void samples_print(const Model *model, const Examples *examples, int count, FILE *out) {
    Tape tape = {0};
    Error reason;
    if (!network_generates(&model->config, &reason)) return;
    if (count > examples->count) count = examples->count;
    for (int s = 0; s < count; s++) {
        long long place = (long long)examples->count * s / count;
        print_one(&tape, model, &examples->example[place], out);
    }
    tape_free(&tape);
}
