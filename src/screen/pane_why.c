#include "base/language.h"
#include "screen/state.h"

const char *pane_why_title(Screen *screen) {
    if (screen->shows_why) return said(N_("why"));
    return *screen->title ? screen->title : said(N_("story"));
}

void pane_why_draw(Screen *screen) {
    draw_scroll(&screen->area[PANE_WHY],
                screen->shows_why ? &screen->why : &screen->story);
}
