/* commands.h - all commands by name, in the order in which :help lists them.
 *
 * A new command is its file, with the function and the row `command_NAME`, and its name
 * here. (README's table is made of the rows by tests/readme.sh.) */
#pragma once

#include "command/command.h"
#include "session/session.h"

#define COMMANDS(ROW)                                                                  \
    ROW(next)                                                                          \
    ROW(back)                                                                          \
    ROW(more)                                                                          \
    ROW(less)                                                                          \
    ROW(goto)                                                                          \
    ROW(stages)                                                                        \
    ROW(map)                                                                           \
    ROW(screen)                                                                        \
    ROW(target)                                                                        \
    ROW(batch)                                                                         \
    ROW(decode)                                                                        \
    ROW(lesson)                                                                        \
    ROW(hint)                                                                          \
    ROW(answer)                                                                        \
    ROW(skip)                                                                          \
    ROW(where)                                                                         \
    ROW(stop)                                                                          \
    ROW(beam)                                                                          \
    ROW(sample)                                                                        \
    ROW(pick)                                                                          \
    ROW(branches)                                                                      \
    ROW(force)                                                                         \
    ROW(show)                                                                          \
    ROW(heat)                                                                          \
    ROW(why)                                                                           \
    ROW(because)                                                                       \
    ROW(up)                                                                            \
    ROW(lens)                                                                          \
    ROW(code)                                                                          \
    ROW(tokens)                                                                        \
    ROW(window)                                                                        \
    ROW(only)                                                                          \
    ROW(merges)                                                                        \
    ROW(toy)                                                                           \
    ROW(set)                                                                           \
    ROW(zero)                                                                          \
    ROW(mask)                                                                          \
    ROW(no)                                                                            \
    ROW(swap)                                                                          \
    ROW(patch)                                                                         \
    ROW(edit)                                                                          \
    ROW(changes)                                                                       \
    ROW(undo)                                                                          \
    ROW(redo)                                                                          \
    ROW(reset)                                                                         \
    ROW(keep)                                                                          \
    ROW(compare)                                                                       \
    ROW(option)                                                                        \
    ROW(preset)                                                                        \
    ROW(dropout)                                                                       \
    ROW(learn)                                                                         \
    ROW(draw)                                                                          \
    ROW(page)                                                                          \
    ROW(trace)                                                                         \
    ROW(generate)                                                                      \
    ROW(model)                                                                         \
    ROW(models)                                                                        \
    ROW(new)                                                                           \
    ROW(learn_bpe)                                                                     \
    ROW(learn_words)                                                                   \
    ROW(train)                                                                         \
    ROW(data)                                                                          \
    ROW(evaluate)                                                                      \
    ROW(grammar)                                                                       \
    ROW(options)                                                                       \
    ROW(define)                                                                        \
    ROW(help)                                                                          \
    ROW(read)                                                                          \
    ROW(version)                                                                       \
    ROW(quit)

#define COMMAND_DECLARED(name) extern const Command command_##name;
COMMANDS(COMMAND_DECLARED)
