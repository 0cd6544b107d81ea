#include "learn/samples.h"

#include <string.h>

#include "model/generate.h"
#include "model/network.h"

static const char *decode(const Tokenizer *tokenizer, const int *id, int count,
                          Arena *arena) {
    const char *text = tokenizer_decode(tokenizer, id, count, arena);
    return unicode_escape(text, strlen(text), arena);
}

static void say_one(Tape *tape, const Model *model, const Example *example,
                    Page *page) {
    enum { MORE = 8 }; /* tokens than wanted: beyond that it is wrong anyway */
    Ids source = {example->source, 1, example->sources, NULL};
    tape_reset(tape);
    Generated made = generate(tape, model, &source, example->targets + MORE, true);
    if (tape->failed) return;
    Arena *arena = page->arena;
    const char *wanted =
        decode(&model->target, example->target, example->targets, arena);
    const char *said = decode(&model->target, made.id, made.count, arena);
    SampleBlock sample = {
        .source = decode(&model->source, example->source, example->sources, arena),
        .target = said,
        .wanted = strcmp(wanted, said) == 0 ? NULL : wanted,
    };
    page_say(page, (Block){.kind = BLOCK_SAMPLE, .sample = sample});
}

void samples_say(const Model *model, const Examples *examples, int count, Page *page) {
    Tape tape = {0};
    Error reason;
    if (!network_generates(&model->config, &reason)) return;
    if (count > examples->count) count = examples->count;
    for (int s = 0; s < count; s++) {
        long long place = (long long)examples->count * s / count;
        say_one(&tape, model, &examples->example[place], page);
    }
    tape_free(&tape);
}
