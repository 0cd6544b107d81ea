/* commands.h - all commands. A new command is a function and its row `command_NAME` in
 * a file of this folder, and its name here. (`make record` writes lessons/REFERENCE.md
 * from the rows.) */
#pragma once

#include "command/command.h"
#include "session/session.h"

/* Within a group, in the order of :help. */
/* clang-format off */
#define COMMANDS(row) \
    row(next) row(back) row(more) row(less) row(goto) row(stages) row(follow) row(map) \
    row(screen) row(target) row(batch) row(decode) row(show) row(heat) row(lens) \
    row(tokens) row(window) row(only) row(merges) row(code) row(toy) row(why) \
    row(because) row(up) row(set) row(zero) row(mask) row(hide) row(no) row(swap) \
    row(patch) row(edit) row(changes) row(undo) row(redo) row(reset) row(keep) \
    row(compare) row(option) row(preset) row(dropout) row(learn) row(beam) row(sample) \
    row(pick) row(branches) row(force) row(draw) row(page) row(trace) row(generate) \
    row(lesson) row(hint) row(answer) row(skip) row(where) row(stop) row(define) \
    row(model) row(models) row(new) row(learn_bpe) row(learn_words) row(train) row(data) \
    row(evaluate) row(grammar) row(options) row(help) row(read) row(version) row(quit)
/* clang-format on */

#define DECLARE(name) extern const Command command_##name;
COMMANDS(DECLARE)
#undef DECLARE
