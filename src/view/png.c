#include "view/png.h"

#include <math.h>
#include <png.h>
#include <string.h>

#include "base/interrupt.h"

/* Pixels, of 1/96 inch: so large is a picture when it is put into a text, whatever its
 * density. */
static const double per_metre = 96 / 0.0254;

typedef struct {
    PngSink *sink;
    void *context;
} Target;

static void give(png_structp png, png_bytep bytes, size_t count) {
    const Target *target = png_get_io_ptr(png);
    if (!target->sink(target->context, bytes, count)) png_error(png, "refused");
}

static void flush(png_structp png) {
    (void)png;
}

static void say(png_structp png, png_const_charp message) {
    (void)png;
    (void)message; /* the caller has its own sentence */
}

static png_text *make_texts(const Facts *facts, Arena *arena) {
    png_text *texts = ARENA_ARRAY(arena, png_text, facts->count + 1);
    for (int i = 0; i <= facts->count; i++) {
        Fact one = i < facts->count ? facts->fact[i] : (Fact){"Title", facts->title};
        texts[i] = (png_text){.compression = PNG_ITXT_COMPRESSION_NONE,
                              .key = arena_copy(arena, one.name, strlen(one.name)),
                              .text = arena_copy(arena, one.value, strlen(one.value))};
    }
    return texts;
}

static void pack(unsigned char *to, const unsigned char *from, int width) {
    for (int x = 0; x < width; x++) {
        unsigned pixel;
        memcpy(&pixel, from + 4 * x, sizeof pixel);
        to[3 * x] = (unsigned char)(pixel >> 16);
        to[3 * x + 1] = (unsigned char)(pixel >> 8);
        to[3 * x + 2] = (unsigned char)pixel;
    }
}

static unsigned char channel(unsigned pixel, int shift, unsigned alpha) {
    unsigned value = pixel >> shift & 255;
    return (unsigned char)(alpha ? (value * 255 + alpha / 2) / alpha : 0);
}

/* The same with alpha, by which the colours are not multiplied in a PNG. */
static void pack_alpha(unsigned char *to, const unsigned char *from, int width) {
    for (int x = 0; x < width; x++) {
        unsigned pixel;
        memcpy(&pixel, from + 4 * x, sizeof pixel);
        unsigned alpha = pixel >> 24;
        to[4 * x] = channel(pixel, 16, alpha);
        to[4 * x + 1] = channel(pixel, 8, alpha);
        to[4 * x + 2] = channel(pixel, 0, alpha);
        to[4 * x + 3] = (unsigned char)alpha;
    }
}

int png_bytes(const Pixels *pixels) {
    return pixels->has_alpha ? 4 : 3;
}

void png_pack(const Pixels *pixels, int row, int from, int count, unsigned char *to) {
    const unsigned char *words =
        pixels->bytes + (size_t)row * (size_t)pixels->stride + (size_t)from * 4;
    (pixels->has_alpha ? pack_alpha : pack)(to, words, count);
}

static void write_rows(png_structp png, const Pixels *pixels, unsigned char *row) {
    for (int y = 0; y < pixels->height; y++) {
        if (interrupt_signal()) png_error(png, "stopped");
        png_pack(pixels, y, 0, pixels->width, row);
        png_write_row(png, row);
    }
}

static void write_chunks(png_structp png, const PngChunk *chunk, int count) {
    for (int c = 0; c < count; c++)
        png_write_chunk(png, (png_const_bytep)chunk[c].name, chunk[c].bytes,
                        chunk[c].count);
}

bool png_write(const Pixels *pixels, const Facts *facts, const PngChunks *chunks,
               PngSink *sink, void *context, Arena *arena) {
    Target target = {sink, context};
    png_text *texts = make_texts(facts, arena);
    unsigned char *row = arena_take(arena, (size_t)pixels->width * 4);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, say);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    /* A failed call of libpng jumps back to here; nothing is changed in between. */
    if (!info || setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, &info);
        return false;
    }
    png_set_write_fn(png, &target, give, flush);
    png_set_IHDR(png, info, (unsigned)pixels->width, (unsigned)pixels->height, 8,
                 pixels->has_alpha ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    /* Cells are runs of one colour, which the quickest level finds without a filter;
     * zlib's run-length strategy looks one byte back and misses pixels of three. */
    png_set_compression_level(png, 1);
    png_set_filter(png, 0, PNG_FILTER_NONE);
    unsigned resolution = (unsigned)round(per_metre * pixels->density);
    png_set_pHYs(png, info, resolution, resolution, PNG_RESOLUTION_METER);
    png_set_text(png, info, texts, facts->count + 1);
    png_write_info(png, info);
    if (chunks) write_chunks(png, chunks->before, chunks->befores);
    write_rows(png, pixels, row);
    if (chunks) write_chunks(png, chunks->behind, chunks->behinds);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return true;
}
