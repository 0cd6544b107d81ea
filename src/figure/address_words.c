/* Addresses in words: "decoder layer 1, cross-attention" for
 * "decoder.1.cross_attention.weights". */
#include <ctype.h>
#include <string.h>

#include "base/language.h"
#include "figure/figure_draw.h"

/* The parts of addresses. Attention weights are named after their attention. */
static const struct {
    const char *part, *words;
} terms[] = {
    {"encoder", N_("encoder")},
    {"decoder", N_("decoder")},
    {"self_attention", N_("self-attention")},
    {"cross_attention", N_("cross-attention")},
    {"attention", N_("attention")},
    {"feed_forward", N_("feed-forward")},
    {"lstm", N_("LSTM")},
    {"rnn", N_("RNN")},
    {"weights", ""},
    {"weights_dropped", N_("after dropout")},
    {"query_projection", N_("projection to queries")},
    {"key_projection", N_("projection to keys")},
    {"value_projection", N_("projection to values")},
    {"query", N_("queries")},
    {"key", N_("keys")},
    {"value", N_("values")},
    {"scores", N_("scores")},
    {"scaled", N_("scores / √d_head")},
    {"masked", N_("masked scores")},
    {"context", N_("weighted values")},
    {"concat", N_("concatenated heads")},
    {"output_projection", N_("output projection")},
    {"hidden", N_("hidden layer")},
    {"activated", N_("after the activation")},
    {"add", N_("residual sum")},
    {"norm", N_("normed")},
    {"embedding", N_("embedding")},
    {"embedding_scaled", N_("embedding × √d_model")},
    {"position", N_("positional encoding")},
    {"input", N_("input")},
    {"output", N_("output")},
    {"mean", N_("mean")},
    {"cell", N_("cell")},
    {"state", N_("state")},
    {"logits", N_("logits")},
    {"probabilities", N_("probabilities")},
    {"grad", N_("gradient")},
};

/* Return the name of a part with a number, such as "add_2", or NULL. */
static const char *term_of(const char *part, Arena *arena) {
    size_t length = strlen(part);
    size_t name = length;
    while (name && isdigit((unsigned char)part[name - 1])) name--;
    const char *number =
        name < length && name && part[name - 1] == '_' ? part + name : "";
    if (*number) length = name - 1;
    for (size_t t = 0; t < sizeof terms / sizeof *terms; t++)
        if (strlen(terms[t].part) == length &&
            strncmp(terms[t].part, part, length) == 0)
            return !*terms[t].words ? ""
                   : *number ? arena_print(arena, "%s %s", tr(terms[t].words), number)
                             : tr(terms[t].words);
    return NULL;
}

static const char *join(const char *words, const char *more, Arena *arena) {
    if (!*more) return words;
    return *words ? trf(arena, "%s, %s", words, more) : more;
}

const char *address_words(const char *address, Arena *arena) {
    char *rest = arena_print(arena, "%s", address);
    const char *before = ""; /* the previous part, and its name: a number may follow */
    const char *last = "";
    const char *words = "";
    for (char *part; (part = strtok_r(rest, ".", &rest)); before = part) {
        if (strspn(part, "0123456789") == strlen(part)) {
            bool has_layers =
                strcmp(before, "encoder") == 0 || strcmp(before, "decoder") == 0;
            last = strcmp(before, "step") == 0 ? trf(arena, "step %s", part)
                   : has_layers                ? trf(arena, "%s layer %s", last, part)
                                : trf(arena, "%s at token %s", last, part);
            continue;
        }
        words = join(words, last, arena);
        last = strcmp(part, "step") == 0 ? "" : term_of(part, arena);
        if (!last) return address;
    }
    words = join(words, last, arena);
    return *words ? words : address;
}
