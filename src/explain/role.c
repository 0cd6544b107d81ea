#include "explain/role.h"

#include <stdbool.h>
#include <string.h>

#include "base/language.h"
#include "text/label.h"
#include "text/tokenizer.h"

enum { TOKENS_MAX = 512, NO_WORD = -1, NO_QUOTE = -1 };

/* Minimum evidence for a role: this many rows, and one row in this many. */
enum { ROWS_MIN = 5, PART_MIN = 20 };

/* A sentence, with its tokens grouped into words. */
typedef struct {
    const char *label[TOKENS_MAX];
    int alike[TOKENS_MAX];    /* first token with the same label */
    int word[TOKENS_MAX];     /* word of each token; NO_WORD: <end> and the like */
    bool is_name[TOKENS_MAX]; /* see find_names() */
    int quote[TOKENS_MAX];    /* position of its opening quote, or NO_QUOTE */
    int tokens;
    int last_word; /* before the full stop; in Korean the verb */
} Sentence;

/* Return true for special tokens such as <end>, also in the notation of other model
 * families. Byte tokens use the same brackets, but they are pieces of a word. */
static bool is_special(const char *label) {
    static const char *const others[] = {"<s>", "</s>", "<bos>", "<eos>", NULL};
    for (const char *const *special = tokenizer_special; *special; special++)
        if (strcmp(label, *special) == 0) return true;
    for (const char *const *special = others; *special; special++)
        if (strcmp(label, *special) == 0) return true;
    return strncmp(label, "<|", 2) == 0;
}

static bool is_stop(const char *label) {
    const char *text = label_bare(label);
    return text[0] && !text[1] && strchr(".,?!", text[0]);
}

static bool is_particle(const char *label) {
    static const char *const particles[] = {"은", "는", "이",   "가",   "을",
                                            "를", "에", "에서", "에게", "와",
                                            "과", "로", "으로", "의",   "도"};
    for (size_t p = 0; p < sizeof particles / sizeof *particles; p++)
        if (strcmp(label, particles[p]) == 0) return true;
    return false;
}

/* A word that is capitalized inside a sentence is a name, even where it starts one. If
 * a name has several pieces, mark the first. */
static void find_names(Sentence *s) {
    bool begins = true;
    for (int t = 0; t < s->tokens; t++) {
        const char *text = label_bare(s->label[t]);
        const bool has_capital = text[0] >= 'A' && text[0] <= 'Z' && text[1];
        s->is_name[t] = !begins && has_capital; /* "Anna", not "I" */
        bool ends = is_stop(s->label[t]) && *label_bare(s->label[t]) != ',';
        begins = ends || s->word[t] == NO_WORD || strchr(s->label[t], '"');
    }
    for (int t = 0; t < s->tokens; t++)
        for (int k = 0; !s->is_name[t] && k < s->tokens; k++)
            s->is_name[t] = s->is_name[k] && strcmp(label_bare(s->label[k]),
                                                    label_bare(s->label[t])) == 0;
}

static Sentence read_sentence(const Axis *axis, int row) {
    Sentence sentence = {.last_word = NO_WORD};
    int word = NO_WORD;
    for (int t = 0; t < axis->size && t < TOKENS_MAX; t++) {
        const char *label = axis_label(axis, row, t);
        if (label_is_padding(label)) break;
        bool special = is_special(label);
        bool begins = word == NO_WORD || label_after_space(label) || is_stop(label);
        if (!special && begins) word++;
        sentence.label[t] = label;
        while (strcmp(sentence.label[sentence.alike[t]], label) != 0)
            sentence.alike[t]++;
        sentence.word[t] = special ? NO_WORD : word;
        if (!special && !is_stop(label)) sentence.last_word = word;
        sentence.tokens = t + 1;
    }
    find_names(&sentence);
    int open = NO_QUOTE; /* straight quotes alternately open and close */
    for (int t = 0; t < sentence.tokens; t++) {
        sentence.quote[t] = open;
        if (strchr(sentence.label[t], '"')) open = open == NO_QUOTE ? t : NO_QUOTE;
    }
    return sentence;
}

/* Specific roles first: if weights are equal, the first is reported. */
typedef enum {
    NOUN,
    PARTICLE,
    VERB_PIECES,
    WORD_PIECES,
    BEFORE,
    AFTER,
    ITSELF,
    WORD_BEFORE,
    WORD_AFTER,
    VERB,
    BEHIND_SAME,
    SAID_BEFORE,
    SAME,
    QUOTE,
    NAME,
    FULL_STOP,
    FIRST,
    LAST,
    ROLES
} Role;

static const struct {
    const char *name;
    bool of_key; /* depends on the key but not on the query */
    bool rests;  /* attended to by heads that have nothing to do */
} kinds[ROLES] = {
    [NOUN] = {N_("the noun that a particle belongs to"), false, false},
    [PARTICLE] = {N_("the particle of a noun"), false, false},
    [VERB_PIECES] = {N_("the other pieces of the last word"), false, false},
    [WORD_PIECES] = {N_("the other pieces of the same word"), false, false},
    [BEFORE] = {N_("the previous token"), false, false},
    [AFTER] = {N_("the next token"), false, false},
    [ITSELF] = {N_("the token itself"), false, true},
    [WORD_BEFORE] = {N_("the previous word"), false, false},
    [WORD_AFTER] = {N_("the next word"), false, false},
    [VERB] = {N_("the last word"), false, false},
    /* An induction head: Olsson et al. 2022, In-context Learning and Induction Heads.
     */
    [BEHIND_SAME] = {N_("what followed an earlier occurrence of this token and comes "
                        "again (induction)"),
                     false, false},
    [SAME] = {N_("an earlier occurrence of this token"), false, false},
    [QUOTE] = {N_("the opening quote"), false, false},
    [SAID_BEFORE] = {N_("an earlier mention of the word that comes next"), false,
                     false},
    [NAME] = {N_("a name, if a name or a pronoun comes next"), false, false},
    [FULL_STOP] = {N_("the full stop"), true, true},
    [FIRST] = {N_("the first token"), true, true},
    [LAST] = {N_("the last token"), true, true},
};

/* Return true if there is such a token and it is neither punctuation nor <end>. */
static bool says_word(const Sentence *s, int token) {
    return token < s->tokens && s->word[token] != NO_WORD &&
           !is_stop(s->label[token]) && !strchr(s->label[token], '"');
}

static bool says_person(const Sentence *s, int token) {
    static const char *const pronouns[] = {"he",  "she", "his", "her",
                                           "him", "He",  "She", "Her"};
    if (token >= s->tokens) return false;
    for (size_t p = 0; p < sizeof pronouns / sizeof *pronouns; p++)
        if (label_is(s->label[token], pronouns[p])) return true;
    return s->is_name[token];
}

/* Return true if the key has the role for the query. */
static bool has_role(Role role, const Sentence *s, int query, int key) {
    int from = s->word[query];
    int to = s->word[key];
    bool words = from != NO_WORD && to != NO_WORD;
    bool same_word = words && from == to && key != query;
    switch (role) {
    case NOUN:
        return same_word && key < query && is_particle(s->label[query]);
    case PARTICLE:
        return same_word && query < key && is_particle(s->label[key]);
    case VERB_PIECES:
        return same_word && to == s->last_word;
    case WORD_PIECES:
        return same_word;
    case BEFORE:
        return key == query - 1;
    case AFTER:
        return key == query + 1;
    case ITSELF:
        return key == query;
    case WORD_BEFORE:
        return words && to == from - 1;
    case WORD_AFTER:
        return words && to == from + 1;
    case VERB:
        return to == s->last_word && from != s->last_word;
    case BEHIND_SAME:
        return key > 0 && key <= query && s->alike[key - 1] == s->alike[query] &&
               says_word(s, query + 1) && s->alike[key] == s->alike[query + 1];
    case SAID_BEFORE:
        return key <= query && says_word(s, query + 1) &&
               s->alike[key] == s->alike[query + 1];
    case SAME:
        return key < query && s->alike[key] == s->alike[query];
    case QUOTE:
        return key == s->quote[query];
    case NAME:
        return s->is_name[key] && says_person(s, query + 1);
    case FULL_STOP:
        return is_stop(s->label[key]);
    case FIRST:
        return key == 0;
    case LAST:
        return key == s->tokens - 1;
    default:
        return false;
    }
}

bool role_rests(int role) {
    return role < 0 || kinds[role].rests;
}

const char *role_name(int role) {
    return role >= 0 && role < ROLES ? tr(kinds[role].name) : NULL;
}

/* Add one row of a head: its weights on the `count` keys and their roles. */
static void add_row(HeadRoles *head, const unsigned *roles, int count,
                    const Number *weight) {
    int seen = 0; /* masked keys have no weight and do not affect the uniform weight */
    int largest = 0;
    for (int k = 0; k < count; k++) {
        if (weight[k] > weight[largest]) largest = k;
        seen += weight[k] > 0;
    }
    /* A query that sees a single key has no choice, as in the first row of a
     * decoder. */
    if (count > 1 && seen == 1) return;
    for (Role role = 0; role < ROLES; role++) {
        const unsigned bit = 1u << role;
        double share = 0;
        int places = 0;
        int places_seen = 0;
        for (int k = 0; k < count; k++) {
            if (!(roles[k] & bit)) continue;
            share += (double)weight[k];
            places++;
            places_seen += weight[k] > 0;
        }
        if (places == 0) continue;
        head->share[role] += share;
        head->even[role] += seen ? (double)places_seen / seen : 0;
        head->first[role] += (roles[largest] & bit) != 0;
        head->rows[role]++;
    }
}

void roles_add(HeadRoles *roles, const Tensor *weights, int row) {
    const int heads = weights->axis[1].size;
    const Axis *query = &weights->axis[2];
    const Axis *key = &weights->axis[3];
    const Sentence asking = read_sentence(query, row);
    const Sentence asked = read_sentence(key, row);
    const int size = query->size * key->size; /* cells in the matrix of one head */
    const Number *matrix = weights->data + row * heads * size;
    unsigned has[TOKENS_MAX];
    for (int q = 0; q < asking.tokens; q++) {
        for (int k = 0; k < asked.tokens; k++) {
            has[k] = 0; /* the roles of the key, one bit each */
            for (Role role = 0; role < ROLES; role++)
                if ((query->labels == key->labels || kinds[role].of_key) &&
                    has_role(role, &asked, q, k))
                    has[k] |= 1u << role;
        }
        for (int h = 0; h < heads; h++)
            add_row(&roles[h], has, asked.tokens, matrix + h * size + q * key->size);
    }
    for (int h = 0; h < heads; h++) {
        roles[h].queries += asking.tokens;
        double fullest = 0;
        for (int k = 0; k < asked.tokens; k++) {
            double sum = 0;
            for (int q = 0; q < asking.tokens; q++)
                sum += (double)matrix[h * size + q * key->size + k];
            if (sum / asking.tokens > fullest) fullest = sum / asking.tokens;
        }
        roles[h].column += fullest;
        roles[h].sentences++;
    }
}

bool role_fits(int role, const Tensor *weights, int row, int query, int key) {
    const Sentence keys = read_sentence(&weights->axis[3], row);
    return query < TOKENS_MAX && key < keys.tokens &&
           has_role((Role)role, &keys, query, key);
}

double roles_share(const HeadRoles *roles, int role) {
    return roles->rows[role] ? roles->share[role] / roles->rows[role] : 0;
}

int roles_best(const HeadRoles *roles) {
    int best = -1;
    for (int role = 0; role < ROLES; role++) {
        int rows = roles->rows[role];
        bool stands_out = rows >= ROWS_MIN && PART_MIN * rows >= roles->queries &&
                          roles->first[role] > 0.5 * rows &&
                          roles->share[role] >= 2 * roles->even[role];
        if (stands_out &&
            (best < 0 || roles_share(roles, role) > roles_share(roles, best)))
            best = role;
    }
    return best;
}
