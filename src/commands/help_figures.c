#include "base/language.h"
#include "commands/help.h"

/* What figures are for, and a line that draws one of the kind. */
static const struct {
    const char *shows, *line;
} examples[] = {
    {N_("one head, with every number"),
     ":draw encoder.0.self_attention.weights[head=0] -o head.png"},
    {N_("all heads of all layers"),
     ":draw encoder.*.self_attention.weights -o heads.pdf"},
    {N_("cross-attention of each layer, the mean of its heads: a row is the word that "
        "was read, whose next one is said"),
     ":draw decoder.*.cross_attention.weights[head=mean] -o cross.png"},
    {N_("what each word that was said had looked at; and as a picture that moves"),
     ":draw decoding -o said.png"},
    {NULL, ":draw decoding -o decoding.apng"},
    {N_("a line for each weight, from those who ask to those who are asked"),
     ":draw encoder.0.self_attention.weights --as lines -o lines.svg"},
    {N_("one word, followed down through all layers"),
     ":draw encoder.*.self_attention.weights[query=1] --as flow -o flow.svg"},
    {N_("how often which number occurs"),
     ":draw encoder.*.self_attention.scores --as histogram -o scores.png"},
    {N_("the boxes of the model, with the shapes of this run"), ":draw map -o map.svg"},
    {N_("positions, as a map and as curves"),
     ":draw position --length 100 -o position.png"},
    {NULL, ":draw position --dimensions 0,1,4,8 -o waves.png"},
    {N_("the best words at each place, or only at one"),
     ":draw probabilities -o words.png"},
    {NULL, ":draw probabilities[target=0] --best 12 -o first.png"},
    {N_("the decoding step by step"), ":draw steps -o steps.png"},
    {N_("two sentences, models or options: beside each other, or subtracted"),
     ":draw encoder.0.self_attention.weights[head=0] --minus option=scale_scores=false "
     "-o less.png"},
    {N_("a file for each head, under one scale"),
     ":draw encoder.0.self_attention.scores --same-scale -o head-*.png"},
    {N_("a worksheet with empty cells, and its key"),
     ":draw encoder.0.self_attention.weights[head=0] --blank 0.2 -o sheet.pdf"},
    {N_("for a page in a book: size, letters, no colours"),
     ":draw encoder.0.self_attention.weights[head=0] --width 12cm --font-size 8 "
     "--theme print --caption none -o print.png"},
};

void help_figures(Page *page) {
    page_line(page, "What can be drawn, each with a line that draws it");
    for (size_t e = 0; e < sizeof examples / sizeof *examples; e++) {
        if (examples[e].shows) page_gap(page);
        if (examples[e].shows) page_line(page, "%s", said(examples[e].shows));
        page_note(page, "%s", examples[e].line);
    }
    page_gap(page);
    page_prose(page,
               "The ending of the file says which kind it is: .png, .svg with text "
               "that can be searched, .pdf, .tex (TikZ), .apng, which moves, or "
               ".txt. How figures look for a hand-out is said once in a file "
               "figures.json of the folder, {\"theme\": \"print\", \"width\": "
               "\"12cm\"}: its keys are options that :help flags lists. Each "
               "figure carries the command that draws it again.");
}
